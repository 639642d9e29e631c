"""Kernels that list the turns of a position, which may have several actions. Specialised with ``game``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tengen.engine.jit import kernel
from tengen.engine.play.steps import MAX_STEPS
from tengen.engine.play.turns import NO_ACTION

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tengen.engine.contract import game

ROOM = 1 << 12  # initial room, in turns
ANY = np.uint64(0)  # instead of a key: any position

if hasattr(game, "may_become"):
    may_become = game.may_become
else:

    @kernel
    def may_become(s, end):
        """Return whether the turn in `s` may still lead to `end`; True when in doubt."""
        return True


@kernel
def _collect(stack, lists, path, ply, end, wanted, found, keys, count):
    """Append the turns from ``stack[ply]`` on to the `count` turns in `found`; return the new count.

    Parameters
    ----------
    stack : record array, shape (MAX_STEPS + 1,)
    lists : int32 array, shape (MAX_STEPS + 1, game.MAX_ACTIONS)
        Scratch.
    path : int32 array, shape (MAX_STEPS,)
        The actions before `ply`.
    end : STATE record
        The position to reach, if `wanted` is its key; with `ANY` any position will do.
    found : int32 array, shape (room, MAX_STEPS + 1)
        The turns; the last column has their lengths. Turns without room are only counted.
    keys : uint64 array, shape (room,)
        Keys of the positions after them.
    """
    s = stack[ply]
    n = game.generate(s, lists[ply])
    for i in range(n):
        stack[ply + 1] = s
        child = stack[ply + 1]
        game.do_move(child, lists[ply, i])
        path[ply] = lists[ply, i]
        if child.partial:
            if ply + 1 < MAX_STEPS and (wanted == ANY or may_become(child, end)):
                count = _collect(stack, lists, path, ply + 1, end, wanted, found, keys, count)
        elif wanted == ANY or child.key == wanted:
            if count < len(found):
                for k in range(ply + 1):  # as slices, numba's text of unequal shapes would be compiled: 2 s
                    found[count, k] = path[k]
                found[count, MAX_STEPS] = ply + 1
                keys[count] = child.key
            count += 1
    return np.int64(count)


def turn_table(s: Any, end: Any = None) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Return the turns of `s`, in the order of ``generate``, and the keys of the positions after them.

    Parameters
    ----------
    s : numpy.record
        A state at the beginning of a turn.
    end : numpy.record, optional
        Leave out turns to other positions than this.

    Returns
    -------
    turns : int32 array, shape (turns, most actions of one)
        Their actions, and `NO_ACTION` behind the last one.
    keys : uint64 array, shape (turns,)
    """
    target, wanted = (s, ANY) if end is None else (end, np.uint64(end.key))
    count, room = ROOM, 0
    while count > room:
        room = count
        stack = np.empty(MAX_STEPS + 1, game.STATE)
        stack[0] = s
        lists = np.empty((MAX_STEPS + 1, game.MAX_ACTIONS), np.int32)
        path = np.empty(MAX_STEPS, np.int32)
        found = np.empty((room, MAX_STEPS + 1), np.int32)
        keys = np.empty(room, np.uint64)
        count = int(_collect(stack, lists, path, 0, target, wanted, found, keys, 0))
    lengths = found[:count, MAX_STEPS]
    turns = found[:count, : lengths.max(initial=0)]
    turns[np.arange(turns.shape[1]) >= lengths[:, None]] = NO_ACTION
    return turns, keys[:count]
