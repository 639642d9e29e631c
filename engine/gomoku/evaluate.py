"""What a Gomoku position is worth to the side to move, in centi-points, by its windows of five points."""

from __future__ import annotations

import numpy as np

from engine.gomoku.state import DIRECTIONS, FIVE, slide
from engine.jit import kernel

# A window of five points with k stones of one side and none of the other; [k] for the side to move, and for
# the other.
MOVER = np.array([0, 2, 12, 70, 3000, 0], np.int64)
WAITER = np.array([0, 1, 9, 45, 250, 0], np.int64)

# What a stone on an empty point adds to such a window, or spoils of the other side's: by stones already
# there.
ADDS = np.array([1, 8, 40, 300, 5000], np.int64)
SPOILS = np.array([1, 6, 30, 200, 2000], np.int64)
TACTICAL = 300  # from here a point makes or stops a four, or several threes


@kernel
def evaluate(s):
    """Return the value of `s` in centi-points (int64), positive when the side to move is better."""
    me = np.int64(s.turn)
    value = np.int64(0)
    for k in range(1, FIVE):
        value += MOVER[k] * s.windows[me, k] - WAITER[k] * s.windows[1 - me, k]
    return value


@kernel
def point_value(s, p):
    """Return the worth (int64) of a stone of the side to move on the empty point `p`, less `TACTICAL`."""
    colour = np.int64(s.turn) + 1
    value = np.int64(-TACTICAL)
    for d in range(4):
        step = DIRECTIONS[d]
        window = (0, 0, 0)
        for k in range(-FIVE + 1, FIVE):
            window = slide(s, p, step, k, colour, window)
            own, foe, wall = window
            if k >= 0 and wall == 0:
                if foe == 0:
                    value += ADDS[own]
                elif own == 0:
                    value += SPOILS[foe]
    return value
