"""A search by alpha-beta: the threads that deepen one position over one transposition table."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tengen.engine.play.challenge import ChallengeGame
from tengen.engine.weights import Parameters
from tengen.search.alphabeta.abdada import CurrentlySearching
from tengen.search.alphabeta.challenge import Announcements, Branches, answers, trial_result
from tengen.search.alphabeta.deepening import Deepening, is_decisive
from tengen.search.alphabeta.line import PvLine
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchOptions, SearchThread
from tengen.search.alphabeta.threat_prover import HELPER_PROOF_RATE
from tengen.search.binding import bound
from tengen.search.info import Info
from tengen.search.levels import ALL_SOLVERS, log_odds
from tengen.search.limits.clock import Iterations
from tengen.search.limits.limit import MAX_DEPTH
from tengen.search.run import SearchRun

WIN_NODES = 100_000  # least limit of nodes until a win that the last search has proven is found again
WIN_FLOOR = 10_000  # positions that are searched for it, however little time is left
LEVEL_FLOOR = 12_000  # positions of a level that are searched, however late they come


class AlphaBetaRun(SearchRun):
    """A search by alpha-beta; `parameters` of the evaluation are None for the shipped ones.

    `chance` is the challenger's in what is played for a challenge, if its rules do not determine it.
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
        self._threads: list[SearchThread | Branches] = []
        self._iterations = Iterations()
        self._best: PvLine | None = None  # last report of the best turn
        self._exact: dict[int, dict[int, PvLine]] = {}  # by depth and key: lines that are no bounds
        self._floor = 0  # positions that are searched, whatever the time

    def _infos(self) -> list[Info]:
        self._threads = self._searchers()
        helpers = self._helpers(len(self._threads) - 1, self._help)
        lines = Deepening(self._threads[0], self._effort, self._report).run(self._should_stop)
        proven = lines and lines[0].wins and not self._limits.restrictions
        self._table.proven_win = (*self._position.turns_played, lines[0].turns[0]) if proven else ()
        self._released.wait()  # pondering, or infinite: the helpers go on
        self._flag.set()
        for helper in helpers:
            helper.join()
        for thread in self._threads:
            if isinstance(thread, SearchThread):
                thread.release()
        return [self._info(line) for line in self._chosen(lines)]

    def _chosen(self, lines: list[PvLine]) -> list[PvLine]:
        """Return `lines`; with a handicap those to report, ranked anew, the one that it plays in front."""
        if not (self._handicap and lines):
            return lines
        candidates, scale = self._of_one_depth(lines), self._position.scale
        values = [log_odds(line.score, scale) for line in candidates]
        sure = candidates[0].wins or self._starts_game(candidates[0])
        chosen = self._handicap.choose(self._game_position.turns_played, candidates, values, sure)
        return [replace(line, rank=rank) for rank, line in enumerate(chosen[: self._limits.multipv], 1)]

    def _starts_game(self, line: PvLine) -> bool:
        """Whether a game begins, and `line` with its only action worth searching, such as the middle."""
        if self._position.turns_played:
            return False
        rules = bound(self._position.spec.game)
        actions = np.zeros(rules.MAX_ACTIONS, np.int32)
        count = int(rules.generate_candidates(self._position.state, actions))
        return count == 1 and line.actions[0] == int(actions[0])

    def _of_one_depth(self, lines: list[PvLine]) -> list[PvLine]:
        """Return the candidates of the last iteration that has scored most of them, best first.

        The one turn that starts a game comes before all (`_starts_game`).
        Scores of searches to different depths cannot be compared. A proven best line needs no comparison.
        """
        if lines[0].score.is_proven or not self._exact:
            return lines
        depth = max(self._exact, key=lambda depth: (len(self._exact[depth]), depth))
        best_first = sorted(self._exact[depth].values(), key=lambda line: -line.score.value)
        return sorted(best_first, key=self._starts_game, reverse=True)

    def _searchers(self) -> list[SearchThread | Branches]:
        """Return the searchers, the main thread's first."""
        nodes = self._effort.nodes or 0
        if self._handicap:
            self._floor = min(nodes, LEVEL_FLOOR)
        elif self._effort.multipv == 1:
            win, played = self._table.proven_win, tuple(self._position.turns_played)
            if win and played[: len(win)] == win and len(played) > len(win):  # the opponent has replied to it
                self._floor, nodes = WIN_FLOOR, nodes and max(nodes, WIN_NODES)
        contest = self._position if isinstance(self._position, ChallengeGame) else None
        if contest and contest.trial:
            return [trial_result(contest, self._table, self._flag, nodes)]
        if contest and contest.awaits_answer:
            allowed = self._limits.searchmoves
            return [answers(contest, self._table, self._flag, nodes, self._chance, allowed)]
        limit = -(-nodes // self._count)
        options = SearchOptions(
            self._parameters,
            self._handicap.level.solvers if self._handicap else ALL_SOLVERS,
            self._limits.searchmoves,
            self._limits.grouped and self._limits.multipv > 1,
            self._limits.restrictions,
            CurrentlySearching() if self._count > 1 else None,
        )
        make_thread = partial(SearchThread, self._position, self._table, self._flag, limit, options)
        helpers = [make_thread() for _ in range(self._count - 1)]
        if contest and contest.may_announce:
            return [Announcements(contest, self._table, self._flag, limit, options, self._chance), *helpers]
        main = make_thread()
        main.floor = self._floor
        for thread in helpers:
            thread.first_search = 0
        if helpers:  # each has a table of proofs of its own, so that only one of them is to fill it
            for thread in (main, *helpers):
                thread.threats.proof_rate = 0
            helpers[0].threats.proof_rate = HELPER_PROOF_RATE
            for thread in helpers:
                thread.threats.refutation_rate = 0
        return [main, *helpers]

    def _help(self, number: int) -> None:
        """Search the same position beside the main thread; results are shared through the table.

        Where the main thread leaves the search by proof numbers to a helper, it is told of a win.
        """
        main, thread = self._threads[0], self._threads[number]
        assert isinstance(thread, SearchThread)
        line: PvLine | None = None
        for depth in range(1 + number % 2, MAX_DEPTH + 1):
            line = thread.search(depth, line, 1, ())
            if thread.stopped or line is None:
                return
            proof = thread.prove_by_numbers(depth)
            if proof and isinstance(main, SearchThread):
                main.offer_proof(proof)
                if is_decisive(proof, self._effort):
                    self._flag.set()

    def _should_stop(self, depth: int) -> bool:
        """Return whether to begin no further iteration."""
        if self._pondering:
            return False
        if self._nodes() < self._floor:
            return False
        over = self._budget.soft is not None and self._elapsed() >= self._budget.soft
        if self._limits.clock is None or self._budget.soft is None or self._best is None:
            return over
        if self._has_single_turn or not self._limits.saves_time:
            return self._has_single_turn or over
        rate = self._best.score.rate_on(self._position.scale)
        self._iterations.add(self._best.key, rate, self._elapsed() - self._pondered)
        planned, solving = self._budget.soft - self._pondered, self._threads[0].solving
        return self._iterations.enough(planned, solving)

    def _report(self, line: PvLine) -> None:
        """Report a line as live info, or keep it for the choice of a handicap."""
        if line.rank == 1:
            self._best = line
        if self._handicap is None:
            if self._on_info:
                self._on_info(self._info(line))
        elif not line.bound:
            self._exact.setdefault(line.depth, {})[line.key] = line

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
