"""The rules of GIPF, [G-1] to [G-13], [P-1] to [P-8] and [T-1] to [T-6], as kernels over `STATE`.

Actions: ``push + PUSHES * kind`` brings a piece of a kind in (`BASIC_PIECE` to `EXTRA`) by one of the 42
pushes, `GIVE_UP` loses the TAMSK potential on e5, ``JUMP + 6 * spot + direction`` is a jump, and
``REMOVE + 128 * line + spots`` takes the spots of a line, bit by bit from its smaller dot; no spot at all
leaves a row of GIPF-pieces where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tengen.engine.board.grids import map_bits
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.gipf.state import (
    BASIC,
    BITS,
    BLACK,
    BOARD,
    CENTRE,
    CLOSING_EXTRA,
    CLOSING_ROWS,
    LINE_AT,
    LINE_CELLS,
    LINE_KEYS,
    LINE_LENGTH,
    LINES,
    MAIN,
    NAMES,
    NEXT_STEP,
    OPENING_EXTRA,
    OPENING_ROWS,
    PIECE_KEYS,
    PIECES,
    PLACING_KEYS,
    PUSH_FIRST,
    PUSH_MASK,
    PUSH_STEP,
    PUSH_UP,
    PUSHES,
    RAYS,
    RESERVE_KEYS,
    SIDE_KEY,
    STAGE_KEYS,
    STANDARD,
    SYMMETRIES,
    TAMSK_KEYS,
    TOURNAMENT,
    WHITE,
    ZERTZ_KEYS,
    has_row,
)
from tengen.engine.gipf.state import STATE as STATE
from tengen.engine.jit import ONE, kernel, lsb, msb, popcount

BASIC_PIECE, GIPF_PIECE, ZERTZ_CHARGED, TAMSK_CHARGED, EXTRA = range(5)  # what a push brings in
GIVE_UP = 5 * PUSHES
JUMP = GIVE_UP + 6
REMOVE = JUMP + 6 * BITS
ACTIONS = REMOVE + 128 * LINES
MAX_ACTIONS = ACTIONS - REMOVE  # the removals of all lines are the longest conceivable list
MULTI_ACTION_TURNS = True
MERGES_TRANSPOSITIONS = True

# Quiet actions that the search looks at, by depth. At 5,000 nodes a turn worth +53 [23, 83] Elo in the
# standard game, +61 [32, 90] in the tournament game, and +35 [-14, 84] in the basic one.
LATE_MOVE_COUNTS = (0, 6, 9, 13, 18, 26)

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)
START = {WHITE: ("b5", "e2", "h5"), BLACK: ("b2", "e8", "h2")}
RULE_SETS = {"basic": BASIC, "standard": STANDARD, "tournament": TOURNAMENT}

_NONE = np.uint64(0)
_2, _3 = np.uint64(2), np.uint64(3)
_LINE = np.uint64(127)  # all places along a line


def start(options: Mapping[str, Any]) -> Any:
    """Return the initial position of the game that `options` describe.

    Raises
    ------
    OptionError
        When a player of the standard or the tournament game is to have other than 18 pieces.
    """
    s = empty_state(options)
    for side in (WHITE, BLACK):
        s.reserve[side] = s.total[side]
        if s.rules != TOURNAMENT:
            s.pieces[side] = sum(1 << NAMES[spot] for spot in START[side])
            s.reserve[side] -= 3 if s.rules == BASIC else 6
            s.begun[side] = s.rules == STANDARD
        s.placing[side] = s.rules == TOURNAMENT
        s.zertz_left[side], s.tamsk_left[side] = s.zertz_each, s.tamsk_each
        s.challenges[side] = s.challenges_each
    if s.rules == STANDARD:
        s.gipf = s.pieces[WHITE] | s.pieces[BLACK]
    begin_turn(s)
    return s


def empty_state(options: Mapping[str, Any]) -> Any:
    """Return a state with an empty board and no reserves that knows the game's options.

    Raises
    ------
    OptionError
        As `start`.
    """
    s = np.zeros(1, STATE)[0]
    s.rules = RULE_SETS[options["rules"]]
    s.total[:] = options["white"], options["black"]
    for side, letter in ((WHITE, "white"), (BLACK, "black")):
        if s.rules != BASIC and s.total[side] != PIECES:
            raise OptionError(
                f"option {letter}: expected {PIECES} in the {options['rules']} game, got {s.total[side]}"
                " (handicaps are for the basic game)"
            )
    s.zertz_each, s.tamsk_each = options["zertz"], options["tamsk"]
    s.challenges_each = options["challenges"]
    return s


@kernel
def begin_turn(s):
    """Make the fields of a state at the beginning of a turn agree with its board, reserves and turn."""
    s.stage = OPENING_EXTRA
    s.partial = 0
    s.resolved = _NONE
    s.result = ONGOING
    if s.rules != BASIC:
        mine, theirs = np.uint64(s.side_to_move), np.uint64(1 - s.side_to_move)
        alone = s.begun[mine] and (s.pieces[mine] & s.gipf) == _NONE
        if s.begun[theirs] and (s.pieces[theirs] & s.gipf) == _NONE:  # who took both has lost [G-11]
            s.result = _won_by(mine)
        elif alone:
            s.result = _won_by(theirs)
    if s.result == ONGOING:
        _advance(s)
    else:
        s.stage = MAIN
    s.key = recompute_key(s)


# ------------------------------------------------------------------------------------------------------- rows


@kernel
def rows_of(own):
    """Return the lines (uint64, a bit each) on which four of the pieces `own` (uint64) are adjacent."""
    found = _NONE
    if not has_row(own):
        return found
    for axis in range(3):
        step = NEXT_STEP[axis]
        starts = own & (own >> step)
        starts &= starts >> (step + step)
        while starts:
            found |= ONE << LINE_AT[axis, lsb(starts)]
            starts &= starts - ONE
    return found


@kernel
def rows(s, side):
    """Return the lines (uint64, a bit each) with a row of `side` that these removals have not dealt with."""
    return rows_of(s.pieces[side]) & ~s.resolved


@kernel
def line_bits(plane, line):
    """Return the bits of a board (uint64) along a line, from its smaller dot, as the low bits of a uint64."""
    bits = _NONE
    for i in range(LINE_LENGTH[line]):
        bits |= ((plane >> LINE_CELLS[line, i]) & ONE) << np.uint64(i)
    return bits


@kernel
def _four(bits):
    """Return the lowest places (uint64) of four adjacent bits along a line."""
    return bits & (bits >> ONE) & (bits >> _2) & (bits >> _3)


@kernel
def row_with_extensions(own, occupied):
    """Return the row (uint64) of a line on which four of `own` are adjacent, with all that extends it [G-3].

    Parameters
    ----------
    own, occupied : uint64
        The owner's pieces and all pieces, along the line.
    """
    row = ONE << lsb(_four(own))
    while True:
        more = (row | (row << ONE) | (row >> ONE)) & occupied
        if more == row:
            return row
        row = more


@kernel
def _spots_of(line, spots):
    """Return places along a line (uint64) as a bit board."""
    board = _NONE
    while spots:
        board |= ONE << LINE_CELLS[line, lsb(spots)]
        spots &= spots - ONE
    return board


@kernel
def _leaves_stranded(s, line, spots):
    """Return whether the mover, who takes `spots`, will have a row left but nothing to bring in.

    That is no turn: who has a row that may stay has to take some of it then (docs/gipf.md, Ends). Rows that
    are still to be taken help if an own piece other than a used potential is in them.
    """
    me = np.uint64(s.side_to_move)
    if s.reserve[me] > 0:
        return False
    taken = _spots_of(line, spots)
    own, foe = s.pieces[me] & ~taken, s.pieces[np.uint64(1) - me] & ~taken
    if (s.pieces[me] & taken & ~s.used) or not has_row(own) or can_jump(own & s.zertz, own | foe):
        return False
    if s.rules != BASIC and (foe & s.gipf) == _NONE:
        return False
    kept = rows_of(own)
    pending = kept & ~(s.resolved | (ONE << line))
    while pending:
        other = lsb(pending)
        pending &= pending - ONE
        kept &= ~(ONE << other)
        row = row_with_extensions(line_bits(own, other), line_bits(own | foe, other))
        if row & line_bits(own & ~s.used, other):
            return False
    return kept != _NONE


@kernel
def _generate_removals(s, actions):
    """Write every choice of a row and of what to take of it into `actions`; return their number."""
    me = np.uint64(s.side_to_move)
    occupied = s.pieces[0] | s.pieces[1]
    optional = s.gipf | s.zertz | s.tamsk
    pending = rows(s, me)
    n = 0
    while pending:
        line = lsb(pending)
        pending &= pending - ONE
        own = line_bits(s.pieces[me], line)
        row = row_with_extensions(own, line_bits(occupied, line))
        free = row & line_bits(optional, line)  # may stay [G-8][P-3]
        compelled = row & ~free
        charged = free & line_bits(s.zertz | s.tamsk, line)
        taken = _NONE
        while True:
            spots = compelled | taken
            unbroken = compelled == _NONE and charged and _four(own & row & ~spots)  # [P-3]
            stranded = s.stage == OPENING_ROWS and _leaves_stranded(s, line, spots)
            if not unbroken and not stranded:
                actions[n] = REMOVE + 128 * np.int64(line) + np.int64(spots)
                n += 1
            taken = ((taken | (_LINE & ~free)) + ONE) & free  # the next subset
            if taken == _NONE:
                break
    return n


# ----------------------------------------------------------------------------------------------------- pushes


@kernel
def _landing(occupied, direction, cell):
    """Return where a potential on `cell` that jumps lands [P-5]: a bit (uint64), 0 for nowhere."""
    ray = RAYS[direction, cell]
    empty = ray & ~occupied
    step = NEXT_STEP[direction]
    adjacent = ONE << (cell + step) if direction < 3 else (ONE << cell) >> step
    if empty == _NONE or (ray & adjacent) == _NONE or (empty & adjacent):
        return _NONE
    return ONE << (lsb(empty) if direction < 3 else msb(empty))


@kernel
def _generate_jumps(s, actions, n):
    """Write all jumps into `actions` from place `n` on; return how many actions there are then."""
    occupied = s.pieces[0] | s.pieces[1]
    jumpers = s.pieces[np.uint64(s.side_to_move)] & s.zertz
    while jumpers:
        cell = lsb(jumpers)
        jumpers &= jumpers - ONE
        for direction in range(6):
            if _landing(occupied, np.uint64(direction), cell):
                actions[n] = JUMP + 6 * np.int64(cell) + direction
                n += 1
    return n


@kernel
def can_bring_in(s):
    """Return whether the side to move could push a piece or jump now, rows apart [G-7][P-7]."""
    occupied = s.pieces[0] | s.pieces[1]
    if s.reserve[np.uint64(s.side_to_move)] > 0 and occupied != BOARD:
        return True
    return can_jump(s.pieces[np.uint64(s.side_to_move)] & s.zertz, occupied)


@kernel
def can_jump(jumpers, occupied):
    """Return whether any of the ZÈRTZ-charged pieces `jumpers` (uint64) can jump [P-5]."""
    while jumpers:
        cell = lsb(jumpers)
        jumpers &= jumpers - ONE
        for direction in range(6):
            if _landing(occupied, np.uint64(direction), cell):
                return True
    return False


@kernel
def _span(push, occupied):
    """Return the spots (uint64) whose pieces a push changes, and the first empty one among them as a bit.

    Both are 0 when the line has no empty spot [G-2].
    """
    mask = PUSH_MASK[push]
    empty = mask & ~occupied
    if empty == _NONE:
        return _NONE, _NONE
    if PUSH_UP[push]:
        target = empty & (~empty + ONE)
        return mask & (target | (target - ONE)), target
    target = ONE << msb(empty)
    return mask & ~(target - ONE), target


@kernel
def _generate_pushes(s, kind, like, actions, n):
    """Write the pushes of one kind of piece into `actions` from place `n` on; return how many there are then.

    Pushes that give the same position count once, with the smallest dot: those that move nothing but pieces
    like the one brought in (`like`, uint64) amount to a new piece on the first empty spot.
    """
    occupied = s.pieces[0] | s.pieces[1]
    seen = _NONE
    for push in range(PUSHES):
        span, target = _span(np.uint64(push), occupied)
        if span == _NONE:
            continue
        if (span & occupied & ~like) == _NONE:
            if seen & target:
                continue
            seen |= target
        actions[n] = push + PUSHES * kind
        n += 1
    return n


@kernel
def generate(s, actions):
    """Write all legal actions into `actions` (int32, `MAX_ACTIONS`); return their number, 0 only at the end.

    Of pushes that give the same position only the one with the smallest dot is listed.
    """
    if s.result != ONGOING:
        return 0
    me = np.uint64(s.side_to_move)
    own = s.pieces[me]
    if s.stage == OPENING_ROWS or s.stage == CLOSING_ROWS:
        return _generate_removals(s, actions)
    if s.stage != MAIN:  # an extra push [T-2], or not [T-3]
        n = _generate_pushes(s, EXTRA, own & s.used, actions, 0)
        actions[n] = GIVE_UP
        return n + 1
    n = 0
    special = s.gipf | s.zertz | s.tamsk | s.used
    if s.reserve[me] > 0 and not (s.rules == TOURNAMENT and not s.begun[me]):  # [G-12]
        n = _generate_pushes(s, BASIC_PIECE, own & ~special, actions, n)
        if s.zertz_left[me] > 0:
            n = _generate_pushes(s, ZERTZ_CHARGED, own & s.zertz, actions, n)
        if s.tamsk_left[me] > 0:
            n = _generate_pushes(s, TAMSK_CHARGED, own & s.tamsk, actions, n)
    if s.placing[me] and s.reserve[me] > 1:
        n = _generate_pushes(s, GIPF_PIECE, own & s.gipf, actions, n)
    if s.zertz:
        n = _generate_jumps(s, actions, n)
    return n


@kernel
def count(s):
    """Return the number of legal actions (int64), what `generate` would return."""
    return np.int64(generate(s, np.empty(MAX_ACTIONS, np.int32)))


@kernel
def generate_candidates(s, actions):
    """Write all legal actions: none can be left out unseen; return their number."""
    return generate(s, actions)


@kernel
def _pushed(own, push, span):
    """Return the pieces `own` (uint64) of the side that pushes, once the pieces in `span` have moved on."""
    moving = own & span
    moved = moving << PUSH_STEP[push] if PUSH_UP[push] else moving >> PUSH_STEP[push]
    return (own & ~span) | moved | PUSH_FIRST[push]


@kernel
def _shifted(plane, push, span):
    """Return a board (uint64) once the pieces in `span` have moved on."""
    moving = plane & span
    moved = moving << PUSH_STEP[push] if PUSH_UP[push] else moving >> PUSH_STEP[push]
    return (plane & ~span) | moved


@kernel
def _capturable(own, foe):
    """Return the pieces `foe` (uint64) that extend rows of `own`."""
    caught = _NONE
    for axis in range(3):
        step = NEXT_STEP[axis]
        starts = own & (own >> step)
        starts &= starts >> (step + step)
        while starts:
            cell = lsb(starts)
            starts &= starts - ONE
            line = LINE_AT[axis, cell]
            caught |= _spots_of(
                line,
                row_with_extensions(line_bits(own, line), line_bits(own | foe, line)) & line_bits(foe, line),
            )
    return caught


@kernel
def _gain(s, action):
    """Return what a push or jump takes: -1 if it makes no row, else captured pieces, GIPF-pieces as four."""
    me = np.uint64(s.side_to_move)
    own, foe = s.pieces[me], s.pieces[np.uint64(1 - s.side_to_move)]
    if action >= JUMP:
        cell = np.uint64(action - JUMP) // np.uint64(6)
        direction = np.uint64(action - JUMP) % np.uint64(6)
        own |= _landing(own | foe, direction, cell)
        if not has_row(own):
            return np.int64(-1)
        gipf = s.gipf
    else:
        push = np.uint64(action) % np.uint64(PUSHES)
        span, _ = _span(push, own | foe)
        own = _pushed(own, push, span)
        if not has_row(own):
            return np.int64(-1)
        foe = _shifted(foe, push, span)
        gipf = _shifted(s.gipf, push, span)
    caught = _capturable(own, foe)
    return popcount(caught) + 3 * popcount(caught & gipf)


@kernel
def generate_noisy(s, actions):
    """Write the actions that quiescence looks at, captures and all removals; return their number."""
    n = generate(s, actions)
    if s.stage != MAIN:
        return n
    kept = 0
    for i in range(n):
        if _gain(s, np.int64(actions[i])) > 0:
            actions[kept] = actions[i]
            kept += 1
    return kept


@kernel
def forced(s):
    """Return whether rows or an extra push must be dealt with: there is no standing pat then."""
    return s.stage != MAIN


@kernel
def priority(s, action):
    """Return an ordering hint (int64): captures first, the more the better; taking own pieces back last."""
    if action >= REMOVE:
        line = np.uint64(action - REMOVE) // np.uint64(128)
        spots = np.uint64(action - REMOVE) % np.uint64(128)
        me = np.uint64(s.side_to_move)
        foe = line_bits(s.pieces[np.uint64(1) - me], line)
        gipf = spots & line_bits(s.gipf, line)
        value = 1 + 4 * popcount(spots & foe) + 16 * popcount(gipf & foe)
        return max(np.int64(1), value + 64 - 8 * popcount(gipf & ~foe))
    if action == GIVE_UP:
        return np.int64(1)
    gain = _gain(s, action)
    return 2 * gain + 1 if gain > 0 else np.int64(0)


# ------------------------------------------------------------------------------------------------------- play


@kernel
def _won_by(side):
    """Return the Outcome (int64) of a game that `side` has won."""
    return FIRST_WINS if side == 0 else SECOND_WINS


@kernel
def _set_stage(s, stage):
    s.key ^= STAGE_KEYS[s.stage] ^ STAGE_KEYS[stage]
    s.stage = stage


@kernel
def _forget_lines(s):
    """Let all lines be looked at again: other removals begin, or none."""
    rest = s.resolved
    while rest:
        s.key ^= LINE_KEYS[lsb(rest)]
        rest &= rest - ONE
    s.resolved = _NONE


@kernel
def _pass_turn(s):
    s.side_to_move = 1 - s.side_to_move
    s.key ^= SIDE_KEY
    s.partial = 0


@kernel
def _advance(s):
    """Go on from stage to stage until there is something to decide, or nothing to bring in [G-7]."""
    while True:
        me = np.uint64(s.side_to_move)
        if s.stage == OPENING_EXTRA or s.stage == CLOSING_EXTRA:
            if s.pieces[me] & s.tamsk & CENTRE:  # [T-2]
                return
            _set_stage(s, s.stage + 1)
        if s.stage == OPENING_ROWS or s.stage == CLOSING_ROWS:
            if rows(s, me):
                return
            if s.resolved:
                _forget_lines(s)
            if s.stage == CLOSING_ROWS:
                _pass_turn(s)
                _set_stage(s, OPENING_EXTRA)
                continue
            _set_stage(s, MAIN)
        if not can_bring_in(s):
            s.result = _won_by(1 - s.side_to_move)
            s.partial = 0
        return


@kernel
def _rehash(s, plane, before, after):
    """Change the key by the spots in which a plane of the board differs (uint64 bit boards)."""
    changed = before ^ after
    while changed:
        s.key ^= PIECE_KEYS[plane, lsb(changed)]
        changed &= changed - ONE


@kernel
def _set_reserve(s, side, pieces):
    s.key ^= RESERVE_KEYS[side, np.uint64(s.reserve[side])] ^ RESERVE_KEYS[side, np.uint64(pieces)]
    s.reserve[side] = pieces


@kernel
def _set_potentials(s, side, zertz, tamsk):
    """Leave `side` so many potentials to bring in."""
    s.key ^= ZERTZ_KEYS[side, np.uint64(s.zertz_left[side])] ^ ZERTZ_KEYS[side, np.uint64(zertz)]
    s.key ^= TAMSK_KEYS[side, np.uint64(s.tamsk_left[side])] ^ TAMSK_KEYS[side, np.uint64(tamsk)]
    s.zertz_left[side], s.tamsk_left[side] = zertz, tamsk


@kernel
def discharge(s, cell):
    """Take the potential from the charged piece on a spot's bit number (uint64); the base stays."""
    spot = ONE << cell
    if s.zertz & spot:
        s.zertz &= ~spot
        s.key ^= PIECE_KEYS[3, cell]
    if s.tamsk & spot:
        s.tamsk &= ~spot
        s.key ^= PIECE_KEYS[4, cell]


