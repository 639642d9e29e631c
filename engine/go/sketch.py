"""The Go board as characters."""

from typing import Any

from tengen.engine.board.sketch import Sketch, square
from tengen.engine.go.picture import caption, marked_points, note
from tengen.engine.go.rules import stones_of


def sketch(s: Any) -> Sketch:
    """Return the board as characters."""
    size = int(s.board.width)
    return square(stones_of(s), size, marked_points(size), "● Black  ○ White", (caption(s), note(s)))
