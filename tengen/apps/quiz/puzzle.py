"""Puzzles of records: the mistakes that their reviews have found, each with a name of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tengen.apps.review.assessment import JudgedMove, Review, record_positions
from tengen.apps.review.journal import POSITIONS, Journal, JournalSettings, read_settings
from tengen.apps.review.puzzles import puzzles
from tengen.apps.review.review import assessments, progress, record_identity, settings
from tengen.engine.errors import OptionError, TengenError, quoted
from tengen.engine.formats.files import read_file
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tengen.protocol import archive
from tengen.protocol.output import print_notice
from tengen.protocol.positions import report_fault, report_notes
from tengen.protocol.session import Session
from tengen.search.limits.limit import Limit

NAME_BYTES = 12  # of the hash that names a puzzle


@dataclass(frozen=True)
class Puzzle:
    """A mistake to be made good.

    Attributes
    ----------
    file : Path
        The record.
    record : Record
    move : JudgedMove
    limits : Limit
        Of the searches of its review.
    """

    file: Path
    record: Record
    move: JudgedMove
    limits: Limit

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
    """Return the sides whose mistakes are asked.

    Parameters
    ----------
    record : Record
    side, player : str, optional
        A side, or the name of a player, whatever its case. Without either it is the person who has played
        against the engine, and both sides in other records.

    Raises
    ------
    OptionError
        If the game has no such side.
    """
    if side is not None:
        return {record.spec.game.side(side)}
    names = [name.casefold() for name, _ in archive.players(record)]
    if player is not None:
        return {number for number, name in enumerate(names) if name == player.casefold()}
    return {number for number, name in enumerate(names) if name == archive.PERSON} or {0, 1}


def of_files(
    files: Sequence[Path],
    sides: tuple[str | None, str | None],
    limits: Limit,
    sessions: Sessions,
    game: str | None = None,
    strict: bool = False,
) -> Iterator[Puzzle]:
    """Yield the puzzles of records, which are reviewed as far as they have not been.

    A record that cannot be read is named on standard error and left out, unless it is the only one.

    Parameters
    ----------
    files : sequence of Path
    sides : (str or None, str or None)
        The side and the player, as for `own_sides`.
    limits : Limit
        Of a new review; one that has been begun goes on with its own.
    sessions : Sessions
    game : str, optional
        A game spec: what was played, as far as the records do not say it.
    strict : bool
        Whether records are refused in which something has to be guessed or left out.

    Raises
    ------
    KeyboardInterrupt
        If the user interrupts a review.
    TengenError
        If the only record cannot be read, or a review fails.
    """
    for file in files:
        try:
            record = read_file(file, game)
            report_notes(file, [record], strict)
            wanted = own_sides(record, *sides)
            review = reviewed(file, record, limits, sessions, strict) if wanted else None
        except (TengenError, OSError) as error:
            if len(files) == 1:
                raise
            print_notice(f"{file}: {error}" if str(file) not in str(error) else str(error))
            continue
        for move in puzzles(review) if review else ():
            if move.before.mover in wanted and move.before.other is None:
                yield Puzzle(file, record, move, review.limits if review else limits)


class Sessions:
    """The engines of the games that occur, each made when it is asked for."""

    def __init__(self) -> None:
        self._made: dict[GameSpec, Session] = {}

    def of(self, spec: GameSpec) -> Session:
        """Return the engine of a game, compiled."""
        if spec not in self._made:
            self._made = {spec: Session(spec)}  # one at a time: each has its memory
            self._made[spec].ensure_compiled(print_notice)
        return self._made[spec]


def reviewed(file: Path, record: Record, limits: Limit, sessions: Sessions, strict: bool = False) -> Review:
    """Return the review of a record; what is missing of it is searched and kept in its journal."""
    path, known = _journal(file, record)
    if known is not None:
        limits = _limits_of(known)
    legal, fault = record.legal_line()
    report_fault(file, fault, strict)
    review = Review(record.spec, record_positions(record, [], legal), [], limits)
    identity = known if known is not None else settings(record, review, sessions.of(record.spec))
    with Journal(path, identity) as journal:
        if (completed := len(journal.completed)) >= review.searched:
            review.assessments.extend(assessments(review, None, journal, lambda: None))
        else:
            session = sessions.of(record.spec)
            with progress(review.searched, completed, session, file.name) as bar:
                review.assessments.extend(assessments(review, session, journal, bar.update))
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
