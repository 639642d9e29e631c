"""What a ZÈRTZ position is worth to the side to move, in centi-points."""

from __future__ import annotations

import numpy as np

from engine.jit import kernel


@kernel
def evaluate(s):
    """Return the value of `s` in centi-points (int64), positive when the side to move is better."""
    me = np.uint64(s.turn)
    other = np.uint64(1 - s.turn)
    value = np.int64(0)
    for colour in range(3):
        value += (np.int64(s.captured[me, colour]) - np.int64(s.captured[other, colour])) * (
            200 - 40 * colour
        )
    return value
