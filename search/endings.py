"""Exact values of endings: final margins under best play. Specialised with ``game``.

Values are margins in the game's points, for the side to move in the position they belong to. What has been
found out stays in the transposition table, under keys of its own. That replies are looked up in the table
before any of them is searched, and ordered by what they leave to the opponent, is how Othello's endings are
solved.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from engine.jit import kernel, load_word, record
from search.ordering import pick
from search.table import EXACT, LOWER, UPPER, action_of, bound_of, probe, store, value_of

game: ModuleType

MAX_PLY = 2 * game.ENDING + 2  # actions from the root: at most one is a pass between two that take a cell
SALT = np.uint64(0x9E3779B97F4A7C15)  # makes the keys of endings others than those of the search
INFINITE = 1 << 18
STORE_FROM = 4  # what is left, at least, for a position to be worth an entry of the table
LOOK_FROM = 14  # ... and for its replies to be looked up and valued before the first is searched
MOVE_WORTH = 100  # centi-points in the ordering for each move that the opponent is left
FIRST = 1 << 30  # place of the table's action in the ordering

ENDING = record(
    [
        ("stop", "u8"),  # address of the stop flag
        ("table", "u8"),  # address and mask of the table, age of this search
        ("mask", "u8"),
        ("age", "i8"),
        ("nodes", "i8"),  # positions visited
        ("node_limit", "i8"),  # stop there
        ("stopped", "i8"),  # 1: values on the way up mean nothing
        ("actions", "i4", (MAX_PLY + 1, game.MAX_ACTIONS)),
        ("order", "i4", (MAX_PLY + 1, game.MAX_ACTIONS)),
        ("weights", "i8", game.TABLE.shape),  # of the evaluation
        ("stack", game.STATE, (MAX_PLY + 2,)),
    ]
)


@kernel
def solve(t, alpha, beta, ply):
    """Return the final margin (int64) of ``t.stack[ply]``: exact within the window, else a bound (fail-soft).

    Parameters
    ----------
    t : ENDING record
    alpha, beta : int64
        Window, for the side to move.
    ply : int64
        Actions from the root.
    """
    t.nodes += 1
    if load_word(t.stop) or t.nodes >= t.node_limit or ply > MAX_PLY:
        t.stopped = 1
        return np.int64(0)
    s = t.stack[ply]
    key = s.key ^ SALT
    left = np.int64(game.left(s))
    first = np.int64(-1)
    if left >= STORE_FROM:
        data = probe(t.table, t.mask, key)
        if data:
            value, bound = value_of(data), bound_of(data)
            if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                return value
            first = action_of(data)
    n = np.int64(game.generate(s, t.actions[ply]))
    if n == 0:
        return np.int64(game.margin(s))
    if left >= LOOK_FROM and n > 2:
        refuted = _look_ahead(t, ply, n, first, beta)
        if refuted > -INFINITE:
            return refuted
    else:
        for i in range(n):
            action = t.actions[ply, i]
            t.order[ply, i] = FIRST if action == first else game.priority(s, action)
    best, best_action, low = np.int64(-INFINITE), np.int64(-1), alpha
    for i in range(n):
        action = pick(t, ply, i, n)
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
    if left >= STORE_FROM:
        bound = np.int64(LOWER if best >= beta else UPPER if best <= alpha else EXACT)
        store(t.table, t.mask, t.age, key, best_action, best, left, bound)
    return best


@kernel
def recall(t):
    """Return the action (int64) that the table has for ``t.stack[0]``, -1 when it has none."""
    data = probe(t.table, t.mask, t.stack[0].key ^ SALT)
    return action_of(data) if data else np.int64(-1)


@kernel
def _look_ahead(t, ply, n, first, beta):
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
