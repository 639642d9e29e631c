"""Geometry of hexagonal and square boards: directions, symmetries, names, Zobrist keys."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Axial = tuple[int, int]

# The six directions of a hexagonal board with columns a.. and rows counted along them: (column, row) steps.
HEX_STEPS: tuple[Axial, ...] = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
GTP_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I


def random_keys(seed: int, *shape: int) -> NDArray[np.uint64]:
    """Return Zobrist keys: uint64 numbers of the given shape, which depend on the seed only."""
    import numpy as np  # here, as records need the names of points alone

    generator = np.random.Generator(np.random.PCG64(seed))
    return generator.integers(1, 2**64, size=shape, dtype=np.uint64)


def symmetries(cells: Iterable[Axial], number: Callable[[Axial], int]) -> list[dict[int, int]]:
    """Return the image of every cell under each symmetry of a hexagonal board, the identity first.

    Images are turned by sixths, later ones mirrored before. Cells go by their `number`, that of a bit.
    """
    tables, board = [], sorted(cells)
    for mirrored, sixths in itertools.product((False, True), range(6)):
        images = [cell[::-1] if mirrored else cell for cell in board]
        for _ in range(sixths):
            images = [(u - v, u) for u, v in images]
        du, dv = (a - b for a, b in zip(board[0], min(images), strict=True))
        moved = [(u + du, v + dv) for u, v in images]
        if sorted(moved) == board:
            tables.append({number(cell): number(image) for cell, image in zip(board, moved, strict=True)})
    return tables


def image(state: Any, table: Mapping[int, int], *fields: str) -> Any:
    """Return a copy of a record; `fields`, bit boards or arrays of them, have each bit moved by `table`."""
    copy = state.copy()
    for field in fields:
        boards = [
            sum(1 << moved for bit, moved in table.items() if board >> bit & 1)
            for board in state[field].reshape(-1).tolist()
        ]
        copy[field] = boards if state[field].shape else boards[0]
    return copy


def vertex(x: int, y: int) -> str:
    """Return the GTP name of column `x`, row `y`, from 0 and from the bottom: ``D4`` is (3, 3)."""
    return f"{GTP_LETTERS[x]}{y + 1}"


def surroundings(contents: int) -> NDArray[np.int16]:
    """Return the number of each code of what lies on the six places around a hexagon.

    A code is the sum of the contents (0 to `contents` - 1) times ``contents ** direction``, directions in the
    order of `HEX_STEPS`. A code and its images under turns and reflections share a number.
    """
    import numpy as np

    codes = np.arange(contents**6)
    digits = np.array([codes // contents**k % contents for k in range(6)])
    weights = contents ** np.arange(6)
    images = [weights @ np.roll(order, turn, axis=0) for order in (digits, digits[::-1]) for turn in range(6)]
    _, numbers = np.unique(np.min(images, axis=0), return_inverse=True)
    return numbers.astype(np.int16)
