"""Review of a whole record: every position searched in order, reported as table, JSON, SGF and graph.

Every assessment is written to a journal at once (`apps.review.journal`), so that the same command resumes
after any interruption. The annotated record and the graph are written at the end, whole or not at all.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.apps.review.annotation import FIRST_SIDE, annotated, loss_text, score_text
from tengen.apps.review.assessment import (
    MISTAKES,
    Assessment,
    JudgedMove,
    Review,
    ReviewedVariation,
    ReviewPosition,
    judge_move,
    record_positions,
    summarize,
    value_for,
    variations_of,
)
from tengen.apps.review.journal import POSITIONS, Journal, JournalSettings
from tengen.apps.review.options import ReviewOptions
from tengen.apps.review.pages import page
from tengen.apps.review.reasons import reasons
from tengen.apps.review.searches import assess, checked
from tengen.engine.errors import OptionError, located, quoted
from tengen.engine.formats import files
from tengen.engine.notation import shown
from tengen.engine.storage.files import replace_file
from tengen.protocol.archive import REVIEWED, SUFFIX, result_path
from tengen.protocol.arguments import command_line
from tengen.protocol.engine_options import set_engine_options
from tengen.protocol.interrupts import EXIT_INTERRUPTED, stop_on_sigint
from tengen.protocol.output import print_notice
from tengen.protocol.positions import record_of, report_fault
from tengen.protocol.session import Session
from tengen.protocol.values import score_report

if TYPE_CHECKING:
    from tengen.engine.game import Game
    from tengen.engine.sgf import Node, Record

DEFAULT_TIME = 1.0  # seconds a position
EVEN = 50  # the default of the option ChallengeChance
DIGITS = 4  # of win rates in JSON
REASON = 9  # columns before a reason in the table


def run(options: ReviewOptions, path: Path) -> int:
    """Review the record at `path`, or the rest of it, and write the results."""
    record = record_of(options, path)
    out = annotated_path(options, path)
    if options.plot:
        from tengen.apps.review.pages import plot

        plot.require(options.plot)
    if options.html:
        page.require(options.html)
    faults: list[str] = []
    with located(quoted(str(path), limit=200)):
        legal, fault = record.legal_line()
        report_fault(path, record.spec, fault, options.strict)
        review = Review(record.spec, record_positions(record, [], legal), [], options.limits(DEFAULT_TIME))
        variations = variations_of(record, review.limits, faults) if options.variations else []
        for fault in faults:
            report_fault(path, record.spec, fault, options.strict)
    session = Session(record.spec)
    set_engine_options(session, options)
    identity = settings(record, review, session, variations)
    with Journal(out.with_suffix(".jsonl"), identity, options.restart) as journal:
        if journal.notice:
            print_notice(journal.notice)
        finished = len(journal.completed) == identity[POSITIONS]
        written = finished and out.exists() and out.stat().st_mtime >= journal.path.stat().st_mtime
        try:
            show = ReviewJson if options.json else ReviewTable
            view = assess_all(review, session, journal, show, variations)
        except KeyboardInterrupt:
            session.stop_and_wait()
            print_notice("interrupted; to go on:", f"  {resume_command(options, path)}")
            return EXIT_INTERRUPTED
        if not written:  # its owner may have changed it since
            replace_file(out, files.write([annotated(record, review, variations)], out)[0])
        if options.plot:
            plot.write(options.plot, record, review)
        if options.html:
            page.write(options.html, record, review, variations)
        assert view
        view.end(review, [file for file in (out, options.plot, options.html) if file])
    return 0


def annotated_path(options: ReviewOptions, record: Path) -> Path:
    """Return the name of the annotated record."""
    out = options.out or result_path(options.numbered(record), REVIEWED)
    if out.suffix.lower() != SUFFIX:
        raise OptionError(f"--out: expected a file named *{SUFFIX}, got {quoted(str(out), 200)}")
    if out.exists() and out.samefile(files.split_number(record)[0]):
        raise OptionError(f"--out: expected a file other than the record, got {quoted(str(out), 200)}")
    return out


def settings(
    record: Record, review: Review, session: Session, variations: Sequence[ReviewedVariation] = ()
) -> JournalSettings:
    """Return what identifies this review in its journal."""
    from tengen.tuning.version import engine_version

    chance = session.option("ChallengeChance")
    return {
        "record": record_identity(record),
        "game": str(record.spec),
        "engine": engine_version(record.spec),
        "search": str(session.options["Search"]),
        **({} if chance == EVEN else {"chance": chance}),
        "time": review.limits.time,
        "nodes": review.limits.nodes,
        "depth": review.limits.depth,
        **({"variations": identity_of(*map(_turns_of, variations))} if variations else {}),
        POSITIONS: sum(line.searched for line in (review, *(each.review for each in variations))),
    }


def _turns_of(variation: ReviewedVariation) -> list[Any]:
    """Return what tells a variation from others."""
    nodes = [variation.source, *variation.source.main_line()]
    turns = [(int(node.side or 0), node.turn) for node in nodes if node.colour]
    return [variation.parent, variation.review.positions[0].number, turns, *_set_ups(nodes)]


def record_identity(record: Record) -> str:
    """Return what tells the turns of a record from those of others."""
    leading = itertools.takewhile(lambda node: not node.colour, record.line)
    later = _set_ups(record.line[sum(1 for _ in leading) :])
    return identity_of(str(record.spec), record.start, record.turns, *later)


def _set_ups(nodes: Sequence[Node]) -> list[Any]:
    """Return the positions that are set up in a line: the number of the node, and its properties."""
    return [[number, node.properties] for number, node in enumerate(nodes) if node.is_set_up]


def identity_of(*parts: Any) -> str:
    """Return a short text that is another one for other parts, which JSON can write."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def resume_command(options: ReviewOptions, record: Path) -> str:
    """Return the command that resumes a review."""
    again = replace(options, records=[options.numbered(record)], number=None, restart=False)
    return command_line("analyze", again)


