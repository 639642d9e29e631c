"""Isolated groups of ZÈRTZ: full groups of rings that are cut off, and claiming them [Z-5]."""

import numpy as np

import tengen.engine.zertz.state as state
from tengen.engine.jit import ONE, kernel, popcount


@kernel
def full_group(rings, occupied, ring):
    """Return the connected group (uint64) of `ring` if all its rings are occupied, else 0 [Z-5]."""
    group = ring
    while True:
        reached = state.neighbours(group) & rings
        if reached & ~occupied:
            return state.NONE
        if (reached & ~group) == state.NONE:
            return group
        group |= reached


@kernel
def isolated_groups(rings, occupied, removed):
    """Return the full groups (uint64) that the removal of the ring with bit `removed` cuts off [Z-5]."""
    rings &= ~(ONE << removed)
    seeds = state.AROUND[removed] & rings & occupied
    found = state.NONE
    while seeds:
        group = full_group(rings, occupied, seeds & (~seeds + ONE))
        found |= group
        seeds &= seeds - ONE
        seeds &= ~group
    return found


@kernel
def first_claimable(s):
    """Return the group (uint64) to decide about in the claim stage: the one with the lowest bit."""
    return full_group(s.rings, state.occupied_rings(s), s.claimable & (~s.claimable + ONE))


@kernel
def may_isolate(s):
    """Return False if no placement can lead to a claim [Z-5] or to a full board [Z-8]."""
    vacant = state.vacant_rings(s)
    before = state.shifted(s.rings, 5)
    # Begins of arcs around each ring: the removal of one with several may split the board
    one = more = state.NONE
    for direction in range(6):
        adjacent = state.shifted(s.rings, direction)
        begins = adjacent & ~before
        more |= one & begins
        one |= begins
        before = adjacent
    if more & state.free_rings(s.rings, vacant):
        return True
    whole = s.rings & (~s.rings + ONE)
    while True:
        more = (whole | state.neighbours(whole)) & s.rings
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
        s.key ^= state.hash_bits(state.MARBLE_KEYS[colour], taken)
        state.set_captured(s, side, np.uint64(colour), s.captured[side, np.uint64(colour)] + popcount(taken))
    s.key ^= state.hash_bits(state.RING_KEYS, group)
