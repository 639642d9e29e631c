"""Move picking: selects the next best action, one at a time (selection sort)."""

from __future__ import annotations

from tengen.engine.jit import kernel


@kernel
def pick_best(t, ply, i, count):
    """Swap the best of the actions of `ply` from index `i` on to index `i`, and return it.

    Parameters
    ----------
    t : record
        With the fields `actions` and `order`, shape (plies, actions). The greatest order comes first.
    ply : int64
    i, count : int64
        The first index that is still to be filled, and the number of actions.
    """
    best = i
    for k in range(i + 1, count):
        if t.order[ply, k] > t.order[ply, best]:
            best = k
    action, order = t.actions[ply, best], t.order[ply, best]
    t.actions[ply, best], t.order[ply, best] = t.actions[ply, i], t.order[ply, i]
    t.actions[ply, i], t.order[ply, i] = action, order
    return action
