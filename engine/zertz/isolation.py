"""Isolated groups of ZÈRTZ: full groups of rings that are cut off, and claiming them [Z-5]."""

from __future__ import annotations

import numpy as np

from tengen.engine.jit import ONE, kernel, popcount
from tengen.engine.zertz.state import (
    AROUND,
    MARBLE_KEYS,
    NONE,
    RING_KEYS,
    free_rings,
    hash_bits,
    neighbours,
    occupied_rings,
    set_captured,
    shifted,
    vacant_rings,
)


@kernel
def full_group(rings, occupied, ring):
    """Return the connected group (uint64) of `ring` if all its rings are occupied, else 0 [Z-5]."""
    group = ring
    while True:
        reached = neighbours(group) & rings
        if reached & ~occupied:
            return NONE
        if (reached & ~group) == NONE:
            return group
        group |= reached


@kernel
def isolated_groups(rings, occupied, removed):
    """Return the full groups (uint64) that the removal of the ring with bit `removed` cuts off [Z-5]."""
    rings &= ~(ONE << removed)
    seeds = AROUND[removed] & rings & occupied
    found = NONE
    while seeds:
        group = full_group(rings, occupied, seeds & (~seeds + ONE))
        found |= group
        seeds &= seeds - ONE
        seeds &= ~group
    return found


@kernel
def first_claimable(s):
    """Return the group (uint64) to decide about in the claim stage: the one with the lowest bit."""
    return full_group(s.rings, occupied_rings(s), s.claimable & (~s.claimable + ONE))


@kernel
def may_isolate(s):
    """Return False if no placement can lead to a claim [Z-5] or to a full board [Z-8]."""
    vacant = vacant_rings(s)
    before = shifted(s.rings, 5)
    one = more = NONE  # begins of arcs around each ring: the removal of one with several may split the board
    for direction in range(6):
        adjacent = shifted(s.rings, direction)
        begins = adjacent & ~before
        more |= one & begins
        one |= begins
        before = adjacent
    if more & free_rings(s.rings, vacant):
        return True
    whole = s.rings & (~s.rings + ONE)
    while True:
        more = (whole | neighbours(whole)) & s.rings
        if more == whole:
            break
        whole = more
    return whole != s.rings or popcount(vacant) <= 2


@kernel
def take_group(s, side, group):
    """Remove the rings of `group` (uint64); `side` (uint64) captures the marbles on them [Z-5]."""
    s.rings &= ~group
    for colour in range(3):
        taken = s.marbles[colour] & group
        s.marbles[colour] &= ~group
        s.key ^= hash_bits(MARBLE_KEYS[colour], taken)
        set_captured(s, side, np.uint64(colour), s.captured[side, np.uint64(colour)] + popcount(taken))
    s.key ^= hash_bits(RING_KEYS, group)
