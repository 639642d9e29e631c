"""A bounded pool of searches, shared by all games and pages.

A job waits until enough threads are free. One that answers a turn goes before analysis, analysis before
reviews, and takes its place if need be. Analyses that have to share take turns.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from tengen.engine.play.position import Position
from tengen.protocol.errors import CommandError
from tengen.search.info import Info, Result
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker

if TYPE_CHECKING:
    from tengen.tuning.players.specs import Opponent

SLICE = 2.0  # seconds of an analysis while others wait


class Priority(enum.IntEnum):
    """What a search is for; the least goes first."""

    TURN = 0
    ANALYSIS = 1
    REVIEW = 2


@dataclass(eq=False)
class Job:
    """A search of a position; what it reports is called in the event loop."""

    position: Position
    limits: Limit
    priority: Priority
    threads: int = 1
    on_info: Callable[[Info], None] | None = None
    on_notice: Callable[[str], None] | None = None
    fresh: bool = False  # whether nothing may be left of earlier searches
    # Cancelled if the job is
    done: asyncio.Future[Result] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    worker: Worker | None = None
    began: float = 0.0
    interrupted: bool = False  # stopped to give its place to another one; it will go on


class SearchPool:
    """Workers with a number of threads in all, and the other players of the server."""

    def __init__(self, threads: int, hash_mb: int, opponents: Sequence[Opponent] = ()) -> None:
        self.threads = threads
        # By their names; each has a thread, in which it plays one turn after another
        self.opponents = {each.name: (each, ThreadPoolExecutor(1, "tengen player")) for each in opponents}
        self._hash_mb = hash_mb
        self._idle: list[Worker] = []
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def submit(self, job: Job) -> None:
        """Search as soon as there is room."""
        job.threads = min(job.threads, self.threads)
        self._waiting.append(job)
        self._schedule()

    def cancel(self, job: Job) -> None:
        """Stop a job; its `done` is cancelled. Nothing happens if it has ended."""
        if not job.done.done():
            job.done.cancel()
        if job in self._waiting:
            self._waiting.remove(job)
        if job.worker:
            job.worker.stop()

    async def run(self, job: Job) -> Result:
        """Search and return the result; cancelling this stops the search."""
        self.submit(job)
        try:
            return await job.done
        finally:
            self.cancel(job)

    async def turn_of(self, name: str, position: Position, limits: Limit) -> str:
        """Return the turn of one of the other players; raise TengenError if it plays none."""
        if name not in self.opponents:
            raise CommandError(f"{name} does not play: the server was started without this --player")
        opponent, thread = self.opponents[name]
        return await asyncio.get_running_loop().run_in_executor(thread, opponent.turn, position, limits)

    def _schedule(self) -> None:
        """Start what there is room for, and make room for what is urgent."""
        self._waiting.sort(key=lambda job: job.priority)  # those of a priority stay in their order
        free = self.threads - sum(job.threads for job in self._running)
        while self._waiting and self._waiting[0].threads <= free:
            free -= self._waiting[0].threads
            self._start(self._waiting.pop(0))
        if self._waiting:
            self._make_room(self._waiting[0])

    def _make_room(self, urgent: Job) -> None:
        """Interrupt a search that is less urgent, or whose slice is over."""
        if any(job.interrupted or job.done.done() for job in self._running):
            return  # one is ending already
        victim = max(self._running, key=lambda job: (job.priority, -job.began), default=None)
        if victim is None or victim.priority < urgent.priority or victim.priority == Priority.TURN:
            return
        left = victim.began + SLICE - time.monotonic()
        if victim.priority > urgent.priority or left <= 0:
            victim.interrupted = True
            if victim.worker:
                victim.worker.stop()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(left + 0.01, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        self._schedule()

    def _start(self, job: Job) -> None:
        """Start a search on a worker, in a thread: it may have to make its table."""
        self._running.append(job)
        job.began, job.interrupted = time.monotonic(), False
        job.worker = self._idle.pop() if self._idle else Worker(hash_mb=self._hash_mb)
        task = asyncio.get_running_loop().create_task(self._go(job, job.worker))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _go(self, job: Job, worker: Worker) -> None:
        loop = asyncio.get_running_loop()

        def call(function: Callable[[Any], None] | None) -> Callable[[Any], None] | None:
            """Return a callback that runs `function` in the event loop while the job is wanted."""
            return function and partial(call_if_open, loop, self._report, job, function)

        def begin() -> None:
            if job.fresh:
                worker.new_game()
                job.fresh = False  # if it is interrupted, it goes on
            worker.configure(threads=job.threads)
            finish = partial(call_if_open, loop, self._finish, job, worker)
            worker.go(job.position, job.limits, call(job.on_info), finish, call(job.on_notice))

        try:
            await asyncio.to_thread(begin)
        except Exception as error:
            self._release(job, worker)
            if not job.done.done():
                job.done.set_exception(error)
            return
        if job.done.done() or job.interrupted:
            worker.stop()

    def _report(self, job: Job, function: Callable[[Any], None], argument: Any) -> None:
        if not job.done.done():
            function(argument)

    def _finish(self, job: Job, worker: Worker, result: Result) -> None:
        """Take the result of a search; one that was interrupted waits for its next slice."""
        self._release(job, worker)
        if job.interrupted and not job.done.done():
            self.submit(job)
        elif not job.done.done():
            job.done.set_result(result)

    def _release(self, job: Job, worker: Worker) -> None:
        self._running.remove(job)
        job.worker = None
        self._idle.append(worker)
        self._schedule()

    def close(self) -> None:
        """Stop all searches."""
        for job in [*self._waiting, *self._running]:
            self.cancel(job)


def call_if_open(loop: asyncio.AbstractEventLoop, *call: Any) -> None:
    """Call a function in the event loop, if that has not ended."""
    with contextlib.suppress(RuntimeError):  # what a closed loop raises
        loop.call_soon_threadsafe(*call)
