"""Forbidden points of Renju [R-2][R-4][R-6], and the restrictions of the Pro opening."""

import numpy as np

from tengen.engine.gomoku.lines.board import KIND_BITS, kinds_of, put_stone, raw_rank
from tengen.engine.gomoku.lines.patterns import (
    FORBIDDEN,
    OPEN_FOUR,
    OPEN_THREE,
    RANK_FIVE,
    SUSPECT,
    rank_of,
)
from tengen.engine.gomoku.state import BLACK, LINE, PLACE, REACH, STATE, STEPS, is_empty
from tengen.engine.jit import kernel

MAX_DEPTH = 12  # of the recursion over points that depend on each other; deeper ones count as allowed
PRO_REACH = 2  # the third stone of the Pro opening is farther than this from the middle


@kernel
def _is_double_three(stack, level, p):
    """Return whether a stone on the point `p` of ``stack[level]`` makes two threes or more [R-5][R-6].

    Parameters
    ----------
    stack : STATE array, shape (MAX_DEPTH + 1,)
        Scratch from `level` + 1 on, for the points on which this one depends.
    level, p : int64
    """
    if level >= MAX_DEPTH:
        return False
    kinds = kinds_of(stack[level], BLACK, p)
    s = stack[level + 1]
    stack[level + 1] = stack[level]
    put_stone(s, BLACK, p)
    threes = 0
    for d in range(4):
        if kinds >> 4 * d & KIND_BITS != OPEN_THREE:
            continue
        line, place = np.int64(LINE[d, p]), np.int64(PLACE[d, p]) + REACH
        own = np.int64(s.lines[0, line]) & ~np.int64(s.lines[1, line])
        is_three = False
        for sign in (-1, 1):  # the next point of the line that is not an own stone
            distance = 1
            while own >> (place + sign * distance) & 1:
                distance += 1
            q = p + sign * distance * STEPS[d]
            if (
                is_empty(s, q)
                and kinds_of(s, BLACK, q) >> 4 * d & KIND_BITS == OPEN_FOUR
                and raw_rank(s, BLACK, q) not in (RANK_FIVE, FORBIDDEN)
                and not (
                    raw_rank(s, BLACK, q) == SUSPECT
                    and _is_double_three(stack, np.int64(level + 1), np.int64(q))
                )
            ):
                is_three = True
        threes += is_three
    return threes > 1


@kernel
def is_forbidden(s, p):
    """Return whether the empty point `p` is forbidden for Black [R-7]; always False except in Renju."""
    rank = raw_rank(s, BLACK, p)
    if rank != SUSPECT:
        return rank == FORBIDDEN
    stack = np.empty(MAX_DEPTH + 1, STATE)
    stack[0] = s
    return _is_double_three(stack, np.int64(0), np.int64(p))


@kernel
def rank_at(s, side, p):
    """Return the rank (int64) of the empty point `p` for `side`, with `SUSPECT` resolved."""
    rank = raw_rank(s, side, p)
    if rank == SUSPECT:
        return np.int64(FORBIDDEN) if is_forbidden(s, p) else rank_of(kinds_of(s, side, p), np.int64(0))
    return rank


@kernel
def may_play(s, p):
    """Return whether the side to move may put a stone on the empty point `p` [M-1][M-4][R-7]."""
    if s.pro and (s.stones == 0 or (s.stones == 2 and s.side_to_move == BLACK)):
        middle = np.int64(s.width) // 2
        away = max(abs(np.int64(PLACE[0, p]) - middle), abs(np.int64(LINE[0, p]) - middle))
        if away != 0 if s.stones == 0 else away <= PRO_REACH:
            return False
    return not (s.renju and s.side_to_move == BLACK and is_forbidden(s, p))
