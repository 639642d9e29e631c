"""Alpha-beta with principal variation search, a table, reductions and quiescence. Specialised with ``game``.

All values are for the side to move in the position they belong to, in centi-points of the game's evaluation.
A won game is worth ``WIN`` less the turns it takes from the root. The sign changes with ``side_to_move``,
never with the ply, because a side may have several actions in a row.
"""

from typing import TYPE_CHECKING

import numpy as np

import tengen.search.alphabeta.table as tables
from tengen.engine.game import Outcome
from tengen.engine.jit import kernel, specialise
from tengen.search.alphabeta.abdada import finished_search, move_hash, starting_search
from tengen.search.alphabeta.line import update_pv
from tengen.search.alphabeta.params import LATE_DEPTHS
from tengen.search.info import INFINITE, PROVEN, WIN
from tengen.search.limits.restrictions import table_key
from tengen.search.repetition import NO_CYCLE

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.alphabeta import node, picking, proofs, quiescence, record, selectivity
else:
    record = specialise("tengen.search.alphabeta.record", game)
    node = specialise("tengen.search.alphabeta.node", game)
    picking = specialise("tengen.search.alphabeta.picking", game)
    proofs = specialise("tengen.search.alphabeta.proofs", game)
    selectivity = specialise("tengen.search.alphabeta.selectivity", game)
    quiescence = specialise("tengen.search.alphabeta.quiescence", game)

threats, MAX_PLY = record.threats, record.MAX_PLY
THREAD, CLEARED = record.THREAD, record.CLEARED
proof_numbers = record.proof_numbers

