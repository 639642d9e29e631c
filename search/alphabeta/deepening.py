"""Iterative deepening: a search thread's memory, aspiration, multi-PV, whole turns out of actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tengen.engine.jit import StopFlag, specialise
from tengen.engine.position import Position
from tengen.search.alphabeta.abdada import BusyTable
from tengen.search.alphabeta.endgame_solver import Ending
from tengen.search.alphabeta.table import Table
from tengen.search.binding import bound
from tengen.search.info import PROVEN, WIN, Score
from tengen.search.limits import MAX_DEPTH, Limits

ASPIRE_FROM_DEPTH = 4
WINDOW = 40  # centi-points around the last value; four times as wide after each miss
WIDEST = 4000
SOLVER_SHARE = 4  # for so many positions searched one action of the solver, which takes half as long
SOLVER_START = 5_000  # actions that it tries at first; twice as many whenever that does not do
ENDING_START = 20_000  # positions of an ending that are looked at before a search without a depth begins
ENDING_SHARE = 2  # ... and later one for so many positions that have been searched
FAR_SHARE = 4  # ... instead of both where more is left than `game.NEAR`, if the depth is not limited
SLICE = 250_000  # positions searched until it gets its share in the middle of an iteration
ENDING_MARGIN = 10  # times as many for the margin, once it is known who wins
ENDING_LINE = 20_000  # positions looked at for the line that is expected then


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
    key : int
        Zobrist key after the first turn.
    texts : callable
        Returns `turns`; called when they are asked for, since most lines are never shown.
    """

    rank: int
    depth: int
    score: Score
    bound: str
    actions: tuple[int, ...]
    key: int
    texts: Callable[[], tuple[str, ...]]

    @cached_property
    def turns(self) -> tuple[str, ...]:
        """The whole turns that the line makes up."""
        return self.texts()

    @property
    def wins(self) -> bool:
        """Whether it is a proven win."""
        return self.bound != "upper" and self.score.value >= PROVEN

    def improves(self, other: Line) -> bool:
        """Whether this proven line says more than `other`: a sooner win, or a margin."""
        if self.score.margin is not None:
            return self.score != other.score
        return self.score.value > other.score.value


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

    def prove(self, depth: int, proven: Line | None) -> Line | None:
        """Look for a proven win beside the search, as `Thread.prove` does."""

    def news(self) -> Line | None:
        """Return what has been proven in the middle of the last search, once."""


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
    weights : ndarray or None
        Table of weights of the evaluation (`engine.weights.Evaluation.expand`); None for the shipped ones.
    """

    def __init__(
        self,
        position: Position,
        table: Table,
        flag: StopFlag,
        node_limit: int = 0,
        busy: BusyTable | None = None,
        weights: NDArray[np.int64] | None = None,
    ) -> None:
        self._kernels = specialise("tengen.search.alphabeta.search", bound(position.spec.game))
        self._root = position
        self._flag = flag
        self._shared = table, busy  # the record holds only their addresses
        record = np.zeros(1, self._kernels.THREAD)[0]
        record["stop"], record["table"], record["mask"], record["age"] = (
            flag.address,
            table.address,
            table.mask,
            table.age,
        )
        record["node_limit"] = node_limit
        record["busy"] = busy.address if busy else 0
        record["killers"][:] = -1
        record["stack"][0] = position.state
        record["weights"] = bound(position.spec.game).TABLE if weights is None else weights
        self._record = record  # its fields are read by index here: as attributes they take longer
        self._offers, self._patience = 0, SOLVER_START  # of the solver: with so many, trying so many actions
        rules = position.spec.game.rules
        self._ending: Ending | None = None
        self._near = True  # whether it is likely enough to be solved to have more than a small share
        self._sliced = False  # whether it gets its share in the middle of iterations, too
        self._news: Line | None = None  # what it has come to in the middle of an iteration
        if hasattr(rules, "ENDING") and rules.left(position.state) <= rules.ENDING:
            self._ending = Ending(position, table, flag, weights)
            self._near = bool(rules.left(position.state) <= rules.NEAR)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._record["nodes"])

    @property
    def deepest(self) -> int:
        """Greatest number of actions looked ahead."""
        return int(self._record["deepest"])

    @property
    def stopped(self) -> bool:
        """Whether the last search was broken off."""
        return bool(self._record["stopped"])

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
        record["hint"] = last.actions[0] if last else -1
        record["excluded_count"] = len(excluded)
        record["excluded"][: len(excluded)] = excluded
        rank = len(excluded) + 1
        low, high = -infinite, infinite
        margin = WINDOW
        if last and depth >= ASPIRE_FROM_DEPTH and abs(last.score.value) < PROVEN:
            low, high = last.score.value - margin, last.score.value + margin
        while True:
            value = self._search_window(depth, low, high)
            if self._news:
                return None
            if self.stopped:  # what was found until then stands: other turns may be better
                return self._line(rank, depth, int(record["root_value"]), "lower")
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

    def _search_window(self, depth: int, low: int, high: int) -> int:
        """Search the root; return its value, which means nothing if the search was broken off.

        An ending gets its share on the way: where it brings `_news` the search ends.
        """
        record, limit = self._record, int(self._record["node_limit"])
        while True:
            pause = self._pause(limit)
            record["pv_length"][0], record["node_limit"] = 0, pause or limit
            value = int(self._kernels.search(record, depth, low, high, 0))
            record["node_limit"] = limit
            if not (pause and self.stopped) or self._flag:
                return value
            record["stopped"] = 0
            if record["pv_length"][0]:  # what was found until then is looked at first
                record["hint"] = record["pv"][0][0]
            assert self._ending
            self._news = self._prove_ending(self._ending, depth)
            if self._news:
                return value

    def _pause(self, limit: int) -> int:
        """Return with how many positions to see to the ending next, 0 for not before `limit`, or the end."""
        if not (self._sliced and self._ending) or self._ending.exact:
            return 0
        pause = int(self._record["nodes"]) + SLICE
        return pause if not limit or pause < limit else 0

    def prove(self, depth: int, proven: Line | None) -> Line | None:
        """Go on looking for a win by threats, or for the end, for a share of what has been searched.

        Parameters
        ----------
        depth : int
            The iteration that this comes after, 0 before all: then more is looked at, to begin with.
        proven : Line or None
            What has been proven already.

        Returns
        -------
        Line or None
            The winning line, or that of an ending whose result is known; None when the share is used up, or
            nothing more is to be found.
        """
        if depth == 0:
            self._sliced = True
        if self._ending:
            return self.news() or self._prove_ending(self._ending, depth)
        solver, record = self._kernels.solver, self._record
        if solver is None or proven or depth == 0:
            return None
        record["attacker"] = self._root.turn
        while self._offers < solver.MOST_OFFERS:
            if record["solver_nodes"] + self._patience > max(record["nodes"] // SOLVER_SHARE, SOLVER_START):
                return None
            record["solver_limit"], record["unsolved"] = record["solver_nodes"] + self._patience, 0
            turns = int(solver.prove(record, 0, self._kernels.MAX_PLY, self._offers, False))
            if turns:
                return self._line(1, depth, WIN - turns, "")
            if record["unsolved"]:  # from the root again, later
                self._patience *= 2
            else:
                self._offers += 1
        return None

    def news(self) -> Line | None:
        """Return what has been proven of an ending in the middle of the last search, once."""
        news, self._news = self._news, None
        return news

    def _prove_ending(self, ending: Ending, depth: int) -> Line | None:
        """Go on solving the ending; return the line when its sign or its margin has become known."""
        record, before, sign = self._record, ending.nodes, ending.sign

        def affordable(nodes: int) -> int:
            """Return how many of so many positions the limit allows: the search goes on with another one."""
            limit, used = int(record["node_limit"]), int(record["nodes"]) + ending.nodes - before
            return max(0, min(nodes, limit - used - 1) if limit else nodes)

        if ending.exact or not (self._near or self._sliced):
            return None
        searched = int(record["nodes"]) - before
        start = ENDING_START if self._near and self._sliced else 0
        share = start + searched // (ENDING_SHARE if self._near else FAR_SHARE) - before
        if ending.measurable:
            share = ENDING_MARGIN * max(start, share)
        found = ending.advance(affordable(share))
        actions = ending.line(affordable(ENDING_LINE)) if found else ()
        if found and sign is None and ending.measurable:  # the margin, too
            ending.advance(affordable(ENDING_MARGIN * max(ending.nodes, start)))
            actions = ending.line(affordable(ENDING_LINE)) if ending.exact else actions
        record["nodes"] += ending.nodes - before
        sign, key = ending.sign, key_after_turn(self._root, actions)
        if sign is None or key is None:
            return None
        texts = partial(whole_turns, self._root, actions)
        score = Score(sign * (WIN - len(texts())), ending.low if ending.exact else None)
        return Line(1, depth, score, "", actions, key, texts)

    def _line(self, rank: int, depth: int, value: int, bound: str) -> Line | None:
        """Return the best line of the last search; None when it has found none."""
        actions = tuple(self._record["pv"][0][: self._record["pv_length"][0]].tolist())
        key = key_after_turn(self._root, actions)
        if key is None:
            return None
        texts = partial(whole_turns, self._root, actions)
        return Line(rank, depth, Score(value), bound, actions, key, texts)

    @staticmethod
    def _relabelled(line: Line, depth: int, value: int) -> Line:
        """Return the line of an earlier iteration with the bound by which this one fell short."""
        return replace(line, depth=depth, score=Score(value), bound="upper")


def key_after_turn(position: Position, actions: Sequence[int]) -> int | None:
    """Return the key after the first turn that `actions` complete; None when they complete none."""
    rules, state = position.spec.game.rules, position.state.copy()
    for action in actions:
        rules.do_move(state, action)
        if not state["partial"]:
            return int(state["key"])
    return None


def whole_turns(position: Position, actions: Sequence[int]) -> tuple[str, ...]:
    """Return the texts of the turns that `actions` complete.

    A turn that may be challenged is expected to be accepted, which stands behind it.
    """
    game = position.spec.game
    before, state = position.state.copy(), position.state.copy()
    turns: list[str] = []
    begun: list[int] = []
    for action in actions:
        game.rules.do_move(state, action)
        begun.append(action)
        if not state["partial"]:
            turns += position.entries(before, begun)
            before, begun = state.copy(), []
    return tuple(turns)


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
    proven = thread.prove(0, None) if limits.depth is None else None  # the best that is
    best = [proven] if proven else []

    def tell(*lines: Line) -> None:
        for line in lines:
            on_line(_judged(line, proven))

    if proven:
        tell(*best)
        if _settles(proven, limits):
            return best
    depth = 0
    while depth < min(limits.depth or MAX_DEPTH, MAX_DEPTH):
        depth += 1
        found: list[Line] = []
        for rank in range(limits.multipv):
            last = best[rank] if rank < len(best) else None
            line = thread.search(depth, last, [earlier.key for earlier in found], tell)
            if line:
                found.append(line)
                tell(line)
            if thread.stopped or not line:
                break
        ranked = found
        if not thread.stopped:  # a later candidate may have turned out better than an earlier one
            ranked = sorted(found, key=lambda line: -line.score.value)
        best = _merged(ranked, best)
        if ranked != found:  # ... than what has been reported
            tell(*best)
        if best and best[0].wins and not (proven and proven.score.value >= best[0].score.value):
            proven = best[0]
        ended = thread.stopped or not best or enough(depth)
        news = thread.news() if ended else thread.prove(depth, proven)
        proven = news or proven
        if proven and best and proven.improves(best[0]):
            best = _merged([proven], best)
            tell(*best)
            ended = ended or _settles(proven, limits)
        elif news:
            tell(*best)
        if ended or _decided(best, depth, limits):
            break
    return [_judged(line, proven) for line in best]


def _judged(line: Line, proven: Line | None) -> Line:
    """Return `line` as the loss that is `proven` without a margin: then its turns set more problems."""
    if proven is None or proven.score.value > -PROVEN or line.score.proven:
        return line
    return replace(line, score=proven.score, bound="")


def _merged(found: list[Line], before: list[Line]) -> list[Line]:
    """Return the lines of an iteration, filled up from the one before; no root turn stands twice."""
    keys = {line.key for line in found}
    merged = found + [line for line in before if line.key not in keys]
    merged = merged[: max(len(found), len(before))]
    return [replace(line, rank=rank) for rank, line in enumerate(merged, 1)]


def _ends_by_itself(limits: Limits) -> bool:
    """Return whether a search may end before it has used up what it may use."""
    return not limits.infinite and limits.depth is None and limits.nodes is None


def _settles(line: Line, limits: Limits) -> bool:
    """Return whether nothing better than this proven line needs to be looked for."""
    certain = line.wins or line.score.margin is not None
    return certain and _ends_by_itself(limits) and limits.multipv == 1


def _decided(lines: list[Line], depth: int, limits: Limits) -> bool:
    """Return whether every candidate is proven, and no deeper search can end sooner."""
    return _ends_by_itself(limits) and all(
        line.score.end_in is not None and abs(line.score.end_in) <= depth for line in lines
    )