@kernel
def _push(s, push, kind):
    """Push a piece of a kind (uint64) in [G-1]; what it costs in reserve and in rights."""
    me = np.uint64(s.side_to_move)
    other = np.uint64(1) - me
    span, _ = _span(push, s.pieces[0] | s.pieces[1])
    first = PUSH_FIRST[push]
    own, foe = s.pieces[me], s.pieces[other]
    s.pieces[me] = _pushed(own, push, span)
    _rehash(s, me, own, s.pieces[me])
    if foe & span:
        s.pieces[other] = _shifted(foe, push, span)
        _rehash(s, other, foe, s.pieces[other])
    special = s.gipf | s.zertz | s.tamsk | s.used
    if kind != BASIC_PIECE or (special & span):
        gipf, zertz, tamsk, used = s.gipf, s.zertz, s.tamsk, s.used
        s.gipf = _shifted(gipf, push, span) | (first if kind == GIPF_PIECE else _NONE)
        s.zertz = _shifted(zertz, push, span) | (first if kind == ZERTZ_CHARGED else _NONE)
        s.tamsk = _shifted(tamsk, push, span) | (first if kind == TAMSK_CHARGED else _NONE)
        s.used = _shifted(used, push, span) | (first if kind == EXTRA else _NONE)
        _rehash(s, 2, gipf, s.gipf)
        _rehash(s, 3, zertz, s.zertz)
        _rehash(s, 4, tamsk, s.tamsk)
        _rehash(s, 5, used, s.used)
    if kind == EXTRA:
        return
    _set_reserve(s, me, s.reserve[me] - (2 if kind == GIPF_PIECE else 1))
    if kind == GIPF_PIECE:
        s.begun[me] = 1  # [G-12]
        return
    if s.placing[me]:
        s.placing[me] = 0
        s.key ^= PLACING_KEYS[me]
    if s.zertz_left[me] or s.tamsk_left[me]:  # [P-2]
        if kind == ZERTZ_CHARGED:
            _set_potentials(s, me, s.zertz_left[me] - 1, s.tamsk_left[me])
        else:
            _set_potentials(s, me, 0, s.tamsk_left[me] - 1 if kind == TAMSK_CHARGED else 0)


