"""The board of three men's morris in plain text and as a drawing."""

from typing import Any

from tengen.engine.board import goban
from tengen.engine.board.grids import GTP_LETTERS
from tengen.engine.board.picture import FAINT_INK, INK, Picture, Polyline, Shape, Text, disc
from tengen.engine.board.picture import board as wood
from tengen.engine.game import Outcome
from tengen_morris.rules import LINES, SIZE, outcome
from tengen_morris.text import men

ENDS = {Outcome.FIRST_WINS: "Black has won", Outcome.SECOND_WINS: "White has won", Outcome.DRAW: "Draw"}
STEP = 64  # pixels between two points
MARGIN = 64  # from the edges of the picture to the outer points
CAPTION = 28  # height


def caption(s: Any) -> str:
    """Return whose turn it is, or how the game has ended."""
    return ENDS.get(Outcome(int(outcome(s))), f"{('Black', 'White')[s.side_to_move]} to move")


def board(s: Any) -> str:
    """Return the board in plain text."""
    return "\n".join([*goban.diagram(men(s), SIZE), caption(s)])


def draw(s: Any) -> Picture:
    """Return the board as a drawing, with the lines along which men slide."""
    width = 2 * MARGIN + (SIZE - 1) * STEP
    shapes: list[Shape] = wood(width, width + CAPTION)
    shapes += [Polyline((_pixel(line[0]), _pixel(line[-1])), FAINT_INK, 1.5) for line in LINES.tolist()]
    for i in range(SIZE):
        x, y = _pixel(i * (SIZE + 1))
        shapes += [Text(x, width - 26, GTP_LETTERS[i], 13, FAINT_INK), Text(26, y, str(i + 1), 13, FAINT_INK)]
    for (x, y), colour in men(s).items():
        shapes += disc(*_pixel(x + SIZE * y), 0.3 * STEP, goban.SHADES[colour], goban.RIMS[colour])
    shapes.append(Text(width / 2, width + CAPTION / 2 - 8, caption(s), 17, INK))
    return Picture(width, width + CAPTION, f"Three men's morris: {caption(s)}", tuple(shapes))


def _pixel(point: int) -> tuple[float, float]:
    """Return where a point is drawn."""
    return MARGIN + point % SIZE * STEP, MARGIN + (SIZE - 1 - point // SIZE) * STEP
