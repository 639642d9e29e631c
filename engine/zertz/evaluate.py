"""The evaluation of ZÈRTZ, in centi-points for the side to move.

The value is a weighted sum of features, with its own weights for each rule set. Captures count own less
opponent's. Marbles and rings on the board belong to nobody and count for the side to move. A net corrects it
where a turn begins without captures (`engine.zertz.net`). The weights and
their origin are in ``weights.npz``. A fit reads a single feature by passing `weighted_sum` a unit vector as
weights.
"""

from pathlib import Path
from typing import Any

import numpy as np

from tengen.engine.jit import kernel, popcount
from tengen.engine.weights import Evaluation
from tengen.engine.zertz.net import SHAPE
from tengen.engine.zertz.net import activate as activate
from tengen.engine.zertz.net import bucket as bucket
from tengen.engine.zertz.state import WINNING_SETS, free_rings, neighbours, shifted

MAX_LACKING = 9

FEATURES = (
    *(f"white{n}" for n in range(4)),  # 1 for the number of white marbles captured
    *(f"grey{n}" for n in range(5)),
    *(f"black{n}" for n in range(6)),
    *(f"lacking{n}" for n in range(MAX_LACKING + 1)),  # 1 for the marbles lacking for the set of all colours
    "tempo",  # 1
    "white_pool",  # white marbles in the pool
    "grey_pool",
    "black_pool",
    "odd",  # 1 when the number of free rings is odd
    "lone",  # isolated vacant rings: a marble placed there can be claimed at once
    "white_hanging",  # white marbles that the removal of a free ring isolates
    "grey_hanging",
    "black_hanging",
)
INDEX = {feature: i for i, feature in enumerate(FEATURES)}

(LACKING, TEMPO, POOL, ODD, LONE, HANGING) = (
    INDEX[name] for name in ("lacking0", "tempo", "white_pool", "odd", "lone", "white_hanging")
)
CAPTURED = np.array([INDEX["white0"], INDEX["grey0"], INDEX["black0"]], np.int64)

ROWS = ("basic", "tournament")  # rule sets, by their numbers
EVALUATION = Evaluation("zertz", FEATURES, ROWS, 1, np.eye(len(ROWS)), Path(__file__).parent, net=SHAPE)
WEIGHTS = EVALUATION.shipped()
TABLE = EVALUATION.expand(WEIGHTS)
NET = SHAPE.record(WEIGHTS.net)
_MAX_CAPTURED = np.array([3, 4, 5], np.int64)  # more captured marbles than that win by themselves
_NONE = np.uint64(0)


@kernel
def side_value(s, side, weights):
    """Return the weighted sum (int64) of the features of the captures of `side` (uint64)."""
    value = np.int64(0)
    each = WINNING_SETS[np.uint64(s.rules)]
    lacking = 3 * each
    for colour in range(3):
        have = np.int64(s.captured[side, np.uint64(colour)])
        value += weights[CAPTURED[colour] + min(have, _MAX_CAPTURED[colour])]
        lacking -= min(have, each)
    return value + weights[LACKING + lacking]


@kernel
def phase(s):
    """Return the row (int64) of the weight table for `s`."""
    return np.int64(s.rules)


@kernel
def weighted_sum(s, weights):
    """Return the weighted sum (int64) of the features of `s`, for the side to move."""
    me = np.uint64(s.side_to_move)
    value = side_value(s, me, weights) - side_value(s, np.uint64(1) - me, weights) + weights[TEMPO]
    white, grey, black = s.marbles[0], s.marbles[1], s.marbles[2]
    occupied = white | grey | black
    vacant = s.rings & ~occupied
    for colour in range(3):
        value += weights[POOL + colour] * s.pool[np.uint64(colour)]
    free = free_rings(s.rings, vacant)
    one = more = _NONE  # rings with a neighbour, with more than one
    for direction in range(6):
        beside = shifted(s.rings, direction)
        more |= one & beside
        one |= beside
    hanging = occupied & one & ~more & neighbours(free)
    value += weights[ODD] * (popcount(free) & 1) + weights[LONE] * popcount(vacant & ~one)
    value += weights[HANGING] * popcount(white & hanging)
    value += weights[HANGING + 1] * popcount(grey & hanging)
    value += weights[HANGING + 2] * popcount(black & hanging)
    return value


@kernel
def evaluate_with(s, table):
    """Return the value of `s` in centi-points (int64) by a table of weights (see `Evaluation.expand`)."""
    return weighted_sum(s, table[phase(s)])


def evaluate(s: Any) -> int:
    """Return the value of `s` in centi-points, positive when the side to move is better."""
    return int(evaluate_with(s, TABLE))
