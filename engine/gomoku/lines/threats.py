"""Fours, open threes and captures: immediate wins, attacks, and defences against threats."""

import numpy as np

import tengen.engine.gomoku.lines.patterns as patterns
import tengen.engine.gomoku.state as state
from tengen.engine.contract import NO_THREAT
from tengen.engine.gomoku.lines.board import (
    KIND_BITS,
    PAIRS_TAKEN,
    PAIRS_THREATENED,
    kinds_of,
    raw_rank,
)
from tengen.engine.gomoku.lines.renju import may_play, rank_at
from tengen.engine.jit import kernel

MAX_PAIRS_PER_STONE = 8  # greatest number of pairs that one stone captures


@kernel
def _near_goal(s, side):
    """Return whether `side` can capture pairs somewhere and may win by that."""
    return (
        s.pairs_to_win > 0
        and s.capture_points[side] > 0
        and s.pairs[side] + MAX_PAIRS_PER_STONE >= s.pairs_to_win
    )


@kernel
def _wins_by_pairs(s, side, p):
    """Return whether `side` wins by capturing pairs with a stone on the empty point `p`."""
    if s.pairs_to_win == 0 or s.takes[side, p] == 0:
        return False
    takes, pairs = np.int64(s.takes[side, p]) & PAIRS_TAKEN, np.int64(s.pairs[side])
    while takes:
        pairs += takes & 3
        takes >>= 4
    return pairs >= s.pairs_to_win


@kernel
def generate_wins(s, side, actions):
    """Write the points on which `side` would win with its next stone into `actions`; return their number."""
    n = 0
    near_goal = _near_goal(s, side)
    if s.rank_counts[side, patterns.RANK_FIVE] == 0 and not near_goal:
        return n
    for y in range(s.width):
        bits = state.candidate_row(s, y) if near_goal else np.int64(s.fours[side, y])
        while bits:
            p = state.row_point(y, bits)
            bits &= bits - 1
            if raw_rank(s, side, p) == patterns.RANK_FIVE or _wins_by_pairs(s, side, p):
                actions[n] = p
                n += 1
    return n


@kernel
def threatens(s, side):
    """Return whether `side` would win with its next stone if it were its turn."""
    if s.rank_counts[side, patterns.RANK_FIVE]:
        return True
    if _near_goal(s, side):
        for y in range(s.width):
            bits = state.candidate_row(s, y)
            while bits:
                if _wins_by_pairs(s, side, state.row_point(y, bits)):
                    return True
                bits &= bits - 1
    return False


@kernel
def _add(s, actions, n, p):
    """Add the point `p` to the `n` actions unless it is listed or illegal; return the new count."""
    for i in range(n):
        if actions[i] == p:
            return n
    if not may_play(s, p):
        return n
    actions[n] = p
    return n + 1


@kernel
def _add_captures(s, actions, n, mask):
    """Add the points where the side to move captures or threatens pairs, by the bits of `mask`."""
    if not s.capturing:
        return n
    me = np.int64(s.side_to_move)
    for y in range(s.width):
        bits = state.candidate_row(s, y)
        while bits:
            p = state.row_point(y, bits)
            bits &= bits - 1
            if np.int64(s.takes[me, p]) & mask:
                n = _add(s, actions, n, p)
    return n


@kernel
def _any_legal(s, actions):
    """Write one legal point into `actions`; return 1."""
    for y in range(s.width):
        bits = state.free_row(s, y)
        while bits:
            if _add(s, actions, 0, state.row_point(y, bits)):
                return 1
            bits &= bits - 1
    return 0


@kernel
def _makes_four(kinds, d):
    """Return whether a stone on a point with these `kinds` of lines makes a four in direction `d`."""
    return (kinds >> 4 * d & KIND_BITS) in (patterns.FOUR, patterns.OPEN_FOUR, patterns.DOUBLE_FOUR)


@kernel
def _stops(s, b, q):
    """Return whether a stone of the side to move on `q` stops the opponent's winning four on `b`.

    In Gobang, preparing a capture may stop it as well.
    """
    if q == b:
        return True
    foe = 1 - np.int64(s.side_to_move)
    kinds = kinds_of(s, foe, b)
    changed = kinds
    for d in range(4):
        line, place = np.int64(state.LINE[d, b]), np.int64(state.PLACE[d, b])
        k = np.int64(state.PLACE[d, q]) - place
        if state.LINE[d, q] != line or abs(k) > state.REACH:
            continue
        if _makes_four(kinds, d):
            own, other = np.int64(s.lines[foe, line]), np.int64(s.lines[1 - foe, line])
            own &= ~other
            other |= np.int64(1) << (place + k + state.REACH)
            kind = patterns.line_value(own >> place, other >> place, s.exactly_five[foe]) & KIND_BITS
            changed = changed & ~(KIND_BITS << 4 * d) | kind << 4 * d
    renju = np.int64(s.renju) if foe == state.BLACK else np.int64(0)
    return patterns.rank_of(changed, renju) != patterns.WINNING_FOUR or (
        s.capturing and _prepares_capture(s, b, q)
    )


