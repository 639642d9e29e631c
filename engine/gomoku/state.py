"""The Gomoku board: one byte a point, framed so that no line runs over the edge.

Point = (x + MARGIN) + STRIDE * (y + MARGIN), x and y from 0, y from the bottom. Five columns of wall between
the rows serve both of their ends.
"""

from __future__ import annotations

import numpy as np

from engine.grids import LINE_STEPS, random_keys
from engine.jit import kernel, record

MAX_SIZE = 22
FIVE = 5
MARGIN = 5
STRIDE = MAX_SIZE + MARGIN
POINTS = STRIDE * (MAX_SIZE + 2 * MARGIN) + MARGIN
EMPTY, BLACK, WHITE, WALL = 0, 1, 2, 3

STATE = record(
    [
        ("key", "u8"),  # Zobrist key: stones and side to move
        ("board", "i1", (POINTS,)),  # EMPTY, BLACK, WHITE or WALL
        ("near", "i1", (POINTS,)),  # stones within two steps, in a straight line or not
        ("windows", "i2", (2, 8)),  # by side, by k > 0: windows of five points with k own stones and no other
        ("stones", "i4"),  # on the board
        ("width", "i4"),  # points on a side
        ("exactly", "i4"),  # 1: six or more in a line do not win
        ("result", "i4"),  # an Outcome
        ("turn", "i1"),  # 0 Black, 1 White
        ("partial", "i1"),  # always 0: every action is a turn
    ]
)

DIRECTIONS = np.array([dx + STRIDE * dy for dx, dy in LINE_STEPS], np.int64)
NEAR_OFFSETS = np.array([x + STRIDE * y for y in range(-2, 3) for x in range(-2, 3) if x or y], np.int64)
STONE_KEYS = random_keys(0x60, 3, POINTS)  # by colour (0 unused), point
TURN_KEY = np.uint64(random_keys(0x61, 1)[0])


def point(x: int, y: int) -> int:
    """Return the index of column `x`, row `y`, both from 0, rows from the bottom."""
    return (x + MARGIN) + STRIDE * (y + MARGIN)


def coordinates(index: int) -> tuple[int, int]:
    """Return (column, row) of a point, both from 0."""
    y, x = divmod(index, STRIDE)
    return x - MARGIN, y - MARGIN


@kernel
def slide(s, p, step, k, colour, window):
    """Move a window of five points along a line through `p` so that it ends `k` steps behind it.

    Parameters
    ----------
    s : STATE record
    p, step : int64
        A point, and the distance between two points of the line.
    k : int64
        -4, -3, ..., 4 in turn; from 0 on the window is complete.
    colour : int64
        BLACK or WHITE.
    window : tuple of three int64
        Stones of `colour`, stones of the other side, and points of wall in the window one step before.

    Returns
    -------
    tuple of three int64
        The same for the window as it is now.
    """
    own, foe, wall = window
    entering = s.board[p + k * step]
    own += entering == colour
    foe += entering == 3 - colour
    wall += entering == WALL
    if k > 0:
        leaving = s.board[p + (k - FIVE) * step]
        own -= leaving == colour
        foe -= leaving == 3 - colour
        wall -= leaving == WALL
    return own, foe, wall
