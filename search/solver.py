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
from tengen.search.alphabeta.pv import extend
from tengen.search.proofs import MOST_OFFERS as MOST_OFFERS
from tengen.search.proofs import OFFERS, keep_win, slot_of
from tengen.search.proofs import SLOTS as SLOTS

game: ModuleType

LEAF_OFFERS = 1  # at the leaves of another search
ONGOING, FIRST_WINS, SECOND_WINS = int(Outcome.ONGOING), int(Outcome.FIRST_WINS), int(Outcome.SECOND_WINS)


@kernel
def prove(t, ply, last_ply, offers, offering):
    """Return in how many turns (int64) `t.attacker` wins ``t.stack[ply]`` by threats, 0 if no win is found.

    Parameters
    ----------
    t : THREAD record
        Its ``pv[ply]`` is the line afterwards when the result is not 0, with the longest defence. What is
        tried is counted in `solver_nodes`; `unsolved` is set at `solver_limit`, or when stopped.
    ply, last_ply : int64
        Actions from the root, and where to give up.
    offers : int64
        How many turns the attacker may still play without being forced to, that which wins apart.
    offering : bool
        Whether the position lies within such a turn.

    Notes
    -----
    The turns count is that of the line found, not necessarily the shortest win. Every position of the proof
    with the attacker to move goes into the transposition table, so that the win is not lost again.
    """
    s = t.stack[ply]
    attacking = s.turn == t.attacker
    begins = s.partial == 0
    t.pv_length[ply] = 0
    if ply >= last_ply:
        t.unsolved = 1
        return np.int64(0)
    key = s.key & ~OFFERS
    if attacking and begins:
        offering = not game.forced(s)
        known = t.failed[slot_of(s.key)]
        if (known & ~OFFERS) == key and np.int64(known & OFFERS) > offers:
            return np.int64(0)
    if attacking and offering:
        n = game.generate_threats(s, offers == 0, t.actions[ply])
    else:
        n = game.generate(s, t.actions[ply])
    t.solver_nodes += n
    if load_word(t.stop) or t.solver_nodes >= t.solver_limit:
        t.unsolved = 1
        return np.int64(0)
    best = np.int64(0)
    for i in range(n):
        action = t.actions[ply, i]
        t.stack[ply + 1] = s
        child = t.stack[ply + 1]
        game.do_move(child, action)
        result = game.outcome(child)
        over = child.partial == 0
        freed = attacking and over and (not game.forced(child) or (offering and offers == 0))
        turns = np.int64(0)
        if result != ONGOING:
            t.pv_length[ply + 1] = 0
            turns = np.int64(1 if result == (FIRST_WINS if t.attacker == 0 else SECOND_WINS) else 0)
        elif not freed:  # else the opponent may play anything, and nothing is proven
            left = offers - 1 if attacking and over and offering else offers
            turns = prove(t, ply + 1, last_ply, left, offering and not over)
            if turns and over:
                turns += 1
        if t.unsolved:
            return np.int64(0)
        if turns > best:
            best = turns
            extend(t, ply, action)
        if (turns > 0) == attacking:  # a win is enough for the attacker, an escape for the opponent
            best = turns
            break
    if attacking and begins and best:
        keep_win(t, ply, best)
    elif attacking and begins:
        t.failed[slot_of(s.key)] = key | np.uint64(offers + 1)
    return best
