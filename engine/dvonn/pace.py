"""How the time of a game is shared out (`search.limits.clock`)."""

from typing import Any

from tengen.engine.dvonn.state import PIECES

# From matches on clocks of 1 and 2 s and `python -m tests.tools.timing.pace FILE --weights 0:0.15,49:1`:
# placing a piece matters little, and most games are solved before half of the stacks are gone. From 49 on
# more is planned for than that says: games tip at 65 to 75, where the solver needs time. With 12.5, 7.5, 3.5
# and 2 turns less was left for it, and 121 games of 3 s against these ended 54-5-62.
TURNS = ((0, 150), (48, 100), (49, 16), (57, 11), (65, 7), (73, 4.5), (81, 3), (98, 2))


def progress(s: Any) -> int:
    """Return the pieces placed, and later 49 more than the cells that are empty again."""
    return int(s.placed) + (PIECES - int(s.occupied).bit_count() if s.placed == PIECES else 0)
