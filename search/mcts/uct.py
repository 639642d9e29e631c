"""Plain UCT with uniformly random playouts: a weak reference opponent for rating. Specialised with ``game``.

The tree and the playouts see all legal actions. The value of a playout is the result of the finished game.
No game knowledge is used (no evaluation, no move filtering): only UCB1 and speed.

It stays apart from `search.mcts.search` because ratings of earlier matches name it. That search differs in
every kernel (priors, RAVE, virtual losses, proofs, unvisited children in the order of priors), so that making
this one a setting of it would change both the moves for a given seed and the strength.

Sources: Kocsis and Szepesvári, Bandit based Monte-Carlo planning (2006), for UCT; Auer, Cesa-Bianchi and
Fischer, Finite-time analysis of the multiarmed bandit problem (2002), for UCB1.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from tengen.engine.errors import OptionError
from tengen.engine.jit import StopFlag, kernel, load_word, record, specialise
from tengen.engine.xorshift import random_below, seed_word

if TYPE_CHECKING:
    from tengen.engine.contract import Rules, game
    from tengen.engine.play.position import Position


EXPLORATION = 0.35  # UCB1's constant, for results in [0, 1]: the best of 0.2, 0.35, 0.7, 1, 1.4 in matches
MAX_PATH = 256  # actions from the root to a leaf of the tree
MAX_PLAYOUT = 4096  # actions; a playout that is not over by then counts as a draw
CAPACITY = 1 << 22  # nodes; the tree stops growing when they are used up
BATCH = 32  # simulations between two checks of the clock: about a millisecond
UNEXPANDED = -1  # in `children`: the actions of this node have not been listed yet
ROOT = 0

# Children of a node lie side by side, in random order, the unvisited ones at the end.
NODE = record(
    [
        ("action", "i4"),  # that led here
        ("visits", "i4"),
        ("points", "i4"),  # for the side that chose `action`: 2 a win, 1 a draw
        ("first", "i4"),  # index of the first child
        ("children", "i4"),  # number of legal actions, 0 at the end of the game, or UNEXPANDED
        ("opened", "i4"),  # children visited at least once
    ]
)


def search_record(state: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of one search over games whose states have the dtype `state`."""
    return record(
        [
            ("states", state, (2,)),  # the root, and the scratch state of the simulation
            ("path", "i4", (MAX_PATH,)),  # nodes of the simulation below the root
            ("movers", "i1", (MAX_PATH,)),  # who chose each
            ("random", "u8"),  # state of the generator, never 0
            ("used", "i4"),  # nodes
        ]
    )


# ------------------------------------------------------------------------------------------------------------
# Kernels. `search` is a record of `search_record`, `nodes` an array of NODE, `actions` int32 (MAX_ACTIONS,).


@kernel
def playout(search, s, actions):
    """Play uniformly random actions on `s`, in place, to the end; return the `Outcome` (int64)."""
    for _ in range(MAX_PLAYOUT):
        n = game.generate(s, actions)
        if n == 0:
            return np.int64(game.outcome(s))
        game.do_move(s, actions[random_below(search, n)])
    return np.int64(game.DRAW)


@kernel
def expand(search, nodes, actions, index, s):
    """List the children of the node at `index`, whose state is `s`; do nothing when the tree is full."""
    n = game.generate(s, actions)
    first = np.int64(search.used)
    if first + n > len(nodes):
        return
    for i in range(n):  # Fisher and Yates, inside out
        j = np.int64(random_below(search, i + 1))
        nodes[first + i].action = nodes[first + j].action
        nodes[first + j].action = actions[i]
        nodes[first + i].visits = 0
        nodes[first + i].points = 0
        nodes[first + i].children = UNEXPANDED
        nodes[first + i].opened = 0
    nodes[index].first = first
    nodes[index].children = n
    search.used = first + n


@kernel
def select(nodes, index):
    """Return the index (int64) of the child to visit: an unvisited one, or that with the highest UCB1."""
    node = nodes[index]
    first, opened = np.int64(node.first), np.int64(node.opened)
    if opened < node.children:
        node.opened = opened + 1
        return first + opened
    log_visits = math.log(node.visits)
    best, best_bound = first, -1.0
    for i in range(first, first + opened):
        visits = np.float64(nodes[i].visits)
        bound = 0.5 * nodes[i].points / visits + EXPLORATION * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = i, bound
    return best


@kernel
def descend(search, nodes, actions):
    """Play ``search.states[1]`` from the root to a leaf, which is expanded on its second visit.

    Returns
    -------
    int64
        Length of ``path`` and ``movers``: actions from the root to the leaf.
    """
    search.states[1] = search.states[0]
    s = search.states[1]
    index = np.int64(ROOT)
    length = np.int64(0)
    while length < MAX_PATH:
        if nodes[index].children == UNEXPANDED and nodes[index].visits > 0:
            expand(search, nodes, actions, index, s)
        if nodes[index].children <= 0:
            break
        search.movers[length] = s.side_to_move
        index = select(nodes, index)
        search.path[length] = index
        game.do_move(s, nodes[index].action)
        length += 1
    return length