@kernel
def _prepares_capture(s, b, q):
    """Return whether a stone of the side to move on `q` may lead to a capture after the opponent plays `b`.

    It threatens a pair, possibly one with `b`; or it completes a pair that `b` captures, which empties the
    other point of the pair.
    """
    me = np.int64(s.side_to_move)
    if np.int64(s.takes[me, q]) & PAIRS_THREATENED:
        return True
    foe = 1 - me
    for d in range(4):
        for sign in (-1, 1):
            step = sign * state.STEPS[d]
            if not _on_board(s, b, d, sign):
                continue
            if state.has_stone(s, foe, b + step) and q in (b - step, b + 2 * step):
                return True
            if q in (b + step, b + 2 * step) and _on_board(s, b, d, 3 * sign):
                other = 2 * b + 3 * step - q
                if state.has_stone(s, me, other) and state.has_stone(s, foe, b + 3 * step):
                    return True
    return False


@kernel
def _on_board(s, p, d, k):
    """Return whether the point `k` steps from `p` in direction `d` is on the board."""
    line = np.int64(state.LINE[d, p])
    off = np.int64(s.lines[0, line]) & np.int64(s.lines[1, line])
    return (off >> (np.int64(state.PLACE[d, p]) + k + state.REACH)) & 1 == 0


@kernel
def _is_certain(s, b):
    """Return whether only stones that `_stops` finds allow a capture after the opponent plays `b`."""
    if not s.capturing:
        return True
    me = np.int64(s.side_to_move)
    foe = 1 - me
    if s.capture_points[me] or np.int64(s.takes[foe, b]) & PAIRS_TAKEN:
        return False
    for d in range(4):
        for sign in (-1, 1):
            step = sign * state.STEPS[d]
            if not (_on_board(s, b, d, sign) and state.has_stone(s, foe, b + step)):
                continue
            if not (_on_board(s, b, d, -sign) and _on_board(s, b, d, 2 * sign)):
                continue
            before, behind = b - step, b + 2 * step
            if state.has_stone(s, me, before) and state.is_empty(s, behind):
                return False
            if state.has_stone(s, me, behind) and state.is_empty(s, before):
                return False
    return True


@kernel
def _generate_stops(s, actions):
    """Write the stones that stop every winning four of the opponent into `actions`; return their number.

    Returns
    -------
    int64
        0 if there is no winning four that is certain to win.
    """
    foe = 1 - np.int64(s.side_to_move)
    n = 0
    first = np.int64(-1)
    for y in range(s.width):
        bits = np.int64(s.fours[foe, y])
        while bits:
            b = state.row_point(y, bits)
            bits &= bits - 1
            certain = raw_rank(s, foe, b) == patterns.WINNING_FOUR and _is_certain(s, b)
            if not certain:  # no stone can make it forbidden
                continue
            if first < 0:
                first = b
                n = _generate_stops_of(s, b, actions)
                continue
            kept = 0
            for i in range(n):
                if _stops(s, b, np.int64(actions[i])):
                    actions[kept] = actions[i]
                    kept += 1
            n = kept
    if first >= 0 and n == 0:
        actions[0] = first
        n = 1
    return n


@kernel
def _generate_stops_of(s, b, actions):
    """Write all points that stop the opponent's winning four on `b` into `actions`; return their number."""
    n = 0
    if s.capturing:  # captures may be prepared anywhere
        for y in range(s.width):
            bits = state.candidate_row(s, y)
            while bits:
                q = state.row_point(y, bits)
                bits &= bits - 1
                if _stops(s, b, q):
                    actions[n] = q
                    n += 1
        return n
    actions[0] = b
    n = 1
    kinds = kinds_of(s, 1 - np.int64(s.side_to_move), b)
    for d in range(4):
        if not _makes_four(kinds, d):
            continue  # a stone on this line leaves the four as it is
        for k in range(-state.REACH, state.REACH + 1):
            q = b + k * state.STEPS[d]
            if k and _on_board(s, b, d, k) and state.is_empty(s, q) and _stops(s, b, q):
                actions[n] = q
                n += 1
    return n


@kernel
def _answer_wins(s, wins, actions):
    """Replace the `wins` winning points of the opponent in `actions` by the answers; return their number."""
    n = _add(s, actions, 0, np.int64(actions[0])) if wins == 1 else 0
    return _add_captures(s, actions, n, PAIRS_TAKEN)  # only a capture stops more than one


