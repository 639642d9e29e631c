"""ZÈRTZ as arrays: on a grid of 9 by 9, slanted rows and columns, with the middle of the board in its own."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.arrays import bits, by_side, stack
from tengen.engine.zertz.state import ACTIONS, COLOURS, COORDINATES, JUMP_STAGE, MAX_MARBLES, RING_STAGE

SIDE = 9  # rows and columns
STAGES = range(7)
PLANES = (
    "rings",
    *(f"marbles {colour}" for colour in COLOURS),
    "rings of groups that may be claimed",
    "the marble that must jump on",
    *(f"marbles {colour} in the pool, tenths" for colour in COLOURS),
    *(f"marbles {colour} that the side to move has captured, tenths" for colour in COLOURS),
    *(f"marbles {colour} that the opponent has captured, tenths" for colour in COLOURS),
    *(f"1 while a marble {colour} is to be placed" for colour in COLOURS),
    *(f"1 in stage {stage} of a turn" for stage in STAGES),
    "1 if the first player is to move",
)


def actions(options: Mapping[str, Any]) -> list[int]:
    """Return all actions, as `engine.zertz.state` numbers them."""
    return list(range(ACTIONS))


def observe(states: NDArray[Any]) -> NDArray[np.float32]:
    """Return the planes of `states`; see `PLANES`."""
    places = np.full((SIDE, SIDE), -1)
    for index, (u, v) in COORDINATES.items():
        places[v + SIDE // 2, u + SIDE // 2] = index
    jumping, placing = states["stage"] == JUMP_STAGE, states["stage"] == RING_STAGE
    counts, colours = (states["pool"], *by_side(states, states["captured"])), range(len(COLOURS))
    return stack(
        bits(states["rings"], places),
        *(bits(states["marbles"][:, colour], places) for colour in colours),
        bits(states["claimable"], places),
        (states["jumper"][:, None, None] == places) & jumping[:, None, None],
        *(marbles[:, colour] / MAX_MARBLES for marbles in counts for colour in colours),
        *(placing & (states["hand"] == colour) for colour in colours),
        *(states["stage"] == stage for stage in STAGES),
        states["side_to_move"] == 0,
    )
