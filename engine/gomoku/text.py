"""Texts of Gomoku: positions as rows from the top and the side, turns as GTP vertices (notation.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import IllegalTurnError, NotationError, PositionError, quoted
from engine.game import Outcome
from engine.gomoku.rules import check, five_colours, outcome, set_up
from engine.gomoku.state import BLACK, EMPTY, WHITE, coordinates, point
from engine.grids import GTP_LETTERS, vertex

_SYMBOLS = ".XO"


def format_position(s: Any) -> str:
    """Return the canonical text of a state."""
    rows = ["".join(_SYMBOLS[s.board[point(x, y)]] for x in range(s.width)) for y in reversed(range(s.width))]
    return f"{'/'.join(rows)} {'bw'[s.turn]}"


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes, on the board and under the rules of `options`.

    Raises
    ------
    NotationError
        When the text is not of this form or for another size of board.
    PositionError
        When no game can come to it; lists all faults.
    """
    size = int(options["size"])
    words = text.split()
    if len(words) != 2:
        form = "rows of . X O between slashes, then b or w"
        raise NotationError(f"position: expected {form}, got {quoted(text)}")
    rows = words[0].split("/")
    if len(rows) != size:
        raise NotationError(f"position: expected {size} rows, got {len(rows)} in {quoted(words[0])}")
    malformed = [] if words[1] in ("b", "w") else [f"expected b or w to move, got {quoted(words[1])}"]
    stones: dict[tuple[int, int], int] = {}
    for y, row in zip(reversed(range(size)), rows, strict=True):
        if len(row) != size or not re.fullmatch(r"[.XO]*", row):
            malformed.append(f"expected {size} of . X O in row {y + 1}, got {quoted(row)}")
        else:
            stones |= {(x, y): _SYMBOLS.index(symbol) for x, symbol in enumerate(row) if symbol != "."}
    if malformed:
        raise NotationError("position: " + "; ".join(malformed))
    s = set_up(options, stones, "bw".index(words[1]))
    if faults := status(s):
        raise PositionError(faults)
    return s


def status(s: Any) -> list[str]:
    """Return every reason why no game can come to the state `s`; empty when none is known.

    The numbers of stones may differ by any amount, and whoever has made five may be to move: GTP allows
    set-up play.
    """
    faults = check(s)
    if five_colours(s) == {BLACK, WHITE}:
        faults.append("both sides have made five")
    return faults


def format_turn(s: Any, actions: Sequence[int]) -> str:
    """Return the vertex of the turn made of `actions` (one)."""
    return vertex(*coordinates(int(actions[0])))


def parse_turn(s: Any, text: str) -> tuple[int, ...]:
    """Return the actions of the turn `text` in state `s`.

    Raises
    ------
    NotationError
        When the text is no vertex of the board.
    IllegalTurnError
        When the rules refuse it; names the rule.
    """
    size = int(s.width)
    match = re.fullmatch(r"([A-HJ-Za-hj-z])([1-9][0-9]?)", text)
    x, y = (GTP_LETTERS.index(match[1].upper()), int(match[2]) - 1) if match else (size, size)
    if x >= size or y >= size:
        last = vertex(size - 1, size - 1)
        raise NotationError(f"turn: expected a vertex from A1 to {last} (no letter I), got {quoted(text)}")
    if outcome(s) != Outcome.ONGOING:
        raise IllegalTurnError(text, "the game is over", "M-2")
    if s.board[point(x, y)] != EMPTY:
        raise IllegalTurnError(text, f"{vertex(x, y)} is occupied", "M-1")
    return (point(x, y),)


def result(s: Any) -> str:
    """Return the result as GTP writes it: ``B+1`` or ``W+1`` for a five, ``0`` for a draw."""
    return {Outcome.FIRST_WINS: "B+1", Outcome.SECOND_WINS: "W+1"}.get(Outcome(int(outcome(s))), "0")
