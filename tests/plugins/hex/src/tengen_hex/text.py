"""Texts of Hex: positions as rows from the top and the side to move; turns as letter and row, ``c4``."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tengen.engine.board.goban import SIDES, format_rows, parse_rows, parse_side
from tengen.engine.errors import IllegalTurnError, NotationError, PositionError, quoted
from tengen.engine.game import Outcome
from tengen_hex.board import BLACK, EMPTY, WHITE, cell, coordinates
from tengen_hex.rules import board_of, check, outcome, set_up

LETTERS = "abcdefghijklmnopqrs"


def name(x: int, y: int) -> str:
    """Return the name of a cell: the letter of its column and the number of its row."""
    return f"{LETTERS[x]}{y + 1}"


def format_position(s: Any) -> str:
    """Return the canonical text of a state."""
    stones = {(x, int(s.width) - 1 - y): colour for (x, y), colour in board_of(s).items()}
    return f"{format_rows(stones, int(s.width))} {SIDES[s.side_to_move]}"


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes, on the board of `options`.

    Raises
    ------
    NotationError, PositionError
        When the text is not of this form, or no game can come to it; lists all faults.
    """
    words = text.split()
    if len(words) != 2:
        form = "rows of . X O between slashes, then b or w"
        raise NotationError(f"position: expected {form}, got {quoted(text)}")
    size = int(options["size"])
    placed, faults = parse_rows(words[0], size)
    side, more = parse_side(words[1])
    if faults + more:
        raise NotationError("position: " + "; ".join(faults + more))
    s = set_up(size, {(x, size - 1 - y): colour for (x, y), colour in placed.items()}, side)
    if impossible := _faults(s):
        raise PositionError(impossible)
    return s


def status(s: Any) -> list[str]:
    """Return every reason why no game can come to the state `s`; empty when none is known."""
    return check(s) + _faults(s)


def _faults(s: Any) -> list[str]:
    """Return why no game can come to the stones of `s`."""
    colours = [*board_of(s).values()]
    black, white = colours.count(BLACK), colours.count(WHITE)
    faults = []
    if black - white != s.side_to_move:
        expected = (
            "one black stone more than white ones" if s.side_to_move else "as many black stones as white ones"
        )
        faults.append(f"expected {expected} with {SIDES[s.side_to_move]} to move, got {black} and {white}")
    if outcome(s) == Outcome.FIRST_WINS + s.side_to_move:
        faults.append("the side to move has joined its edges before")
    return faults


def format_turn(s: Any, actions: Sequence[int]) -> str:
    """Return the text of the turn made of `actions` (one)."""
    return name(*coordinates(int(actions[0])))


def parse_turn(s: Any, text: str) -> tuple[int, ...]:
    """Return the actions of the turn `text` in state `s`.

    Raises
    ------
    NotationError, IllegalTurnError
        When the text is no cell of the board, or the rules refuse it.
    """
    size = int(s.width)
    match = re.fullmatch(r"([a-s])([1-9][0-9]?)", text.lower())
    x, y = (LETTERS.index(match[1]), int(match[2]) - 1) if match else (size, size)
    if not text.isascii() or x >= size or y >= size:
        last = name(size - 1, size - 1)
        raise NotationError(f"turn: expected a cell from a1 to {last}, got {quoted(text)}")
    if outcome(s) != Outcome.ONGOING:
        raise IllegalTurnError(text, "the game is over")
    if s.cells[cell(x, y)] != EMPTY:
        raise IllegalTurnError(text, f"{name(x, y)} is occupied")
    return (cell(x, y),)


def result(s: Any) -> str:
    """Return the result as GTP writes it: ``B+1`` or ``W+1`` for a win, ``0`` before the end."""
    return {Outcome.FIRST_WINS: "B+1", Outcome.SECOND_WINS: "W+1"}.get(Outcome(int(outcome(s))), "0")
