"""Captures of ZÈRTZ: marbles that jump over others [Z-4]."""

from __future__ import annotations

import numpy as np

from tengen.engine.jit import ONE, kernel, lsb
from tengen.engine.zertz.state import JUMP, MARBLE_KEYS, NEIGHBOURS, NONE, set_captured, shifted


@kernel
def landings(jumpers, occupied, vacant, direction):
    """Return the rings (uint64) on which `jumpers` can land by a jump in a direction [Z-4]."""
    return shifted(shifted(jumpers, direction) & occupied, direction) & vacant


@kernel
def can_capture(jumpers, occupied, vacant):
    """Return whether any of `jumpers` (uint64) can jump over one of `occupied` to one of `vacant` [Z-4]."""
    reached = NONE
    for direction in range(6):
        reached |= landings(jumpers, occupied, vacant, direction)
    return reached != NONE


@kernel
def generate_jumps(jumpers, occupied, vacant, actions):
    """Write the jumps of `jumpers` (uint64) into `actions`; return their number [Z-4]."""
    n = 0
    for direction in range(6):
        lands = landings(jumpers, occupied, vacant, direction)
        back = np.uint64((direction + 3) % 6)
        while lands:
            source = NEIGHBOURS[back, NEIGHBOURS[back, lsb(lands)]]
            lands &= lands - ONE
            actions[n] = JUMP + 6 * np.int64(source) + direction
            n += 1
    return n


@kernel
def jump_marble(s, ring, direction):
    """Move the marble on `ring` by one jump, and capture the marble it jumps over (both uint64) [Z-4].

    Return the ring on which it lands.
    """
    me = np.uint64(s.side_to_move)
    over = NEIGHBOURS[direction, ring]
    target = NEIGHBOURS[direction, over]
    for colour in range(3):
        if s.marbles[colour] & (ONE << over):
            s.marbles[colour] &= ~(ONE << over)
            s.key ^= MARBLE_KEYS[colour, over]
            set_captured(s, me, np.uint64(colour), s.captured[me, np.uint64(colour)] + 1)
        if s.marbles[colour] & (ONE << ring):
            s.marbles[colour] ^= (ONE << ring) | (ONE << target)
            s.key ^= MARBLE_KEYS[colour, ring] ^ MARBLE_KEYS[colour, target]
    return target