@kernel
def backup(search, nodes, length, outcome):
    """Back up `outcome` along the path: visits, and points for the side that chose each node."""
    nodes[ROOT].visits += 1
    for i in range(length):
        node = nodes[search.path[i]]
        node.visits += 1
        if outcome == game.DRAW:
            node.points += 1
        elif (outcome == game.FIRST_WINS) == (search.movers[i] == 0):
            node.points += 2


@kernel
def simulate(search, nodes, actions, simulations, stop):
    """Run `simulations`, fewer when the word at the address `stop` is set meanwhile."""
    for _ in range(simulations):
        if load_word(stop):
            break
        length = descend(search, nodes, actions)
        backup(search, nodes, length, playout(search, search.states[1], actions))


@kernel
def most_visited(nodes, index):
    """Return the index (int64) of the most visited child, the best of equals; -1 when none was visited."""
    best = np.int64(-1)
    for i in range(np.int64(nodes[index].first), np.int64(nodes[index].first + nodes[index].opened)):
        more = nodes[i].visits - nodes[best].visits if best >= 0 else 1
        if more > 0 or (more == 0 and nodes[i].points > nodes[best].points):
            best = i
    return best


# ------------------------------------------------------------------------------------------------------------
# The searcher


class Uct:
    """A plain UCT searcher of one game, which builds a new tree in every search.

    Parameters
    ----------
    rules : module
        The game's rules.
    seed : int
        The same seed, positions and numbers of simulations give the same choices.
    capacity : int
        Nodes of the tree, 24 bytes each.

    Attributes
    ----------
    stop : StopFlag
        Ends the search under way; stays set until it is cleared.
    now : callable
        Returns the time in seconds: wall-clock time, unless another clock is set.
    simulations : int
        Simulations of the last choice.
    """

    def __init__(self, rules: Rules, seed: int = 0, capacity: int = CAPACITY) -> None:
        self.stop = StopFlag()
        self.now = time.perf_counter
        self.simulations = 0
        self._rules = rules
        self._kernels = specialise("tengen.search.mcts.uct", rules)
        self._search = np.zeros(1, search_record(rules.STATE))[0]
        self._search.random = seed_word(seed)
        self._nodes = np.zeros(capacity, NODE)
        self._actions = np.zeros(rules.MAX_ACTIONS, np.int32)

    def seed(self, seed: int) -> None:
        """Seed the random numbers."""
        self._search.random = seed_word(seed)

    def search(self, state: Any, simulations: int | None, seconds: float | None) -> None:
        """Grow a tree from `state` until one of the limits is reached or `stop` is set."""
        end = None if seconds is None else self.now() + seconds
        self._search.states[0] = state
        self._search.used = 1
        self._nodes[ROOT] = (0, 1, 0, 0, UNEXPANDED, 0)  # one visit: the root is expanded at once
        done = 0
        while simulations is None or done < simulations:
            batch = BATCH if simulations is None else min(BATCH, simulations - done)
            self._kernels.simulate(self._search, self._nodes, self._actions, batch, self.stop.address)
            done += batch
            if self.stop or (end is not None and self.now() >= end):
                break
        self.simulations += done

    def visits(self) -> dict[int, int]:
        """Return the visits of every action at the root of the last search."""
        root = self._nodes[ROOT]
        children = self._nodes[root.first : root.first + max(root.children, 0)]
        return {int(child.action): int(child.visits) for child in children}

    def choose(self, position: Position, simulations: int | None = None, seconds: float | None = None) -> str:
        """Return the text of the turn whose actions are visited most.

        Parameters
        ----------
        position : Position
            A game that is not over.
        simulations, seconds : optional
            Limits for the whole turn, not for each action.

        Raises
        ------
        OptionError
            When there is no limit, or one that is not positive.
        """
        limits = [limit for limit in (simulations, seconds) if limit is not None]
        if not limits or min(limits) <= 0:
            got = f"{simulations} simulations, {seconds} seconds"
            raise OptionError(f"uct: expected a positive number of simulations or seconds, got {got}")
        started = self.now()
        self.simulations = 0
        state = position.state.copy()
        turn: list[int] = []
        while not turn or state.partial:
            left = None if seconds is None else seconds - (self.now() - started)
            rest = None if simulations is None else max(simulations - self.simulations, 1)
            for action in self._line(state, rest, left):
                turn.append(action)
                self._rules.do_move(state, np.int32(action))
        return position.format(tuple(turn))

    def _line(self, state: Any, simulations: int | None, seconds: float | None) -> list[int]:
        """Return the most visited actions from `state` on, to the end of the turn or of the tree."""
        if self._rules.generate(state, self._actions) == 1:
            return [int(self._actions[0])]
        any_action = int(self._actions[0])  # for a search that is stopped before it has begun
        self.search(state, simulations, seconds)
        state = state.copy()
        line: list[int] = []
        index = ROOT
        while not line or state.partial:
            index = self._kernels.most_visited(self._nodes, index)
            if index < 0:
                break
            line.append(int(self._nodes[index].action))
            self._rules.do_move(state, self._nodes[index].action)
        return line or [any_action]


def choose(
    position: Position, simulations: int | None = None, seconds: float | None = None, seed: int = 0
) -> str:
    """Return the turn that plain UCT plays in `position`, as `Uct.choose` does, from a fresh searcher."""
    return Uct(position.spec.game.rules, seed).choose(position, simulations, seconds)
