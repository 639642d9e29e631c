"""Counting turns to a depth: the test of every move generator. Specialised with ``game``."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from engine.jit import kernel

game: ModuleType

MAX_PLY = 96  # actions from the root, those of compound turns counted one by one


@kernel
def perft(stack, lists, ply, depth):
    """Return the number of ways to play `depth` turns from ``stack[ply]``.

    Parameters
    ----------
    stack : record array, shape (MAX_PLY,)
        States by ply; those above `ply` are scratch.
    lists : int32 array, shape (MAX_PLY, MAX_ACTIONS)
        Scratch for the actions of each ply.
    ply, depth : int64
        Where to start, and how many turns to play.

    Returns
    -------
    int64
        Sequences of `depth` turns; shorter games are not counted.
    """
    s = stack[ply]
    if depth == 1 and not game.COMPOUND:
        return np.int64(game.count(s))
    n = game.generate(s, lists[ply])
    total = np.int64(0)
    for i in range(n):
        stack[ply + 1] = s
        child = stack[ply + 1]
        game.do_move(child, lists[ply, i])
        if game.COMPOUND and child.partial:
            total += perft(stack, lists, ply + 1, depth)
        elif depth == 1:
            total += 1
        else:
            total += perft(stack, lists, ply + 1, depth - 1)
    return total
