"""Five in a row as arrays: actions are the points by rows from the bottom."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.arrays import by_side, stack
from tengen.engine.gomoku.state import REACH, point

PLANES = (
    "own stones",
    "opponent's stones",
    "1 if Black is to move",
    "pairs that the side to move has captured, tenths",
    "pairs that the opponent has captured, tenths",
)
BOUNDS = dict.fromkeys(PLANES[3:], (0, 25))  # 250 pairs: 500 stones


def actions(options: Mapping[str, Any]) -> list[int]:
    """Return the points by rows from A1."""
    size = int(options["size"])
    return [point(x, y) for y in range(size) for x in range(size)]


def observe(states: NDArray[Any]) -> NDArray[np.float32]:
    """Return the planes of `states`; see `PLANES`."""
    size = int(states["width"][0])
    columns = (np.arange(size) + REACH).astype(np.uint32)
    return stack(
        *(lines[:, :size, None] >> columns & np.uint32(1) for lines in by_side(states, states["lines"])),
        states["side_to_move"] == 0,
        *(pairs / 10 for pairs in by_side(states, states["pairs"])),
    )
