"""The board of Gobang: that of Gomoku."""

from tengen.engine.gomoku.state import *  # noqa: F403 - all of it is the same
