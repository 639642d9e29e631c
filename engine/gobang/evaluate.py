"""What a Gobang position is worth: as in Gomoku, and the pairs."""

from tengen.engine.gomoku.evaluate import *  # noqa: F403 - all of it is the same
