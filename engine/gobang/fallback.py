"""Gobang before its rules are compiled: as Gomoku, whose module asks the options what is played."""

from tengen.engine.gomoku.fallback import *  # noqa: F403 - all of it is the same
