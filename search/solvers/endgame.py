"""Exact values of endgames: final margins under best play. Specialised with ``game``.

Values are margins in the game's points, for the side to move in the position they belong to. Results stay in
the transposition table, under keys of their own.

Close to the end, positions are searched by alpha-beta as in Othello solvers: enhanced transposition cutoffs
look all replies up before one is searched, and replies are ordered fastest first, by the opponent's mobility.

Further from the end, a depth-first proof-number search finds narrow lines to the result. Its disproof numbers
are weak: the greatest of the replies' numbers plus one for every other open reply. Their sum would count
positions twice that several lines lead to.

Sources: Nagai, Df-pn algorithm for searching AND/OR trees and its applications (2002); Pawlewicz and Lew,
Improving depth-first PN-search: 1 + epsilon trick (2007); Ueda et al., Weak proof-number search (2008).
"""

from typing import TYPE_CHECKING

import numpy as np

import tengen.search.alphabeta.table as tables
from tengen.engine.jit import is_stopped, kernel, record, specialise

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.alphabeta import picking
else:
    picking = specialise("tengen.search.alphabeta.picking", game)


MAX_PLY = 2 * game.ENDGAME_LIMIT + 2  # actions: at most one pass between two that take a cell
SALT = np.uint64(0x9E3779B97F4A7C15)  # keeps the keys apart from those of the heuristic search
INFINITE = 1 << 18
STORE_FROM = 4  # least `remaining` of positions that are stored in the table
ETC_FROM = 14  # least `remaining` for enhanced transposition cutoffs
MOVE_WORTH = 100  # centi-points in the ordering for each move that the opponent is left
FIRST = 1 << 30  # order of the table's action
PN_INFINITY = (1 << 19) - 1  # infinity of the proof numbers, the largest value the table can store
EPSILON_DIVISOR = 8  # 1 + epsilon threshold of df-pn: epsilon is an eighth

