"""Puzzles of records, each with a name of its own, and the dialogue that asks them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tengen.apps.language import say, translate
from tengen.apps.quiz.progress import Progress, Standing
from tengen.apps.review.assessment import JudgedMove, Review, Verdict, puzzles, record_positions
from tengen.apps.review.journal import POSITIONS, Journal, JournalSettings, read_settings
from tengen.apps.review.reasons import reasons
from tengen.apps.review.review import assessed, progress, record_identity, settings
from tengen.apps.review.searches import compare
from tengen.apps.terminal import Style, board_text
from tengen.engine.errors import OptionError, TengenError, nearest, quoted
from tengen.engine.formats.files import read_file
from tengen.engine.notation import shown, typed
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tengen.protocol import archive
from tengen.protocol.interrupts import stop_on_sigint
from tengen.protocol.output import print_notice
from tengen.protocol.positions import report_fault, report_notes
from tengen.protocol.session import Session
from tengen.search.limits.limit import Limit

SessionOf = Callable[[GameSpec], Session]
NAME_BYTES = 12  # of the hash that names a puzzle
SHOWN_TURNS = 6  # of a solution
SHOW, SKIP, QUIT, HELP = "show", "skip", "quit", "help"
WORDS = {
    SHOW: "show the solution; the puzzle is asked again",
    SKIP: "go on to the next puzzle; this one stays as it is",
    QUIT: "end the quiz; answers are kept",
    HELP: "show these words",
}


@dataclass(frozen=True)
class Puzzle:
    """A mistake to be made good."""

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
        text = json.dumps([str(self.spec), before.position.text(), before.played])
        return hashlib.sha256(text.encode()).hexdigest()[: 2 * NAME_BYTES]

    @property
    def side(self) -> str:
        """The name of the side that made the mistake."""
        return self.spec.game.sides[self.move.before.mover]


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
    session_of: SessionOf,
    game: str | None = None,
    strict: bool = False,
) -> Iterator[Puzzle]:
    """Yield the puzzles of records, which are reviewed as far as they have not been.

    A record that cannot be read is named on standard error and left out, unless it is the only one.
    """
    for file in files:
        try:
            record = read_file(file, game)
            report_notes(file, [record], strict)
            wanted = own_sides(record, *sides)
            review = reviewed(file, record, limits, session_of, strict) if wanted else None
        except (TengenError, OSError) as error:
            if len(files) == 1:
                raise
            print_notice(f"{file}: {error}" if str(file) not in str(error) else str(error))
            continue
        for move in puzzles(review) if review else ():
            if move.before.mover in wanted and move.before.other is None:
                yield Puzzle(file, record, move, review.limits if review else limits)


def new_session(spec: GameSpec) -> Session:
    """Return an engine of a game, compiled."""
    session = Session(spec)
    session.ensure_compiled(print_notice)
    return session


def reviewed(
    file: Path, record: Record, limits: Limit, session_of: SessionOf, strict: bool = False
) -> Review:
    """Return the review of a record; what is missing of it is searched and kept in its journal."""
    path, known = _journal(file, record)
    if known is not None:
        limits = _limits_of(known)
    legal, fault = record.legal_line()
    report_fault(file, record.spec, fault, strict)
    review = Review(record.spec, record_positions(record, [], legal), [], limits)
    identity = known if known is not None else settings(record, review, session_of(record.spec))
    with Journal(path, identity) as journal:
        if (completed := len(journal.completed)) >= review.searched:
            list(assessed(review, None, journal))
        else:
            session = session_of(record.spec)
            with progress(review.searched, completed, session, file.name) as bar:
                list(assessed(review, session, journal, bar.update))
    return review


def _journal(file: Path, record: Record) -> tuple[Path, JournalSettings | None]:
    """Return the journal of a record's review, and its settings if there is one already."""
    paths = [archive.result_path(file, suffix) for suffix in archive.REVIEW_JOURNALS]
    for path in paths:
        found = read_settings(path)
        if found is not None and found.get("record") == record_identity(record) and POSITIONS in found:
            return path, found
    return paths[0], None


def _limits_of(known: JournalSettings) -> Limit:
    """Return the limits that stand in the settings of a journal."""
    found = [known.get(name) for name in ("depth", "nodes", "time")]
    depth, nodes, seconds = (value if isinstance(value, int | float) else None for value in found)
    if depth is nodes is seconds is None:
        raise OptionError(f"journal: expected limits of its searches, got {quoted(str(found))}")
    return Limit(
        None if seconds is None else float(seconds),
        None if nodes is None else int(nodes),
        None if depth is None else int(depth),
    )


