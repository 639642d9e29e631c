"""How the time of a game is shared out (`search.limits.clock`)."""

from typing import Any

# From matches on a clock of 1 s and `python -m tests.tools.timing.pace FILE`.
TURNS = ((0, 45), (17, 43), (22, 28), (27, 21), (33, 13), (41, 6.5), (55, 5))


def progress(s: Any) -> float:
    """Return how many pieces out of a hundred are neither in a reserve nor a spot's only piece."""
    spots = sum(int(board).bit_count() for board in s.pieces)
    total = int(s.total.sum())
    return 100 * (total - int(s.reserve.sum()) - spots) / total
