"""Threat-space search: wins in which the opponent is forced all the way. Specialised with ``game``.

The attacker plays only turns that win at once or threaten to win. All of the opponent's answers are tried,
so a win that is found is proven. A quiet turn may still win where this search finds nothing.

Some threats leave the opponent time for a quiet answer of his own: an open three in Gomoku, an offered
sacrifice in ZÈRTZ. A game names these quiet threats (``game.is_quiet_threat``), and the search may use only
`threat_budget` of them. All other threats are free: fours, or captures that a side must make anyway.

The first look ahead is ``game.FIRST_THREAT_PLIES`` deep. The depth doubles until no line has been cut off.

The search shares the memory of alpha-beta (`search.alphabeta.record.THREAD`) and uses its plies from
some ply on. Proven wins go into the transposition table. Positions in which no win was found go into the
thread's own table ``disproved``.

Source: Allis, van den Herik and Huntjens, Go-Moku and threat-space search (1993).
"""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.contract import NO_THREAT
from tengen.engine.game import Outcome
from tengen.engine.jit import is_stopped, kernel
from tengen.search.alphabeta.line import update_pv
from tengen.search.alphabeta.table import LOWER, PROVEN_DEPTH, store
from tengen.search.info import WIN
from tengen.search.repetition import is_drawn

if TYPE_CHECKING:
    from tengen.engine.contract import game


ONGOING, FIRST_WINS, SECOND_WINS = int(Outcome.ONGOING), int(Outcome.FIRST_WINS), int(Outcome.SECOND_WINS)
MAX_THREAT_BUDGET = 15

# An entry of ``disproved``, from the lowest bit: threat budget + 1 (4 bits; 0 in an empty entry, the most
# where no budget would do), plies searched (7), upper bits of the key. The index comes from the middle.
SLOTS = 1 << 17
ALL_PLIES = 127  # plies searched, when no line was cut off
ANY_BUDGET = MAX_THREAT_BUDGET - 1
_BUDGET, _PLIES, _LOW = np.uint64(MAX_THREAT_BUDGET), np.uint64(4), np.uint64(0x7FF)
_SLOT, _SHIFT = np.uint64(SLOTS - 1), np.uint64(20)


@kernel
def prove(t, ply, last_ply, threat_budget):
    """Return in how many turns (int64) `t.attacker` wins ``t.stack[ply]`` by threats, 0 if no win is found.

    Parameters
    ----------
    t : THREAD record
        When a win is found, ``pv[ply]`` is the line of the longest defence. `threat_nodes` counts the actions
        tried. `gave_up` is set at `threat_limit`, at `last_ply`, or when the search is stopped;
        `budget_limited`, when a win is not found but more quiet threats might win.
    ply, last_ply : int64
        Actions from the root, and where to give up.
    threat_budget : int64
        How many quiet threats the attacker may still play.

    Notes
    -----
    The result is the length of the line found, not of the shortest win. Every position of the proof with the
    attacker to move goes into the transposition table, so that alpha-beta does not lose the win again.
    """
    plies = np.int64(game.FIRST_THREAT_PLIES)
    while True:
        t.depth_limited = t.budget_limited = 0
        turns = _search_threats(t, ply, np.int64(min(ply + plies, last_ply)), threat_budget)
        if turns or t.gave_up or t.depth_limited == 0:
            return turns
        if ply + plies >= last_ply:
            t.gave_up = 1
            return turns
        plies *= 2


