"""Iterative deepening: a search thread's memory, aspiration, multi-PV, whole turns out of actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.jit import StopFlag, specialise
from engine.position import Position
from search.busy import BusyTable
from search.info import PROVEN, WIN, Score
from search.limits import MAX_DEPTH, Limits
from search.table import Table

ASPIRE_FROM_DEPTH = 4
WINDOW = 40  # centi-points around the last value; four times as wide after each miss
WIDEST = 4000
SOLVER_SHARE = 4  # for so many positions searched one action of the solver, which takes half as long
SOLVER_START = 5_000  # actions that it tries at first; twice as many whenever that does not do


@dataclass(frozen=True)
class Line:
    """A root turn and what is expected to follow, as one iteration left it.

    Attributes
    ----------
    rank, depth : int
        Place among the candidates (1 is best), and iteration.
    score : Score
    bound : str
        ``lower``, ``upper`` or empty, as in `search.info.Info`.
    actions : tuple of int
        The line.
    turns : tuple of str
        The whole turns that it makes up.
    key : int
        Zobrist key after the first turn.
    """

    rank: int
    depth: int
    score: Score
    bound: str
    actions: tuple[int, ...]
    turns: tuple[str, ...]
    key: int

    @property
    def wins(self) -> bool:
        """Whether it is a proven win."""
        return self.bound != "upper" and self.score.value >= PROVEN


class Searcher(Protocol):
    """What can be deepened: a `Thread`, or more than one seen as one."""

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    @property
    def deepest(self) -> int:
        """Greatest number of actions looked ahead."""

    @property
    def stopped(self) -> bool:
        """Whether the last search was broken off."""

    def search(
        self,
        depth: int,
        last: Line | None,
        excluded: Sequence[int],
        on_miss: Callable[[Line], None] | None = None,
    ) -> Line | None:
        """Search `depth` actions deep, as `Thread.search` does."""

    def prove(self, depth: int) -> Line | None:
        """Look for a proven win beside the search, as `Thread.prove` does."""


class Thread:
    """One search thread: its memory, and searches of fixed depth of one position.

    Parameters
    ----------
    position : Position
        The root.
    table : Table
        Shared with other threads.
    flag : StopFlag
        Ends a running search when set.
    node_limit : int
        Positions that this thread may visit; 0 for no limit.
    busy : BusyTable or None
        Shared with the other threads of this search; None when there are none.
    """

    def __init__(
        self,
        position: Position,
        table: Table,
        flag: StopFlag,
        node_limit: int = 0,
        busy: BusyTable | None = None,
    ) -> None:
        self._kernels = specialise("search.alphabeta", position.spec.game.rules)
        self._root = position
        self._flag = flag
        self._shared = table, busy  # the record holds only their addresses
        record = np.zeros(1, self._kernels.THREAD)[0]
        record.stop, record.table, record.mask, record.age = (
            flag.address,
            table.address,
            table.mask,
            table.age,
        )
        record.node_limit = node_limit
        record.busy = busy.address if busy else 0
        record.killers[:] = -1
        record.stack[0] = position.state
        self._record = record
        self._offers, self._patience = 0, SOLVER_START  # of the solver: with so many, trying so many actions

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._record.nodes)

    @property
    def deepest(self) -> int:
        """Greatest number of actions looked ahead."""
        return int(self._record.deepest)

    @property
    def stopped(self) -> bool:
        """Whether the last search was broken off."""
        return bool(self._record.stopped)

    def search(
        self,
        depth: int,
        last: Line | None,
        excluded: Sequence[int],
        on_miss: Callable[[Line], None] | None = None,
    ) -> Line | None:
        """Search the root `depth` actions deep.

        Parameters
        ----------
        depth : int
        last : Line or None
            What the iteration before found: tried first, and the middle of the window.
        excluded : sequence of int
            Keys after root turns that are not to be looked at.
        on_miss : callable, optional
            Called with a bound whenever the value lies outside the window and the search goes on with a wider
            one.

        Returns
        -------
        Line or None
            None when every turn is excluded, or when the search was broken off before it found anything.
        """
        record, infinite = self._record, self._kernels.INFINITE
        record.hint = last.actions[0] if last else -1
        record.excluded_count = len(excluded)
        record.excluded[: len(excluded)] = excluded
        rank = len(excluded) + 1
        low, high = -infinite, infinite
        margin = WINDOW
        if last and depth >= ASPIRE_FROM_DEPTH and abs(last.score.value) < PROVEN:
            low, high = last.score.value - margin, last.score.value + margin
        while True:
            record.pv_length[0] = 0
            value = int(self._kernels.search(record, depth, low, high, 0))
            if self.stopped:  # what was found until then stands: other turns may be better
                return self._line(rank, depth, int(record.root_value), "lower")
            if low < value < high or (low == -infinite and high == infinite):
                return self._line(rank, depth, value, "")
            bound = "lower" if value >= high else "upper"
            before = last if last and last.key not in excluded else None
            if on_miss and (missed := self._line(rank, depth, value, bound) or before):
                on_miss(missed if bound == "lower" else self._relabelled(missed, depth, value))
            margin *= 4
            wide = margin > WIDEST or abs(value) >= PROVEN
            if bound == "lower":
                high = infinite if wide else value + margin
            else:
                low = -infinite if wide else value - margin

    def prove(self, depth: int) -> Line | None:
        """Go on looking for a win by threats, for a share of the positions that have been searched.

        Parameters
        ----------
        depth : int
            The iteration that this comes after.

        Returns
        -------
        Line or None
            The winning line; None when the share is used up, or no win is to be found.
        """
        solver, record = self._kernels.solver, self._record
        if solver is None:
            return None
        record.attacker = self._root.turn
        while self._offers < solver.MOST_OFFERS:
            if record.solver_nodes + self._patience > max(record.nodes // SOLVER_SHARE, SOLVER_START):
                return None
            record.solver_limit, record.unsolved = record.solver_nodes + self._patience, 0
            turns = int(solver.prove(record, 0, self._kernels.MAX_PLY, self._offers, False))
            if turns:
                return self._line(1, depth, WIN - turns, "")
            if record.unsolved:  # from the root again, later
                self._patience *= 2
            else:
                self._offers += 1
        return None

    def _line(self, rank: int, depth: int, value: int, bound: str) -> Line | None:
        """Return the best line of the last search; None when it has found none."""
        actions = tuple(self._record.pv[0][: self._record.pv_length[0]].tolist())
        turns, key = whole_turns(self._root, actions)
        return Line(rank, depth, Score(value), bound, actions, turns, key) if turns else None

    @staticmethod
    def _relabelled(line: Line, depth: int, value: int) -> Line:
        """Return the line of an earlier iteration with the bound by which this one fell short."""
        return Line(line.rank, depth, Score(value), "upper", line.actions, line.turns, line.key)


def whole_turns(position: Position, actions: Sequence[int]) -> tuple[tuple[str, ...], int]:
    """Return the texts of the turns that `actions` complete, and the key after the first of them.

    A turn that may be challenged is expected to be accepted, which stands behind it.
    """
    game = position.spec.game
    before, state = position.state.copy(), position.state.copy()
    turns: list[str] = []
    begun: list[int] = []
    key = 0
    for action in actions:
        game.rules.do_move(state, action)
        begun.append(action)
        if not state.partial:
            turns += position.entries(before, begun)
            key = key or int(state.key)
            before, begun = state.copy(), []
    return tuple(turns), key


def deepen(
    thread: Searcher,
    limits: Limits,
    on_line: Callable[[Line], None],
    enough: Callable[[int], bool],
) -> list[Line]:
    """Search deeper and deeper until a limit is reached, or nothing is left to find out.

    Parameters
    ----------
    thread : Searcher
    limits : Limits
        Its depth and number of candidates; nodes and time reach the thread from outside.
    on_line : callable
        Called with every line as it is found.
    enough : callable
        Asked with the depth after each complete iteration whether to end there.

    Returns
    -------
    list of Line
        The candidates of the last iteration, best first; those that it did not reach, from the one before.
    """
    best: list[Line] = []
    won: Line | None = None  # the shortest win that is proven
    depth = 0
    while depth < min(limits.depth or MAX_DEPTH, MAX_DEPTH):
        depth += 1
        found: list[Line] = []
        for rank in range(limits.multipv):
            last = best[rank] if rank < len(best) else None
            line = thread.search(depth, last, [earlier.key for earlier in found], on_line)
            if line:
                found.append(line)
                on_line(line)
            if thread.stopped or not line:
                break
        if not thread.stopped:  # a later candidate may have turned out better than an earlier one
            found.sort(key=lambda line: -line.score.value)
        best = _merged(found, best)
        if best and best[0].wins and not (won and won.score.value >= best[0].score.value):
            won = best[0]
        ended = thread.stopped or not best or enough(depth)
        if not (ended or won):
            won = thread.prove(depth)
        if won and best and best[0].score.value < won.score.value:
            best = _merged([won], best)
            for line in best:
                on_line(line)
            ended = ended or (_ends_by_itself(limits) and limits.multipv == 1)
        if ended or _decided(best, depth, limits):
            break
    return best


def _merged(found: list[Line], before: list[Line]) -> list[Line]:
    """Return the lines of an iteration, filled up from the one before; no root turn stands twice."""
    keys = {line.key for line in found}
    merged = found + [line for line in before if line.key not in keys]
    merged = merged[: max(len(found), len(before))]
    return [Line(i, x.depth, x.score, x.bound, x.actions, x.turns, x.key) for i, x in enumerate(merged, 1)]


def _ends_by_itself(limits: Limits) -> bool:
    """Return whether a search may end before it has used up what it may use."""
    return not limits.infinite and limits.depth is None and limits.nodes is None


def _decided(lines: list[Line], depth: int, limits: Limits) -> bool:
    """Return whether every candidate is proven, and no deeper search can end sooner."""
    return _ends_by_itself(limits) and all(
        line.score.end_in is not None and abs(line.score.end_in) <= depth for line in lines
    )
