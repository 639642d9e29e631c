"""How positions of Go are set up."""

from collections.abc import Mapping
from typing import Any

from tengen.engine.board.goban import layout_of_stones
from tengen.engine.play.editor import Field, Layout

MAX_PRISONERS = 999


def layout(options: Mapping[str, Any]) -> Layout:
    """Return how the position texts of a game with these options are built."""
    prisoners = [
        Field(name, f"Prisoners of {name.capitalize()}", high=MAX_PRISONERS) for name in ("black", "white")
    ]
    passes = {"0": "none", "1": "one", "2": "two: the game is over"}
    return layout_of_stones(
        int(options["size"]),
        Field("ko", "Forbidden by ko, or -"),
        *prisoners,
        Field("passes", "Passes in a row", passes),
    )
