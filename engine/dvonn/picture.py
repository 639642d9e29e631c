"""The DVONN board in plain text and as a drawing: row 1 at the bottom, columns leaning left as they rise."""

import math
from typing import Any

from tengen.engine.board.picture import (
    EBONY,
    FAINT_INK,
    GROOVE,
    INK,
    IVORY,
    Circle,
    Picture,
    Place,
    Polygon,
    Polyline,
    Shade,
    Shape,
    Text,
    Tone,
    disc,
    piece_at,
)
from tengen.engine.board.picture import board as wooden_board
from tengen.engine.dvonn.rules import outcome, score
from tengen.engine.dvonn.state import (
    BLACK,
    CELLS,
    COLUMNS,
    FIRST_COLUMN,
    LAST_COLUMN,
    LONE,
    PIECES,
    REACH,
    ROWS,
    WHITE,
    name,
)
from tengen.engine.dvonn.text import cell_text, reds
from tengen.engine.game import Outcome

CELL = 62  # pixels between two neighbours
RISE = CELL * math.sqrt(3) / 2
MARGIN = 62  # from the edges of the picture to the outer cells
CAPTION = 30  # height of the caption
RADIUS = 24  # of a piece
HOLE = 10  # radius of its hole
LAYER = 3.0  # pixels by which a piece rises over the one below it
MAX_LAYERS = 6  # pieces drawn of a high stack
RED_TONE = Tone(Shade("#f0604c", "#8f1410"), "#5c0a07", "#5c0a07", "#ffffff")
TONES = {WHITE: IVORY, BLACK: EBONY, LONE: RED_TONE}
HOLES = {WHITE: "#f8f2e6", BLACK: "#2b2826", LONE: "#7c120e"}
RED, RED_EDGE = "#d3241b", "#fff4e6"
ENDS = {Outcome.FIRST_WINS: "White has won", Outcome.SECOND_WINS: "Black has won", Outcome.DRAW: "Draw"}


def caption(s: Any) -> str:
    """Return the side to move or the result, and the score."""
    side = ("White", "Black")[s.side_to_move]
    if s.placed < PIECES:
        return f"{side} to place, {s.placed} of {PIECES} placed"
    stand = ENDS.get(Outcome(int(outcome(s))), f"{side} to move")
    return f"{stand}, pieces controlled {int(score(s, 0))}-{int(score(s, 1))} (White-Black)"


# ------------------------------------------------------------------------------------------------------- text


def board(s: Any) -> str:
    """Return the board in plain text: ``W3*`` holds a DVONN piece, ``D`` is a lone one, ``.`` is empty."""
    texts = {cell: cell_text(s, cell).replace("-", ".") for cell in CELLS}
    pitch = max(4, 2 * math.ceil((max(map(len, texts.values())) + 1) / 2))
    rows = []
    for y in reversed(range(ROWS)):
        cells = [texts[x + COLUMNS * y] for x in range(FIRST_COLUMN[y], LAST_COLUMN[y] + 1)]
        cells += [_letter(LAST_COLUMN[y] + 1)] if LAST_COLUMN[y] + 1 < COLUMNS else []
        rows.append(_row(f"{y + 1}", FIRST_COLUMN[y] - y / 2, cells, pitch))
    letters = _row("", 0.5, [_letter(x) for x in range(LAST_COLUMN[0] + 1)], pitch)
    return "\n".join([*rows, letters, caption(s)])


def _row(label: str, begin: float, cells: list[str], pitch: int) -> str:
    """Return one line of the board, whose first cell is `begin` cells right of a1."""
    indent = round((begin + 1) * pitch)
    return f"{label:<3}{' ' * indent}{''.join(f'{cell:<{pitch}}' for cell in cells)}".rstrip()


def _letter(column: int) -> str:
    return chr(ord("a") + column)


def stack_at(s: Any, cell: int) -> tuple[int, int, int]:
    """Return the controller of the stack on a cell, its height (0: empty) and its number of DVONN pieces."""
    owner = next((side for side in (WHITE, BLACK) if int(s.control[side]) >> cell & 1), LONE)
    return owner, int(s.height[cell]), reds(s, cell)


