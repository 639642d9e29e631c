"""One run of a search: its clock, its threads and its result, for any method."""

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from tengen.engine.debug import internal_error, log
from tengen.engine.game import Outcome
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.engine.play.trials import AWAITS_RESULT
from tengen.engine.play.turns import best_turn
from tengen.search import warmup
from tengen.search.binding import bound
from tengen.search.info import Info, Result
from tengen.search.levels import Handicap
from tengen.search.limits.clock import MIN_TIME, Budget
from tengen.search.limits.limit import Limit
from tengen.search.limits.timekeeper import Alarm, Timekeeper
from tengen.search.threads import run_in_thread


class SearchRun(ABC):
    """One search from ``go`` to its result, which stands, and has been reported, once `done` is set.

    The position belongs to the search. While another game is played for a challenge, that game is searched.
    The handicap is None at full strength; with one only the candidates of its choice are reported. `expected`
    are the turns of the game as the last search expected them, from its start. `search.worker.Worker.go`
    tells of the callbacks.
    """

    METHOD: ClassVar[str]

    def __init__(
        self,
        position: Position,
        threads: int,
        timekeeper: Timekeeper,
        handicap: Handicap | None,
        expected: tuple[str, ...],
        limits: Limit,
        on_info: Callable[[Info], None] | None,
        on_done: Callable[[Result], None] | None,
        on_notice: Callable[[str], None] | None,
    ) -> None:
        self._game_position, self._position = position, position.current
        self._limits = limits
        self._handicap, self._expected = handicap, expected
        self._effort = handicap.limits(limits) if handicap else limits  # of the search itself
        self._count = threads
        self._on_info, self._on_done, self._on_notice = on_info, on_done, on_notice
        self._timekeeper, self._began = timekeeper, timekeeper.beginning(limits.asked)
        self._flag = StopFlag()
        self._alarm: Alarm | None = None
        self._released = threading.Event()  # the result may be reported: stopped, or never held back
        compile_kernels = partial(warmup.compile_kernels, self._position.spec.game, self.METHOD)
        self._compilation = warmup.Compilation(self._position.spec.game, compile_kernels)
        self._budget = Budget()
        self._pondered = 0.0  # seconds of the search before its clock began to run
        self._prepared = math.inf  # seconds until the kernels were ready
        self._has_single_turn = False
        self.done = threading.Event()
        self.result = Result(None, None, (), 0, 0.0)

    # ------------------------------------------------------------------------------- called by other threads

    def start(self) -> None:
        """Start the search thread."""
        try:
            if not self._limits.ponder:
                self._start_clock()
            if not (self._limits.ponder or self._limits.infinite):
                self._released.set()
            run_in_thread(self._run)
        except BaseException:  # an interrupt, say
            self.done.set()  # so that those who wait return
            raise

    def stop(self) -> None:
        """Ask the search to end."""
        self._halt()
        self._released.set()

    def _halt(self) -> None:
        """End what the search is doing."""
        self._flag.set()
        self._compilation.abandon()

    def ponderhit(self) -> None:
        """Start the clock."""
        if self._limits.ponder and not self._released.is_set():
            self._start_clock(self._elapsed())
            if not self._limits.infinite:
                self._released.set()

    def _start_clock(self, pondered: float = 0.0) -> None:
        """Work out the budget of a clock that began to run so many seconds after the search, and set alarms.

        Kernels end by the flag's own deadline; the alarm ends what else is under way.
        """
        budget = self._timekeeper.budget(self._limits, self._game_position)
        if budget.hard is not None and budget.soft is not None:
            self._budget = Budget(budget.soft + pondered, budget.hard + pondered)
            self._pondered = pondered
            left = self._seconds_until(budget.hard + pondered)
            self._timekeeper.set_deadline(self._flag, left)
            self._alarm = self._timekeeper.alarm(left, self._count, self._halt)

    def _seconds_until(self, age: float) -> float:
        """Return the seconds until the search has this age, at least `MIN_TIME`: every search gets that."""
        return max(MIN_TIME, age - self._elapsed())

    @property
    def expected_turns(self) -> tuple[str, ...]:
        """The turns of the game, and after them those that the result expects; empty without a line."""
        lines = self.result.lines
        return (*self._game_position.turns_played, *lines[0].pv) if lines else ()

    # ----------------------------------------------------------------------------------- the search thread

    def _run(self) -> None:
        """Search, and report a result even if the search fails."""
        try:
            if self._handicap and self._limits.ponder:  # weak levels do not think on the opponent's time
                self._released.wait()
            self.result = self._answer()
        except Exception as error:
            log.error("search failed: %s", internal_error(error))
            self.result = self._fallback(f"the search failed ({type(error).__name__}: {error})")
        finally:
            self._flag.set()  # helpers end too
            if self._alarm:
                self._alarm.cancel()
            over = self._elapsed()
            self._released.wait()
            try:
                if self._on_done:
                    self._on_done(self.result)
            except Exception as error:
                log.error("reporting a result failed: %s", internal_error(error))
            finally:
                self._note_answer(over)
                self._alarm = None
                self._release_memory()
                self.done.set()

    def _note_answer(self, over: float) -> None:
        """Tell the timekeeper how late the answer is; the search was over after `over` seconds.

        An answer that was late because kernels had to be loaded says nothing about later ones.
        """
        position, clock = self._game_position, self._limits.clock
        hard = self._budget.hard
        if hard is None or (clock is None and over < hard) or self._prepared > hard:
            return
        due = min(over, hard)
        self._timekeeper.note_answer(
            position, clock, self.result.choice, self._elapsed() - self._pondered, due - self._pondered
        )

    def _answer(self) -> Result:
        """Return the result of the search."""
        if self._position.outcome() != Outcome.ONGOING:
            over = ", ".join(filter(None, ("the game is over", self._position.end_reason())))
            return Result(None, None, (), 0, self._elapsed(), over)
        if self._position.awaits_result:
            return Result(None, None, (), 0, self._elapsed(), AWAITS_RESULT)
        if not self._prepare():
            return self._fallback("answered before the search was compiled")
        self._prepared = self._elapsed()
        if self._handicap and not self._limits.searchmoves and not self._game_position.awaits_answer:
            noticed = self._handicap.searchmoves(self._position, self._limits.multipv)
            self._limits = replace(self._limits, searchmoves=noticed)
            self._effort = replace(self._effort, searchmoves=noticed)
        self._has_single_turn = not self._position.has_choice()
        infos = self._infos()
        if self._handicap and self._on_info:
            for info in infos:
                self._on_info(info)
        if not infos:
            return self._fallback("stopped before anything was found")
        best = infos[0].pv
        rank = self._handicap.rank if self._handicap else 1
        ponder = best[1] if len(best) > 1 else None
        return Result(best[0], ponder, tuple(infos), self._nodes(), self._elapsed(), rank=rank)

    @abstractmethod
    def _infos(self) -> list[Info]:
        """Search, with all threads, and return the candidates, best first."""

    @abstractmethod
    def _nodes(self) -> int:
        """Return how many positions have been visited so far."""

    @abstractmethod
    def _release_memory(self) -> None:
        """Release the memory of the search."""

    def _helpers(self, count: int, work: Callable[[int], None]) -> list[threading.Thread]:
        """Start `count` threads, numbered from 1, that do `work` beside the main one."""

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
        self._compilation.wait(self._on_notice)
        return warmup.ready(game, self.METHOD)

    @property
    def _pondering(self) -> bool:
        """Whether the opponent's clock is running."""
        return self._limits.ponder and not self._released.is_set()

    def _elapsed(self) -> float:
        return self._timekeeper.now() - self._began

    def _fallback(self, notice: str) -> Result:
        """Return a legal turn without any search.

        It is the one that the last search expected here, or else the best by static evaluation. An announced
        turn is accepted.
        """
        position, game, allowed = self._position, self._position.spec.game, self._limits.searchmoves
        played = tuple(self._game_position.turns_played)
        followed = self._expected[: len(played)] == played
        turn = next(iter(self._expected[len(played) :]), "") if followed else ""
        if not turn or (allowed and turn not in allowed):
            if allowed:
                turn = allowed[0]
            elif position.awaits_answer:
                turn = position.turns()[0]
            else:
                turn = position.format(best_turn(bound(game), game.module("evaluate"), position.state))
        return Result(turn, None, (), self._nodes(), self._elapsed(), notice)
