"""What learning of the net asks of the game: games as planes, and how playouts from their positions end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.go.knowledge.net import SHAPE, write_planes
from tengen.engine.go.playouts.playout import PLAYOUT
from tengen.engine.go.rules import copy_state, do_move, is_legal
from tengen.engine.go.simulation import simulate
from tengen.engine.go.state import PASS, POINTS, STATE, TERRITORY, coordinates, point
from tengen.engine.jit import kernel
from tengen.engine.nets.convolution import NO_KOMI, place


@kernel
def replay_planes(states, o, net, turns, wanted, playouts, planes, about, rates):
    """Play `turns` from ``states[0]``, in place, and write what the net sees of the `wanted` positions.

    Parameters
    ----------
    states : STATE records, shape (2,)
        The start position, and scratch.
    o : PLAYOUT record
        Scratch; its random numbers go on.
    net : record of `SHAPE.dtype`
        Scratch.
    turns : int32 array
        Actions; they need not be legal.
    wanted : bool array, shape (turns,)
        Whether the position before the turn is wanted.
    playouts : int64
        How many playouts go on from each wanted position.
    planes : uint8 array, shape (wanted, points, planes)
        Points by rows from the bottom.
    about, rates : float32 arrays, shapes (wanted, numbers about a position) and (wanted,)
        `rates` takes the mean value of the playouts for the side to move.

    Returns
    -------
    int64
        Number of turns that were played: fewer than there are if the next one is illegal.
    """
    s = states[0]
    size = np.int64(s.board.width)
    row = 0
    for i in range(len(turns)):
        if turns[i] < 0 or turns[i] >= POINTS or s.passes == 2:
            return np.int64(i)
        if turns[i] != PASS and not is_legal(s, np.uint64(turns[i])):
            return np.int64(i)
        if wanted[i]:
            write_planes(s, net)
            for y in range(size):
                for x in range(size):
                    for k in range(planes.shape[2]):
                        planes[row, y * size + x, k] = net.board[place(size, x, y), k]
            about[row] = net.about
            total = 0.0
            for _ in range(playouts):
                copy_state(states, 1, 0)
                o.first[:] = 0
                total += simulate(states[1], o)[0]
            if playouts:
                mean = total / playouts
                rates[row] = mean if s.side_to_move == 0 else 1.0 - mean
            row += 1
        do_move(s, turns[i])
    return np.int64(len(turns))


def scratch() -> tuple[Any, Any, Any]:
    """Return states, a PLAYOUT record and a record of the net, for `replay_planes`."""
    playout = np.zeros(1, PLAYOUT)[0]
    playout.random = 1
    return np.zeros(2, STATE), playout, SHAPE.record(None)


def komi_ranges(starts: Iterable[Any]) -> NDArray[np.int32]:
    """Return the lowest and the highest komi of start positions, as a net keeps them.

    The result is int32, shape (2, 2), in hundredths of a point: with area scoring, then with territory
    scoring.
    """
    komis: tuple[list[int], list[int]] = [], []
    for start in starts:
        komis[int(start.rules == TERRITORY)].append(int(start.komi))
    return np.array([(min(found), max(found)) if found else NO_KOMI for found in komis], np.int32)


def policy_indices(size: int) -> NDArray[np.int64]:
    """Return by action where its probability stands: rows from the bottom, then a pass; -1 if nowhere."""
    found = np.full(POINTS, -1, np.int64)
    for y in range(size):
        for x in range(size):
            found[point(x, y)] = y * size + x
    found[PASS] = size * size
    return found


def owner_indices(points: list[int], size: int) -> NDArray[np.int64]:
    """Return for each of `points` where it stands by rows from the bottom."""
    return np.array([y * size + x for x, y in map(coordinates, points)], np.int64)
