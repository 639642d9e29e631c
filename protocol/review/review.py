"""A whole record analysed: every position in order, kept as it comes, told in a table, JSON, SGF and a graph.

Every assessed position goes to a journal beside the annotated record (`protocol.review.journal`) at once.
However the process ends, the same command resumes it. The annotated record and the graph are written when all
positions are assessed, whole or not at all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tengen.engine import sgf
from tengen.engine.errors import OptionError, TengenError, quoted
from tengen.engine.files import replace_file
from tengen.protocol.cli.analyze import limits, print_notice, score_report, stop_on_sigint
from tengen.protocol.common.arguments import command_line, record_of
from tengen.protocol.common.dialogue import EXIT_INTERRUPTED, set_engine_options
from tengen.protocol.common.session import Session
from tengen.protocol.review.annotation import FIRST_SIDE, annotated, score_text
from tengen.protocol.review.assessment import (
    MISTAKES,
    Assessment,
    JudgedMove,
    Review,
    ReviewPosition,
    ReviewSummary,
    stages,
    summarize,
    value_for,
)
from tengen.protocol.review.journal import POSITIONS, Journal, JournalSettings
from tengen.search.limits import Limits

if TYPE_CHECKING:
    from tqdm import tqdm

    from tengen.engine.position import Position
    from tengen.engine.sgf import Record
    from tengen.search.info import Result

DEFAULT_TIME = 1.0  # seconds a position
POLL_INTERVAL = 0.1  # seconds between two looks at the search: waiting holds signals up on some systems
SUFFIX = ".sgf"
DIGITS = 4  # of win rates in JSON


class ReviewError(TengenError):
    """A position that the search has failed at."""


def run(arguments: argparse.Namespace) -> int:
    """Review the record, or what is left of it, and write what has come to light."""
    record = record_of(arguments)
    out = annotated_path(arguments)
    if arguments.plot:
        from tengen.protocol.review import plot

        plot.require(arguments.plot)
    review = Review(record.spec, stages(record), [], limits(arguments, DEFAULT_TIME))
    session = Session(record.spec, book=False)
    set_engine_options(session, arguments)
    identity = settings(record, review, str(session.options["Search"]))
    with Journal(out.with_suffix(".jsonl"), identity, arguments.restart) as journal:
        if journal.notice:
            print_notice(journal.notice)
        try:
            view = assess_all(review, session, journal, arguments.json)
        except KeyboardInterrupt:
            session.halt()
            print_notice(f"interrupted; to go on:\n  {resumption(arguments)}")
            return EXIT_INTERRUPTED
        replace_file(out, sgf.write(annotated(record, review)).encode())
        if arguments.plot:
            plot.write(arguments.plot, record, review)
        view.end(review, [out, *([arguments.plot] if arguments.plot else [])])
    return 0


def annotated_path(arguments: argparse.Namespace) -> Path:
    """Return the name of the annotated record.

    Raises
    ------
    OptionError
        When it is not that of an SGF file, or is the record itself.
    """
    out: Path = arguments.out or arguments.record.with_suffix(f".analyzed{SUFFIX}")
    if out.suffix.lower() != SUFFIX:
        raise OptionError(f"--out: expected a file named *{SUFFIX}, got {quoted(str(out), 200)}")
    if out.exists() and out.samefile(arguments.record):
        raise OptionError(f"--out: expected another file than the record, got {quoted(str(out), 200)}")
    return out


def settings(record: Record, review: Review, method: str) -> JournalSettings:
    """Return what tells this analysis from others; `method` is the option Search."""
    from tengen.tuning.version import engine_version

    identity = json.dumps([str(record.spec), record.start, record.turns])
    return {
        "record": hashlib.sha256(identity.encode()).hexdigest()[:16],
        "game": str(record.spec),
        "engine": engine_version(record.spec),
        "search": method,
        "time": review.limits.movetime,
        "nodes": review.limits.nodes,
        "depth": review.limits.depth,
        POSITIONS: sum(not stage.over for stage in review.stages),
    }


def resumption(arguments: argparse.Namespace) -> str:
    """Return the command that goes on with a review."""
    values = {
        name: value for name, value in vars(arguments).items() if name not in ("record", "multipv", "restart")
    }
    return command_line("analyze", values, arguments.record)


# ----------------------------------------------------------------------------------------------- the analysis


def assess_all(review: Review, session: Session, journal: Journal, as_json: bool) -> ReviewView:
    """Assess every position of `review`, showing it as it comes; return what has shown it.

    Raises
    ------
    KeyboardInterrupt
        When the user wants an end.
    TengenError
        When the search fails, or the journal cannot be written.
    """
    from tqdm import tqdm

    total = sum(not stage.over for stage in review.stages)
    quiet = sys.stderr is None or not sys.stderr.isatty()
    completed = len(journal.completed)
    with (
        tqdm(total=total, initial=completed, unit="position", disable=quiet, leave=False) as bar,
        stop_on_sigint(session),
    ):
        view = (ReviewJson if as_json else ReviewTable)(printer(bar), review)
        if completed < total:
            session.ensure_compiled(print_notice)
        for assessment in assessments(review, session, journal, bar.update):
            review.assessments.append(assessment)
            number = len(review.assessments) - 1
            view.add(review.stages[number], assessment, review.step(number))
    return view


def printer(bar: tqdm[Any]) -> Callable[[str], None]:
    """Return what prints a line on stdout, above the progress bar if that is shown."""

    def print_line(line: str) -> None:
        if bar.disable:
            print(line, flush=True)
        else:
            bar.write(line, file=sys.stdout)
            sys.stdout.flush()

    return print_line


def assessments(
    review: Review, session: Session, journal: Journal, on_new: Callable[[], object]
) -> Iterator[Assessment]:
    """Yield what every position is worth: kept in the journal from before, or searched now, and kept then."""
    for stage in review.stages:
        if stage.over:
            points = any(assessment.lead is not None for assessment in review.assessments)
            yield Assessment.of_end(stage.position, points)
        elif stage.number < len(journal.completed):
            yield journal.completed[stage.number]
        else:
            assessment = assess(stage, session, review.limits)
            journal.add(assessment)
            on_new()
            yield assessment


def assess(stage: ReviewPosition, session: Session, allowed: Limits) -> Assessment:
    """Search a position; where the limits allow nothing at all, the turns are looked at one action deep."""
    result = search(stage.position, session, allowed)
    if not result.lines:
        result = search(stage.position, session, Limits(depth=1))
    if not result.lines:
        raise ReviewError(f"position after turn {stage.number}: {result.notice}")
    scale = stage.position.foreground.scale
    return Assessment.of_search(result.lines[0], result.nodes, scale)


def search(position: Position, session: Session, allowed: Limits) -> Result:
    """Return the result of a search that nobody has interrupted."""
    session.go(position, allowed, on_notice=print_notice)
    while (result := session.wait(POLL_INTERVAL)) is None:
        pass
    if session.interrupted:
        raise KeyboardInterrupt
    return result


# ---------------------------------------------------------------------------------------------- what is shown


class ReviewView(Protocol):
    """A way to show a review on stdout."""

    def add(self, stage: ReviewPosition, assessment: Assessment, step: JudgedMove | None) -> None:
        """Show what a position is worth, and with it the turn that has led there; None at the start."""

    def end(self, review: Review, files: list[Path]) -> None:
        """Show how each side has played, and where more is written."""


class ReviewJson:
    """A review as JSON lines: a turn with the position before it; see the head of `protocol.cli.analyze`."""

    def __init__(self, write: Callable[[str], None], review: Review) -> None:
        self._write = write
        self._last = review.stages[-1]

    def add(self, stage: ReviewPosition, assessment: Assessment, step: JudgedMove | None) -> None:
        """Write the line of the turn, and behind the last one that of the final position."""
        if step:
            self._put(turn_report(step.stage, step.before) | judgement(step))
        if stage is self._last:
            self._put(end_report(stage) if stage.over else turn_report(stage, assessment))

    def end(self, review: Review, files: list[Path]) -> None:
        """Write the last line."""
        sides = enumerate(review.spec.game.sides)
        summary = {name: summary_report(summarize(side, review.moves)) for side, name in sides}
        self._put({"summary": summary, "files": [str(file) for file in files]})

    def _put(self, report: dict[str, Any]) -> None:
        self._write(json.dumps(report))


def turn_report(stage: ReviewPosition, assessment: Assessment) -> dict[str, Any]:
    """Return a position before a turn as JSON has it, for the side to move."""
    return {
        **_heading(stage),
        **({"in": stage.other.name} if stage.other else {}),
        "played": stage.played or None,
        "best": assessment.best,
        "winrate": round(assessment.rate, DIGITS),
        **({"score": score_report(assessment.score)} if assessment.score else {}),
        **({"lead": round(assessment.lead, 2)} if assessment.lead is not None else {}),
        "depth": assessment.depth,
        "nodes": assessment.nodes,
        "pv": list(assessment.pv),
    }


def _heading(stage: ReviewPosition) -> dict[str, Any]:
    return {"turn": stage.number + 1, "side": stage.position.spec.game.sides[stage.mover]}


def judgement(step: JudgedMove) -> dict[str, Any]:
    """Return what JSON says of a turn that has been played."""
    return {
        "playedwinrate": None if step.value is None else round(step.value, DIGITS),
        "loss": None if step.loss is None else round(step.loss, DIGITS),
        "mark": step.mark,
    }


def end_report(stage: ReviewPosition) -> dict[str, Any]:
    """Return the final position of a finished game as JSON has it."""
    position = stage.position
    return {
        "turn": stage.number + 1,
        "played": None,
        "winner": position.winner(),
        "result": position.result(),
    }


def summary_report(played: ReviewSummary) -> dict[str, Any]:
    """Return how a side has played as JSON has it."""
    return {**vars(played), "loss": round(played.loss, DIGITS)}


class ReviewTable:
    """A review as a table for people, a line a turn, seen from the first side."""

    def __init__(self, write: Callable[[str], None], review: Review) -> None:
        self._write = write
        self._game = game = review.spec.game
        self._turn_width = max([len("played"), *(len(stage.played) for stage in review.stages)])
        self._side_width = max(map(len, game.sides))
        points = f"win rates and scores are {game.sides[FIRST_SIDE].capitalize()}'s, after the turn"
        write(f"{review.spec}, {review.effort} a position; {points}\n")
        write(self._row("turn", "", "side", "played", "win %", "score", "loss", "engine"))

    def add(self, stage: ReviewPosition, assessment: Assessment, step: JudgedMove | None) -> None:
        """Write the line of a turn."""
        found = value_for(stage, assessment, FIRST_SIDE)
        score = stage.position.result() if stage.over else score_text(self._game, found)
        rate = f"{100 * found.rate:.1f}"
        if step is None:
            self._write(self._row("0", "", "", "", rate, score, "", ""))
            return
        loss = "" if step.loss is None else f"{100 * step.loss:.1f}"
        side = self._game.sides[step.stage.mover]
        remarks = [
            "" if step.agrees else step.before.best,
            f"(in {stage.other.title})" if stage.other else "",
        ]
        remark = " ".join(filter(None, remarks))
        self._write(
            self._row(str(step.number), step.mark, side, step.stage.played, rate, score, loss, remark)
        )

    def _row(self, *cells: str) -> str:
        number, mark, side, turn, rate, score, loss, remark = cells
        played = f"{number:>4} {mark:<2}  {side:<{self._side_width}}  {turn:<{self._turn_width}}"
        return f"{played}  {rate:>5}  {score:>10}  {loss:>5}  {remark}".rstrip()

    def end(self, review: Review, files: list[Path]) -> None:
        """Write how each side has played, and the names of the files written."""
        marks = "".join(f"{mark:>5}" for mark in MISTAKES)
        self._write(f"\n{'':<{self._side_width}}  turns  mean loss{marks}  as the engine")
        for side, name in enumerate(self._game.sides):
            played = summarize(side, review.moves)
            mistakes = "".join(f"{count:>5}" for count in played.mistakes.values())
            agreed = f"{100 * played.agreed / played.turns:.0f}%" if played.turns else "-"
            loss = f"{100 * played.loss:.1f}"
            self._write(f"{name:<{self._side_width}}  {played.turns:>5}  {loss:>9}{mistakes}  {agreed:>13}")
        self._write(f"\nwritten to {', '.join(map(str, files))}")
