"""Geometry of hexagonal and square boards: directions, symmetries, names, Zobrist keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

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


def cell_permutations(
    cells: Iterable[Axial], maps: Iterable[Callable[[Axial], Axial]]
) -> list[dict[Axial, Axial]]:
    """Return, for each map of the plane that maps the board onto itself, the image of every cell."""
    board = set(cells)
    tables = []
    for function in maps:
        table = {cell: function(cell) for cell in board}
        if set(table.values()) == board:
            tables.append(table)
    return tables


def rotated(place: Axial, sixths: int, mirrored: bool) -> Axial:
    """Return the image of a cell of a hexagonal board, mirrored and then rotated around (0, 0)."""
    u, v = place[::-1] if mirrored else place
    for _ in range(sixths):
        u, v = u - v, u
    return u, v


def map_bits(bits: int, table: Mapping[int, int]) -> int:
    """Return the bit board `bits` with each bit moved to its image in `table`."""
    return sum(1 << image for index, image in table.items() if bits >> index & 1)


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
