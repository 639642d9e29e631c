"""Quiescence search beyond the horizon, with wins by threats. Specialised with ``game``."""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import kernel, specialise
from tengen.search.alphabeta.line import update_pv
from tengen.search.info import INFINITE, WIN
from tengen.search.limits.restrictions import are_restricted, keep_permitted
from tengen.search.repetition import is_drawn

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.alphabeta import node, picking, record
else:
    record = specialise("tengen.search.alphabeta.record", game)
    node = specialise("tengen.search.alphabeta.node", game)
    picking = specialise("tengen.search.alphabeta.picking", game)

threats, MAX_PLY = record.threats, record.MAX_PLY

ONGOING = int(Outcome.ONGOING)

# Wins by threats at leaves: most actions tried at one leaf, and positions searched for each action tried.
# In ZÈRTZ worth +33 [-2, 68] and +23 [-9, 56] Elo; with a share of 2 it cost as much.
LEAF_LIMIT, LEAF_SHARE = 1000, 8


if threats:

    @kernel
    def _threat_win(t, ply):
        """Return in how many turns (int64) the side to move wins at the leaf `ply` by threats, or 0."""
        s = t.stack[ply]
        if t.leaf_threat_nodes * LEAF_SHARE > t.nodes or s.partial or not game.close_to_win(s):
            return np.int64(0)
        before = t.threat_nodes
        t.attacker, t.threat_limit, t.gave_up = s.side_to_move, before + LEAF_LIMIT, 0
        turns = threats.prove(t, ply, np.int64(MAX_PLY), np.int64(game.LEAF_THREAT_BUDGET))
        t.leaf_threat_nodes += t.threat_nodes - before
        t.threat_nodes = before
        return turns

else:

    @kernel
    def _threat_win(t, ply):
        """Return 0 (int64): the game declares no threats."""
        return np.int64(0)


@kernel
def quiesce(t, alpha, beta, ply, plies):
    """Return the value (int64) of ``t.stack[ply]`` once noisy actions have been played out.

    Parameters
    ----------
    t : THREAD record
    alpha, beta : int64
        Window, for the side to move.
    ply, plies : int64
        Actions from the root, and how many more quiescence may play.

    Notes
    -----
    A side that must answer a threat (``game.forced``) may not stand pat. ``generate_noisy`` then lists all
    answers that do not lose at once, so that a proven value here is proven. A win by threats is proven, too,
    but there may be a shorter one.
    """
    # Step 1. Stop flag, end of the game, end of quiescence
    t.pv_length[ply] = 0
    if node.enter_node(t, ply):
        return np.int64(0)
    s = t.stack[ply]
    result = game.outcome(s)
    if result != ONGOING:
        return node.terminal_value(result, s.side_to_move, t.turns[ply])
    if t.drawn_count and s.partial == 0 and is_drawn(t, s.key):
        return np.int64(0)
    if plies <= 0 or ply >= MAX_PLY:
        return node.evaluate(t, s, alpha, beta)

    # Step 2. Stand pat, or win by threats, which know of no restrictions
    restricted = are_restricted(t, np.int64(t.turns[ply]))
    best = np.int64(-INFINITE)
    if not game.forced(s):
        best = node.evaluate(t, s, alpha, beta)
        if best >= beta:
            return best
        winning = np.int64(0) if restricted else _threat_win(t, ply)
        if winning:
            return np.int64(WIN - t.turns[ply] - winning)
        alpha = max(alpha, best)

    # Step 3. Generate and score the noisy actions
    n = np.int64(game.generate_noisy(s, t.actions[ply]))
    if restricted:
        n = keep_permitted(t, t.actions[ply], n, s.side_to_move, np.int64(t.turns[ply]))
    if n == 0:
        return best if best > -INFINITE else node.evaluate(t, s, alpha, beta)
    picking.score_actions(t, ply, n, -1)

    # Step 4. Loop over the actions, best first
    for i in range(n):
        action = picking.pick_best(t, ply, i, n)
        same = node.descend(t, ply, action)
        low, high = (alpha, beta) if same else (-beta, -alpha)
        value = quiesce(t, low, high, ply + 1, plies - 1)
        if t.stopped:
            return np.int64(0)
        if not same:
            value = -value
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                update_pv(t, ply, action)
                if value >= beta:
                    break
    return best
