"""A search by alpha-beta: the threads that deepen one position over one transposition table."""

from __future__ import annotations

from typing import Any

from tengen.engine.challenge import ChallengeGame
from tengen.engine.weights import Parameters
from tengen.search.alphabeta.abdada import CurrentlySearching
from tengen.search.alphabeta.challenge import Announcements, Answers, Draw
from tengen.search.alphabeta.deepening import PvLine, Searcher, SearchThread, iterative_deepening
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.clock import Iterations
from tengen.search.info import Info
from tengen.search.limits import MAX_DEPTH
from tengen.search.run import SearchRun

CLAIM_NODES = 100_000  # least limit of nodes until a win that the last search has claimed is found again


class AlphaBetaRun(SearchRun):
    """A search by alpha-beta.

    Parameters
    ----------
    table : TranspositionTable
    parameters : Parameters or None
        Those of the evaluation; None for the shipped ones.
    chance : float
        The challenger's chance in what is played for a challenge, if its rules do not determine it.
    *arguments
        See `SearchRun`.
    """

    METHOD = "alphabeta"

    def __init__(
        self,
        table: TranspositionTable,
        parameters: Parameters | None,
        chance: float,
        *arguments: Any,
    ) -> None:
        super().__init__(*arguments)
        self._table, self._parameters, self._chance = table, parameters, chance
        self._threads: list[Searcher] = []
        self._iterations = Iterations()
        self._best: PvLine | None = None  # last report of the best turn

    def _infos(self) -> list[Info]:
        self._threads = self._searchers()
        helpers = self._helpers(len(self._threads) - 1, self._help)
        lines = iterative_deepening(self._threads[0], self._limits, self._report, self._should_stop)
        claims = lines and lines[0].wins
        self._table.claim = (*self._position.turns_played, lines[0].turns[0]) if claims else ()
        self._released.wait()  # pondering, or infinite: the helpers go on
        self._flag.set()
        for helper in helpers:
            helper.join()
        return [self._info(line) for line in lines]

    def _searchers(self) -> list[Searcher]:
        """Return the searchers, the main thread's first."""
        nodes = self._limits.nodes or 0
        if nodes and self._limits.multipv == 1 and self._follows_claim():
            nodes = max(nodes, CLAIM_NODES)
        contest = self._position if isinstance(self._position, ChallengeGame) else None
        if contest and contest.trial:
            return [Draw(contest, self._table, self._flag, nodes)]
        if contest and contest.active is None:
            return [Answers(contest, self._table, self._flag, nodes, self._chance)]
        limit = -(-nodes // self._count)
        currently_searching = CurrentlySearching() if self._count > 1 else None

        def make_thread(limit: int) -> SearchThread:
            return SearchThread(
                self._position, self._table, self._flag, limit, currently_searching, self._parameters
            )

        helpers = [make_thread(limit) for _ in range(self._count - 1)]
        if contest and contest.may_announce:
            weighing = Announcements(contest, self._table, self._flag, limit, self._chance, make_thread)
            return [weighing, *helpers]
        return [make_thread(limit), *helpers]

    def _follows_claim(self) -> bool:
        """Return whether the opponent has replied to a turn with which the last search has claimed a win."""
        claim, played = self._table.claim, tuple(self._position.turns_played)
        return len(claim) > 0 and played[: len(claim)] == claim and len(played) > len(claim)

    def _help(self, number: int) -> None:
        """Search the same position beside the main thread; results are shared through the table."""
        thread = self._threads[number]
        line: PvLine | None = None
        for depth in range(1 + number % 2, MAX_DEPTH + 1):
            line = thread.search(depth, line, ())
            if thread.stopped or line is None:
                return

    def _should_stop(self, depth: int) -> bool:
        """Return whether to begin no further iteration."""
        if self._pondering:
            return False
        if self._limits.clock is None or self._budget.soft is None or self._best is None:
            return self._budget.soft is not None and self._elapsed() >= self._budget.soft
        rate = self._best.score.win_rate(self._position.scale)
        self._iterations.add(self._best.key, rate, self._elapsed() - self._pondered)
        planned, solving = self._budget.soft - self._pondered, self._threads[0].solving
        return self._has_single_turn or self._iterations.enough(planned, solving)

    def _report(self, line: PvLine) -> None:
        """Report a line as live info."""
        if line.rank == 1:
            self._best = line
        if self._on_info:
            self._on_info(self._info(line))

    def _info(self, line: PvLine) -> Info:
        return Info(
            line.rank,
            line.depth,
            self._threads[0].deepest,
            line.score,
            line.bound,
            self._nodes(),
            self._elapsed(),
            self._table.hashfull(),
            line.turns,
        )

    def _nodes(self) -> int:
        return sum(thread.nodes for thread in self._threads)

    def _release_memory(self) -> None:
        self._threads = []  # break a reference cycle that would keep megabytes alive
