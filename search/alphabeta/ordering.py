"""Move picking: selects the next best action, one at a time (selection sort)."""

from __future__ import annotations

import numpy as np

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
    actions, orders = t.actions[ply], t.order[ply]
    greatest = orders[i]
    for k in range(np.uint64(i), np.uint64(count)):  # in this form it compiles to vectors
        greatest = max(greatest, orders[k])
    best = np.uint64(i)
    while orders[best] != greatest:
        best += np.uint64(1)
    action = actions[best]
    actions[best], orders[best] = actions[i], orders[i]
    actions[i], orders[i] = action, greatest
    return action
