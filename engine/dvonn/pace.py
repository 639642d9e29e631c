"""How the time of a game is shared out (`search.timing.clock`)."""

from __future__ import annotations

from typing import Any

from tengen.engine.dvonn.state import PIECES

# From matches on clocks of 1 and 2 s and `python -m tests.tools.timing.pace FILE --weights 0:0.15,49:1`:
# placing a piece matters little, and most games are solved before half of the stacks are gone.
TURNS = ((0, 150), (48, 100), (49, 12.5), (57, 7.5), (65, 3.5), (73, 2), (98, 1.5))


def progress(s: Any) -> int:
    """Return the pieces placed, and later 49 more than the cells that are empty again."""
    return int(s.placed) + (PIECES - int(s.occupied).bit_count() if s.placed == PIECES else 0)