@kernel
def generate_defences(s, actions):
    """Write the actions that may answer the opponent's threats into `actions`; return their number.

    All other actions lose: to a five, to captured pairs, or to a winning four. If nothing helps, the list has
    one action.

    Returns
    -------
    int64
        `NO_THREAT` if there is no such threat, or none that is certain to win.
    """
    me = np.int64(s.side_to_move)
    foe = 1 - me
    n = generate_wins(s, me, actions)
    if n:
        return n
    n = generate_wins(s, foe, actions)
    if n:
        lost = np.int64(actions[0])
        n = _answer_wins(s, n, actions)
        if n == 0:
            n = _add(s, actions, 0, lost)
        return n if n else _any_legal(s, actions)
    if s.rank_counts[foe, patterns.WINNING_FOUR] == 0:
        return NO_THREAT
    n = _generate_stops(s, actions)
    if n == 0:
        return NO_THREAT
    kept = 0
    for i in range(n):
        kept = _add(s, actions, kept, np.int64(actions[i]))
    for y in range(s.width):
        bits = np.int64(s.fours[me, y])
        while bits:
            kept = _add(s, actions, kept, state.row_point(y, bits))
            bits &= bits - 1
    n = _add_captures(s, actions, kept, PAIRS_TAKEN)
    return n if n else _any_legal(s, actions)


@kernel
def generate_attacks(s, with_threes, actions):
    """Write the actions that win or threaten to into `actions`, the most urgent first; return their number.

    Parameters
    ----------
    s : STATE record
    with_threes : bool
        Whether to add open threes to the fours.
    actions : int32 array, shape (MAX_ACTIONS,)
    """
    me = np.int64(s.side_to_move)
    foe = 1 - me
    n = generate_wins(s, me, actions)
    if n:
        return n
    n = generate_wins(s, foe, actions)
    if n:
        return _answer_wins(s, n, actions)
    suspects = me == state.BLACK and s.rank_counts[state.BLACK, patterns.SUSPECT] > 0  # may have any rank
    if s.rank_counts[me, patterns.WINNING_FOUR] or suspects:
        n = _add_ranked(s, patterns.WINNING_FOUR, actions, n)
        if n and not s.capturing:
            return 1
    if not (suspects or s.capturing):
        return _add_threats(s, np.int64(patterns.RANK_THREE if with_threes else patterns.RANK_FOUR), actions)
    for rank in range(patterns.WINNING_FOUR - 1, patterns.RANK_FOUR - 1, -1):
        if s.rank_counts[me, rank] or suspects:
            n = _add_ranked(s, rank, actions, n)
    n = _add_captures(s, actions, n, PAIRS_TAKEN)
    if s.pairs_to_win and s.pairs[me] + 2 >= s.pairs_to_win:
        n = _add_captures(s, actions, n, PAIRS_THREATENED)
    if with_threes:
        for rank in range(patterns.RANK_FOUR - 1, patterns.RANK_THREE - 1, -1):
            if s.rank_counts[me, rank] or suspects:
                n = _add_ranked(s, rank, actions, n)
    return n


@kernel
def _add_threats(s, lowest, actions):
    """Write the points from the rank `lowest` up to fours, for the side to move, best first; return how many.

    As `_add_ranked` does for one rank after the other, where no point has the rank `SUSPECT`.
    """
    me = np.int64(s.side_to_move)
    n = np.int64(0)
    for y in range(s.width):
        bits = np.int64(s.fours[me, y] if lowest >= patterns.RANK_FOUR else s.threes[me, y])
        while bits:
            p = state.row_point(y, bits)
            bits &= bits - 1
            rank = raw_rank(s, me, p)
            if rank >= patterns.WINNING_FOUR:
                continue
            place = n
            while place > 0 and raw_rank(s, me, np.int64(actions[place - 1])) < rank:
                actions[place] = actions[place - 1]
                place -= 1
            actions[place] = p
            n += 1
    return n


@kernel
def _add_ranked(s, rank, actions, n):
    """Add the points of `rank` for the side to move."""
    me = np.int64(s.side_to_move)
    for y in range(s.width):
        bits = np.int64(s.fours[me, y] if rank >= patterns.RANK_FOUR else s.threes[me, y])
        while bits:
            p = state.row_point(y, bits)
            bits &= bits - 1
            if rank_at(s, me, p) == rank:
                n = _add(s, actions, n, p)
    return n


@kernel
def close_to_win(s):
    """Return whether the side to move can begin an attack by fours or captures."""
    me = np.int64(s.side_to_move)
    for rank in range(patterns.RANK_FOUR, patterns.FORBIDDEN):
        if s.rank_counts[me, rank]:
            return True
    return s.pairs_to_win > 0 and s.capture_points[me] > 0
