"""Kernels that Python calls while a game is played, beside those of the contract."""

from typing import Any

import numpy as np

from tengen.engine.gomoku.lines.board import kinds_of
from tengen.engine.gomoku.lines.renju import is_forbidden
from tengen.engine.gomoku.state import BLACK


def call_kernels(s: Any) -> None:
    """Call them, so that they are compiled: only Renju asks for forbidden points."""
    is_forbidden(s, np.int64(0))
    kinds_of(s, BLACK, np.int64(0))
