"""What a position of Hex is worth to the side to move: who needs fewer stones, and who has more bridges."""

from pathlib import Path
from typing import Any

import numpy as np

from tengen.engine.jit import kernel
from tengen.engine.weights import Evaluation
from tengen_hex.board import CELLS, EMPTY, MAX_SIZE, STRIDE, missing_stones

FEATURES = (
    "missing",  # stones that the other side needs to join its edges, less those that this side needs
    "bridges",  # pairs of own stones that two empty cells join, less those of the other side
    "outside",  # steps from the middle of the board, all stones of the other side, less those of this side
    "tempo",  # 1 for the side to move
)
MISSING, BRIDGES, OUTSIDE, TEMPO = range(len(FEATURES))
ROWS = ("all",)  # positions have one set of weights
UNIT = 10  # weights are in tenths of a centi-point
EVALUATION = Evaluation("hex", FEATURES, ROWS, UNIT, np.eye(len(ROWS)), Path(__file__).parent)
WEIGHTS = EVALUATION.shipped()
TABLE = EVALUATION.expand(WEIGHTS)

# From a stone to the one at the other end of a bridge, and to the two cells between.
SPANS = np.array(
    [
        [1 + STRIDE, 1, STRIDE],
        [2 - STRIDE, 1, 1 - STRIDE],
        [2 * STRIDE - 1, STRIDE, STRIDE - 1],
    ],
    np.int64,
)


@kernel
def bridges(s, side):
    """Return the number (int64) of bridges of `side`."""
    n = np.int64(0)
    for p in range(STRIDE, CELLS - STRIDE):
        if s.cells[p] == side + 1:
            for i in range(SPANS.shape[0]):
                if s.cells[p + SPANS[i, 1]] == EMPTY and s.cells[p + SPANS[i, 2]] == EMPTY:
                    n += np.int64(s.cells[p + SPANS[i, 0]] == side + 1)
    return n


@kernel
def outside(s, side):
    """Return how many half steps (int64) the stones of `side` are from the middle, all together."""
    n, last = np.int64(0), s.width - 1
    for y in range(s.width):
        for x in range(s.width):
            if s.cells[x + 1 + STRIDE * (y + 1)] == side + 1:
                dx, dy = 2 * x - last, 2 * y - last
                n += max(abs(dx), abs(dy), abs(dx + dy))
    return n


@kernel
def phase(s):
    """Return 0 (int64): all positions are of one kind."""
    return np.int64(0)


@kernel
def weighted_sum(s, weights):
    """Return the sum of the features of `s`, for the side to move, each times its weight (int64)."""
    me = np.int64(s.side_to_move)
    foe = 1 - me
    value = weights[MISSING] * (missing_stones(s, foe, MAX_SIZE) - missing_stones(s, me, MAX_SIZE))
    value += weights[BRIDGES] * (bridges(s, me) - bridges(s, foe))
    value += weights[OUTSIDE] * (outside(s, foe) - outside(s, me)) // 2
    return value + weights[TEMPO]


@kernel
def evaluate_with(s, table):
    """Return the value of `s` in centi-points (int64) by a table of weights (see `Evaluation.expand`)."""
    return weighted_sum(s, table[phase(s)]) // UNIT


def evaluate(s: Any) -> int:
    """Return the value of `s` in centi-points, positive when the side to move is better."""
    return int(evaluate_with(s, TABLE))
