"""Move picking: scores the actions of a node, and finds the next one to search. Specialised with ``game``.

The scores lie in bands that do not overlap: the hash move, tactical actions, killers, quiet actions by their
priority and history, and last of all what another thread is searching. What earlier cut-offs say about quiet
actions is kept here: killers, history and continuation history.
"""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.jit import kernel, specialise
from tengen.search.alphabeta.abdada import is_being_searched, move_hash
from tengen.search.info import WIN
from tengen.search.limits.restrictions import are_restricted, keep_permitted

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.alphabeta import record
else:
    record = specialise("tengen.search.alphabeta.record", game)


_MIX, _ACTION_BITS = np.uint64(0x9E3779B97F4A7C15), np.uint64(20)
_SHIFT = np.uint64(64 - record.CONTINUATION_BITS)

TT_MOVE = 1 << 30
TACTICAL = 1 << 28
KILLER = 1 << 27
QUIET_LIMIT = 1 << 26
PRIORITY_WEIGHT = 64  # weight of a quiet action's priority against its history
DEFERRED = -(1 << 30)  # another thread is searching it: last of all, by place; odd if tactical
PLACES = 1 << 10  # that deferred actions can have
HISTORY_LIMIT = 1 << 14


@kernel
def continuation_slot(t, ply, back, action):
    """Return the place (uint64) in ``t.continuation[back]`` of `action` (int64) after an earlier one.

    That is the one that led to ``ply - back``; `back` is 0 for the last one.
    """
    earlier = np.uint64(t.played[ply - back]) << _ACTION_BITS
    return ((earlier ^ np.uint64(action)) * _MIX) >> _SHIFT


@kernel
def score_actions(t, ply, count, first):
    """Score the `count` actions of `ply` for move ordering; `first` (the hash move or hint) comes first."""
    s = t.stack[ply]
    history = t.history[np.uint64(s.side_to_move)]
    recent = min(ply, np.int64(game.CONTINUATIONS))
    guided = np.int64(-1)  # not known yet
    likeliest = np.int64(-QUIET_LIMIT)
    for i in range(count):
        action = t.actions[ply, i]
        if action == first:
            t.order[ply, i] = TT_MOVE
            if t.params.policy_depth or t.params.policy_reduction:
                if guided < 0:
                    guided = np.int64(game.prepare_policy(s, t.net))
                if guided:
                    policy = np.int64(game.policy(s, t.net, np.int64(action)))
                    likeliest = max(likeliest, policy * PRIORITY_WEIGHT)
            continue
        priority = game.priority(s, action)
        if priority > game.TACTICAL_ABOVE:
            t.order[ply, i] = TACTICAL + min(priority, np.int64(TACTICAL - 1))
        elif action == t.killers[ply, 0]:
            t.order[ply, i] = KILLER + 1
        elif action == t.killers[ply, 1]:
            t.order[ply, i] = KILLER
        else:
            if guided < 0:
                guided = np.int64(game.prepare_policy(s, t.net))
            if guided:
                priority = game.policy(s, t.net, np.int64(action))
            quiet = priority * PRIORITY_WEIGHT + history[action]
            for back in range(recent):
                quiet += t.continuation[back, continuation_slot(t, ply, back, action)]
            t.order[ply, i] = min(max(quiet, np.int64(-QUIET_LIMIT)), np.int64(QUIET_LIMIT))
            likeliest = max(likeliest, np.int64(t.order[ply, i]))
    t.likeliest[ply] = likeliest


