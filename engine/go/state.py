"""The board of Go and its record dtypes.

A board of any size is stored in one padded array: column 0 and the rows below and above are wall, and the
left wall of a row is also the right wall of the row below. ``BOARD`` is the board without history, as
playouts need it; ``STATE`` is a game in progress.

A liberty is counted as pseudo-liberties: once for every adjacent stone of the chain. The count of a captured
chain is 0. With the sum and the sum of squares of the liberties' indices, ``count * squares == sum * sum``
holds if and only if all pseudo-liberties are the same point, which is then ``sum / count``.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from tengen.engine.board.grids import random_keys, vertex
from tengen.engine.jit import record

MAX_SIZE = 25
STRIDE = MAX_SIZE + 1
POINTS = STRIDE * (MAX_SIZE + 2) + 1
EMPTY, BLACK, WHITE, WALL = 0, 1, 2, 3
PASS = 0  # the action; its point is wall
NOWHERE = 0  # no point
HISTORY = 2048  # turns back to which superko is checked
HUNDREDTHS = 100  # of a point: unit of komi and margins

TERRITORY, CHINESE, TROMP_TAYLOR = 0, 1, 2  # how the end is counted [O-5]; japanese counts as territory
SIMPLE, POSITIONAL, SITUATIONAL = 0, 1, 2  # ko rules

BOARD = record(
    [
        ("key", "u8"),  # Zobrist key of the stones
        ("stones", "u1", (POINTS,)),  # EMPTY, BLACK, WHITE or WALL
        ("chain", "u2", (POINTS,)),  # of a stone: the head of its chain, a stone that represents it
        ("next_in_chain", "u2", (POINTS,)),  # of a stone: the next one of its chain (circular list)
        ("length", "u2", (POINTS,)),  # of a chain: number of stones
        ("liberties", "u2", (POINTS,)),  # of a chain: pseudo-liberties
        ("liberty_sum", "u4", (POINTS,)),  # of a chain: sum of their indices
        ("liberty_squares", "u4", (POINTS,)),  # of a chain: sum of the squares of their indices
        ("empty", "u2", (MAX_SIZE * MAX_SIZE,)),  # the empty points, in no order
        ("place", "u2", (POINTS,)),  # of an empty point: its index in `empty`
        ("num_empty", "u4"),  # how many points are empty
        ("ko", "u4"),  # the point that simple ko forbids, or NOWHERE
        ("prisoners", "u4", (2,)),  # taken by Black, by White
        ("width", "u4"),  # points on a side
    ]
)

STATE = record(
    [
        ("key", "u8"),  # Zobrist key: stones, side to move, ko, passes
        ("board", BOARD),
        ("history", "u8", (HISTORY,)),  # key of the stones and side to move after each turn, a ring buffer
        ("plies", "i4"),  # positions written to `history`
        ("last_actions", "i4", (2,)),  # the last action and the one before; PASS where there was none
        ("komi", "i4"),  # hundredths of a point
        ("margin", "i4"),  # at the end: Black's points less White's, hundredths, all stones alive
        ("rules", "i1"),  # TERRITORY, CHINESE or TROMP_TAYLOR
        ("ko_rule", "i1"),  # SIMPLE, POSITIONAL or SITUATIONAL
        ("passes", "i1"),  # in a row, 0 to 2
        ("result", "i1"),  # an Outcome, all stones alive
        ("side_to_move", "i1"),  # 0 Black, 1 White
        ("partial", "i1"),  # always 0: every action is a turn
    ]
)

# Unsigned, so that compiled code does not test for negative indices; sums wrap around.
NEIGHBOURS = np.array([1, -1, STRIDE, -STRIDE], np.int64).view(np.uint64)
DIAGONALS = np.array([STRIDE + 1, STRIDE - 1, 1 - STRIDE, -1 - STRIDE], np.int64).view(np.uint64)
STEPS: list[int] = NEIGHBOURS.view(np.int64).tolist()  # for Python
STONE_KEYS = random_keys(0x60A1, 3, POINTS)  # by colour (0 unused), point
KO_KEYS = random_keys(0x60A2, POINTS)
PASS_KEYS = random_keys(0x60A3, 3)
SIDE_KEY = np.uint64(random_keys(0x60A4, 1)[0])


def point(x: int, y: int) -> int:
    """Return the index of column `x`, row `y`, both from 0, rows from the bottom."""
    return (x + 1) + STRIDE * (y + 1)


def coordinates(index: int) -> tuple[int, int]:
    """Return (column, row) of a point, both from 0."""
    y, x = divmod(index, STRIDE)
    return x - 1, y - 1


def name_of(index: int) -> str:
    """Return the vertex of a point."""
    return vertex(*coordinates(index))


def liberties_of(b: Any, stones: Iterable[int]) -> set[int]:
    """Return the empty points of a BOARD record next to the points `stones`."""
    return {p + step for p in stones for step in STEPS if b.stones[p + step] == EMPTY}


def stone_points(b: Any) -> list[int]:
    """Return the points of a BOARD record that hold stones, from the bottom."""
    points: list[int] = np.flatnonzero((b.stones == BLACK) | (b.stones == WHITE)).tolist()
    return points


def star_points(size: int, handicap: int) -> list[tuple[int, int]]:
    """Return the points of `handicap` stones in GTP's order; empty if the board has too few [O-6]."""
    low = 2 if size < 13 else 3
    high, middle = size - 1 - low, size // 2
    corners = [(low, low), (high, high), (low, high), (high, low)]
    centre = [(middle, middle)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    most = 0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9
    if not 2 <= handicap <= most:
        return []
    if handicap <= 4:
        return corners[:handicap]
    between = sides[: (handicap - 4) // 2 * 2]
    return corners + between + (centre if handicap % 2 else [])
