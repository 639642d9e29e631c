"""Challenges in GIPF [P-9]: a jump can be challenged, its potential is at stake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tengen.engine.gipf.rules import begin_turn, do_move
from tengen.engine.gipf.state import JUMP, REMOVE, SPOT_NAMES, ZERTZ, discharge
from tengen.engine.gipf.turns import jump_spots

RULE = "P-9"


def challenges_left(s: Any, side: int) -> int:
    """Return the number of challenges that `side` has left."""
    return int(s.challenges[side])


def spend_challenge(s: Any, side: int) -> Any:
    """Return `s` with one challenge of `side` fewer."""
    s = s.copy()
    s.challenges[side] -= 1
    return s


def stake(s: Any, actions: Sequence[int]) -> int | None:
    """Return the piece whose potential jumps in a turn; None if none does.

    Parameters
    ----------
    s : record of STATE
        At the beginning of the turn.
    actions : sequence of int

    Returns
    -------
    int or None
        Bit number of the piece in `s`; an extra push that opens the turn may move it before the jump.
    """
    number = next((n for n, action in enumerate(actions) if JUMP <= action < REMOVE), None)
    if number is None:
        return None
    before = s.copy()
    for action in actions[:number]:
        do_move(before, action)
    source, _ = jump_spots(before, actions[number])
    if not int(before.charged[ZERTZ]) >> source & 1:
        return None
    if not number:
        return source
    charged = int(s.pieces[s.side_to_move] & s.charged[ZERTZ])
    return next(
        cell for cell in SPOT_NAMES if charged >> cell & 1 and _comes_to(s, cell, actions[:number], source)
    )


def _comes_to(s: Any, cell: int, actions: Sequence[int], source: int) -> bool:
    """Return whether the charged piece on `source` after `actions` is the one on `cell` before them."""
    without = s.copy()
    discharge(without, np.uint64(cell))
    for action in actions:
        do_move(without, action)
    return not int(without.charged[ZERTZ]) >> source & 1


def forfeit(s: Any, cell: int) -> Any:
    """Return `s` at the beginning of a turn without the potential on `cell`; the base stays."""
    s = s.copy()
    discharge(s, np.uint64(cell))
    begin_turn(s)
    return s


def name(cell: int) -> str:
    """Return the name of the potential on `cell`."""
    return f"the potential on {SPOT_NAMES[cell]}"


def max_stakes(s: Any, side: int) -> int:
    """Return the number of potentials of `side` that may still jump, on the board and in hand."""
    return int(s.pieces[side] & s.charged[ZERTZ]).bit_count() + int(s.left[side, ZERTZ])
