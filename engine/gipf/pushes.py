"""Pushes: bringing a piece in from a dot, which moves the pieces on its line [G-1][G-2]."""

from __future__ import annotations

import numpy as np

from tengen.engine.gipf.state import (
    BASIC_PIECE,
    EXTRA,
    GIPF_PIECE,
    NONE,
    PLACING_KEYS,
    PUSH_FIRST,
    PUSH_MASK,
    PUSH_STEP,
    PUSH_UP,
    PUSHES,
    TAMSK_CHARGED,
    ZERTZ_CHARGED,
    rehash,
    set_potentials,
    set_reserve,
)
from tengen.engine.jit import ONE, kernel, msb


@kernel
def pushed_span(push, occupied):
    """Return the spots (uint64) that a push changes, and the last of them, which is empty, as a bit.

    Both are 0 if the line has no empty spot [G-2].
    """
    mask = PUSH_MASK[push]
    empty = mask & ~occupied
    if empty == NONE:
        return NONE, NONE
    if PUSH_UP[push]:
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
    seen = NONE
    for push in range(PUSHES):
        span, target = pushed_span(np.uint64(push), occupied)
        if span == NONE:
            continue
        if (span & occupied & ~like) == NONE:
            if seen & target:
                continue
            seen |= target
        actions[n] = push + PUSHES * kind
        n += 1
    return n


@kernel
def own_after_push(own, push, span):
    """Return the pieces (uint64) of the pushing side after a push: `own`, shifted in `span`, plus one."""
    moving = own & span
    moved = moving << PUSH_STEP[push] if PUSH_UP[push] else moving >> PUSH_STEP[push]
    return (own & ~span) | moved | PUSH_FIRST[push]


@kernel
def shift_span(plane, push, span):
    """Return a bit board (uint64) after the push: its pieces in `span` are shifted by one spot."""
    moving = plane & span
    moved = moving << PUSH_STEP[push] if PUSH_UP[push] else moving >> PUSH_STEP[push]
    return (plane & ~span) | moved


@kernel
def push_piece(s, push, kind):
    """Push a piece of a kind (int64) onto the board [G-1]; pay for it from reserve and potentials."""
    me = np.uint64(s.side_to_move)
    other = np.uint64(1) - me
    span, _ = pushed_span(push, s.pieces[0] | s.pieces[1])
    first = PUSH_FIRST[push]
    own, foe = s.pieces[me], s.pieces[other]
    s.pieces[me] = own_after_push(own, push, span)
    rehash(s, me, own, s.pieces[me])
    if foe & span:
        s.pieces[other] = shift_span(foe, push, span)
        rehash(s, other, foe, s.pieces[other])
    special = s.gipf | s.zertz | s.tamsk | s.used
    if kind != BASIC_PIECE or (special & span):
        gipf, zertz, tamsk, used = s.gipf, s.zertz, s.tamsk, s.used
        s.gipf = shift_span(gipf, push, span) | (first if kind == GIPF_PIECE else NONE)
        s.zertz = shift_span(zertz, push, span) | (first if kind == ZERTZ_CHARGED else NONE)
        s.tamsk = shift_span(tamsk, push, span) | (first if kind == TAMSK_CHARGED else NONE)
        s.used = shift_span(used, push, span) | (first if kind == EXTRA else NONE)
        rehash(s, 2, gipf, s.gipf)
        rehash(s, 3, zertz, s.zertz)
        rehash(s, 4, tamsk, s.tamsk)
        rehash(s, 5, used, s.used)
    if kind == EXTRA:
        return
    set_reserve(s, me, s.reserve[me] - (2 if kind == GIPF_PIECE else 1))
    if kind == GIPF_PIECE:
        s.begun[me] = 1  # [G-12]
        return
    if s.placing[me]:
        s.placing[me] = 0
        s.key ^= PLACING_KEYS[me]
    if s.zertz_left[me] or s.tamsk_left[me]:  # [P-2]
        if kind == ZERTZ_CHARGED:
            set_potentials(s, me, s.zertz_left[me] - 1, s.tamsk_left[me])
        else:
            set_potentials(s, me, 0, s.tamsk_left[me] - 1 if kind == TAMSK_CHARGED else 0)
