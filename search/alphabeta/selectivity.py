"""What is pruned, and what is searched less deep. Specialised with ``game``."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from tengen.engine.jit import kernel, specialise
from tengen.search.info import INFINITE, PROVEN

game: ModuleType
node = specialise("tengen.search.alphabeta.node", game)

# Late-move reductions, in plies, by depth and by place in the ordering
REDUCTIONS = np.array(
    [[int(0.6 + np.log(max(1, d)) * np.log(max(1, i)) / 2.2) for i in range(64)] for d in range(64)], np.int64
)
REDUCE_FROM_DEPTH, REDUCE_FROM_MOVE = 3, 3

# Late-move pruning at the horizon, where a turn is only being completed: all tactical actions are searched,
# but quiet ones only among the first few.
# In ZÈRTZ worth +45 [15, 76] Elo (basic), +45 [6, 86] (tournament); 3 was worth half.
HORIZON_MOVE_COUNT = 6

# Reverse futility pruning: margin in centi-points per ply of depth, and the greatest depth
FUTILITY_MARGIN, FUTILITY_MAX_DEPTH = 90, 4

# Null-move pruning: if passing still fails high, the node is pruned. Least depth, and reductions by depth.
# In DVONN worth +12 [2, 22] Elo.
NULL_FROM_DEPTH = 3
NULL_REDUCTIONS = np.array([2] * 7 + [3], np.int64)

# Late-move pruning: quiet actions searched, by depth, where the game says so; all of them at greater depths
LATE_MOVE_COUNTS = np.array([*game.LATE_MOVE_COUNTS, INFINITE], np.int64)


@kernel
def reverse_futility_value(t, s, depth, beta):
    """Return the static evaluation of `s` minus the futility margin for the remaining `depth` (int64).

    Minus `INFINITE` where a threat must be answered or a turn is half played: evaluations mean little there.
    """
    if s.partial or game.forced(s):
        return np.int64(-INFINITE)
    threshold = beta + FUTILITY_MARGIN * depth
    return node.evaluate(t, s, threshold, threshold) - FUTILITY_MARGIN * depth


@kernel
def null_action(t, ply, depth, beta):
    """Return the null move (int64) to try at ``t.stack[ply]``, or -1."""
    s = t.stack[ply]
    if depth < NULL_FROM_DEPTH or t.after_null_move[ply] or abs(beta) >= PROVEN:
        return np.int64(-1)
    action = np.int64(game.null_action(s))
    return action if action >= 0 and node.evaluate(t, s, beta, beta) >= beta else np.int64(-1)
