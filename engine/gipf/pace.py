"""How the time of a game is shared out (`search.clock`)."""

from __future__ import annotations

from typing import Any

TURNS = ((0, 45), (17, 42), (25, 32), (33, 20), (47, 9), (60, 8))


def progress(s: Any) -> float:
    """Return how many pieces out of a hundred are neither in a reserve nor a spot's only piece."""
    spots = sum(int(board).bit_count() for board in s.pieces)
    total = int(s.total.sum())
    return 100 * (total - int(s.reserve.sum()) - spots) / total
