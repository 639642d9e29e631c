"""Diamond patterns: the contents of all points within a distance of a move, as hash keys.

The distance of a point `dx` columns and `dy` rows away is ``dx + dy + max(dx, dy)``. Keys are the same for
all rotations and reflections. Stones count as own or other, so patterns are the same for both colours.

Sources: Stern, Herbrich and Graepel, Bayesian pattern ranking for move prediction in the game of Go (2006);
Coulom, Computing Elo ratings of move patterns in the game of Go (2007), for the distance.
"""

import numpy as np
from numpy.typing import NDArray

from tengen.engine.board.grids import random_keys
from tengen.engine.go.state import EMPTY, MAX_SIZE, STRIDE, WALL
from tengen.engine.jit import kernel

SIZES = (3, 4, 5, 6, 7, 8, 10, 12)  # greatest distance of a point from the move; 3 is 3x3
RADIUS = SIZES[-1] // 2  # farthest column or row
ROW = MAX_SIZE + 2 * RADIUS  # points in a row of ``PLAYOUT.contents``
CONTENTS = ROW * ROW
OWN, OTHER = 1, 2  # contents, beside EMPTY and WALL
IMAGES = 8
UNSEEN = np.uint64(0)  # where the table of patterns holds none

_1 = np.uint64(1)


def distance(dx: int, dy: int) -> int:
    """Return the distance between two points that are `dx` columns and `dy` rows apart."""
    dx, dy = abs(dx), abs(dy)
    return dx + dy + max(dx, dy)


def _around() -> list[tuple[int, int]]:
    """Return the columns and rows of all points of the largest pattern, nearest first."""
    span = range(-RADIUS, RADIUS + 1)
    found = [(dx, dy) for dy in span for dx in span if 0 < distance(dx, dy) <= SIZES[-1]]
    return sorted(found, key=lambda place: (distance(*place), place))


AROUND = _around()
NEIGHBOURHOOD = np.array([dx + ROW * dy for dx, dy in AROUND], np.int64)
ENDS = np.array([sum(distance(*place) <= size for place in AROUND) for size in SIZES], np.int64)


def _keys() -> NDArray[np.uint64]:
    """Return the keys by place, contents and image: shape (places, 4, `IMAGES`); those of EMPTY are 0."""
    base = random_keys(0x60A5, len(AROUND), WALL + 1)
    base[:, EMPTY] = 0
    number = {place: i for i, place in enumerate(AROUND)}
    keys = np.zeros((len(AROUND), WALL + 1, IMAGES), np.uint64)
    for i, (dx, dy) in enumerate(AROUND):
        turned = [(dx, dy), (-dy, dx), (-dx, -dy), (dy, -dx)]
        images = turned + [(y, x) for x, y in turned]
        for image, place in enumerate(images):
            keys[i, :, image] = base[number[place]]
    return keys


KEYS = _keys()
SIZE_KEYS = random_keys(0x60A6, len(SIZES))


def make_table(keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return a hash table that finds pattern ``i + 1`` by ``keys[i]``: keys, and numbers of patterns.

    A key is at the index of its lowest bits or, where that is taken, behind it. At least half of the table is
    `UNSEEN`.
    """
    size = 1 << max(1, int(2 * len(keys)).bit_length())
    table, numbers = np.zeros(size, np.uint64), np.zeros(size, np.int32)
    for number, key in enumerate(keys.tolist(), 1):
        place = key & (size - 1)
        while table[place]:
            place = (place + 1) & (size - 1)
        table[place], numbers[place] = key, number
    return table, numbers


@kernel
def set_contents(o, b, colour):
    """Write the board, as `colour` (uint64) sees it, into ``o.contents``, with walls of `RADIUS` points."""
    o.contents[:] = WALL
    width = np.int64(b.width)
    for y in range(width):
        for x in range(width):
            found = np.uint64(b.stones[x + 1 + STRIDE * (y + 1)])
            seen = np.uint8(EMPTY)
            if found != EMPTY:
                seen = np.uint8(OWN) if found == colour else np.uint8(OTHER)
            o.contents[x + RADIUS + ROW * (y + RADIUS)] = seen


@kernel
def contents_index(p):
    """Return the index (int64) of the point `p` in ``PLAYOUT.contents``."""
    x, y = np.int64(p) % STRIDE, np.int64(p) // STRIDE
    return x - 1 + RADIUS + ROW * (y - 1 + RADIUS)


@kernel
def next_key(o, place, size):
    """Return the key (uint64) of the pattern of the move at `place` with the `size`-th of `SIZES`.

    It is 0 never. The keys of smaller sizes must have been computed before: ``o.hashes`` holds the hashes of
    all images so far.
    """
    first = np.int64(0)
    if size:
        first = ENDS[size - 1]
    else:
        o.hashes[:] = 0
    for i in range(first, ENDS[size]):
        seen = o.contents[place + NEIGHBOURHOOD[i]]
        if seen != EMPTY:
            for image in range(IMAGES):
                o.hashes[image] ^= KEYS[i, seen, image]
    smallest = np.uint64(o.hashes[0])
    for image in range(1, IMAGES):
        smallest = min(smallest, np.uint64(o.hashes[image]))
    return (smallest ^ SIZE_KEYS[size]) | _1


@kernel
def write_keys(o, p, keys):
    """Write the keys of the patterns of the move on `p`, smallest first, into `keys` (uint64)."""
    place = contents_index(p)
    for size in range(len(SIZES)):
        keys[size] = next_key(o, place, size)


@kernel
def find_pattern(o, p, table, numbers):
    """Return the number (int64) of the largest pattern of the move on `p` in a table; 0 if there is none.

    A pattern is in the table only if all smaller ones of the same move are (see `make_table`).
    """
    place = contents_index(p)
    mask = np.uint64(len(table) - 1)
    found = np.int64(0)
    for size in range(len(SIZES)):
        key = next_key(o, place, size)
        i = key & mask
        while table[i] != key and table[i] != UNSEEN:
            i = (i + _1) & mask
        if table[i] == UNSEEN:
            break
        found = np.int64(numbers[i])
    return found
