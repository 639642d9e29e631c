"""The part of the board in which the life of a chain is decided."""

from __future__ import annotations

import numpy as np

from tengen.engine.go.state import EMPTY, NEIGHBOURS, WALL
from tengen.engine.jit import kernel

MAX_POINTS = 160  # points of a region
MAX_FOE_LIBERTIES = 5  # of enemy chains around: with more it is no use to attack them

_1, _3 = np.uint64(1), np.uint64(3)


@kernel
def count_liberties(b, w, head, most):
    """Return the liberties (int64) of the chain of `head`, counted up to `most`.

    ``w.mark`` (uint32, POINTS) and ``w.marks`` (uint32), the last mark that was used, are scratch.
    """
    w.marks += _1
    mark = np.uint64(w.marks)
    found = np.int64(0)
    p = head
    while True:
        for step in NEIGHBOURS:
            q = p + step
            if b.stones[q] == EMPTY and w.mark[q] != mark:
                w.mark[q] = mark
                found += 1
                if found == most:
                    return found
        p = np.uint64(b.next_in_chain[p])
        if p == head:
            return found


@kernel
def _add(w, p):
    """Append a point to the region, unless it is full or has the point; return whether it was appended."""
    if w.inside[p]:
        return False
    if w.num_points == MAX_POINTS:
        w.truncated = 1
        return False
    w.inside[p] = 1
    w.points[w.num_points] = p
    w.num_points += _1
    return True


@kernel
def _add_chain(b, w, q):
    """Append the stones of the chain of the stone on `q`."""
    p = q
    while True:
        _add(w, p)
        p = np.uint64(b.next_in_chain[p])
        if p == q:
            break


@kernel
def _add_empty(w, p, most):
    """Append an empty point, unless `most` of them are in the region already."""
    if w.inside[p]:
        return
    if w.num_empty >= most:
        w.truncated = 1
    elif _add(w, p):
        w.num_empty += _1


@kernel
def clear_region(w):
    """Empty the region."""
    for i in range(np.uint64(w.num_points)):
        w.inside[np.uint64(w.points[i])] = 0
    w.num_points = w.num_empty = w.num_targets = 0
    w.truncated = 0


@kernel
def choose_region(b, w, stone, most):
    """Make ``w.points`` the region that decides the life of the chain of `stone`, nearest points first.

    It consists of empty points connected with the chain, of chains next to them that are not known to be safe
    (``w.safe``), and of the liberties of these chains: of enemies only if they have few. The stones of the
    chain become the targets.

    Parameters
    ----------
    b : BOARD record
    w : SOLVER record
    stone : uint64
    most : int
        Empty points of the region at most. ``w.truncated`` tells whether there would be more.
    """
    clear_region(w)
    defender = np.uint64(b.stones[stone])
    p = stone
    while True:
        w.targets[w.num_targets] = p
        w.num_targets += _1
        _add(w, p)
        p = np.uint64(b.next_in_chain[p])
        if p == stone:
            break
    i = np.uint64(0)
    while i < w.num_points:
        p = np.uint64(w.points[i])
        i += _1
        here = np.uint64(b.stones[p])
        for step in NEIGHBOURS:
            q = p + step
            found = b.stones[q]
            if found == WALL or w.inside[q]:
                continue
            if found == EMPTY:
                limit = MAX_FOE_LIBERTIES
                if here != _3 - defender or count_liberties(b, w, np.uint64(b.chain[p]), limit + 1) <= limit:
                    _add_empty(w, q, most)
            elif found != here and not w.safe[q]:
                _add_chain(b, w, q)
