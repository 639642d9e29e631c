"""How the time of a game is shared out (`search.clock`)."""

from __future__ import annotations

from tengen.engine.gomoku.pace import progress as progress

TURNS = ((0, 18), (6, 16), (15, 11), (26, 8))
