"""Selection of Gumbel searches: sequential halving at the root, PUCT below. Specialised with ``game``.

Arrays of the search record about the root's children are in their order.

Source: Danihelka et al., Policy improvement by planning with Gumbel (2022).
"""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.jit import kernel, specialise

if TYPE_CHECKING:
    from tengen.engine.contract import planes as game
    from tengen.search.mcts import layout, puct
else:
    layout = specialise("tengen.search.mcts.layout", game)
    puct = specialise("tengen.search.mcts.puct", game)


ROOT = layout.ROOT
BASE_VISITS, VALUE_SCALE = 50.0, 0.6  # a difference of values counts (visits + 50) * 0.6 in logits
LEAST_PRIOR = 1e-9
FIELDS = [
    *puct.FIELDS,
    ("length", "i4"),  # of the path to the leaf that waits
    ("count", "i4"),  # of its actions
    ("wanted", "i8"),  # visits that the root's next child must have
    ("root_value", "f8"),  # of the net, for the first side
    ("noise", "f4", (game.MAX_ACTIONS,)),
    ("logit", "f4", (game.MAX_ACTIONS,)),  # of the root's policy
    ("improved", "f4", (game.MAX_ACTIONS,)),  # see `improve`
]


@kernel
def improve(t, nodes):
    """Write logits plus scaled values of the root's children into ``t.improved``; return most visits (int64).

    Those without visits have a mixture of the net's value of the root and the values of the others.
    """
    root = nodes[ROOT]
    side, first, n = root.side_to_move, layout.first_child(root), layout.children(root)
    most = np.int64(0)
    visits = seen = value_sum = 0.0
    for k in range(n):
        child = nodes[first + k]
        if child.visits:
            most = max(most, np.int64(child.visits))
            visits += child.visits
            weight = max(np.float64(child.policy), LEAST_PRIOR)
            seen += weight
            value_sum += weight * puct.mean_for(child, side)
    mixed = t.root_value if side == 0 else 1.0 - t.root_value
    if visits > 0.0:
        mixed = (mixed + visits * value_sum / seen) / (1.0 + visits)
    scale = (BASE_VISITS + most) * VALUE_SCALE
    for k in range(n):
        child = nodes[first + k]
        t.improved[k] = t.logit[k] + scale * (puct.mean_for(child, side) if child.visits else mixed)
    return most


@kernel
def select(t, nodes, index):
    """Return the index (int64) of the child to descend to."""
    if index != ROOT:
        return puct.select(t, nodes, index)
    improve(t, nodes)
    first, n = layout.first_child(nodes[ROOT]), layout.children(nodes[ROOT])
    best, best_score = first + n - 1, -np.inf
    for k in range(n):
        visits = np.int64(nodes[first + k].visits)
        if visits > t.wanted:
            continue
        score = t.improved[k] + t.noise[k] - 1000.0 * (t.wanted - visits)
        if score > best_score:
            best, best_score = first + k, score
    return best
