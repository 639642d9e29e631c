"""The rules of ZÈRTZ, [Z-1] to [Z-8], as kernels over `STATE`.

Actions, one for each stage of a turn: ``colour`` takes a marble of a colour, ``PLACE + 64 * colour + ring``
puts it down, ``REMOVE + ring`` removes a ring, ``JUMP + 6 * ring + direction`` is one jump of the marble on a
ring, `CLAIM` and `DECLINE` answer for the claimable group with the lowest bit, `PASS` is a turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tengen.engine.board.grids import map_bits
from tengen.engine.contract import NO_THREAT
from tengen.engine.game import Outcome
from tengen.engine.jit import ONE, kernel, lsb, popcount
from tengen.engine.zertz.state import (
    AROUND,
    BASIC,
    BOARDS,
    CAPTURE_STAGE,
    CAPTURED_KEYS,
    CLAIM_KEYS,
    CLAIM_STAGE,
    COLOURS,
    GOAL_OF_EACH,
    GOALS,
    HAND_KEYS,
    JUMP_STAGE,
    JUMPER_KEYS,
    MARBLE_KEYS,
    MARBLE_STAGE,
    MARBLES,
    NEIGHBOURS,
    PASS_KEYS,
    PASS_STAGE,
    REMOVAL_KEY,
    REMOVAL_STAGE,
    RING_KEYS,
    RING_STAGE,
    RINGS,
    SIDE_KEY,
    SYMMETRIES,
    TOURNAMENT,
    free_rings,
    neighbours,
    shifted,
)
from tengen.engine.zertz.state import STATE as STATE

PLACE = 3
REMOVE = PLACE + 3 * 64
JUMP = REMOVE + 64
CLAIM = JUMP + 6 * 64
DECLINE, PASS = CLAIM + 1, CLAIM + 2
ACTIONS = PASS + 1
MAX_ACTIONS = 6 * sum(MARBLES[TOURNAMENT])  # jumps of all marbles
MULTI_ACTION_TURNS = True
MERGES_TRANSPOSITIONS = False
LEAF_THREAT_BUDGET = 1
FIRST_THREAT_PLIES = 1000  # no limit: sacrifices and forced captures soon end by themselves

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)
RULE_SETS = {"basic": BASIC, "tournament": TOURNAMENT}

_NONE = np.uint64(0)
_64, _6 = np.uint64(64), np.uint64(6)
_GOALS = np.array(GOALS, np.int64)
_GOAL_OF_EACH = np.array(GOAL_OF_EACH, np.int64)


def start(options: Mapping[str, Any]) -> Any:
    """Return the initial position of the game that `options` describe."""
    s = empty_state(options)
    s.rings = BOARDS[s.board]
    s.pool[:] = MARBLES[s.rules]
    begin_turn(s)
    return s


def empty_state(options: Mapping[str, Any]) -> Any:
    """Return a state without rings and marbles that knows the game's options."""
    s = np.zeros(1, STATE)[0]
    s.rules = RULE_SETS[options["rules"]]
    s.board = RINGS.index(int(options["rings"]))
    s.auto = options["isolation"] == "auto"
    return s


@kernel
def begin_turn(s):
    """Make the fields of a state at the beginning of a turn agree with its board, captures and turn."""
    s.claimable = _NONE
    s.result = ONGOING
    _open_turn(s)
    s.key = recompute_key(s)


# -------------------------------------------------------------------------------------------------- the board


@kernel
def occupied_rings(s):
    """Return the rings (uint64) with a marble."""
    return s.marbles[0] | s.marbles[1] | s.marbles[2]


@kernel
def vacant_rings(s):
    """Return the rings (uint64) without a marble."""
    return s.rings & ~occupied_rings(s)


@kernel
def holds_goal(s, side):
    """Return whether `side` (uint64) has captured what wins [Z-7]."""
    goals = _GOALS[np.uint64(s.rules)]
    each = _GOAL_OF_EACH[np.uint64(s.rules)]
    white, grey, black = s.captured[side, 0], s.captured[side, 1], s.captured[side, 2]
    if white >= goals[0] or grey >= goals[1] or black >= goals[2]:
        return True
    return white >= each and grey >= each and black >= each


@kernel
def landings(jumpers, occupied, vacant, direction):
    """Return where those of `jumpers` (uint64) land that can jump in a direction [Z-4]."""
    return shifted(shifted(jumpers, direction) & occupied, direction) & vacant


