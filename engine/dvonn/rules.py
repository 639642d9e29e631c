"""The rules of DVONN, [D-1] to [D-9], as kernels over `STATE`.

Actions: a placement is ``cell * 65`` (source and destination the same), a move ``source + 64 * destination``,
a pass `PASS`. Every action is a turn.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

import tengen.engine.dvonn.state as state
from tengen.engine.board.grids import image
from tengen.engine.dvonn.state import STATE as STATE
from tengen.engine.game import Outcome
from tengen.engine.jit import ONE, kernel, lsb, popcount

ACTIONS = 4096
MAX_ACTIONS = 6 * state.PIECES
MULTI_ACTION_TURNS = False
MERGES_TRANSPOSITIONS = False
PASS = 4095

# Every other action captures something, so none is tactical: all are reduced, and pruned when they come late.
# With the continuation history worth +27 [2, 52] Elo from full boards, at equal processor time.
TACTICAL_ABOVE = state.PIECES
CONTINUATIONS = 2
LATE_MOVE_COUNTS = (0, 14, 26, 46, 74)

NULL_ABOVE = 10  # occupied cells: no null move with fewer, because of zugzwang
ENDGAME_LIMIT, EAGER_LIMIT = state.PIECES, 34  # occupied cells
MAX_MARGIN = state.PIECES

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)

_LOW = np.uint64(63)
_SHIFT = np.uint64(6)
_NONE = np.uint64(0)
_PER_CELL = 65


def start(options: Mapping[str, Any]) -> Any:
    """Return the empty board, White to place the first DVONN piece [D-1]; `options` is empty."""
    s = np.zeros(1, STATE)[0]
    s.key = recompute_key(s)
    return s


@kernel
def can_move(s, side):
    """Return whether `side` (0, 1) could move in the second phase if it were its turn [D-3][D-4]."""
    free = s.control[side] & ~state.surrounded(s.occupied)
    while free:
        cell = lsb(free)
        free &= free - ONE
        if state.REACH[s.height[cell], cell] & s.occupied:
            return True
    return False


@kernel
def generate(s, actions):
    """Write all legal actions, cells ascending, into `actions` (int32, `MAX_ACTIONS`); return their number.

    It is 0 only if neither side can move, which ends the game [D-7].
    """
    n = 0
    if s.placed < state.PIECES:  # [D-1]
        empty = state.BOARD & ~s.occupied
        while empty:
            actions[n] = np.int64(lsb(empty)) * _PER_CELL
            empty &= empty - ONE
            n += 1
        return n
    occupied = s.occupied
    free = s.control[np.uint64(s.side_to_move)] & ~state.surrounded(occupied)
    while free:
        cell = lsb(free)
        free &= free - ONE
        targets = state.REACH[np.uint64(s.height[cell]), cell] & occupied
        while targets:
            actions[n] = np.int32(cell | (lsb(targets) << _SHIFT))
            targets &= targets - ONE
            n += 1
    if n == 0 and can_move(s, 1 - s.side_to_move):
        actions[0] = PASS
        n = 1
    return n


@kernel
def count(s):
    """Return the number of legal actions (int64), what `generate` would return."""
    if s.placed < state.PIECES:
        return popcount(state.BOARD & ~s.occupied)
    occupied = s.occupied
    n = np.int64(0)
    free = s.control[np.uint64(s.side_to_move)] & ~state.surrounded(occupied)
    while free:
        cell = lsb(free)
        free &= free - ONE
        n += popcount(state.REACH[np.uint64(s.height[cell]), cell] & occupied)
    if n == 0 and can_move(s, 1 - s.side_to_move):
        return np.int64(1)
    return n


@kernel
def null_action(s):
    """Return the pass as null move; -1 while pieces are placed and near the end."""
    return np.int64(PASS if s.placed == state.PIECES and popcount(s.occupied) > NULL_ABOVE else -1)


@kernel
def priority(s, action):
    """Return an ordering hint (int64): moves onto enemy stacks first, the highest first.

    Moves of an own stack onto an own one waste a turn and come last.
    """
    source, target = np.uint64(action) & _LOW, np.uint64(action) >> _SHIFT
    if action == PASS or source == target:
        return np.int64(0)
    bit = ONE << target
    if s.control[np.uint64(1 - s.side_to_move)] & bit:
        return np.int64(s.height[target])
    if s.red & bit:
        return np.int64(1)
    return np.int64(-s.height[source])


@kernel
def _drop_unconnected(s):
    """Remove every stack without contact to a DVONN piece [D-6]."""
    live = s.red  # [D-9]: a DVONN piece is in contact with itself
    while True:
        more = (live | state.neighbours(live)) & s.occupied
        if more == live:
            break
        live = more
    lost = s.occupied & ~live
    if lost == _NONE:
        return
    s.occupied = live
    white = s.control[0]
    s.control[0] = white & live
    s.control[1] &= live
    while lost:
        cell = lsb(lost)
        lost &= lost - ONE
        owner = 0 if white & (ONE << cell) else 1
        s.key ^= state.STACK_KEYS[owner, s.height[cell], cell]
        s.height[cell] = 0


@kernel
def do_move(s, action):
    """Play a legal action on `s`, in place."""
    source, target = np.uint64(action) & _LOW, np.uint64(action) >> _SHIFT
    me = np.uint64(s.side_to_move)
    bit = ONE << target
    if s.placed < state.PIECES:
        s.occupied |= bit
        s.height[target] = 1
        if s.placed < state.DVONN_PIECES:
            s.red |= bit
            s.key ^= state.STACK_KEYS[state.LONE, 1, target] ^ state.RED_KEYS[target]
        else:
            s.control[me] |= bit
            s.key ^= state.STACK_KEYS[me, 1, target]
        s.placed += 1
        if s.placed == state.PIECES:  # White, who placed the last piece, also moves first [D-2]
            s.key ^= state.PLACING_KEY
            return
    elif action != PASS:
        left = ONE << source
        other = np.uint64(1) - me
        own, foe = s.control[me], s.control[other]
        height, below = s.height[source], s.height[target]
        owner = me if own & bit else other if foe & bit else np.uint64(state.LONE)
        s.key ^= (
            state.STACK_KEYS[me, np.uint64(height), source]
            ^ state.STACK_KEYS[owner, np.uint64(below), target]
            ^ state.STACK_KEYS[me, np.uint64(height + below), target]
        )
        s.height[source] = 0
        s.height[target] = height + below
        s.occupied &= ~left
        s.control[me] = (own & ~left) | bit
        s.control[other] = foe & ~bit
        if s.red & left:
            if (s.red & bit) or (s.multi_red & left):
                s.multi_red |= bit
            s.multi_red &= ~left
            s.key ^= (
                state.RED_KEYS[source] if s.red & bit else state.RED_KEYS[source] ^ state.RED_KEYS[target]
            )
            s.red = (s.red & ~left) | bit
        _drop_unconnected(s)
    s.side_to_move = 1 - s.side_to_move
    s.key ^= state.SIDE_KEY


@kernel
def score(s, side):
    """Return the pieces in the stacks that `side` controls [D-8], as int64."""
    return state.pieces(s, s.control[np.uint64(side)])


@kernel
def remaining(s):
    """Return the number of occupied cells (int64); twice all cells during the placement."""
    return popcount(s.occupied) if s.placed == state.PIECES else np.int64(2 * state.PIECES)


@kernel
def margin(s):
    """Return the lead of the side to move in pieces (int64) [D-8]; the final margin if the game is over."""
    me = np.uint64(s.side_to_move)
    return state.pieces(s, s.control[me]) - state.pieces(s, s.control[np.uint64(1) - me])


@kernel
def outcome(s):
    """Return an `engine.game.Outcome` as int64: over when neither side can move [D-7][D-8]."""
    if s.placed < state.PIECES or can_move(s, s.side_to_move) or can_move(s, 1 - s.side_to_move):
        return ONGOING
    margin = score(s, 0) - score(s, 1)
    if margin == 0:
        return DRAW
    return FIRST_WINS if margin > 0 else SECOND_WINS


@kernel
def recompute_key(s):
    """Return the Zobrist key (uint64) of `s`, computed from its other fields."""
    key = state.SIDE_KEY if s.side_to_move == 1 else _NONE
    if s.placed < state.PIECES:
        key ^= state.PLACING_KEY
    rest = s.occupied
    while rest:
        cell = lsb(rest)
        rest &= rest - ONE
        bit = ONE << cell
        owner = 0 if s.control[0] & bit else 1 if s.control[1] & bit else state.LONE
        key ^= state.STACK_KEYS[owner, s.height[cell], cell]
        if s.red & bit:
            key ^= state.RED_KEYS[cell]
    return key


def check(s: Any) -> list[str]:
    """Return the invariants that `s` breaks, in words; empty if it is consistent."""
    white, black, red, occupied = (int(x) for x in (s.control[0], s.control[1], s.red, s.occupied))
    faults = []
    if white & black:
        faults.append("a stack is controlled by both")
    if occupied & ~int(state.BOARD):
        faults.append("something stands beyond the edge")
    if occupied != white | black | red:
        faults.append("the occupied cells are not those of White, Black and the DVONN pieces")
    if any((int(s.height[cell]) > 0) != bool(occupied >> cell & 1) for cell in state.CELLS):
        faults.append("heights and occupied cells differ")
    if any(s.height[cell] != 1 for cell in state.CELLS if red & ~(white | black) & (1 << cell)):
        faults.append("a stack without a colour on top is not a lone DVONN piece")
    if int(s.key) != int(recompute_key(s)):
        faults.append("the key is not that of the position")
    return faults


def symmetries(s: Any) -> list[Any]:
    """Return the images of `s` under the four symmetries of the board, `s` itself first."""
    states = []
    for table in state.SYMMETRIES:
        t = image(s, table, "occupied", "red", "multi_red", "control")
        t.height[[*table.values()]] = s.height[[*table]]
        t.key = recompute_key(t)
        states.append(t)
    return states
