"""GIPF as arrays: on a grid of 7 by 7, slanted rows and columns b to h."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tengen.engine.gipf.state as state
from tengen.engine.arrays import bits, by_side, stack

SIDE = 7  # rows and columns
STAGES = range(state.CLOSING_ROWS + 1)
PLANES = (
    "own pieces",
    "opponent's pieces",
    "own GIPF-pieces",
    "opponent's GIPF-pieces",
    "used potentials",
    "used potentials on top of a piece: their number, in tenths",
    *(f"charged pieces: {name}" for name in state.POTENTIAL_NAMES),
    "lines whose rows have been resolved in this stage",
    "1 where the board has a spot",
    "own reserve, of 18",
    "opponent's reserve, of 18",
    *(f"own {name} potentials still to come, of 6" for name in state.POTENTIAL_NAMES),
    *(f"opponent's {name} potentials still to come, of 6" for name in state.POTENTIAL_NAMES),
    "1 while the side to move may bring in GIPF-pieces",
    "1 while the opponent may bring in GIPF-pieces",
    *(f"1 in stage {stage} of a turn" for stage in STAGES),
    "1 if White is to move",
)
BOUNDS = {
    PLANES[5]: (0, 2 * state.POTENTIALS / 10),
    **dict.fromkeys((plane for plane in PLANES if "reserve" in plane), (0, 1 + 3 / state.PIECES)),  # extra=3
}


def actions(options: Mapping[str, Any]) -> list[int]:
    """Return all actions, as `engine.gipf.state` numbers them."""
    return list(range(state.ACTIONS))


def observe(states: NDArray[Any]) -> NDArray[np.float32]:
    """Return the planes of `states`; see `PLANES`."""
    places = np.full((SIDE, SIDE), -1)
    for index in state.COORDINATES:
        places[index % state.STRIDE, index // state.STRIDE] = index
    own, theirs = by_side(states, states["pieces"])
    words = own, theirs, states["gipf"] & own, states["gipf"] & theirs, states["used"]
    resolved = [  # the spots on the lines that are resolved
        np.where(
            states["resolved"] >> np.uint64(line) & np.uint64(1), np.uint64(sum(1 << n for n in spots)), 0
        )
        for line, spots in enumerate(state.LINE_SPOTS)
    ]
    stacked = [bits(states["stacked"][:, bit], places) * (1 << bit) for bit in range(state.HEIGHT_BITS)]
    return stack(
        *(bits(each, places) for each in words),
        np.sum(stacked, axis=0) / 10,
        *(bits(states["charged"][:, kind], places) for kind in range(state.KINDS)),
        bits(np.bitwise_or.reduce(resolved), places),
        bits(np.array([state.BOARD]), places),
        *(reserve / state.PIECES for reserve in by_side(states, states["reserve"])),
        *(
            left[:, kind] / state.POTENTIALS
            for left in by_side(states, states["left"])
            for kind in range(state.KINDS)
        ),
        *by_side(states, states["placing"]),
        *(states["stage"] == stage for stage in STAGES),
        states["side_to_move"] == 0,
    )
