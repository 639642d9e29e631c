"""Monte-Carlo tree search over a tree in preallocated arrays. Specialised with ``game``.

A simulation descends the tree, evaluates the leaf and backs the value up. The leaf is evaluated by a playout
where the game offers one, else by the game's evaluation. The value of a node combines its own simulations,
all simulations in which its action was played later (RAVE), and priors, which count as a number of
simulations. Proven results are backed up exactly.

A game may have a net that knows likely actions and win rates. It is asked where a node is expanded. Children
are then selected by PUCT: unvisited ones have the value of their parent, reduced (first-play urgency). The
win rate of the net is backed up from the expanded node with a weight that gives it its share in the value,
and so is its margin.

Or the policy and the values come from outside (`WAITS`): leaves wait for them, and nothing is proven. Which
child is selected is up to another module (`search.mcts.selection`).

Several threads may grow one tree without locks. A block of children is published by one store after it has
been filled. Lost updates of counts are accepted. So is the risk that a thread sees a block too early on a
machine that reorders stores. A thread in flight adds a virtual loss for the others.

Sources: Kocsis and Szepesvári, Bandit based Monte-Carlo planning (2006); Gelly and Silver, Monte-Carlo tree
search and rapid action value estimation in computer Go (2011); Winands, Björnsson and Saito, Monte-Carlo tree
search solver (2008); Enzenberger and Müller, A lock-free multithreaded Monte-Carlo tree search (2009);
Chaslot et al., Progressive strategies for Monte-Carlo tree search (2008), for widening; Rosin, Multi-armed
bandits with episode context (2011), and Silver et al., Mastering the game of Go with deep neural networks and
tree search (2016), for PUCT and mixed values.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tengen.engine.jit import is_stopped, kernel, record, specialise
from tengen.search.limits import restrictions
from tengen.search.repetition import MAX_DRAWN, NO_CYCLE, is_drawn, last_occurrence

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.mcts import layout as layout
    from tengen.search.mcts import selection as selection
else:
    layout = specialise("tengen.search.mcts.layout", game)
    selection = specialise(getattr(game, "SELECTION", "tengen.search.mcts.selection"), game)


MAX_PATH = 400  # actions from the root to a leaf of the tree
NODE, ROOT, NOT_PROVEN, WAITS = layout.NODE, layout.ROOT, layout.NOT_PROVEN, layout.WAITS
HAS_PLAYOUTS, HAS_NET, HAS_RAVE = layout.HAS_PLAYOUTS, layout.HAS_NET, layout.HAS_RAVE
HAS_UTILITY = hasattr(game, "utility")  # of finished games, in place of their results
RAVE_EQUIVALENT = game.RAVE_EQUIVALENT if HAS_RAVE else 0.0  # visits at which RAVE weighs as much; 0: no RAVE
EXPANSION_VISITS = 0 if WAITS else game.EXPANSION_VISITS  # visits at which a leaf is expanded
PRIOR_WEIGHT = 2.0  # simulations that the parent's value counts for, where the game has no priors
URGENCY_WEIGHT = 1.0  # simulations that the first-play urgency counts for
PASS_WEIGHT = 10.0  # prior simulations credited to a winning pass at the root
SORT_GAPS = (57, 23, 10, 4, 1)  # of Ciura, for some hundred children
NOT_ASKED = -1
SIMULATION_STEPS = 256 if HAS_PLAYOUTS else 16  # that a simulation counts as, for looks at the clock


def search_record() -> np.dtype[Any]:
    """Return the dtype of one search thread, or of a tree whose leaves wait."""
    return record(
        [
            ("states", game.STATE, (2,)),  # the root, and the scratch state of the simulation
            ("path", "i4", (MAX_PATH,)),  # nodes of the simulation below the root
            ("line", "u8", (MAX_PATH + 1,)),  # keys of its positions, by turns from the root
            ("repetition", "i8"),  # 1 where repetition draws
            ("drawn_count", "i8"),
            ("drawn", "u8", (MAX_DRAWN,)),  # keys of positions that would occur for the third time
            ("actions", "i4", (game.MAX_ACTIONS,)),
            # Values for the side that chooses; or probabilities
            ("priors", "f8" if WAITS else "f4", (game.MAX_ACTIONS,)),
            ("used", "i8"),  # nodes of this thread's share of the array: the next free index
            ("simulations", "i8"),
            ("depth", "i4"),  # most actions of a descent
            ("deepest", "i4"),
            ("threads", "i4"),
            *selection.FIELDS,
            *([] if WAITS else evaluation_fields()),
        ]
    )


def evaluation_fields() -> list[tuple[Any, ...]]:
    """Return the fields of a search that evaluates leaves itself."""
    leaf_memory = [("playout", game.PLAYOUT)] if HAS_PLAYOUTS else [("evaluation", "i8", game.TABLE.shape)]
    net_memory = [("net", game.LEAF_NETS[0].dtype)] if HAS_NET else []
    return [
        ("weights", "f4", (game.MAX_ACTIONS,)),  # simulations that each prior counts for
        ("scale", "f8"),  # logistic scale of the evaluation, centi-points
        ("stop", "u8"),  # address of the stop flag
        ("end", "i8"),  # where its share of the array ends
        *restrictions.fields(game.ACTIONS),
        ("full", "i1"),  # whether there was no room for children
        ("expansion_visits", "i4"),  # visits at which a leaf is expanded
        ("asked", "i4"),  # length of the path to the node that was expanded by the net, or NOT_ASKED
        ("net_rate", "f8"),  # what the net said about it: win rate of the first side,
        ("net_margin", "f8"),  # ... and its margin, hundredths
        # Of playouts, and the depth from which on a side may play each action, and the greatest of
        # these; or the weights of the evaluation
        *leaf_memory,
        *net_memory,
    ]


# ------------------------------------------------------------------------------------------------------------
# Kernels. `t` is a record of `search_record`, `nodes` an array of `NODE`.


@kernel
def set_priors(t, s, n, value):
    """Set the priors of the first `n` of ``t.actions`` in `s`, a node of this `value`."""
    if HAS_PLAYOUTS:
        game.set_priors(s, t.playout, t.actions, n, t.priors, t.weights)
    else:
        for i in range(n):
            t.priors[i] = value if s.side_to_move == 0 else 1.0 - value
            t.weights[i] = PRIOR_WEIGHT
            if game.priority(s, t.actions[i]) > 0:
                t.priors[i] += 0.1 * (1.0 - t.priors[i])


@kernel
def sort_by_priors(t, n):
    """Sort the first `n` of ``t.actions``, with their priors and weights, by what the priors are worth."""
    for gap in SORT_GAPS:  # shell sort
        for i in range(gap, n):
            action, prior, weight = t.actions[i], t.priors[i], t.weights[i]
            worth = (prior - 0.5) * weight
            j = i
            while j >= gap and (t.priors[j - gap] - 0.5) * t.weights[j - gap] < worth:
                k = j - gap
                t.actions[j], t.priors[j], t.weights[j] = t.actions[k], t.priors[k], t.weights[k]
                j = k
            t.actions[j], t.priors[j], t.weights[j] = action, prior, weight
    if HAS_PLAYOUTS:
        advance_pass(t, n)


@kernel
def advance_pass(t, n):
    """Put the pass among the first ``WIDENING_BASE`` of ``t.actions``, so that no node is without it."""
    last = max(np.int64(game.WIDENING_BASE) - 1, 0)
    i = n - 1
    while i > last and t.actions[i] != game.PASS:
        i -= 1
    if i > last:
        action, prior, weight = t.actions[i], t.priors[i], t.weights[i]
        for j in range(i, last, -1):
            t.actions[j], t.priors[j], t.weights[j] = t.actions[j - 1], t.priors[j - 1], t.weights[j - 1]
        t.actions[last], t.priors[last], t.weights[last] = action, prior, weight


@kernel
def net_weight(t, node):
    """Return how many simulations the net's rate of `node`, before its next visit, counts for (float64)."""
    if HAS_NET:
        share = np.float64(t.net.share[0])
        return share / (1.0 - share) * (node.visits + 1.0)
    return 0.0


