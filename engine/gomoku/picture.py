"""The Gomoku board in plain text and as a drawing."""

from __future__ import annotations

from typing import Any

from engine.game import Outcome
from engine.gomoku.rules import outcome
from engine.gomoku.state import BLACK, EMPTY, WHITE, point
from engine.grids import GTP_LETTERS
from engine.picture import FAINT_INK, INK, Circle, Line, Picture, Shade, Shape, Text, disc
from engine.picture import board as wooden_board

SYMBOLS = ".XO"
CELL = 32  # pixels between two lines
MARGIN = 48  # from the edges of the picture to the outer lines
LABEL = 24  # from the outer lines to the coordinates
CAPTION = 28  # height of the caption
STAR_LINES = ((15, 4), (9, 3), (5, 0))  # boards from this size on: line of their stars, from 1, 0 without
LARGE = 15  # larger boards have nine stars
SHADES = {BLACK: Shade("#77726d", "#0b0a0a"), WHITE: Shade("#ffffff", "#cfc7b9")}
RIMS = {BLACK: "#000000", WHITE: "#8d8577"}
ENDS = {Outcome.FIRST_WINS: "Black has won", Outcome.SECOND_WINS: "White has won", Outcome.DRAW: "Draw"}


def caption(s: Any) -> str:
    """Return whose turn it is, or how the game has ended."""
    return ENDS.get(Outcome(int(outcome(s))), f"{('Black', 'White')[s.turn]} to move")


def board(s: Any) -> str:
    """Return the board in plain text: rows from the top, ``X`` black, ``O`` white, no column I."""
    size = int(s.width)
    letters = "   " + " ".join(GTP_LETTERS[:size])
    rows = []
    for y in reversed(range(size)):
        symbols = " ".join(SYMBOLS[s.board[point(x, y)]] for x in range(size))
        rows.append(f"{y + 1:>2} {symbols} {y + 1}")
    return "\n".join([letters, *rows, letters, caption(s)])


def draw(s: Any) -> Picture:
    """Return the board as a drawing."""
    size = int(s.width)
    side = 2 * MARGIN + (size - 1) * CELL
    shapes = wooden_board(side, side + CAPTION)
    shapes += _lines(size)
    shapes += _coordinates(size)
    for x in range(size):
        for y in range(size):
            if (colour := int(s.board[point(x, y)])) != EMPTY:
                shapes += disc(*_place(x, y, size), 0.47 * CELL, SHADES[colour], RIMS[colour])
    shapes.append(Text(side / 2, side + CAPTION / 2 - 8, caption(s), 17, INK))
    return Picture(side, side + CAPTION, f"Gomoku, {size} by {size}: {caption(s)}", tuple(shapes))


def _place(x: float, y: float, size: int) -> tuple[float, float]:
    """Return the pixel of column `x`, row `y`, from 0 at the bottom left."""
    return MARGIN + x * CELL, MARGIN + (size - 1 - y) * CELL


def _lines(size: int) -> list[Shape]:
    """Return the grid and its stars."""
    last = size - 1
    shapes: list[Shape] = []
    for number in range(size):
        width = 2.0 if number in (0, last) else 1.0
        shapes.append(Line((_place(0, number, size), _place(last, number, size)), FAINT_INK, width))
        shapes.append(Line((_place(number, 0, size), _place(number, last, size)), FAINT_INK, width))
    line = next(line for least, line in STAR_LINES if size >= least)
    if line and size % 2:
        middle = last // 2
        marked = {line - 1, last - line + 1} | ({middle} if size > LARGE else set())
        stars = {(x, y) for x in marked for y in marked} | {(middle, middle)}
        shapes += [Circle(*_place(x, y, size), 3.6, FAINT_INK) for x, y in sorted(stars)]
    return shapes


def _coordinates(size: int) -> list[Shape]:
    """Return the letters and numbers around the board."""
    shapes: list[Shape] = []
    before, after = -LABEL / CELL, size - 1 + LABEL / CELL
    for number in range(size):
        for edge in (before, after):
            shapes.append(Text(*_place(number, edge, size), GTP_LETTERS[number], 13, FAINT_INK))
            shapes.append(Text(*_place(edge, number, size), str(number + 1), 13, FAINT_INK))
    return shapes
