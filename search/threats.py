"""Threat-space search: wins by fours (VCF), and by fours and open threes (VCT). Specialised with ``game``.

The attacker plays only what wins at once, or threatens to: a four, which threatens to win with the next turn,
or an offer (an open three), which threatens to do so after it. ``game.generate_defences`` lists every answer
that does not lose at once, and all of them are tried, so that a win that is found is proven. The number of
offers is what the search is limited by; fours are free.

The kernels work in the memory of `search.alphabeta.search.THREAD`, from some ply on.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from tengen.engine.contract import NO_THREAT
from tengen.engine.game import Outcome
from tengen.engine.jit import kernel, load_word
from tengen.search.alphabeta.pv import update_pv
from tengen.search.proofs import BUDGET_MASK, disproved_slot, store_win
from tengen.search.proofs import MAX_THREAT_BUDGET as MAX_THREAT_BUDGET
from tengen.search.proofs import SLOTS as SLOTS

game: ModuleType

LEAF_THREAT_BUDGET = 0  # at the leaves of another search
FIRST_PLIES = 8  # turns that are looked ahead at first; twice as many until nothing is left to find
ONGOING = int(Outcome.ONGOING)

# Of positions not won the turns looked ahead are remembered too, above the offers; DEEP: nothing was cut off.
DEEP = 127
_LOW, _PLIES = np.uint64(0x7FF), np.uint64(4)


@kernel
def prove(t, ply, last_ply, threat_budget, in_quiet_threat):
    """Return in how many turns (int64) `t.attacker` wins ``t.stack[ply]`` by threats, 0 if no win is found.

    Parameters
    ----------
    t : THREAD record
        Its ``pv[ply]`` is the line afterwards when the result is not 0, with the longest defence. What is
        tried is counted in `solver_nodes`; `gave_up` is set at `solver_limit`, or when stopped.
    ply, last_ply : int64
        Turns from the root, and where to give up.
    threat_budget : int64
        How many open threes the attacker may still play.
    in_quiet_threat : bool
        Of no meaning here: whether a turn of several parts is half played.

    Notes
    -----
    The turns count is that of the line found, not necessarily the shortest win. Every position of the proof
    with the attacker to move goes into the transposition table, so that the win is not lost again.
    """
    plies = np.int64(FIRST_PLIES)
    while True:
        t.depth_limited = 0
        turns = _attack(t, ply, np.int64(min(ply + plies, last_ply)), threat_budget)
        if turns or t.gave_up or t.depth_limited == 0:
            return turns
        if ply + plies >= last_ply:
            t.gave_up = 1
            return turns
        plies *= 2


@kernel
def _attack(t, ply, last_ply, threat_budget):
    """Do what `prove` does, up to `last_ply`; set ``t.depth_limited`` when something was left out there."""
    s = t.stack[ply]
    attacking = s.side_to_move == t.attacker
    t.pv_length[ply] = 0
    if ply >= last_ply:
        t.depth_limited = 1
        return np.int64(0)
    slot, left = disproved_slot(s.key), min(last_ply - ply, np.int64(DEEP - 1))
    if attacking:
        known = t.disproved[slot]
        looked = np.int64((known & _LOW) >> _PLIES)
        if (
            (known & ~_LOW) == (s.key & ~_LOW)
            and np.int64(known & BUDGET_MASK) > threat_budget
            and looked >= left
        ):
            t.depth_limited |= looked != DEEP
            return np.int64(0)
        n = np.int64(game.generate_attacks(s, threat_budget > 0, t.actions[ply]))
    else:
        n = np.int64(game.generate_defences(s, t.actions[ply]))
        if n == NO_THREAT:
            return np.int64(0)
    t.solver_nodes += n
    if load_word(t.stop) or t.solver_nodes >= t.solver_limit:
        t.gave_up = 1
        return np.int64(0)
    cut_before = t.depth_limited
    t.depth_limited = 0
    best = np.int64(0)
    for i in range(n):
        action = t.actions[ply, i]
        t.stack[ply + 1] = s
        child = t.stack[ply + 1]
        game.do_move(child, action)
        turns, budget_left = np.int64(0), threat_budget
        if attacking and not game.forced(child):
            budget_left = threat_budget - 1
        if game.outcome(child) != ONGOING:
            t.pv_length[ply + 1] = 0
            turns = np.int64(attacking and game.outcome(child) == t.attacker + 1)
        elif budget_left >= 0:
            turns = _attack(t, np.int64(ply + 1), last_ply, np.int64(budget_left))
            if turns:
                turns += 1
        if t.gave_up:
            return np.int64(0)
        if turns > best:
            best = turns
            update_pv(t, ply, action)
        if (turns > 0) == attacking:  # a win is enough for the attacker, an escape for the opponent
            best = turns
            break
    if attacking and best:
        store_win(t, ply, best)
    elif attacking:
        looked = left if t.depth_limited else np.int64(DEEP)
        t.disproved[slot] = (s.key & ~_LOW) | np.uint64(looked) << _PLIES | np.uint64(threat_budget + 1)
    t.depth_limited |= cut_before
    return best


assert (int(Outcome.FIRST_WINS), int(Outcome.SECOND_WINS)) == (1, 2)  # what `prove` counts on