@kernel
def add_by_net(t, nodes, index, s, n):
    """Ask the net about `s`, and initialise the children for the first `n` of ``t.actions`` by its answer."""
    if HAS_NET:
        node = nodes[index]
        t.net_rate = game.ask_net(s, t.net)
        t.net_margin = game.net_margin(s, t.net)
        game.net_policy(s, t.net, t.actions, n, t.priors)
        for i in range(n):
            t.weights[i] = 1.0
        sort_by_priors(t, n)
        weight = net_weight(t, node)
        value = (node.weight * node.value + weight * t.net_rate) / max(node.weight + weight, 1e-6)
        if s.side_to_move:
            value = 1.0 - value
        urgency = max(0.0, value - t.net.search[selection.NET_REDUCTION])
        for i in range(n):
            child = nodes[t.used + i]
            layout.init_node(child, t.actions[i], urgency, URGENCY_WEIGHT, s.side_to_move)
            child.policy = t.priors[i]


@kernel
def expand(t, nodes, index, s, depth):
    """Add the children of the node at `index` and `depth`, whose state is `s`, if there is room for them."""
    n = np.int64(game.generate_candidates(s, t.actions))
    if restrictions.are_restricted(t, depth):
        n = restrictions.keep_permitted(t, t.actions, n, s.side_to_move, depth) or n
    if n == 0:
        return
    first = np.int64(t.used)
    if first + n > t.end:
        t.full = 1
        return
    if t.guided:
        add_by_net(t, nodes, index, s, n)
    else:
        set_priors(t, s, n, nodes[index].value)
        sort_by_priors(t, n)
        for i in range(n):
            layout.init_node(nodes[first + i], t.actions[i], t.priors[i], t.weights[i], s.side_to_move)
    t.used = first + n
    layout.set_children(nodes[index], first, n, s.side_to_move)


