"""What a position of three men's morris is worth to the side to move."""

import numpy as np

from tengen.engine.jit import kernel

MIDDLE = 4  # the point on most lines
HOLD, REACH = 60, 20  # what it is worth to have a man there, or to move while it is empty, in centi-points


@kernel
def evaluate(s):
    """Return the value of `s` in centi-points (int64), for the side to move: who holds the middle."""
    if s.points[MIDDLE] == 0:
        return np.int64(REACH)
    return np.int64(HOLD if s.points[MIDDLE] == s.side_to_move + 1 else -HOLD)
