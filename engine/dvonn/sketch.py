"""The DVONN board as characters, in rows as it is drawn: row 1 at the bottom."""

from typing import Any

from tengen.engine.board.sketch import DISCS, EMPTY, Sketch, Tone, hexagonal, links, neighbours
from tengen.engine.dvonn.picture import caption, stack_at
from tengen.engine.dvonn.state import CELLS, COLUMNS, FIRST_COLUMN, LAST_COLUMN, LONE, ROWS, name

PITCH = 6  # characters between two spaces: room for a height and a DVONN piece
PLACES = {name(cell): (ROWS - 1 - cell // COLUMNS, 2 * (cell % COLUMNS) - cell // COLUMNS) for cell in CELLS}
LEGEND = "○ White  ● Black  ◆ DVONN piece; a number is a height"


def sketch(s: Any) -> Sketch:
    """Return the board as characters: ``○3◆`` is a white stack of three that holds a DVONN piece."""
    texts = {name(cell): _text(s, cell) for cell in CELLS}
    cells = hexagonal(PLACES, texts, PITCH)
    lines = links(cells, neighbours(PLACES))
    for y in range(ROWS):
        first = cells[name(FIRST_COLUMN[y] + COLUMNS * y)]
        lines[first.x - 3, first.y] = f"{y + 1}"
    for column in range(COLUMNS):  # a column leans to the left as it rises
        lowest = next(y for y in range(ROWS) if FIRST_COLUMN[y] <= column <= LAST_COLUMN[y])
        cell = cells[name(column + COLUMNS * lowest)]
        lines[cell.x + 2, cell.y + 1] = name(column)[0]
    return Sketch(cells, lines, LEGEND, (caption(s),))


def _text(s: Any, cell: int) -> tuple[str, Tone]:
    """Return what a space shows."""
    owner, height, red = stack_at(s, cell)
    if not height:
        return EMPTY, Tone.LINE
    if owner == LONE:
        return "◆", Tone.RED
    number = f"{height}" if height > 1 else ""
    return f"{DISCS[owner]}{number}{'◆' * red}", (Tone.LIGHT, Tone.DARK)[owner]
