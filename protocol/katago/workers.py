"""Turns of queries to analyze: their queue, most urgent first, the threads that search them, and replies."""

from __future__ import annotations

import heapq
import itertools
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tengen.engine.debug import internal_error
from tengen.engine.game import Outcome
from tengen.engine.play.trials import AWAITS_RESULT
from tengen.protocol.candidates import (
    AnalyzeRequest,
    SearchReports,
    katago_values,
    legal_turns,
    owners_after,
    visits,
)
from tengen.protocol.errors import CommandError
from tengen.protocol.katago.queries import MAX_TURN_SECONDS, SIDE_TO_MOVE, Query
from tengen.protocol.output import print_notice
from tengen.protocol.session import Session
from tengen.protocol.values import final_lead, outcome_value
from tengen.search.info import Info, Result
from tengen.search.levels import log_odds
from tengen.search.limits.limit import MAX_MULTIPV

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

MAX_OPEN = 20_000  # turns that wait or run; then no more queries are read until some are answered
POLL_INTERVAL = 0.05  # seconds between polls for termination while the compiler runs
SIDE_INDEPENDENT = ("visits", "prior")  # the same for both sides
PROBABILITIES = ("winrate", "lcb")  # for the other side 1 minus the value; other values are negated


JsonDict = dict[str, Any]


@dataclass
class AnalysisJob:
    """One turn of a query to analyze."""

    query: Query
    turn: int  # the number of the turn
    arrival: int  # the number of the job
    session: Session | None = None  # the session that searches it, once it has started
    terminated: bool = False  # whether it must stop, or must not start

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
        self._waiting: list[tuple[int, int, AnalysisJob]] = []  # a heap: urgent ones first, then older ones
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
                heapq.heappush(self._waiting, (-query.priorities[turn], job.arrival, job))
            self._change.notify_all()

    def take(self, session: Session) -> AnalysisJob | None:
        """Wait for the most urgent job, for `session`; return None once the queue is closed and empty."""
        with self._change:
            while True:
                self._change.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return None
                job = heapq.heappop(self._waiting)[2]
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


class AnalysisWorker(threading.Thread):
    """A thread that processes jobs one at a time in its own session, until there will be none."""

    def __init__(self, session: Session, jobs: AnalysisQueue, send: Callable[[JsonDict], None]) -> None:
        super().__init__(name="tengen analysis", daemon=True)
        self.session = session
        self.jobs = jobs
        self.send = send
        self.clear_pending = False  # whether to clear the search tables before the next job
        self._compiler = ThreadPoolExecutor(1, "tengen compiler")

    def run(self) -> None:
        """Process jobs."""
        while job := self.jobs.take(self.session):
            try:
                replies = self._replies(job)
            except Exception as error:  # a bug must not leave the other queries unanswered
                replies = [{"error": internal_error(error), "id": job.query.id}, job.no_results()]
            self.jobs.finish(job)
            for reply in replies:
                self.send(reply)

    def _replies(self, job: AnalysisJob) -> list[JsonDict]:
        """Analyze the position of a job, with reports during the search; return the final replies."""
        position = job.query.at(job.turn)
        report = ReplyBuilder(job, position)
        if position.outcome() != Outcome.ONGOING:
            return [report.ended()]
        request = AnalyzeRequest(job.query.interval or MAX_TURN_SECONDS, job.query.limits.multipv)
        if position.awaits_result:
            return [job.warning("moves", AWAITS_RESULT), job.no_results()]
        try:
            for restriction in job.query.restrictions:
                legal = legal_turns(position, restriction.turns, lenient=True)
                request.restrict(restriction, position, legal)
        except CommandError as error:
            return [job.warning("moves", str(error)), job.no_results()]
        result, lines = self._search(report, request)
        if job.query.moves_ownership:
            candidates = request.candidates(result.lines or lines)
            report.owners = owners_after(self.session, position, request, candidates, lambda: job.terminated)
        return report.final(result, lines, request)

    def _search(self, report: ReplyBuilder, request: AnalyzeRequest) -> tuple[Result, list[Info]]:
        """Search with reports; return the result, and all lines reported on the way."""
        job, session = report.job, self.session
        self._wait_until_compiled(job, report.position)
        reports = SearchReports()
        limits = request.limits(job.query.limits)
        if job.query.policy and session.uses_mcts(report.position.game):
            limits = replace(limits, multipv=MAX_MULTIPV)  # the visits of all turns, at no cost
        session.go(report.position, limits, reports.add, on_notice=print_notice)
        if job.terminated:  # before the search could be stopped
            session.stop()
        seconds = job.query.first_report
        while (result := session.wait(seconds)) is None:
            seconds = request.interval
            if infos := reports.infos:
                self.send(report.reply(infos, request, during_search=True))
        return result, reports.infos

    def _wait_until_compiled(self, job: AnalysisJob, position: Position) -> None:
        """Wait until a search of `position` can start without delay, or `job` is terminated."""
        # A tree that is kept from query to query would have more visits than were asked for
        by_visits = self.session.uses_mcts(position.game)
        if self.clear_pending or by_visits or position.spec != self.session.spec:
            self.clear_pending = False
            self.session.clear_search()
            self.session.spec = position.spec
        compiled = self._compiler.submit(self.session.ensure_compiled, print_notice)
        while not (compiled.done() or job.terminated):
            wait([compiled], POLL_INTERVAL)
        if compiled.done():
            compiled.result()  # or what has failed


