"""Rows of GIPF: finding them [G-3], choosing what to take [G-8], and taking it [G-4]."""

import numpy as np

import tengen.engine.gipf.state as state
from tengen.engine.gipf.board.potentials import can_move, change_height
from tengen.engine.jit import ONE, kernel, lsb, popcount

_2, _3 = np.uint64(2), np.uint64(3)
_LINE = np.uint64(127)  # all places along a line


@kernel
def rows_of(own):
    """Return the lines (uint64, a bit each) on which four of the pieces `own` (uint64) are adjacent."""
    found = state.NONE
    if not state.has_row(own):
        return found
    for axis in range(3):
        step = state.NEXT_STEP[axis]
        starts = own & (own >> step)
        starts &= starts >> (step + step)
        while starts:
            found |= ONE << state.LINE_AT[axis, lsb(starts)]
            starts &= starts - ONE
    return found


@kernel
def rows(s, side):
    """Return the lines (uint64, a bit each) with a row of `side` to resolve this turn [G-5][G-10]."""
    return rows_of(s.pieces[side]) & ~s.resolved


@kernel
def line_bits(plane, line):
    """Return the bits of a board (uint64) along a line, from its smaller dot, as the low bits of a uint64."""
    bits = state.NONE
    for i in range(state.LINE_LENGTH[line]):
        bits |= ((plane >> state.LINE_CELLS[line, i]) & ONE) << np.uint64(i)
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
    board = state.NONE
    while spots:
        board |= ONE << state.LINE_CELLS[line, lsb(spots)]
        spots &= spots - ONE
    return board


@kernel
def capturable(own, foe):
    """Return the pieces `foe` (uint64) that extend rows of `own`."""
    caught = state.NONE
    lines = rows_of(own)
    while lines:
        line = lsb(lines)
        lines &= lines - ONE
        row = row_with_extensions(line_bits(own, line), line_bits(own | foe, line))
        caught |= spots_of(line, row & line_bits(foe, line))
    return caught


@kernel
def _choice(s, line):
    """Return what a row of the mover leaves to choose: three sets of places along its line (uint64).

    The pieces that must be taken; those that may be taken or left [G-8][G-13][P-3][PD-6]; and, if nothing
    must be taken but the row must be broken [PD-8], the owner's pieces in it, else none.
    """
    own = line_bits(s.pieces[np.uint64(s.side_to_move)], line)
    row = row_with_extensions(own, line_bits(s.pieces[0] | s.pieces[1], line))
    free = row & line_bits(s.gipf, line)
    charged = state.NONE
    if s.kinds:
        charged = row & line_bits(state.loaded(s) & ~state.stacks(s), line)
        free |= charged
    unbroken = own & row if charged and free == row else state.NONE
    return row & ~free, free, unbroken


@kernel
def _next_subset(taken, free):
    """Return the subset of `free` (uint64, along a line) that follows `taken`; 0 after the last."""
    return ((taken | (_LINE & ~free)) + ONE) & free


@kernel
def _leaves_stranded(s, line, spots):
    """Return whether taking `spots` would leave the mover a row but no turn, whatever else is taken.

    Removals that open a turn may not end so: the row would have to be offered again (docs/gipf.md, Ends).
    """
    me = np.uint64(s.side_to_move)
    if s.stage != state.OPENING_ROWS or (s.reserve[me] > 0 and s.pieces[0] | s.pieces[1] != state.BOARD):
        return False
    copies = np.empty(1, state.STATE)
    copies[0] = s
    after = copies[0]
    take_row(after, line, spots)
    if s.rules != state.BASIC and (after.pieces[np.uint64(1) - me] & after.gipf) == state.NONE:
        return False  # the game is over [G-11]
    pending = rows(after, me)
    if pending == state.NONE:
        return state.has_row(after.pieces[me]) and not can_move(after)
    while pending:
        other = lsb(pending)
        pending &= pending - ONE
        compelled, free, unbroken = _choice(after, other)
        taken = state.NONE
        while True:
            if not _four(unbroken & ~taken) and not _leaves_stranded(after, other, compelled | taken):
                return False
            taken = _next_subset(taken, free)
            if taken == state.NONE:
                break
    return True


@kernel
def generate_removals(s, actions):
    """Write every row with every choice of what to take of it into `actions`; return their number."""
    pending = rows(s, np.uint64(s.side_to_move))
    n = 0
    while pending:
        line = lsb(pending)
        pending &= pending - ONE
        compelled, free, unbroken = _choice(s, line)
        taken = state.NONE
        while True:
            spots = compelled | taken
            if not _four(unbroken & ~taken) and not _leaves_stranded(s, line, spots):  # [P-3]
                actions[n] = state.REMOVE + 128 * np.int64(line) + np.int64(spots)
                n += 1
            taken = _next_subset(taken, free)
            if taken == state.NONE:
                break
    return n


@kernel
def take_row(s, line, spots):
    """Take `spots` (uint64, along the line) of the mover's row [G-4][G-9][P-4][P-6].

    Of a stack the top potential goes, and what lies below has the spot [PD-7]. Return whether a GIPF-piece
    was taken, which may end the game [G-11].
    """
    me = np.uint64(s.side_to_move)
    other = np.uint64(1) - me
    s.resolved |= ONE << line
    s.key ^= state.LINE_KEYS[line]
    taken = spots_of(line, spots)
    if s.kinds:
        taken &= ~_take_tops(s, taken & state.stacks(s))
    own, foe = s.pieces[me], s.pieces[other]
    gipf = s.gipf & taken
    returned = popcount(own & taken & ~s.used) + popcount(own & gipf)
    state.set_reserve(s, me, s.reserve[me] + returned)
    s.pieces[me], s.pieces[other] = own & ~taken, foe & ~taken
    state.rehash(s, me, own, s.pieces[me])
    state.rehash(s, other, foe, s.pieces[other])
    state.rehash(s, state.GIPF_PLANE, gipf, state.NONE)
    s.gipf &= ~taken
    if (state.loaded(s) | s.used) & taken:
        for kind in range(state.KINDS):
            state.rehash(s, state.CHARGED_PLANES[kind], s.charged[kind] & taken, state.NONE)
            s.charged[kind] &= ~taken
        state.rehash(s, state.USED_PLANE, s.used & taken, state.NONE)
        s.used &= ~taken
    return gipf != state.NONE


@kernel
def _take_tops(s, tops):
    """Take the top potentials of the stacks `tops` (uint64), which are returned [PD-4][PD-7].

    Lines through a piece of the mover that comes free are to be resolved again [PD-9].
    """
    me = np.uint64(s.side_to_move)
    freed = s.pieces[np.uint64(1) - me] & tops
    for side in range(2):
        before = s.pieces[side]
        s.pieces[side] ^= tops
        state.rehash(s, side, before, s.pieces[side])
    change_height(s, tops, False)
    while freed:
        cell = lsb(freed)
        freed &= freed - ONE
        for axis in range(3):
            line = ONE << state.LINE_AT[axis, cell]
            if s.resolved & line:
                s.resolved &= ~line
                s.key ^= state.LINE_KEYS[state.LINE_AT[axis, cell]]
    return tops
