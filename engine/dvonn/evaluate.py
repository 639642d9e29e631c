"""What a DVONN position is worth to the side to move, in centi-points.

Second phase: a sum of features, own less opponent's, with weights that change with the number of occupied
cells: closeness to the DVONN pieces early, controlled and mobile stacks late. The weights are rounded from a
logistic fit of the outcome of 20,000 games of this engine against itself at depth 3 (600,000 positions), 250
centi-points a unit. First phase: closeness alone, from the same games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dvonn.state import DVONN_PIECES, PIECES, REACH, hemmed, neighbours, pieces
from engine.jit import ONE, kernel, lowest, popcount

# First phase: a piece one, two, three spaces from a DVONN piece; nothing farther off.
PLACED_NEAR = np.array([88, 72, 40], np.int64)
PLACED_TEMPO = 44  # half a good placement for the side to move, so that values do not swing with every turn

FEATURES = (
    "pieces",  # pieces in controlled stacks: the score itself [D-8]
    "mobile",  # stacks of one to three that can move now
    "tall",  # higher stacks that can move now
    "moves",  # moves
    "red",  # stacks with a DVONN piece that can move now
    "hemmed",  # stacks with six occupied neighbours, which may move later [D-4]
    "attacked",  # pieces in stacks that the opponent could stack upon
    "near1",  # stacks next to a stack with a DVONN piece
    "near2",  # ... two spaces away
    "near3",  # ... three spaces away
    "tempo",  # 1 for the side to move
)
ANCHORS = {  # occupied cells: weights in centi-points, in the order of FEATURES
    46: (3.5, -6, -11, 4, 60, 6, -5, 94, 75, 44, 37),
    38: (1, -4.5, -1, 6.5, 113, 21, -8, 108, 82, 47, 44),
    30: (3, -5.5, -2.5, 9.5, 150, 28, -12, 116, 85, 47, 51),
    22: (9, 2, 8, 17.5, 141, 47, -17, 106, 71, 32, 52),
    14: (29, 58, 47, 25.5, 105, 136, -33, 61, 21, -20, 28),
    7: (70, 139, 105, 25, 18, 147, -82, 6, -51, -122, -24),
}
UNIT = 16  # weights are kept in sixteenths of a centi-point
TALL = 4


def _by_occupied() -> Any:
    """Return the weights by occupied cells: int64, shape (PIECES + 1, len(FEATURES)), in 1 / UNIT."""
    counts = sorted(ANCHORS)
    columns = np.array([ANCHORS[count] for count in counts]).T
    return np.rint(UNIT * np.array([np.interp(range(PIECES + 1), counts, c) for c in columns]).T).astype(
        np.int64
    )


WEIGHTS = _by_occupied()
PIECES_AT, MOBILE, HIGH, MOVES, RED, HEMMED, ATTACKED, NEAR1, NEAR2, NEAR3, TEMPO = range(len(FEATURES))


@kernel
def _mobility(s, side, free, weights):
    """Return the worth of `side`'s mobility, in 1 / UNIT, and the cells (uint64) that it can reach."""
    own = s.control[side]
    value = weights[HEMMED] * popcount(own & ~free)
    own &= free
    reached = np.uint64(0)
    while own:
        cell = lowest(own)
        own &= own - ONE
        height = np.int64(s.height[cell])
        targets = REACH[np.uint64(height), cell] & s.occupied
        if targets:
            reached |= targets
            value += weights[MOBILE] if height < TALL else weights[HIGH]
            value += weights[MOVES] * popcount(targets)
            if s.red & (ONE << cell):
                value += weights[RED]
    return value, reached


@kernel
def evaluate(s):
    """Return the value of `s` in centi-points (int64), positive when the side to move is better."""
    own, foe = s.control[np.uint64(s.turn)], s.control[np.uint64(1 - s.turn)]
    near1 = neighbours(s.red) & ~s.red
    near2 = neighbours(near1) & ~near1 & ~s.red
    near3 = neighbours(near2) & ~near2 & ~near1 & ~s.red
    close1 = popcount(own & near1) - popcount(foe & near1)
    close2 = popcount(own & near2) - popcount(foe & near2)
    close3 = popcount(own & near3) - popcount(foe & near3)
    if s.placed < PIECES:
        tempo = PLACED_TEMPO if s.placed >= DVONN_PIECES else 0
        return PLACED_NEAR[0] * close1 + PLACED_NEAR[1] * close2 + PLACED_NEAR[2] * close3 + tempo
    free = ~hemmed(s.occupied)
    weights = WEIGHTS[popcount(s.occupied)]
    mine, my_reach = _mobility(s, np.uint64(s.turn), free, weights)
    theirs, their_reach = _mobility(s, np.uint64(1 - s.turn), free, weights)
    value = mine - theirs + weights[TEMPO]
    value += weights[PIECES_AT] * (pieces(s, own) - pieces(s, foe))
    value += weights[ATTACKED] * (pieces(s, own & their_reach) - pieces(s, foe & my_reach))
    value += weights[NEAR1] * close1 + weights[NEAR2] * close2 + weights[NEAR3] * close3
    return value // UNIT
