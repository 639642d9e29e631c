"""How the time of a game is shared out (`search.limits.clock`)."""

from typing import Any

# From matches on a clock of 1 s and `python -m tests.tools.timing.pace FILE`: half of the turns are forced.
TURNS = ((0, 1.5), (11, 2.6), (16, 3.6), (18, 5), (24, 8))


def progress(s: Any) -> int:
    """Return the marbles in the pool."""
    return int(s.pool.sum())
