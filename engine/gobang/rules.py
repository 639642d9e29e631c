"""The rules of Gobang [B-1][B-2]: the kernels of Gomoku, whose state says whether pairs are captured."""

from tengen.engine.gomoku.rules import *  # noqa: F403 - all of it is the same

# All of Gomoku's other numbers cost 78 [13, 145] Elo here, the reductions by policy alone 22 [-18, 63].
SELECTIVITY = {"policy-depth": 8, "singular-depth": 6}
