"""The turns that queries ask to be analyzed: waiting, most urgent first, or under way."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tengen.protocol.common.session import Session
from tengen.protocol.katago.queries import Query

JsonDict = dict[str, Any]


@dataclass
class AnalysisJob:
    """One turn of a query, to be analyzed.

    Attributes
    ----------
    query : Query
    turn : int
        Its number.
    arrival : int
        Counts jobs.
    session : Session or None
        What searches it, once that has begun.
    terminated : bool
        Whether it is to end, or not to begin.
    """

    query: Query
    turn: int
    arrival: int
    session: Session | None = None
    terminated: bool = False

    @property
    def order(self) -> tuple[int, int]:
        """What is least is done first."""
        return -self.query.priorities[self.turn], self.arrival

    def reply(self, during_search: bool = False, **fields: object) -> JsonDict:
        """Return an answer with `fields`."""
        return {"id": self.query.id, "isDuringSearch": during_search, "turnNumber": self.turn, **fields}

    def no_results(self) -> JsonDict:
        """Return the answer when nothing was found out."""
        return self.reply(noResults=True)

    def warning(self, name: str, text: str) -> JsonDict:
        """Return a warning about the field `name`."""
        return {"warning": text, "field": name, "id": self.query.id}


class AnalysisQueue:
    """Jobs that wait or are under way, shared by who adds them and those who do them."""

    def __init__(self) -> None:
        self._waiting: list[tuple[tuple[int, int], AnalysisJob]] = []  # a heap
        self._open: dict[int, AnalysisJob] = {}  # by arrival, also those under way
        self._closed = False
        self._change = threading.Condition()
        self._arrivals = itertools.count()

    def add(self, query: Query) -> None:
        """Enter the turns of a query."""
        with self._change:
            for turn in query.priorities:
                job = AnalysisJob(query, turn, next(self._arrivals))
                self._open[job.arrival] = job
                heapq.heappush(self._waiting, (job.order, job))
            self._change.notify_all()

    def take(self, session: Session) -> AnalysisJob | None:
        """Return the most urgent job, for `session` to do, waiting for one; None when none will come."""
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
        """Forget a job that is done."""
        with self._change:
            del self._open[job.arrival]

    def terminate(self, fits: Callable[[AnalysisJob], bool]) -> list[AnalysisJob]:
        """End those jobs under way that `fits` is true of, soon; return those that will not begin."""
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
        """Say that no more jobs will come."""
        with self._change:
            self._closed = True
            self._change.notify_all()