@kernel
def _jump(s, cell, direction):
    """Let the potential on a spot's bit number jump [P-5]."""
    me = np.uint64(s.side_to_move)
    target = _landing(s.pieces[0] | s.pieces[1], direction, cell)
    discharge(s, cell)
    s.pieces[me] |= target
    s.used |= target
    s.key ^= PIECE_KEYS[me, lsb(target)] ^ PIECE_KEYS[5, lsb(target)]


@kernel
def _remove(s, line, spots):
    """Take `spots` (uint64, along the line) of the mover's row [G-4][G-9][P-4][P-6]; end the game [G-11]."""
    me = np.uint64(s.side_to_move)
    other = np.uint64(1) - me
    s.resolved |= ONE << line
    s.key ^= LINE_KEYS[line]
    taken = _spots_of(line, spots)
    own, foe = s.pieces[me], s.pieces[other]
    gipf = s.gipf & taken
    returned = popcount(own & taken & ~s.used) + popcount(own & gipf)
    _set_reserve(s, me, s.reserve[me] + returned)
    s.pieces[me], s.pieces[other] = own & ~taken, foe & ~taken
    _rehash(s, me, own, s.pieces[me])
    _rehash(s, other, foe, s.pieces[other])
    _rehash(s, 2, gipf, _NONE)
    _rehash(s, 3, s.zertz & taken, _NONE)
    _rehash(s, 4, s.tamsk & taken, _NONE)
    _rehash(s, 5, s.used & taken, _NONE)
    s.gipf &= ~taken
    s.zertz &= ~taken
    s.tamsk &= ~taken
    s.used &= ~taken
    if gipf:
        if s.begun[me] and (s.pieces[me] & s.gipf) == _NONE:
            s.result = _won_by(other)
        elif s.begun[other] and (s.pieces[other] & s.gipf) == _NONE:
            s.result = _won_by(me)


