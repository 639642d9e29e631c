"""The rules of Gobang [B-1][B-2]: the kernels of Gomoku, whose state says whether pairs are captured."""

from tengen.engine.gomoku.rules import *  # noqa: F403 - all of it is the same

# All of Gomoku's numbers cost 78 [13, 145] Elo here. The policy's depth is worth 13 [2, 23] at 8,000
# positions a turn, singular extensions 43 [10, 77] at 0.1 s.
SELECTIVITY = {"policy-depth": 8, "singular-depth": 6}
