"""The rules of ZÈRTZ, [Z-1] to [Z-8], as kernels over `STATE`.

Actions are numbered in `engine.zertz.state`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

import tengen.engine.zertz.isolation as isolation
import tengen.engine.zertz.state as state
from tengen.engine.board.grids import image
from tengen.engine.contract import NO_THREAT
from tengen.engine.game import Outcome
from tengen.engine.jit import ONE, kernel, lsb, popcount
from tengen.engine.zertz.moves import can_capture, generate_colours, generate_rings, jump_marble
from tengen.engine.zertz.moves import generate as generate
from tengen.engine.zertz.state import ACTIONS as ACTIONS
from tengen.engine.zertz.state import MAX_ACTIONS as MAX_ACTIONS
from tengen.engine.zertz.state import PASS
from tengen.engine.zertz.state import STATE as STATE
from tengen.engine.zertz.state import recompute_key as recompute_key

MULTI_ACTION_TURNS = True
MERGES_TRANSPOSITIONS = False
CONTINUATIONS = 2  # worth +26 [1, 51] Elo at 10,000 nodes a turn (basic)
LEAF_THREAT_BUDGET = 1
FIRST_THREAT_PLIES = 1000  # no limit: sacrifices and forced captures soon end by themselves

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)
RULE_SETS = {"basic": state.BASIC, "tournament": state.TOURNAMENT}

_64, _6 = np.uint64(64), np.uint64(6)


def start(options: Mapping[str, Any]) -> Any:
    """Return the initial position of the game with these options."""
    s = empty_state(options)
    s.rings = state.BOARDS[s.board]
    s.pool[:] = state.MARBLES[s.rules]
    begin_turn(s)
    return s


def empty_state(options: Mapping[str, Any]) -> Any:
    """Return a state with the options of the game, without rings and marbles."""
    s = np.zeros(1, STATE)[0]
    s.rules = RULE_SETS[options["rules"]]
    s.board = state.RINGS.index(int(options["rings"]))
    s.auto = options["isolation"] == "auto"
    return s


@kernel
def begin_turn(s):
    """Set all fields that follow from board, captures and side to move at the beginning of a turn."""
    s.claimable = state.NONE
    s.result = ONGOING
    _open_turn(s)
    s.key = recompute_key(s)


# ------------------------------------------------------------------------------------------------- generating


@kernel
def count(s):
    """Return the number of legal actions (int64), what `generate` would return."""
    return np.int64(generate(s, np.empty(MAX_ACTIONS, np.int32)))


@kernel
def generate_noisy(s, actions):
    """Write all actions if the mover must capture or is within a turn, else none; return their number."""
    if s.stage == state.MARBLE_STAGE or s.stage == state.PASS_STAGE:
        return 0
    return generate(s, actions)


@kernel
def priority(s, action):
    """Return an ordering hint (int64): captures by colour, removals by the marbles they isolate, else 0."""
    if action >= state.CLAIM:
        return np.int64(1) if action == state.CLAIM else np.int64(0)
    if action >= state.JUMP:
        jump = np.uint64(action - state.JUMP)
        over = ONE << state.NEIGHBOURS[jump % _6, jump // _6]
        return np.int64(3 if s.marbles[0] & over else 2 if s.marbles[1] & over else 1)
    if action >= state.REMOVE:
        return popcount(
            isolation.isolated_groups(s.rings, state.occupied_rings(s), np.uint64(action - state.REMOVE))
        )
    return np.int64(0)


# ---------------------------------------------------------------------------------------------------- playing


@kernel
def holds_goal(s, side):
    """Return whether `side` (uint64) has captured enough marbles to win [Z-7]."""
    goals = state.WINNING_COUNTS[np.uint64(s.rules)]
    each = state.WINNING_SETS[np.uint64(s.rules)]
    white, grey, black = s.captured[side, 0], s.captured[side, 1], s.captured[side, 2]
    if white >= goals[0] or grey >= goals[1] or black >= goals[2]:
        return True
    return white >= each and grey >= each and black >= each


@kernel
def _open_turn(s):
    """Set the first stage of a turn: a capture if there is one [Z-1], else a placement [Z-2][Z-6] or a pass.

    The game is over if the other player has won by the previous turn [Z-7][Z-8], or if both have passed.
    """
    s.partial = 0
    other = np.uint64(1 - s.side_to_move)
    occupied = state.occupied_rings(s)
    vacant = s.rings & ~occupied
    if holds_goal(s, other) or vacant == state.NONE:
        s.result = SECOND_WINS if s.side_to_move == 0 else FIRST_WINS
    elif s.passes == 2:
        s.result = DRAW
    if can_capture(occupied, occupied, vacant):
        s.stage = state.CAPTURE_STAGE
    elif (
        state.in_stock(s, np.uint64(0)) or state.in_stock(s, np.uint64(1)) or state.in_stock(s, np.uint64(2))
    ):
        s.stage = state.MARBLE_STAGE
    else:
        s.stage = state.PASS_STAGE


@kernel
def _end_turn(s, passes):
    """Make the other player the side to move after `passes` passes in a row; the game may be over then."""
    if s.passes != passes:
        s.key ^= state.PASS_KEYS[s.passes] ^ state.PASS_KEYS[passes]
        s.passes = passes
    s.side_to_move = 1 - s.side_to_move
    s.key ^= state.SIDE_KEY
    _open_turn(s)


@kernel
def _after_board_change(s):
    """Finish a placement: the mover takes a full board [Z-8], may claim groups [Z-5], or the turn ends."""
    if state.vacant_rings(s) == state.NONE:
        state.set_claimable(s, state.NONE)
        isolation.take_group(s, np.uint64(s.side_to_move), s.rings)
    elif s.claimable:
        if not s.auto:
            s.stage = state.CLAIM_STAGE
            return
        group = s.claimable
        state.set_claimable(s, state.NONE)
        isolation.take_group(s, np.uint64(s.side_to_move), group)
    _end_turn(s, 0)


@kernel
def _place(s, colour, ring):
    """Place a marble from the pool or from the own captures on the board (colour and ring are uint64)."""
    s.key ^= state.HAND_KEYS[colour] ^ state.MARBLE_KEYS[colour, ring]
    s.hand = 0
    s.marbles[colour] |= ONE << ring
    me = np.uint64(s.side_to_move)
    if s.pool[0] + s.pool[1] + s.pool[2] > 0:
        s.pool[colour] -= 1
    else:  # [Z-6]
        state.set_captured(s, me, colour, s.captured[me, colour] - 1)
    occupied = state.occupied_rings(s)
    vacant = s.rings & ~occupied
    group = isolation.full_group(s.rings, occupied, ONE << ring)
    if group:
        state.set_claimable(s, group)
    if state.free_rings(s.rings, vacant):
        s.stage = state.REMOVAL_STAGE
        s.key ^= state.REMOVAL_KEY
    else:
        _after_board_change(s)


@kernel
def do_move(s, action):
    """Play a legal action on `s`, in place."""
    s.partial = 1
    if action < state.PLACE:
        s.hand = action
        s.key ^= state.HAND_KEYS[action]
        s.stage = state.RING_STAGE
    elif action < state.REMOVE:
        place = np.uint64(action - state.PLACE)
        _place(s, place // _64, place % _64)
    elif action < state.JUMP:
        ring = np.uint64(action - state.REMOVE)
        group = isolation.isolated_groups(s.rings, state.occupied_rings(s), ring)
        s.rings &= ~(ONE << ring)
        s.key ^= state.RING_KEYS[ring] ^ state.REMOVAL_KEY
        if group:
            state.set_claimable(s, s.claimable | group)
        _after_board_change(s)
    elif action < state.CLAIM:
        jump = np.uint64(action - state.JUMP)
        if s.stage == state.JUMP_STAGE:
            s.key ^= state.JUMPER_KEYS[jump // _6]
        target = jump_marble(s, jump // _6, jump % _6)
        occupied, vacant = state.occupied_rings(s), state.vacant_rings(s)
        if can_capture(ONE << target, occupied, vacant):  # it must jump on [Z-4]
            s.stage = state.JUMP_STAGE
            s.jumper = target
            s.key ^= state.JUMPER_KEYS[target]
        else:
            s.jumper = 0
            _end_turn(s, 0)
    elif action == PASS:
        _end_turn(s, s.passes + 1)
    else:
        group = isolation.first_claimable(s)
        state.set_claimable(s, s.claimable & ~group)
        if action == state.CLAIM:
            isolation.take_group(s, np.uint64(s.side_to_move), group)
        if s.claimable == state.NONE:
            _end_turn(s, 0)


@kernel
def may_repeat(s):
    """Return whether an earlier position may come about again [R-1]: once the pool is empty [Z-6]."""
    return s.pool[0] + s.pool[1] + s.pool[2] == 0


def draw_by_repetition(s: Any) -> None:
    """End the game as a draw [R-1]."""
    s.result = DRAW


@kernel
def outcome(s):
    """Return an `engine.game.Outcome` as int64 [Z-7][Z-8][R-1]."""
    return np.int64(s.result)


# ------------------------------------------------------------------------------- the search of forced wins


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
        return generate_colours(s, actions) if quiet or isolation.may_isolate(s) else 0
    occupied = state.occupied_rings(s)
    vacant = s.rings & ~occupied
    if s.stage == state.RING_STAGE:
        rings = vacant if isolation.may_isolate(s) else _exposed_rings(occupied, vacant)
        return generate_rings(rings, state.PLACE + 64 * np.int64(s.hand), actions)
    if s.stage != state.REMOVAL_STAGE:
        return generate(s, actions)
    rings = state.free_rings(s.rings, vacant)
    if s.claimable == state.NONE and (not quiet or not can_capture(occupied, occupied, vacant)):
        cutting = state.NONE
        while rings:
            ring = lsb(rings)
            rings &= rings - ONE
            if isolation.isolated_groups(s.rings, occupied, ring) or (vacant & ~(ONE << ring)) == state.NONE:
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


# ----------------------------------------------------------------------------------------------------- checks


def check(s: Any) -> list[str]:
    """Return the invariants that `s` breaks, in words; empty if it is consistent."""
    faults = []
    planes = [int(plane) for plane in s.marbles]
    if sum(planes) != planes[0] | planes[1] | planes[2]:
        faults.append("a ring holds two marbles")
    if (planes[0] | planes[1] | planes[2]) & ~int(s.rings):
        faults.append("a marble lies on no ring")
    if int(s.rings) & ~int(state.BOARDS[s.board]):
        faults.append("a ring lies outside the board")
    for colour, plane in enumerate(planes):
        expected = state.MARBLES[s.rules][colour]
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
    """Return the images of `s` under the symmetries of the board, `s` itself first: 12, with 48 rings 6."""
    states = []
    for table in state.SYMMETRIES[s.board]:
        t = image(s, table, "rings", "claimable", "marbles")
        if s.stage == state.JUMP_STAGE:
            t.jumper = table[int(s.jumper)]
        t.key = recompute_key(t)
        states.append(t)
    return states
