"""Principal variations as a triangle in a search thread's memory: the line from each ply on."""

from __future__ import annotations

from tengen.engine.jit import kernel


@kernel
def update_pv(t, ply, action):
    """Make the line of `ply` this `action` (int32) and the line of the ply after it.

    Parameters
    ----------
    t : record
        With the fields `pv`, shape (plies, plies), and `pv_length`, shape (plies,).
    ply : int64
    action : int32 or int64
    """
    length = t.pv_length[ply + 1]
    t.pv[ply, 0] = action
    for k in range(length):
        t.pv[ply, k + 1] = t.pv[ply + 1, k]
    t.pv_length[ply] = length + 1
