"""Texts of Gomoku: positions as rows from the top and the side, turns as GTP vertices (notation.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import IllegalTurnError, NotationError, PositionError, quoted
from engine.game import Outcome
from engine.goban import SIDES, format_rows, parse_rows, parse_side, parse_vertex
from engine.gomoku.rules import check, five_colours, outcome, set_up, stones
from engine.gomoku.state import BLACK, EMPTY, WHITE, coordinates, point
from engine.grids import vertex


def format_position(s: Any) -> str:
    """Return the canonical text of a state."""
    return f"{format_rows(stones(s), int(s.width))} {SIDES[s.turn]}"


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes, on the board and under the rules of `options`.

    Raises
    ------
    NotationError
        When the text is not of this form or for another size of board.
    PositionError
        When no game can come to it; lists all faults.
    """
    words = text.split()
    if len(words) != 2:
        form = "rows of . X O between slashes, then b or w"
        raise NotationError(f"position: expected {form}, got {quoted(text)}")
    placed, faults_of_rows = parse_rows(words[0], int(options["size"]))
    side, faults_of_side = parse_side(words[1])
    if malformed := faults_of_rows + faults_of_side:
        raise NotationError("position: " + "; ".join(malformed))
    s = set_up(options, placed, side)
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
    x, y = parse_vertex(text, int(s.width))
    if outcome(s) != Outcome.ONGOING:
        raise IllegalTurnError(text, "the game is over", "M-2")
    if s.board[point(x, y)] != EMPTY:
        raise IllegalTurnError(text, f"{vertex(x, y)} is occupied", "M-1")
    return (point(x, y),)


def result(s: Any) -> str:
    """Return the result as GTP writes it: ``B+1`` or ``W+1`` for a five, ``0`` for a draw."""
    return {Outcome.FIRST_WINS: "B+1", Outcome.SECOND_WINS: "W+1"}.get(Outcome(int(outcome(s))), "0")
