"""What a DVONN position is worth to the side to move, in centi-points; weights set by hand and by matches."""

from __future__ import annotations

import numpy as np

from engine.dvonn.state import EDGE, PIECES, REACH, hemmed, neighbours
from engine.jit import ONE, kernel, lowest, popcount

# First phase: what a piece is worth for standing ...
AT_EDGE = 10  # ... at the edge, where it can move from the start [D-4]
BESIDE_RED = 12  # ... next to a DVONN piece
NEAR_RED = 6  # ... two spaces from one

# Second phase: centi-points by stack
PIECE = 10  # each piece of a controlled stack: the score itself [D-8]
MOBILE = 40  # the stack can move now
MOVE = 4  # each of its moves
RED_STACK = 30  # it holds a DVONN piece and can move
CONTACT = 12  # it stands next to a DVONN piece


@kernel
def _placement(s, side, beside, near):
    """Return the worth of `side`'s placed pieces; `beside` and `near` are cells one and two steps from red."""
    own = s.control[side]
    return AT_EDGE * popcount(own & EDGE) + BESIDE_RED * popcount(own & beside) + NEAR_RED * popcount(own & near)


@kernel
def _stacks(s, side, free, beside):
    """Return the worth of `side`'s stacks; `free` are the cells that are not hemmed in."""
    own = s.control[side]
    value = CONTACT * popcount(own & beside)
    while own:
        cell = lowest(own)
        own &= own - ONE
        height = s.height[cell]
        value += PIECE * height
        if free & (ONE << cell):
            moves = popcount(REACH[np.uint64(height), cell] & s.occupied)
            if moves:
                value += MOBILE + MOVE * moves
                if s.red & (ONE << cell):
                    value += RED_STACK
    return value


@kernel
def evaluate(s):
    """Return the value of `s` in centi-points (int64), positive when the side to move is better."""
    me, other = np.uint64(s.turn), np.uint64(1 - s.turn)
    beside = neighbours(s.red)
    if s.placed < PIECES:
        near = neighbours(beside) & ~beside
        return _placement(s, me, beside, near) - _placement(s, other, beside, near)
    free = ~hemmed(s.occupied)
    return _stacks(s, me, free, beside) - _stacks(s, other, free, beside)
