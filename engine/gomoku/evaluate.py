"""What a position of Gomoku or Gobang is worth to the side to move: a sum over its empty points.

Features, by side: in how many directions of empty points a stone would make each kind of line, and how many
empty points have each rank (`engine.gomoku.patterns`); in Gobang pairs taken, and points that take pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.gomoku.patterns import KINDS, PAIR, PAIR_KINDS, RANKS
from engine.jit import kernel

# Centi-points for each (point, direction) of a kind, for the side to move and for the other:
#                NONE ONE OPEN TWO OPEN THREE OPEN FOUR OPEN DOUBLE FIVE OVERLINE
KIND_VALUES = np.array(
    [[0, 0, 0, 1, 3, 6, 10, 8, 60, 60, 0, 0], [0, 0, 0, 1, 3, 5, 7, 3, 59, 15, 0, 0]], np.int64
)

# Centi-points for each point of a rank:
#    PLAIN TWO_TWOS THREE THREE_TWO TWO_THREES FOUR FOUR_TWO FOUR_THREE WINNING_FOUR FIVE SUSPECT FORBIDDEN
RANK_VALUES = np.array(
    [[0, 9, 0, 35, 115, 7, 22, 186, 1500, 3000, 60, -10], [0, 6, 1, 29, 93, 10, 35, 74, 22, 400, 40, -10]],
    np.int64,
)

TAKER_VALUES = np.array([25, 15], np.int64)  # centi-points for a point where pairs are taken
PAIR_VALUE = 60  # centi-points for a pair taken, when pairs win; a quarter of it when they do not
# ... and for being close to winning by pairs, by pairs that are missing
PAIRS_MISSING = np.array([0, 900, 450, 220, 100, 40, 0], np.int64)

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
    value = np.int64(0)
    for kind in range(1, KINDS):
        value += KIND_VALUES[0, kind] * s.kind_counts[me, kind]
        value -= KIND_VALUES[1, kind] * s.kind_counts[foe, kind]
    for rank in range(1, RANKS):
        value += RANK_VALUES[0, rank] * s.rank_counts[me, rank]
        value -= RANK_VALUES[1, rank] * s.rank_counts[foe, rank]
    if s.capturing:
        value += TAKER_VALUES[0] * s.takers[me] - TAKER_VALUES[1] * s.takers[foe]
        value += _pairs_value(s, me) - _pairs_value(s, foe)
    return value


@kernel
def _pairs_value(s, side):
    """Return what the pairs that `side` has taken are worth (int64, centi-points)."""
    pairs = np.int64(s.pairs[side])
    if s.goal == 0:
        return pairs * (PAIR_VALUE // 4)
    missing = max(np.int64(s.goal) - pairs, np.int64(0))
    return pairs * PAIR_VALUE + PAIRS_MISSING[min(missing, np.int64(6))]


@kernel
def point_value(s, p):
    """Return the worth (int64) of a stone of the side to move on the empty point `p`, less `TACTICAL`."""
    me = np.int64(s.turn)
    own, foe = np.int64(s.kinds[me, p]), np.int64(s.kinds[1 - me, p])
    value = OWN_PAIR[PAIR[own & 0xFF]] + OWN_PAIR[PAIR[own >> 8]]
    value += SPOILED_PAIR[PAIR[foe & 0xFF]] + SPOILED_PAIR[PAIR[foe >> 8]]
    if s.capturing:
        takes, lost = np.int64(s.takes[me, p]), np.int64(s.takes[1 - me, p])
        value += 60 * (takes & 0x3333 != 0) + 40 * (lost & 0x3333 != 0) + 12 * (takes & 0xCCCC != 0)
    return value - TACTICAL
