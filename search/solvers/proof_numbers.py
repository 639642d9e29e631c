"""Depth-first proof-number search for wins by threats. Specialised with ``game``.

It proves what `search.solvers.threats` proves, with the same actions: the attacker plays only turns that win
or threaten to, and all of the opponent's answers are tried. But it goes where a proof is likely to need the
fewest further positions, and may use any number of quiet threats. Most children are never visited: where the
game foresees what an action leads to (``game.foresee``), they are not even made.

A position's proof number says how hard it is to prove that the attacker wins, its disproof number how hard it
is to show that threats alone do not. Where all children are needed, the greatest number counts, and one for
each further child that is open: sums would count positions that are reached in several ways again and again.
The numbers are kept in a table of the thread, so that a later call goes on where this one has given up.

Sources: Nagai, Df-pn algorithm for searching AND/OR trees and its applications (2002); Pawlewicz and Lew,
Improving depth-first pn-search: 1+ε trick (2007); Ueda et al., Weak proof-number search (2008).
"""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.contract import NO_THREAT, UNKNOWN
from tengen.engine.game import Outcome
from tengen.engine.jit import is_stopped, kernel, specialise
from tengen.search.repetition import is_drawn

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.solvers import threats
else:
    threats = specialise("tengen.search.solvers.threats", game)


ONGOING = int(Outcome.ONGOING)
LAST_PLY = 100  # actions from the root; positions there count as disproved
CHILDREN = 96  # threats tried at a position, at most; a position with more answers counts as disproved
QUIET_COST = 6  # first proof number after a quiet threat whose distance is unknown

# An entry of ``proofs``, from the lowest bit: work (16 bits, in units of 4 actions, from 1), disproof number
# (24; if a win is proven, its turns), proof number (24).
SLOTS = 1 << 17
WAYS = 4
NEVER = (1 << 24) - 1
_WORK, _BITS24, _BITS16 = np.uint64(16), np.uint64(NEVER), np.uint64(0xFFFF)
_PROOF, _SLOT, _SHIFT = np.uint64(40), np.uint64(SLOTS - WAYS), np.uint64(20)
_SALT = np.uint64(0x9E3779B97F4A7C15)  # of the keys of what is proven for the second side
WON, LOST = 0, 255  # first proof numbers of children that end the game


@kernel
def prove(t):
    """Return in how many turns (int64) `t.attacker` wins ``t.stack[0]`` by threats, 0 if no win is found.

    Parameters
    ----------
    t : THREAD record
        When a win is found, ``pv[0]`` is the line of the longest defence in the proof, perhaps cut short.
        `threat_nodes` counts the actions tried. `gave_up` is set at `threat_limit`, or when the search is
        stopped; the next call goes on.

    Notes
    -----
    The result is the length of the proof found, not of the shortest win. Every position of the proof with the
    attacker to move goes into the transposition table.
    """
    t.pv_length[0] = 0
    turns = _search(t, np.int64(0), np.int64(NEVER), np.int64(NEVER))
    if turns:
        _find_line(t)
    return turns


