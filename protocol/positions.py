"""Positions and records that a command line names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.errors import IllegalTurnError, NotationError, OptionError, located, quoted
from tengen.engine.play.trials import join_results
from tengen.protocol.arguments import LAST, Options, operand, option, positive_int, switch, turn_number
from tengen.protocol.output import print_notice

if TYPE_CHECKING:
    from tengen.engine.play.position import Position
    from tengen.engine.sgf import Record
    from tengen.engine.spec import GameSpec

RECORD_GAME = "what was played, as far as the records do not say it"


@dataclass(frozen=True, kw_only=True)
class GameOptions(Options):
    """A position: a game, where it starts, and turns."""

    game: str | None = option("game to play, such as gomoku,size=19", "SPEC", required=True)
    position: str | None = option("start position (default: the game's own)", "TEXT")
    moves: str = option("turns to play first", "'T1 T2 ...'", default="")


@dataclass(frozen=True, kw_only=True)
class RecordOptions(Options):
    """How records are read."""

    number: int | None = option("the game of a file with several, from 1", "N", positive_int, flag="--record")
    strict: bool = switch("refuse records in which something has to be guessed or left out")

    def numbered(self, record: Path) -> Path:
        """Return a record as ``FILE#3`` if ``--record`` names its number."""
        from tengen.engine.formats import files

        if self.number is None:
            return record
        return files.numbered(files.split_number(record)[0], self.number)


@dataclass(frozen=True, kw_only=True)
class PositionOptions(RecordOptions, GameOptions):
    """A position, perhaps in a record."""

    records: Sequence[Path] = operand(
        "game records of any format that convert reads, or folders of them; FILE#3: its third game",
        "FILE.sgf",
        Path,
        nargs="*",
        default=(),
    )
    game: str | None = option(
        "game to play, such as gomoku,size=19; of a record, what it does not say", "SPEC"
    )
    turn: int | None = option("only the position after turn N (0: the start)", "N|last", turn_number)

    @property
    def record(self) -> Path | None:
        """The first of the records; None without any."""
        return self.records[0] if self.records else None


def position_of(options: GameOptions) -> Position:
    """Return the position that the options name, after its turns.

    Raises TengenError if a text is malformed, a turn is illegal, or the options contradict each other.
    """
    from tengen.engine.play.position import Position

    if options.game is None:
        raise OptionError("name a game, such as --game dvonn, or a FILE.sgf")
    return with_moves(Position(options.game, options.position), options.moves)


def position_and_turns(options: PositionOptions) -> tuple[Position, list[str]]:
    """Return the position that the options name, perhaps in a record, and all turns before it.

    They are more than those of the position where a record sets up another one in the middle.
    """
    if options.record is None:
        return (position := position_of(options)), list(position.turns_played)
    position, earlier = _position_in_record(options, options.record)
    with_moves(position, options.moves)
    return position, [*earlier, *position.turns_played]


def with_moves(position: Position, moves: str) -> Position:
    """Return `position` after the turns in `moves`, which are played on it."""
    from tengen.engine.notation import shown, typed
    from tengen.engine.rulebook import reference
    from tengen.engine.sgf import replay

    try:
        replay(position, [(None, turn) for turn in join_results(typed(position.spec, moves).split())])
    except (IllegalTurnError, NotationError) as error:
        said = shown(position.spec, str(error))
        read_on = isinstance(error, IllegalTurnError) and reference(position.game, error.rule)
        error.args = (f"{said} (to read on: {read_on})" if read_on else said,)
        raise
    return position


def _position_in_record(options: PositionOptions, path: Path) -> tuple[Position, list[str]]:
    """Return the last position of the record, or the one after ``--turn``, and the turns before its own."""
    from tengen.engine import sgf

    record = record_of(options, path)
    turn, last = options.turn, len(record.turns)
    if turn is not None and turn > last:
        raise OptionError(f"--turn: expected a number from 0 to {last}, or last, got {turn}")
    with located(quoted(str(path), limit=200)):
        if turn in (None, LAST):
            legal, fault = record.legal_line()
            report_fault(path, record.spec, fault, options.strict)
            turn = sum(bool(node.colour) for node in legal) if fault else None
        position = sgf.position(record, turn)
        played = [text for _, text in record.turns[:turn]]
        return position, played[: len(played) - len(position.turns_played)]


def record_of(options: PositionOptions, record: Path) -> Record:
    """Return a record, read as the options say; says on standard error what was guessed.

    Raises TengenError if it cannot be read, is of another game than ``--game``, or ``--position`` is given as
    well.
    """
    from tengen.engine.formats import files

    if options.position is not None:
        raise OptionError("--position and FILE.sgf exclude each other: a record sets its own start position")
    path, number = files.split_number(options.numbered(record))
    listed = files.read_all(path, options.game)
    if len(listed) > 1 and number is None:
        print_notice(f"{path} holds {len(listed):,} games, this is the first: {path}#2 is the next one")
    with located(quoted(str(path), limit=200), besides=(OptionError,)):
        found = listed.number(number or 1)
    report_notes(path, [found], options.strict)
    return found


def report_notes(where: Path, records: Sequence[Record], strict: bool = False) -> None:
    """Say on standard error what was guessed or left out when records were read, and what is assumed.

    Raises NotationError if it is `strict`, and something was guessed or left out.
    """
    guesses = list(dict.fromkeys(note for record in records for note in record.notes))
    if strict and guesses:
        raise NotationError(f"{quoted(str(where), limit=200)}: {guesses[0]}")
    for note in dict.fromkeys([*guesses, *(record.assumption for record in records if record.assumption)]):
        print_notice(f"{where}: {note}")


def report_fault(where: Path, spec: GameSpec, fault: str, strict: bool = False) -> None:
    """Say on standard error why the rest of a record is left out; if it is `strict`, raise NotationError."""
    from tengen.engine.notation import shown

    fault = shown(spec, fault)
    if fault and strict:
        raise NotationError(fault)
    if fault:
        print_notice(f"{where}: {fault}")
