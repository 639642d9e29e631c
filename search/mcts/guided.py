"""Monte-Carlo tree search guided by a policy and values from outside, in batches. Specialised with ``game``.

`gather` descends the tree to some leaves, which wait for their evaluation with a virtual loss each. Whoever
called it evaluates them, and `insert` adds their children and backs the values up. A node is a state after an
action, so that a turn of several actions is a path of several nodes.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.jit import kernel, specialise
from tengen.search.binding import with_selection

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.mcts import search
else:
    search = specialise("tengen.search.mcts.search", with_selection(game, "tengen.search.mcts.puct"))


layout = search.layout
NODE, ROOT, MAX_PATH = search.NODE, search.ROOT, search.MAX_PATH
FPU_LOSS = 0.25  # first-play urgency: how much worse than its parent, in [0, 1], an unvisited child counts
SEARCH = search.search_record()


@kernel
def count_in_flight(nodes, path, length, change):
    """Add simulations in flight to the root and to the nodes of the path."""
    nodes[ROOT].weight += change
    for k in range(length):
        nodes[path[k]].weight += change


@kernel
def gather(t, nodes, states, paths, lengths, wanted):
    """Descend to `wanted` different leaves, and back up those whose value is known.

    It ends earlier if a descent meets a leaf that waits already.

    Parameters
    ----------
    states : ndarray of STATE, shape (batch,)
        The leaves' states are written into it.
    paths : ndarray of int32, shape (batch, MAX_PATH)
    lengths : ndarray of int32, shape (batch,)
    wanted : int
        Simulations to do, at most `batch`.

    Returns
    -------
    int64
        How many leaves wait for an evaluation.
    """
    waiting = np.int64(0)
    for _ in range(wanted):
        length, value, margin = search.descend(t, nodes)
        if value >= 0.0:
            search.backup(t, nodes, length, value, margin)
            t.simulations += 1
            continue
        leaf = nodes[t.path[length - 1]] if length > 0 else nodes[ROOT]
        if leaf.weight > leaf.visits:
            break
        count_in_flight(nodes, t.path, length, np.float32(1.0))
        states[waiting] = t.states[1]
        paths[waiting, :length] = t.path[:length]
        lengths[waiting] = length
        waiting += 1
    return waiting


@kernel
def insert(t, nodes, states, paths, lengths, waiting, dense, logits, values):
    """Expand the leaves that wait and back up their values.

    Parameters
    ----------
    states, paths, lengths
        As `gather` has left them.
    waiting : int
        Number of leaves.
    dense : ndarray of int32
        The column of each action of the rules in `logits`.
    logits : ndarray of float32, shape (batch, actions)
        Logarithms of the policy, up to a constant.
    values : ndarray of float32, shape (batch,)
        For the side to move, from -1 to 1.
    """
    for i in range(waiting):
        s, length = states[i], np.int64(lengths[i])
        t.path[:length] = paths[i, :length]
        count_in_flight(nodes, t.path, length, np.float32(-1.0))
        expand(t, nodes, np.int64(t.path[length - 1]) if length > 0 else np.int64(ROOT), s, dense, logits[i])
        value = 0.5 + 0.5 * min(max(np.float64(values[i]), -1.0), 1.0)
        search.backup(t, nodes, length, value if s.side_to_move == 0 else 1.0 - value, 0.0)
        t.simulations += 1


@kernel
def expand(t, nodes, index, s, dense, logits):
    """Add the children of a node, whose state is `s`, with the softmax of their `logits` as probabilities.

    Nothing happens if there is no room.
    """
    if nodes[index].block:
        return
    n = np.int64(game.generate(s, t.actions))
    top, total = -np.inf, 0.0
    for k in range(n):
        t.priors[k] = logits[dense[t.actions[k]]]
        top = max(top, t.priors[k])
    for k in range(n):
        t.priors[k] = math.exp(t.priors[k] - top)
        total += t.priors[k]
    for k in range(n):
        t.priors[k] /= total
    layout.add_children(t, nodes, index, s.side_to_move, n)
