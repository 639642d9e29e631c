"""Exact values of endings: final margins under best play. Specialised with ``game``.

Values are margins in the game's points, for the side to move in the position they belong to. What has been
found out stays in the transposition table, under keys of its own.

Positions with little left are searched by alpha-beta: that replies are looked up in the table before any of
them is searched, and ordered by what they leave to the opponent, is how Othello's endings are solved. Above
them stands a depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees and its
applications", 2002), which finds narrow lines to the end where there is much left. Its disproof numbers are
weak: the greatest number of a reply and one for each other reply that is open, not the sum, which would count
twice what more than one line leads to (Ueda et al., "Weak proof-number search", 2008).
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from tengen.engine.jit import kernel, load_word, record
from tengen.search.alphabeta.ordering import pick_best
from tengen.search.alphabeta.table import EXACT, LOWER, UPPER, action_of, bound_of, probe, store, value_of

game: ModuleType

MAX_PLY = (
    2 * game.ENDGAME_LIMIT + 2
)  # actions from the root: at most one is a pass between two that take a cell
SALT = np.uint64(0x9E3779B97F4A7C15)  # makes the keys of endings others than those of the search
INFINITE = 1 << 18
STORE_FROM = 4  # what is left, at least, for a position to be worth an entry of the table
ETC_FROM = 14  # ... and for its replies to be looked up and valued before the first is searched
MOVE_WORTH = 100  # centi-points in the ordering for each move that the opponent is left
FIRST = 1 << 30  # place of the table's action in the ordering
PN_INFINITY = (1 << 19) - 1  # number of what cannot be; the greatest that the table takes
EPSILON_DIVISOR = 8  # a reply is looked into until its number is an eighth greater than the next one's

ENDGAME = record(
    [
        ("stop", "u8"),  # address of the stop flag
        ("table", "u8"),  # address and mask of the table, age of this search
        ("mask", "u8"),
        ("age", "i8"),
        ("nodes", "i8"),  # positions visited
        ("node_limit", "i8"),  # never more than that
        ("stopped", "i8"),  # 1: values on the way up mean nothing
        ("actions", "i4", (MAX_PLY + 1, game.MAX_ACTIONS)),
        ("order", "i4", (MAX_PLY + 1, game.MAX_ACTIONS)),
        ("proof", "i4", (MAX_PLY + 1, game.MAX_ACTIONS)),  # numbers of the positions after the actions
        ("disproof", "i4", (MAX_PLY + 1, game.MAX_ACTIONS)),
        ("small", "i8"),  # what is left, at most, where `prove` gives way to alpha-beta
        ("weights", "i8", game.TABLE.shape),  # of the evaluation
        ("stack", game.STATE, (MAX_PLY + 2,)),
    ]
)


@kernel
def solve(t, alpha, beta, ply):
    """Return the final margin (int64) of ``t.stack[ply]``: exact within the window, else a bound (fail-soft).

    Parameters
    ----------
    t : ENDGAME record
    alpha, beta : int64
        Window, for the side to move.
    ply : int64
        Actions from the root.
    """
    if load_word(t.stop) or t.nodes >= t.node_limit or ply > MAX_PLY:
        t.stopped = 1
        return np.int64(0)
    t.nodes += 1
    s = t.stack[ply]
    key = s.key ^ SALT
    remaining = np.int64(game.remaining(s))
    first = np.int64(-1)
    if remaining >= STORE_FROM:
        data = probe(t.table, t.mask, key)
        if data:
            value, bound = value_of(data), bound_of(data)
            if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                return value
            first = action_of(data)
    n = np.int64(game.generate(s, t.actions[ply]))
    if n == 0:
        return np.int64(game.margin(s))
    if remaining >= ETC_FROM and n > 2:
        refuted = _transposition_cutoff(t, ply, n, first, beta)
        if refuted > -INFINITE:
            return refuted
    else:
        for i in range(n):
            action = t.actions[ply, i]
            t.order[ply, i] = FIRST if action == first else game.priority(s, action)
    best, best_action, low = np.int64(-INFINITE), np.int64(-1), alpha
    for i in range(n):
        action = pick_best(t, ply, i, n)
        t.stack[ply + 1] = s
        game.do_move(t.stack[ply + 1], action)
        value = -solve(t, -beta, -low, ply + 1)
        if t.stopped:
            return np.int64(0)
        if value > best:
            best, best_action = value, np.int64(action)
            low = max(low, value)
            if value >= beta:
                break
    if remaining >= STORE_FROM:
        bound = np.int64(LOWER if best >= beta else UPPER if best <= alpha else EXACT)
        store(t.table, t.mask, t.age, key, best_action, best, remaining, bound)
    return best


@kernel
def recall(t):
    """Return the action (int64) that `solve` has left for ``t.stack[0]`` in the table, or -1."""
    data = probe(t.table, t.mask, t.stack[0].key ^ SALT)
    return action_of(data) if data else np.int64(-1)


@kernel
def _transposition_cutoff(t, ply, n, first, beta):
    """Order the `n` actions of `ply`, `first` before all; return a value from `beta` up that the table has.

    Minus `INFINITE` (int64) when it has none.
    """
    child = t.stack[ply + 1]
    for i in range(n):
        action = t.actions[ply, i]
        t.stack[ply + 1] = t.stack[ply]
        game.do_move(child, action)
        data = probe(t.table, t.mask, child.key ^ SALT)
        if data and bound_of(data) != LOWER and -value_of(data) >= beta:
            return -value_of(data)
        worth = np.int64(game.evaluate_with(child, t.weights)) + MOVE_WORTH * np.int64(game.count(child))
        t.order[ply, i] = FIRST if action == first else -worth
    return np.int64(-INFINITE)


@kernel
def prove(t, bound, proof_threshold, disproof_threshold, ply):
    """Look for a proof that a margin of `bound` or more can be reached from ``t.stack[ply]``.

    Parameters
    ----------
    t : ENDGAME record
    bound : int64
        For the side to move.
    proof_threshold, disproof_threshold : int64
        Numbers from which on the search ends: `PN_INFINITY` to have an answer.
    ply : int64
        Actions from the root.

    Returns
    -------
    proof, disproof : int64
        About how many positions are still to be proven, and to be refuted: 0 and `PN_INFINITY` when the
        margin can be reached, `PN_INFINITY` and 0 when it cannot.
    """
    s = t.stack[ply]
    before = np.int64(t.nodes)
    if game.remaining(s) <= t.small:
        value = solve(t, bound - np.int64(1), bound, ply)
        if t.stopped:
            return _initial_numbers(s)
        proof, disproof = _terminal_numbers(value >= bound)
        _store_numbers(t, s, bound, proof, disproof, before)
        return proof, disproof
    n = np.int64(game.generate(s, t.actions[ply]))
    if n == 0:
        return _terminal_numbers(game.margin(s) >= bound)
    if t.nodes + n > t.node_limit:
        t.stopped = 1
        return _initial_numbers(s)
    t.nodes += n
    _expand(t, bound, ply, n)
    while True:
        best, proof, next_proof = np.int64(0), np.int64(PN_INFINITY), np.int64(PN_INFINITY)
        most, still_open = np.int64(0), np.int64(0)
        for i in range(n):
            number = np.int64(t.disproof[ply, i])
            if number < proof:
                best, proof, next_proof = np.int64(i), number, proof
            else:
                next_proof = min(next_proof, number)
            if t.proof[ply, i] > 0:
                most = max(most, np.int64(t.proof[ply, i]))
                still_open += 1
        others = max(still_open - 1, np.int64(0))
        disproof = np.int64(PN_INFINITY) if proof == 0 else min(most + others, np.int64(PN_INFINITY))
        if load_word(t.stop) or t.nodes >= t.node_limit or ply >= MAX_PLY:
            t.stopped = 1
        if t.stopped or proof >= proof_threshold or disproof >= disproof_threshold:
            break
        t.stack[ply + 1] = s
        game.do_move(t.stack[ply + 1], t.actions[ply, best])
        slack = np.int64(1) + next_proof // EPSILON_DIVISOR
        t.proof[ply, best], t.disproof[ply, best] = prove(
            t,
            np.int64(1) - bound,
            disproof_threshold - others,
            min(proof_threshold, next_proof + slack),
            ply + 1,
        )
    _store_numbers(t, s, bound, proof, disproof, before)
    return proof, disproof


@kernel
def recall_proof(t, bound):
    """Return an action (int64) by which ``t.stack[0]`` is known to reach a margin of `bound`, or -1."""
    n = np.int64(game.generate(t.stack[0], t.actions[0]))
    _expand(t, bound, np.int64(0), n)
    for i in range(n):
        if t.disproof[0, i] == 0:
            return np.int64(t.actions[0, i])
    return np.int64(-1)


@kernel
def _store_numbers(t, s, bound, proof, disproof, before):
    """Keep the numbers of `s`, for which the nodes since `before` were visited."""
    effort = np.int64(np.log2(np.float64(max(t.nodes - before, 1))))
    store(t.table, t.mask, t.age, _proof_key(s, bound), disproof, proof, effort, np.int64(EXACT))


@kernel
def _proof_key(s, bound):
    """Return the key (uint64) under which the numbers of `s` for a margin of `bound` are kept."""
    return s.key ^ (SALT * np.uint64(bound + game.MAX_MARGIN + 2))


@kernel
def _terminal_numbers(reached):
    """Return the numbers (int64, int64) of a position whose margin is, or is not, `reached`."""
    return (np.int64(0), np.int64(PN_INFINITY)) if reached else (np.int64(PN_INFINITY), np.int64(0))


@kernel
def _initial_numbers(s):
    """Return numbers (int64, int64) to begin with: the more actions, the more there is to refute."""
    return np.int64(1), np.int64(game.count(s))


@kernel
def _expand(t, bound, ply, n):
    """Find the numbers of the positions after the `n` actions of `ply`, for a margin of 1 - `bound`."""
    child = t.stack[ply + 1]
    for i in range(n):
        t.stack[ply + 1] = t.stack[ply]
        game.do_move(child, t.actions[ply, i])
        data = probe(t.table, t.mask, _proof_key(child, np.int64(1) - bound))
        if data:
            proof, disproof = value_of(data), action_of(data)
        else:
            proof, disproof = _initial_numbers(child)
            if disproof == 0:  # the game is over
                proof, disproof = _terminal_numbers(game.margin(child) > -bound)
        t.proof[ply, i], t.disproof[ply, i] = proof, disproof