@kernel
def _search(t, ply, proof_limit, disproof_limit):
    """Search ``t.stack[ply]`` until a number reaches its limit; return the turns (int64) of a win, else 0."""
    s = t.stack[ply]
    attacking = s.side_to_move == t.attacker
    before = t.threat_nodes
    n = _generate(t, ply)
    t.threat_nodes += max(n, np.int64(1))  # every visit counts, so that visits come to an end
    if n == 0:
        _keep(t, s.key, np.int64(NEVER), np.int64(0), np.int64(1))
        return np.int64(0)
    if is_stopped(t.stop, before, t.threat_nodes) or t.threat_nodes >= t.threat_limit:
        t.gave_up = 1
        return np.int64(0)
    for i in range(n):
        _first_numbers(t, ply, i)
    while True:
        best, low, second = np.int64(0), np.int64(NEVER), np.int64(NEVER)
        open_children = most = turns = np.int64(0)
        for i in range(n):
            proof, disproof, length = _numbers(t, ply, i)
            chosen, added = (proof, disproof) if attacking else (disproof, proof)
            if chosen < low:
                best, second, low = np.int64(i), low, chosen
                if attacking:
                    turns = length
            elif chosen < second:
                second = chosen
            most = max(most, added)
            open_children += added > 0
            if not attacking:
                turns = max(turns, length)
        others = max(open_children - 1, np.int64(0))
        total = min(most + others, np.int64(NEVER))
        proof, disproof = (low, total) if attacking else (total, low)
        if proof == 0:
            if not attacking:
                turns = max(turns, np.int64(game.unanswered(s, t.actions[ply + 1])))
            _keep(t, s.key, np.int64(0), turns, t.threat_nodes - before)
            if attacking and s.partial == 0:
                threats.store_win(t, ply, np.int64(t.actions[ply, best]), turns)
            if ply == 0:
                t.pv[0, 0], t.pv_length[0] = t.actions[0, best], 1
            return turns
        if disproof == 0:
            proof = np.int64(NEVER)
        _keep(t, s.key, proof, disproof, t.threat_nodes - before)
        if proof >= proof_limit or disproof >= disproof_limit or disproof == 0:
            return np.int64(0)
        nearest = min(second + second // 4 + 1, np.int64(NEVER))
        if attacking:
            child_proof = min(proof_limit, nearest)
            child_disproof = disproof_limit - others if disproof_limit < NEVER else disproof_limit
        else:
            child_proof = proof_limit - others if proof_limit < NEVER else proof_limit
            child_disproof = min(disproof_limit, nearest)
        t.stack[ply + 1] = s
        game.do_move(t.stack[ply + 1], t.actions[ply, best])
        _search(t, ply + 1, child_proof, child_disproof)
        if t.gave_up:
            return np.int64(0)


@kernel
def _generate(t, ply):
    """Write the threats, or the answers, into ``t.actions[ply]``; return their number, 0 if none helps."""
    s = t.stack[ply]
    if ply >= LAST_PLY:
        return np.int64(0)
    if s.side_to_move == t.attacker:
        return min(np.int64(game.generate_attacks(s, True, t.actions[ply])), np.int64(CHILDREN))
    n = np.int64(game.generate_defences(s, t.actions[ply]))
    return np.int64(0) if n == NO_THREAT or n > CHILDREN else n


@kernel
def _first_numbers(t, ply, i):
    """Note the key of child `i`, and its proof number before any search."""
    s = t.stack[ply]
    attacking = s.side_to_move == t.attacker
    key, distance = game.foresee(s, t.actions[ply, i])
    first = np.int64(1)
    if distance == UNKNOWN:
        t.stack[ply + 1] = s
        child = t.stack[ply + 1]
        game.do_move(child, t.actions[ply, i])
        key, result = child.key, game.outcome(child)
        if result != ONGOING:
            first = np.int64(WON if threats.attacker_has_won(t, result) else LOST)
        elif attacking and game.is_quiet_threat(s, child):
            first = np.int64(QUIET_COST)
    elif distance == 0:
        first = np.int64(WON if attacking else LOST)
    elif attacking:
        first = distance
    if t.drawn_count and first != WON and is_drawn(t, key):
        first = np.int64(LOST)
    t.child_keys[ply, i], t.child_firsts[ply, i] = key, first


@kernel
def _numbers(t, ply, i):
    """Return the proof number, the disproof number and the turns of a proven win (int64) of child `i`."""
    first = np.int64(t.child_firsts[ply, i])
    if first == WON:
        return np.int64(0), np.int64(NEVER), np.int64(1)
    if first == LOST:
        return np.int64(NEVER), np.int64(0), np.int64(0)
    data = _look_up(t, t.child_keys[ply, i])
    if data == 0:
        return first, np.int64(1), np.int64(0)
    proof, disproof = np.int64(data >> _PROOF), np.int64(data >> _WORK & _BITS24)
    if proof == 0:
        return proof, np.int64(NEVER), disproof + 1
    return proof, disproof, np.int64(0)


@kernel
def _look_up(t, key):
    """Return the entry (uint64) of a position with this `key` (uint64), 0 if there is none."""
    key ^= _SALT * np.uint64(t.attacker)
    slot = key >> _SHIFT & _SLOT
    for i in range(WAYS):
        if t.proof_keys[slot + np.uint64(i)] == key:
            return t.proofs[slot + np.uint64(i)]
    return np.uint64(0)


@kernel
def _keep(t, key, proof, disproof, work):
    """Store the numbers (int64) of a position in the place of what has taken the least work, 0 if empty."""
    key ^= _SALT * np.uint64(t.attacker)
    slot = key >> _SHIFT & _SLOT
    chosen, least = slot, np.uint64(1 << 16)
    for i in range(WAYS):
        place = slot + np.uint64(i)
        if t.proof_keys[place] == key:
            chosen = place
            break
        if (t.proofs[place] & _BITS16) < least:
            chosen, least = place, t.proofs[place] & _BITS16
    effort = np.uint64(min((work >> 2) + 1, np.int64(0xFFFF)))
    t.proof_keys[chosen] = key
    t.proofs[chosen] = np.uint64(proof) << _PROOF | np.uint64(disproof) << _WORK | effort


@kernel
def _find_line(t):
    """Continue ``pv[0]`` behind its first action by what the table has of the proof."""
    ply = np.int64(0)
    while ply < LAST_PLY:
        t.stack[ply + 1] = t.stack[ply]
        game.do_move(t.stack[ply + 1], t.pv[0, ply])
        ply += 1
        s = t.stack[ply]
        if game.outcome(s) != ONGOING:
            return
        attacking = s.side_to_move == t.attacker
        best, longest, shortest = np.int64(-1), np.int64(-1), np.int64(NEVER)
        for i in range(_generate(t, ply)):
            _first_numbers(t, ply, i)
            proof, _, length = _numbers(t, ply, i)
            if proof == 0 and (length < shortest if attacking else length > longest):
                best, longest, shortest = np.int64(i), length, length
        if best < 0:
            return
        t.pv[0, ply], t.pv_length[0] = t.actions[ply, best], ply + 1
