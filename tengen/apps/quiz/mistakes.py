"""Puzzles of records: mistakes to be made good."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tengen.apps.language import translate
from tengen.apps.quiz.collection import hints_of
from tengen.apps.quiz.progress import name_of
from tengen.apps.review.assessment import JudgedMove, Review, puzzles, record_positions
from tengen.apps.review.journal import POSITIONS, Journal, JournalSettings, read_settings
from tengen.apps.review.reasons import reasons
from tengen.apps.review.review import assess_all, record_identity, settings
from tengen.apps.review.searches import judge_answer
from tengen.engine.errors import OptionError, TengenError, quoted
from tengen.engine.formats.files import read_file
from tengen.engine.notation import shown
from tengen.engine.play.position import Position
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tengen.protocol import archive
from tengen.protocol.interrupts import stop_on_sigint
from tengen.protocol.output import print_notice
from tengen.protocol.positions import report_fault, report_notes
from tengen.protocol.session import Session
from tengen.search.limits.limit import Limit

SHOWN_TURNS = 6  # of a solution


@dataclass(frozen=True)
class Mistake:
    """A turn of a record that lost much, as a puzzle."""

    file: Path  # the record
    record: Record
    move: JudgedMove
    limits: Limit  # of the searches of its review

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return self.record.spec

    @property
    def name(self) -> str:
        """What tells the puzzle from others, in whichever file it stands."""
        before = self.move.before
        return name_of(str(self.spec), before.position.text(), before.played)

    @property
    def side(self) -> str:
        """The name of the side that made the mistake."""
        return self.spec.game.sides[self.move.before.mover]

    @property
    def line(self) -> tuple[str, ...]:
        """The best turn."""
        return (self.move.before_value.best,)

    @property
    def heading(self) -> str:
        """Where it is from."""
        return f"{self.file.name}, turn {self.move.number}"

    @property
    def question(self) -> str:
        """What is asked."""
        lost = f"{100 * (self.move.loss or 0):.0f}%"
        played = self.move.before.played
        return f"{played} was a mistake here: it lost {lost}. Find a better turn for {self.side}."

    def position(self) -> Position:
        """Return the position before the mistake."""
        return self.move.before.position.copy()

    def hints(self) -> tuple[str, ...]:
        """Return what helps, in two stages."""
        return hints_of(self.position(), *self.line)

    def judge(self, position: Position, answer: str, best: str) -> tuple[bool, str]:
        """Return whether an answer is right, after a search that compares it with the best turn, and why."""
        session = session_of(self.spec)
        with stop_on_sigint(session):
            judged = judge_answer(self.move, answer, session, self.limits)
        if not judged.right:
            return False, f"{judged.turn} loses {100 * judged.loss:.0f}%."
        return True, f"{judged.turn} is right." if judged.turn == best else f"{judged.turn} is good, too."

    def solution(self) -> list[str]:
        """Return the best line, and why the mistake loses."""
        why = [f"{self.move.before.played}: {translate(reason.text)}" for reason in reasons(self.move)]
        return [f"The best turn: {' '.join(self.move.before_value.pv[:SHOWN_TURNS])}", *why]

    def row(self) -> str:
        """Return what a list says of it."""
        move = self.move
        lost = f"{100 * (move.loss or 0):.0f}%"
        where = f"{self.file}, turn {move.number}"
        said = translate(f"{where}: {self.side} {move.before.played} {move.mark} lost {lost}")
        return shown(self.spec, said)

    def report(self) -> dict[str, Any]:
        """Return it for JSON."""
        move = self.move
        return {
            "file": str(self.file),
            "game": str(self.spec),
            "turn": move.number,
            "side": self.side,
            "position": move.before.position.text(),
            "played": move.before.played,
            "loss": round(move.loss or 0.0, 4),
            "best": move.before_value.best,
            "pv": list(move.before_value.pv),
            "reasons": [reason.report() for reason in reasons(move)],
        }


def own_sides(record: Record, side: str | None, player: str | None) -> set[int]:
    """Return the sides whose mistakes are asked: `side`, or that of `player`, whatever the case of its name.

    Without either it is the person who has played against the engine, and both sides in other records.
    """
    if side is not None:
        return {record.spec.game.side(side).number}
    names = [name.casefold() for name, _ in archive.players(record)]
    if player is not None:
        return {number for number, name in enumerate(names) if name == player.casefold()}
    return {number for number, name in enumerate(names) if name == archive.PERSON} or {0, 1}


def of_files(
    files: Sequence[Path],
    sides: tuple[str | None, str | None],
    limits: Limit,
    game: str | None = None,
    strict: bool = False,
) -> Iterator[Mistake]:
    """Yield the puzzles of records, which are reviewed as far as they have not been.

    A record that cannot be read is named on standard error and left out, unless it is the only one.
    """
    for file in files:
        try:
            record = read_file(file, game)
            report_notes(file, [record], strict)
            wanted = own_sides(record, *sides)
            review = reviewed(file, record, limits, strict) if wanted else None
        except (TengenError, OSError) as error:
            if len(files) == 1:
                raise
            print_notice(f"{file}: {error}" if str(file) not in str(error) else str(error))
            continue
        for move in puzzles(review) if review else ():
            if move.before.mover in wanted and move.before.other is None:
                yield Mistake(file, record, move, review.limits if review else limits)


@lru_cache(1)  # each has its memory
def session_of(spec: GameSpec) -> Session:
    """Return an engine of a game."""
    return Session(spec)


def reviewed(file: Path, record: Record, limits: Limit, strict: bool = False) -> Review:
    """Return the review of a record; what is missing of it is searched and kept in its journal."""
    paths = [archive.result_path(file, suffix) for suffix in archive.REVIEW_JOURNALS]
    path, known = paths[0], None
    for each in paths:
        found = read_settings(each)
        if found is not None and found.get("record") == record_identity(record) and POSITIONS in found:
            path, known, limits = each, found, _limits_of(found)
            break
    legal, fault = record.legal_line()
    report_fault(file, record.spec, fault, strict)
    review = Review(record.spec, record_positions(record, [], legal), [], limits)
    with Journal(path, known or settings(record, review, session_of(record.spec))) as journal:
        assess_all(review, session_of(record.spec), journal, name=file.name)
    return review


def _limits_of(known: JournalSettings) -> Limit:
    """Return the limits that stand in the settings of a journal."""
    kinds: dict[str, type] = {"depth": int, "nodes": int, "time": float}
    found = {name: known.get(name) for name in kinds}
    given = {name: kinds[name](value) for name, value in found.items() if isinstance(value, int | float)}
    if not given:
        told = quoted(str(list(found.values())))
        raise OptionError(f"journal: expected limits of its searches, got {told}")
    return Limit(**given)
