"""Turns of Gobang in steps: those of Gomoku."""

from tengen.engine.gomoku.steps import *  # noqa: F403 - all of it is the same
