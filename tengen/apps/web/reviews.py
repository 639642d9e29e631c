"""Reviews of games in the background: the journal of `apps.review`, searched by the shared pool."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tengen.apps.review.assessment import (
    JudgedMove,
    Review,
    puzzles,
    record_positions,
    value_for,
)
from tengen.apps.review.journal import Journal, read_settings
from tengen.apps.review.reasons import reasons
from tengen.apps.review.review import assessed, record_identity, settings, summary_report
from tengen.apps.review.searches import judge_answer
from tengen.apps.web.pool import Job, Priority, SearchPool, call_if_open
from tengen.engine.errors import TengenError
from tengen.engine.notation import shown, typed
from tengen.engine.play.position import Position
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tengen.protocol.errors import CommandError
from tengen.protocol.session import Session
from tengen.search.info import Info, Result
from tengen.search.limits.limit import Limit

DIGITS = 4
MIN_NODES, MAX_NODES = 100, 100_000_000  # of a position
PV_TURNS = 12  # of a line that a page shows
FIRST_SIDE = 0


class PoolSession(Session):
    """A session whose searches are done by a pool; used in a thread beside the event loop."""

    def __init__(
        self, spec: GameSpec, pool: SearchPool, loop: asyncio.AbstractEventLoop, priority: Priority
    ) -> None:
        super().__init__(spec)
        self._pool, self._loop, self._priority = pool, loop, priority
        self._answer: Any = None
        self._fresh = True

    def clear_search(self) -> None:
        """Let nothing be left of earlier searches in the next one."""
        self._fresh = True

    def go(
        self,
        position: Position,
        limits: Limit,
        on_info: Callable[[Info], None] | None = None,
        *callbacks: Any,
        **more: Any,
    ) -> None:
        """Begin a search of `position`; of the callbacks only `on_info` is called."""
        if self._loop.is_closed():
            raise KeyboardInterrupt
        copy, fresh, self._fresh = position.copy(), self._fresh, False

        async def search() -> Result:
            return await self._pool.run(Job(copy, limits, self._priority, on_info=on_info, fresh=fresh))

        self._answer = asyncio.run_coroutine_threadsafe(search(), self._loop)

    def wait(self, seconds: float | None = None) -> Result | None:
        """Wait up to `seconds` for the result; None if it has not come, or is not wanted any more."""
        if self.interrupted:
            self._answer.cancel()
            raise KeyboardInterrupt
        try:
            result: Result = self._answer.result(seconds)
        except TimeoutError:
            return None
        return result


class GameReview:
    """The review of a game, as far as it has come."""

    def __init__(self, record: Record, limits: Limit, path: Path, on_progress: Callable[[], None]) -> None:
        self.record = record
        self.limits = limits
        self.running = False  # whether positions are being searched
        self.error = ""
        self._review = Review(record.spec, record_positions(record), [], limits)
        self._path = path
        self._on_progress = on_progress
        self._session: PoolSession | None = None

    def start(self, pool: SearchPool) -> None:
        """Begin, or go on where the journal ends."""
        loop, self.running = asyncio.get_running_loop(), True
        self._session = PoolSession(self.record.spec, pool, loop, Priority.REVIEW)
        work = self._session, partial(call_if_open, loop)
        threading.Thread(target=self._search, args=work, name="tengen review", daemon=True).start()

    def stop(self) -> None:
        """End the search; the journal keeps what has been found."""
        if self._session:
            self._session.interrupted = True

    def _search(self, session: PoolSession, call: Callable[..., None]) -> None:
        """Search all positions, in a thread; `call` calls a function in the event loop."""
        failure = ""
        try:
            identity = settings(self.record, self._review, session)
            restart = reviewed_nodes(self._path, self.record) != self.limits.nodes
            with Journal(self._path, identity, restart) as journal:
                for number in assessed(self._review, session, journal):
                    if move := self._review.move(number):
                        reasons(move)  # found here once, so that the event loop does not wait for them
                    call(self._on_progress)
        except KeyboardInterrupt:
            pass
        except (TengenError, OSError, RuntimeError) as error:
            failure = str(error)
        finally:
            call(self._end, failure)

    def _end(self, failure: str) -> None:
        """Tell that the search has ended, and how."""
        self.running, self.error = False, failure
        self._on_progress()

    # ---------------------------------------------------------------------------------------------- reports

    def report(self) -> dict[str, Any]:
        """Return what has been found, for a page: values for the first side."""
        review = self._review
        moves = review.moves
        values = review.values_for(FIRST_SIDE)
        return {
            "effort": review.effort,
            "running": self.running,
            "error": self.error,
            "positions": len(review.positions),
            "rates": [round(value.rate, DIGITS) for value in values],
            "moves": shown(review.spec, [_move_report(move) for move in moves]),
            "puzzles": [move.before.number for move in puzzles(review)],
            "summary": summary_report(review.spec.game, moves),
        }

    async def judge(self, number: int, turn: str, pool: SearchPool) -> dict[str, Any]:
        """Return what an answer to a puzzle is worth: a turn in place of the mistake after `number` turns."""
        spec = self._review.spec
        move = next((each for each in puzzles(self._review) if each.before.number == number), None)
        if move is None:
            raise CommandError(f"puzzle: expected a number of a reviewed mistake, got {number}")
        session = PoolSession(spec, pool, asyncio.get_running_loop(), Priority.TURN)
        judged = await asyncio.to_thread(judge_answer, move, typed(spec, turn), session, self.limits)
        turns = {"turn": judged.turn, "best": judged.best, "pv": list(move.before_value.pv[:PV_TURNS])}
        return {"verdict": judged.kind, "loss": round(judged.loss, DIGITS), **shown(spec, turns)}


def reviewed_nodes(path: Path, record: Record) -> int | None:
    """Return how many nodes a position got in the review of `record` in a journal; None if it has none."""
    found = read_settings(path) or {}
    nodes = found.get("nodes") if found.get("record") == record_identity(record) else None
    return nodes if type(nodes) is int and MIN_NODES <= nodes <= MAX_NODES else None


def _move_report(move: JudgedMove) -> dict[str, Any]:
    """Return the judgement of a turn for a page."""
    after = value_for(move.after, move.after_value, FIRST_SIDE)
    return {
        "side": move.before.mover,
        "turn": move.before.played,
        "best": move.before_value.best,
        "pv": list(move.before_value.pv[:PV_TURNS]),
        "rate": round(after.rate, DIGITS),
        "loss": None if move.loss is None else round(move.loss, DIGITS),
        "error": None if move.error is None else round(move.error, DIGITS),
        "mark": move.mark,
        "reasons": [reason.text for reason in reasons(move)],
    }
