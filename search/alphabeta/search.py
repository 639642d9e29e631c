"""Alpha-beta with principal variation search, a table, reductions and quiescence. Specialised with ``game``.

All values are for the side to move in the position they belong to, in centi-points of the game's evaluation.
A won game is worth ``WIN`` less the turns it takes from the root. The sign changes with ``side_to_move``,
never with the ply, because a side may have several actions in a row.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import kernel, load_word, record, specialise
from tengen.search.alphabeta.abdada import finished_search, is_being_searched, move_hash, starting_search
from tengen.search.alphabeta.ordering import pick_best
from tengen.search.alphabeta.pv import update_pv
from tengen.search.alphabeta.table import (
    EXACT,
    LOWER,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    is_cutoff,
    probe,
    store,
    value_from_tt,
    value_of,
    value_to_tt,
)
from tengen.search.info import PROVEN, WIN
from tengen.search.limits import MAX_MULTIPV
from tengen.search.repetition import MAX_DRAWN, NO_CYCLE, is_drawn, last_occurrence

game: ModuleType
threats = specialise("tengen.search.threats", game) if hasattr(game, "generate_attacks") else None

MAX_PLY = 128  # actions from the root
QUIESCENCE_PLIES = 12  # actions beyond the horizon
INFINITE = 2**19 - 1
ONGOING, FIRST_WINS, DRAW = int(Outcome.ONGOING), int(Outcome.FIRST_WINS), int(Outcome.DRAW)

# Scores for move ordering: bands that do not overlap
TT_MOVE = 1 << 30
TACTICAL = 1 << 28
KILLER = 1 << 27
QUIET_LIMIT = 1 << 26
PRIORITY_WEIGHT = 64  # weight of a quiet action's priority against its history
HISTORY_LIMIT = 1 << 14
DEFERRED, DEFERRED_TACTICAL = -(1 << 30), -(1 << 30) + 1  # another thread is searching it: last of all
DEFER_DEPTH = 3

# Late-move reductions, in plies, by depth and by place in the ordering
REDUCTIONS = np.array(
    [[int(0.6 + np.log(max(1, d)) * np.log(max(1, i)) / 2.2) for i in range(64)] for d in range(64)], np.int64
)
REDUCE_FROM_DEPTH, REDUCE_FROM_MOVE = 3, 3

# Late-move pruning at the horizon, where a turn is only being completed: all tactical actions are searched,
# but quiet ones only among the first few.
# In ZÈRTZ worth +45 [15, 76] Elo (basic), +45 [6, 86] (tournament); 3 was worth half.
HORIZON_MOVE_COUNT = 6

# Wins by threats at leaves: most actions tried at one leaf, and positions searched for each action tried.
# In ZÈRTZ worth +33 [-2, 68] and +23 [-9, 56] Elo; with a share of 2 it cost as much.
LEAF_LIMIT, LEAF_SHARE = 1000, 8

# Reverse futility pruning: margin in centi-points per ply of depth, and the greatest depth
FUTILITY_MARGIN, FUTILITY_MAX_DEPTH = 90, 4

# Null-move pruning: if passing still fails high, the node is pruned. Least depth, and reductions by depth.
# In DVONN worth +12 [2, 22] Elo.
NULL_FROM_DEPTH = 3
NULL_REDUCTIONS = np.array([2] * 7 + [3], np.int64)

# Late-move pruning: quiet actions searched, by depth, where the game says so; all of them at greater depths
LATE_MOVE_COUNTS = np.array([*game.LATE_MOVE_COUNTS, INFINITE], np.int64)

THREAD = record(
    [
        ("stop", "u8"),  # address of the stop flag
        ("table", "u8"),  # address and mask of the table, age of this search
        ("mask", "u8"),
        ("age", "i8"),
        ("currently_searching", "u8"),  # address of `CurrentlySearching`; 0 when no other thread searches
        ("nodes", "i8"),  # positions visited
        ("node_limit", "i8"),  # stop there; 0 for no limit
        ("stopped", "i8"),  # 1: the search was aborted, returned values are invalid
        ("deepest", "i8"),  # greatest ply reached
        ("repetition", "i8"),  # 1 where repetition draws
        ("cycle", "i8"),  # turns from the root to the position that the last value repeats, or `NO_CYCLE`
        ("drawn_count", "i8"),  # of `drawn`
        ("root_value", "i8"),  # value of ``pv[0]``, if there is one
        ("hint", "i8"),  # action to try first at the root, -1 for none
        ("excluded_count", "i8"),
        ("excluded", "u8", (MAX_MULTIPV,)),  # keys after root turns to leave out (multi-PV)
        ("turns", "i4", (MAX_PLY + 2,)),  # turns completed from the root, by ply
        ("killers", "i4", (MAX_PLY + 2, 2)),
        ("pv_length", "i4", (MAX_PLY + 2,)),
        ("pv", "i4", (MAX_PLY + 2, MAX_PLY + 2)),  # by ply: the best actions found from there
        ("history", "i4", (2, game.ACTIONS)),  # by side: how well an action has done at cut-offs
        ("actions", "i4", (MAX_PLY + 2, game.MAX_ACTIONS)),
        ("order", "i4", (MAX_PLY + 2, game.MAX_ACTIONS)),
        ("after_null_move", "i1", (MAX_PLY + 2,)),  # by ply: 1 right below a null move
        ("attacker", "i8"),  # side for which `search.threats` looks for a win
        ("threat_nodes", "i8"),  # actions that the threat search has tried
        ("threat_limit", "i8"),  # the threat search gives up there
        ("gave_up", "i8"),  # 1: the threat search has given up
        ("depth_limited", "i8"),  # 1: the threat search has cut off a line
        ("leaf_threat_nodes", "i8"),  # actions that the threat search has tried at leaves
        ("weights", "i8", game.TABLE.shape),  # of the evaluation
        ("disproved", "u8", (threats.SLOTS if threats else 1,)),  # positions without a win by threats
        ("stack", game.STATE, (MAX_PLY + 2,)),
        ("line", "u8", (MAX_PLY + 2,)),  # keys of the positions that led here, by turns from the root
        ("drawn", "u8", (MAX_DRAWN,)),  # keys of positions that would occur in the game for the third time
    ]
)


@kernel
def _evaluate(t, s):
    """Return the static evaluation (int64) of `s`."""
    return np.int64(game.evaluate_with(s, t.weights))


@kernel
def _enter_node(t, ply):
    """Count a position; return whether the search has to stop."""
    t.nodes += 1
    if ply > t.deepest:
        t.deepest = ply
    if load_word(t.stop) or (t.node_limit and t.nodes >= t.node_limit):
        t.stopped = 1
    return t.stopped != 0


@kernel
def _terminal_value(result, turn, turns):
    """Return the value of a finished game for the side `side_to_move`, `turns` turns from the root."""
    if result == DRAW:
        return np.int64(0)
    won = (result == FIRST_WINS) == (turn == 0)
    return np.int64(WIN - turns) if won else np.int64(turns - WIN)


@kernel
def _score_actions(t, ply, count, first):
    """Score the `count` actions of `ply` for move ordering; `first` (the hash move or hint) comes first."""
    s = t.stack[ply]
    history = t.history[np.uint64(s.side_to_move)]
    for i in range(count):
        action = t.actions[ply, i]
        if action == first:
            t.order[ply, i] = TT_MOVE
            continue
        priority = game.priority(s, action)
        if priority > 0:
            t.order[ply, i] = TACTICAL + min(priority, np.int64(TACTICAL - 1))
        elif action == t.killers[ply, 0]:
            t.order[ply, i] = KILLER + 1
        elif action == t.killers[ply, 1]:
            t.order[ply, i] = KILLER
        else:
            quiet = priority * PRIORITY_WEIGHT + history[action]
            t.order[ply, i] = min(max(quiet, np.int64(-QUIET_LIMIT)), np.int64(QUIET_LIMIT))


@kernel
def _add_hint(t, n):
    """Append the hint to the `n` actions of the root if it is missing; return the new count (int64)."""
    for i in range(n):
        if t.actions[0, i] == t.hint:
            return n
    if t.hint < 0:
        return n
    t.actions[0, n] = t.hint
    return n + 1


@kernel
def _is_quiet(order):
    """Return whether an action with this score is neither tactical nor the hash move."""
    return order <= KILLER + 1 and order != DEFERRED_TACTICAL


@kernel
def _pick_or_defer(t, ply, i, count):
    """Like `pick_best`, but defer actions that other threads are searching (ABDADA)."""
    action = pick_best(t, ply, i, count)
    while t.order[ply, i] > DEFERRED_TACTICAL and is_being_searched(
        t.currently_searching, move_hash(t.stack[ply].key, np.int64(action))
    ):
        t.order[ply, i] = DEFERRED if _is_quiet(t.order[ply, i]) else DEFERRED_TACTICAL
        action = pick_best(t, ply, i, count)
    return action


@kernel
def _descend(t, ply, action):
    """Put the position after `action` at ``ply + 1``; return whether the same side is to move there."""
    t.stack[ply + 1] = t.stack[ply]
    child = t.stack[ply + 1]
    game.do_move(child, action)
    t.turns[ply + 1] = t.turns[ply] + (1 if child.partial == 0 else 0)
    return child.side_to_move == t.stack[ply].side_to_move


@kernel
def _update_history(t, side, action, bonus):
    """Add `bonus` to the history of an action, with gravity: it stays within ±HISTORY_LIMIT."""
    old = np.int64(t.history[side, action])
    t.history[side, action] = old + bonus - old * abs(bonus) // HISTORY_LIMIT


@kernel
def _update_quiet_stats(t, ply, i, depth):
    """Reward the quiet action at place `i`, which caused a cut-off, and punish the quiet ones before it."""
    side = np.uint64(t.stack[ply].side_to_move)
    action = t.actions[ply, i]
    if t.killers[ply, 0] != action:
        t.killers[ply, 1] = t.killers[ply, 0]
        t.killers[ply, 0] = action
    bonus = np.int64(min(depth * depth * 8, 1200))
    _update_history(t, side, action, bonus)
    for k in range(i):
        if _is_quiet(t.order[ply, k]):
            _update_history(t, side, t.actions[ply, k], -bonus)


@kernel
def _is_excluded(t, ply):
    """Return whether the position at `ply` ends an excluded root turn."""
    if t.excluded_count == 0 or t.turns[ply] != 1 or t.stack[ply].partial:
        return False
    for k in range(t.excluded_count):  # noqa: SIM110 - no generators in kernels
        if t.excluded[k] == t.stack[ply].key:
            return True
    return False


@kernel
def _lies_above(cycle, turns, s):
    """Return whether a position `cycle` turns from the root lies above `s`, which lies `turns` from it."""
    return cycle < turns or (cycle == turns and s.partial != 0)


@kernel
def _is_repetition(t, ply):
    """Return whether ``t.stack[ply]``, where a turn begins, is drawn by repetition; add it to the line.

    If it is drawn by an earlier position of the line, ``t.cycle`` says by which.
    """
    s, turns = t.stack[ply], np.int64(t.turns[ply])
    t.line[turns] = s.key
    if ply == 0 or not game.may_repeat(s):
        return False
    t.cycle = last_occurrence(t.line, turns)
    return t.cycle != NO_CYCLE or is_drawn(t, s.key)


@kernel
def reverse_futility_value(t, s, depth):
    """Return the static evaluation of `s` minus the futility margin for the remaining `depth` (int64).

    Minus `INFINITE` where a threat must be answered or a turn is half played: evaluations mean little there.
    """
    if s.partial or game.forced(s):
        return np.int64(-INFINITE)
    return _evaluate(t, s) - FUTILITY_MARGIN * depth


@kernel
def _null_action(t, ply, depth, beta):
    """Return the null move (int64) to try at ``t.stack[ply]``, or -1."""
    s = t.stack[ply]
    if depth < NULL_FROM_DEPTH or t.after_null_move[ply] or abs(beta) >= PROVEN:
        return np.int64(-1)
    action = np.int64(game.null_action(s))
    return action if action >= 0 and _evaluate(t, s) >= beta else np.int64(-1)


@kernel
def _add_rest(t, ply, n):
    """Append the actions that ``generate_candidates`` left out; return the new count (int64)."""
    rest = np.int64(game.generate_rest(t.stack[ply], t.actions[ply, n:]))
    for i in range(n, n + rest):
        t.order[ply, i] = -QUIET_LIMIT
    return n + rest


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
    if _enter_node(t, ply):
        return np.int64(0)
    s = t.stack[ply]
    result = game.outcome(s)
    if result != ONGOING:
        return _terminal_value(result, s.side_to_move, t.turns[ply])
    if t.drawn_count and s.partial == 0 and is_drawn(t, s.key):
        return np.int64(0)
    if plies <= 0 or ply >= MAX_PLY:
        return _evaluate(t, s)

    # Step 2. Stand pat, or win by threats
    best = np.int64(-INFINITE)
    if not game.forced(s):
        best = _evaluate(t, s)
        if best >= beta:
            return best
        winning = _threat_win(t, ply)
        if winning:
            return np.int64(WIN - t.turns[ply] - winning)
        alpha = max(alpha, best)

    # Step 3. Generate and score the noisy actions
    n = game.generate_noisy(s, t.actions[ply])
    if n == 0:
        return _evaluate(t, s)
    _score_actions(t, ply, n, -1)

    # Step 4. Loop over the actions, best first
    for i in range(n):
        action = pick_best(t, ply, i, n)
        same = _descend(t, ply, action)
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


@kernel
def search(t, depth, alpha, beta, ply):
    """Return the value (int64) of ``t.stack[ply]``: exact within the window, else a bound (fail-soft).

    Parameters
    ----------
    t : THREAD record
        Its ``pv[ply]`` is the best line afterwards, when the value lies within the window.
    depth : int64
        Actions to look ahead before quiescence. A position with a single action costs no depth, and no turn
        is left half played.
    alpha, beta : int64
        Window, for the side to move.
    ply : int64
        Actions from the root.
    """
    # Step 1. Quiescence at the horizon, but never in the middle of a turn
    s = t.stack[ply]
    if (depth <= 0 and not s.partial) or ply >= MAX_PLY:
        return quiesce(t, alpha, beta, ply, np.int64(QUIESCENCE_PLIES))

    # Step 2. Repetition, stop flag, end of the game
    t.pv_length[ply] = 0
    if t.repetition and s.partial == 0 and _is_repetition(t, ply):
        return np.int64(0)
    if _enter_node(t, ply):
        return np.int64(0)
    turns = np.int64(t.turns[ply])
    result = game.outcome(s)
    if result != ONGOING:
        return _terminal_value(result, s.side_to_move, turns)

    # Step 3. Win distance pruning: nothing beats a win next turn, or is worse than having lost
    in_root_turn = turns == 0
    if not in_root_turn:
        alpha, beta = max(alpha, turns - WIN), min(beta, WIN - turns - 1)
        if alpha >= beta:
            return alpha
    null_window = beta - alpha == 1 and not in_root_turn

    # Step 4. Transposition table lookup
    first = t.hint if ply == 0 else np.int64(-1)
    data = probe(t.table, t.mask, s.key)
    if data:
        if first < 0:
            first = action_of(data)
        if null_window and depth_of(data) >= depth:
            value = value_from_tt(value_of(data), turns)
            if is_cutoff(value, bound_of(data), alpha, beta):
                return value

    # Step 5. Reverse futility pruning
    if null_window and depth <= FUTILITY_MAX_DEPTH and abs(beta) < PROVEN:
        static_value = reverse_futility_value(t, s, depth)
        if static_value >= beta:
            return static_value

    # Step 6. Null-move pruning
    null = _null_action(t, ply, depth, beta) if null_window else np.int64(-1)
    if null >= 0:
        _descend(t, ply, null)
        t.after_null_move[ply + 1] = 1
        reduction = NULL_REDUCTIONS[min(depth, np.int64(NULL_REDUCTIONS.size - 1))]
        value = -search(t, depth - 1 - reduction, -beta, 1 - beta, ply + 1)
        t.after_null_move[ply + 1] = 0
        if t.stopped:
            return np.int64(0)
        if beta <= value < PROVEN:
            return value

    # Step 7. Generate and score the actions
    n = np.int64(game.generate_candidates(s, t.actions[ply]))
    if ply == 0:
        n = _add_hint(t, n)
    next_depth = depth - 1 if n > 1 else depth
    _score_actions(t, ply, n, first)
    t.killers[ply + 1, 0] = t.killers[ply + 1, 1] = -1

    # Step 8. Loop over the actions, best first; in a lost position also over those that are no candidates
    best, best_action, bound = np.int64(-INFINITE), np.int64(-1), np.int64(UPPER)
    cycle = best_cycle = np.int64(NO_CYCLE)
    late_move_count = LATE_MOVE_COUNTS[min(max(depth, np.int64(0)), np.int64(LATE_MOVE_COUNTS.size - 1))]
    i, candidates = np.int64(-1), n
    while True:
        i += 1
        if i == candidates and best <= -PROVEN:
            n = _add_rest(t, ply, n)
        if i >= n:
            break
        shared = t.currently_searching != 0 and i > 0 and depth >= DEFER_DEPTH
        action = np.int64(_pick_or_defer(t, ply, i, n) if shared else pick_best(t, ply, i, n))
        quiet = _is_quiet(t.order[ply, i])

        # Step 9. Late-move pruning, unless the position seems lost
        if depth <= 0 and i >= HORIZON_MOVE_COUNT and quiet and not in_root_turn and best > -PROVEN:
            break
        if null_window and quiet and i >= late_move_count and best > -PROVEN:
            break

        # Step 10. Play the action, and let the other threads know (ABDADA)
        same = _descend(t, ply, action)
        if in_root_turn and _is_excluded(t, ply + 1):
            continue
        move_key = move_hash(s.key, action) if shared else s.key
        if shared:
            starting_search(t.currently_searching, move_key)

        # Step 11. Principal variation search with late-move reductions: after the first action a reduced
        # search with a null window, which is repeated deeper, then wider, while the value beats alpha
        top, child_depth = beta, next_depth
        if best_action >= 0:
            top = alpha + 1
            if quiet and depth >= REDUCE_FROM_DEPTH and i >= REDUCE_FROM_MOVE:
                child_depth = max(np.int64(1), next_depth - REDUCTIONS[min(depth, 63), min(i, 63)])
        while True:
            low, high = (alpha, top) if same else (-top, -alpha)
            value = search(t, child_depth, low, high, ply + 1)
            if not same:
                value = -value
            if t.stopped or value <= alpha:
                break
            if child_depth < next_depth:
                child_depth = next_depth
            elif value >= top and top < beta:
                top = beta
            else:
                break
        if shared:
            finished_search(t.currently_searching, move_key)
        if t.stopped:
            return np.int64(0)

        # Step 12. Update the best action, the principal variation and, on a cut-off, killers and history
        value_cycle = np.int64(t.cycle)
        if value_cycle != NO_CYCLE:
            cycle, t.cycle = min(cycle, value_cycle), NO_CYCLE
        if value > best:
            best, best_cycle = value, value_cycle
            best_action = action
            if value > alpha:
                alpha = value
                bound = np.int64(EXACT)
                update_pv(t, ply, action)
                if ply == 0:
                    t.root_value = value
                if value >= beta:
                    bound = np.int64(LOWER)
                    if quiet:
                        _update_quiet_stats(t, ply, i, depth)
                    break

    # Step 13. What depends on a position above this one is not stored, except as a bound of what does not
    value_cycle = best_cycle if best >= beta else cycle
    if value_cycle != NO_CYCLE and _lies_above(value_cycle, turns, s):
        t.cycle = value_cycle
        if bound == UPPER or _lies_above(best_cycle, turns, s):
            return best
        bound = np.int64(LOWER)

    # Step 14. Store the result, unless actions were excluded (multi-PV)
    if best_action >= 0 and not (in_root_turn and t.excluded_count):
        stored_action = best_action if bound != UPPER else np.int64(-1)
        stored_value = value_to_tt(best, turns)
        stored_depth = min(depth, np.int64(255))
        store(t.table, t.mask, t.age, s.key, stored_action, stored_value, stored_depth, bound)
    return best


@kernel
def recall_win(t):
    """Return the turns (int64) in which the side to move at the root wins according to the table, else 0.

    The proof was stored by an earlier search. ``pv[0]`` is the winning turn afterwards.

    Parameters
    ----------
    t : THREAD record
    """
    turns, ply = np.int64(0), np.int64(0)
    t.pv_length[0] = 0
    while ply < MAX_PLY:
        s = t.stack[ply]
        data = probe(t.table, t.mask, s.key)
        if not data or bound_of(data) == UPPER or value_of(data) < PROVEN:
            return np.int64(0)
        action, legal = action_of(data), False
        for i in range(game.generate(s, t.actions[ply])):
            legal |= t.actions[ply, i] == action
        if not legal:
            return np.int64(0)
        if ply == 0:
            turns = np.int64(WIN) - value_of(data)
        t.pv[0, ply] = action
        t.stack[ply + 1] = s
        ply += 1
        game.do_move(t.stack[ply], action)
        if t.stack[ply].partial == 0:
            t.pv_length[0] = ply
            return turns
    return np.int64(0)
