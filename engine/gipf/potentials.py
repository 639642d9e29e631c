"""Jumps of ZÈRTZ potentials [P-5]."""

from __future__ import annotations

import numpy as np

from tengen.engine.gipf.state import JUMP, NEXT_STEP, NONE, PIECE_KEYS, RAYS, discharge
from tengen.engine.jit import ONE, kernel, lsb, msb


@kernel
def landing(occupied, direction, cell):
    """Return where a potential on `cell` lands if it jumps [P-5]: a bit (uint64), 0 if it cannot."""
    ray = RAYS[direction, cell]
    empty = ray & ~occupied
    step = NEXT_STEP[direction]
    adjacent = ONE << (cell + step) if direction < 3 else (ONE << cell) >> step
    if empty == NONE or (ray & adjacent) == NONE or (empty & adjacent):
        return NONE
    return ONE << (lsb(empty) if direction < 3 else msb(empty))


@kernel
def can_jump(jumpers, occupied):
    """Return whether any of the ZÈRTZ-charged pieces `jumpers` (uint64) can jump [P-5]."""
    while jumpers:
        cell = lsb(jumpers)
        jumpers &= jumpers - ONE
        for direction in range(6):
            if landing(occupied, np.uint64(direction), cell):
                return True
    return False


@kernel
def generate_jumps(s, actions, n):
    """Append all jumps to the `n` actions; return the new count."""
    occupied = s.pieces[0] | s.pieces[1]
    jumpers = s.pieces[np.uint64(s.side_to_move)] & s.zertz
    while jumpers:
        cell = lsb(jumpers)
        jumpers &= jumpers - ONE
        for direction in range(6):
            if landing(occupied, np.uint64(direction), cell):
                actions[n] = JUMP + 6 * np.int64(cell) + direction
                n += 1
    return n


@kernel
def jump_potential(s, cell, direction):
    """Move the potential on a spot's bit number by a jump [P-5]."""
    me = np.uint64(s.side_to_move)
    target = landing(s.pieces[0] | s.pieces[1], direction, cell)
    discharge(s, cell)
    s.pieces[me] |= target
    s.used |= target
    s.key ^= PIECE_KEYS[me, lsb(target)] ^ PIECE_KEYS[5, lsb(target)]