@kernel
def mean_margin(node):
    """Return the mean margin (float64, hundredths) of a node for the first side; 0 in games without one."""
    return np.float64(node.margin) if HAS_PLAYOUTS else 0.0


@kernel
def terminal_result(t, s):
    """Return the result of the finished game `s`.

    Returns
    -------
    tuple of (int64, float64, bool)
        The Outcome; the margin for the first side, hundredths, 0 in games without one; whether both are
        certain for a search from ``t.states[0]``.
    """
    if HAS_PLAYOUTS:
        outcome, margin = game.final_score(s, t.playout)
        return (
            outcome,
            np.float64(margin),
            outcome == game.outcome(s) and game.score_is_certain(s, t.playout, t.states[0]),
        )
    return np.int64(game.outcome(s)), 0.0, True


@kernel
def descend(t, nodes):
    """Play ``t.states[1]`` from the root to a leaf of the tree, expanding nodes that were visited before.

    Returns
    -------
    tuple of (int64, float64, float64)
        Length of ``t.path``; value and margin of the leaf if they are known, else -1 and 0.
    """
    game.copy_state(t.states, 1, 0)
    s = t.states[1]
    index = np.int64(ROOT)
    length = turns = np.int64(0)
    t.line[0] = s.key
    if not WAITS:
        t.asked = NOT_ASKED
    while length < t.depth:
        # Step 1. Expand the node once it has been visited often enough
        node = nodes[index]
        if not WAITS and node.block == 0 and (node.visits >= t.expansion_visits or index == ROOT):
            expand(t, nodes, index, s, length)
            if t.guided and node.block:
                t.asked = length
                if t.expansion_visits == 0:  # the node itself is the leaf
                    break
        if node.block == 0:
            break

        # Step 2. Select a child and play its action
        index = selection.select(t, nodes, index)
        t.path[length] = index
        length += 1
        child = nodes[index]
        if t.threads > 1:  # the virtual loss: one for the mover, until the simulation is backed up
            child.weight += 1.0
            child.value += (node.side_to_move - child.value) / child.weight
        game.do_move(s, child.action)

        # Step 3. Stop where the result is known: proven, finished, or repeated
        if child.proof != NOT_PROVEN:
            return length, layout.result_value(child.proof), mean_margin(child)
        if game.outcome(s) != layout.ONGOING:
            if HAS_UTILITY:
                return length, game.utility(s), 0.0  # type: ignore[attr-defined]
            outcome, margin, certain = terminal_result(t, s)
            if certain:
                child.proof = outcome
            return length, layout.result_value(outcome), margin
        if HAS_PLAYOUTS and game.is_repetition(s):
            return length, 0.5, mean_margin(child)
        if t.repetition and s.partial == 0:
            turns += 1
            t.line[turns] = s.key
            if is_drawn(t, s.key):
                child.proof = layout.DRAW
            if child.proof != NOT_PROVEN or last_occurrence(t.line, turns) != NO_CYCLE:
                return length, 0.5, 0.0
    return length, -1.0, 0.0


@kernel
def update_rave(t, nodes, node, value):
    """Update the RAVE (AMAF) statistics of the children of `node` with the actions played later on."""
    first, mark = layout.first_child(node), 1 + node.side_to_move
    for i in range(first, first + layout.children(node)):
        child = nodes[i]
        if t.playout.first[child.action] == mark:
            child.rave_weight += 1.0
            child.rave_value += (value - child.rave_value) / child.rave_weight


