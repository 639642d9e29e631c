"""How the time of a game is shared out (`search.clock`)."""

from __future__ import annotations

from typing import Any

# From `python -m tests.tools.pace FILE`, more than it says at the end: a search near the end of the game
# begins by a look at life and death, which takes its time whatever the clock says.
TURNS = ((0, 25), (20, 27), (81, 55), (361, 195))


def progress(s: Any) -> int:
    """Return the empty points."""
    return int(s.board.num_empty)