# ---------------------------------------------------------------------------------------------------- drawing


def draw(s: Any) -> Picture:
    """Return the board as a drawing: numerals are heights, a diamond marks each DVONN piece."""
    width = round(2 * MARGIN + (COLUMNS - 1) * CELL)
    height = round(2 * MARGIN + (ROWS - 1) * RISE + CAPTION)
    shapes = wooden_board(width, height)
    places = {cell: _place(cell % COLUMNS, cell // COLUMNS) for cell in CELLS}
    for cell in CELLS:
        ends = [other for other in CELLS if other > cell and int(REACH[1, cell]) >> other & 1]
        shapes += [Polyline((places[cell], places[other]), f"{GROOVE}8c", 1.4) for other in ends]
    for place in places.values():
        shapes.append(Circle(*place, RADIUS * 0.72, "#c08e4f", GROOVE, 1.4))
        shapes.append(Circle(*place, RADIUS * 0.5, "#b07f43", f"{GROOVE}66", 1))
    shapes += _coordinates()
    for cell in reversed(CELLS):
        owner, pieces, red = stack_at(s, cell)
        if pieces:
            shapes += piece_at(name(cell), _pile(*places[cell], owner, pieces, red))
    shapes.append(Text(width / 2, height - CAPTION / 2 - 8, caption(s), 17, INK, caption=True))
    targets = tuple(Place(name(cell), *place, CELL / 2) for cell, place in places.items())
    return Picture(width, height, f"DVONN: {caption(s)}", tuple(shapes), targets)


def _place(x: float, y: float) -> tuple[float, float]:
    """Return the pixel of column `x`, row `y`, from 0."""
    return MARGIN + (x - y / 2 + 1) * CELL, MARGIN + (ROWS - 1 - y) * RISE


def _coordinates() -> list[Shape]:
    """Return the letters of the columns, at their lower ends, and the numbers of the rows."""
    below = [FIRST_COLUMN[y] for y in range(ROWS)]
    columns = {x: next(y for y in range(ROWS) if below[y] <= x <= LAST_COLUMN[y]) for x in range(COLUMNS)}
    shapes: list[Shape] = [Text(*_place(x, y - 0.68), _letter(x), 14, FAINT_INK) for x, y in columns.items()]
    for y in range(ROWS):
        shapes.append(Text(*_place(FIRST_COLUMN[y] - 0.62, y), str(y + 1), 14, FAINT_INK))
    return shapes


def _pile(x: float, y: float, owner: int, height: int, red: int) -> list[Shape]:
    """Return a stack: its pieces (at most MAX_LAYERS), its height, its DVONN pieces."""
    layers = min(height, MAX_LAYERS)
    shapes: list[Shape] = []
    for layer in range(layers):
        shapes += disc(x, y - layer * LAYER, RADIUS, TONES[owner].shade, TONES[owner].rim)
    top = y - (layers - 1) * LAYER
    shapes.append(Circle(x, top, HOLE + 1.5, HOLES[owner], TONES[owner].rim, 1.2))
    if owner == LONE:
        return [*shapes, _diamond(x, top, 7, RED_EDGE, RED_EDGE)]
    if height > 1:
        shapes.append(Text(x, top, str(height), 15 if height < 10 else 13, TONES[owner].ink, bold=True))
    if red:
        shapes.append(Circle(x, top, RADIUS * 0.74, "", RED, 3))
    for number in range(red):
        angle = math.radians(-90 + 54 * (number - (red - 1) / 2))
        place = x + 0.74 * RADIUS * math.cos(angle), top + 0.74 * RADIUS * math.sin(angle)
        shapes.append(_diamond(*place, 6, RED, RED_EDGE))
    return shapes


def _diamond(x: float, y: float, radius: float, fill: str, edge: str) -> Polygon:
    """Return the mark of a DVONN piece."""
    return Polygon(((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)), fill, edge, 1.4)
