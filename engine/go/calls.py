"""Kernels that Python calls while a game is played, beside those of the contract."""

from typing import Any

import numpy as np

from tengen.engine.go.life import solver
from tengen.engine.go.passing import wins_by_passing
from tengen.engine.go.playouts.playout import PLAYOUT
from tengen.engine.go.rules import do_move


def call_kernels(s: Any) -> None:
    """Call them, so that they are compiled: life and death are searched before a pass, late in a game."""
    wins_by_passing(s, np.zeros(1, PLAYOUT)[0])
    s = s.copy()
    stone = int(s.board.empty[0])
    do_move(s, stone)
    solver.try_to_save(s.board, stone, most=1, budget=1)
