"""The state of Gomoku and Gobang: bits along every line, and what a stone on each empty point would make.

Point = x + MAX_SIZE * y, x and y from 0, y from the bottom. A point is on four lines, one in each direction:
row, column, diagonal (x - y is constant), antidiagonal (x + y is). Its place on a line is its x, on a column
its y, and its bit in the word of the line is place + REACH. The word thus contains the REACH points on either
side of any point. Points off the board are set in the words of both sides.
"""

import numpy as np

from tengen.engine.board.grids import random_keys
from tengen.engine.jit import kernel, lsb, record

MAX_SIZE = 22
POINTS = MAX_SIZE * MAX_SIZE
REACH = 5  # a stone affects points up to this distance; 4 if six in a row win as well
BLACK, WHITE = 0, 1
MAX_PAIRS = 20  # the greatest value of capture-win

DIAGONALS = 2 * MAX_SIZE - 1
LINES = 2 * MAX_SIZE + 2 * DIAGONALS
_X, _Y = np.arange(POINTS) % MAX_SIZE, np.arange(POINTS) // MAX_SIZE
STEPS = np.array([1, MAX_SIZE, MAX_SIZE + 1, 1 - MAX_SIZE], np.int64)  # to the next point, by direction
LINE = np.array(
    [
        _Y,
        MAX_SIZE + _X,
        2 * MAX_SIZE + _X - _Y + MAX_SIZE - 1,
        2 * MAX_SIZE + DIAGONALS + _X + _Y,
    ],
    np.uint8,
)  # by direction, point
PLACE = np.array([_X, _Y, _X, _X], np.uint8)  # by direction, point

KIND_SLOTS = 16  # for the kinds and ranks of `engine.gomoku.lines.patterns`

STATE = record(
    [
        ("key", "u8"),  # Zobrist key: stones, side to move, and captured pairs if they can win
        ("lines", "u4", (2, LINES)),  # by side and line: stones, and points off the board
        # By empty point: four bits for each direction, the kind of line, of Black, then of White
        ("kinds", "u4", (POINTS,)),
        # By side and empty point, likewise: two bits for pairs that a stone captures, two for threatened ones
        ("takes", "u2", (2, POINTS)),
        ("near", "u4", (MAX_SIZE,)),  # by row: points within two steps of a stone, empty or not
        ("fours", "u4", (2, MAX_SIZE)),  # by side, row: empty points of rank RANK_FOUR or higher
        ("threes", "u4", (2, MAX_SIZE)),  # ... of rank RANK_THREE or higher
        ("kind_counts", "i2", (2, KIND_SLOTS)),  # by side: (empty point, direction) of each counted kind
        ("rank_counts", "i2", (2, KIND_SLOTS)),  # by side: empty points of each rank
        ("capture_points", "i2", (2,)),  # by side: empty points where a stone captures pairs
        ("pairs", "i2", (2,)),  # by side: pairs it has captured
        ("exactly_five", "i1", (2,)),  # by side, 1: six or more in a line do not win
        ("renju", "i1"),  # 1: Black has forbidden points
        ("pro", "i1"),  # 1: the first and the third stone are restricted
        ("capturing", "i1"),  # 1: pairs are captured
        ("pairs_to_win", "i1"),  # number of captured pairs that wins; 0 if none does
        ("width", "i4"),  # points on a side
        ("stones", "i4"),  # on the board
        ("result", "i4"),  # an Outcome
        ("side_to_move", "i1"),  # 0 Black, 1 White
        ("partial", "i1"),  # always 0: every action is a turn
    ]
)

STONE_KEYS = random_keys(0x60, 2, POINTS)  # by side, point
WON_PAIRS = MAX_PAIRS + 8  # upper bound if pairs win: one stone captures at most eight
PAIR_KEYS = random_keys(0x62, 2, WON_PAIRS + 1)  # by side, pairs captured
PAIR_KEYS[:, 0] = 0
SIDE_KEY = np.uint64(random_keys(0x61, 1)[0])


def point(x: int, y: int) -> int:
    """Return the index of column `x`, row `y`, both from 0, rows from the bottom."""
    return x + MAX_SIZE * y


def coordinates(index: int) -> tuple[int, int]:
    """Return (column, row) of a point, both from 0."""
    y, x = divmod(index, MAX_SIZE)
    return x, y


@kernel
def has_stone(s, side, p):
    """Return whether `side` has a stone on the point `p` of the board."""
    return (np.int64(s.lines[side, LINE[0, p]]) >> (np.int64(PLACE[0, p]) + REACH)) & 1 != 0


@kernel
def is_empty(s, p):
    """Return whether the point `p` of the board is empty."""
    word = np.int64(s.lines[0, LINE[0, p]]) | np.int64(s.lines[1, LINE[0, p]])
    return (word >> (np.int64(PLACE[0, p]) + REACH)) & 1 == 0


@kernel
def free_row(s, y):
    """Return the empty points of row `y`: bits (int64) as in ``lines``."""
    return ~(np.int64(s.lines[0, y]) | np.int64(s.lines[1, y])) & 0xFFFFFFFF


@kernel
def candidate_row(s, y):
    """Return the empty points of row `y` within two steps of a stone: bits (int64) as in ``lines``."""
    return np.int64(s.near[y]) & free_row(s, y)


@kernel
def row_point(y, bits):
    """Return the point (int64) of the lowest of `bits` (int64) in row `y`, placed as in ``lines``."""
    return MAX_SIZE * y + np.int64(lsb(np.uint64(bits))) - REACH
