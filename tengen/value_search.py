"""Alpha-beta search with values of one's own, evaluated in batches."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.engine.errors import OptionError, require
from tengen.engine.game import Game, Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.evaluators import EvaluateValues, Evaluator
from tengen.search.batch import Batch
from tengen.search.limits.clock import time_budget
from tengen.search.limits.limit import MAX_DEPTH, Limit
from tengen.tuning.players.own import Player

WIN, PLY = 2.0, 1 / 1024  # values beyond 1 are wins; each action before one makes it a little worse
MAX_KEPT = 1 << 22  # positions whose values are kept
Line = tuple[int, ...]


@dataclass(frozen=True)
class ValueResult:
    """What an alpha-beta search with values of one's own has found.

    Attributes
    ----------
    action : int
        The best action.
    value : float
        Its value for the side to move, from -1 to 1.
    pv : tuple of int
        The principal variation, the best action first.
    depth : int
        Actions that were looked ahead.
    nodes : int
        Positions visited.
    proven : bool
        Whether a win or a loss is certain.
    """

    action: int
    value: float
    pv: tuple[int, ...]
    depth: int
    nodes: int
    proven: bool


class ValueSearch(Player):
    """Iterative-deepening alpha-beta whose leaves are evaluated by a function of yours.

    It finds what minimax finds at the same depth. All positions after one are evaluated together, and those
    with the best values are searched first. Finished games count by the rules, sooner wins more. Depths are
    actions, not turns; all stones count as alive at the end. A position that has occurred twice in the game
    is a draw where the rules have it drawn the third time. In matches it is a player of one's own. What has
    been evaluated is kept for later turns.

    Parameters
    ----------
    spec : GameSpec, Game or str
        Without challenges; the game must offer observations.
    evaluate : callable
        ``evaluate(observations, legal_masks)`` returns values, shape (n,), for the sides to move, from -1
        (lost) to 1, or a policy and such values, as for `GuidedSearch`; the policy is not used. Observations
        have the shape (n, planes, rows, columns), masks (n, num_actions).
    """

    def __init__(self, spec: GameSpec | Game | str, evaluate: EvaluateValues) -> None:
        from tengen.search.binding import bound

        self._evaluator = Evaluator(spec, evaluate)
        self.spec = self._evaluator.spec
        self._rules = bound(self.spec.game)
        self._limit, self._due = Limit(), math.inf
        self.new_game()

    def new_game(self) -> None:
        """Forget what earlier searches have found."""
        self._table: dict[int, _Node] = {}
        self._kept = self._nodes = 0
        self._drawn: list[int] = []  # keys of positions that are draws if they occur again

    def run(self, position: Position, limit: Limit) -> ValueResult:
        """Search a position and return what has been found.

        Parameters
        ----------
        position : Position
            Of this spec, also within a turn; it stays as it is.
        limit : Limit
            Depth, nodes, a time or a clock. An unfinished iteration does not count; the first one is always
            finished.

        Raises
        ------
        OptionError
            If the game is over or another one, there is no limit, or `evaluate` returns no values from -1 to
            1, one for each position.
        """
        require(position, Position, "position", "a tengen.Position")
        require(limit, Limit, "limit", "a tengen.Limit")
        if position.spec != self.spec:
            raise OptionError(f"position: expected one of {self.spec}, got one of {position.spec}")
        if not position.legal_actions():
            raise OptionError("position: expected a game that goes on, got one that is over")
        seconds = time_budget(limit, position).soft
        if (limit.depth, limit.nodes, seconds) == (None, None, None):
            raise OptionError("limit: expected a depth, nodes or a time, got none")
        if self._drawn != position.drawn_keys or self._kept > MAX_KEPT:
            self.new_game()
            self._drawn = position.drawn_keys
        self._limit, self._due, self._nodes = Limit(), math.inf, 0
        value, line, depth = *self._search(position.stepped_state, 1, -math.inf, math.inf), 1
        self._limit, self._due = limit, math.inf if seconds is None else time.perf_counter() + seconds
        try:
            while depth < (limit.depth or MAX_DEPTH) and abs(value) <= 1:
                value, line = self._search(position.stepped_state, depth + 1, -math.inf, math.inf)
                depth += 1
        except _Stopped:
            pass
        return ValueResult(line[0], min(max(value, -1.0), 1.0), line, depth, self._nodes, abs(value) > 1)

    def play(self, position: Position, limit: Limit) -> str:
        """Return the turn to play.

        Parameters
        ----------
        position : Position
            Of this spec.
        limit : Limit
            As for `run`. A turn that is longer than what has been looked ahead is searched again within.

        Raises
        ------
        OptionError
            As for `run`.
        """
        played = position.copy()
        while True:
            for action in self.run(played, limit).pv:
                if turn := played.step(action):
                    return turn

    def _search(self, state: Any, depth: int, alpha: float, beta: float) -> tuple[float, Line]:
        """Return the value for the side to move, exact within the window, else a bound, and the best line."""
        if (self._limit.nodes and self._nodes >= self._limit.nodes) or time.perf_counter() >= self._due:
            raise _Stopped
        self._nodes += 1
        node = self._node(state)
        if depth == 1 or node.values[0] > 1:
            return node.values[0], node.actions[:1]
        if node.depth == depth and (node.low == node.high or node.low >= beta or node.high <= alpha):
            return node.low if node.low > -math.inf else node.high, node.line
        best, line, lowest = -math.inf, node.line, alpha
        for index in sorted(range(len(node.actions)), key=lambda i: node.actions[i] != line[0]):
            action, value = node.actions[index], node.values[index]
            rest: Line = ()
            if not node.ended[index]:
                child = state.copy()
                self._rules.do_move(child, self._evaluator.space.raw[action])
                low, high = _further(alpha, PLY), _further(beta, PLY)
                if child.side_to_move == state.side_to_move:
                    value, rest = self._search(child, depth - 1, low, high)
                else:
                    value, rest = self._search(child, depth - 1, -high, -low)
                    value = -value
                value = _further(value, -PLY)
            if value > best:
                best, line = value, (action, *rest)
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        node.depth, node.line = depth, line
        node.low = best if best > lowest else -math.inf
        node.high = best if best < beta else math.inf
        return best, line

    def _node(self, state: Any) -> _Node:
        """Return what can be played in a state of kernels, with the values of the positions after it."""
        exact = hash(state.tobytes())  # what is legal, or seen, may depend on more than the key
        if exact in self._table:
            return self._table[exact]
        one = np.array([state])
        actions = np.flatnonzero(Batch.of_states(self.spec, one, threads=1).legal_mask()[0])
        after = Batch.of_states(self.spec, np.repeat(one, len(actions)), threads=1)
        after.step(actions, check=False)
        outcomes, side = after.outcomes, int(state.side_to_move)
        repeated = np.isin(after.states["key"], np.array(self._drawn, np.uint64))
        ended = (outcomes != 0) | (repeated & (after.states["partial"] == 0))
        values = np.where(outcomes == Outcome.FIRST_WINS + side, WIN - PLY, 0.0)
        values[outcomes == Outcome.SECOND_WINS - side] = PLY - WIN
        if not ended.all():
            going = after.states[~ended]
            values[~ended] = self._evaluator.values(going) * np.where(going["side_to_move"] == side, 1, -1)
        order = np.argsort(-values, kind="stable")
        played = tuple(actions[order].tolist())
        node = _Node(played, values[order].tolist(), ended[order].tolist(), played[:1])
        self._table[exact] = node
        self._kept += len(actions)
        self._nodes += len(actions)
        return node


class _Stopped(Exception):
    """The limits of a search are reached."""


@dataclass(slots=True)
class _Node:
    """A position that goes on: what can be played, and what an iteration has found."""

    actions: Line  # those with the best values first
    values: list[float]  # of the positions after them, for the side to move here
    ended: list[bool]  # whether the game is over there
    line: Line  # of the latest search, its depth, and bounds of its value
    depth: int = 0
    low: float = -math.inf
    high: float = math.inf


def _further(value: float, by: float) -> float:
    """Return a value by which a win or a loss is so much further from 0; others stay as they are."""
    return value + by if value > 1 else value - by if value < -1 else value
