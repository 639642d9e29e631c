"""Motifs of Gobang: those of Gomoku."""

from tengen.engine.gomoku.motifs import *  # noqa: F403 - all of it is the same
