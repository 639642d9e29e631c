"""GIPF as arrays: on a grid of 7 by 7, slanted rows and columns b to h."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.arrays import bits, by_side, fill
from tengen.engine.gipf.state import (
    ACTIONS,
    BOARD,
    CLOSING_ROWS,
    COORDINATES,
    HEIGHT_BITS,
    KINDS,
    LINE_CELLS,
    LINE_LENGTH,
    LINES,
    PIECES,
    POTENTIAL_NAMES,
    POTENTIALS,
    STRIDE,
)

SIDE = 7  # rows and columns
STAGES = range(CLOSING_ROWS + 1)
PLANES = (
    "own pieces",
    "opponent's pieces",
    "own GIPF-pieces",
    "opponent's GIPF-pieces",
    "used potentials",
    "used potentials on top of a piece: their number, in tenths",
    *(f"charged pieces: {name}" for name in POTENTIAL_NAMES),
    "lines whose rows have been resolved in this stage",
    "1 where the board has a spot",
    "own reserve, of 18",
    "opponent's reserve, of 18",
    *(f"own {name} potentials still to come, of 6" for name in POTENTIAL_NAMES),
    *(f"opponent's {name} potentials still to come, of 6" for name in POTENTIAL_NAMES),
    "1 while the side to move may bring in GIPF-pieces",
    "1 while the opponent may bring in GIPF-pieces",
    *(f"1 in stage {stage} of a turn" for stage in STAGES),
    "1 if White is to move",
)


def actions(options: Mapping[str, Any]) -> list[int]:
    """Return all actions, as `engine.gipf.state` numbers them."""
    return list(range(ACTIONS))


def observe(states: NDArray[Any]) -> NDArray[np.float32]:
    """Return the planes of `states`; see `PLANES`."""
    places = np.full((SIDE, SIDE), -1)
    for index in COORDINATES:
        places[index % STRIDE, index // STRIDE] = index
    planes = np.zeros((len(states), len(PLANES), SIDE, SIDE), np.float32)
    index = 0

    def add(plane: NDArray[Any]) -> None:
        nonlocal index
        if plane.ndim == 1:
            fill(planes, index, plane)
        else:
            planes[:, index] = plane
        index += 1

    own, theirs = by_side(states, states["pieces"])
    for words in (own, theirs, states["gipf"] & own, states["gipf"] & theirs, states["used"]):
        add(bits(words, places))
    stacked = [bits(states["stacked"][:, bit], places) * (1 << bit) for bit in range(HEIGHT_BITS)]
    add(np.sum(stacked, axis=0) / 10)
    for kind in range(KINDS):
        add(bits(states["charged"][:, kind], places))
    add(bits(_resolved(states["resolved"]), places))
    add(bits(np.array([BOARD]), places))
    for reserve in by_side(states, states["reserve"]):
        add(reserve / PIECES)
    for left in by_side(states, states["left"]):
        for kind in range(KINDS):
            add(left[:, kind] / POTENTIALS)
    for placing in by_side(states, states["placing"]):
        add(placing)
    for stage in STAGES:
        add(states["stage"] == stage)
    add(states["side_to_move"] == 0)
    return planes


def _resolved(lines: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the spots, as bits, on the lines whose numbers are bits of `lines`."""
    spots = np.zeros_like(lines)
    for line in range(LINES):
        cells = np.bitwise_or.reduce(np.uint64(1) << LINE_CELLS[line, : LINE_LENGTH[line]])
        spots |= np.where(lines >> np.uint64(line) & np.uint64(1), cells, np.uint64(0))
    return spots
