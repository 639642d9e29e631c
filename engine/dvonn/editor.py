"""How positions of DVONN are set up."""

from collections.abc import Mapping
from typing import Any

from tengen.engine.dvonn.state import COLUMNS, DVONN_PIECES, FIRST_COLUMN, LAST_COLUMN, PIECES, ROWS, name
from tengen.engine.play.editor import Field, Layout, Piece

HELD = {"": "none", "*": "one", **{f"*{number}": str(number) for number in range(2, DVONN_PIECES + 1)}}


def layout(options: Mapping[str, Any]) -> Layout:
    """Return how the position texts of a game are built."""
    return Layout(
        rows=tuple(
            tuple(name(x + COLUMNS * y) for x in range(FIRST_COLUMN[y], LAST_COLUMN[y] + 1))
            for y in range(ROWS)
        ),
        pieces=(
            Piece("-", "Empty"),
            Piece("W{height}{red}", "White stack"),
            Piece("B{height}{red}", "Black stack"),
            Piece("D", "Lone DVONN piece"),
        ),
        fields=(
            Field("side", "To move", {"w": "White", "b": "Black"}),
            Field("phase", "Phase", {"p": "pieces are placed", "m": "stacks are moved"}),
        ),
        features=(
            Field("height", "Height", low=1, high=PIECES),
            Field("red", "DVONN pieces in it", HELD),
        ),
        cell="[^,]+",
        between=",",
    )
