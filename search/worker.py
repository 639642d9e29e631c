"""The search threads of one engine: go, stop, ponder, live info."""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tengen.engine.book import shipped
from tengen.engine.challenge import ACCEPT, ChallengeGame
from tengen.engine.debug import internal_error
from tengen.engine.errors import OptionError, TengenError
from tengen.engine.game import Game, Outcome
from tengen.engine.jit import StopFlag
from tengen.engine.position import Position
from tengen.engine.turns import finish_turn
from tengen.engine.weights import Evaluation, Weights
from tengen.search import warmup
from tengen.search.alphabeta.abdada import CurrentlySearching
from tengen.search.alphabeta.deepening import PvLine, Searcher, SearchThread, iterative_deepening
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.binding import bound
from tengen.search.challenge import Answers
from tengen.search.clock import SOFT_SHARE, Budget, time_budget
from tengen.search.info import Info, Result, Score
from tengen.search.limits import AUTO, MAX_DEPTH, MAX_THREADS, Limits, max_hash_mb
from tengen.search.mcts.searcher import MctsSearch
from tengen.search.mcts.tree import Tree

log = logging.getLogger("tengen")

COMPILING = "compiling {} for the first time on this machine; this takes some seconds, once"


def weights_table(game: Game, weights: Weights | None) -> NDArray[np.int64] | None:
    """Return what `weights` are to the kernels of `game`; None unless they belong to its evaluation."""
    evaluation: Evaluation | None = game.evaluation
    if weights is None or evaluation is None or weights.game != evaluation.game:
        return None
    return evaluation.expand(weights)


class Worker:
    """One searcher: a table or a tree, and as many threads as asked for, searching one position at a time.

    Callbacks run on a thread of the search. A failure of the search itself is reported in `Result.notice`,
    with a legal turn all the same.

    Parameters
    ----------
    threads : int
        Search threads, 1 to 256.
    hash_mb : int
        Size of the transposition table, or of the tree, in MB.
    method : str
        One of `METHODS`: how to search; `AUTO` is the game's own choice.
    weights : Weights or None
        Of the evaluation of the game that they belong to; None for the shipped ones.
    book : bool
        Whether turns that the game's book knows (`engine.book`) are played without a search, when a single
        one is asked for.

    Raises
    ------
    OptionError
        For numbers out of range, or a table that does not fit into memory.
    """

    def __init__(
        self,
        threads: int = 1,
        hash_mb: int = 64,
        method: str = AUTO,
        weights: Weights | None = None,
        book: bool = False,
    ) -> None:
        self._weights = weights
        self._book = book
        self._threads = 1
        self._hash_mb = 64
        self._method = AUTO
        self._table: TranspositionTable | None = None
        self._tree: Tree | None = None
        self._search: _Search | None = None
        self.configure(threads, hash_mb, method)

    def configure(
        self,
        threads: int | None = None,
        hash_mb: int | None = None,
        method: str | None = None,
        book: bool | None = None,
    ) -> None:
        """Change threads, size of the table, way to search, or use of the book, from the next search on.

        Raises
        ------
        OptionError
            For numbers out of range, or a table that does not fit into memory; nothing is changed.
        """
        if threads is not None and not 1 <= threads <= MAX_THREADS:
            raise OptionError(f"threads: expected 1 to {MAX_THREADS}, got {threads}")
        if hash_mb is not None and hash_mb != self._hash_mb:
            if not 1 <= hash_mb <= max_hash_mb():
                raise OptionError(f"hash: expected 1 to {max_hash_mb()} MB, got {hash_mb}")
            self._hash_mb = hash_mb
            self._table = self._tree = None
        self._threads = threads or self._threads
        self._method = method or self._method
        self._book = self._book if book is None else book

    def new_game(self) -> None:
        """Forget everything that earlier searches have found out."""
        self.stop()
        self.wait()
        if self._table:
            self._table.clear()
        if self._tree:
            self._tree.clear()

    def warm_up(self, game: Game, on_notice: Callable[[str], None] | None = None) -> None:
        """Return once all that a search of `game` needs is compiled, after saying so if that takes time."""
        said = threading.Timer(0.5, lambda: on_notice and on_notice(COMPILING.format(game.name)))
        said.start()
        try:
            warmup.compile_kernels(game, self._method)
        finally:
            said.cancel()

    def go(
        self,
        position: Position,
        limits: Limits,
        on_info: Callable[[Info], None] | None = None,
        on_done: Callable[[Result], None] | None = None,
        on_notice: Callable[[str], None] | None = None,
    ) -> None:
        """Start searching a copy of `position` and return at once; a search under way is stopped first.

        While another game is played for a challenge, that one is searched. An announced turn is answered, by
        one thread (see `search.challenge`).

        Parameters
        ----------
        position : Position
        limits : Limits
        on_info : callable, optional
            Called with every new line of play.
        on_done : callable, optional
            Called exactly once, with the result.
        on_notice : callable, optional
            Called with what the search waits for, if it waits.
        """
        self.stop()
        self.wait()
        self._search = self._new_search(position.copy(), limits, on_info, on_done, on_notice)
        self._search.start()

    def _new_search(self, position: Position, *arguments: Any) -> _Search:
        """Return a search of `position` by the method that is asked for, or is the game's own."""
        method = warmup.resolve_method(position.foreground.spec.game, self._method)
        weights = weights_table(position.foreground.spec.game, self._weights)
        if method == "mcts" and position.active is not None:  # answers to announced turns are compared
            self._tree = self._tree or Tree(self._hash_mb)
            return _TreeSearch(self._tree, weights, position, self._threads, self._book, *arguments)
        self._table = self._table or TranspositionTable(self._hash_mb)
        self._table.new_search()
        return _TableSearch(self._table, weights, position, self._threads, self._book, *arguments)

    def stop(self) -> None:
        """Ask the search to end; its result comes through `on_done`. Does nothing when idle."""
        if self._search:
            self._search.stop()

    def ponderhit(self) -> None:
        """Turn pondering into an ordinary search, whose time starts now."""
        if self._search:
            self._search.ponderhit()

    def wait(self, timeout: float | None = None) -> Result | None:
        """Return the result of the last search once it is done; None if it is not in time."""
        if self._search is None or not self._search.done.wait(timeout):
            return None
        return self._search.result

    @property
    def searching(self) -> bool:
        """Whether a search is under way."""
        return self._search is not None and not self._search.done.is_set()

    def search(
        self, position: Position, limits: Limits, on_info: Callable[[Info], None] | None = None
    ) -> Result:
        """Search and return the result: `warm_up`, `go` and `wait` in one."""
        self.warm_up(position.foreground.spec.game)
        self.go(position, limits, on_info)
        result = self.wait()
        assert result is not None
        return result


