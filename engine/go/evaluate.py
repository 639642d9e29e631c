"""A rough static evaluation, for alpha-beta: stones and the points nearest to them.

Nothing of it is learned. What weights files of Go hold are the nets that guide Monte-Carlo tree search.
"""

from pathlib import Path

import numpy as np

from tengen.engine.go.knowledge.net import SHAPE
from tengen.engine.go.state import BLACK, EMPTY, HUNDREDTHS, NEIGHBOURS, POINTS, STRIDE, WALL, WHITE
from tengen.engine.jit import kernel
from tengen.engine.weights import Evaluation

EVALUATION = Evaluation(
    "go",
    (),
    ("all",),
    1,
    np.ones((1, 1)),
    Path(__file__).parent,
    net=SHAPE,
    others=("knowledge/weights-10-19.npz",),
)
STEPS = 4  # reach of the influence of a stone


@kernel
def evaluate(s):
    """Return hundredths of a point (int64) for the side to move: every point belongs to the nearest colour.

    Points equally near to both, or more than `STEPS` from any stone, belong to nobody.
    """
    near = s.board.stones.copy()
    spread = near.copy()
    for _ in range(STEPS):
        for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
            if near[p] == EMPTY:
                beside = np.uint8(0)
                for step in NEIGHBOURS:
                    if near[p + step] != WALL:
                        beside |= near[p + step]
                if beside in (BLACK, WHITE):
                    spread[p] = beside
        for p in range(near.size):  # as a whole, numba's text of unequal shapes would be compiled: 3 s
            near[p] = spread[p]
    margin = np.int64(0)
    for p in range(STRIDE, POINTS - STRIDE):
        margin += np.int64(near[p] == BLACK) - np.int64(near[p] == WHITE)
    value = margin * HUNDREDTHS - s.komi
    return value if s.side_to_move == 0 else -value
