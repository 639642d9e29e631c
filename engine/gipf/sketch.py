"""The GIPF board as characters, turned by a right angle: row a above, White's side on the left."""

from typing import Any

from tengen.engine.board.sketch import DISCS, EMPTY, Sketch, Tone, hexagonal, links, neighbours
from tengen.engine.gipf.picture import caption, reserve_text
from tengen.engine.gipf.state import BLACK, DOTS, PLACES, SPOTS, WHITE, bit, name
from tengen.engine.gipf.text import piece_texts

PITCH = 4  # characters between two spots: room for a piece with its marks
GIPF_PIECES = {WHITE: "◎", BLACK: "◉"}
ROWS = {name(place): (place[0], 2 * place[1] - place[0]) for place in PLACES}
DOT_NAMES = {name(place) for place in DOTS}
PAIRS = [pair for pair in neighbours(ROWS) if not DOT_NAMES.issuperset(pair)]
LEGEND = "○ White  ● Black  ◎ ◉ GIPF-pieces; names are dots"


def sketch(s: Any) -> Sketch:
    """Return the board as characters: pieces with their marks as in position texts, and the names of dots."""
    pieces = piece_texts(s)
    texts = {name(place): (name(place), Tone.NAME) for place in DOTS}
    texts |= {name(place): _text(pieces.get(bit(place), "")) for place in SPOTS}
    cells = hexagonal(ROWS, texts, PITCH)
    return Sketch(
        cells, links(cells, PAIRS), LEGEND, (*(reserve_text(s, side) for side in (WHITE, BLACK)), caption(s))
    )


def _text(piece: str) -> tuple[str, Tone]:
    """Return what a spot shows, by the piece on it as position texts write it."""
    if not piece:
        return EMPTY, Tone.LINE
    side = "wb".index(piece[0].lower())
    disc = (GIPF_PIECES if piece[0].isupper() else DISCS)[side]
    return disc + piece[1:], (Tone.LIGHT, Tone.DARK)[side]
