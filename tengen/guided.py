"""tengen's Monte-Carlo tree search with a policy and values of one's own, evaluated in batches."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError, argument_error, require, whole_number
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.evaluators import Evaluate, Evaluator
from tengen.search.batch import Batch
from tengen.search.limits.clock import time_budget
from tengen.search.limits.limit import Limit
from tengen.tuning.players.own import Player

MAX_BATCH = 4096
MAX_NODES = 1 << 22
BRANCHING = 512  # children that there is room for, on average


@dataclass(frozen=True)
class GuidedResult:
    """What a guided search has found.

    Attributes
    ----------
    action : int
        The most visited action.
    visits : ndarray of int32, shape (num_actions,)
        Simulations that began with each action.
    policy : ndarray of float32, shape (num_actions,)
        The same as shares: a target for a policy to learn. The priors if no action has been tried yet.
    value : float
        Mean value of the simulations for the side to move, from -1 to 1.
    simulations : int
        How many there were, with the one that expanded the root.
    """

    action: int
    visits: NDArray[np.int32] = field(repr=False)
    policy: NDArray[np.float32] = field(repr=False)
    value: float
    simulations: int

    def sample(self, random: np.random.Generator, temperature: float = 1.0) -> int:
        """Return an action drawn by the visits, for self-play.

        Parameters
        ----------
        random : numpy.random.Generator
            Where chance comes from.
        temperature : float
            Above 0: 1 draws in proportion to the visits, less prefers the most visited ones.

        Raises
        ------
        OptionError
            If the temperature is not positive.
        """
        if not temperature > 0:
            raise OptionError(f"temperature: expected a number above 0, got {temperature}")
        weights = (self.policy / self.policy.max()).astype(np.float64) ** (1 / temperature)
        return int(random.choice(len(weights), p=weights / weights.sum()))


class GuidedSearch(Player):
    """A Monte-Carlo tree search whose leaves are evaluated by a function of yours, many at once.

    A simulation is one action deep per node; of turns with several actions, ask for one action after another
    (`Position.step`). Repeated positions are draws where the rules say so. In matches it is a player of one's
    own. From one call to the next it keeps what it knows of the position that is reached.

    Parameters
    ----------
    spec : GameSpec, Game or str
        Without challenges; the game must offer observations.
    evaluate : callable
        ``evaluate(observations, legal_masks)`` returns logits of the policy, shape (n, num_actions), and
        values, shape (n,), for the sides to move, from -1 (lost) to 1. Observations have the shape
        (n, planes, rows, columns), masks (n, num_actions).
    batch_size : int
        Most leaves of one tree in a batch.
    exploration : float
        PUCT's constant.
    noise : tuple of float, optional
        Concentration and share of Dirichlet noise in the priors at the root, such as (0.3, 0.25): for
        self-play.
    seed : int
        Of the noise.
    """

    def __init__(
        self,
        spec: GameSpec | Game | str,
        evaluate: Evaluate,
        *,
        batch_size: int = 16,
        exploration: float = 1.5,
        noise: tuple[float, float] | None = None,
        seed: int = 0,
    ) -> None:
        from tengen.engine.jit import specialise
        from tengen.search.binding import bound

        self._evaluator = Evaluator(spec, evaluate)
        self.spec, self._space = self._evaluator.spec, self._evaluator.space
        if not 1 <= whole_number(batch_size, "batch_size") <= MAX_BATCH:
            raise OptionError(f"batch_size: expected 1 to {MAX_BATCH}, got {batch_size}")
        if noise is not None:
            _check_noise(noise)
        self._batch, self._noise = batch_size, noise
        self._random = np.random.default_rng(seed)
        self._kernels = specialise("tengen.search.mcts.guided", bound(self.spec.game))
        self._exploration = exploration
        self._trees: list[_Tree] = []  # of the games of the last call, by their number

    def run(self, position: Position, simulations: int) -> GuidedResult:
        """Search a position and return what has been found, without what earlier searches know.

        Parameters
        ----------
        position : Position
            Of this spec, also within a turn; it stays as it is.
        simulations : int
            How many to do, at least 1; the first one expands the root.

        Raises
        ------
        OptionError
            If the game is over or another one, the number is not positive, or `evaluate` returns arrays of
            other shapes, or numbers that are not finite.
        """
        self.new_game()
        return self._one(position, simulations)

    def run_many(self, positions: Sequence[Position] | Batch, simulations: int) -> list[GuidedResult | None]:
        """Search many positions side by side: each call of `evaluate` has leaves of all of them.

        Parameters
        ----------
        positions : sequence of Position, or Batch
            Of this spec. A position that follows the one with the same number in the call before goes on with
            its tree.
        simulations : int
            How many each position is to have, those of its kept tree included, at least 1.

        Returns
        -------
        list of GuidedResult or None
            In the same order; None where the game is over.

        Raises
        ------
        OptionError
            As for `run`, but for games that are over.
        """
        if isinstance(positions, Batch):
            positions = [positions.position(index) for index in range(len(positions))]
        for position in positions:
            self._check(position, simulations)
        return self._searched(positions, simulations)

    def play(self, position: Position, limit: Limit) -> str:
        """Return the turn to play, of the most visited actions.

        Parameters
        ----------
        position : Position
            Of this spec.
        limit : Limit
            Its nodes are the simulations for each action of the turn, those of earlier turns included; its
            time, or its share of a clock, is for the whole turn.

        Raises
        ------
        OptionError
            As for `run`, or if there are neither nodes nor a time.
        """
        seconds = time_budget(limit, position).soft
        if limit.nodes is None and seconds is None:
            raise OptionError("limit: expected nodes or a time for a guided search, got neither")
        due = time.perf_counter() + (math.inf if seconds is None else seconds)
        played, turn = position.copy(), ""
        while not turn:
            turn = played.step(self._one(played, limit.nodes or MAX_NODES, due).action)
        return turn

    def new_game(self) -> None:
        """Forget what earlier searches have found."""
        for tree in self._trees:
            tree.root = None

    def _one(self, position: Position, simulations: int, due: float = math.inf) -> GuidedResult:
        """Search a position whose game goes on."""
        self._check(position, simulations)
        found = self._searched([position], simulations, due)[0]
        if found is None:
            raise OptionError("position: expected a game that goes on, got one that is over")
        return found

    def _check(self, position: Position, simulations: int) -> None:
        require(position, Position, "position", "a tengen.Position")
        if position.spec != self.spec:
            raise OptionError(f"position: expected one of {self.spec}, got one of {position.spec}")
        if whole_number(simulations, "simulations") < 1:
            raise OptionError(f"simulations: expected at least 1, got {simulations}")

    def _searched(
        self, positions: Sequence[Position], simulations: int, due: float = math.inf
    ) -> list[GuidedResult | None]:
        """Search until each position has so many simulations; return the results, None of finished games."""
        while len(self._trees) < len(positions):
            state = self.spec.game.rules.STATE
            self._trees.append(_Tree(self._kernels, state, self._batch, self._exploration))
        del self._trees[len(positions) :]
        going = [number for number, position in enumerate(positions) if position.legal_actions()]
        trees = [self._trees[number] for number in going]
        known = [self._trees[number].prepare(positions[number], simulations) for number in going]
        self._simulate([tree for tree, kept in zip(trees, known, strict=True) if not kept], 1)  # their roots
        if self._noise:
            concentration, share = self._noise
            for children in (tree.children() for tree in trees):
                noise = self._random.dirichlet([concentration] * len(children))
                children["policy"] = (1 - share) * children["policy"] + share * noise
        while (
            left := [tree for tree in trees if tree.simulations < simulations]
        ) and time.perf_counter() < due:
            self._simulate(left, simulations)
        found: list[GuidedResult | None] = [None] * len(positions)
        for tree, number in zip(trees, going, strict=True):
            tree.root = positions[number].copy()
            found[number] = tree.result(positions[number].side_to_move, self._space)
        return found

    def _simulate(self, trees: Sequence[_Tree], simulations: int) -> None:
        """Do some simulations in each tree, up to `simulations`; their leaves are evaluated together."""
        waiting = [(tree, tree.gather(simulations)) for tree in trees]
        waiting = [(tree, count) for tree, count in waiting if count]
        for begin in range(0, len(waiting), most := max(1, MAX_BATCH // self._batch)):
            part = waiting[begin : begin + most]
            states = np.concatenate([tree.states[:count] for tree, count in part])
            logits, values = self._evaluator.policy_and_values(states)
            first = 0
            for tree, count in part:
                own = slice(first, first + count)
                tree.insert(count, self._space.dense, logits[own], values[own])
                first += count


def _check_noise(noise: object) -> None:
    """Raise an error unless `noise` is a concentration above 0 and a share from 0 to 1."""
    if not (isinstance(noise, tuple) and len(noise) == 2 and all(isinstance(part, Real) for part in noise)):
        raise argument_error(noise, "noise", "a concentration and a share, such as (0.3, 0.25)")
    if not (0 < noise[0] < math.inf and 0 <= noise[1] <= 1):
        raise OptionError(f"noise: expected a concentration above 0 and a share from 0 to 1, got {noise}")


class _Tree:
    """The tree of one game, which the compiled search works on.

    Attributes
    ----------
    root : Position or None
        That it belongs to; None while it is of no use.
    states : ndarray of STATE, shape (batch,)
        The leaves that wait for an evaluation.
    """

    def __init__(self, kernels: Any, state: Any, batch: int, exploration: float) -> None:
        self.root: Position | None = None
        self._kernels, self._batch = kernels, batch
        self._search = np.zeros(1, kernels.SEARCH)[0]
        self._search["exploration"], self._search["reduction"] = exploration, kernels.FPU_LOSS
        self._search["depth"] = kernels.MAX_PATH
        self.states = np.zeros(batch, state)
        self._paths = np.zeros((batch, kernels.MAX_PATH), np.int32)
        self._lengths = np.zeros(batch, np.int32)
        self._nodes = np.zeros(1, kernels.NODE)

    @property
    def simulations(self) -> int:
        """How many there have been, in what was kept as well."""
        return int(self._search["simulations"])

    def prepare(self, position: Position, simulations: int) -> bool:
        """Begin at a position, and return whether it was known; the tree is of no use till the end."""
        from tengen.search import repetition

        index, self.root = self._index_of(position), None
        branching = min(BRANCHING, position.num_actions)
        most = min(MAX_NODES, (simulations + self._batch + 1) * branching)
        if index is not None:
            old, room = self._nodes, min(MAX_NODES, int(self._search["used"]) + most)
            self._nodes = np.zeros(room, self._kernels.NODE)
            used = self._kernels.layout.reuse_subtree(old, np.int64(index), self._nodes, np.int64(0))
            self._search["used"], self._search["simulations"] = used, self._nodes[0]["visits"]
        else:
            if len(self._nodes) < most:
                self._nodes = np.zeros(most, self._kernels.NODE)
            self._nodes[0] = np.zeros(1, self._kernels.NODE)[0]
            self._search["used"], self._search["simulations"] = 1, 0
        self._search["states"][0] = position.stepped_state
        repetition.set_up(self._search, position)
        return index is not None

    def _index_of(self, position: Position) -> int | None:
        """Return the index of the node of `position`; None if the tree has none, or it has no children."""
        from tengen.search.mcts.tree import child_range

        last, walker, path = self.root, position.copy(), list(position.steps)
        if last is None or len(walker.turns_played) < len(last.turns_played):
            return None
        while len(walker.turns_played) > len(last.turns_played):
            side, turn = walker.sides_played[-1], walker.pop()
            if side != walker.side_to_move:  # played out of turn
                return None
            path[:0] = walker.parse_turn(turn)
        known = len(last.steps)
        same = (last.spec, last.start_text, last.turns_played, last.sides_played, last.steps) == (
            walker.spec, walker.start_text, walker.turns_played, walker.sides_played, tuple(path[:known]),
        )  # fmt: skip
        index = 0
        for action in path[known:] if same else ():
            first, count = child_range(self._nodes, index)
            found = np.flatnonzero(self._nodes["action"][first : first + count] == action)
            if not len(found):
                return None
            index = first + int(found[0])
        return index if same and self._nodes[index]["block"] else None

    def gather(self, simulations: int) -> int:
        """Descend to leaves, up to so many simulations in all; return how many wait for an evaluation."""
        wanted = min(simulations - self.simulations, self._batch)
        return int(self._kernels.gather(*self._shared, wanted))

    def insert(
        self, count: int, dense: Any, logits: NDArray[np.float32], values: NDArray[np.float32]
    ) -> None:
        """Expand the leaves that wait, and back their values up."""
        self._kernels.insert(*self._shared, count, dense, logits, values)

    @property
    def _shared(self) -> tuple[Any, ...]:
        return self._search, self._nodes, self.states, self._paths, self._lengths

    def children(self) -> Any:
        """Return the children of the root."""
        from tengen.search.mcts.tree import child_range

        first, count = child_range(self._nodes, 0)
        return self._nodes[first : first + count]

    def result(self, side: int, space: Any) -> GuidedResult:
        """Return what has been found for a side to move."""
        children = self.children()
        visits, priors = np.zeros(space.size, np.int32), np.zeros(space.size, np.float32)
        visits[space.dense[children["action"]]] = children["visits"]
        priors[space.dense[children["action"]]] = children["policy"]
        shares = visits if visits.any() else priors
        policy = (shares / shares.sum()).astype(np.float32)
        best = int(space.dense[children["action"][np.lexsort((-children["policy"], -children["visits"]))[0]]])
        root = self._nodes[0]
        value = 2 * float(root["value"]) - 1
        return GuidedResult(best, visits, policy, value if side == 0 else -value, int(root["visits"]))
