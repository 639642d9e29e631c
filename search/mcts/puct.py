"""Selection by PUCT, where leaves wait for their evaluation from outside. Specialised with ``game``.

Simulations in flight count as lost. Unvisited children have the value of their parent, reduced.

Source: Silver et al., Mastering the game of Go without human knowledge (2017).
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.jit import kernel, specialise

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.mcts import layout
else:
    layout = specialise("tengen.search.mcts.layout", game)


FIELDS = [
    ("exploration", "f8"),  # PUCT's constant
    ("reduction", "f8"),  # first-play urgency: how much worse than its parent an unvisited child counts
    ("least_urgency", "f8"),  # ... but not less
]


@kernel
def mean_for(node, side):
    """Return the mean value (float64) of a visited node for `side`."""
    return node.value if side == 0 else 1.0 - node.value


@kernel
def select(t, nodes, index):
    """Return the index (int64) of the child of the highest PUCT score."""
    node = nodes[index]
    side = node.side_to_move
    scale = t.exploration * math.sqrt(np.float64(node.weight))
    unvisited = max(t.least_urgency, mean_for(node, side) - t.reduction)
    best, best_score = np.int64(-1), -np.inf
    first = layout.first_child(node)
    for i in range(first, first + layout.children(node)):
        child = nodes[i]
        tried = np.float64(child.weight)
        score = scale * child.policy
        if tried > 0.0:
            score = score / (1.0 + tried) + mean_for(child, side) * child.visits / tried
        else:
            score += unvisited
        if score > best_score:
            best, best_score = i, score
    return best
