"""What earlier cut-offs say about quiet actions: killers and history. Specialised with ``game``."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from tengen.engine.jit import kernel, specialise

game: ModuleType
picking = specialise("tengen.search.alphabeta.picking", game)

HISTORY_LIMIT = 1 << 14


@kernel
def _update_history(t, side, action, bonus):
    """Add `bonus` to the history of an action, with gravity: it stays within ±HISTORY_LIMIT."""
    old = np.int64(t.history[side, action])
    t.history[side, action] = old + bonus - old * abs(bonus) // HISTORY_LIMIT


@kernel
def update_quiet_stats(t, ply, i, depth):
    """Reward the quiet action at place `i`, which caused a cut-off, and punish the quiet ones before it."""
    side = np.uint64(t.stack[ply].side_to_move)
    action = t.actions[ply, i]
    if t.killers[ply, 0] != action:
        t.killers[ply, 1] = t.killers[ply, 0]
        t.killers[ply, 0] = action
    bonus = np.int64(min(depth * depth * 8, 1200))
    _update_history(t, side, action, bonus)
    for k in range(i):
        if picking.is_quiet(t.order[ply, k]):
            _update_history(t, side, t.actions[ply, k], -bonus)
