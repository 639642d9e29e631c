"""Boards with black and white stones on their points: texts and drawings.

Stones are colours, BLACK or WHITE, by (column, row), both from 0, rows from the bottom.
"""

import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence

from tengen.engine.board.grids import GTP_LETTERS, vertex
from tengen.engine.board.picture import (
    FAINT_INK,
    GROOVE,
    INK,
    Circle,
    Picture,
    Polygon,
    Polyline,
    Shade,
    Shape,
    Text,
    disc,
    piece_at,
    rectangle,
)
from tengen.engine.board.picture import Place as Target
from tengen.engine.board.picture import board as wooden_board
from tengen.engine.errors import NotationError, quoted
from tengen.engine.play.editor import Field, Layout, Piece
from tengen.engine.play.steps import Choice
from tengen.engine.spec import GameSpec

Place = tuple[int, int]
Stones = Mapping[Place, int]

EMPTY, BLACK, WHITE = 0, 1, 2
SYMBOLS = ".XO"
SIDES = "bw"  # to move, in position texts
PASS = "pass"  # the text of the turn
STONE_WORDS = {BLACK: "black stone", WHITE: "white stone"}

# ------------------------------------------------------------------------------------------------------ texts


def format_rows(stones: Stones, size: int) -> str:
    """Return the rows of a position text, from the top, separated by ``/``."""
    columns, rows = range(size), reversed(range(size))
    return "/".join("".join(SYMBOLS[stones.get((x, y), EMPTY)] for x in columns) for y in rows)


def parse_rows(text: str, size: int) -> tuple[dict[Place, int], list[str]]:
    """Return the stones in the rows of a position text, and the faults of the rows in words."""
    rows = text.split("/")
    if len(rows) != size:
        return {}, [f"expected {size} rows, got {len(rows)} in {quoted(text)}"]
    stones: dict[Place, int] = {}
    faults = []
    for y, row in zip(reversed(range(size)), rows, strict=True):
        if len(row) != size or not re.fullmatch(r"[.XO]*", row):
            faults.append(f"expected {size} of . X O in row {y + 1}, got {quoted(row)}")
        else:
            stones |= {(x, y): SYMBOLS.index(symbol) for x, symbol in enumerate(row) if symbol != "."}
    return stones, faults


def position_text(spec: GameSpec, stones: Stones, letter: str) -> str:
    """Return the text of the initial position of `spec`, with `stones` and the side of `letter` to move."""
    from tengen.engine.play.position import Position

    _, _, *rest = Position.start(spec).text().split()
    return " ".join([format_rows(stones, int(spec.values["size"])), letter, *rest])


def parse_side(text: str) -> tuple[int, list[str]]:
    """Return the side to move that `text` names, 0 or 1, and the faults of the text in words."""
    if text not in tuple(SIDES):
        return 0, [f"expected b or w to move, got {quoted(text)}"]
    return SIDES.index(text), []


def find_vertex(text: str, size: int) -> Place | None:
    """Return the point with the GTP name `text`, in upper or lower case; None if there is none."""
    match = re.fullmatch(r"([A-HJ-Za-hj-z])([1-9][0-9]?)", text)
    x, y = (GTP_LETTERS.index(match[1].upper()), int(match[2]) - 1) if match else (size, size)
    return (x, y) if x < size and y < size else None


def parse_vertex(text: str, size: int, otherwise: str = "") -> Place:
    """Return the point that the turn `text` names; `otherwise` names the other turns, for error messages.

    Raises NotationError if the text is not a vertex of the board.
    """
    place = find_vertex(text, size)
    if place is None:
        expected = f"expected a vertex from A1 to {vertex(size - 1, size - 1)} (no letter I){otherwise}"
        raise NotationError(f"turn: {expected}, got {quoted(text)}")
    return place


def diagram(stones: Stones, size: int, stars: Collection[Place] = (), last: Place | None = None) -> list[str]:
    """Return the lines of the board in plain text.

    ``X`` is black, ``O`` white, ``+`` one of the `stars`, ``(X)`` the stone on `last`.
    """
    letters = "   " + " ".join(GTP_LETTERS[:size])
    lines = []
    for y in reversed(range(size)):
        line = f"{y + 1:>2} "
        for x in range(size):
            symbol = SYMBOLS[stones.get((x, y), EMPTY)]
            line += "+" if symbol == "." and (x, y) in stars else symbol
            line += ")" if (x, y) == last else "(" if (x + 1, y) == last else " "
        if last == (0, y):
            line = f"{y + 1:>2}({line[3:]}"
        lines.append(f"{line}{y + 1}")
    return [letters, *lines, letters]


def layout_of_stones(size: int, *fields: Field) -> Layout:
    """Return how positions are set up whose texts have the side to move and these fields after the rows."""
    columns, rows = range(size), reversed(range(size))
    return Layout(
        rows=tuple(tuple(vertex(x, y) for x in columns) for y in rows),
        pieces=(Piece(".", "Empty"), Piece("X", "Black stone"), Piece("O", "White stone")),
        fields=(Field("side", "To move", {"b": "Black", "w": "White"}), *fields),
    )


# ------------------------------------------------------------------------------------------- turns in steps


def stone_words(stones: Stones) -> dict[str, str]:
    """Return what stands on each point with a stone, in words, by vertex."""
    return {vertex(*place): STONE_WORDS[colour] for place, colour in stones.items()}


def stone_choices(turns: Mapping[int, str]) -> dict[int, Choice]:
    """Return how turns are chosen, by action: a point is pointed at, a pass is named."""
    return {action: Choice(turn, () if turn == PASS else ((turn,),)) for action, turn in turns.items()}


