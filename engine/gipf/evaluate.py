"""What a GIPF position is worth to the side to move, in centi-points.

The value is a sum of features, own less opponent's, with weights for each rule set. The features are counted
by one kernel, `side_value`, that is handed the weights: a fit reads a feature by handing it the weights that
are 1 for that feature and 0 for all others.

The weights are rounded from a logistic fit of the outcome of 3,000 games a rule set of this engine against
itself at depth 4, 200 centi-points a unit; those of the potentials from 9,000 games at depth 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.gipf.state import BASIC, BOARD, PIECES, RINGS, STANDARD, TOURNAMENT
from engine.jit import kernel, popcount

MOST_GIPF = 4  # more GIPF-pieces than that count as so many

FEATURES = (
    *(f"reserve{n}" for n in range(PIECES + 1)),  # 1 for the number of pieces in reserve
    *(f"gipf{n}" for n in range(MOST_GIPF + 1)),  # 1 for the number of GIPF-pieces on the board
    "ring0",  # pieces on e5
    "ring1",  # ... on the six spots round it
    "ring2",  # ... on the twelve round those
    "ring3",  # ... at the edge
    "pairs",  # pairs of adjacent own pieces
    "two",  # four adjacent spots of a line with two own pieces and two empty spots
    "two_one",  # ... two own, one of the opponent's, one empty
    "three",  # ... three own, one empty
    "three_one",  # ... three own and one of the opponent's
    "gipf_edge",  # GIPF-pieces at the edge
    "gipf_three",  # GIPF-pieces in four adjacent spots with three pieces of the opponent
    "zertz",  # ZÈRTZ-charged pieces on the board
    "tamsk",  # TAMSK-charged pieces on the board
    "used",  # used potentials on the board
    "left",  # potentials that may still be brought in
    "tempo",  # 1 for the side to move
)
INDEX = {feature: i for i, feature in enumerate(FEATURES)}

(RESERVE, GIPF, RING0, RING1, RING2, RING3, PAIRS, TWO, TWO_ONE, THREE, THREE_ONE,
 GIPF_EDGE, GIPF_THREE, ZERTZ, TAMSK, USED, LEFT, TEMPO) = (
    INDEX[name] for name in ("reserve0", "gipf0", *FEATURES[PIECES + MOST_GIPF + 2 :])
)  # fmt: skip

RESERVES = (  # by rule set: what 0, 1, 2, ... pieces in reserve are worth
    (-2870, -1000, -700, -430, -195, 40, 265, 480, 690, 900, 1110, 1315, 1530, 1750, 1960, 2170,
     2380, 2590, 2800),
    (-2510, -775, -550, -375, -215, -70, 75, 210, 345, 475, 605, 730, 850, 970, 1090, 1210, 1330, 1450, 1570),
    (-2635, -895, -665, -480, -310, -150, 0, 140, 280, 415, 545, 680, 810, 940, 1065, 1190, 1310, 1430, 1550),
)  # fmt: skip
GIPFS = ((0, 0, 0, 0, 0), (-600, -95, 10, 125, 220), (-600, -125, 20, 145, 305))
OTHERS = {  # by rule set
    "ring0": (206, 155, 174),
    "ring1": (199, 134, 160),
    "ring2": (192, 125, 142),
    "ring3": (191, 123, 136),
    "pairs": (14, 9, 12),
    "two": (3, 1, -4),
    "two_one": (9, 7, 6),
    "three": (24, 14, 4),
    "three_one": (30, 23, 16),
    "gipf_edge": (0, -1, 4),
    "gipf_three": (0, 2, 0),
    "zertz": (57, 45, 28),
    "tamsk": (50, 50, 53),
    "used": (-120, -95, -92),
    "left": (37, 40, 43),
    "tempo": (21, 19, 20),
}


def _weights() -> Any:
    """Return the weights by rule set and feature: int64, shape (3, len(FEATURES))."""
    table = np.zeros((3, len(FEATURES)), np.int64)
    for rules in (BASIC, STANDARD, TOURNAMENT):
        table[rules, RESERVE : RESERVE + PIECES + 1] = RESERVES[rules]
        table[rules, GIPF : GIPF + MOST_GIPF + 1] = GIPFS[rules]
        for feature, weights in OTHERS.items():
            table[rules, INDEX[feature]] = weights[rules]
    return table


WEIGHTS = _weights()
_1, _8, _9 = np.uint64(1), np.uint64(8), np.uint64(9)


def _starts(step: int) -> Any:
    board = int(BOARD)
    return np.uint64(board & board >> step & board >> 2 * step & board >> 3 * step)


STARTS = np.array([_starts(step) for step in (1, 8, 9)], np.uint64)  # where four spots of a line begin


@kernel
def _tally(plane, step):
    """Return how many of the four spots that begin at each bit hold a piece of `plane`, as three bit boards.

    The sum is one + 2 * two + 4 * four.
    """
    a, b = plane, plane >> step
    c, d = b >> step, b >> (step + step)
    ab, cd = a ^ b, c ^ d
    carry_ab, carry_cd, carry = a & b, c & d, ab & cd
    one = ab ^ cd
    two = carry_ab ^ carry_cd ^ carry
    four = (carry_ab & carry_cd) | (carry & (carry_ab ^ carry_cd))
    return one, two, four


@kernel
def side_value(s, side, weights):
    """Return the sum of the features of `side` (uint64), the tempo apart, each times its weight (int64)."""
    own, foe = s.pieces[side], s.pieces[np.uint64(1) - side]
    gipf = own & s.gipf
    value = weights[RESERVE + s.reserve[side]]
    value += weights[RING0] * popcount(own & RINGS[0]) + weights[RING1] * popcount(own & RINGS[1])
    value += weights[RING2] * popcount(own & RINGS[2]) + weights[RING3] * popcount(own & RINGS[3])
    value += weights[PAIRS] * (
        popcount(own & (own >> _1)) + popcount(own & (own >> _8)) + popcount(own & (own >> _9))
    )
    if s.rules != BASIC:
        value += weights[GIPF + min(popcount(gipf), MOST_GIPF)]
        value += weights[GIPF_EDGE] * popcount(gipf & RINGS[3])
    if s.zertz_each or s.tamsk_each:
        value += weights[ZERTZ] * popcount(own & s.zertz) + weights[TAMSK] * popcount(own & s.tamsk)
        value += weights[USED] * popcount(own & s.used)
        value += weights[LEFT] * (s.zertz_left[side] + s.tamsk_left[side])
    for axis in range(3):
        step = _1 if axis == 0 else _8 if axis == 1 else _9
        starts = STARTS[axis]
        m1, m2, _ = _tally(own, step)
        t1, t2, t4 = _tally(foe, step)
        none = ~(t1 | t2 | t4)
        single = t1 & ~t2 & ~t4
        pair = m2 & ~m1 & starts
        triple = m2 & m1 & starts
        value += weights[TWO] * popcount(pair & none) + weights[TWO_ONE] * popcount(pair & single)
        value += weights[THREE] * popcount(triple & none) + weights[THREE_ONE] * popcount(triple & single)
        hostile = t2 & t1 & starts
        if gipf and hostile:
            struck = hostile | (hostile << step) | (hostile << (step + step))
            struck |= hostile << (step + step + step)
            value += weights[GIPF_THREE] * popcount(struck & gipf)
    return value


@kernel
def evaluate(s):
    """Return the value of `s` in centi-points (int64), positive when the side to move is better."""
    weights = WEIGHTS[np.uint64(s.rules)]
    me = np.uint64(s.turn)
    return side_value(s, me, weights) - side_value(s, np.uint64(1) - me, weights) + weights[TEMPO]