class ReplyBuilder:
    """Builds the replies about one position."""

    def __init__(self, job: AnalysisJob, position: Position) -> None:
        self.job = job
        self.position = position
        game = position.spec.game
        perspective = job.query.perspective
        self._flipped = perspective != SIDE_TO_MOVE and game.side(perspective) != position.side_to_move
        self.owners: dict[str, tuple[float, ...]] = {}  # of points after candidates, for the side to move
        self._root = {"currentPlayer": game.letters[position.side_to_move].upper(), **hashes(position)}

    def final(self, result: Result, lines: list[Info], request: AnalyzeRequest) -> list[JsonDict]:
        """Return the replies at the end of a search that has reported `lines`."""
        found = result.lines or lines
        if not found:
            limit = "maxTime" if self.job.query.limits.nodes is None else "maxVisits"
            explained = [] if self.job.terminated else [self.job.warning(limit, result.notice)]
            return [*explained, self.job.no_results()]
        query, title = self.job.query, self.position.game.title
        unknown = {
            "includeOwnership": query.ownership and not found[0].ownership,
            "includeMovesOwnership": query.moves_ownership and not found[0].ownership,
            "includePVVisits": query.pv_visits and not found[0].pv_visits,
        }
        missing = [name for name, is_missing in unknown.items() if is_missing]
        warnings = [self.job.warning(name, f"{name}: not known in {title}") for name in missing]
        return [*warnings, self.reply(found, request)]

    def reply(self, infos: Sequence[Info], request: AnalyzeRequest, during_search: bool = False) -> JsonDict:
        """Return the reply about the candidates that `request` asks for among `infos`."""
        candidates = request.candidates(infos)
        best = self._values(candidates[0])
        root: JsonDict = {"visits": max(info.nodes for info in candidates)}
        root |= {name: best[name] for name in ("winrate", "scoreLead", "utility") if name in best}
        reply = self.job.reply(
            during_search,
            moveInfos=[self._move_info(order, info) for order, info in enumerate(candidates)],
            rootInfo={**self._root, **root},
        )
        if self.job.query.policy:
            reply["policy"] = policy(self.position, infos)
        if self.job.query.ownership and (owners := candidates[0].ownership):
            reply["ownership"] = [self._from_perspective("ownership", owner) for owner in owners]
        return reply

    def _move_info(self, order: int, info: Info) -> JsonDict:
        length = self.job.query.pv_length
        report = {"move": info.pv[0], "visits": visits(info), **self._values(info), "order": order}
        report["pv"] = list(info.pv[:length])
        if self.job.query.pv_visits and info.pv_visits:
            report["pvVisits"] = list(info.pv_visits[:length])
        if owners := self.owners.get(info.pv[0]):
            report["ownership"] = [self._from_perspective("ownership", owner) for owner in owners]
        return report

    def ended(self) -> JsonDict:
        """Return the reply about a finished game."""
        result = self.position.result()
        value = outcome_value(self.position.outcome(), self.position.side_to_move)
        lead = final_lead(self.position)
        values = {"winrate": value, "utility": 2 * value - 1}
        if lead is not None:
            values["scoreLead"] = lead
        seen = self._seen(values)
        reason = self.position.end_reason()
        ending = {"result": result, "reason": reason} if reason else {"result": result}
        return self.job.reply(moveInfos=[], rootInfo={**self._root, "visits": 0, **seen, **ending})

    def _values(self, info: Info) -> dict[str, float]:
        """Return KataGo's numeric fields of a candidate, from the requested perspective."""
        return self._seen(katago_values(info, self.position.scale))

    def _seen(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return fields for the side to move, from the requested perspective."""
        return {name: self._from_perspective(name, value) for name, value in values.items()}

    def _from_perspective(self, name: str, value: float) -> float:
        """Return a value for the side to move, from the requested perspective."""
        if self._flipped and name not in SIDE_INDEPENDENT:
            value = (1.0 if name in PROBABILITIES else 0.0) - value
        return round(value, 6)


def policy(position: Position, infos: Sequence[Info]) -> list[float] | dict[str, float]:
    """Return the share of each turn in a search: of the visits, or of the softmax of the scores.

    On a square board they are a list: points from the top left, then the pass; -1 where illegal. On others
    they are by turn. Turns that are not in `infos` have no share.
    """
    shown = position.current
    if infos[0].visits is not None:
        weights = [float(info.visits or 0) for info in infos]
    else:
        values = [log_odds(info.score, shown.scale) for info in infos]
        weights = [math.exp(value - max(values)) for value in values]
    total = sum(weights) or 1.0
    shares = {info.pv[0]: round(weight / total, 6) for info, weight in zip(infos, weights, strict=True)}
    if not shown.spec.game.square:
        return shares
    size = int(shown.spec.values["size"])
    from tengen.engine.board.grids import vertex  # loads NumPy

    points = [vertex(x, y) for y in reversed(range(size)) for x in range(size)]
    legal = set(shown.turns())
    return [shares.get(turn, 0.0) if turn in legal else -1.0 for turn in (*points, "pass")]


def hashes(position: Position) -> dict[str, str]:
    """Return KataGo's hash of a position, and one that symmetric positions share.

    A position with an announced turn has neither.
    """
    if position.awaits_answer:
        return {}
    rules, state = position.current.spec.game.rules, position.current.state
    images = min(int(image.key) for image in rules.symmetries(state))
    return {"thisHash": f"{int(state.key):016X}", "symHash": f"{images:016X}"}
