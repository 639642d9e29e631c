"""3x3 patterns: a table of the surroundings in which a move on the middle point is good shape.

Source of the patterns: Gelly, Wang, Munos and Teytaud, Modification of UCT with patterns in Monte-Carlo Go
(2006).
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from tengen.engine.go.state import BLACK, EMPTY, STRIDE, WALL, WHITE
from tengen.engine.jit import kernel

# Rows from the top. X and O are stones of either side, x and o anything but these, _ is wall, ? is anything.
PATTERNS = """
XOX  XO.  XO?  .O.  XO?  XO?  ?X?  OX?  X.?  OX?  ?X?  ?XO  ?OX
...  ...  X..  X..  O.o  O.X  O.O  o.O  O.?  X.O  x.O  x.x  X.O
???  ?.?  x.?  ...  ?o?  ???  ooo  ???  ___  ___  ___  ___  ___
"""
ALLOWED = {
    ".": (EMPTY,),
    "X": (BLACK,),
    "O": (WHITE,),
    "x": (EMPTY, WHITE, WALL),
    "o": (EMPTY, BLACK, WALL),
    "_": (WALL,),
    "?": (EMPTY, BLACK, WHITE, WALL),
}
AROUND = [(x, y) for y in (1, 0, -1) for x in (-1, 0, 1) if x or y]
OFFSETS = np.array([x + STRIDE * y for x, y in AROUND], np.int64).view(np.uint64)
SWAPPED = {EMPTY: EMPTY, BLACK: WHITE, WHITE: BLACK, WALL: WALL}


def _table() -> NDArray[np.bool_]:
    """Return, by `pattern_code`, whether a pattern matches, rotated, mirrored or with swapped colours."""
    table = np.zeros(4 ** len(AROUND), np.bool_)
    rows = PATTERNS.split("\n")[1:-1]
    for columns in zip(*(row.split("  ") for row in rows), strict=True):
        cells = {(x - 1, 1 - y): columns[y][x] for y in range(3) for x in range(3)}
        for swap, mirror, turns in itertools.product((False, True), (False, True), range(4)):
            total = np.zeros(1, np.int64)
            for place, (x, y) in enumerate(AROUND):
                x = -x if mirror else x
                for _ in range(turns):
                    x, y = -y, x
                values = [SWAPPED[value] if swap else value for value in ALLOWED[cells[x, y]]]
                total = np.add.outer(np.array(values, np.int64) << 2 * place, total).ravel()
            table[total] = True
    return table


GOOD_SHAPE = _table()


@kernel
def pattern_code(b, p):
    """Return the eight points around `p` (uint64), two bits each, as an index (uint64) of `GOOD_SHAPE`."""
    code = np.uint64(0)
    for i in range(np.uint64(8)):
        code |= np.uint64(b.stones[p + OFFSETS[i]]) << (i + i)
    return code
