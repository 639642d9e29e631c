"""Positions of GIPF in self-play files from before the potentials of DVONN, YINSH and PÜNCT."""

from typing import Any

import numpy as np

from tengen.engine.gipf.state import STATE as TODAY
from tengen.engine.gipf.state import TAMSK, ZERTZ
from tengen.engine.jit import record

STATE = record(
    [
        ("key", "u8"),
        ("pieces", "u8", (2,)),
        ("gipf", "u8"),
        ("zertz", "u8"),
        ("tamsk", "u8"),
        ("used", "u8"),
        ("resolved", "u8"),
        ("reserve", "i1", (2,)),
        ("zertz_left", "i1", (2,)),
        ("tamsk_left", "i1", (2,)),
        ("challenges", "i1", (2,)),
        ("placing", "i1", (2,)),
        ("begun", "i1", (2,)),
        ("total", "i1", (2,)),
        ("rules", "i1"),
        ("zertz_each", "i1"),
        ("tamsk_each", "i1"),
        ("challenges_each", "i1"),
        ("stage", "i1"),
        ("result", "i1"),
        ("side_to_move", "i1"),
        ("partial", "i1"),
    ]
)


def current(states: Any) -> Any:
    """Return an array of the former `STATE` as one of today's."""
    made = np.zeros(len(states), TODAY)
    for name in {*(STATE.names or ())} & {*(TODAY.names or ())}:
        made[name] = states[name]
    for kind, name in ((ZERTZ, "zertz"), (TAMSK, "tamsk")):
        made["charged"][:, kind] = states[name]
        made["left"][:, :, kind] = states[f"{name}_left"]
        made["each"][:, kind] = states[f"{name}_each"]
    made["kinds"] = np.count_nonzero(made["each"], axis=1)
    return made
