"""How the time of a game is shared out (`search.clock`)."""

from __future__ import annotations

from typing import Any

from tengen.engine.dvonn.state import PIECES

# Placing a piece matters little; most games are decided before half of the board is empty, and solved then.
WEIGHTS = ((0, 0.2), (48, 0.2), (49, 1.0))
TURNS = ((0, 90), (48, 75), (49, 15), (73, 3), (98, 2))


def progress(s: Any) -> int:
    """Return the pieces placed, and later 49 more than the cells that are empty again."""
    return int(s.placed) + (PIECES - int(s.occupied).bit_count() if s.placed == PIECES else 0)
