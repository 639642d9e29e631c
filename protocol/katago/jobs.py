"""The queue of turns to analyze, most urgent first."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tengen.protocol.katago.queries import Query
from tengen.protocol.session import Session

MAX_OPEN = 20_000  # turns that wait or run; then no more queries are read until some are answered
JsonDict = dict[str, Any]


@dataclass
class AnalysisJob:
    """One turn of a query to analyze.

    Attributes
    ----------
    query : Query
    turn : int
        The number of the turn.
    arrival : int
        The number of the job.
    session : Session or None
        The session that searches it, once it has started.
    terminated : bool
        Whether it must stop, or must not start.
    """

    query: Query
    turn: int
    arrival: int
    session: Session | None = None
    terminated: bool = False

    @property
    def order(self) -> tuple[int, int]:
        """Sort key: the least is done first."""
        return -self.query.priorities[self.turn], self.arrival

    def reply(self, during_search: bool = False, **fields: object) -> JsonDict:
        """Return an answer with `fields`."""
        return {"id": self.query.id, "isDuringSearch": during_search, "turnNumber": self.turn, **fields}

    def no_results(self) -> JsonDict:
        """Return the answer without any result."""
        return self.reply(noResults=True)

    def warning(self, name: str, text: str) -> JsonDict:
        """Return a warning about the field `name`."""
        return {"warning": text, "field": name, "id": self.query.id}


class AnalysisQueue:
    """Waiting and running jobs; shared by threads."""

    def __init__(self) -> None:
        self._waiting: list[tuple[tuple[int, int], AnalysisJob]] = []  # a heap
        self._open: dict[int, AnalysisJob] = {}  # by arrival; waiting and running
        self._closed = False
        self._change = threading.Condition()
        self._arrivals = itertools.count()

    def add(self, query: Query) -> None:
        """Add the turns of a query, once less than `MAX_OPEN` turns wait or run."""
        with self._change:
            self._change.wait_for(lambda: len(self._open) < MAX_OPEN)
            for turn in query.priorities:
                job = AnalysisJob(query, turn, next(self._arrivals))
                self._open[job.arrival] = job
                heapq.heappush(self._waiting, (job.order, job))
            self._change.notify_all()

    def take(self, session: Session) -> AnalysisJob | None:
        """Wait for the most urgent job, for `session`; return None once the queue is closed and empty."""
        with self._change:
            while True:
                self._change.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return None
                job = heapq.heappop(self._waiting)[1]
                if not job.terminated:
                    job.session = session
                    return job

    def finish(self, job: AnalysisJob) -> None:
        """Remove a job that is done."""
        with self._change:
            del self._open[job.arrival]
            self._change.notify_all()

    def terminate(self, fits: Callable[[AnalysisJob], bool]) -> list[AnalysisJob]:
        """Stop the running jobs for which `fits` returns true; return matching jobs that had not started."""
        with self._change:
            ending = [job for job in self._open.values() if fits(job) and not job.terminated]
            dropped = [job for job in ending if job.session is None]
            for job in ending:
                job.terminated = True
            for job in dropped:
                del self._open[job.arrival]
        for job in ending:
            if job.session is not None:
                job.session.stop()
        return dropped

    def close(self) -> None:
        """Declare that no more jobs will come."""
        with self._change:
            self._closed = True
            self._change.notify_all()