@kernel
def update_proof(nodes, node):
    """Prove `node` after one of its children was proven: by a win of its mover, or when all are proven."""
    first = layout.first_child(node)
    best = np.int64(NOT_PROVEN)
    for i in range(first, first + layout.children(node)):
        proof = np.int64(nodes[i].proof)
        if layout.wins_for(proof, node.side_to_move):
            node.proof = proof
            return
        if proof == NOT_PROVEN:
            best = np.int64(-1)
        elif best >= 0 and (best == NOT_PROVEN or proof == layout.DRAW):
            best = proof
    if best > 0:
        node.proof = best


@kernel
def backup(t, nodes, length, value, margin):
    """Update the first `length` nodes of ``t.path`` and the root with the result of a simulation."""
    more = 0.0  # simulations that the net's win rate counts for
    for i in range(length, -1, -1):
        # Step 1. Visits, value and margin; replace the virtual loss by the result
        index = np.int64(t.path[i - 1]) if i > 0 else np.int64(ROOT)
        node = nodes[index]
        if HAS_NET and i == t.asked:
            more = net_weight(t, node)
            value = (value + more * t.net_rate) / (1.0 + more)
            margin = (margin + more * t.net_margin) / (1.0 + more)
        node.visits += 1
        if i > 0 and t.threads > 1:
            above = nodes[t.path[i - 2]] if i > 1 else nodes[ROOT]
            node.value += (value - above.side_to_move) / node.weight
        else:
            node.weight += 1.0
            node.value += (value - node.value) / (node.visits if WAITS else node.weight)
        if more > 0.0:
            node.weight += more
            node.value += (value - node.value) * more / node.weight
        if HAS_PLAYOUTS:
            node.margin += (margin - node.margin) / node.visits

        # Step 2. RAVE and proof, from the child on the path
        if i < length and not WAITS:
            child = nodes[t.path[i]]
            if HAS_PLAYOUTS:
                t.playout.first[child.action] = 1 + node.side_to_move
            if HAS_RAVE:
                update_rave(t, nodes, node, value)
            if child.proof != NOT_PROVEN and node.proof == NOT_PROVEN:
                update_proof(nodes, node)


@kernel
def simulate(t, nodes, simulations):
    """Run `simulations`; fewer when the stop flag is set, the root is proven, or memory is full."""
    for _ in range(simulations):
        steps = t.simulations * SIMULATION_STEPS
        if is_stopped(t.stop, steps - SIMULATION_STEPS, steps) or nodes[ROOT].proof != NOT_PROVEN or t.full:
            break
        if HAS_PLAYOUTS:
            t.playout.first[:] = 0
        length, value, margin = descend(t, nodes)
        if value < 0.0:
            s = t.states[1]
            if HAS_PLAYOUTS:
                value, margin = game.simulate(s, t.playout)
            else:
                value = 1.0 / (1.0 + math.exp(-game.evaluate_with(s, t.evaluation) / t.scale))
                value = value if s.side_to_move == 0 else 1.0 - value
        backup(t, nodes, length, value, margin)
        t.simulations += 1
        t.deepest = max(t.deepest, length)


@kernel
def begin(t, nodes):
    """Prepare a search from ``t.states[0]``: expand the node ROOT unless an earlier search has done so."""
    t.expansion_visits, t.rave_equivalent = EXPANSION_VISITS, RAVE_EQUIVALENT
    if HAS_NET and t.guided:
        t.expansion_visits = np.int64(t.net.search[selection.NET_EXPANSION])
        t.rave_equivalent = np.float64(t.net.search[selection.NET_RAVE])
    if nodes[ROOT].block == 0:
        game.copy_state(t.states, 1, 0)
        expand(t, nodes, np.int64(ROOT), t.states[1], np.int64(0))


@kernel
def boost_pass(t, nodes):
    """Give a pass at the root that wins a winning prior, so that it is explored."""
    if not game.wins_by_passing(t.states[0], t.playout):
        return
    root = nodes[ROOT]
    first = layout.first_child(root)
    for i in range(first, first + layout.children(root)):
        child = nodes[i]
        if child.action == game.PASS and child.visits < PASS_WEIGHT:
            layout.init_node(child, child.action, 1.0, PASS_WEIGHT, root.side_to_move)