ENDGAME = record(
    [
        ("stop", "u8"),  # address of the stop flag
        ("table", "u8"),  # address and mask of the table, age of this search
        ("mask", "u8"),
        ("age", "i8"),
        ("nodes", "i8"),  # positions visited
        ("node_limit", "i8"),
        ("floor", "i8"),  # the stop flag is not heeded before so many positions
        ("stopped", "i8"),  # 1: the search was aborted, returned values are invalid
        ("root_action", "i8"),  # reaches the value of ``stack[0]`` after `solve` has returned beta or more
        ("actions", "i4", (MAX_PLY + 1, game.MAX_ACTIONS)),
        ("order", "i4", (MAX_PLY + 1, game.MAX_ACTIONS)),
        ("proof", "i4", (MAX_PLY + 1, game.MAX_ACTIONS)),  # proof and disproof numbers after the actions
        ("disproof", "i4", (MAX_PLY + 1, game.MAX_ACTIONS)),
        ("keys", "u8", (game.MAX_ACTIONS,)),  # of the numbers after the actions, while they are looked up
        ("small", "i8"),  # greatest `remaining` at which alpha-beta replaces df-pn
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
    # Step 1. Stop flag and node limit
    if _has_to_stop(t) or ply > MAX_PLY:
        t.stopped = 1
        return np.int64(0)
    t.nodes += 1

    # Step 2. Transposition table lookup
    s = t.stack[ply]
    key = s.key ^ SALT
    remaining = np.int64(game.remaining(s))
    first = np.int64(-1)
    if remaining >= STORE_FROM:
        data = tables.probe(t.table, t.mask, key)
        if data:
            value = tables.value_of(data)
            if tables.is_cutoff(value, tables.bound_of(data), alpha, beta):
                if ply == 0:
                    t.root_action = tables.action_of(data)
                return value
            first = tables.action_of(data)

    # Step 3. Generate and score the actions, with enhanced transposition cutoffs where they pay
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

    # Step 4. Loop over the actions, best first
    best, best_action, low = np.int64(-INFINITE), np.int64(-1), alpha
    for i in range(n):
        action = picking.pick_best(t, ply, i, n)
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

    # Step 5. Store the result
    if ply == 0:
        t.root_action = best_action
    if remaining >= STORE_FROM:
        bound = np.int64(tables.LOWER if best >= beta else tables.UPPER if best <= alpha else tables.EXACT)
        tables.store(t.table, t.mask, t.age, key, best_action, best, remaining, bound)
    return best


@kernel
def _has_to_stop(t):
    """Return whether the flag or the node limit ends the search."""
    return t.nodes >= t.node_limit or (t.nodes >= t.floor and is_stopped(t.stop, t.nodes - 1, t.nodes))


@kernel
def recall_bounds(t):
    """Return what the table knows of the margin of ``t.stack[0]``, without a search.

    Returns
    -------
    low, high : int64
        Bounds of the margin, for the side to move; plus or minus ``MAX_MARGIN`` where nothing is known.
    action : int64
        Reaches `low`; -1 while `low` is the least possible margin.
    """
    s = t.stack[0]
    low, high, action = np.int64(-game.MAX_MARGIN), np.int64(game.MAX_MARGIN), np.int64(-1)
    data = tables.probe(t.table, t.mask, s.key ^ SALT)
    if data and tables.bound_of(data) != tables.UPPER and tables.action_of(data) >= 0:
        low, action = tables.value_of(data), tables.action_of(data)
    if data and tables.bound_of(data) != tables.LOWER:
        high = tables.value_of(data)
    bound = low
    while bound <= high:
        data = tables.probe(t.table, t.mask, _proof_key(s, bound))
        if data and tables.action_of(data) == 0:  # the disproof number
            high = bound - 1
        bound += 1
    return low, high, action


@kernel
def recall_hint(t):
    """Return the action (int64) that `solve` would try first at ``t.stack[0]``, or -1. It proves nothing."""
    data = tables.probe(t.table, t.mask, t.stack[0].key ^ SALT)
    return tables.action_of(data) if data else np.int64(-1)


@kernel
def _transposition_cutoff(t, ply, n, first, beta):
    """Score the `n` actions of `ply`, `first` before all, or return a value from the table that is >= `beta`.

    It is minus `INFINITE` when no stored reply causes a cut-off.
    """
    child = t.stack[ply + 1]
    for i in range(n):
        action = t.actions[ply, i]
        t.stack[ply + 1] = t.stack[ply]
        game.do_move(child, action)
        tables.prefetch_bucket(t.table, t.mask, child.key ^ SALT)
        worth = np.int64(game.evaluate_with(child, t.weights)) + MOVE_WORTH * np.int64(game.count(child))
        data = tables.probe(t.table, t.mask, child.key ^ SALT)
        if data and tables.bound_of(data) != tables.LOWER and -tables.value_of(data) >= beta:
            if ply == 0:
                t.root_action = action
            return -tables.value_of(data)
        t.order[ply, i] = FIRST if action == first else -worth
    return np.int64(-INFINITE)


@kernel
def prove(t, bound, proof_threshold, disproof_threshold, ply):
    """Search for a proof that ``t.stack[ply]`` reaches a margin of `bound` or more (df-pn).

    Parameters
    ----------
    t : ENDGAME record
    bound : int64
        For the side to move.
    proof_threshold, disproof_threshold : int64
        The search ends when a number reaches its threshold; `PN_INFINITY` for a definite answer.
    ply : int64
        Actions from the root.

    Returns
    -------
    proof, disproof : int64
        Proof and disproof number: 0 and `PN_INFINITY` when the margin can be reached, `PN_INFINITY` and 0
        when it cannot.
    """
    # Step 1. Close to the end: alpha-beta
    s = t.stack[ply]
    before = np.int64(t.nodes)
    if game.remaining(s) <= t.small:
        value = solve(t, bound - np.int64(1), bound, ply)
        if t.stopped:
            return _initial_numbers(s)
        proof, disproof = _terminal_numbers(value >= bound)
        _store_numbers(t, s, bound, proof, disproof, before)
        return proof, disproof

    # Step 2. Generate the actions, and look up the numbers of the positions they lead to
    n = np.int64(game.generate(s, t.actions[ply]))
    if n == 0:
        return _terminal_numbers(game.margin(s) >= bound)
    if t.nodes + n > t.node_limit:
        t.stopped = 1
        return _initial_numbers(s)
    t.nodes += n
    _expand(t, bound, ply, n)

    while True:
        # Step 3. Numbers of this position, and the most promising action
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

        # Step 4. Stop flag, node limit, thresholds
        if _has_to_stop(t) or ply >= MAX_PLY:
            t.stopped = 1
        if t.stopped or proof >= proof_threshold or disproof >= disproof_threshold:
            break

        # Step 5. Search below the most promising action until another one looks better
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

    # Step 6. Store the numbers
    _store_numbers(t, s, bound, proof, disproof, before)
    return proof, disproof


@kernel
def recall_proof(t, bound):
    """Return an action (int64) by which ``t.stack[0]`` is known to reach a margin of `bound`, or -1."""
    n = np.int64(game.generate(t.stack[0], t.actions[0]))
    _expand(t, bound, np.int64(0), n)
    return proven_action(t, n)


@kernel
def proven_action(t, n):
    """Return the first of the `n` actions (int64) of ``t.stack[0]`` that `prove` has proven, or -1."""
    for i in range(n):
        if t.disproof[0, i] == 0:
            return np.int64(t.actions[0, i])
    return np.int64(-1)


@kernel
def _store_numbers(t, s, bound, proof, disproof, before):
    """Store the numbers of `s`, with the nodes visited since `before` as effort."""
    effort = np.int64(np.log2(np.float64(max(t.nodes - before, 1))))
    tables.store(
        t.table, t.mask, t.age, _proof_key(s, bound), disproof, proof, effort, np.int64(tables.EXACT)
    )


@kernel
def _proof_key(s, bound):
    """Return the key (uint64) for the numbers of `s` and a margin of `bound`."""
    return s.key ^ (SALT * np.uint64(bound + game.MAX_MARGIN + 2))


@kernel
def _terminal_numbers(reached):
    """Return the numbers (int64, int64) of a position whose margin is, or is not, `reached`."""
    return (np.int64(0), np.int64(PN_INFINITY)) if reached else (np.int64(PN_INFINITY), np.int64(0))


@kernel
def _initial_numbers(s):
    """Return the initial proof and disproof numbers (int64, int64): 1, and the mobility."""
    return np.int64(1), np.int64(game.count(s))


@kernel
def _expand(t, bound, ply, n):
    """Initialise or look up the numbers after the `n` actions of `ply`, for a margin of 1 - `bound`.

    The table is read in a second loop, once its buckets are under way: waiting for them one by one took most
    of the time.
    """
    child = t.stack[ply + 1]
    for i in range(n):
        t.stack[ply + 1] = t.stack[ply]
        game.do_move(child, t.actions[ply, i])
        t.keys[i] = _proof_key(child, np.int64(1) - bound)
        tables.prefetch_bucket(t.table, t.mask, t.keys[i])
        proof, disproof = _initial_numbers(child)
        if disproof == 0:  # the game is over
            proof, disproof = _terminal_numbers(game.margin(child) > -bound)
        t.proof[ply, i], t.disproof[ply, i] = proof, disproof
    for i in range(n):
        data = tables.probe(t.table, t.mask, t.keys[i])
        if data:
            t.proof[ply, i], t.disproof[ply, i] = tables.value_of(data), tables.action_of(data)