# ----------------------------------------------------------------------------------------------- the analysis


def assess_all(
    review: Review,
    session: Session,
    journal: Journal,
    show: type[ReviewJson | ReviewTable] | None = None,
    variations: Sequence[ReviewedVariation] = (),
    name: str | None = None,
) -> ReviewJson | ReviewTable | None:
    """Assess the positions of a review and of its variations; return the view that shows each as it comes.

    A terminal shows how many have been searched, under a `name`. SIGINT stops the search.
    """
    from tqdm import tqdm

    total = review.searched + sum(each.review.searched for each in variations)
    completed, quiet = len(journal.completed), not sys.stderr.isatty()
    bar = tqdm(total=total, initial=completed, desc=name, unit="position", disable=quiet, leave=False)
    with bar, stop_on_sigint(session):

        def write(line: str) -> None:
            bar.write(line, file=sys.stdout)  # above the bar, if there is one
            sys.stdout.flush()

        view = show(write, review) if show else None
        if completed < total:
            session.ensure_compiled(print_notice)
        skip = 0
        for line, variation in ((review, None), *((each.review, each) for each in variations)):
            if variation and view:
                view.begin(variation)
            for number in assessed(line, session, journal, bar.update, skip):
                if view:
                    view.add(line.positions[number], line.assessments[number], line.move(number))
            skip += line.searched
    return view


def assessed(
    review: Review,
    session: Session,
    journal: Journal,
    on_new: Callable[[], object] = lambda: None,
    skip: int = 0,
) -> Iterator[int]:
    """Assess one position after another, and yield their numbers: from the journal, or by a new search.

    The first `skip` assessments of the journal are of other lines.
    """
    for number, entry in enumerate(review.positions):
        if entry.is_final:
            points = any(assessment.lead is not None for assessment in review.assessments)
            found = Assessment.of_end(entry.position, points)
        elif skip + number < len(journal.completed):
            found = journal.completed[skip + number]
        else:
            following = review.positions[number + 1] if entry.played else None
            found = assess(entry, following, session, review.limits)
            if number and review.positions[number - 1].played:
                move = judge_move(review.positions[number - 1], review.assessments[-1], entry, found)
                found = checked(move, session, review.limits).after_value
            journal.add(found)
            on_new()
        review.assessments.append(found)
        yield number


# ---------------------------------------------------------------------------------------------- what is shown


class ReviewJson:
    """A review as JSON lines: a turn with the position before it; see `apps.cli.analyze`."""

    def __init__(self, write: Callable[[str], None], review: Review) -> None:
        self._write = write
        self._line: dict[str, int] = {}

    def begin(self, variation: ReviewedVariation) -> None:
        """Name the variation in the lines that follow."""
        self._line = {"variation": variation.number, "parent": variation.parent}

    def add(self, entry: ReviewPosition, assessment: Assessment, move: JudgedMove | None) -> None:
        """Write the line of the turn and, where none follows, that of the position."""
        if move:
            self._put(turn_report(move.before, move.before_value) | judgement(move))
        if not entry.played:
            self._put(end_report(entry) if entry.is_final else turn_report(entry, assessment))

    def end(self, review: Review, files: list[Path]) -> None:
        """Write the last line."""
        self._line = {}
        summary = summary_report(review.spec.game, review.moves)
        self._put({"summary": summary, "files": [str(file) for file in files]})

    def _put(self, report: dict[str, Any]) -> None:
        self._write(json.dumps(self._line | report))


