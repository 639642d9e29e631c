"""Turns as values of SGF properties: points of a square board, or texts."""

from __future__ import annotations

import string

from tengen.engine.board.goban import find_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError, quoted
from tengen.engine.game import GameSpec

POINT_LETTERS = string.ascii_lowercase + string.ascii_uppercase
PASS = "pass"
PASS_BOARD = 19  # up to this size, older formats pass with the point tt


def parse_turn(spec: GameSpec, value: str, number: int) -> str:
    """Return the text of turn `number` (from 1) from the value of its property."""
    text = value.strip()
    if not spec.game.square:
        return text
    size = int(spec.values["size"])
    if not text or (text == "tt" and size <= PASS_BOARD):
        return PASS
    return vertex(*parse_point(text, size, f"turn {number}"))


def format_turn(spec: GameSpec, turn: str, number: int) -> str:
    """Return the property value of turn `number` (from 1): a point on square boards, else its text."""
    if not spec.game.square:
        return turn
    if turn == PASS:
        return ""
    size = int(spec.values["size"])
    place = find_vertex(turn, size)
    if place is None:
        last = vertex(size - 1, size - 1)
        raise NotationError(f"record: turn {number}: expected a vertex from A1 to {last}, got {quoted(turn)}")
    return format_point(*place, size)


def parse_point(text: str, size: int, where: str) -> tuple[int, int]:
    """Return the column and row of the SGF point `text`, both from 0, rows from the bottom."""
    x, y = (POINT_LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
    if not (0 <= x < size and 0 <= y < size):
        last = POINT_LETTERS[size - 1] * 2
        raise NotationError(f"record: {where}: expected a point from aa to {last}, got {quoted(text)}")
    return x, size - 1 - y


def format_point(x: int, y: int, size: int) -> str:
    """Return the SGF point of column `x` and row `y`, both from 0, rows from the bottom."""
    return POINT_LETTERS[x] + POINT_LETTERS[size - 1 - y]
