"""DVONN as arrays: on a grid of 5 rows, 1 first, and 11 columns, a first."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.arrays import bits, by_side, stack
from tengen.engine.dvonn.rules import PASS
from tengen.engine.dvonn.state import BOARD, CELLS, COLUMNS, PIECES, REACH, ROWS

PLANES = (
    "own stacks: their height, in tenths",
    "opponent's stacks: their height, in tenths",
    "single DVONN pieces",
    "stacks with a DVONN piece",
    "1 where the board has a space",
    "1 while pieces are being placed",
    "pieces placed, of 49",
    "1 if White is to move",
)
BOUNDS = dict.fromkeys(PLANES[:2], (0, PIECES / 10))


def actions(options: Mapping[str, Any]) -> list[int]:
    """Return the placements by rows from a1, then the moves by destination and source, then the pass."""
    placements = [cell * 65 for cell in CELLS]
    moves = sorted(
        source + 64 * target
        for source in CELLS
        for target in CELLS
        if any(int(REACH[height, source]) >> target & 1 for height in range(1, COLUMNS))
    )
    return [*placements, *moves, PASS]


def observe(states: NDArray[Any]) -> NDArray[np.float32]:
    """Return the planes of `states`; see `PLANES`."""
    places = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)
    heights = states["height"][:, places] / np.float32(10)
    own, theirs = by_side(states, states["control"])
    return stack(
        bits(own, places) * heights,
        bits(theirs, places) * heights,
        bits(states["red"] & ~(own | theirs), places),
        bits(states["red"], places),
        bits(np.array([BOARD]), places),
        states["placed"] < PIECES,
        states["placed"] / PIECES,
        states["side_to_move"] == 0,
    )
