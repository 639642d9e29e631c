"""The Gomoku board as characters."""

from typing import Any

from tengen.engine.board.sketch import Sketch, square
from tengen.engine.gomoku.picture import caption, note, star_points
from tengen.engine.gomoku.rules import stones


def sketch(s: Any) -> Sketch:
    """Return the board as characters."""
    size = int(s.width)
    notes = tuple(filter(None, (caption(s), note(s))))
    return square(stones(s), size, star_points(size), "● Black  ○ White", notes)
