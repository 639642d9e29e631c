"""Pushes: bringing a piece in from a dot, which moves the pieces on its line [G-1][G-2]."""

import numpy as np

import tengen.engine.gipf.state as state
from tengen.engine.jit import ONE, kernel, msb, popcount

_1, _8, _9 = np.uint64(1), np.uint64(8), np.uint64(9)  # steps along the lines of each direction


@kernel
def pushed_span(push, occupied):
    """Return the spots (uint64) that a push changes, and the last of them, which is empty, as a bit.

    Both are 0 if the line has no empty spot [G-2].
    """
    mask = state.PUSH_MASK[push]
    empty = mask & ~occupied
    if empty == state.NONE:
        return state.NONE, state.NONE
    if state.PUSH_UP[push]:
        target = empty & (~empty + ONE)
        return mask & (target | (target - ONE)), target
    target = ONE << msb(empty)
    return mask & ~(target - ONE), target


@kernel
def generate_pushes(s, kind, like, actions, n):
    """Append the pushes of one kind of piece to the `n` actions; return the new count.

    Of several pushes to the same position, only the one with the smallest dot is listed. Two pushes give the
    same position if they end on the same empty spot and all moved pieces are of the pushed kind (`like`).
    """
    occupied = s.pieces[0] | s.pieces[1]
    seen = state.NONE
    for push in range(state.PUSHES):
        span, target = pushed_span(np.uint64(push), occupied)
        if span == state.NONE:
            continue
        if (span & occupied & ~like) == state.NONE:
            if seen & target:
                continue
            seen |= target
        actions[n] = push + state.PUSHES * kind
        n += 1
    return n


@kernel
def _completing(own, step):
    """Return the spots (uint64) on which a piece makes four adjacent `own` ones along the lines of `step`."""
    two = step + step
    before, after = (own << step) & (own << two), (own >> step) & (own >> two)
    three = two + step
    return (before & ((own << three) | (own >> step))) | (after & ((own >> three) | (own << step)))


@kernel
def row_makers(own):
    """Return the spots that complete rows of `own` across lines of each direction: three uint64.

    A line whose spots are not among those of its direction gets no row across it by a push.
    """
    a, b, c = _completing(own, _1), _completing(own, _8), _completing(own, _9)
    return b | c, a | c, a | b


@kernel
def may_make_row(own, makers, push):
    """Return False if a push (int64) makes no row of `own`, which has none; `makers` is `row_makers(own)`."""
    mask, step = state.PUSH_MASK[push], state.PUSH_STEP[push]
    across = makers[0] if step == _1 else makers[1] if step == _8 else makers[2]
    return (across & mask) != state.NONE or popcount(own & mask) >= 3


@kernel
def own_after_push(own, push, span):
    """Return the pieces (uint64) of the pushing side after a push: `own`, shifted in `span`, plus one."""
    return shift_span(own, push, span) | state.PUSH_FIRST[push]


@kernel
def shift_span(plane, push, span):
    """Return a bit board (uint64) after the push: its pieces in `span` are shifted by one spot."""
    moving = plane & span
    moved = moving << state.PUSH_STEP[push] if state.PUSH_UP[push] else moving >> state.PUSH_STEP[push]
    return (plane & ~span) | moved


@kernel
def push_piece(s, push, kind):
    """Push a piece of a kind (int64) onto the board [G-1]; pay for it from reserve and potentials."""
    me = np.uint64(s.side_to_move)
    other = np.uint64(1) - me
    span, _ = pushed_span(push, s.pieces[0] | s.pieces[1])
    first = state.PUSH_FIRST[push]
    own, foe = s.pieces[me], s.pieces[other]
    s.pieces[me] = own_after_push(own, push, span)
    state.rehash(s, me, own, s.pieces[me])
    if foe & span:
        s.pieces[other] = shift_span(foe, push, span)
        state.rehash(s, other, foe, s.pieces[other])
    gipf = s.gipf
    if kind == state.GIPF_PIECE or (gipf & span):
        s.gipf = shift_span(gipf, push, span) | (first if kind == state.GIPF_PIECE else state.NONE)
        state.rehash(s, state.GIPF_PLANE, gipf, s.gipf)
    if s.kinds:
        _push_potentials(s, push, span, kind)
    if kind == state.EXTRA:
        return
    state.set_reserve(s, me, s.reserve[me] - (2 if kind == state.GIPF_PIECE else 1))
    if kind == state.GIPF_PIECE:
        s.begun[me] = 1  # [G-12]
        return
    if s.placing[me]:
        s.placing[me] = 0
        s.key ^= state.PLACING_KEYS[me]
    for potential in range(state.KINDS if s.kinds else 0):  # the one pushed, and those lost [P-2][PD-2][T-1]
        left = s.left[me, potential]
        if left and kind == state.CHARGED + potential:
            state.set_left(s, me, potential, left - 1)
        elif left and (
            kind == state.BASIC_PIECE or (kind == state.CHARGED + state.TAMSK and potential == state.ZERTZ)
        ):
            state.set_left(s, me, potential, 0)


@kernel
def _push_potentials(s, push, span, kind):
    """Shift charged pieces, used potentials and stacks in `span`; put what comes in on the first [T-5]."""
    if kind < state.CHARGED and ((state.loaded(s) | s.used | state.stacks(s)) & span) == state.NONE:
        return
    first = state.PUSH_FIRST[push]
    for potential in range(state.KINDS):
        charged = s.charged[potential]
        if (charged & span) or kind == state.CHARGED + potential:
            s.charged[potential] = shift_span(charged, push, span) | (
                first if kind == state.CHARGED + potential else state.NONE
            )
            state.rehash(s, state.CHARGED_PLANES[potential], charged, s.charged[potential])
    used = s.used
    if (used & span) or kind == state.EXTRA:
        s.used = shift_span(used, push, span) | (first if kind == state.EXTRA else state.NONE)
        state.rehash(s, state.USED_PLANE, used, s.used)
    if state.stacks(s) & span:
        for i in range(state.HEIGHT_BITS):
            height = s.stacked[i]
            s.stacked[i] = shift_span(height, push, span)
            state.rehash(s, state.HEIGHT_PLANE + i, height, s.stacked[i])
