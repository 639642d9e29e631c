"""The part of the board in which the life of a chain is decided."""

import numpy as np

from tengen.engine.go import board
from tengen.engine.go.state import EMPTY, NEIGHBOURS, WALL
from tengen.engine.jit import kernel

MAX_POINTS = 160  # points of a region
MAX_FOE_LIBERTIES = 5  # of enemy chains around: with more it is no use to attack them

_1, _3 = np.uint64(1), np.uint64(3)


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
    for i in range(np.uint64(w.num_points)):
        w.inside[np.uint64(w.points[i])] = 0
    w.num_points = w.num_empty = w.num_targets = 0
    w.truncated = 0
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
                head = np.uint64(b.chain[p])
                if here == _3 - defender and board.liberties(b, head, w.liberty) > MAX_FOE_LIBERTIES:
                    continue
                if w.num_empty >= most:
                    w.truncated = 1
                elif _add(w, q):
                    w.num_empty += _1
            elif found != here and not w.safe[q]:
                r = q
                while True:
                    _add(w, r)
                    r = np.uint64(b.next_in_chain[r])
                    if r == q:
                        break
