"""Complete turns of GIPF: the canonical turn to each position, and their texts (docs/gipf.md, Turns)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.gipf.board.potentials import jump_ends
from tengen.engine.gipf.rules import MAX_ACTIONS, do_move, generate
from tengen.engine.gipf.state import (
    CHARGED,
    CLOSING_ROWS,
    EXTRA,
    GIPF_PIECE,
    GIVE_UP,
    JUMP,
    KINDS,
    LINE_CELLS,
    LINE_LENGTH,
    LINE_NAMES,
    MAIN,
    PUSH_NAMES,
    PUSHES,
    REMOVE,
    SPOT_NAMES,
    STATE,
    stacks,
)
from tengen.engine.jit import kernel, popcount

MAX_TURN_ACTIONS = 40  # actions
ROOM = 1 << 12  # initial room, in turns
ALL = np.uint64(0)  # instead of a key: any position
PREFIXES = {GIPF_PIECE: "G", EXTRA: "p"} | {CHARGED + kind: letter for kind, letter in enumerate("ZTDYU")}
GIVEN_UP = "p-"


@kernel
def _may_become(s, end):
    """Return whether the turn in `s` may still lead to the board of `end`; True when in doubt."""
    for side in range(2):
        kept = popcount(s.pieces[side] & s.gipf)
        if side == s.side_to_move and s.stage <= MAIN:
            kept += 1  # by the push
        if kept < popcount(end.pieces[side] & end.gipf):
            return False
    if s.stage < CLOSING_ROWS:
        return True
    for side in range(2):  # a removal brings no piece but those that come free [PD-7]
        if end.pieces[side] & ~(s.pieces[side] | stacks(s)):
            return False
    for kind in range(KINDS):
        if end.charged[kind] & ~s.charged[kind]:
            return False
    return (end.gipf & ~s.gipf) == np.uint64(0)


@kernel
def _collect(stack, lists, path, ply, end, wanted, found, keys, count):
    """Append the turns from ``stack[ply]`` on to the `count` turns in `found`; return the new count.

    Parameters
    ----------
    stack : record array, shape (MAX_TURN_ACTIONS + 1,)
    lists : int32 array, shape (MAX_TURN_ACTIONS + 1, MAX_ACTIONS)
        Scratch.
    path : int16 array, shape (MAX_TURN_ACTIONS,)
        The actions before `ply`.
    end : STATE record
        The position to reach, if `wanted` is its key; with `ALL` any position will do.
    found : int16 array, shape (room, MAX_TURN_ACTIONS + 1)
        The turns; the last column has their lengths. Turns without room are only counted.
    keys : uint64 array, shape (room,)
        Keys of the positions after them.
    """
    s = stack[ply]
    n = generate(s, lists[ply])
    for i in range(n):
        stack[ply + 1] = s
        child = stack[ply + 1]
        do_move(child, lists[ply, i])
        path[ply] = lists[ply, i]
        if child.partial:
            if ply + 1 < MAX_TURN_ACTIONS and (wanted == ALL or _may_become(child, end)):
                count = _collect(stack, lists, path, ply + 1, end, wanted, found, keys, count)
        elif wanted == ALL or child.key == wanted:
            if count < len(found):
                for k in range(ply + 1):  # as slices, numba's text of unequal shapes would be compiled: 2 s
                    found[count, k] = path[k]
                found[count, MAX_TURN_ACTIONS] = ply + 1
                keys[count] = child.key
            count += 1
    return np.int64(count)


def _turns(s: Any, end: Any = None) -> tuple[list[tuple[int, ...]], NDArray[np.uint64]]:
    """Return the turns of `s`, all or only those to `end`, and the keys of the positions after them."""
    wanted = ALL if end is None else np.uint64(end.key)
    room = ROOM
    while True:
        stack = np.zeros(MAX_TURN_ACTIONS + 1, STATE)
        stack[0] = s
        lists = np.zeros((MAX_TURN_ACTIONS + 1, MAX_ACTIONS), np.int32)
        path = np.zeros(MAX_TURN_ACTIONS, np.int16)
        found = np.zeros((room, MAX_TURN_ACTIONS + 1), np.int16)
        keys = np.zeros(room, np.uint64)
        target = s if end is None else end
        count = int(_collect(stack, lists, path, 0, target, wanted, found, keys, 0))
        if count <= room:
            return [tuple(row[: row[-1]]) for row in found[:count].tolist()], keys[:count]
        room = count


def jump_spots(s: Any, action: int) -> tuple[int, int]:
    """Return the bit numbers of the start and the end of a jump or move of a potential in state `s`."""
    start, end = jump_ends(s, np.int64(action))
    return int(start), int(end)


def _sort_key(s: Any, actions: Sequence[int], text: str) -> tuple[Any, ...]:
    """Return the sort key of a turn among those to the same position."""
    pushes, lines = [], []
    s = s.copy()
    for action in actions:
        if action >= REMOVE:
            if (action - REMOVE) % 128:
                lines.append(LINE_NAMES[(action - REMOVE) // 128])
        elif action >= JUMP:
            pushes.append(tuple(SPOT_NAMES[cell] for cell in jump_spots(s, action)))
        elif action != GIVE_UP:
            pushes.append(PUSH_NAMES[action % PUSHES])
        do_move(s, action)
    return pushes, lines, text


def _least(s: Any, turns: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the canonical one of several turns to the same position."""
    if len(turns) == 1:
        return turns[0]
    return min(turns, key=lambda actions: _sort_key(s, actions, plain_text(s, actions)))


