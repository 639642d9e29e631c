"""How the time of a game is shared out (`search.limits.clock`)."""

from typing import Any

# From matches on a clock of 1 s and `python -m tests.tools.timing.pace FILE`: most games are proven after
# ten turns, but one that is not goes on for long.
TURNS = ((0, 10), (4, 8.5), (10, 6))


def progress(s: Any) -> int:
    """Return the stones on the board."""
    return int(s.stones)