class _Search(ABC):
    """One search from ``go`` to its result."""

    METHOD: ClassVar[str]

    def __init__(
        self,
        position: Position,
        threads: int,
        book: bool,
        limits: Limits,
        on_info: Callable[[Info], None] | None,
        on_done: Callable[[Result], None] | None,
        on_notice: Callable[[str], None] | None,
    ) -> None:
        self._game_position, self._position = position, position.foreground
        self._limits = limits
        self._count = threads
        self._book = book
        self._on_info, self._on_done, self._on_notice = on_info, on_done, on_notice
        self._began = time.monotonic()
        self._flag = StopFlag()
        self._timer: threading.Timer | None = None
        self._released = threading.Event()  # the result may be given: not pondering, not infinite, or stopped
        self._wake = threading.Event()  # stopped, out of time, or compiled
        self._budget = Budget()
        self._pondered = 0.0  # seconds of the search before its clock began to run
        self._has_single_turn = False
        self.done = threading.Event()
        self.result = Result(None, None, (), 0, 0.0)

    # ------------------------------------------------------------------------------- called by other threads

    def start(self) -> None:
        """Begin."""
        try:
            if not self._limits.ponder:
                self._start_clock()
            if not (self._limits.ponder or self._limits.infinite):
                self._released.set()
            threading.Thread(target=self._run, name="tengen search", daemon=True).start()
        except BaseException:  # an interrupt, say: nobody is to wait for what has not begun
            self.done.set()
            raise

    def stop(self) -> None:
        """End soon."""
        self._flag.set()
        self._released.set()
        self._wake.set()

    def ponderhit(self) -> None:
        """Start the clock."""
        if self._limits.ponder and not self._released.is_set():
            self._start_clock()
            if not self._limits.infinite:
                self._released.set()

    def _start_clock(self) -> None:
        """Work out the budget from now on, and arm the timer for its end."""
        budget = time_budget(self._limits, self._game_position)
        elapsed = time.monotonic() - self._began
        if budget.hard is not None and budget.soft is not None:
            self._timer = threading.Timer(budget.hard, self._expire)
            self._timer.daemon = True
            self._timer.start()
            self._budget = Budget(budget.soft + elapsed, budget.hard + elapsed)
            self._pondered = elapsed

    def _expire(self) -> None:
        """End because time is up."""
        self._flag.set()
        self._wake.set()

    # ----------------------------------------------------------------------------------- the search thread

    def _run(self) -> None:
        """Search, and report the result whatever happens."""
        try:
            self.result = self._answer()
        except Exception as error:
            log.error("search failed: %s", internal_error(error))
            self.result = self._fallback(f"the search failed ({type(error).__name__}: {error})")
        finally:
            self._flag.set()  # helpers end too
            if self._timer:
                self._timer.cancel()
            self._released.wait()
            try:
                if self._on_done:
                    self._on_done(self.result)
            except Exception as error:
                log.error("reporting a result failed: %s", internal_error(error))
            finally:
                self._timer = None
                self._release_memory()
                self.done.set()

    def _answer(self) -> Result:
        """Return the result of the search."""
        if self._position.outcome() != Outcome.ONGOING:
            return Result(None, None, (), 0, self._elapsed(), "the game is over")
        if not self._prepare():
            return self._fallback("answered before the search was compiled")
        self._has_single_turn = not self._position.has_choice()
        infos = self._book_move() or self._infos()
        if not infos:
            return self._fallback("stopped before anything was found")
        best = infos[0].pv
        return Result(
            best[0], best[1] if len(best) > 1 else None, tuple(infos), self._nodes(), self._elapsed()
        )

    def _book_move(self) -> list[Info]:
        """Return the turn that the book plays here; nothing where it knows none, or more is asked for."""
        limits, position = self._limits, self._position
        if not self._book or limits.infinite or limits.ponder or limits.multipv > 1:
            return []
        try:
            known = shipped(position.spec)
        except TengenError as error:
            log.error("searching without the book: %s", error)
            return []
        choice = known and known.choose(position.spec.game.rules, position.state)
        if not choice or self._game_position.challenge != "none":
            return []
        score = Score.of_rate(choice.share, position.scale)
        turn = position.format(choice.actions)
        info = Info(1, 0, 0, score, "", 0, self._elapsed(), 0, (turn,), choice.games, choice.share)
        if self._on_info:
            self._on_info(info)
        return [info]

    @abstractmethod
    def _infos(self) -> list[Info]:
        """Search, with all threads, and return the candidates, best first."""

    @abstractmethod
    def _nodes(self) -> int:
        """Return how many positions have been visited so far."""

    @abstractmethod
    def _release_memory(self) -> None:
        """Let go of memory."""

    def _helpers(self, count: int, work: Callable[[int], None]) -> list[threading.Thread]:
        """Start as many threads, numbered from 1, that do `work` beside the main one."""

        def guarded(number: int) -> None:
            try:
                work(number)
            except Exception as error:
                log.error("helper thread failed: %s", internal_error(error))

        helpers = [threading.Thread(target=guarded, args=(i,), daemon=True) for i in range(1, count + 1)]
        for helper in helpers:
            helper.start()
        return helpers

    def _prepare(self) -> bool:
        """Make the kernels ready; return False when the search has to end before they are."""
        game = self._position.spec.game
        if warmup.ready(game, self.METHOD):
            return True
        failures: list[Exception] = []

        def compile_kernels() -> None:
            try:
                warmup.compile_kernels(game, self.METHOD)
            except Exception as error:
                failures.append(error)
            self._wake.set()

        threading.Thread(target=compile_kernels, name="tengen compiler", daemon=True).start()
        if not self._wake.wait(0.5):
            if self._on_notice:
                self._on_notice(COMPILING.format(game.name))
            self._wake.wait()
        if failures:
            raise failures[0]
        return warmup.ready(game, self.METHOD)

    @property
    def _pondering(self) -> bool:
        """Whether it is still the opponent's time."""
        return self._limits.ponder and not self._released.is_set()

    def _elapsed(self) -> float:
        return time.monotonic() - self._began

    def _fallback(self, notice: str) -> Result:
        """Return a legal turn found without any search: that of greatest priority; a turn is accepted."""
        if self._position.active is None:
            return Result(ACCEPT, None, (), self._nodes(), self._elapsed(), notice)
        actions = finish_turn(bound(self._position.spec.game), self._position.state.copy())
        turn = self._position.format(tuple(actions))
        return Result(turn, None, (), self._nodes(), self._elapsed(), notice)


