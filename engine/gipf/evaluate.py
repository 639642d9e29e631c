"""The evaluation of GIPF, in centi-points for the side to move.

The value is a weighted sum of features, own less opponent's, with its own weights for each rule set. A net
corrects it (`engine.gipf.net`). The weights and their origin are in ``weights.npz``. A fit reads a single
feature by passing `weighted_sum` a unit vector as weights.
"""

from pathlib import Path
from typing import Any

import numpy as np

from tengen.engine.gipf.net import SHAPE
from tengen.engine.gipf.net import activate as activate
from tengen.engine.gipf.net import bucket as bucket
from tengen.engine.gipf.state import BASIC, BOARD, KINDS, PIECES, RINGS, stacks
from tengen.engine.jit import kernel, popcount
from tengen.engine.weights import Evaluation

MAX_GIPF_COUNTED = 4  # more GIPF-pieces count as this many

FEATURES = (
    *(f"reserve{n}" for n in range(PIECES + 1)),  # 1 for the number of pieces in reserve
    *(f"gipf{n}" for n in range(MAX_GIPF_COUNTED + 1)),  # 1 for the number of GIPF-pieces on the board
    "ring0",  # pieces on e5
    "ring1",  # ... on the six spots around it
    "ring2",  # ... on the twelve around those
    "ring3",  # ... at the edge
    "pairs",  # pairs of adjacent own pieces
    "two",  # four adjacent spots of a line with two own pieces and two empty spots
    "two_one",  # ... two own, one of the opponent's, one empty
    "three",  # ... three own, one empty
    "three_one",  # ... three own and one of the opponent's
    "gipf_edge",  # GIPF-pieces at the edge
    "gipf_three",  # GIPF-pieces in four adjacent spots with three pieces of the opponent
    "zertz",  # ZÈRTZ-charged pieces on the board
    "tamsk",  # TAMSK-charged pieces
    "dvonn",  # DVONN-charged pieces
    "yinsh",  # YINSH-charged pieces
    "punct",  # PÜNCT-charged pieces
    "used",  # used potentials that lie on no piece
    "stacked",  # spots held by a potential on top of a piece
    "left",  # potentials that may still be brought in
    "tempo",  # 1 for the side to move
)
INDEX = {feature: i for i, feature in enumerate(FEATURES)}

(RESERVE, GIPF, RING0, RING1, RING2, RING3, PAIRS, TWO, TWO_ONE, THREE, THREE_ONE,
 GIPF_EDGE, GIPF_THREE, CHARGED, _, _, _, _, USED, STACKED, LEFT, TEMPO) = (
    INDEX[name] for name in ("reserve0", "gipf0", *FEATURES[PIECES + MAX_GIPF_COUNTED + 2 :])
)  # fmt: skip

ROWS = ("basic", "standard", "tournament")  # rule sets, by their numbers
LATER = {"dvonn": 60, "yinsh": 55, "punct": 25, "stacked": -270}  # the shipped file is from before these
EVALUATION = Evaluation("gipf", FEATURES, ROWS, 1, np.eye(len(ROWS)), Path(__file__).parent, LATER, SHAPE)
WEIGHTS = EVALUATION.shipped()
TABLE = EVALUATION.expand(WEIGHTS)
NET = SHAPE.record(WEIGHTS.net)
_1, _8, _9 = np.uint64(1), np.uint64(8), np.uint64(9)
# Where four spots of a line begin
STARTS = np.array([BOARD & BOARD >> n & BOARD >> n + n & BOARD >> n + n + n for n in (_1, _8, _9)])


@kernel
def _tally(plane, step):
    """Return, for each bit, how many of the four spots from there on hold a piece of `plane`.

    The count is one + 2 * two + 4 * four, of three bit boards.
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
    """Return the weighted sum (int64) of the features of `side` (uint64), without the tempo."""
    own, foe = s.pieces[side], s.pieces[np.uint64(1) - side]
    gipf = own & s.gipf
    value = weights[RESERVE + min(s.reserve[side], PIECES)]
    value += weights[RING0] * popcount(own & RINGS[0]) + weights[RING1] * popcount(own & RINGS[1])
    value += weights[RING2] * popcount(own & RINGS[2]) + weights[RING3] * popcount(own & RINGS[3])
    value += weights[PAIRS] * (
        popcount(own & (own >> _1)) + popcount(own & (own >> _8)) + popcount(own & (own >> _9))
    )
    if s.rules != BASIC:
        value += weights[GIPF + min(popcount(gipf), MAX_GIPF_COUNTED)]
        value += weights[GIPF_EDGE] * popcount(gipf & RINGS[3])
    if s.kinds:
        covered = stacks(s)
        value += weights[USED] * popcount(own & s.used) + weights[STACKED] * popcount(own & covered)
        for kind in range(KINDS):
            if s.each[kind]:
                value += weights[CHARGED + kind] * popcount(own & s.charged[kind] & ~covered)
                value += weights[LEFT] * s.left[side, kind]
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
def phase(s):
    """Return the row (int64) of the weight table for `s`."""
    return np.int64(s.rules)


@kernel
def weighted_sum(s, weights):
    """Return the weighted sum (int64) of the features of `s`, for the side to move."""
    me = np.uint64(s.side_to_move)
    return side_value(s, me, weights) - side_value(s, np.uint64(1) - me, weights) + weights[TEMPO]


@kernel
def evaluate_with(s, table):
    """Return the value of `s` in centi-points (int64) by a table of weights (see `Evaluation.expand`)."""
    return weighted_sum(s, table[phase(s)])


def evaluate(s: Any) -> int:
    """Return the value of `s` in centi-points, positive when the side to move is better."""
    return int(evaluate_with(s, TABLE))
