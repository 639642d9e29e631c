"""Monte-Carlo tree search guided by a policy and values from outside, in batches. Specialised with ``game``.

`gather` descends the tree to some leaves, which wait for their evaluation with a virtual loss each. Whoever
called it evaluates them, and `insert` adds their children and backs the values up. Selection is PUCT. A node
is a state after an action, so that a turn of several actions is a path of several nodes.

Sources: Silver et al., Mastering the game of Go without human knowledge (2017), for PUCT and the batches.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.jit import kernel, record
from tengen.search.repetition import MAX_DRAWN, NO_CYCLE, is_drawn, last_occurrence

if TYPE_CHECKING:
    from tengen.engine.contract import game


ROOT = 0
MAX_PATH = 400  # actions from the root to a leaf
FPU_LOSS = 0.25  # first-play urgency: how much worse than its parent, in [0, 1], an unvisited child counts

# The children of a node lie side by side. Values are those of the first side, from 0 to 1.
NODE = record(
    [
        ("first_child", "i4"),
        ("children", "i4"),  # 0 until the node is expanded
        ("action", "i4"),  # that led here, as the rules number it
        ("visits", "i4"),
        ("pending", "i4"),  # simulations in flight
        ("prior", "f4"),
        ("value_sum", "f8"),
        ("side_to_move", "i1"),
        ("outcome", "i1"),  # of a finished game; else ONGOING
    ]
)

SEARCH = record(
    [
        ("states", game.STATE, (2,)),  # the root, and the scratch state of a simulation
        ("line", "u8", (MAX_PATH + 1,)),  # keys of its positions, by turns from the root
        ("repetition", "i8"),  # 1 where repetition draws
        ("drawn_count", "i8"),
        ("drawn", "u8", (MAX_DRAWN,)),  # keys of positions that would occur for the third time
        ("actions", "i4", (game.MAX_ACTIONS,)),
        ("logits", "f8", (game.MAX_ACTIONS,)),
        ("exploration", "f8"),  # PUCT's constant
        ("used", "i8"),  # nodes
        ("simulations", "i8"),  # backed up
    ]
)


@kernel
def outcome_value(outcome):
    """Return the value (float64) of an Outcome."""
    return 1.0 if outcome == game.FIRST_WINS else 0.0 if outcome == game.SECOND_WINS else 0.5


@kernel
def mean_value(node, side):
    """Return the mean value (float64) of a visited node for `side`; simulations in flight count as lost."""
    own = node.value_sum if side == 0 else node.visits - node.value_sum
    return own / (node.visits + node.pending)


@kernel
def select(t, nodes, index):
    """Return the child (int64) of the highest PUCT score."""
    node = nodes[index]
    side = node.side_to_move
    scale = t.exploration * math.sqrt(np.float64(node.visits + node.pending))
    unvisited = 0.5
    if node.visits > 0:
        unvisited = (node.value_sum if side == 0 else node.visits - node.value_sum) / node.visits
    unvisited = max(0.0, unvisited - FPU_LOSS)
    best, best_score = np.int64(-1), -1.0
    for i in range(node.first_child, node.first_child + node.children):
        child = nodes[i]
        tried = child.visits + child.pending
        value = mean_value(child, side) if tried > 0 else unvisited
        score = value + scale * child.prior / (1.0 + tried)
        if score > best_score:
            best, best_score = np.int64(i), score
    return best


@kernel
def descend(t, nodes, path):
    """Play the second state from the root to a leaf; write the nodes below the root into `path` (int32).

    Returns
    -------
    tuple of (int64, float64)
        Length of the path; the value of the leaf if it is known, else -1.
    """
    game.copy_state(t.states, 1, 0)
    s = t.states[1]
    index = np.int64(ROOT)
    length = turns = np.int64(0)
    t.line[0] = s.key
    while nodes[index].children > 0 and length < MAX_PATH:
        index = select(t, nodes, index)
        path[length] = index
        length += 1
        game.do_move(s, nodes[index].action)
        outcome = game.outcome(s)
        if outcome != game.ONGOING:
            nodes[index].outcome = outcome
            return length, outcome_value(outcome)
        if t.repetition and s.partial == 0:
            turns += 1
            t.line[turns] = s.key
            if is_drawn(t, s.key) or last_occurrence(t.line, turns) != NO_CYCLE:
                return length, 0.5
    return length, -1.0


@kernel
def backup(t, nodes, path, length, value):
    """Add a visit of this value to the root and to the nodes of the path."""
    nodes[ROOT].visits += 1
    nodes[ROOT].value_sum += value
    for k in range(length):
        nodes[path[k]].visits += 1
        nodes[path[k]].value_sum += value
    t.simulations += 1


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
        path = paths[waiting]
        length, value = descend(t, nodes, path)
        if value >= 0.0:
            backup(t, nodes, path, length, value)
            continue
        leaf = nodes[path[length - 1]] if length > 0 else nodes[ROOT]
        if leaf.pending > 0:
            break
        nodes[ROOT].pending += 1
        for k in range(length):
            nodes[path[k]].pending += 1
        states[waiting] = t.states[1]
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
        path, length = paths[i], np.int64(lengths[i])
        nodes[ROOT].pending -= 1
        for k in range(length):
            nodes[path[k]].pending -= 1
        s = states[i]
        expand(t, nodes, np.int64(path[length - 1]) if length > 0 else np.int64(ROOT), s, dense, logits[i])
        value = 0.5 + 0.5 * min(max(np.float64(values[i]), -1.0), 1.0)
        backup(t, nodes, path, length, value if s.side_to_move == 0 else 1.0 - value)


@kernel
def expand(t, nodes, index, s, dense, logits):
    """Add the children of a node, whose state is `s`, with the softmax of their `logits` as priors.

    Nothing happens if there is no room.
    """
    node = nodes[index]
    node.side_to_move = s.side_to_move
    n = np.int64(game.generate(s, t.actions))
    if node.children > 0 or t.used + n > len(nodes):
        return
    top = -np.inf
    for k in range(n):
        t.logits[k] = logits[dense[t.actions[k]]]
        top = max(top, t.logits[k])
    total = 0.0
    for k in range(n):
        t.logits[k] = math.exp(t.logits[k] - top)
        total += t.logits[k]
    for k in range(n):
        child = nodes[t.used + k]
        child.first_child = 0
        child.children = 0
        child.action = t.actions[k]
        child.visits = 0
        child.pending = 0
        child.prior = t.logits[k] / total
        child.value_sum = 0.0
        child.side_to_move = 0
        child.outcome = game.ONGOING
    node.first_child = t.used
    node.children = n
    t.used += n
