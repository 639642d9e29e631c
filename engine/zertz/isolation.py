"""Isolated groups of ZÈRTZ: full groups of rings that are cut off, and claiming them [Z-5]."""

from __future__ import annotations

import numpy as np

from tengen.engine.jit import ONE, kernel, lsb, popcount
from tengen.engine.zertz.state import (
    AROUND,
    MARBLE_KEYS,
    NONE,
    RING_KEYS,
    free_rings,
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
def cut_rings(rings, vacant):
    """Return the free rings (uint64) whose removal may split the board.

    A ring may split it if its neighbours do not form a single arc around it.
    """
    before = shifted(rings, 5)
    one = more = NONE
    for direction in range(6):
        adjacent = shifted(rings, direction)
        begins = adjacent & ~before
        more |= one & begins
        one |= begins
        before = adjacent
    return more & free_rings(rings, vacant)


@kernel
def may_isolate(s):
    """Return False if no placement can lead to a claim [Z-5] or to a full board [Z-8]."""
    vacant = vacant_rings(s)
    if cut_rings(s.rings, vacant):
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
        while taken:
            s.key ^= MARBLE_KEYS[colour, lsb(taken)]
            taken &= taken - ONE
            set_captured(s, side, np.uint64(colour), s.captured[side, np.uint64(colour)] + 1)
    while group:
        s.key ^= RING_KEYS[lsb(group)]
        group &= group - ONE
