"""Perft: counts turns to a depth, to test move generators. Specialised with ``game``."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.jit import kernel, specialise
from tengen.engine.position import OCCURRENCES
from tengen.search.binding import bound

if TYPE_CHECKING:
    from tengen.engine.position import Position

game: ModuleType

MAX_PLY = 96  # actions from the root; a compound turn counts each of its actions
SEEN = 1 << 16  # initial size of the table of different positions after the turns of one position
FULL = -1  # returned when the table is too small


@kernel
def _is_drawn(stack, past, ply):
    """Return whether the game has ended at ``stack[ply]``, as it occurs for the third time there.

    Parameters
    ----------
    stack, past, ply
        As for `perft`.
    """
    if past.size == 0 or stack[ply].partial or not game.may_repeat(stack[ply]):
        return False
    key, seen = stack[ply].key, np.int64(1)
    for earlier in past:
        seen += earlier == key
    for i in range(ply):
        seen += stack[i].partial == 0 and stack[i].key == key
    return seen >= OCCURRENCES


@kernel
def perft(stack, lists, past, ply, depth):
    """Return the number of ways to play `depth` turns from ``stack[ply]``.

    Parameters
    ----------
    stack : record array, shape (MAX_PLY,)
        States by ply; those above `ply` are scratch.
    lists : int32 array, shape (MAX_PLY, MAX_ACTIONS)
        Scratch for the actions of each ply.
    past : uint64 array
        Keys of the positions before ``stack[0]``, with one 0 before them where repetition draws; else empty.
    ply, depth : int64
        Where to start, and how many turns to play.

    Returns
    -------
    int64
        Sequences of `depth` turns; shorter games are not counted.
    """
    s = stack[ply]
    if _is_drawn(stack, past, ply):
        return np.int64(0)
    if depth == 1 and not game.MULTI_ACTION_TURNS:
        return np.int64(game.count(s))
    n = game.generate(s, lists[ply])
    total = np.int64(0)
    for i in range(n):
        stack[ply + 1] = s
        child = stack[ply + 1]
        game.do_move(child, lists[ply, i])
        if game.MULTI_ACTION_TURNS and child.partial:
            total += perft(stack, lists, past, ply + 1, depth)
        elif depth == 1:
            total += 1
        else:
            total += perft(stack, lists, past, ply + 1, depth - 1)
    return total


@kernel
def _is_new(seen, stamps, level, stamp, key):
    """Remember `key`; return whether it is new since the stamp of this level changed."""
    mask = np.uint64(seen.shape[1] - 1)
    slot = key & mask
    while stamps[level, slot] == stamp:
        if seen[level, slot] == key:
            return False
        slot = (slot + np.uint64(1)) & mask
    seen[level, slot] = key
    stamps[level, slot] = stamp
    return True


@kernel
def distinct_perft(stack, lists, past, seen, stamps, marks, ply, depth):
    """Return what `perft` returns when, at every node, turns that lead to the same position count as one.

    Parameters
    ----------
    stack, lists, past, ply, depth
        As for `perft`.
    seen, stamps : uint64 and int64 array, shape (depth + 1, a power of two)
        Scratch, zeroed: by turns to go, the keys met at the present node, and which node each was met at.
    marks : int64 array, shape (depth + 1, 2)
        Scratch, zeroed: by turns to go, the number of the present node and how many keys it has met.

    Returns
    -------
    int64
        `FULL` when `seen` is too small.
    """
    s = stack[ply]
    if _is_drawn(stack, past, ply):
        return np.int64(0)
    mark = marks[np.int64(depth)]
    if s.partial == 0 or ply == 0:
        mark[0] += 1
        mark[1] = 0
    n = game.generate(s, lists[ply])
    total = np.int64(0)
    for i in range(n):
        stack[ply + 1] = s
        child = stack[ply + 1]
        game.do_move(child, lists[ply, i])
        more = np.int64(0)
        if child.partial:
            more = distinct_perft(stack, lists, past, seen, stamps, marks, ply + 1, depth)
        elif _is_new(seen, stamps, np.int64(depth), mark[0], child.key):
            mark[1] += 1
            more = np.int64(1)
            if mark[1] >= seen.shape[1] - 1:
                more = np.int64(FULL)
            elif depth > 1:
                more = distinct_perft(stack, lists, past, seen, stamps, marks, ply + 1, depth - 1)
        if more < 0:
            return np.int64(FULL)
        total += more
    return total


def count(position: Position, depth: int, distinct: bool = False) -> int:
    """Return the number of sequences of `depth` turns from `position`.

    Parameters
    ----------
    position : Position
    depth : int
        Turns, not actions; at least 0.
    distinct : bool
        Count, at every node, turns that lead to the same position as one.
    """
    if depth <= 0:
        return 1
    rules = position.spec.game.rules
    kernels = specialise("tengen.search.perft", bound(position.spec.game))
    stack = np.zeros(MAX_PLY, rules.STATE)
    stack[0] = position.state
    lists = np.zeros((MAX_PLY, rules.MAX_ACTIONS), np.int32)
    past = np.array([0, *position.past_keys] if position.spec.repetition else [], np.uint64)
    if not (distinct or rules.MERGES_TRANSPOSITIONS):
        return int(kernels.perft(stack, lists, past, 0, depth))
    room, total = SEEN, FULL
    while total == FULL:
        seen, stamps = np.zeros((depth + 1, room), np.uint64), np.zeros((depth + 1, room), np.int64)
        marks = np.zeros((depth + 1, 2), np.int64)
        total = int(kernels.distinct_perft(stack, lists, past, seen, stamps, marks, 0, depth))
        room *= 4
    return total


def divide(position: Position, depth: int, distinct: bool = False) -> list[tuple[str, int]]:
    """Return every turn from `position` with the number of sequences of `depth` turns that begin with it."""
    if distinct:
        return [
            (child.turns_played[-1], count(child, depth - 1, True))
            for child in _successors(position).values()
        ]
    return [(child.turns_played[-1], count(child, depth - 1)) for child in _children(position)]


def _children(position: Position) -> Iterator[Position]:
    """Yield the position after each legal turn."""
    for turn in position.turns():
        child = position.copy()
        child.play(turn)
        yield child


def _successors(position: Position) -> dict[int, Position]:
    """Return the different positions after the legal turns, by key; the first turn to each is kept."""
    found: dict[int, Position] = {}
    for child in _children(position):
        found.setdefault(int(child.state.key), child)
    return found