class _TableSearch(_Search):
    """A search by alpha-beta."""

    METHOD = "alphabeta"

    def __init__(self, table: TranspositionTable, weights: NDArray[np.int64] | None, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._table, self._weights = table, weights
        self._threads: list[Searcher] = []

    def _infos(self) -> list[Info]:
        self._threads = self._searchers()
        helpers = self._helpers(len(self._threads) - 1, self._help)
        lines = iterative_deepening(self._threads[0], self._limits, self._report, self._should_stop)
        self._released.wait()  # more may come to light while others still search
        self._flag.set()
        for helper in helpers:
            helper.join()
        return [self._info(line) for line in lines]

    def _searchers(self) -> list[Searcher]:
        """Return what searches: the main thread's first."""
        nodes = self._limits.nodes or 0
        if isinstance(self._position, ChallengeGame) and self._position.active is None:
            return [Answers(self._position, self._table, self._flag, nodes)]
        limit = -(-nodes // self._count)
        currently_searching = CurrentlySearching() if self._count > 1 else None
        return [
            SearchThread(self._position, self._table, self._flag, limit, currently_searching, self._weights)
            for _ in range(self._count)
        ]

    def _help(self, number: int) -> None:
        """Search the same position beside the main thread: what is found goes through the table."""
        thread = self._threads[number]
        line: PvLine | None = None
        for depth in range(1 + number % 2, MAX_DEPTH + 1):
            line = thread.search(depth, line, ())
            if thread.stopped or line is None:
                return

    def _should_stop(self, depth: int) -> bool:
        """Return whether no further iteration is to be begun."""
        if self._pondering:
            return False
        if self._limits.clock and self._has_single_turn:
            return True
        return self._budget.soft is not None and self._elapsed() >= self._budget.soft

    def _report(self, line: PvLine) -> None:
        """Hand a line on as live info."""
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
        self._threads = []  # megabytes in a cycle of references, else


class _TreeSearch(_Search):
    """A search by Monte-Carlo simulations."""

    METHOD = "mcts"

    def __init__(self, tree: Tree, weights: NDArray[np.int64] | None, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._tree, self._weights = tree, weights
        self._mcts: MctsSearch | None = None

    def _infos(self) -> list[Info]:
        search = MctsSearch(
            self._position, self._tree, self._flag, self._limits, self._count, self._began, self._weights
        )
        self._mcts = search
        helpers = self._helpers(self._count - 1, search.help)
        try:
            search.run(self._report, self._should_stop)
            self._report(search.infos())
            self._released.wait()  # pondering, or infinite
        except BaseException:
            self._tree.clear()  # nobody knows how much of it is in use
            raise
        finally:
            self._flag.set()
            for helper in helpers:
                helper.join()
        return search.finish()

    def _should_stop(self) -> bool:
        """Return whether to end: no other turn can come to be visited more than the best in the time left."""
        search = self._mcts
        if self._pondering or search is None or self._budget.soft is None or self._limits.clock is None:
            return False
        if self._has_single_turn:
            return True
        elapsed = self._elapsed()
        left = (self._budget.soft - self._pondered) / SOFT_SHARE - (elapsed - self._pondered)
        return search.lead() > search.simulations / elapsed * left

    def _report(self, infos: list[Info]) -> None:
        """Hand candidates on as live infos."""
        if self._on_info:
            for info in infos:
                self._on_info(info)

    def _nodes(self) -> int:
        return self._mcts.simulations if self._mcts else 0

    def _release_memory(self) -> None:
        self._mcts = None
