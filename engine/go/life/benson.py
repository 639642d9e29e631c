"""Unconditional life: chains that cannot be captured even if their owner always passes.

Source: Benson, Life in the game of Go (1976).
"""

import numpy as np

from tengen.engine.go import board
from tengen.engine.go.state import EMPTY, NEIGHBOURS, POINTS, WALL
from tengen.engine.jit import kernel, record

MAX_CHAINS = MAX_REGIONS = 96  # no life is found on a board with more chains or regions of one colour
NO_CHAIN = 255

BENSON = record(
    [
        ("chain", "u1", (POINTS,)),  # by head of a chain: its number, else NO_CHAIN
        ("heads", "u2", (MAX_CHAINS,)),  # by number: the head
        ("alive", "u1", (MAX_CHAINS,)),  # 1 while the chain is not refuted
        ("region", "u1", (POINTS,)),  # 1 + the number of the region of a point, 0 for none
        ("closed", "u1", (MAX_REGIONS,)),  # 1 while all chains around the region are alive
        ("area", "u2", (MAX_REGIONS,)),  # its empty points
        ("touched", "u2", (MAX_REGIONS, MAX_CHAINS)),  # its empty points that are liberties of the chain
        ("borders", "u1", (MAX_REGIONS, MAX_CHAINS)),  # 1 if a point of the region is next to the chain
        ("pending", "u2", (POINTS,)),  # scratch
        ("count", "u4"),  # chains
    ]
)


@kernel
def _number_chain(b, w, q):
    """Return the number (uint64) of the chain of the stone on `q`, a new one at its first call."""
    head = np.uint64(b.chain[q])
    if w.chain[head] == NO_CHAIN:
        n = np.uint64(w.count)
        if n == MAX_CHAINS:
            return np.uint64(NO_CHAIN)
        w.chain[head] = n
        w.heads[n] = head
        w.alive[n] = 1
        w.touched[:, n] = 0
        w.borders[:, n] = 0
        w.count += np.uint64(1)
    return np.uint64(w.chain[head])


@kernel
def _survey_region(b, w, colour, inside, first, region):
    """Flood-fill the region of `first`; return False if there are too many chains.

    A region is a connected set of points without stones of `colour`. It is not closed if it reaches a point
    outside of `inside`.
    """
    w.closed[region] = 1
    w.area[region] = 0
    w.region[first] = region + np.uint64(1)
    w.pending[0] = first
    waiting = 1
    while waiting:
        waiting -= 1
        p = np.uint64(w.pending[waiting])
        empty = b.stones[p] == EMPTY
        w.area[region] += np.uint64(empty)
        for i in range(4):
            q = p + NEIGHBOURS[i]
            found = b.stones[q]
            if found == colour:
                n = _number_chain(b, w, q)
                if n == NO_CHAIN:
                    return False
                w.borders[region, n] = 1
                # A point is one liberty of a chain, however many of its stones are adjacent
                if empty and not board.is_same_chain_before(b, p, i):
                    w.touched[region, n] += np.uint64(1)
            elif found != WALL and not inside[q]:
                w.closed[region] = 0
            elif found != WALL and w.region[q] == 0:
                w.region[q] = region + np.uint64(1)
                w.pending[waiting] = q
                waiting += 1
    return True


@kernel
def find_unconditional_life(b, w, colour, points, num_points, inside):
    """Find the chains of `colour` that are unconditionally alive.

    Parameters
    ----------
    b : BOARD record
    w : BENSON record
        ``alive`` tells the result, by number of a chain; ``chain`` the number of a head, NO_CHAIN for others.
        ``chain`` must be NO_CHAIN everywhere before; `forget` restores that.
    colour : uint64
    points : uint16 (>= num_points,)
        The points whose regions are considered.
    inside : uint8 (POINTS,)
        1 for the same points.

    Returns
    -------
    int64
        How many chains are alive.
    """
    for i in range(num_points):
        w.region[np.uint64(points[i])] = 0
    w.count = 0
    regions = np.uint64(0)
    for i in range(num_points):
        p = np.uint64(points[i])
        if b.stones[p] == colour or w.region[p] != 0:
            continue
        if regions == MAX_REGIONS or not _survey_region(b, w, colour, inside, p, regions):
            return np.int64(0)
        regions += np.uint64(1)
    alive = np.int64(w.count)
    changed = True
    while changed:
        changed = False
        for n in range(np.uint64(w.count)):
            if not w.alive[n]:
                continue
            vital = 0
            for region in range(regions):
                vital += w.closed[region] and w.touched[region, n] == w.area[region]
            if vital >= 2:
                continue
            changed = True
            w.alive[n] = 0
            alive -= 1
            for region in range(regions):
                if w.borders[region, n]:
                    w.closed[region] = 0
    return alive


@kernel
def forget(w):
    """Restore ``w.chain`` after `find_unconditional_life`."""
    for n in range(np.uint64(w.count)):
        w.chain[w.heads[n]] = NO_CHAIN