def canonical_turns(s: Any) -> Iterator[tuple[int, ...]]:
    """Yield the canonical turns of a state at the beginning of a turn, in the order of ``generate``."""
    turns, keys = _turns(s)
    _, firsts, groups = np.unique(keys, return_index=True, return_inverse=True)
    members: list[list[tuple[int, ...]]] = [[] for _ in firsts]
    for turn, group in zip(turns, groups.tolist(), strict=True):
        members[group].append(turn)
    for group in np.argsort(firsts).tolist():
        yield _least(s, members[group])


def canonical(s: Any, actions: Sequence[int]) -> tuple[int, ...]:
    """Return the canonical turn to the position after `actions`, from a state at the beginning of a turn."""
    actions = tuple(int(action) for action in actions)
    if len(actions) == 1 and actions[0] < REMOVE and s.stage == MAIN:
        return actions  # without removals `generate` lists only the smallest dot
    end = s.copy()
    for action in actions:
        do_move(end, action)
    return _least(s, _turns(s, end)[0])


# ----------------------------------------------------------------------------------------------------- texts


def removed_spots(action: int) -> list[str]:
    """Return the names of the spots that a removal takes, along the line."""
    line, mask = divmod(action - REMOVE, 128)
    cells = LINE_CELLS[line, : LINE_LENGTH[line]].tolist()
    return [SPOT_NAMES[cell] for i, cell in enumerate(cells) if mask >> i & 1]


def action_text(s: Any, action: int) -> str:
    """Return the text of one action in state `s`; empty if nothing is taken of a row."""
    if action >= REMOVE:
        spots = removed_spots(action)
        return "x" + ",".join(spots) if spots else ""
    if action >= JUMP:
        return "j" + "-".join(SPOT_NAMES[cell] for cell in jump_spots(s, action))
    if action == GIVE_UP:
        return GIVEN_UP
    kind, push = divmod(action, PUSHES)
    return PREFIXES.get(kind, "") + "-".join(PUSH_NAMES[push])


def plain_text(s: Any, actions: Sequence[int]) -> str:
    """Return the text of exactly these actions in state `s`."""
    parts = []
    s = s.copy()
    for action in actions:
        parts.append(action_text(s, action))
        do_move(s, action)
    return ";".join(part for part in parts if part)
