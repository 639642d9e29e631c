"""What is pruned, and what is searched less deep. Specialised with ``game``."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from tengen.engine.jit import kernel, specialise
from tengen.search.info import INFINITE, PROVEN

game: ModuleType
node = specialise("tengen.search.alphabeta.node", game)

# Late-move reductions: least depth, and first place in the ordering
REDUCE_FROM_DEPTH, REDUCE_FROM_MOVE = 3, 3

FUTILITY_MAX_DEPTH = 4  # greatest depth of reverse futility pruning

# Null-move pruning: if passing still fails high, the node is pruned. Least depth, and reductions by depth.
# In DVONN worth +12 [2, 22] Elo.
NULL_FROM_DEPTH = 3
NULL_REDUCTIONS = np.array([2] * 7 + [3], np.int64)


@kernel
def reverse_futility_value(t, s, depth, beta):
    """Return the static evaluation of `s` minus the futility margin for the remaining `depth` (int64).

    Minus `INFINITE` where a threat must be answered or a turn is half played: evaluations mean little there.
    """
    if s.partial or game.forced(s):
        return np.int64(-INFINITE)
    margin = t.numbers.futility_margin * depth
    return node.evaluate(t, s, beta + margin, beta + margin) - margin


@kernel
def null_action(t, ply, depth, beta):
    """Return the null move (int64) to try at ``t.stack[ply]``, or -1."""
    s = t.stack[ply]
    if depth < NULL_FROM_DEPTH or t.after_null_move[ply] or abs(beta) >= PROVEN:
        return np.int64(-1)
    action = np.int64(game.null_action(s))
    return action if action >= 0 and node.evaluate(t, s, beta, beta) >= beta else np.int64(-1)