@kernel
def do_move(s, action):
    """Play a legal action on `s`, in place."""
    s.partial = 1
    if action >= REMOVE:
        _remove(s, np.uint64(action - REMOVE) // np.uint64(128), np.uint64(action - REMOVE) % np.uint64(128))
        if s.result != ONGOING:  # the turn is over with the game
            _forget_lines(s)
            _pass_turn(s)
            _set_stage(s, MAIN)
            return
    elif action >= JUMP:
        jump = np.uint64(action - JUMP)
        _jump(s, jump // np.uint64(6), jump % np.uint64(6))
        _set_stage(s, CLOSING_EXTRA)
    elif action >= EXTRA * PUSHES:
        discharge(s, lsb(CENTRE))
        if action != GIVE_UP:
            _push(s, np.uint64(action - EXTRA * PUSHES), EXTRA)
    else:
        _push(s, np.uint64(action) % np.uint64(PUSHES), np.int64(action) // PUSHES)
        _set_stage(s, CLOSING_EXTRA)
    _advance(s)


@kernel
def outcome(s):
    """Return an `engine.game.Outcome` as int64 [G-7][G-11]."""
    return np.int64(s.result)


# ------------------------------------------------------------------------------------------------------ tests


@kernel
def recompute_key(s):
    """Return the Zobrist key (uint64) of `s` from its other fields."""
    key = STAGE_KEYS[s.stage]
    if s.side_to_move == 1:
        key ^= SIDE_KEY
    for side in range(2):
        key ^= RESERVE_KEYS[side, s.reserve[side]]
        key ^= ZERTZ_KEYS[side, s.zertz_left[side]] ^ TAMSK_KEYS[side, s.tamsk_left[side]]
        if s.placing[side]:
            key ^= PLACING_KEYS[side]
    for plane, board in enumerate((s.pieces[0], s.pieces[1], s.gipf, s.zertz, s.tamsk, s.used)):
        while board:
            key ^= PIECE_KEYS[plane, lsb(board)]
            board &= board - ONE
    lines = s.resolved
    while lines:
        key ^= LINE_KEYS[lsb(lines)]
        lines &= lines - ONE
    return key


def piece_total(s: Any, side: int) -> int:
    """Return how many basic pieces `side` has on the board and in reserve; a GIPF-piece is two."""
    own = int(s.pieces[side])
    return (own & ~int(s.used)).bit_count() + (own & int(s.gipf)).bit_count() + int(s.reserve[side])


def check(s: Any) -> list[str]:
    """Return the invariants that `s` breaks, in words; empty when it is consistent."""
    faults = []
    white, black = int(s.pieces[WHITE]), int(s.pieces[BLACK])
    kinds = [int(plane) for plane in (s.gipf, s.zertz, s.tamsk, s.used)]
    if white & black:
        faults.append("a spot holds both a white and a black piece")
    if (white | black) & ~int(BOARD):
        faults.append("a piece lies outside the board")
    if sum(kinds) != kinds[0] | kinds[1] | kinds[2] | kinds[3] or kinds[0] & ~(white | black):
        faults.append("the kinds of pieces overlap, or one has no piece")
    if (kinds[1] | kinds[2] | kinds[3]) & ~(white | black):
        faults.append("a potential has no piece")
    for side, colour in ((WHITE, "white"), (BLACK, "black")):
        if s.reserve[side] < 0 or piece_total(s, side) > s.total[side]:
            faults.append(f"expected at most {s.total[side]} {colour} pieces, got {piece_total(s, side)}")
    if s.partial and s.result:
        faults.append("a turn goes on after the end of the game")
    if int(s.key) != int(recompute_key(s)):
        faults.append("the key is not that of the position")
    return faults


def symmetries(s: Any) -> list[Any]:
    """Return the twelve states that are `s` seen from other corners, itself first."""
    states = []
    for table in SYMMETRIES:
        t = s.copy()
        for field in ("gipf", "zertz", "tamsk", "used"):
            t[field] = map_bits(int(s[field]), table)
        for side in (WHITE, BLACK):
            t.pieces[side] = map_bits(int(s.pieces[side]), table)
        t.resolved = _mapped_lines(int(s.resolved), table)
        t.key = recompute_key(t)
        states.append(t)
    return states


def _mapped_lines(lines: int, table: Mapping[int, int]) -> int:
    spots = [frozenset(LINE_CELLS[line, : LINE_LENGTH[line]].tolist()) for line in range(LINES)]
    images = [spots.index(frozenset(table[spot] for spot in line)) for line in spots]
    return sum(1 << images[line] for line in range(LINES) if lines >> line & 1)
