"""Move generation of ZÈRTZ: marbles to place, rings to put them on or to remove, captures, claims."""

from __future__ import annotations

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import ONE, kernel, lsb
from tengen.engine.zertz.jumps import generate_jumps
from tengen.engine.zertz.state import (
    CAPTURE_STAGE,
    CLAIM,
    CLAIM_STAGE,
    DECLINE,
    JUMP_STAGE,
    MARBLE_STAGE,
    PASS,
    PLACE,
    REMOVAL_STAGE,
    REMOVE,
    RING_STAGE,
    free_rings,
    in_stock,
    occupied_rings,
)

ONGOING = int(Outcome.ONGOING)


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
        if in_stock(s, np.uint64(colour)):
            actions[n] = colour
            n += 1
    return n


@kernel
def generate(s, actions):
    """Write all legal actions into `actions` (int32, `MAX_ACTIONS`); return their number, 0 at the end."""
    if s.result != ONGOING:
        return 0
    stage = s.stage
    if stage == MARBLE_STAGE:
        return generate_colours(s, actions)
    occupied = occupied_rings(s)
    vacant = s.rings & ~occupied
    if stage == RING_STAGE:
        return generate_rings(vacant, PLACE + 64 * np.int64(s.hand), actions)
    if stage == REMOVAL_STAGE:
        return generate_rings(free_rings(s.rings, vacant), np.int64(REMOVE), actions)
    if stage == CAPTURE_STAGE:
        return generate_jumps(occupied, occupied, vacant, actions)
    if stage == JUMP_STAGE:
        return generate_jumps(ONE << np.uint64(s.jumper), occupied, vacant, actions)
    if stage == CLAIM_STAGE:
        actions[0], actions[1] = CLAIM, DECLINE
        return 2
    actions[0] = PASS
    return 1
