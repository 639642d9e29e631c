"""What a position of Gomoku or Gobang is worth to the side to move: a sum over its empty points.

Features, by side: in how many directions of empty points a stone would make each kind of line, and how many
empty points have each rank (`engine.gomoku.patterns`); in Gobang pairs taken, and points that take pairs.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from engine.gomoku.board import PAIRS_TAKEN, PAIRS_THREATENED
from engine.gomoku.patterns import (
    DOUBLE_FOUR,
    FOUR,
    FOUR_THREE,
    FOUR_TWO,
    KINDS,
    ONE,
    OPEN_FOUR,
    OPEN_ONE,
    OPEN_THREE,
    OPEN_TWO,
    PAIR,
    PAIR_KINDS,
    RANK_FIVE,
    RANK_FOUR,
    RANK_THREE,
    RANKS,
    THREE,
    THREE_TWO,
    TWO,
    TWO_THREES,
    TWO_TWOS,
    WINNING_FOUR,
)
from engine.jit import kernel

# Tenths of centi-points, for the side to move and for the other, fitted to the results of 5,000 games.
_KIND_VALUES = {
    ONE: (-14, -16),
    OPEN_ONE: (-8, -10),
    TWO: (13, 10),
    OPEN_TWO: (27, 18),
    THREE: (122, 114),
    OPEN_THREE: (193, 102),
    FOUR: (182, 190),
    OPEN_FOUR: (700, 649),
    DOUBLE_FOUR: (600, 150),
}
_RANK_VALUES = {
    TWO_TWOS: (181, 160),
    RANK_THREE: (85, 127),
    THREE_TWO: (520, 532),
    TWO_THREES: (510, 933),
    RANK_FOUR: (122, 72),
    FOUR_TWO: (630, 683),
    FOUR_THREE: (1050, 1780),
    WINNING_FOUR: (15000, 1074),
    RANK_FIVE: (30000, 4000),
}
# The same for points where pairs are taken, where pairs do not win, and where they do.
TAKER_VALUES = np.array([[250, 150], [2310, 1520]], np.int64)
TO_MOVE = 73
# For a pair taken, where pairs do not win; for all pairs that win together; for those that are missing.
IDLE_PAIR, ALL_PAIRS = 150, 13500
PAIRS_MISSING = np.array([0, 2000, 700, 0], np.int64)
TENTHS = 10
MOST = 100_000  # centi-points; what is proven is worth more


def _by_side(values: Mapping[int, tuple[int, int]], length: int) -> NDArray[np.int64]:
    """Return the table of values, by side to move or other, by feature."""
    table = np.zeros((2, length), np.int64)
    for feature, pair in values.items():
        table[:, feature] = pair
    return table


KIND_VALUES, RANK_VALUES = _by_side(_KIND_VALUES, KINDS), _by_side(_RANK_VALUES, RANKS)

# ------------------------------------------------------------------------------------------------- ordering

_OWN = np.array([0, 2, 4, 7, 16, 20, 60, 70, 900, 900, 9000, 0])  # a stone on a point with such a line
_SPOILED = np.array([0, 1, 3, 5, 12, 15, 40, 45, 600, 600, 6000, 0])  # ... where the other side has it
TACTICAL = 110  # from here on a stone makes or stops a four, or more than one three


def _pair_sums(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what two lines of each pair of kinds are worth together."""
    return np.array([values[a] + values[b] for a, b in PAIR_KINDS], np.int64)


OWN_PAIR, SPOILED_PAIR = _pair_sums(_OWN), _pair_sums(_SPOILED)


@kernel
def evaluate(s):
    """Return the value of `s` in centi-points (int64), positive when the side to move is better."""
    me = np.int64(s.turn)
    foe = 1 - me
    value = np.int64(TO_MOVE)
    for kind in range(1, KINDS):
        value += KIND_VALUES[0, kind] * s.kind_counts[me, kind]
        value -= KIND_VALUES[1, kind] * s.kind_counts[foe, kind]
    for rank in range(1, RANKS):
        value += RANK_VALUES[0, rank] * s.rank_counts[me, rank]
        value -= RANK_VALUES[1, rank] * s.rank_counts[foe, rank]
    if s.capturing:
        wins = np.int64(s.goal > 0)
        value += TAKER_VALUES[wins, 0] * s.takers[me] - TAKER_VALUES[wins, 1] * s.takers[foe]
        value += _pairs_value(s, me) - _pairs_value(s, foe)
    return min(max(value // TENTHS, np.int64(-MOST)), np.int64(MOST))


@kernel
def _pairs_value(s, side):
    """Return what the pairs that `side` has taken are worth (int64, tenths of centi-points)."""
    pairs, goal = np.int64(s.pairs[side]), np.int64(s.goal)
    if goal == 0:
        return pairs * IDLE_PAIR
    missing = max(goal - pairs, np.int64(0))
    return pairs * ALL_PAIRS // goal + PAIRS_MISSING[min(missing, np.int64(PAIRS_MISSING.size - 1))]


@kernel
def point_value(s, p):
    """Return the worth (int64) of a stone of the side to move on the empty point `p`, less `TACTICAL`."""
    me = np.int64(s.turn)
    own, foe = np.int64(s.kinds[me, p]), np.int64(s.kinds[1 - me, p])
    value = OWN_PAIR[PAIR[own & 0xFF]] + OWN_PAIR[PAIR[own >> 8]]
    value += SPOILED_PAIR[PAIR[foe & 0xFF]] + SPOILED_PAIR[PAIR[foe >> 8]]
    if s.capturing:
        takes, lost = np.int64(s.takes[me, p]), np.int64(s.takes[1 - me, p])
        value += (
            60 * (takes & PAIRS_TAKEN != 0)
            + 40 * (lost & PAIRS_TAKEN != 0)
            + 12 * (takes & PAIRS_THREATENED != 0)
        )
    return value - TACTICAL
