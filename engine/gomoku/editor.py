"""How positions of Gomoku and Gobang are set up."""

from collections.abc import Mapping
from typing import Any

from tengen.engine.board.goban import layout_of_stones
from tengen.engine.gomoku.text import MAX_PAIRS_IN_TEXT
from tengen.engine.play.editor import Field, Layout


def layout(options: Mapping[str, Any]) -> Layout:
    """Return how the position texts of a game with these options are built."""
    capturing = "capture-win" in options
    pairs = [
        Field(name, f"Pairs taken by {name.capitalize()}", high=MAX_PAIRS_IN_TEXT)
        for name in ("black", "white")
        if capturing
    ]
    return layout_of_stones(int(options["size"]), *pairs)
