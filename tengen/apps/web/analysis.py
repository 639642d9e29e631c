"""What a page asks the engine about the position shown: a running analysis, and hints."""

import asyncio
from dataclasses import replace

from tengen.apps.review.reasons import merits
from tengen.apps.web.game.seats import Seat
from tengen.apps.web.game.tree import Cursor
from tengen.apps.web.pool import Job, Priority, SearchPool
from tengen.apps.web.view import Send, view_of_info
from tengen.engine.debug import internal_error
from tengen.engine.game import Outcome
from tengen.engine.notation import shown
from tengen.engine.play.position import Position
from tengen.engine.sgf import Node
from tengen.protocol.candidates import AnalyzeRequest, SearchReports
from tengen.protocol.errors import CommandError
from tengen.search.limits.limit import Limit

REPORT_INTERVAL = 0.2  # seconds between two reports
MAX_SECONDS = 3600  # of the search of a position
MAX_LINES = 10
COMPARED = 2  # turns of which a hint tells what the better one does


class LiveAnalysis:
    """The searches that a page has asked for."""

    def __init__(self, pool: SearchPool, send: Send) -> None:
        self.node: Node | None = None
        self._pool = pool
        self._send = send
        self._limits: Limit | None = None  # of the analysis; None without one
        self._threads = 1
        self._search: asyncio.Task[None] | None = None
        self._hint: asyncio.Task[None] | None = None

    def begin(self, lines: int, threads: int, seconds: int, cursor: Cursor) -> None:
        """Search the position of `cursor`, and those that `follow` will name."""
        self._limits = Limit(time=seconds, multipv=lines, grouped=True)  # as the board shows them
        self._threads = threads
        self.follow(cursor)

    def follow(self, cursor: Cursor) -> None:
        """Search another position, if there is an analysis."""
        self._cancel(self._search)
        self.node = self._search = None
        if self._limits:
            self.node = cursor.node
            self._search = asyncio.create_task(
                self._analyse(self._limits, cursor.key, cursor.position.copy())
            )

    def stop(self) -> None:
        """Stop all searches; the next position that is shown will be analysed again."""
        self._cancel(self._search)
        self._cancel(self._hint)
        self.node = self._search = self._hint = None

    def end(self) -> None:
        """End the analysis."""
        self._cancel(self._search)
        self.node = self._search = self._limits = None

    def find_hint(self, cursor: Cursor) -> None:
        """Look for what the engine would play at full strength."""
        self._cancel(self._hint)
        if is_settled(cursor.position):
            raise CommandError("there is nothing to find here")
        self._hint = asyncio.create_task(self._find_hint(cursor.key, cursor.position.copy()))

    @staticmethod
    def _cancel(task: asyncio.Task[None] | None) -> None:
        if task:
            task.cancel()

    async def _analyse(self, limits: Limit, key: str, position: Position) -> None:
        """Search and report the candidates until the time is up."""
        if is_settled(position):
            return
        reports, scale, spec = SearchReports(), position.scale, position.spec
        asked = AnalyzeRequest(REPORT_INTERVAL, limits.multipv)
        job = Job(position, limits, Priority.ANALYSIS, self._threads, reports.add, self._notify)
        side = position.side_to_move

        def report(running: bool) -> None:
            lines = shown(spec, [view_of_info(info, scale) for info in asked.candidates(reports.infos)])
            self._send({"event": "analysis", "node": key, "side": side, "lines": lines, "running": running})

        search = asyncio.ensure_future(self._pool.run(job))
        try:
            sent = 0.0
            while not (await asyncio.wait({search}, timeout=REPORT_INTERVAL))[0]:
                latest = max((info.seconds for info in reports.infos), default=0.0)
                if latest != sent:
                    sent = latest
                    report(running=True)
            reports.finish(search.result())
            report(running=False)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._notify(internal_error(error))
        finally:
            search.cancel()

    async def _find_hint(self, key: str, position: Position) -> None:
        limits = replace(Seat().limits(), multipv=COMPARED)
        result = await self._pool.run(Job(position, limits, Priority.TURN, on_notice=self._notify))
        line = view_of_info(result.lines[0], position.scale) if result.lines else {}
        why = await asyncio.to_thread(merits, position, result.turn, result.lines)
        found = shown(position.spec, {"turn": result.turn, "line": line, "why": why})
        self._send({"event": "hint", "node": key, **found})

    def _notify(self, notice: str) -> None:
        self._send({"event": "notice", "text": notice})


def is_settled(position: Position) -> bool:
    """Return whether there is nothing to search."""
    return position.outcome() != Outcome.ONGOING or position.awaits_result