QUIESCENCE_PLIES = 12  # actions beyond the horizon
ONGOING = int(Outcome.ONGOING)
DEFER_DEPTH = 3  # least depth at which a thread defers what others search


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
        return quiescence.quiesce(t, alpha, beta, ply, np.int64(QUIESCENCE_PLIES))

    # Step 2. Repetition, stop flag, end of the game
    t.pv_length[ply] = 0
    if t.repetition and s.partial == 0 and node.is_repetition(t, ply):
        return np.int64(0)
    if node.enter_node(t, ply):
        return np.int64(0)
    turns = np.int64(t.turns[ply])
    result = game.outcome(s)
    if result != ONGOING:
        return node.terminal_value(result, s.side_to_move, turns)

    # Step 3. Win distance pruning: nothing beats a win next turn, or is worse than having lost
    in_root_turn = turns == 0
    if not in_root_turn:
        alpha, beta = max(alpha, turns - WIN), min(beta, WIN - turns - 1)
        if alpha >= beta:
            return alpha
    null_window = beta - alpha == 1 and not in_root_turn

    # Step 4. Transposition table lookup
    left_out = np.int64(t.left_out[ply])
    first = t.hint if ply == 0 else np.int64(-1)
    key = table_key(t, s.key, turns)
    data = tables.probe(t.table, t.mask, key)
    known_value = np.int64(0)
    if data:
        if first < 0:
            first = tables.action_of(data)
        known_value = tables.value_from_tt(tables.value_of(data), turns)
        deep_enough = tables.depth_of(data) >= depth and left_out == 0
        if null_window and deep_enough and tables.is_cutoff(known_value, tables.bound_of(data), alpha, beta):
            return known_value
        won = tables.bound_of(data) == tables.LOWER and known_value >= PROVEN
        if game.PROOF_NUMBERS and not in_root_turn and won:
            return known_value  # won, if not in the fewest turns: in wider windows, too, and however deep

    # Step 5. Static evaluation and reverse futility pruning
    static_value = np.int64(-INFINITE)
    if null_window and left_out == 0 and abs(beta) < PROVEN:
        static_value = selectivity.static_value(t, s, depth, alpha, beta)
        value = static_value - t.params.futility_margin * depth
        if value >= beta and depth <= t.params.futility_depth:
            return value

    # Step 6. Null-move pruning
    null = selectivity.null_action(t, ply, depth, beta) if null_window else np.int64(-1)
    if null >= 0:
        node.descend(t, ply, null)
        t.after_null_move[ply + 1] = 1
        reduction = selectivity.NULL_REDUCTIONS[min(depth, np.int64(selectivity.NULL_REDUCTIONS.size - 1))]
        value = -search(t, depth - 1 - reduction, -beta, 1 - beta, ply + 1)
        t.after_null_move[ply + 1] = 0
        if t.stopped:
            return np.int64(0)
        if beta <= value < PROVEN:
            return value

    # Step 7. Singular extension: how good is the position without the table's action?
    extension = np.int64(0)
    if data and not in_root_turn and selectivity.may_be_singular(t, data, depth, ply):
        most = known_value - t.params.singular_margin * depth
        t.left_out[ply] = tables.action_of(data) + 1
        value = search(t, (depth - 1) // 2, most - 1, most, ply)
        t.left_out[ply] = t.pv_length[ply] = 0
        if t.stopped:
            return np.int64(0)
        if value < most:
            extension = np.int64(1)
        elif null_window and most >= beta:
            return most  # several actions are good enough
        elif null_window and known_value >= beta:
            extension = np.int64(-1)

    # Step 8. Generate and score the actions, or try the table's action before that
    staged = first >= 0 and not in_root_turn and left_out == 0
    if staged:
        t.actions[ply, 0], t.order[ply, 0], n = first, picking.TT_MOVE, np.int64(1)
        next_depth = depth - 1  # the table holds no action where there is only one (step 15)
    else:
        n = picking.generate(t, ply, first)
        next_depth = depth - 1 if n > 1 else depth
    t.killers[ply + 1, 0] = t.killers[ply + 1, 1] = -1

    # Step 9. Loop over the actions, best first; in a lost position also over those that are no candidates
    best, best_action, bound = np.int64(-INFINITE), np.int64(-1), np.int64(tables.UPPER)
    cycle = best_cycle = np.int64(NO_CYCLE)
    late_move_count = t.params.late_moves[min(max(depth, np.int64(0)), np.int64(LATE_DEPTHS))]
    i, candidates = np.int64(-1), n
    while True:
        i += 1
        if staged and i == 1:
            staged = False
            n = candidates = picking.generate(t, ply, first)
            picking.pick_best(t, ply, 0, n)
            i = np.int64(t.order[ply, 0] == picking.TT_MOVE)  # else it is no candidate
        if i == candidates and best <= -PROVEN and left_out == 0:
            n = picking.add_rest(t, ply, n, best)
        if i >= n:
            break
        shared = t.currently_searching != 0 and i > 0 and depth >= DEFER_DEPTH
        pick = picking.pick_or_defer(t, ply, i, n) if shared else picking.pick_best(t, ply, i, n)
        action = np.int64(pick)
        if action + 1 == left_out:
            continue
        quiet, place = picking.is_quiet(t.order[ply, i]), picking.place_of(t, ply, i, n) if shared else i

        # Step 10. Late-move, policy and futility pruning, unless the position seems lost; deferred actions
        # come after the late ones
        if depth <= 0 and i >= t.params.horizon_moves and quiet and not in_root_turn and best > -PROVEN:
            break
        gap = picking.policy_gap(t, ply, i) if quiet else np.int64(0)
        may_prune = null_window and quiet and best > -PROVEN
        if may_prune and (
            place >= late_move_count or selectivity.is_futile(t, depth, gap, static_value, alpha)
        ):
            if shared:
                continue
            break

        # Step 11. Play the action, while the table is read if the game foresees the key, and let the other
        # threads know (ABDADA)
        foreseen, _ = game.foresee(s, action)
        tables.prefetch_bucket(t.table, t.mask, foreseen)
        same = node.descend(t, ply, action)
        if in_root_turn and node.is_excluded(t, ply + 1):
            continue
        move_key = move_hash(s.key, action) if shared else s.key
        if shared:
            starting_search(t.currently_searching, move_key)

        # Step 12. Principal variation search with late-move reductions: after the first action a reduced
        # search with a null window, which is repeated deeper, then wider, while the value beats alpha
        own_depth = next_depth + extension if action == first else next_depth
        top, child_depth = beta, own_depth
        if best_action >= 0:
            top = alpha + 1
            if quiet and depth >= selectivity.REDUCE_FROM_DEPTH and place >= selectivity.REDUCE_FROM_MOVE:
                reduction = selectivity.reduction(t, depth, place, gap)
                child_depth = max(np.int64(1), own_depth - reduction)
        while True:
            low, high = (alpha, top) if same else (-top, -alpha)
            value = search(t, child_depth, low, high, ply + 1)
            if not same:
                value = -value
            if t.stopped or value <= alpha:
                break
            if child_depth < own_depth:
                child_depth = own_depth
            elif value >= top and top < beta:
                top = beta
            else:
                break
        if shared:
            finished_search(t.currently_searching, move_key)
        if t.stopped:
            return np.int64(0)

        # Step 13. Update the best action, the principal variation and, on a cut-off, killers and history
        value_cycle = np.int64(t.cycle)
        if value_cycle != NO_CYCLE:
            cycle, t.cycle = min(cycle, value_cycle), NO_CYCLE
        if value > best:
            best, best_cycle = value, value_cycle
            best_action = action
            if value > alpha:
                alpha = value
                bound = np.int64(tables.EXACT)
                update_pv(t, ply, action)
                if ply == 0:
                    t.root_value = value
                if value >= beta:
                    bound = np.int64(tables.LOWER)
                    if quiet:
                        picking.update_quiet_stats(t, ply, i, depth)
                    break

    # Step 14. What depends on a position above this one is not stored, except as a bound of what does not
    value_cycle = best_cycle if best >= beta else cycle
    if value_cycle != NO_CYCLE and node.lies_above(value_cycle, turns, s):
        t.cycle = value_cycle
        if bound == tables.UPPER or node.lies_above(best_cycle, turns, s):
            return best
        bound = np.int64(tables.LOWER)

    # Step 15. Store the result, unless actions were left out
    if best_action >= 0 and left_out == 0 and not (in_root_turn and node.is_restricted(t)):
        known = bound != tables.UPPER and (n > 1 or staged or best >= PROVEN)
        stored_action = best_action if known else np.int64(-1)
        stored_value = tables.value_to_tt(best, turns)
        stored_depth = min(depth, np.int64(255))
        tables.store(t.table, t.mask, t.age, key, stored_action, stored_value, stored_depth, bound)
    return best