@kernel
def can_capture(jumpers, occupied, vacant):
    """Return whether any of `jumpers` (uint64) can jump over one of `occupied` to one of `vacant` [Z-4]."""
    reached = _NONE
    for direction in range(6):
        reached |= landings(jumpers, occupied, vacant, direction)
    return reached != _NONE


@kernel
def full_group(rings, occupied, ring):
    """Return the rings (uint64) that hang together with `ring` if all are occupied, else 0 [Z-5]."""
    group = ring
    while True:
        reached = neighbours(group) & rings
        if reached & ~occupied:
            return _NONE
        if (reached & ~group) == _NONE:
            return group
        group |= reached


@kernel
def cut_off(rings, occupied, removed):
    """Return the full groups (uint64) that are on their own once the ring with bit `removed` goes [Z-5]."""
    rings &= ~(ONE << removed)
    seeds = AROUND[removed] & rings & occupied
    found = _NONE
    while seeds:
        group = full_group(rings, occupied, seeds & (~seeds + ONE))
        found |= group
        seeds &= seeds - ONE
        seeds &= ~group
    return found


# ------------------------------------------------------------------------------------------------- generating


@kernel
def _generate_jumps(jumpers, occupied, vacant, actions):
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
def _generate_rings(rings, first, actions):
    """Write ``first + ring`` for each of `rings` (uint64) into `actions`; return their number."""
    n = 0
    while rings:
        actions[n] = first + np.int64(lsb(rings))
        rings &= rings - ONE
        n += 1
    return n


@kernel
def in_stock(s, colour):
    """Return whether the side to move has a marble of a colour (uint64) to place [Z-2][Z-6]."""
    if s.pool[0] + s.pool[1] + s.pool[2] > 0:
        return s.pool[colour] > 0
    return s.captured[np.uint64(s.side_to_move), colour] > 0


@kernel
def _generate_colours(s, actions):
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
        return _generate_colours(s, actions)
    occupied = occupied_rings(s)
    vacant = s.rings & ~occupied
    if stage == RING_STAGE:
        return _generate_rings(vacant, PLACE + 64 * np.int64(s.hand), actions)
    if stage == REMOVAL_STAGE:
        return _generate_rings(free_rings(s.rings, vacant), np.int64(REMOVE), actions)
    if stage == CAPTURE_STAGE:
        return _generate_jumps(occupied, occupied, vacant, actions)
    if stage == JUMP_STAGE:
        return _generate_jumps(ONE << np.uint64(s.jumper), occupied, vacant, actions)
    if stage == CLAIM_STAGE:
        actions[0], actions[1] = CLAIM, DECLINE
        return 2
    actions[0] = PASS
    return 1


@kernel
def count(s):
    """Return the number of legal actions (int64), what `generate` would return."""
    return np.int64(generate(s, np.empty(MAX_ACTIONS, np.int32)))


@kernel
def generate_candidates(s, actions):
    """Write all legal actions: none can be left out unseen; return their number."""
    return generate(s, actions)


@kernel
def generate_noisy(s, actions):
    """Write all actions when the mover has to capture or has begun a turn, else none; return their number."""
    if s.stage == MARBLE_STAGE or s.stage == PASS_STAGE:
        return 0
    return generate(s, actions)


@kernel
def _threatening(occupied, vacant):
    """Return the vacant rings (uint64) on which a marble could capture or be captured at once."""
    found = _NONE
    for direction in range(6):
        ahead = shifted(occupied, direction)  # next to a marble, in this direction from it
        found |= ahead & shifted(vacant, (direction + 3) % 6)  # jumped over by that marble
        found |= shifted(shifted(vacant, direction) & occupied, direction)  # jumping back over it
    return found & vacant


@kernel
def _cutters(rings, vacant):
    """Return the free rings (uint64) whose removal can leave rings on their own that hang together by them.

    Those are the rings whose neighbours are not all next to each other in one arc.
    """
    before = shifted(rings, 5)
    one = more = _NONE
    for direction in range(6):
        beside = shifted(rings, direction)
        begins = beside & ~before
        more |= one & begins
        one |= begins
        before = beside
    return more & free_rings(rings, vacant)


@kernel
def may_isolate(s):
    """Return False when no placement whatever can be followed by a claim [Z-5] or [Z-8]."""
    vacant = vacant_rings(s)
    if _cutters(s.rings, vacant):
        return True
    whole = s.rings & (~s.rings + ONE)
    while True:
        more = (whole | neighbours(whole)) & s.rings
        if more == whole:
            break
        whole = more
    return whole != s.rings or popcount(vacant) <= 2


