"""How the time of a game is shared out (`search.limits.clock`)."""

from tengen.engine.gomoku.pace import progress as progress

# From matches on a clock of 1 s and `python -m tests.tools.timing.pace FILE`.
TURNS = ((0, 11.5), (4, 9.5), (8, 7), (13, 5.5), (25, 4.5))