# ---------------------------------------------------------------------------------------------------- drawing

CELL = 32  # pixels between two lines
MARGIN = 48  # from the edges of the picture to the outer lines, at least
LABEL = 27  # from the outer lines to the coordinates
MIN_WIDTH = 288  # of a picture, to leave room for captions
CAPTION, NOTE = 28, 20  # heights of the caption, and of each smaller line below it
CAPTION_SIZE, NOTE_SIZE = 17, 13  # of letters, at most
LETTER = 0.52  # width of a letter in the mean, in sizes
FRAME = 10  # from the edges of the picture to texts, at least
STONE = 0.47  # radius, in cells
SHADES = {BLACK: Shade("#77726d", "#0b0a0a"), WHITE: Shade("#ffffff", "#cfc7b9")}
RIMS = {BLACK: "#000000", WHITE: "#8d8577"}
ON_STONE = {BLACK: "#f4efe6", WHITE: "#1d1a17"}  # of marks on stones
BAN = "#b3261e"  # of forbidden points
FLAT = {BLACK: "#141211", WHITE: "#fbf8f2"}  # of small squares


def draw(
    title: str,
    stones: Stones,
    size: int,
    stars: Iterable[Place],
    caption: str,
    note: str = "",
    marks: Sequence[Shape] = (),
) -> Picture:
    """Return the drawing of a board of `size` points a side, described in words by its `title`.

    The caption stands below, the `note` under it in smaller print, on several lines if it is long. The
    `marks` are drawn on top of stones and board.
    """
    width, side = _width(size), 2 * MARGIN + (size - 1) * CELL
    room = (width - 2 * FRAME) / LETTER
    lines = textwrap.wrap(note, int(room / NOTE_SIZE))
    height = side + CAPTION + NOTE * len(lines)
    shapes = wooden_board(width, height)
    shapes += _lines(size)
    shapes += [Circle(*pixel_of(x, y, size), 3.6, FAINT_INK) for x, y in sorted(stars)]
    shapes += _coordinates(size)
    for (x, y), colour in sorted(stones.items()):
        stone = disc(*pixel_of(x, y, size), STONE * CELL, SHADES[colour], RIMS[colour])
        shapes += piece_at(vertex(x, y), stone)
    shapes += marks
    letters = min(CAPTION_SIZE, room / max(1, len(caption)))
    shapes.append(Text(width / 2, side + CAPTION / 2 - 8, caption, letters, INK, caption=True))
    shapes += [
        Text(width / 2, side + CAPTION + NOTE * (number + 0.5) - 12, line, NOTE_SIZE, FAINT_INK)
        for number, line in enumerate(lines)
    ]
    points = [(x, y) for y in reversed(range(size)) for x in range(size)]
    targets = (Target(vertex(x, y), *pixel_of(x, y, size), CELL / 2) for x, y in points)
    return Picture(width, height, title, tuple(shapes), tuple(targets))


def pixel_of(x: float, y: float, size: int) -> tuple[float, float]:
    """Return the pixel of column `x`, row `y`, from 0 at the bottom left."""
    left = (_width(size) - (size - 1) * CELL) / 2
    return left + x * CELL, MARGIN + (size - 1 - y) * CELL


def ring(x: int, y: int, size: int, colour: int) -> Shape:
    """Return the mark of the last stone, which has this colour."""
    return Circle(*pixel_of(x, y, size), 0.22 * CELL, "", ON_STONE[colour], 0.07 * CELL)


def square(x: int, y: int, size: int, colour: int = EMPTY) -> Shape:
    """Return a small square in the colour of the owner of a point; only a frame for EMPTY."""
    middle_x, middle_y = pixel_of(x, y, size)
    reach = 0.15 * CELL if colour else 0.2 * CELL
    corners = rectangle(middle_x - reach, middle_y - reach, middle_x + reach, middle_y + reach)
    return Polygon(corners, FLAT[colour], GROOVE, 0.8) if colour else Polygon(corners, "", INK, 2)


def cross(x: int, y: int, size: int) -> list[Shape]:
    """Return the mark of a forbidden point."""
    reach = 0.2  # cells
    return [
        Polyline(
            (pixel_of(x - reach, y - slope * reach, size), pixel_of(x + reach, y + slope * reach, size)),
            BAN,
            2.5,
        )
        for slope in (-1, 1)
    ]


def _width(size: int) -> int:
    """Return the width of the picture of a board."""
    return max(MIN_WIDTH, 2 * MARGIN + (size - 1) * CELL)


def _lines(size: int) -> list[Shape]:
    """Return the grid."""
    last = size - 1
    shapes: list[Shape] = []
    for number in range(size):
        width = 2.0 if number in (0, last) else 1.0
        shapes.append(Polyline((pixel_of(0, number, size), pixel_of(last, number, size)), FAINT_INK, width))
        shapes.append(Polyline((pixel_of(number, 0, size), pixel_of(number, last, size)), FAINT_INK, width))
    return shapes


def _coordinates(size: int) -> list[Shape]:
    """Return the letters and numbers around the board."""
    shapes: list[Shape] = []
    before, after = -LABEL / CELL, size - 1 + LABEL / CELL
    for number in range(size):
        for edge in (before, after):
            shapes.append(Text(*pixel_of(number, edge, size), GTP_LETTERS[number], 13, FAINT_INK))
            shapes.append(Text(*pixel_of(edge, number, size), str(number + 1), 13, FAINT_INK))
    return shapes
