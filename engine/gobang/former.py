"""Positions of Gobang in older self-play files."""

from tengen.engine.gomoku.former import STATE as STATE
from tengen.engine.gomoku.former import current as current