@kernel
def policy_gap(t, ply, i):
    """Return how far the quiet action at place `i` lies below the likeliest, as policy (int64, 1/256 logits).

    The likeliest is the hash move or a quiet action. 0 for killers, and for what has been deferred.
    """
    order = np.int64(t.order[ply, i])
    if abs(order) > QUIET_LIMIT:
        return np.int64(0)
    return max(np.int64(0), (np.int64(t.likeliest[ply]) - order) // PRIORITY_WEIGHT)


@kernel
def generate(t, ply, first):
    """Generate and score the actions of `ply`, at the root with the hint; return their number (int64)."""
    n = np.int64(game.generate_candidates(t.stack[ply], t.actions[ply]))
    if ply == 0 and t.hint >= 0 and not is_listed(t, ply, n, t.hint):
        t.actions[0, n] = t.hint
        n += 1
    if are_restricted(t, np.int64(t.turns[ply])):
        n = permitted(t, ply, n)
    score_actions(t, ply, n, first)
    return n


@kernel
def add_rest(t, ply, n, best):
    """Append the permitted actions that ``generate_candidates`` left out; return the new count (int64).

    All `n` actions lose, `best` (int64) is the value of the best one. Nothing is appended if others cannot
    lose later.
    """
    s, turns = t.stack[ply], np.int64(t.turns[ply])
    rest = t.actions[ply + 1]  # which the children will fill anew
    latest = np.int64(game.unanswered(s, rest))
    if latest and WIN + best - turns >= latest:
        return n
    count = np.int64(game.generate_rest(s, rest))
    if are_restricted(t, turns):
        count = keep_permitted(t, rest, count, s.side_to_move, turns)
    listed = n
    for i in range(count):
        if not is_listed(t, ply, listed, rest[i]):
            t.actions[ply, n], t.order[ply, n] = rest[i], -QUIET_LIMIT
            n += 1
    return n


@kernel
def permitted(t, ply, n):
    """Keep those of the `n` candidates of `ply` that are permitted; return their number (int64).

    Without any they are all actions that are permitted, and all that are legal if none is.
    """
    s, turns = t.stack[ply], np.int64(t.turns[ply])
    kept = keep_permitted(t, t.actions[ply], n, s.side_to_move, turns)
    if kept == 0:
        n = np.int64(game.generate(s, t.actions[ply]))
        kept = keep_permitted(t, t.actions[ply], n, s.side_to_move, turns)
    return kept if kept else np.int64(game.generate(s, t.actions[ply]))


@kernel
def is_listed(t, ply, n, action):
    """Return whether `action` is among the first `n` of `ply`."""
    for i in range(n):  # noqa: SIM110 - no generators in kernels
        if t.actions[ply, i] == action:
            return True
    return False


@kernel
def is_quiet(order):
    """Return whether an action with this score is neither tactical nor the hash move."""
    return order <= KILLER + 1 and not (is_deferred(order) and (order - DEFERRED) & 1)


@kernel
def is_deferred(order):
    """Return whether an action with this score has been deferred."""
    return order < DEFERRED + 2 * PLACES


@kernel
def place_of(t, ply, i, count):
    """Return the place (int64) in the ordering of the action that is searched as number `i` of `count`.

    A deferred action keeps the place that it had, so that it is neither pruned nor reduced for being late.
    """
    order = np.int64(t.order[ply, i])
    if is_deferred(order):
        return PLACES - 1 - ((order - DEFERRED) >> 1)
    place = i
    for later in range(i + 1, count):
        place += is_deferred(t.order[ply, later])
    return place


@kernel
def pick_best(t, ply, i, count):
    """Swap the best of the actions of `ply` from index `i` on to index `i`, and return it.

    Parameters
    ----------
    t : record
        With the fields `actions` and `order`, shape (plies, actions). The greatest order comes first.
    ply : int64
    i, count : int64
        The first index that is still to be filled, and the number of actions.
    """
    actions, orders = t.actions[ply], t.order[ply]
    greatest = orders[i]
    for k in range(np.uint64(i), np.uint64(count)):  # in this form it compiles to vectors
        greatest = max(greatest, orders[k])
    best = np.uint64(i)
    while orders[best] != greatest:
        best += np.uint64(1)
    action = actions[best]
    actions[best], orders[best] = actions[i], orders[i]
    actions[i], orders[i] = action, greatest
    return action


@kernel
def pick_or_defer(t, ply, i, count):
    """Like `pick_best`, but defer actions that other threads are searching (ABDADA)."""
    action = pick_best(t, ply, i, count)
    while not is_deferred(t.order[ply, i]) and is_being_searched(
        t.currently_searching, move_hash(t.stack[ply].key, np.int64(action))
    ):
        rest = PLACES - 1 - min(place_of(t, ply, i, count), np.int64(PLACES - 1))
        t.order[ply, i] = DEFERRED + 2 * rest + (not is_quiet(t.order[ply, i]))
        action = pick_best(t, ply, i, count)
    return action


# ------------------------------------------------------------------------------------------------- statistics


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
        slot = continuation_slot(t, ply, back, action)
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
        if is_quiet(t.order[ply, k]):
            _update_history(t, ply, np.int64(t.actions[ply, k]), -bonus)
