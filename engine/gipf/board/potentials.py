"""Jumps and moves of potentials, which take the place of a push, and the stacks that they make."""

import numpy as np

import tengen.engine.gipf.state as state
from tengen.engine.jit import ONE, kernel, lsb, msb, popcount

_6 = np.uint64(6)


@kernel
def landing(occupied, direction, cell):
    """Return where a ZÈRTZ potential on `cell` lands if it jumps [P-5]: a bit (uint64), 0 if it cannot."""
    ray = state.RAYS[direction, cell]
    empty = ray & ~occupied
    adjacent = state.ADJACENT[direction, cell]
    if empty == state.NONE or (empty & adjacent):
        return state.NONE
    return ONE << (lsb(empty) if direction < 3 else msb(empty))


@kernel
def climbable(s, kind):
    """Return the enemy pieces (uint64) onto which potentials of a kind may jump [PD-5][PP-1]."""
    foe = s.pieces[np.uint64(1 - s.side_to_move)]
    if kind == state.PUNCT:
        return foe & s.charged[state.PUNCT]
    if kind == state.DVONN:
        others = s.charged[state.ZERTZ] | s.charged[state.TAMSK] | s.charged[state.YINSH]
        return foe & ~(s.gipf | s.used | others | s.charged[state.PUNCT])
    return state.NONE


@kernel
def reach(kind, occupied, targets, direction, cell):
    """Return where a potential of a kind on `cell` can go in a direction: a bit board (uint64).

    Parameters
    ----------
    kind : int64
        One of `JUMPERS`.
    occupied, targets : uint64
        All pieces, and those of `climbable`.
    direction, cell : uint64
    """
    if kind == state.ZERTZ:
        return landing(occupied, direction, cell)
    if kind != state.YINSH:
        return state.ADJACENT[direction, cell] & targets
    ray = state.RAYS[direction, cell]  # the empty spots up to the first piece [PY-1]
    blockers = ray & occupied
    if blockers == state.NONE:
        return ray
    if direction < 3:
        return ray & ((ONE << lsb(blockers)) - ONE)
    return ray & ~((ONE << msb(blockers)) | ((ONE << msb(blockers)) - ONE))


@kernel
def can_move(s):
    """Return whether the side to move can push a piece or jump, leaving rows out of account [G-7][P-7]."""
    if s.reserve[np.uint64(s.side_to_move)] > 0 and s.pieces[0] | s.pieces[1] != state.BOARD:
        return True
    return s.kinds > 0 and generate_jumps(s, np.empty(state.REMOVE - state.JUMP, np.int32), 0) > 0


@kernel
def generate_jumps(s, actions, n):
    """Append all jumps and moves of potentials to the `n` actions; return the new count."""
    own, free = s.pieces[np.uint64(s.side_to_move)], ~state.stacks(s)
    occupied = s.pieces[0] | s.pieces[1]
    for kind in state.JUMPERS:
        pieces = own & s.charged[kind] & free
        if pieces == state.NONE:
            continue
        targets = climbable(s, kind)
        while pieces:
            cell = lsb(pieces)
            pieces &= pieces - ONE
            for direction in range(6):
                ends = reach(kind, occupied, targets, np.uint64(direction), cell)
                for further in range(popcount(ends)):
                    actions[n] = state.JUMP + 6 * state.BITS * further + 6 * np.int64(cell) + direction
                    n += 1
    return n


@kernel
def jump_ends(s, action):
    """Return the bit numbers (uint64) of the start and the end of a jump or move, an action (int64)."""
    number = np.uint64(action - state.JUMP)
    direction, cell = number % _6, number // _6 % np.uint64(state.BITS)
    if s.charged[state.ZERTZ] & (ONE << cell):
        return cell, lsb(landing(s.pieces[0] | s.pieces[1], direction, cell))
    distance = state.NEXT_STEP[direction] * (ONE + number // (_6 * np.uint64(state.BITS)))
    return cell, cell + distance if direction < 3 else cell - distance


@kernel
def jump_potential(s, start, end):
    """Move the potential on the spot `start` to the spot `end`, both bit numbers (uint64)."""
    me = np.uint64(s.side_to_move)
    other = np.uint64(1) - me
    target = ONE << end
    state.discharge(s, start)
    s.pieces[me] |= target
    s.key ^= state.PIECE_KEYS[me, end]
    if s.pieces[other] & target:
        s.pieces[other] &= ~target
        s.key ^= state.PIECE_KEYS[other, end]
        change_height(s, target, True)
    else:
        s.used |= target
        s.key ^= state.PIECE_KEYS[state.USED_PLANE, end]


@kernel
def change_height(s, spots, more):
    """Count one potential more in the stacks on `spots` (uint64), or one less."""
    for i in range(state.HEIGHT_BITS):
        height = s.stacked[i]
        s.stacked[i] = height ^ spots
        state.rehash(s, state.HEIGHT_PLANE + i, height, s.stacked[i])
        spots &= height if more else ~height
