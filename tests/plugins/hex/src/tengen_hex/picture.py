"""The board of Hex in plain text and as a drawing."""

import math
from typing import Any

from tengen.engine.board.goban import RIMS, SHADES, SYMBOLS
from tengen.engine.board.picture import (
    FAINT_INK,
    GROOVE,
    INK,
    Picture,
    Point,
    Polygon,
    Polyline,
    Shape,
    Text,
    disc,
)
from tengen.engine.board.picture import board as wood
from tengen.engine.game import Outcome
from tengen_hex.board import BLACK, EMPTY, WHITE
from tengen_hex.rules import board_of, outcome
from tengen_hex.text import LETTERS

ENDS = {Outcome.FIRST_WINS: "Black has won", Outcome.SECOND_WINS: "White has won"}
WIDTH = 36.0  # pixels of a cell
RADIUS = WIDTH / math.sqrt(3)  # to its corners
MARGIN = 56  # from the edges of the picture to the outer cells' middles
CAPTION = 28  # height
BANDS = {BLACK: "#141211", WHITE: "#fbf8f2"}  # along the edges that a side joins


def caption(s: Any) -> str:
    """Return whose turn it is, or who has won."""
    return ENDS.get(Outcome(int(outcome(s))), f"{('Black', 'White')[s.side_to_move]} to move")


def board(s: Any) -> str:
    """Return the board in plain text: ``X`` black, ``O`` white, each row half a cell to the right."""
    stones, size = board_of(s), int(s.width)
    letters = " ".join(LETTERS[:size])
    lines = [f"   {letters}"]
    for y in range(size):
        row = " ".join(SYMBOLS[stones.get((x, y), EMPTY)] for x in range(size))
        lines.append(f"{' ' * y}{y + 1:>2} {row} {y + 1}")
    return "\n".join([*lines, f"{' ' * size}   {letters}", caption(s)])


def draw(s: Any) -> Picture:
    """Return the board as a drawing; the bands along the edges tell who joins which."""
    stones, size = board_of(s), int(s.width)
    width = round(2 * MARGIN + 1.5 * (size - 1) * WIDTH)
    side = round(2 * MARGIN + 1.5 * (size - 1) * RADIUS)
    cells = [(x, y) for y in range(size) for x in range(size)]
    shapes: list[Shape] = wood(width, side + CAPTION)
    shapes += [Polygon(tuple(_corners(x, y)), "", GROOVE, 1.2) for x, y in cells]
    shapes += _bands(size)
    for i in range(size):
        for edge in (-1, size):
            shapes.append(Text(*_middle(i, edge), LETTERS[i], 13, FAINT_INK))
            shapes.append(Text(*_middle(edge, i), str(i + 1), 13, FAINT_INK))
    for (x, y), colour in stones.items():
        shapes += disc(*_middle(x, y), 0.42 * WIDTH, SHADES[colour], RIMS[colour])
    shapes.append(Text(width / 2, side + CAPTION / 2 - 8, caption(s), 17, INK))
    return Picture(width, side + CAPTION, f"Hex, {size} by {size}: {caption(s)}", tuple(shapes))


def _middle(x: int, y: int) -> Point:
    """Return the pixel in the middle of a cell."""
    return MARGIN + (x + y / 2) * WIDTH, MARGIN + 1.5 * y * RADIUS


def _corners(x: int, y: int) -> list[Point]:
    """Return the corners of a cell: clockwise, from the top."""
    u, v = _middle(x, y)
    angles = [math.radians(60 * corner - 90) for corner in range(6)]
    return [(u + RADIUS * math.cos(angle), v + RADIUS * math.sin(angle)) for angle in angles]


def _bands(size: int) -> list[Shape]:
    """Return the four edges in the colours of those who join them."""
    edges = {  # cells, by how far along the edge; their corners on the edge, in its direction; whose it is
        "top": (lambda i: (i, 0), (5, 0, 1), BLACK),
        "bottom": (lambda i: (i, size - 1), (4, 3, 2), BLACK),
        "left": (lambda i: (0, i), (5, 4, 3), WHITE),
        "right": (lambda i: (size - 1, i), (0, 1, 2), WHITE),
    }
    return [
        Polyline(tuple(_corners(*at(i))[corner] for i in range(size) for corner in corners), BANDS[colour], 4)
        for at, corners, colour in edges.values()
    ]
