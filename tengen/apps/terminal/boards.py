"""Boards in a terminal: with lines, discs and colours where it can show them, else in plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.apps.terminal.style import RESET, Style
from tengen.engine.board.sketch import Sketch, Tone

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

# SGR codes, with colours of the table of 256; on wood all but grey have a contrast of 3 or more, names of 4.5
WOOD, MARKED = "48;5;137", "48;5;65"
TONES = {
    Tone.LIGHT: "1;38;5;231",
    Tone.DARK: "38;5;16",
    Tone.GREY: "38;5;252",
    Tone.RED: "1;38;5;88",
    Tone.LINE: "38;5;237",
    Tone.NAME: "38;5;234",
}
SOLID = str.maketrans("○◎", "●◉")  # where colours tell sides apart
MARGIN = 1  # characters and lines around the board


def board_text(position: Position, style: Style, before: Position | None = None) -> str:
    """Return the board of a position.

    Parameters
    ----------
    position : Position
    style : Style
    before : Position, optional
        The position before the last turn: the places that it has changed are marked.
    """
    shown = position.current
    game = shown.spec.game
    if not style.unicode or not game.offers("sketch"):
        return position.board()
    sketch: Sketch = game.module("sketch").sketch(shown.state)
    earlier = before.current if before is not None else None
    if earlier is None or earlier.spec != shown.spec:
        changed = set()
    else:
        old = game.module("sketch").sketch(earlier.state).cells
        changed = {
            name
            for name, cell in sketch.cells.items()
            if (old[name].text, old[name].tone) != (cell.text, cell.tone)
        }
    below = [style.faint(sketch.legend), *sketch.notes]
    explained = [position.explanation()] if position.explanation() else []
    return "\n".join([*rows(sketch, style, changed), "", *below, *explained])


def rows(sketch: Sketch, style: Style, marked: set[str]) -> list[str]:
    """Return the lines of a board; the places `marked` stand in brackets, or on another ground."""
    left = MARGIN - min(
        *(cell.begin for cell in sketch.cells.values()), *(x for x, _ in sketch.lines), MARGIN
    )
    grid: dict[tuple[int, int], tuple[str, Tone, bool]] = {}
    for (x, y), text in sketch.lines.items():
        grid |= {(left + x + n, y): (character, Tone.LINE, False) for n, character in enumerate(text)}
    for name, cell in sketch.cells.items():
        begin, text = left + cell.begin, cell.text.translate(SOLID) if style.colour else cell.text
        for number, character in enumerate(text):
            grid[begin + number, cell.y] = character, cell.tone, name in marked
        if name in marked:
            grid[begin - 1, cell.y] = " " if style.colour else "(", cell.tone, True
            grid[begin + len(text), cell.y] = " " if style.colour else ")", cell.tone, True
    width = max(x for x, _ in grid) + 1 + MARGIN
    height = max(y for _, y in grid) + 1
    blank = (" ", Tone.LINE, False)
    lines = [[grid.get((x, y), blank) for x in range(width)] for y in range(height)]
    if not style.colour:
        return ["".join(character for character, _, _ in line).rstrip() for line in lines]
    empty = [blank] * width
    return [_coloured(line) for line in (empty, *lines, empty)]


def _coloured(line: list[tuple[str, Tone, bool]]) -> str:
    """Return a line with the codes of its colours, as few as possible."""
    text, current = "", ""
    for character, tone, marked in line:
        codes = f"\x1b[0;{MARKED if marked else WOOD};{TONES[tone]}m"
        text += character if codes == current else codes + character
        current = codes
    return text + RESET
