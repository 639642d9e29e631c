"""What several subcommands take: a game, a position, turns, a record; and numbers, refused in one line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import NotationError, OptionError, quoted
from protocol.numbers import MOST_SECONDS, parse_integer, parse_number

if TYPE_CHECKING:
    from engine.position import Position

MOST_COUNT = 10**11


def add_game_arguments(parser: argparse.ArgumentParser, file: bool) -> None:
    """Declare what names a position: ``--game``, ``--position``, ``--moves`` and, with `file`, a record.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    file : bool
        Whether the command also takes a record, which then says what the game is.
    """
    if file:
        help_text = "a game record, instead of --game"
        parser.add_argument("record", metavar="FILE.sgf", nargs="?", type=Path, help=help_text)
    add = parser.add_argument
    add("--game", metavar="SPEC", required=not file, help="what is played, such as gomoku,size=19")
    add("--position", metavar="TEXT", help="where to begin (default: where the game begins)")
    add("--moves", metavar="'T1 T2 ...'", default="", help="turns to play from there")


def position_of(arguments: argparse.Namespace) -> Position:
    """Return the position that arguments declared by `add_game_arguments` name, its turns played.

    Raises
    ------
    TengenError
        When a text is faulty, a turn is illegal, or the arguments do not go together.
    """
    from engine.sgf import replay

    position = _recorded(arguments) if getattr(arguments, "record", None) else _described(arguments)
    replay(position, [(None, turn) for turn in arguments.moves.split()])
    return position


def _described(arguments: argparse.Namespace) -> Position:
    """Return the position that ``--game`` and ``--position`` name."""
    from engine.challenge import begin

    if arguments.game is None:
        raise OptionError("--game: expected a game such as dvonn, or a FILE.sgf, got neither")
    return begin(arguments.game, arguments.position)


def _recorded(arguments: argparse.Namespace) -> Position:
    """Return the last position of the record."""
    from engine import sgf
    from engine.game import GameSpec

    if arguments.position is not None:
        raise OptionError("--position: expected without FILE.sgf, which begins where it says, got both")
    record = sgf.read_file(arguments.record)
    if arguments.game is not None and GameSpec.parse(arguments.game) != record.spec:
        expected = f"expected {record.spec}, as {quoted(str(arguments.record), limit=200)} says"
        raise OptionError(f"--game: {expected}, got {quoted(arguments.game)}")
    return sgf.position(record)


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return an argparse type that takes whole numbers from `low` to `high`."""

    def parse(text: str) -> int:
        try:
            return parse_integer("number", text, low, high)
        except NotationError:
            expected = f"expected a whole number from {low} to {high}"
            raise argparse.ArgumentTypeError(f"{expected}, got {quoted(text)}") from None

    return parse


positive_int = whole_number(1, MOST_COUNT)


def positive_seconds(text: str) -> float:
    """Return the duration `text`, for argparse: more than 0, at most `MOST_SECONDS`."""
    try:
        return parse_number("seconds", text, sys.float_info.min, MOST_SECONDS)
    except NotationError:
        expected = f"expected a positive number of seconds up to {MOST_SECONDS}"
        raise argparse.ArgumentTypeError(f"{expected}, got {quoted(text)}") from None
