"""The triangular table of principal variations: the best line from each ply on."""

from __future__ import annotations

from tengen.engine.jit import kernel


@kernel
def update_pv(t, ply, action):
    """Set the PV at `ply` to this action followed by the PV of the next ply.

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
