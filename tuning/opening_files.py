"""Openings in files: lists of turns or positions, records, and folders of records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tengen.engine.errors import OptionError, TengenError
from tengen.engine.formats import files
from tengen.engine.game import GameSpec, Outcome
from tengen.engine.play.position import Position
from tengen.engine.storage.files import read_bytes
from tengen.tuning.opening_lines import Opening as Opening
from tengen.tuning.opening_lines import opening_of, opening_of_line, start_and_turns

RECORDS = tuple(suffix for suffix in files.READABLE if suffix != files.TEXT)
RECORD_TURNS = 8  # of a record that are played by default
MAX_FILE = 8 << 20  # bytes


def read_openings(path: Path, spec: GameSpec, turns: int | None = None) -> Iterator[Opening]:
    """Yield the openings in a file or a folder; no two of them lead to the same position, not even mirrored.

    A text file has an opening in each line (see `opening_of_line`); ``#`` begins a comment. Of records the
    first turns are taken. Openings that are cut off and then lead to the same position count as one; it is an
    error if whole ones do.

    Parameters
    ----------
    path : Path
    spec : GameSpec
    turns : int, optional
        Turns of an opening at most.

    Raises
    ------
    OptionError
        If there are none, or one of them cannot be played in a game of `spec` or ends it.
    """
    records = path.is_dir() or path.suffix.lower() in RECORDS
    limit = RECORD_TURNS if records and turns is None else turns
    first_place: dict[int, str] = {}
    for place, opening in _records(path, spec) if records else _lines(path, spec):
        start, words = start_and_turns(opening)
        try:
            position = Position(spec, start)
            start = start and position.text()
            for word in words[:limit]:
                position.push(word)
        except TengenError as error:
            raise OptionError(f"{place}: {error}") from None
        if not goes_on(position):
            raise OptionError(
                f"{place}: expected a game that goes on, got {' '.join(opening_of(start, words[:limit]))}"
            )
        if other := first_place.get(int(position.state.key)):
            if limit is not None:  # cut off
                continue
            raise OptionError(f"{place}: expected a new position, got that of {other}")
        first_place |= dict.fromkeys(image_keys(position), place.rpartition(", ")[2])
        yield opening_of(start, position.turns_played)
    if not first_place:
        raise OptionError(f"{path}: expected openings, one in each line or record, got none")


def _lines(path: Path, spec: GameSpec) -> Iterator[tuple[str, Opening]]:
    """Yield the place and the text of each opening in a text file."""
    for number, line in enumerate(read_bytes(path, MAX_FILE).decode("utf-8", "replace").splitlines(), 1):
        place = f"{path}, line {number}"
        try:
            opening = opening_of_line(line.partition("#")[0], spec)
        except TengenError as error:
            raise OptionError(f"{place}: {error}") from None
        if opening:
            yield place, opening


def _records(path: Path, spec: GameSpec) -> Iterator[tuple[str, Opening]]:
    """Yield the file and the opening of each record at `path`; they must be of the game of `spec`."""
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    for file in (file for file in inside if file.suffix.lower() in RECORDS):
        found = files.read_all(file, None if file.suffix.lower() not in files.FOREIGN else str(spec))
        for number, record in enumerate(found, 1):
            place = str(files.numbered(file, number) if len(found) > 1 else file)
            if record.spec.game != spec.game:
                raise OptionError(f"{place}: expected a record of {spec}, got one of {record.spec}")
            yield place, opening_of(record.start, [node.turn or "" for node in record.opening_line()])


def goes_on(position: Position) -> bool:
    """Return whether the game is neither over nor within a challenge."""
    return position.outcome() == Outcome.ONGOING and position.challenge == "none"


def image_keys(position: Position) -> set[int]:
    """Return the keys of the position and its mirror images."""
    return {int(state.key) for state in position.spec.game.rules.symmetries(position.state)}
