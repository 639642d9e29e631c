"""Actions for the search of forced wins: placements that force a capture or win."""

from __future__ import annotations

import numpy as np

import tengen.engine.zertz.state as state
from tengen.engine.contract import NO_THREAT
from tengen.engine.jit import ONE, kernel, lsb
from tengen.engine.zertz.isolation import isolated_groups, may_isolate
from tengen.engine.zertz.moves import ONGOING, can_capture, generate, generate_colours, generate_rings


@kernel
def _exposed_rings(occupied, vacant):
    """Return the vacant rings (uint64) on which a new marble could capture or be captured at once."""
    found = state.NONE
    for direction in range(6):
        ahead = state.shifted(occupied, direction)  # next to a marble, in this direction from it
        found |= ahead & state.shifted(vacant, (direction + 3) % 6)  # jumped over by that marble
        found |= state.shifted(state.shifted(vacant, direction) & occupied, direction)  # jumping back over it
    return found & vacant


@kernel
def forced(s):
    """Return whether the side to move has to capture [Z-1]."""
    return s.result == ONGOING and (s.stage == state.CAPTURE_STAGE or s.stage == state.JUMP_STAGE)


@kernel
def generate_attacks(s, quiet, actions):
    """Write the actions that may lead to a placement which forces a capture or wins; return their number.

    If the mover has to capture, these are all legal actions.

    Parameters
    ----------
    s : STATE record
    quiet : bool
        Whether to include sacrifices, which only force a capture.
    actions : int32, shape (MAX_ACTIONS,)
    """
    if s.stage == state.MARBLE_STAGE:
        return generate_colours(s, actions) if quiet or may_isolate(s) else 0
    occupied = state.occupied_rings(s)
    vacant = s.rings & ~occupied
    if s.stage == state.RING_STAGE:
        rings = vacant if may_isolate(s) else _exposed_rings(occupied, vacant)
        return generate_rings(rings, state.PLACE + 64 * np.int64(s.hand), actions)
    if s.stage != state.REMOVAL_STAGE:
        return generate(s, actions)
    rings = state.free_rings(s.rings, vacant)
    if s.claimable == state.NONE and (not quiet or not can_capture(occupied, occupied, vacant)):
        cutting = state.NONE
        while rings:
            ring = lsb(rings)
            rings &= rings - ONE
            if isolated_groups(s.rings, occupied, ring) or (vacant & ~(ONE << ring)) == state.NONE:
                cutting |= ONE << ring
        rings = cutting
    return generate_rings(rings, np.int64(state.REMOVE), actions)


@kernel
def generate_defences(s, actions):
    """Write all legal actions if the mover has to capture; return their number, or `NO_THREAT`."""
    return np.int64(generate(s, actions)) if forced(s) else np.int64(NO_THREAT)


@kernel
def is_quiet_threat(before, after):
    """Return whether the action between these states ended a turn other than a capture: a sacrifice."""
    return after.partial == 0 and not forced(before)


@kernel
def close_to_win(s):
    """Return whether the side to move lacks only one marble for a goal [Z-7]."""
    side, rules = np.uint64(s.side_to_move), np.uint64(s.rules)
    lacking = np.int64(0)  # for the set of all colours
    for colour in range(3):
        have = np.int64(s.captured[side, np.uint64(colour)])
        if state.WINNING_COUNTS[rules, np.uint64(colour)] - have <= 1:
            return True
        lacking += max(np.int64(0), state.WINNING_SETS[rules] - have)
    return lacking <= 1
