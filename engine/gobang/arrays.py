"""Gobang as arrays: those of Gomoku."""

from tengen.engine.gomoku.arrays import PLANES as PLANES
from tengen.engine.gomoku.arrays import actions as actions
from tengen.engine.gomoku.arrays import observe as observe
