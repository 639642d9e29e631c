"""Arguments that several subcommands share: a game, a position, turns, a record, limits, numbers."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.errors import IllegalTurnError, NotationError, OptionError, located, printable, quoted
from tengen.engine.play.trials import join_results
from tengen.protocol.numbers import MAX_SECONDS, parse_integer, parse_number
from tengen.protocol.output import print_notice
from tengen.search.limits.limit import Limits

if TYPE_CHECKING:
    from tengen.engine.play.position import Position
    from tengen.engine.sgf import Record

MAX_COUNT = 10**11
LAST = -1  # stands for the number of the last turn of a record


def add_game_arguments(
    parser: argparse.ArgumentParser, file: bool, optional: bool = False, several: bool = False
) -> None:
    """Declare the arguments that name a position: ``--game``, ``--position``, ``--moves``, perhaps a record.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    file : bool
        Whether the command also takes a record; the game is then optional.
    optional : bool
        Whether the game may be left out all the same.
    several : bool
        Whether the command takes any number of records, or folders of them.
    """
    if several:
        help_text = (
            "game records of any format that convert reads, or folders of them; FILE#3: its third game"
        )
        parser.add_argument("records", metavar="FILE.sgf", nargs="*", type=Path, help=help_text)
    elif file:
        help_text = "game record, instead of --game; FILE#3: its third game"
        parser.add_argument("record", metavar="FILE.sgf", nargs="?", type=Path, help=help_text)
    add = parser.add_argument
    help_text = "game to play, such as gomoku,size=19" + (
        "; of a record, what it does not say" if file else ""
    )
    add("--game", metavar="SPEC", required=not (file or optional), help=help_text)
    add("--position", metavar="TEXT", help="start position (default: the game's own)")
    add("--moves", metavar="'T1 T2 ...'", default="", help="turns to play first")
    if file or several:
        add_record_arguments(parser)


def add_record_arguments(parser: argparse._ActionsContainer) -> None:
    """Declare the arguments that say how records are read."""
    add = parser.add_argument
    add(
        "--record",
        metavar="N",
        dest="number",
        type=positive_int,
        help="the game of a file with several, from 1",
    )
    add(
        "--strict",
        action="store_true",
        help="refuse records in which something has to be guessed or left out",
    )


def position_of(arguments: argparse.Namespace) -> Position:
    """Return the position named by arguments of `add_game_arguments`, after its turns.

    Raises
    ------
    TengenError
        If a text is malformed, a turn is illegal, or the arguments contradict each other.
    """
    return position_and_turns(arguments)[0]


def position_and_turns(arguments: argparse.Namespace) -> tuple[Position, list[str]]:
    """Return the position that `position_of` returns, and all turns before it.

    They are more than those of the position where a record sets up another one in the middle.
    """
    from tengen.engine.rulebook import reference
    from tengen.engine.sgf import replay

    position, earlier = (
        _position_from_record(arguments)
        if getattr(arguments, "record", None)
        else (_position_from_options(arguments), [])
    )
    try:
        replay(position, [(None, turn) for turn in join_results(arguments.moves.split())])
    except IllegalTurnError as error:
        if read_on := reference(position.game, error.rule):
            error.args = (f"{error} (to read on: {read_on})",)
        raise
    return position, [*earlier, *position.turns_played]


def _position_from_options(arguments: argparse.Namespace) -> Position:
    """Return the position named by ``--game`` and ``--position``."""
    from tengen.engine.play.position import Position

    if arguments.game is None:
        raise OptionError("name a game, such as --game dvonn, or a FILE.sgf")
    return Position(arguments.game, arguments.position)


def _position_from_record(arguments: argparse.Namespace) -> tuple[Position, list[str]]:
    """Return the last position of the record, or the one after ``--turn``, and the turns before its own."""
    from tengen.engine import sgf

    record = record_of(arguments)
    turn, last = getattr(arguments, "turn", None), len(record.turns)
    if turn is not None and turn > last:
        raise OptionError(f"--turn: expected a number from 0 to {last}, or last, got {turn}")
    with located(quoted(str(arguments.record), limit=200)):
        if turn in (None, LAST):
            legal, fault = record.legal_line()
            tell_fault(arguments.record, fault, arguments.strict)
            turn = sum(bool(node.colour) for node in legal) if fault else None
        position = sgf.position(record, turn)
        played = [text for _, text in record.turns[:turn]]
        return position, played[: len(played) - len(position.turns_played)]


def record_of(arguments: argparse.Namespace) -> Record:
    """Return the record that the arguments name; says on standard error what was guessed.

    Raises
    ------
    TengenError
        If it cannot be read, is of another game than ``--game``, or ``--position`` is given as well.
    """
    from tengen.engine.formats import files

    if arguments.position is not None:
        raise OptionError("--position and FILE.sgf exclude each other: a record sets its own start position")
    path, number = files.split_number(numbered(arguments))
    listed = files.read_all(path, arguments.game)
    if len(listed) > 1 and number is None:
        print_notice(f"{path} holds {len(listed):,} games, this is the first: {path}#2 is the next one")
    with located(quoted(str(path), limit=200), besides=(OptionError,)):
        record = listed.number(number or 1)
    tell_notes(path, [record], getattr(arguments, "strict", False))
    return record


def numbered(arguments: argparse.Namespace) -> Path:
    """Return the record that the arguments name, as ``FILE#3`` if they name its number."""
    from tengen.engine.formats import files

    number = getattr(arguments, "number", None)
    if number is None:
        return Path(arguments.record)
    return files.numbered(files.split_number(Path(arguments.record))[0], number)


