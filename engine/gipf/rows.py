"""Rows of GIPF: finding them [G-3], choosing what to take [G-8], and taking it [G-4]."""

from __future__ import annotations

import numpy as np

from tengen.engine.gipf.potentials import can_jump
from tengen.engine.gipf.state import (
    BASIC,
    LINE_AT,
    LINE_CELLS,
    LINE_KEYS,
    LINE_LENGTH,
    NEXT_STEP,
    NONE,
    OPENING_ROWS,
    REMOVE,
    has_row,
    rehash,
    set_reserve,
)
from tengen.engine.jit import ONE, kernel, lsb, popcount

_2, _3 = np.uint64(2), np.uint64(3)
_LINE = np.uint64(127)  # all places along a line


@kernel
def rows_of(own):
    """Return the lines (uint64, a bit each) on which four of the pieces `own` (uint64) are adjacent."""
    found = NONE
    if not has_row(own):
        return found
    for axis in range(3):
        step = NEXT_STEP[axis]
        starts = own & (own >> step)
        starts &= starts >> (step + step)
        while starts:
            found |= ONE << LINE_AT[axis, lsb(starts)]
            starts &= starts - ONE
    return found


@kernel
def rows(s, side):
    """Return the lines (uint64, a bit each) with a row of `side` that is still to be resolved this turn."""
    return rows_of(s.pieces[side]) & ~s.resolved


@kernel
def line_bits(plane, line):
    """Return the bits of a board (uint64) along a line, from its smaller dot, as the low bits of a uint64."""
    bits = NONE
    for i in range(LINE_LENGTH[line]):
        bits |= ((plane >> LINE_CELLS[line, i]) & ONE) << np.uint64(i)
    return bits


@kernel
def _four(bits):
    """Return the lowest places (uint64) of four adjacent bits along a line."""
    return bits & (bits >> ONE) & (bits >> _2) & (bits >> _3)


@kernel
def row_with_extensions(own, occupied):
    """Return a row of four adjacent pieces of `own` with all pieces that extend it (uint64) [G-3].

    Parameters
    ----------
    own, occupied : uint64
        The owner's pieces and all pieces, along the line.
    """
    row = ONE << lsb(_four(own))
    while True:
        more = (row | (row << ONE) | (row >> ONE)) & occupied
        if more == row:
            return row
        row = more


@kernel
def spots_of(line, spots):
    """Return places along a line (uint64) as a bit board."""
    board = NONE
    while spots:
        board |= ONE << LINE_CELLS[line, lsb(spots)]
        spots &= spots - ONE
    return board


@kernel
def capturable(own, foe):
    """Return the pieces `foe` (uint64) that extend rows of `own`."""
    caught = NONE
    for axis in range(3):
        step = NEXT_STEP[axis]
        starts = own & (own >> step)
        starts &= starts >> (step + step)
        while starts:
            cell = lsb(starts)
            starts &= starts - ONE
            line = LINE_AT[axis, cell]
            caught |= spots_of(
                line,
                row_with_extensions(line_bits(own, line), line_bits(own | foe, line)) & line_bits(foe, line),
            )
    return caught


@kernel
def _leaves_stranded(s, line, spots):
    """Return whether taking only `spots` would leave the mover a row but no piece to push.

    Such a turn is illegal: the mover has to take part of a row that could stay (docs/gipf.md, Ends). Rows
    that are still pending avoid it if they hold an own piece other than a used potential.
    """
    me = np.uint64(s.side_to_move)
    if s.reserve[me] > 0:
        return False
    taken = spots_of(line, spots)
    own, foe = s.pieces[me] & ~taken, s.pieces[np.uint64(1) - me] & ~taken
    if (s.pieces[me] & taken & ~s.used) or not has_row(own) or can_jump(own & s.zertz, own | foe):
        return False
    if s.rules != BASIC and (foe & s.gipf) == NONE:
        return False
    kept = rows_of(own)
    pending = kept & ~(s.resolved | (ONE << line))
    while pending:
        other = lsb(pending)
        pending &= pending - ONE
        kept &= ~(ONE << other)
        row = row_with_extensions(line_bits(own, other), line_bits(own | foe, other))
        if row & line_bits(own & ~s.used, other):
            return False
    return kept != NONE


@kernel
def generate_removals(s, actions):
    """Write every row with every choice of what to take of it into `actions`; return their number."""
    me = np.uint64(s.side_to_move)
    occupied = s.pieces[0] | s.pieces[1]
    optional = s.gipf | s.zertz | s.tamsk
    pending = rows(s, me)
    n = 0
    while pending:
        line = lsb(pending)
        pending &= pending - ONE
        own = line_bits(s.pieces[me], line)
        row = row_with_extensions(own, line_bits(occupied, line))
        free = row & line_bits(optional, line)  # may stay [G-8][P-3]
        compelled = row & ~free
        charged = free & line_bits(s.zertz | s.tamsk, line)
        taken = NONE
        while True:
            spots = compelled | taken
            unbroken = compelled == NONE and charged and _four(own & row & ~spots)  # [P-3]
            stranded = s.stage == OPENING_ROWS and _leaves_stranded(s, line, spots)
            if not unbroken and not stranded:
                actions[n] = REMOVE + 128 * np.int64(line) + np.int64(spots)
                n += 1
            taken = ((taken | (_LINE & ~free)) + ONE) & free  # the next subset
            if taken == NONE:
                break
    return n


@kernel
def take_row(s, line, spots):
    """Take `spots` (uint64, along the line) of the mover's row [G-4][G-9][P-4][P-6].

    Return whether a GIPF-piece was taken, which may end the game [G-11].
    """
    me = np.uint64(s.side_to_move)
    other = np.uint64(1) - me
    s.resolved |= ONE << line
    s.key ^= LINE_KEYS[line]
    taken = spots_of(line, spots)
    own, foe = s.pieces[me], s.pieces[other]
    gipf = s.gipf & taken
    returned = popcount(own & taken & ~s.used) + popcount(own & gipf)
    set_reserve(s, me, s.reserve[me] + returned)
    s.pieces[me], s.pieces[other] = own & ~taken, foe & ~taken
    rehash(s, me, own, s.pieces[me])
    rehash(s, other, foe, s.pieces[other])
    rehash(s, 2, gipf, NONE)
    rehash(s, 3, s.zertz & taken, NONE)
    rehash(s, 4, s.tamsk & taken, NONE)
    rehash(s, 5, s.used & taken, NONE)
    s.gipf &= ~taken
    s.zertz &= ~taken
    s.tamsk &= ~taken
    s.used &= ~taken
    return gipf != NONE
