"""What the searches for forced wins share (`search.solver`, `search.threats`): how results are kept.

Wins that are proven go into the transposition table; positions in which none was found, into the table
``disproved`` of the thread. Its entries are keys of positions; their low bits, `BUDGET_MASK` and maybe
others, hold one more than the offers tried.
"""

from __future__ import annotations

import numpy as np

from tengen.engine.jit import kernel
from tengen.search.alphabeta.table import LOWER, store
from tengen.search.info import WIN

MAX_THREAT_BUDGET = 15
SLOTS = 1 << 17  # of ``disproved``
PROVEN_DEPTH = 255  # in the transposition table: deeper than any search

BUDGET_MASK = np.uint64(MAX_THREAT_BUDGET)
_SLOT, _SHIFT = np.uint64(SLOTS - 1), np.uint64(20)  # a slot is taken from the middle of the key


@kernel
def disproved_slot(key):
    """Return where (uint64) in ``disproved`` a position with this `key` (uint64) is remembered."""
    return (key >> _SHIFT) & _SLOT


@kernel
def store_win(t, ply, turns):
    """Store in the transposition table that the side to move wins ``t.stack[ply]`` by the line of `ply`.

    Parameters
    ----------
    t : record
        A `search.alphabeta.search.THREAD`.
    ply, turns : int64
        How many turns the win takes, that of the loser included.
    """
    action, value = np.int64(t.pv[ply, 0]), np.int64(WIN) - turns
    store(t.table, t.mask, t.age, t.stack[ply].key, action, value, np.int64(PROVEN_DEPTH), np.int64(LOWER))
