"""The rules of Gobang [B-1][B-2]: the kernels of Gomoku, whose state says whether pairs are captured."""

from tengen.engine.gomoku.rules import *  # noqa: F403 - all of it is the same

# All of Gomoku's numbers cost 78 [13, 145] Elo here; this one is worth 13 [2, 23] at 8,000 positions a turn.
SELECTIVITY = {"policy-depth": 8}
