"""The ZÈRTZ board as characters, turned by a right angle: row a above, the rings of a row from the left."""

from typing import Any

from tengen.engine.board.sketch import Sketch, Tone, hexagonal
from tengen.engine.zertz.picture import caption, stock_lines
from tengen.engine.zertz.state import BLACK, GREY, NAMES, PLACES, WHITE
from tengen.engine.zertz.text import colour_at, ring_text

PITCH = 4  # characters between two rings: room for a name
MARBLES = {WHITE: ("○", Tone.LIGHT), GREY: ("◐", Tone.GREY), BLACK: ("●", Tone.DARK)}
LEGEND = "○ white  ◐ grey  ● black; names are vacant rings"


def sketch(s: Any) -> Sketch:
    """Return the board as characters: marbles, and the names of vacant rings."""
    places = {
        name: (u - PLACES[s.board][0][0], 2 * v - u)
        for name, (u, v) in zip(NAMES[s.board], PLACES[s.board], strict=True)
    }
    texts = {name: _text(s, name, index) for name, index in NAMES[s.board].items()}
    return Sketch(hexagonal(places, texts, PITCH), {}, LEGEND, (*stock_lines(s), caption(s)))


def _text(s: Any, name: str, index: int) -> tuple[str, Tone]:
    """Return what the place of a ring shows."""
    colour = colour_at(s, index)
    if colour is not None:
        return MARBLES[colour]
    return (" ", Tone.LINE) if ring_text(s, index) == "-" else (name, Tone.NAME)
