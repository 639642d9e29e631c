"""Texts of Gobang: those of Gomoku, with the captured pairs after the side to move (notation.md)."""

from tengen.engine.gomoku.text import *  # noqa: F403 - all of it is the same