# ----------------------------------------------------------------------------------------------- the dialogue


class Quiz:
    """Asks puzzles, whose answers engines from `session_of` judge."""

    def __init__(
        self, puzzles: Sequence[Puzzle], progress: Progress, session_of: SessionOf, style: Style, today: date
    ) -> None:
        self.asked = self.right = 0  # puzzles answered or shown, and those answered rightly at once
        self._puzzles, self._progress, self._session_of = puzzles, progress, session_of
        self._style, self._today = style, today

    def run(self, ask: Callable[[str], str]) -> None:
        """Ask all puzzles, until the person leaves; `ask` takes a prompt and returns an answer."""
        for number, puzzle in enumerate(self._puzzles, 1):
            if not self._ask_one(number, puzzle, ask):
                return

    def _ask_one(self, number: int, puzzle: Puzzle, ask: Callable[[str], str]) -> bool:
        """Ask a puzzle; return whether the person wants another one."""
        self._show(number, puzzle)
        first = True  # the first answer is what counts
        while True:
            answer = ask(f"{translate(puzzle.side)}> ").strip()
            if answer == QUIT:
                return False
            if answer == SKIP:
                return True
            if answer == SHOW:
                if first:
                    self._note(puzzle, right=False)
                self._solve(puzzle)
                return True
            if answer in ("", HELP):
                say("Enter a turn, or one of:")
                print("\n".join(f"  {word:<5} {translate(summary)}" for word, summary in WORDS.items()))
                continue
            try:
                found = self._judge(puzzle, answer)
            except TengenError as error:
                print(f"{shown(puzzle.spec, str(error))}{nearest(answer, WORDS)}")
                continue
            if first:
                self._note(puzzle, found.right)
                first = False
            print(shown(puzzle.spec, translate(_said(found))))
            if found.right:
                self._solve(puzzle)
                return True

    def _show(self, number: int, puzzle: Puzzle) -> None:
        """Show the position of a puzzle and what is asked."""
        before = puzzle.move.before
        say(f"\n{number} of {len(self._puzzles)}: {puzzle.file.name}, turn {puzzle.move.number}\n")
        print(board_text(before.position, self._style))
        lost = f"{100 * (puzzle.move.loss or 0):.0f}%"
        said = f"{before.played} was a mistake here: it lost {lost}. Find a better turn for {puzzle.side}."
        print(f"\n{shown(puzzle.spec, translate(said))}")

    def _judge(self, puzzle: Puzzle, answer: str) -> Verdict:
        """Return the verdict on an answer, after a search that compares it with the best turn."""
        before, best = puzzle.move.before, puzzle.move.before_value.best
        turn = before.position.copy().push(typed(puzzle.spec, answer), before.mover)
        if turn == best:
            return Verdict(turn, best, 0.0)
        if turn == before.played:
            return Verdict(turn, best, puzzle.move.loss or 0.0)
        session = self._session_of(puzzle.spec)
        with stop_on_sigint(session):
            found = compare(before.position, best, turn, session, puzzle.limits)
        return Verdict(turn, best, 0.0 if found is None else max(0.0, found.best - found.played))

    def _note(self, puzzle: Puzzle, right: bool) -> None:
        """Keep an answer."""
        self.asked += 1
        self.right += right
        self._progress.note(puzzle.name, right, self._today)

    def _solve(self, puzzle: Puzzle) -> None:
        """Show the solution, why the mistake loses, and when the puzzle is asked again."""
        move = puzzle.move
        said = [translate(f"The best turn: {' '.join(move.before_value.pv[:SHOWN_TURNS])}")]
        said += [f"{move.before.played}: {translate(reason.text)}" for reason in reasons(move)]
        print("\n".join(shown(puzzle.spec, said)))
        standing = self._progress.standing(puzzle.name)
        say(f"Asked again {due_text(standing, self._today)}.")


def _said(found: Verdict) -> str:
    """Return a verdict in words."""
    if not found.right:
        return f"{found.turn} loses {100 * found.loss:.0f}%. Try again, or {SHOW}."
    return f"{found.turn} is right." if found.turn == found.best else f"{found.turn} is good, too."


def due_text(standing: Standing | None, today: date) -> str:
    """Return when a puzzle is asked again, in words."""
    days = (standing.due - today).days if standing else 0
    if days <= 0:
        return "the next time"
    return "tomorrow" if days == 1 else f"in {days} days"