def tell_notes(where: Path, records: Sequence[Record], strict: bool = False) -> None:
    """Say on standard error what was guessed or left out when records were read, and what is assumed.

    Raises
    ------
    NotationError
        If it is `strict`, and something was guessed or left out.
    """
    guesses = list(dict.fromkeys(note for record in records for note in record.notes))
    if strict and guesses:
        raise NotationError(f"{quoted(str(where), limit=200)}: {guesses[0]}")
    for note in dict.fromkeys([*guesses, *(record.assumption for record in records if record.assumption)]):
        print_notice(f"{where}: {note}")


def tell_fault(where: Path, fault: str, strict: bool = False) -> None:
    """Say on standard error why the rest of a record is left out; nothing without a `fault`.

    Raises
    ------
    NotationError
        If it is `strict`, and there is one.
    """
    if fault and strict:
        raise NotationError(fault)
    if fault:
        print_notice(f"{where}: {fault}")


def search_limits(arguments: argparse.Namespace, seconds: float) -> Limits:
    """Return the limits of ``--time``, ``--nodes`` and ``--depth``; without any of them, `seconds`."""
    given = (arguments.time, arguments.nodes, arguments.depth)
    time = seconds if all(limit is None for limit in given) else arguments.time
    return Limits(time, arguments.nodes, arguments.depth, multipv=arguments.multipv)


def command_line(command: str, values: Mapping[str, object], *files: object) -> str:
    """Return the command line of a subcommand, quoted for a shell.

    Parameters
    ----------
    command : str
    values : mapping
        Options by name, with - or _ between words; a list is an option that is given several times.
    *files : object
    """
    words = ["tengen", command, *map(str, files)]
    for name, given in values.items():
        option = f"--{name.replace('_', '-')}"
        for value in given if isinstance(given, list) else [given]:
            if value is True:
                words.append(option)
            elif str(value).startswith("-"):  # else argparse takes it for an option
                words.append(f"{option}={value}")
            elif value is not None and value is not False and value != "":
                words += [option, str(value)]
    return shlex.join(words)


def print_resume_command(command: str, values: Mapping[str, object], *files: object) -> None:
    """Print to stderr the `command_line` that goes on with an interrupted command."""
    print(f"interrupted; to go on:\n  {printable(command_line(command, values, *files))}", file=sys.stderr)


def int_in_range(low: int, high: int) -> Callable[[str], int]:
    """Return an argparse type for whole numbers from `low` to `high`."""

    def parse(text: str) -> int:
        try:
            return parse_integer("number", text, low, high)
        except NotationError:
            expected = f"expected a whole number from {low} to {high}"
            raise argparse.ArgumentTypeError(f"{expected}, got {quoted(text)}") from None

    return parse


positive_int = int_in_range(1, MAX_COUNT)


def turn_number(text: str) -> int:
    """Return the turn number in `text`, for argparse: 0 for the start, `LAST` for ``last``."""
    if text == "last":
        return LAST
    try:
        return parse_integer("number", text, 0, MAX_COUNT)
    except NotationError:
        expected = "expected the number of a turn, 0 for the start, or last"
        raise argparse.ArgumentTypeError(f"{expected}, got {quoted(text)}") from None


def positive_seconds(text: str) -> float:
    """Return the duration `text`, for argparse: more than 0, at most `MAX_SECONDS`."""
    try:
        return parse_number("seconds", text, sys.float_info.min, MAX_SECONDS)
    except NotationError:
        expected = f"expected a positive number of seconds up to {MAX_SECONDS}"
        raise argparse.ArgumentTypeError(f"{expected}, got {quoted(text)}") from None


def require_parent_dir(path: Path, option: str = "--out") -> None:
    """Check before the work that the folder of an output file exists.

    Raises
    ------
    OptionError
        If it does not, or `path` is a folder; the message names the `option`.
    """
    if not path.parent.is_dir() or path.is_dir():
        raise OptionError(f"{option}: expected a file in an existing folder, got {path}")
