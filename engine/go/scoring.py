"""Scoring [O-5]: area or territory, seki, dead stones."""

import numpy as np

from tengen.engine.go import board
from tengen.engine.go.state import BLACK, EMPTY, NEIGHBOURS, NOWHERE, POINTS, STRIDE, TERRITORY, WALL, WHITE
from tengen.engine.jit import kernel

NEUTRAL = BLACK | WHITE  # colours next to a region, as bits
_3 = np.uint64(3)
SEKI_POINTS = 2  # a single region of at most this size does not make two eyes


@kernel
def _root(parent, p):
    """Return the representative (uint64) of the set of `p` (union-find); `parent` is uint16 (POINTS,)."""
    while parent[p] != p:
        p = np.uint64(parent[p])
    return p


@kernel
def _find_seki(b, stones, region, beside, seki):
    """Mark the points of groups in `seki` (bool, POINTS); the other arrays are as `survey` has left them."""
    beside, kos = beside.copy(), np.zeros(POINTS, np.bool_)
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        eye = stones[p] == EMPTY and region[p] == p and beside[p] in (BLACK, WHITE)
        if eye and b.stones[p] == EMPTY and board.takes_ko(b, p, _3 - np.uint64(beside[p])) != NOWHERE:
            beside[p], kos[p] = NEUTRAL, True  # no eye: whoever wins the ko has the point
    parent = np.arange(POINTS).astype(np.uint16)
    regions = np.zeros(POINTS, np.int64)
    points = np.zeros(POINTS, np.int64)
    neutral = np.zeros(POINTS, np.bool_)
    # Join stones and the regions that only they surround
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        colour = stones[p]
        if colour == EMPTY:
            colour = beside[region[p]]
            parent[_root(parent, p)] = _root(parent, np.uint64(region[p]))
        if colour in (BLACK, WHITE):
            for step in (NEIGHBOURS[0], NEIGHBOURS[2]):
                q = p + step
                other = stones[q] if stones[q] != EMPTY else beside[region[q]]
                if other == colour:
                    parent[_root(parent, p)] = _root(parent, q)
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        if stones[p] == EMPTY:
            if beside[region[p]] != NEUTRAL:
                group = _root(parent, p)
                points[group] += 1
                regions[group] += region[p] == p
        elif stones[p] != WALL:
            for step in NEIGHBOURS:
                q = p + step
                if stones[q] == EMPTY and beside[region[q]] == NEUTRAL:
                    neutral[_root(parent, p)] = True
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        group = _root(parent, p)
        seki[p] = neutral[group] and regions[group] <= 1 and points[group] <= SEKI_POINTS
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        if kos[p]:
            for step in NEIGHBOURS:
                seki[p] |= seki[p + step]


@kernel
def survey(b, dead, stones, region, beside):
    """Remove the dead stones from a board and find its empty regions.

    Parameters
    ----------
    b : BOARD record
    dead : bool (POINTS,)
        The dead stones: whole chains only.
    stones : uint8 (POINTS,)
        Takes the board without dead stones.
    region : uint16 (POINTS,)
        All 0; takes the first point of the region of each empty point.
    beside : uint8 (POINTS,)
        All 0; takes, by first point, the colours adjacent to the region, as bits.
    """
    pending = np.zeros(POINTS, np.uint16)
    for p in range(POINTS):
        stones[p] = EMPTY if dead[p] and b.stones[p] != WALL else b.stones[p]
    for first in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        if stones[first] != EMPTY or region[first]:
            continue
        region[first] = first
        pending[0] = first
        waiting = 1
        while waiting:
            waiting -= 1
            p = np.uint64(pending[waiting])
            for step in NEIGHBOURS:
                q = p + step
                found = stones[q]
                if found == EMPTY:
                    if region[q] == 0:
                        region[q] = first
                        pending[waiting] = q
                        waiting += 1
                elif found != WALL:
                    beside[first] |= found


@kernel
def score_board(b, rules, dead, owner, seki):
    """Score a board at the end of the game.

    Parameters
    ----------
    b : BOARD record
    rules : int
        TERRITORY, CHINESE or TROMP_TAYLOR.
    dead : bool (POINTS,)
        The dead stones: whole chains only.
    owner : int8 (POINTS,)
        Takes 1 for points of Black, -1 for points of White, else 0.
    seki : bool (POINTS,)
        All False; with TERRITORY takes the points of groups in seki: stones and the regions they surround.

    Returns
    -------
    int64
        Black's points minus White's, without komi.
    """
    stones = np.zeros(POINTS, np.uint8)
    region = np.zeros(POINTS, np.uint16)
    beside = np.zeros(POINTS, np.uint8)
    survey(b, dead, stones, region, beside)
    margin = np.int64(0)
    territory = rules == TERRITORY
    if territory:
        _find_seki(b, stones, region, beside, seki)
        margin += np.int64(b.prisoners[0]) - np.int64(b.prisoners[1])
    for p in range(STRIDE, POINTS - STRIDE):
        owner[p] = 0
        if territory and stones[p] != b.stones[p]:
            margin += 1 if b.stones[p] == WHITE else -1
        colour = stones[p]
        if colour == WALL or seki[p] or (territory and colour != EMPTY):
            continue
        if colour == EMPTY:
            colour = beside[region[p]]
        if colour in (BLACK, WHITE):
            owner[p] = 1 if colour == BLACK else -1
            margin += owner[p]
    return margin
