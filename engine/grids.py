"""Boards as tables: cells, neighbours, lines, symmetries and names of hexagonal and square boards."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

Axial = tuple[int, int]

# The six directions of a hexagonal board with columns a.. and rows counted along them: (column, row) steps.
HEX_STEPS: tuple[Axial, ...] = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
# The four directions in which lines run on a square board: (x, y) steps.
LINE_STEPS: tuple[Axial, ...] = ((1, 0), (0, 1), (1, 1), (1, -1))
GTP_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I


def random_keys(seed: int, *shape: int) -> NDArray[np.uint64]:
    """Return Zobrist keys: uint64 numbers of the given shape, the same for a seed everywhere and always."""
    generator = np.random.Generator(np.random.PCG64(seed))
    return generator.integers(1, 2**64, size=shape, dtype=np.uint64)


def permutations(
    cells: Iterable[Axial], maps: Iterable[Callable[[Axial], Axial]]
) -> list[dict[Axial, Axial]]:
    """Return, for each map of the plane that sends the board onto itself, the image of every cell."""
    board = set(cells)
    tables = []
    for function in maps:
        table = {cell: function(cell) for cell in board}
        if set(table.values()) == board:
            tables.append(table)
    return tables


def vertex(x: int, y: int) -> str:
    """Return the GTP name of column `x`, row `y`, from 0 and from the bottom: ``D4`` is (3, 3)."""
    return f"{GTP_LETTERS[x]}{y + 1}"
