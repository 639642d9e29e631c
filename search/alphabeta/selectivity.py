"""What is pruned, and what is searched less deep. Specialised with ``game``."""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.jit import kernel, specialise
from tengen.search.alphabeta.params import REDUCTION_SIZE
from tengen.search.alphabeta.table import UPPER, action_of, bound_of, depth_of, value_of
from tengen.search.info import INFINITE, PROVEN

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.alphabeta import node
else:
    node = specialise("tengen.search.alphabeta.node", game)


# Late-move reductions: least depth, and first place in the ordering
REDUCE_FROM_DEPTH, REDUCE_FROM_MOVE = 3, 3

# Singular extensions: how much less deep the table may know the best action, and the last ply
SINGULAR_DEPTHS, LAST_SINGULAR_PLY = 3, 40

LOGIT = 256  # units of a policy

# Null-move pruning: if passing still fails high, the node is pruned. Least depth, and reductions by depth.
# In DVONN worth +12 [2, 22] Elo.
NULL_FROM_DEPTH = 3
NULL_REDUCTIONS = np.array([2] * 7 + [3], np.int64)


@kernel
def static_value(t, s, depth, alpha, beta):
    """Return the static evaluation (int64) of `s`, for pruning with a null window at `depth`.

    Minus `INFINITE` where nothing is pruned by it, where a threat must be answered, or where a turn is half
    played: evaluations mean little there.
    """
    params = t.params
    if depth > max(params.futility_depth, params.quiet_futility_depth) or s.partial or game.forced(s):
        return np.int64(-INFINITE)
    high = beta + params.futility_margin * depth
    return node.evaluate(t, s, alpha if depth <= params.quiet_futility_depth else high, high)


@kernel
def is_futile(t, depth, gap, static_value, alpha):
    """Return whether a quiet action after the first is pruned, at a node with a null window.

    Parameters
    ----------
    t : THREAD record
    depth : int64
    gap : int64
        `picking.policy_gap` of the action.
    static_value : int64
        Static evaluation of the node; minus `INFINITE` if it has none.
    alpha : int64
    """
    params = t.params
    if depth <= params.policy_depth and gap > params.policy_gap + params.policy_gap_per_ply * depth:
        return True
    margin = params.quiet_futility_margin * (depth + 1)
    return depth <= params.quiet_futility_depth and -INFINITE < static_value <= alpha - margin


@kernel
def reduction(t, depth, place, gap):
    """Return by how many plies (int64) a quiet action is searched less deep; `gap` as for `is_futile`."""
    last = np.int64(REDUCTION_SIZE - 1)
    hundredths = np.int64(t.params.reductions[min(depth, last), min(place, last)])
    return (hundredths + gap * t.params.policy_reduction // LOGIT) // 100


@kernel
def may_be_singular(t, data, depth, ply):
    """Return whether the action of the table's entry `data` (uint64) may be the only good one, at `depth`."""
    least = t.params.singular_depth
    if least == 0 or depth < least or ply > LAST_SINGULAR_PLY or t.left_out[ply] or action_of(data) < 0:
        return False
    known = bound_of(data) != UPPER and depth_of(data) >= depth - SINGULAR_DEPTHS
    return known and abs(value_of(data)) < PROVEN


@kernel
def null_action(t, ply, depth, beta):
    """Return the null move (int64) to try at ``t.stack[ply]``, or -1."""
    s = t.stack[ply]
    if depth < NULL_FROM_DEPTH or t.after_null_move[ply] or abs(beta) >= PROVEN:
        return np.int64(-1)
    action = np.int64(game.null_action(s))
    return action if action >= 0 and node.evaluate(t, s, beta, beta) >= beta else np.int64(-1)
