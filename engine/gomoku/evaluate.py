"""The evaluation of Gomoku and Gobang, for the side to move: a weighted sum over the empty points.

The features of each side are the number of lines of each kind that a stone could make, and the number of
empty points of each rank (`engine.gomoku.lines.patterns`); in Gobang also captured pairs and capturing
points. The weights and their origin are in ``weights.npz``.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tengen.engine.gomoku.lines.patterns as patterns
from tengen.engine.gomoku.lines.board import PAIRS_TAKEN, PAIRS_THREATENED, kinds_of
from tengen.engine.gomoku.net import SHAPE
from tengen.engine.gomoku.net import activate as activate
from tengen.engine.gomoku.net import bucket as bucket
from tengen.engine.gomoku.net import correct as correct
from tengen.engine.gomoku.net import policy as policy
from tengen.engine.gomoku.net import prepare_policy as prepare_policy
from tengen.engine.jit import kernel
from tengen.engine.nets.patterns import MAX_VALUE
from tengen.engine.weights import Evaluation

# Kinds and ranks by name; NONE, FIVE, OVERLINE, PLAIN, SUSPECT and FORBIDDEN have no weights.
_KINDS = {
    "one": patterns.ONE,
    "open_one": patterns.OPEN_ONE,
    "two": patterns.TWO,
    "open_two": patterns.OPEN_TWO,
    "three": patterns.THREE,
    "open_three": patterns.OPEN_THREE,
    "four": patterns.FOUR,
    "open_four": patterns.OPEN_FOUR,
    "double_four": patterns.DOUBLE_FOUR,
}
_RANKS = {
    "two_twos": patterns.TWO_TWOS,
    "rank_three": patterns.RANK_THREE,
    "three_two": patterns.THREE_TWO,
    "two_threes": patterns.TWO_THREES,
    "rank_four": patterns.RANK_FOUR,
    "four_two": patterns.FOUR_TWO,
    "four_three": patterns.FOUR_THREE,
    "winning_four": patterns.WINNING_FOUR,
    "rank_five": patterns.RANK_FIVE,
}
FEATURES = (  # those of the opponent count with the opposite sign
    *(f"{side}_{name}" for side in ("own", "foe") for name in (*_KINDS, *_RANKS)),
    "own_takers",  # points where pairs are captured
    "foe_takers",
    "pairs",  # captured pairs, own less opponent's
    "share",  # ... in sixtieths of the pairs needed to win
    "missing1",  # 1 if one more pair wins, own less opponent's
    "missing2",  # ... with two
    "tempo",  # 1 for the side to move
)
UNIT = 10  # weights are in tenths of a centi-point
ROWS = ("gomoku", "gobang", "pairs")  # without captures; with captures; with captures that win
EVALUATION = Evaluation("gomoku", FEATURES, ROWS, UNIT, np.eye(len(ROWS)), Path(__file__).parent, net=SHAPE)
WEIGHTS = EVALUATION.shipped()
TABLE = EVALUATION.expand(WEIGHTS)
NET = SHAPE.record(WEIGHTS.net)
KINDS_BY_FEATURE = np.array([*_KINDS.values()], np.int64)
RANKS_BY_FEATURE = np.array([*_RANKS.values()], np.int64)
FEATURES_PER_SIDE = len(_KINDS) + len(_RANKS)
TAKERS, TAKERS_OF_FOE, PAIRS_TAKEN_AT, SHARE, MISSING, MISSING_TWO, TEMPO = range(
    2 * FEATURES_PER_SIDE, len(FEATURES)
)
SHARE_PARTS = 60  # parts of all pairs that win

# ------------------------------------------------------------------------------------------------- ordering

# Ordering value of a point by the line that an own stone makes, and by that of an opponent's stone.
_ORDER_VALUES = {
    patterns.ONE: (2, 1),
    patterns.OPEN_ONE: (4, 3),
    patterns.TWO: (7, 5),
    patterns.OPEN_TWO: (16, 12),
    patterns.THREE: (20, 15),
    patterns.OPEN_THREE: (60, 40),
    patterns.FOUR: (70, 45),
    patterns.OPEN_FOUR: (900, 600),
    patterns.DOUBLE_FOUR: (900, 600),
    patterns.FIVE: (9000, 6000),
}
TAKES, SAVES, THREATENS = 60, 40, 12  # captures pairs; prevents a capture; threatens a capture
TACTICAL = 110  # from this value on, a stone makes or stops a four, or more than one three


def _pair_sums(whose: int) -> NDArray[np.int64]:
    """Return the summed ordering value of each pair of kinds, for own lines (0) or the opponent's (1)."""
    values = [_ORDER_VALUES.get(kind, (0, 0))[whose] for kind in range(patterns.KINDS)]
    return np.array([values[a] + values[b] for a, b in patterns.PAIR_KINDS], np.int64)