def turn_report(entry: ReviewPosition, assessment: Assessment) -> dict[str, Any]:
    """Return the position before a turn for JSON, from the view of the side to move."""
    return {
        "turn": entry.number + 1,
        "side": entry.position.spec.game.sides[entry.mover],
        **({"in": entry.other.name} if entry.other else {}),
        "played": entry.played or None,
        "best": assessment.best,
        "winrate": round(assessment.rate, DIGITS),
        **({"score": score_report(assessment.score)} if assessment.score else {}),
        **({"lead": round(assessment.lead, 2)} if assessment.lead is not None else {}),
        "depth": assessment.depth,
        "nodes": assessment.nodes,
        "pv": list(assessment.pv),
    }


def judgement(move: JudgedMove) -> dict[str, Any]:
    """Return the judgement of a turn for JSON."""
    return {
        "playedwinrate": None if move.value is None else round(move.value, DIGITS),
        "loss": None if move.loss is None else round(move.loss, DIGITS),
        "error": None if move.error is None else round(move.error, DIGITS),
        "mark": move.mark,
        **({"reasons": [reason.report() for reason in found]} if (found := reasons(move)) else {}),
    }


def end_report(entry: ReviewPosition) -> dict[str, Any]:
    """Return the final position of a finished game for JSON."""
    position = entry.position
    return {
        "turn": entry.number + 1,
        "played": None,
        "winner": position.winner(),
        "result": position.result(),
        **({"reason": reason} if (reason := position.end_reason()) else {}),
    }


def summary_report(game: Game, moves: Sequence[JudgedMove]) -> dict[str, Any]:
    """Return how each side has played for JSON."""
    played = {name: summarize(side, moves) for side, name in enumerate(game.sides)}
    return {name: {**vars(each), "loss": round(each.loss, DIGITS)} for name, each in played.items()}


class ReviewTable:
    """A review as a table: one line a turn, values for the first side."""

    def __init__(self, write: Callable[[str], None], review: Review) -> None:
        self._write: Callable[[str], None] = lambda line: write(shown(review.spec, line))
        self._game = game = review.spec.game
        self._turn_width = max([len("played"), *(len(entry.played) for entry in review.positions)])
        self._side_width = max(map(len, game.sides))
        self._part = False  # whether the next position is set up in the middle
        points = f"win rates and scores are {game.sides[FIRST_SIDE].capitalize()}'s, after the turn"
        write(f"{review.spec}, {review.effort} a position; {points}\n")
        write(self._row("turn", "", "side", "played", "win %", "score", "loss", "engine"))

    def begin(self, variation: ReviewedVariation) -> None:
        """Write what follows."""
        self._part = False
        self._write(f"\n{variation.title}")

    def add(self, entry: ReviewPosition, assessment: Assessment, move: JudgedMove | None) -> None:
        """Write the line of a turn."""
        value = value_for(entry, assessment, FIRST_SIDE)
        score = entry.position.result() if entry.is_final else score_text(self._game, value)
        rate = f"{100 * value.rate:.1f}"
        begins_part, self._part = self._part, not entry.played
        if move is None:
            if entry.number == 0 or begins_part:
                played = "set up" if begins_part else ""
                self._write(self._row(str(entry.number), "", "", played, rate, score, "", ""))
            return
        side = self._game.sides[move.before.mover]
        remarks = [
            "" if move.agrees else move.before_value.best,
            f"(in {entry.other.title})" if entry.other else "",
        ]
        remark = " ".join(filter(None, remarks))
        self._write(
            self._row(
                str(move.number), move.mark, side, move.before.played, rate, score, loss_text(move), remark
            )
        )
        for reason in reasons(move):
            self._write(f"{'':<{REASON}}{reason.text}")

    def _row(self, *cells: str) -> str:
        number, mark, side, turn, rate, score, loss, remark = cells
        played = f"{number:>4} {mark:<2}  {side:<{self._side_width}}  {turn:<{self._turn_width}}"
        return f"{played}  {rate:>5}  {score:>10}  {loss:>10}  {remark}".rstrip()

    def end(self, review: Review, files: list[Path]) -> None:
        """Write a summary of each side, and the names of the files written."""
        marks = "".join(f"{mark:>5}" for mark in MISTAKES)
        self._write(f"\n{'':<{self._side_width}}  turns  mean loss{marks}  as the engine")
        for side, name in enumerate(self._game.sides):
            turns, loss, *mistakes, agreed = summarize(side, review.moves).cells
            counts = "".join(f"{count:>5}" for count in mistakes)
            self._write(f"{name:<{self._side_width}}  {turns:>5}  {loss:>9}{counts}  {agreed:>13}")
        self._write(f"\nwritten to {', '.join(map(str, files))}")
