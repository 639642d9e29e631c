"""The Gobang board as characters: that of Gomoku, with the pairs captured."""

from tengen.engine.gomoku.sketch import *  # noqa: F403 - all of it is the same
