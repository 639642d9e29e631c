"""How the time of a game is shared out (`search.limits.clock`)."""

from typing import Any

# A board of 9x9 has 97 to 162, one of 13x13 203 to 338, one of 19x19 433 to 722. From matches on clocks of 2,
# 5 and 15 s, and with 1200, 500 and 200 simulations a turn (`python -m tests.tools.timing.pace FILE`). Games
# go on for many turns when all is decided, so that fewer are planned for than are played.
TURNS = ((97, 11), (162, 18), (203, 26), (338, 42), (433, 50), (722, 110), (1250, 200))


def progress(s: Any) -> int:
    """Return the points of the board, the empty ones twice: common sizes have no number in common."""
    return int(s.board.width) ** 2 + int(s.board.num_empty)
