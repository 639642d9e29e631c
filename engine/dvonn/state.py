"""The DVONN board as bit boards: cell = column + 11 * row, columns a..k and rows 1..5 counted from 0.

With 11 columns a row, neighbours are at ±1, ±11 and ±12. A step over the edge wraps to a cell that does not
exist, so that masking with the board removes it.
"""

import numpy as np

from tengen.engine.board.grids import HEX_STEPS, random_keys, symmetries
from tengen.engine.jit import kernel, record, sum_at_bits

COLUMNS, ROWS = 11, 5
PIECES, DVONN_PIECES = 49, 3
FIRST_COLUMN, LAST_COLUMN = (0, 0, 0, 1, 2), (8, 9, 10, 10, 10)  # of each row
CELLS = tuple(x + COLUMNS * y for y in range(ROWS) for x in range(FIRST_COLUMN[y], LAST_COLUMN[y] + 1))
BOARD = np.uint64(sum(1 << cell for cell in CELLS))
WHITE, BLACK, LONE = 0, 1, 2  # the controller of a cell; a lone DVONN piece has none

STATE = record(
    [
        ("key", "u8"),  # Zobrist key of everything that play depends on
        ("occupied", "u8"),  # bit boards: cells that are not empty
        ("control", "u8", (2,)),  # ... stacks that White, Black controls
        ("red", "u8"),  # ... stacks that hold a DVONN piece
        ("multi_red", "u8"),  # ... stacks that hold two or more: for texts only, not part of the key
        ("height", "i1", (COLUMNS * ROWS,)),  # pieces in the stack, 0 where empty
        ("placed", "i1"),  # pieces placed so far; below 49 the game is in its first phase
        ("side_to_move", "i1"),  # 0 White, 1 Black
        ("partial", "i1"),  # always 0: every action is a turn
    ]
)

assert STATE.itemsize >= dict(STATE.fields or {})["height"][1] + 64  # what `pieces` reads


def name(cell: int) -> str:
    """Return the name of a cell, ``a1``..``k5``."""
    return f"{chr(ord('a') + cell % COLUMNS)}{cell // COLUMNS + 1}"


NAMES = {name(cell): cell for cell in CELLS}

# Destinations by stack height and cell: bit boards of the cells exactly `height` spaces away in a straight
# line [D-3].
REACH = np.zeros((PIECES + 1, 64), np.uint64)
for _cell in CELLS:
    for _height in range(1, COLUMNS):
        for _dx, _dy in HEX_STEPS:
            _x, _y = _cell % COLUMNS + _height * _dx, _cell // COLUMNS + _height * _dy
            if 0 <= _x < COLUMNS and 0 <= _y < ROWS and (_x + COLUMNS * _y) in CELLS:
                REACH[_height, _cell] |= np.uint64(1 << (_x + COLUMNS * _y))

STEPS = np.array([1, 11, 12], np.uint64)  # between neighbouring cells, in three of six directions

# Cells with fewer than six neighbours.
EDGE = np.uint64(sum(1 << cell for cell in CELLS if int(REACH[1, cell]).bit_count() < 6))

STACK_KEYS = random_keys(0xD0, 3, PIECES + 1, COLUMNS * ROWS)  # by controller, height, cell
RED_KEYS = random_keys(0xD1, COLUMNS * ROWS)
SIDE_KEY, PLACING_KEY = (np.uint64(key) for key in random_keys(0xD2, 2))

# Symmetries: the image of each cell under the identity, a half turn, and the two reflections.
SYMMETRIES = symmetries(
    [(cell % COLUMNS, cell // COLUMNS) for cell in CELLS], lambda place: place[0] + COLUMNS * place[1]
)
assert len(SYMMETRIES) == 4


@kernel
def surrounded(occupied):
    """Return the cells (uint64) with six occupied neighbours, whose stacks cannot move [D-4]."""
    o = occupied
    return (
        (o << np.uint64(1)) & (o >> np.uint64(1)) & (o << np.uint64(11)) & (o >> np.uint64(11))
        & (o << np.uint64(12)) & (o >> np.uint64(12))
    )  # fmt: skip


@kernel
def neighbours(cells):
    """Return the board cells (uint64) next to any of `cells`."""
    c = cells
    return BOARD & (
        (c << np.uint64(1)) | (c >> np.uint64(1)) | (c << np.uint64(11)) | (c >> np.uint64(11))
        | (c << np.uint64(12)) | (c >> np.uint64(12))
    )  # fmt: skip


@kernel
def pieces(s, stacks):
    """Return the number of pieces (int64) in the stacks on the cells `stacks` (uint64)."""
    return sum_at_bits(s.height, stacks)
