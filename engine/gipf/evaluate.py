"""What a GIPF position is worth to the side to move, in centi-points."""

from __future__ import annotations

import numpy as np

from engine.jit import kernel, popcount


@kernel
def evaluate(s):
    """Return the value of `s` in centi-points (int64), positive when the side to move is better."""
    me, other = np.uint64(s.turn), np.uint64(1 - s.turn)
    value = 100 * (np.int64(s.reserve[me]) - np.int64(s.reserve[other]))
    value += 100 * (popcount(s.pieces[me]) - popcount(s.pieces[other]))
    value += 200 * (popcount(s.pieces[me] & s.gipf) - popcount(s.pieces[other] & s.gipf))
    return value
