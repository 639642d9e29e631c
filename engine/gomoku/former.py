"""Positions of Gomoku and Gobang in self-play files from before both sides' kinds of lines shared a word."""

from typing import Any

import numpy as np

from tengen.engine.gomoku.lines.board import COUNTED, SIDE_BITS
from tengen.engine.gomoku.state import POINTS
from tengen.engine.gomoku.state import STATE as TODAY
from tengen.engine.jit import record

STATE = record(
    [
        ("kinds", "u2", (2, POINTS)) if name == "kinds" else (name, TODAY[name].base, TODAY[name].shape)
        for name in TODAY.names or ()
    ]
)


def current(states: Any) -> Any:
    """Return an array of the former `STATE` as one of today's."""
    made = np.zeros(len(states), TODAY)
    for name in {*(TODAY.names or ())} - {"kinds"}:
        made[name] = states[name]
    black, white = states["kinds"].astype(np.uint32).swapaxes(0, 1)
    made["kinds"] = black | white << SIDE_BITS
    made["kind_counts"][:, :, : len(COUNTED)][:, :, COUNTED == 0] = 0
    return made
