"""Which child a simulation descends to: UCB1 or PUCT, with RAVE and proofs. Specialised with ``game``.

`search.mcts.search` sees the functions and the `FIELDS` of a module such as this one. Others are
`search.mcts.puct` and `search.mcts.halving`, for leaves that are evaluated outside.
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


HAS_NET, HAS_RAVE = layout.HAS_NET, layout.HAS_RAVE
EXPLORATION = game.EXPLORATION  # UCB1's constant, for results in [0, 1]
WIDENING_BASE = game.WIDENING_BASE  # progressive widening: children considered at first, by their priors
WIDENING_PER_DOUBLING = game.WIDENING_PER_DOUBLING  # additional children for every doubling of the visits
NET_EXPLORATION, NET_REDUCTION, NET_EXPANSION, NET_RAVE = range(4)  # what `search` of a net's numbers holds:
# the constant of PUCT, the reduction of the first-play urgency, and what stands in place of EXPANSION_VISITS
# and RAVE_EQUIVALENT
FIELDS = [
    ("guided", "i1"),  # whether the net guides the search
    ("rave_equivalent", "f8"),  # visits at which RAVE and plain value weigh the same; 0: no RAVE
]


@kernel
def uct_score(t, node, child, sqrt_visits, sqrt_log_visits):
    """Return the selection score (float64) of `child`: UCB1 or PUCT, with RAVE, for the mover at `node`."""
    value = np.float64(child.value)
    weight = np.float64(child.weight)
    if HAS_RAVE and t.rave_equivalent > 0.0:
        rave = np.float64(child.rave_weight)
        share = rave / (rave + weight + rave * weight / t.rave_equivalent)
        value += share * (child.rave_value - value)
    if node.side_to_move:
        value = 1.0 - value
    if HAS_NET and t.guided:
        exploration = np.float64(t.net.search[NET_EXPLORATION])
        return value + exploration * child.policy * sqrt_visits / (child.visits + 1.0)
    if EXPLORATION > 0.0:
        value += EXPLORATION * sqrt_log_visits / math.sqrt(weight + 1.0)
    return value


@kernel
def select(t, nodes, index):
    """Return the index (int64) of the child to descend to; proven losses only if nothing else is left."""
    node = nodes[index]
    first = layout.first_child(node)
    total = layout.children(node)
    limit = min(total, np.int64(WIDENING_BASE + WIDENING_PER_DOUBLING * math.log2(node.visits + 1.0)))
    sqrt_visits = math.sqrt(node.visits + 1.0)
    sqrt_log_visits = math.sqrt(math.log(node.visits + 1.0))
    best, best_score = np.int64(-1), -1.0
    for i in range(total):
        if i >= limit and best >= 0:
            break
        child = nodes[first + i]
        if child.proof != layout.NOT_PROVEN:
            if layout.wins_for(child.proof, node.side_to_move):
                return first + i
            if child.proof != layout.DRAW:
                continue
        score = uct_score(t, node, child, sqrt_visits, sqrt_log_visits)
        if score > best_score:
            best, best_score = first + i, score
    return best if best >= 0 else first
