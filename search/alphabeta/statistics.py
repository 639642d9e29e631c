"""What earlier cut-offs say about quiet actions: killers, history and continuation history.

Specialised with ``game``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.jit import kernel, specialise

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.alphabeta import picking
else:
    picking = specialise("tengen.search.alphabeta.picking", game)


HISTORY_LIMIT = 1 << 14


@kernel
def _updated(old, bonus):
    """Return a history (int64) with `bonus` added, with gravity: it stays within ±HISTORY_LIMIT."""
    return np.int64(old) + bonus - np.int64(old) * abs(bonus) // HISTORY_LIMIT


@kernel
def _update_history(t, ply, action, bonus):
    """Add `bonus` to the history of an action at `ply`, alone and after the actions before it."""
    side = np.uint64(t.stack[ply].side_to_move)
    t.history[side, action] = _updated(t.history[side, action], bonus)
    for back in range(min(ply, np.int64(game.CONTINUATIONS))):
        slot = picking.continuation_slot(t, ply, back, action)
        t.continuation[back, slot] = _updated(t.continuation[back, slot], bonus)


@kernel
def update_quiet_stats(t, ply, i, depth):
    """Reward the quiet action at place `i`, which caused a cut-off, and punish the quiet ones before it."""
    action = np.int64(t.actions[ply, i])
    if t.killers[ply, 0] != action:
        t.killers[ply, 1] = t.killers[ply, 0]
        t.killers[ply, 0] = action
    bonus = np.int64(min(depth * depth * 8, 1200))
    _update_history(t, ply, action, bonus)
    for k in range(i):
        if picking.is_quiet(t.order[ply, k]):
            _update_history(t, ply, np.int64(t.actions[ply, k]), -bonus)
