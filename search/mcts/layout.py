"""The nodes of a tree of simulations: the children of a node lie side by side. Specialised with ``game``.

All values are expected results for the first side, from 0 to 1.
"""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import kernel, record

if TYPE_CHECKING:
    from tengen.engine.contract import game


WAITS = hasattr(game, "SELECTION")  # leaves wait for an evaluation from outside
HAS_PLAYOUTS = not WAITS and hasattr(game, "simulate")  # else leaves get the game's evaluation
HAS_NET = not WAITS and hasattr(game, "LEAF_NETS")  # that may guide the search
HAS_RAVE = HAS_PLAYOUTS and game.RAVE_EQUIVALENT > 0.0

ROOT = 0
NOT_PROVEN = 0  # other proofs are Outcomes
ONGOING, FIRST_WINS, SECOND_WINS, DRAW = map(int, Outcome)

NODE = record(
    [
        ("block", "u8"),  # index of the first child, and their number << 40; 0 while it has none
        ("action", "i4"),  # that led here
        ("visits", "i4"),
        ("weight", "f4"),  # visits, simulations in flight, and the weight of the prior
        ("value", "f8" if WAITS else "f4"),
        *([("rave_weight", "f4"), ("rave_value", "f4")] if HAS_RAVE else []),
        # Mean of the playouts' margins for the first side, hundredths of a point
        *([("margin", "f4")] if HAS_PLAYOUTS else []),
        # Prior simulations that count as won for the side that chose the action
        *([] if WAITS else [("prior", "f4")]),
        *([("policy", "f4")] if HAS_NET or WAITS else []),  # probability of the action; 0 without a net
        ("proof", "i1"),  # NOT_PROVEN or an Outcome
        ("side_to_move", "i1"),  # who chooses among the children
    ]
)
_40, _LOW = np.uint64(40), np.uint64((1 << 40) - 1)


@kernel
def first_child(node):
    """Return the index (int64) of the first child."""
    return np.int64(np.uint64(node.block) & _LOW)


@kernel
def children(node):
    """Return the number of children (int64)."""
    return np.int64(np.uint64(node.block) >> _40)


@kernel
def init_node(node, action, prior, weight, mover):
    """Initialise an unvisited child, reached by `action` of `mover`, with its `prior` value for the mover."""
    value = prior if mover == 0 else 1.0 - prior
    node.block = np.uint64(0)
    node.action = action
    node.visits = 0
    node.weight = weight
    node.value = value
    if HAS_RAVE:
        node.rave_weight = weight
        node.rave_value = value
    if HAS_PLAYOUTS:
        node.margin = 0.0
    if not WAITS:
        node.prior = prior * weight
    if HAS_NET or WAITS:
        node.policy = 0.0
    node.proof = NOT_PROVEN
    node.side_to_move = 0


@kernel
def set_children(node, first, n, mover):
    """Give the node the `n` children from `first` on, among which `mover` chooses."""
    node.side_to_move = mover
    node.block = np.uint64(first) | np.uint64(n) << _40  # last: now other threads see them


@kernel
def add_children(t, nodes, index, mover, n):
    """Add children for the first `n` of ``t.actions``, with probabilities ``t.priors``, if there is room."""
    first = np.int64(t.used)
    if first + n > len(nodes):
        return
    for i in range(n):
        child = nodes[first + i]
        init_node(child, t.actions[i], 0.0, 0.0, mover)
        child.policy = t.priors[i]
    t.used = first + n
    set_children(nodes[index], first, n, mover)


@kernel
def result_value(outcome):
    """Return the value (float64) of an Outcome."""
    return 1.0 if outcome == FIRST_WINS else 0.0 if outcome == SECOND_WINS else 0.5


@kernel
def wins_for(outcome, side):
    """Return whether an Outcome is a win of `side`."""
    return outcome == (FIRST_WINS if side == 0 else SECOND_WINS)


@kernel
def reuse_subtree(source, root, target, min_visits):
    """Copy the subtree of `root` from one array into another, breadth first.

    Parameters
    ----------
    source, target : arrays of NODE
    root : int64
        Becomes ROOT of `target`.
    min_visits : int64
        Nodes with fewer visits lose their children.

    Returns
    -------
    int64
        How many nodes of `target` are used, from its start.
    """
    target[ROOT] = source[root]
    used = np.int64(1)
    done = np.int64(0)
    while done < used:
        node = target[done]
        n, first = children(node), first_child(node)
        if n:
            if (node.visits >= min_visits or done == ROOT) and used + n <= len(target):
                for i in range(n):
                    target[used + i] = source[first + i]
                set_children(node, used, n, node.side_to_move)
                used += n
            else:
                node.block = np.uint64(0)
        done += 1
    return used
