"""Move generation of ZÈRTZ: marbles to place, rings to put them on or to remove, captures, claims."""

import numpy as np

import tengen.engine.zertz.state as state
from tengen.engine.game import Outcome
from tengen.engine.jit import ONE, kernel, lsb

ONGOING = int(Outcome.ONGOING)


@kernel
def landings(jumpers, occupied, vacant, direction):
    """Return the rings (uint64) on which `jumpers` can land by a jump in a direction [Z-4]."""
    return state.shifted(state.shifted(jumpers, direction) & occupied, direction) & vacant


@kernel
def can_capture(jumpers, occupied, vacant):
    """Return whether any of `jumpers` (uint64) can jump over one of `occupied` to one of `vacant` [Z-4]."""
    reached = state.NONE
    for direction in range(6):
        reached |= landings(jumpers, occupied, vacant, direction)
    return reached != state.NONE


@kernel
def generate_jumps(jumpers, occupied, vacant, actions):
    """Write the jumps of `jumpers` (uint64) into `actions`; return their number [Z-4]."""
    n = 0
    for direction in range(6):
        lands = landings(jumpers, occupied, vacant, direction)
        back = np.uint64((direction + 3) % 6)
        while lands:
            source = state.NEIGHBOURS[back, state.NEIGHBOURS[back, lsb(lands)]]
            lands &= lands - ONE
            actions[n] = state.JUMP + 6 * np.int64(source) + direction
            n += 1
    return n


@kernel
def jump_marble(s, ring, direction):
    """Move the marble on `ring` by one jump, and capture the marble it jumps over (both uint64) [Z-4].

    Return the ring on which it lands.
    """
    me = np.uint64(s.side_to_move)
    over = state.NEIGHBOURS[direction, ring]
    target = state.NEIGHBOURS[direction, over]
    for colour in range(3):
        if s.marbles[colour] & (ONE << over):
            s.marbles[colour] &= ~(ONE << over)
            s.key ^= state.MARBLE_KEYS[colour, over]
            state.set_captured(s, me, np.uint64(colour), s.captured[me, np.uint64(colour)] + 1)
        if s.marbles[colour] & (ONE << ring):
            s.marbles[colour] ^= (ONE << ring) | (ONE << target)
            s.key ^= state.MARBLE_KEYS[colour, ring] ^ state.MARBLE_KEYS[colour, target]
    return target


@kernel
def generate_rings(rings, first, actions):
    """Write ``first + ring`` for each of `rings` (uint64) into `actions`; return their number."""
    n = 0
    while rings:
        actions[n] = first + np.int64(lsb(rings))
        rings &= rings - ONE
        n += 1
    return n


@kernel
def generate_colours(s, actions):
    """Write the colours that the mover may place into `actions`; return their number [Z-2][Z-6]."""
    n = 0
    for colour in range(3):
        if state.in_stock(s, np.uint64(colour)):
            actions[n] = colour
            n += 1
    return n


@kernel
def generate(s, actions):
    """Write all legal actions into `actions` (int32, `MAX_ACTIONS`); return their number, 0 at the end."""
    if s.result != ONGOING:
        return 0
    stage = s.stage
    if stage == state.MARBLE_STAGE:
        return generate_colours(s, actions)
    occupied = state.occupied_rings(s)
    vacant = s.rings & ~occupied
    if stage == state.RING_STAGE:
        return generate_rings(vacant, state.PLACE + 64 * np.int64(s.hand), actions)
    if stage == state.REMOVAL_STAGE:
        return generate_rings(state.free_rings(s.rings, vacant), np.int64(state.REMOVE), actions)
    if stage == state.CAPTURE_STAGE:
        return generate_jumps(occupied, occupied, vacant, actions)
    if stage == state.JUMP_STAGE:
        return generate_jumps(ONE << np.uint64(s.jumper), occupied, vacant, actions)
    if stage == state.CLAIM_STAGE:
        actions[0], actions[1] = state.CLAIM, state.DECLINE
        return 2
    actions[0] = state.PASS
    return 1