@kernel
def generate_attacks(s, quiet, actions):
    """Write what may lead to a placement that forces a capture or wins, into `actions`; return their number.

    Where the mover has to capture, these are all legal actions.

    Parameters
    ----------
    s : STATE record
    quiet : bool
        Whether sacrifices are wanted: placements that only force a capture.
    actions : int32, shape (MAX_ACTIONS,)
    """
    if s.stage == MARBLE_STAGE:
        return _generate_colours(s, actions) if quiet or may_isolate(s) else 0
    occupied = occupied_rings(s)
    vacant = s.rings & ~occupied
    if s.stage == RING_STAGE:
        rings = vacant if may_isolate(s) else _threatening(occupied, vacant)
        return _generate_rings(rings, PLACE + 64 * np.int64(s.hand), actions)
    if s.stage != REMOVAL_STAGE:
        return generate(s, actions)
    rings = free_rings(s.rings, vacant)
    if s.claimable == _NONE and (not quiet or not can_capture(occupied, occupied, vacant)):
        cutting = _NONE
        while rings:
            ring = lsb(rings)
            rings &= rings - ONE
            if cut_off(s.rings, occupied, ring) or (vacant & ~(ONE << ring)) == _NONE:
                cutting |= ONE << ring
        rings = cutting
    return _generate_rings(rings, np.int64(REMOVE), actions)


@kernel
def generate_defences(s, actions):
    """Write all legal actions if the mover has to capture; return their number, or `NO_THREAT`."""
    return np.int64(generate(s, actions)) if forced(s) else np.int64(NO_THREAT)


@kernel
def is_quiet_threat(before, after):
    """Return whether the action between these states ended a turn that was not a capture: a sacrifice."""
    return after.partial == 0 and not forced(before)


@kernel
def close_to_win(s):
    """Return whether the side to move lacks a single marble for a goal [Z-7]."""
    side, rules = np.uint64(s.side_to_move), np.uint64(s.rules)
    lacking = np.int64(0)  # for the set of all colours
    for colour in range(3):
        have = np.int64(s.captured[side, np.uint64(colour)])
        if _GOALS[rules, np.uint64(colour)] - have <= 1:
            return True
        lacking += max(np.int64(0), _GOAL_OF_EACH[rules] - have)
    return lacking <= 1


@kernel
def forced(s):
    """Return whether the side to move has to capture [Z-1]."""
    return s.result == ONGOING and (s.stage == CAPTURE_STAGE or s.stage == JUMP_STAGE)