@kernel
def _search_threats(t, ply, last_ply, threat_budget):
    """Search as `prove` does, but only up to `last_ply`.

    Set ``t.depth_limited`` if a line was cut off there, ``t.budget_limited`` if quiet threats were left out.

    A turn may consist of several actions. The table ``disproved`` holds only positions where a turn begins.
    """
    # Step 1. Depth limit
    s = t.stack[ply]
    attacking = s.side_to_move == t.attacker
    turn_begins = s.partial == 0
    t.pv_length[ply] = 0
    if ply >= last_ply:
        t.depth_limited = 1
        return np.int64(0)

    # Step 2. Look up disproved positions
    plies_left = min(last_ply - ply, np.int64(ALL_PLIES - 1))
    if attacking and turn_begins:
        plies_searched = _disproved_plies(t, s.key, threat_budget)
        if plies_searched >= plies_left:
            t.depth_limited |= plies_searched != ALL_PLIES
            t.budget_limited |= _disproved_plies(t, s.key, np.int64(ANY_BUDGET)) == 0
            return np.int64(0)

    # Step 3. Generate threats or defences
    if attacking:
        n = np.int64(game.generate_attacks(s, threat_budget > 0, t.actions[ply]))
    else:
        n = np.int64(game.generate_defences(s, t.actions[ply]))
        if n == NO_THREAT:
            return np.int64(0)
    t.threat_nodes += n
    if is_stopped(t.stop, t.threat_nodes - n, t.threat_nodes) or t.threat_nodes >= t.threat_limit:
        t.gave_up = 1
        return np.int64(0)

    # Step 4. Try the actions: one win is enough for the attacker, one escape for the defender
    depth_limited_before, budget_limited_before = t.depth_limited, t.budget_limited
    t.depth_limited, t.budget_limited = 0, attacking and threat_budget == 0
    best = np.int64(0)
    for i in range(n):
        action = t.actions[ply, i]
        t.stack[ply + 1] = s
        child = t.stack[ply + 1]
        game.do_move(child, action)
        result = game.outcome(child)
        budget_left = threat_budget - 1 if attacking and game.is_quiet_threat(s, child) else threat_budget
        turns = np.int64(0)
        t.budget_limited |= budget_left < 0
        if result != ONGOING:
            t.pv_length[ply + 1] = 0
            turns = np.int64(attacker_has_won(t, result))
        elif budget_left >= 0 and not (t.drawn_count and child.partial == 0 and is_drawn(t, child.key)):
            turns = _search_threats(t, np.int64(ply + 1), last_ply, np.int64(budget_left))
            if turns and child.partial == 0:
                turns += 1
        if t.gave_up:
            return np.int64(0)
        if turns > best:
            best = turns
            update_pv(t, ply, action)
        if (turns > 0) == attacking:
            best = turns
            break

    # Step 5. Store the result; the defender may also answer no threat
    if best and not attacking:
        best = max(best, np.int64(game.unanswered(s, t.actions[ply + 1])))
    if attacking and turn_begins:
        if best:
            store_win(t, ply, np.int64(t.pv[ply, 0]), best)
        else:
            budget = threat_budget if t.budget_limited else np.int64(ANY_BUDGET)
            plies = plies_left if t.depth_limited else np.int64(ALL_PLIES)
            t.disproved[_slot(s.key)] = (s.key & ~_LOW) | np.uint64(plies) << _PLIES | np.uint64(budget + 1)
    t.depth_limited |= depth_limited_before
    t.budget_limited |= budget_limited_before
    return best


@kernel
def _slot(key):
    """Return the index (uint64) in ``disproved`` of a position with this `key` (uint64)."""
    return (key >> _SHIFT) & _SLOT


@kernel
def _disproved_plies(t, key, threat_budget):
    """Return how many plies (int64) were searched without a win, with this budget or more; 0 if unknown."""
    entry = t.disproved[_slot(key)]
    if (entry & ~_LOW) == (key & ~_LOW) and np.int64(entry & _BUDGET) > threat_budget:
        return np.int64((entry & _LOW) >> _PLIES)
    return np.int64(0)


@kernel
def attacker_has_won(t, result):
    """Return whether `result` (int64), of a finished game, is a win of ``t.attacker``."""
    return result == (FIRST_WINS if t.attacker == 0 else SECOND_WINS)


@kernel
def store_win(t, ply, action, turns):
    """Store that the side to move at `ply` wins by `action` in `turns` turns (int64)."""
    value = np.int64(WIN) - turns
    store(t.table, t.mask, t.age, t.stack[ply].key, action, value, np.int64(PROVEN_DEPTH), np.int64(LOWER))
