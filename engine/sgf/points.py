"""Turns as values of SGF properties: points of a square board, or texts."""

import string
from collections.abc import Iterator

from tengen.engine.board.goban import PASS, find_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError, quoted
from tengen.engine.spec import GameSpec

POINT_LETTERS = string.ascii_lowercase + string.ascii_uppercase
PASS_BOARD = 19  # up to this size, older formats pass with the point tt


def parse_turn(spec: GameSpec, value: str) -> str:
    """Return the text of a turn from the value of its property.

    Raises NotationError if it is no point of the square board.
    """
    text = value.strip()
    if not spec.game.square:
        return text
    size = int(spec.values["size"])
    if not text or (text == "tt" and size <= PASS_BOARD):
        return PASS
    return vertex(*parse_point(text, size))


def format_turn(spec: GameSpec, turn: str) -> str:
    """Return the property value of a turn: a point on square boards, else its text.

    Raises NotationError if it is no point of the square board.
    """
    if not spec.game.square:
        return turn
    if turn.lower() == PASS:
        return ""
    size = int(spec.values["size"])
    place = find_vertex(turn, size)
    if place is None:
        last = vertex(size - 1, size - 1)
        raise NotationError(f"expected a vertex from A1 to {last}, got {quoted(turn)}")
    return format_point(*place, size)


def parse_point(text: str, size: int) -> tuple[int, int]:
    """Return the column and row of the SGF point `text`, both from 0, rows from the bottom.

    Raises NotationError if it is no point of the board.
    """
    x, y = (POINT_LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
    if not (0 <= x < size and 0 <= y < size):
        last = POINT_LETTERS[size - 1] * 2
        raise NotationError(f"expected a point from aa to {last}, got {quoted(text)}")
    return x, size - 1 - y


def parse_area(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield the points of ``dd``, or of the rectangle ``aa:cc``."""
    corner, _, opposite = text.strip().partition(":")
    (x, y), (u, v) = (parse_point(point, size) for point in (corner, opposite or corner))
    for column in range(min(x, u), max(x, u) + 1):
        for row in range(min(y, v), max(y, v) + 1):
            yield column, row


def format_point(x: int, y: int, size: int) -> str:
    """Return the SGF point of column `x` and row `y`, both from 0, rows from the bottom."""
    return POINT_LETTERS[x] + POINT_LETTERS[size - 1 - y]
