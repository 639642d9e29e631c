"""The board of Hex: its state, and how far the sides are from joining their edges.

Column x and row y count from 0, from the left and from the top; each row lies half a cell to the right of the
one above. Black joins the top and the bottom, White the left and the right. Cell = x + 1 + STRIDE * (y + 1):
a frame of WALL around the board saves asking where it ends.
"""

import numpy as np

from tengen.engine.board.grids import random_keys
from tengen.engine.jit import kernel, record

MAX_SIZE = 19
STRIDE = MAX_SIZE + 2
CELLS = STRIDE * STRIDE
EMPTY, BLACK, WHITE, WALL = 0, 1, 2, 3  # what is in a cell
STEPS = np.array([1, -1, STRIDE, -STRIDE, 1 - STRIDE, STRIDE - 1], np.int64)  # to the six neighbours

STATE = record(
    [
        ("key", "u8"),  # Zobrist key: stones and side to move
        ("cells", "i1", (CELLS,)),
        ("width", "i4"),  # cells on a side of the board
        ("stones", "i4"),  # on the board
        ("result", "i4"),  # an Outcome
        ("side_to_move", "i1"),  # 0 Black, 1 White
        ("partial", "i1"),  # always 0: every action is a turn
    ]
)

STONE_KEYS = random_keys(0x4E1, 2, CELLS)  # by side, cell
SIDE_KEY = np.uint64(random_keys(0x4E2, 1)[0])


def cell(x: int, y: int) -> int:
    """Return the index of column `x`, row `y`."""
    return x + 1 + STRIDE * (y + 1)


def coordinates(index: int) -> tuple[int, int]:
    """Return (column, row) of a cell."""
    y, x = divmod(index, STRIDE)
    return x - 1, y - 1


@kernel
def missing_stones(s, side, most):
    """Return how many more stones `side` needs to join its edges: int64, `most` + 1 for more than `most`.

    All cells that can be joined to the first edge with so many stones make a layer; the next layer is what
    one stone more adds.
    """
    seen = np.zeros(CELLS, np.bool_)
    layers = np.empty((2, CELLS), np.int64)  # cells of this layer and of the next
    counts = np.zeros(2, np.int64)
    along, across = (1, STRIDE) if side == 0 else (STRIDE, 1)
    for i in range(s.width):
        p = STRIDE + 1 + i * along
        if s.cells[p] == EMPTY or s.cells[p] == side + 1:
            seen[p] = True
            layer = np.int64(s.cells[p] == EMPTY)
            layers[layer, counts[layer]] = p
            counts[layer] += 1
    for needed in range(most + 1):
        now, later = needed & 1, 1 - (needed & 1)
        while counts[now]:
            counts[now] -= 1
            p = layers[now, counts[now]]
            if s.cells[p + across] == WALL:
                return np.int64(needed)
            for step in STEPS:
                q = p + step
                if not seen[q] and (s.cells[q] == EMPTY or s.cells[q] == side + 1):
                    seen[q] = True
                    layer = later if s.cells[q] == EMPTY else now
                    layers[layer, counts[layer]] = q
                    counts[layer] += 1
    return np.int64(most + 1)