OWN_PAIR, SPOILED_PAIR = _pair_sums(0), _pair_sums(1)


@kernel
def phase(s):
    """Return the row (int64) of the weight table for `s`."""
    return np.int64(0) if not s.capturing else np.int64(1) if not s.pairs_to_win else np.int64(2)


@kernel
def weighted_sum(s, weights):
    """Return the weighted sum (int64) of the features of `s`, for the side to move."""
    me = np.int64(s.side_to_move)
    foe = 1 - me
    value = np.int64(weights[TEMPO])
    for i in range(KINDS_BY_FEATURE.size):
        kind = KINDS_BY_FEATURE[i]
        value += (
            weights[i] * s.kind_counts[me, kind] - weights[FEATURES_PER_SIDE + i] * s.kind_counts[foe, kind]
        )
    for i in range(RANKS_BY_FEATURE.size):
        rank, at = RANKS_BY_FEATURE[i], KINDS_BY_FEATURE.size + i
        value += (
            weights[at] * s.rank_counts[me, rank] - weights[FEATURES_PER_SIDE + at] * s.rank_counts[foe, rank]
        )
    if s.capturing:
        value += weights[TAKERS] * s.capture_points[me] - weights[TAKERS_OF_FOE] * s.capture_points[foe]
        value += _pairs_value(s, me, weights) - _pairs_value(s, foe, weights)
    return value


@kernel
def _pairs_value(s, side, weights):
    """Return the value (int64) of the pairs captured by `side`, in UNITs."""
    pairs, goal = np.int64(s.pairs[side]), np.int64(s.pairs_to_win)
    value = weights[PAIRS_TAKEN_AT] * pairs
    if goal == 0:
        return value
    value += weights[SHARE] * (SHARE_PARTS * pairs // goal)
    missing = goal - pairs
    return value + (weights[MISSING] if missing == 1 else weights[MISSING_TWO] if missing == 2 else 0)


@kernel
def evaluate_with(s, table):
    """Return the value of `s` in centi-points (int64) by a table of weights (see `Evaluation.expand`)."""
    value = weighted_sum(s, table[phase(s)]) // UNIT
    return min(max(value, np.int64(-MAX_VALUE)), np.int64(MAX_VALUE))


def evaluate(s: Any) -> int:
    """Return the value of `s` in centi-points, positive when the side to move is better."""
    return int(evaluate_with(s, TABLE))


@kernel
def point_value(s, p):
    """Return the ordering value (int64) of the empty point `p` for the side to move, less `TACTICAL`."""
    me = np.int64(s.side_to_move)
    own, foe = kinds_of(s, me, p), kinds_of(s, 1 - me, p)
    value = OWN_PAIR[patterns.PAIR[own & 0xFF]] + OWN_PAIR[patterns.PAIR[own >> 8]]
    value += SPOILED_PAIR[patterns.PAIR[foe & 0xFF]] + SPOILED_PAIR[patterns.PAIR[foe >> 8]]
    if s.capturing:
        takes, lost = np.int64(s.takes[me, p]), np.int64(s.takes[1 - me, p])
        value += (
            TAKES * (takes & PAIRS_TAKEN != 0)
            + SAVES * (lost & PAIRS_TAKEN != 0)
            + THREATENS * (takes & PAIRS_THREATENED != 0)
        )
    return value - TACTICAL
