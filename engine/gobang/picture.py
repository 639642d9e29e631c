"""The Gobang board in plain text and as a drawing: that of Gomoku, with the pairs captured."""

from tengen.engine.gomoku.picture import *  # noqa: F403 - all of it is the same
