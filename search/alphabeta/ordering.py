"""What comes first: choosing the next action of a list by its place in the ordering, one at a time."""

from __future__ import annotations

from tengen.engine.jit import kernel


@kernel
def pick_best(t, ply, i, count):
    """Bring the best of the actions of `ply` from place `i` on to place `i`; return it.

    Parameters
    ----------
    t : record
        With the fields `actions` and `order`, shape (plies, actions): the greater its order, the sooner.
    ply, i, count : int64
        How many actions there are, and the first place that is open.
    """
    best = i
    for k in range(i + 1, count):
        if t.order[ply, k] > t.order[ply, best]:
            best = k
    action, order = t.actions[ply, best], t.order[ply, best]
    t.actions[ply, best], t.order[ply, best] = t.actions[ply, i], t.order[ply, i]
    t.actions[ply, i], t.order[ply, i] = action, order
    return action
