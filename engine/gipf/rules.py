"""The rules of GIPF and of its potentials, as kernels over `STATE` (docs/gipf.md).

Actions are numbered in `engine.gipf.state`. A turn goes through stages: an extra push and removals that
open it, the push or jump itself, an extra push and removals that close it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

import tengen.engine.gipf.state as state
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.gipf.board.checks import check as check
from tengen.engine.gipf.board.checks import symmetries as symmetries
from tengen.engine.gipf.board.potentials import can_move, generate_jumps, jump_ends, jump_potential
from tengen.engine.gipf.board.pushes import (
    generate_pushes,
    may_make_row,
    own_after_push,
    push_piece,
    pushed_span,
    row_makers,
    shift_span,
)
from tengen.engine.gipf.board.rows import capturable, generate_removals, line_bits, rows, take_row
from tengen.engine.gipf.state import ACTIONS as ACTIONS
from tengen.engine.gipf.state import STATE as STATE
from tengen.engine.gipf.state import recompute_key as recompute_key
from tengen.engine.jit import ONE, kernel, lsb, popcount

MAX_ACTIONS = ACTIONS - state.REMOVE  # the removals of all lines are the longest conceivable list
MULTI_ACTION_TURNS = True
MERGES_TRANSPOSITIONS = True

# Late-move pruning: quiet actions searched, by depth. At 5,000 nodes a turn worth +53 [23, 83] Elo in the
# standard game, +61 [32, 90] in the tournament game, and +35 [-14, 84] in the basic one.
LATE_MOVE_COUNTS = (0, 6, 9, 13, 18, 26)

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)
START = {state.WHITE: ("b5", "e2", "h5"), state.BLACK: ("b2", "e8", "h2")}
RULE_SETS = {"basic": state.BASIC, "standard": state.STANDARD, "tournament": state.TOURNAMENT}


def start(options: Mapping[str, Any]) -> Any:
    """Return the initial position of the game with these options [P-1].

    Raise OptionError when a player of the standard or the tournament game has other than 18 pieces, when
    pieces are added to another game than that of the tournament [U-1], or PÜNCT potentials to another than
    the basic one [PP-2].
    """
    s = empty_state(options)
    for side in (state.WHITE, state.BLACK):
        s.reserve[side] = s.total[side]
        if s.rules != state.TOURNAMENT:
            s.pieces[side] = sum(1 << state.NAMES[spot] for spot in START[side])
            s.reserve[side] -= 3 if s.rules == state.BASIC else 6
            s.begun[side] = s.rules == state.STANDARD
        s.placing[side] = s.rules == state.TOURNAMENT
        s.left[side] = s.each
        s.challenges[side] = s.challenges_each
    if s.rules == state.STANDARD:
        s.gipf = s.pieces[state.WHITE] | s.pieces[state.BLACK]
    begin_turn(s)
    return s


def empty_state(options: Mapping[str, Any]) -> Any:
    """Return a state with the options of the game, an empty board and no reserves.

    Raise OptionError as `start` does.
    """
    s = np.zeros(1, STATE)[0]
    s.rules = RULE_SETS[options["rules"]]
    s.total[:] = options["white"] + options["extra"], options["black"] + options["extra"]
    for letter in ("white", "black"):
        if s.rules != state.BASIC and options[letter] != state.PIECES:
            raise OptionError(
                f"option {letter}: expected {state.PIECES} in the {options['rules']} game,"
                f" got {options[letter]} (handicaps are for the basic game)"
            )
    for name, where in (("extra", state.TOURNAMENT), ("punct", state.BASIC)):
        if options[name] and s.rules != where:
            raise OptionError(
                f"option {name}: expected 0 in the {options['rules']} game, got {options[name]}"
                f" ({name} is for the {tuple(RULE_SETS)[where]} game)"
            )
    s.each[:] = [options[name] for name in state.POTENTIAL_NAMES]
    s.kinds = np.count_nonzero(s.each)
    s.challenges_each = options["challenges"]
    return s


@kernel
def begin_turn(s):
    """Set all fields that follow from board, reserves and side to move at the beginning of a turn."""
    s.stage = state.OPENING_EXTRA
    s.partial = 0
    s.resolved = state.NONE
    s.result = ONGOING
    end_without_gipf_pieces(s, np.uint64(1 - s.side_to_move))
    if s.result == ONGOING:
        _advance(s)
    else:
        s.stage = state.MAIN
    s.key = recompute_key(s)


# ---------------------------------------------------------------------------------------------- generating


@kernel
def generate(s, actions):
    """Write all legal actions into `actions` (int32, `MAX_ACTIONS`); return their number, 0 only at the end.

    Of several pushes to the same position, only the one with the smallest dot is listed.
    """
    if s.result != ONGOING:
        return 0
    me = np.uint64(s.side_to_move)
    own = s.pieces[me]
    if s.stage == state.OPENING_ROWS or s.stage == state.CLOSING_ROWS:
        return generate_removals(s, actions)
    if s.stage != state.MAIN:  # an extra push [T-2], or not [T-3]
        n = generate_pushes(s, state.EXTRA, own & s.used, actions, 0)
        actions[n] = state.GIVE_UP
        return n + 1
    n = 0
    if s.reserve[me] > 0 and not (s.rules == state.TOURNAMENT and not s.begun[me]):  # [G-12]
        n = generate_pushes(s, state.BASIC_PIECE, own & ~state.special_pieces(s), actions, n)
        for kind in range(state.KINDS if s.kinds else 0):  # [P-2][PD-1]
            if s.left[me, kind] > 0:
                n = generate_pushes(
                    s, state.CHARGED + kind, own & s.charged[kind] & ~state.stacks(s), actions, n
                )
    if s.placing[me] and s.reserve[me] > 1:
        n = generate_pushes(s, state.GIPF_PIECE, own & s.gipf, actions, n)
    if s.kinds:
        n = generate_jumps(s, actions, n)
    return n


@kernel
def count(s):
    """Return the number of legal actions (int64), what `generate` would return."""
    return np.int64(generate(s, np.empty(MAX_ACTIONS, np.int32)))


@kernel
def generate_noisy(s, actions):
    """Write the actions of the quiescence search, captures and all removals; return their number."""
    n = generate(s, actions)
    if s.stage != state.MAIN:
        return n
    own = s.pieces[np.uint64(s.side_to_move)]
    makers, standing = row_makers(own), state.has_row(own)
    kept = 0
    for i in range(n):
        action = np.int64(actions[i])
        if action < state.JUMP and not standing and not may_make_row(own, makers, action % state.PUSHES):
            continue
        if _gain(s, action) > 0:
            actions[kept] = actions[i]
            kept += 1
    return kept


@kernel
def forced(s):
    """Return whether rows or an extra push are pending: the search may not stand pat."""
    return s.stage != state.MAIN


@kernel
def _gain(s, action):
    """Return the pieces that a push or jump captures (int64), a GIPF-piece as four; -1 if it makes no row."""
    me = np.uint64(s.side_to_move)
    own, foe = s.pieces[me], s.pieces[np.uint64(1 - s.side_to_move)]
    if action >= state.JUMP:
        target = ONE << jump_ends(s, action)[1]
        own |= target
        if not state.has_row(own):
            return np.int64(-1)
        foe &= ~target
        gipf = s.gipf
    else:
        push = np.uint64(action) % np.uint64(state.PUSHES)
        span, _ = pushed_span(push, own | foe)
        own = own_after_push(own, push, span)
        if not state.has_row(own):
            return np.int64(-1)
        foe = shift_span(foe, push, span)
        gipf = shift_span(s.gipf, push, span)
    caught = capturable(own, foe)
    return popcount(caught) + 3 * popcount(caught & gipf)


@kernel
def priority(s, action):
    """Return an ordering hint (int64): the largest captures first, taking own pieces back last."""
    if action >= state.REMOVE:
        line = np.uint64(action - state.REMOVE) // np.uint64(128)
        spots = np.uint64(action - state.REMOVE) % np.uint64(128)
        me = np.uint64(s.side_to_move)
        foe = line_bits(s.pieces[np.uint64(1) - me], line)
        gipf = spots & line_bits(s.gipf, line)
        value = 1 + 4 * popcount(spots & foe) + 16 * popcount(gipf & foe)
        return max(np.int64(1), value + 64 - 8 * popcount(gipf & ~foe))
    if action == state.GIVE_UP:
        return np.int64(1)
    gain = _gain(s, action)
    return 2 * gain + 1 if gain > 0 else np.int64(0)


# ------------------------------------------------------------------------------------------------- playing


@kernel
def won_by(side):
    """Return the Outcome (int64) of a game that `side` has won."""
    return FIRST_WINS if side == 0 else SECOND_WINS


@kernel
def end_without_gipf_pieces(s, mover):
    """End the game if a player who must keep a GIPF-piece on the board has none [G-11][P-8].

    If both have none, `mover` (uint64), who took them all, loses.
    """
    other = np.uint64(1) - mover
    if s.begun[mover] and (s.pieces[mover] & s.gipf) == state.NONE:
        s.result = won_by(other)
    elif s.begun[other] and (s.pieces[other] & s.gipf) == state.NONE:
        s.result = won_by(mover)


@kernel
def _advance(s):
    """Skip stages in which there is nothing to decide; end the game if the mover cannot move [G-7][T-6]."""
    while True:
        me = np.uint64(s.side_to_move)
        if s.stage == state.OPENING_EXTRA or s.stage == state.CLOSING_EXTRA:
            if s.pieces[me] & s.charged[state.TAMSK] & state.CENTRE:  # [T-2][T-4]
                return
            state.set_stage(s, s.stage + 1)
        if s.stage == state.OPENING_ROWS or s.stage == state.CLOSING_ROWS:
            if rows(s, me):
                return
            if s.resolved:
                state.clear_resolved(s)
            if s.stage == state.CLOSING_ROWS:
                state.end_turn(s)
                state.set_stage(s, state.OPENING_EXTRA)
                continue
            state.set_stage(s, state.MAIN)
        if not can_move(s):
            s.result = won_by(1 - s.side_to_move)
            s.partial = 0
        return


@kernel
def do_move(s, action):
    """Play a legal action on `s`, in place."""
    s.partial = 1
    if action >= state.REMOVE:
        removal = np.uint64(action - state.REMOVE)
        if take_row(s, removal // np.uint64(128), removal % np.uint64(128)):
            end_without_gipf_pieces(s, np.uint64(s.side_to_move))
        if s.result != ONGOING:
            state.clear_resolved(s)
            state.end_turn(s)
            state.set_stage(s, state.MAIN)
            return
    elif action >= state.JUMP:
        start, end = jump_ends(s, action)
        jump_potential(s, start, end)
        state.set_stage(s, state.CLOSING_EXTRA)
    elif action >= state.EXTRA * state.PUSHES:
        state.discharge(s, lsb(state.CENTRE))
        if action != state.GIVE_UP:
            push_piece(s, np.uint64(action - state.EXTRA * state.PUSHES), state.EXTRA)
    else:
        push_piece(s, np.uint64(action) % np.uint64(state.PUSHES), np.int64(action) // state.PUSHES)
        state.set_stage(s, state.CLOSING_EXTRA)
    _advance(s)


@kernel
def may_become(s, end):
    """Return whether the turn in `s` may still lead to the board of `end`; True when in doubt."""
    for side in range(2):
        kept = popcount(s.pieces[side] & s.gipf)
        if side == s.side_to_move and s.stage <= state.MAIN:
            kept += 1  # by the push
        if kept < popcount(end.pieces[side] & end.gipf):
            return False
    if s.stage < state.CLOSING_ROWS:
        return True
    for side in range(2):  # a removal brings no piece but those that come free [PD-7]
        if end.pieces[side] & ~(s.pieces[side] | state.stacks(s)):
            return False
    for kind in range(state.KINDS):
        if end.charged[kind] & ~s.charged[kind]:
            return False
    return (end.gipf & ~s.gipf) == np.uint64(0)


@kernel
def may_repeat(s):
    """Return True: a player who pushes four pieces can take them all back [R-1]."""
    return True


def draw_by_repetition(s: Any) -> None:
    """End the game as a draw [R-1]."""
    s.result = DRAW


@kernel
def outcome(s):
    """Return an `engine.game.Outcome` as int64 [G-7][G-11][R-1]."""
    return np.int64(s.result)
