"""The evaluation of Gobang: that of Gomoku, with the features of captured pairs."""

from tengen.engine.gomoku.evaluate import *  # noqa: F403 - all of it is the same