@kernel
def priority(s, action):
    """Return an ordering hint (int64): captures by worth and groups cut off first, 0 for all others."""
    if action >= CLAIM:
        return np.int64(1) if action == CLAIM else np.int64(0)
    if action >= JUMP:
        jump = np.uint64(action - JUMP)
        over = ONE << NEIGHBOURS[jump % _6, jump // _6]
        return np.int64(3 if s.marbles[0] & over else 2 if s.marbles[1] & over else 1)
    if action >= REMOVE:
        return popcount(cut_off(s.rings, occupied_rings(s), np.uint64(action - REMOVE)))
    return np.int64(0)


# ---------------------------------------------------------------------------------------------------- playing


@kernel
def _won_by(side):
    return FIRST_WINS if side == 0 else SECOND_WINS


@kernel
def _set_captured(s, side, colour, number):
    """Set how many marbles of a colour `side` has captured (side and colour are uint64, number is int64)."""
    s.key ^= CAPTURED_KEYS[side, colour, s.captured[side, colour]] ^ CAPTURED_KEYS[side, colour, number]
    s.captured[side, colour] = number


@kernel
def _take(s, side, group):
    """Give `side` (uint64) the rings of `group` (uint64) with their marbles [Z-5]."""
    s.rings &= ~group
    for colour in range(3):
        taken = s.marbles[colour] & group
        s.marbles[colour] &= ~group
        while taken:
            s.key ^= MARBLE_KEYS[colour, lsb(taken)]
            taken &= taken - ONE
            _set_captured(s, side, np.uint64(colour), s.captured[side, np.uint64(colour)] + 1)
    while group:
        s.key ^= RING_KEYS[lsb(group)]
        group &= group - ONE


@kernel
def _set_claimable(s, group):
    """Set the rings (uint64) that can be claimed."""
    changed = s.claimable ^ group
    while changed:
        s.key ^= CLAIM_KEYS[lsb(changed)]
        changed &= changed - ONE
    s.claimable = group


@kernel
def _open_turn(s):
    """Set what a turn begins with: captures if there are any [Z-1], or a placement [Z-2][Z-6], or a pass.

    The game is over if the other player has won by the turn before [Z-7][Z-8], or both have passed.
    """
    s.partial = 0
    other = np.uint64(1 - s.side_to_move)
    occupied = occupied_rings(s)
    vacant = s.rings & ~occupied
    if holds_goal(s, other) or vacant == _NONE:
        s.result = _won_by(other)
    elif s.passes == 2:
        s.result = DRAW
    if can_capture(occupied, occupied, vacant):
        s.stage = CAPTURE_STAGE
    elif in_stock(s, np.uint64(0)) or in_stock(s, np.uint64(1)) or in_stock(s, np.uint64(2)):
        s.stage = MARBLE_STAGE
    else:
        s.stage = PASS_STAGE


@kernel
def _end_turn(s, passes):
    """Let the other player move, unless the game is over; `passes` in a row there have been."""
    if s.passes != passes:
        s.key ^= PASS_KEYS[s.passes] ^ PASS_KEYS[passes]
        s.passes = passes
    s.side_to_move = 1 - s.side_to_move
    s.key ^= SIDE_KEY
    _open_turn(s)


@kernel
def _after_board_change(s):
    """Go on once marble and ring are where they belong: take all [Z-8], claim [Z-5], or end the turn."""
    if vacant_rings(s) == _NONE:
        _set_claimable(s, _NONE)
        _take(s, np.uint64(s.side_to_move), s.rings)
    elif s.claimable:
        if not s.auto:
            s.stage = CLAIM_STAGE
            return
        group = s.claimable
        _set_claimable(s, _NONE)
        _take(s, np.uint64(s.side_to_move), group)
    _end_turn(s, 0)


@kernel
def _place(s, colour, ring):
    """Put a marble (colour and ring are uint64) down, which is taken from the pool or the own captures."""
    s.key ^= HAND_KEYS[colour] ^ MARBLE_KEYS[colour, ring]
    s.hand = 0
    s.marbles[colour] |= ONE << ring
    me = np.uint64(s.side_to_move)
    if s.pool[0] + s.pool[1] + s.pool[2] > 0:
        s.pool[colour] -= 1
    else:  # [Z-6]
        _set_captured(s, me, colour, s.captured[me, colour] - 1)
    occupied = occupied_rings(s)
    vacant = s.rings & ~occupied
    group = full_group(s.rings, occupied, ONE << ring)
    if group:
        _set_claimable(s, group)
    if free_rings(s.rings, vacant):
        s.stage = REMOVAL_STAGE
        s.key ^= REMOVAL_KEY
    else:
        _after_board_change(s)


@kernel
def _jump(s, ring, direction):
    """Let the marble on `ring` jump (both uint64); it must go on if it can [Z-4]."""
    if s.stage == JUMP_STAGE:
        s.key ^= JUMPER_KEYS[ring]
    me = np.uint64(s.side_to_move)
    over = NEIGHBOURS[direction, ring]
    target = NEIGHBOURS[direction, over]
    for colour in range(3):
        if s.marbles[colour] & (ONE << over):
            s.marbles[colour] &= ~(ONE << over)
            s.key ^= MARBLE_KEYS[colour, over]
            _set_captured(s, me, np.uint64(colour), s.captured[me, np.uint64(colour)] + 1)
        if s.marbles[colour] & (ONE << ring):
            s.marbles[colour] ^= (ONE << ring) | (ONE << target)
            s.key ^= MARBLE_KEYS[colour, ring] ^ MARBLE_KEYS[colour, target]
    occupied = occupied_rings(s)
    if can_capture(ONE << target, occupied, s.rings & ~occupied):
        s.stage = JUMP_STAGE
        s.jumper = target
        s.key ^= JUMPER_KEYS[target]
    else:
        s.jumper = 0
        _end_turn(s, 0)


@kernel
def do_move(s, action):
    """Play a legal action on `s`, in place."""
    s.partial = 1
    if action < PLACE:
        s.hand = action
        s.key ^= HAND_KEYS[action]
        s.stage = RING_STAGE
    elif action < REMOVE:
        place = np.uint64(action - PLACE)
        _place(s, place // _64, place % _64)
    elif action < JUMP:
        ring = np.uint64(action - REMOVE)
        group = cut_off(s.rings, occupied_rings(s), ring)
        s.rings &= ~(ONE << ring)
        s.key ^= RING_KEYS[ring] ^ REMOVAL_KEY
        if group:
            _set_claimable(s, s.claimable | group)
        _after_board_change(s)
    elif action < CLAIM:
        jump = np.uint64(action - JUMP)
        _jump(s, jump // _6, jump % _6)
    elif action == PASS:
        _end_turn(s, s.passes + 1)
    else:
        group = first_claimable(s)
        _set_claimable(s, s.claimable & ~group)
        if action == CLAIM:
            _take(s, np.uint64(s.side_to_move), group)
        if s.claimable == _NONE:
            _end_turn(s, 0)


@kernel
def first_claimable(s):
    """Return the group (uint64) that the claim stage asks about: that with the lowest bit."""
    return full_group(s.rings, occupied_rings(s), s.claimable & (~s.claimable + ONE))


@kernel
def outcome(s):
    """Return an `engine.game.Outcome` as int64 [Z-7][Z-8]."""
    return np.int64(s.result)


# ------------------------------------------------------------------------------------------------------ tests


@kernel
def recompute_key(s):
    """Return the Zobrist key (uint64) of `s` from its other fields."""
    key = PASS_KEYS[s.passes]
    if s.side_to_move == 1:
        key ^= SIDE_KEY
    for colour in range(3):
        marbles = s.marbles[colour]
        while marbles:
            key ^= MARBLE_KEYS[colour, lsb(marbles)]
            marbles &= marbles - ONE
        for side in range(2):
            key ^= CAPTURED_KEYS[side, colour, s.captured[side, colour]]
    rings = s.rings
    while rings:
        key ^= RING_KEYS[lsb(rings)]
        rings &= rings - ONE
    claims = s.claimable
    while claims:
        key ^= CLAIM_KEYS[lsb(claims)]
        claims &= claims - ONE
    if s.stage == RING_STAGE:
        key ^= HAND_KEYS[s.hand]
    elif s.stage == REMOVAL_STAGE:
        key ^= REMOVAL_KEY
    elif s.stage == JUMP_STAGE:
        key ^= JUMPER_KEYS[s.jumper]
    return key


def check(s: Any) -> list[str]:
    """Return the invariants that `s` breaks, in words; empty when it is consistent."""
    faults = []
    planes = [int(plane) for plane in s.marbles]
    if sum(planes) != planes[0] | planes[1] | planes[2]:
        faults.append("a ring holds two marbles")
    if (planes[0] | planes[1] | planes[2]) & ~int(s.rings):
        faults.append("a marble lies on no ring")
    if int(s.rings) & ~int(BOARDS[s.board]):
        faults.append("a ring lies outside the board")
    for colour, plane in enumerate(planes):
        expected = MARBLES[s.rules][colour]
        off_board = int(s.pool[colour]), *(int(captured[colour]) for captured in s.captured)
        total = plane.bit_count() + sum(off_board)
        if min(off_board) < 0 or total != expected:
            word = ("white", "grey", "black")[colour]
            faults.append(f"expected {expected} {word} marbles in all, got {total}")
    if s.partial and s.result:
        faults.append("a turn goes on after the end of the game")
    if int(s.claimable) & ~(planes[0] | planes[1] | planes[2]):
        faults.append("a vacant ring is claimable")
    if not s.partial and (s.claimable or s.hand or s.jumper):
        faults.append("something is left of the turn before")
    if int(s.key) != int(recompute_key(s)):
        faults.append("the key is not that of the position")
    return faults


def symmetries(s: Any) -> list[Any]:
    """Return the states that are `s` seen from other sides, itself first: 12, on the board of 48 rings 6."""
    states = []
    for table in SYMMETRIES[s.board]:
        t = s.copy()
        for field in ("rings", "claimable"):
            t[field] = map_bits(int(s[field]), table)
        for colour in range(len(COLOURS)):
            t.marbles[colour] = map_bits(int(s.marbles[colour]), table)
        if s.stage == JUMP_STAGE:
            t.jumper = table[int(s.jumper)]
        t.key = recompute_key(t)
        states.append(t)
    return states
