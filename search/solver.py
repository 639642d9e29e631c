"""Threat-space search: wins in which the opponent is forced all the way. Specialised with ``game``.

The attacker plays only turns that leave the opponent forced (``game.forced``) or win at once; of the
opponent's forced turns all are tried, so that a win that is found is proven. Those turns of the attacker that
are not forced themselves are offers (sacrifices, in ZÈRTZ): their number is what the search is limited by,
forced turns of either side are free. What it does not find may still be won by a quiet turn.

The kernels work in the memory of `search.alphabeta.search.THREAD`, from some ply on.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import kernel, load_word
from tengen.search.alphabeta.pv import update_pv
from tengen.search.proofs import BUDGET_MASK, disproved_slot, store_win
from tengen.search.proofs import MAX_THREAT_BUDGET as MAX_THREAT_BUDGET
from tengen.search.proofs import SLOTS as SLOTS

game: ModuleType

LEAF_THREAT_BUDGET = 1  # at the leaves of another search
ONGOING, FIRST_WINS, SECOND_WINS = int(Outcome.ONGOING), int(Outcome.FIRST_WINS), int(Outcome.SECOND_WINS)


@kernel
def prove(t, ply, last_ply, threat_budget, in_quiet_threat):
    """Return in how many turns (int64) `t.attacker` wins ``t.stack[ply]`` by threats, 0 if no win is found.

    Parameters
    ----------
    t : THREAD record
        Its ``pv[ply]`` is the line afterwards when the result is not 0, with the longest defence. What is
        tried is counted in `solver_nodes`; `gave_up` is set at `solver_limit`, or when stopped.
    ply, last_ply : int64
        Actions from the root, and where to give up.
    threat_budget : int64
        How many turns the attacker may still play without being forced to, that which wins apart.
    in_quiet_threat : bool
        Whether the position lies within such a turn.

    Notes
    -----
    The turns count is that of the line found, not necessarily the shortest win. Every position of the proof
    with the attacker to move goes into the transposition table, so that the win is not lost again.
    """
    s = t.stack[ply]
    attacking = s.side_to_move == t.attacker
    begins = s.partial == 0
    t.pv_length[ply] = 0
    if ply >= last_ply:
        t.gave_up = 1
        return np.int64(0)
    key = s.key & ~BUDGET_MASK
    if attacking and begins:
        in_quiet_threat = not game.forced(s)
        known = t.disproved[disproved_slot(s.key)]
        if (known & ~BUDGET_MASK) == key and np.int64(known & BUDGET_MASK) > threat_budget:
            return np.int64(0)
    if attacking and in_quiet_threat:
        n = game.generate_threats(s, threat_budget == 0, t.actions[ply])
    else:
        n = game.generate(s, t.actions[ply])
    t.solver_nodes += n
    if load_word(t.stop) or t.solver_nodes >= t.solver_limit:
        t.gave_up = 1
        return np.int64(0)
    best = np.int64(0)
    for i in range(n):
        action = t.actions[ply, i]
        t.stack[ply + 1] = s
        child = t.stack[ply + 1]
        game.do_move(child, action)
        result = game.outcome(child)
        over = child.partial == 0
        freed = attacking and over and (not game.forced(child) or (in_quiet_threat and threat_budget == 0))
        turns = np.int64(0)
        if result != ONGOING:
            t.pv_length[ply + 1] = 0
            turns = np.int64(1 if result == (FIRST_WINS if t.attacker == 0 else SECOND_WINS) else 0)
        elif not freed:  # else the opponent may play anything, and nothing is proven
            left = threat_budget - 1 if attacking and over and in_quiet_threat else threat_budget
            turns = prove(t, ply + 1, last_ply, left, in_quiet_threat and not over)
            if turns and over:
                turns += 1
        if t.gave_up:
            return np.int64(0)
        if turns > best:
            best = turns
            update_pv(t, ply, action)
        if (turns > 0) == attacking:  # a win is enough for the attacker, an escape for the opponent
            best = turns
            break
    if attacking and begins and best:
        store_win(t, ply, best)
    elif attacking and begins:
        t.disproved[disproved_slot(s.key)] = key | np.uint64(threat_budget + 1)
    return best
