"""Go as arrays: actions are the points by rows from the bottom, then the pass."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.arrays import stack
from tengen.engine.go.state import HUNDREDTHS, NOWHERE, PASS, STRIDE, point

PLANES = (
    "own stones",
    "opponent's stones",
    "the point that simple ko forbids",
    "the last turn",
    "the turn before",
    "1 if the last turn was a pass",
    "1 if Black is to move",
    "komi for the side to move, in tens of points",
)
BOUNDS = {PLANES[-1]: (-100, 100)}
TENS = 10 * HUNDREDTHS  # of points, in the unit of komi


def actions(options: Mapping[str, Any]) -> list[int]:
    """Return the points by rows from A1, then the pass."""
    size = int(options["size"])
    return [*(point(x, y) for y in range(size) for x in range(size)), PASS]


def observe(states: NDArray[Any]) -> NDArray[np.float32]:
    """Return the planes of `states`; see `PLANES`."""
    size = int(states["board"]["width"][0])
    rows = np.array([[point(x, y) for x in range(size)] for y in range(size)])
    stones = states["board"]["stones"][:, rows]
    own = states["side_to_move"] + 1
    return stack(
        stones == own[:, None, None],
        stones == (3 - own)[:, None, None],
        _marked(states["board"]["ko"], NOWHERE, size),
        *(_marked(actions, PASS, size) for actions in states["last_actions"].T),
        states["passes"] > 0,
        states["side_to_move"] == 0,
        np.where(states["side_to_move"] == 0, -1, 1) * states["komi"] / TENS,
    )


def _marked(points: NDArray[Any], none: int, size: int) -> NDArray[np.float32]:
    """Return planes with 1 at the point of each state, unless that is `none`."""
    plane = np.zeros((len(points), size, size), np.float32)
    marked = np.flatnonzero(points != none)
    y, x = np.divmod(points[marked].astype(np.int64), STRIDE)
    plane[marked, y - 1, x - 1] = 1
    return plane
