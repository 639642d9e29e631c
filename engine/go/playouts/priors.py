"""Move priors of the Monte-Carlo tree search.

Source of the heuristics: Baudis and Gailly, PACHI: state of the art open source Go program (2011).
"""

from __future__ import annotations

import numpy as np

from tengen.engine.go import board
from tengen.engine.go.playouts import ladder
from tengen.engine.go.playouts.patterns import GOOD_SHAPE, pattern_code
from tengen.engine.go.playouts.playout import add_rescues
from tengen.engine.go.state import BLACK, NEIGHBOURS, PASS, POINTS, STRIDE, WALL, WHITE
from tengen.engine.jit import kernel

# Prior simulations of each feature: wins, or losses if it is bad.
EVEN_PRIOR = 10.0  # half of them won
TAKES_ONE, TAKES_MORE = 15.0, 30.0
RESCUES = 15.0
SHAPE = 10.0
FAR = 3
NEAR_LAST = np.array([0.0, 24.0, 22.0, 8.0, 0.0])  # by distance from the last stone, up to `FAR`
EMPTY_THIRD = 10.0  # on the third line, with no stone within `FAR` steps
EMPTY_EDGE = 10.0  # bad: on the first two
SELF_ATARI = 20.0  # bad
PASSING = 20.0  # bad

RESCUE, DOOMED = np.uint8(1), np.uint8(2)  # bits of ``PLAYOUT.tactics``
MAX_PSEUDO_LIBERTIES = 8  # pseudo-liberties of two points at most


@kernel
def measure_distances(o, b, last):
    """Write the distances from `last`, up to `FAR`, into ``o.distance``; those within a chain are 0."""
    o.distance[:] = FAR + 1
    if last == PASS:
        return
    o.queue[0] = last
    o.distance[last] = 0
    waiting, done = np.uint64(1), np.uint64(0)
    while done < waiting:
        p = np.uint64(o.queue[done])
        done += np.uint64(1)
        if b.stones[p] == BLACK or b.stones[p] == WHITE:
            q = np.uint64(b.next_in_chain[p])
            while q != p:
                if o.distance[q] > o.distance[p]:
                    o.distance[q] = o.distance[p]
                    o.queue[waiting % np.uint64(POINTS)] = q
                    waiting += np.uint64(1)
                q = np.uint64(b.next_in_chain[q])
        if o.distance[p] == FAR:
            continue
        for step in NEIGHBOURS:
            q = p + step
            if b.stones[q] != WALL and o.distance[q] > o.distance[p] + 1:
                o.distance[q] = o.distance[p] + 1
                o.queue[waiting % np.uint64(POINTS)] = q
                waiting += np.uint64(1)


@kernel
def find_rescues(o, b, colour):
    """Mark in ``o.tactics`` the moves that save chains of `colour` from atari (RESCUE).

    The escape of a chain that is caught in a ladder is marked as DOOMED.
    """
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        if b.stones[p] == colour and b.chain[p] == p and board.in_atari(b, p):
            out = board.last_liberty(b, p)
            o.boards[0] = b
            caught = ladder.is_caught(o.boards, p, o.liberty)
            o.count = 0
            add_rescues(o, b, p, colour)
            for i in range(o.count):
                q = np.uint64(o.candidates[i])
                o.tactics[q] |= DOOMED if caught and q == out else RESCUE


@kernel
def find_ladders(o, b, colour):
    """Mark in ``o.tactics`` the ladder moves of `colour` near the last stone, captures and rescues."""
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        found = b.stones[p]
        if found not in (BLACK, WHITE) or b.chain[p] != p or o.distance[p] > FAR:
            continue
        if b.liberties[p] > MAX_PSEUDO_LIBERTIES or ladder.liberties(b, p, o.liberty) != 2:
            continue
        one, other = o.liberty[0], o.liberty[1]
        o.boards[0] = b
        first = ladder.captures_in_ladder(o.boards, one, p, o.liberty)
        o.boards[0] = b
        second = ladder.captures_in_ladder(o.boards, other, p, o.liberty)
        if first or (found == colour and second):
            o.tactics[one] |= RESCUE
        if second or (found == colour and first):
            o.tactics[other] |= RESCUE


@kernel
def is_isolated(b, p):
    """Return whether no stone stands within `FAR` steps of `p` (uint64)."""
    for y in range(-FAR, FAR + 1):
        for x in range(-FAR + abs(y), FAR + 1 - abs(y)):
            q = np.int64(p) + x + STRIDE * y
            if 0 <= q < POINTS and (b.stones[np.uint64(q)] == BLACK or b.stones[np.uint64(q)] == WHITE):
                return False
    return True


@kernel
def edge_distance(b, p):
    """Return the line of `p` (uint64), counted from the edge: 1 on the edge (int64)."""
    x, y = np.int64(p) % STRIDE, np.int64(p) // STRIDE
    width = np.int64(b.width)
    return min(min(x, width + 1 - x), min(y, width + 1 - y))


@kernel
def prior_wins_and_losses(o, b, p, colour):
    """Return the prior wins and losses of a move of `colour` on `p` (float64, float64)."""
    taken = board.stones_captured(b, p, colour)
    good = NEAR_LAST[min(np.uint64(o.distance[p]), np.uint64(FAR + 1))]
    bad = 0.0
    if taken:
        good += TAKES_ONE if taken == 1 else TAKES_MORE
    elif board.liberties_after(b, p, colour) < 2:
        bad += SELF_ATARI
    if o.tactics[p] & RESCUE:
        good += RESCUES
    if o.tactics[p] & DOOMED:
        bad += SELF_ATARI
    if GOOD_SHAPE[pattern_code(b, p)]:
        good += SHAPE
    if o.distance[p] > FAR and edge_distance(b, p) <= 3 and is_isolated(b, p):
        if edge_distance(b, p) < 3:
            bad += EMPTY_EDGE
        else:
            good += EMPTY_THIRD
    return good, bad


@kernel
def set_priors(s, o, actions, n, priors, weights):
    """Write the priors of the first `n` of `actions`.

    Parameters
    ----------
    s : STATE record
    o : PLAYOUT record
        Scratch.
    actions : int32 array
    n : int
    priors, weights : float32 arrays
        Take the expected result for the side to move, from 0 to 1, and its weight in simulations.
    """
    b = s.board
    colour = np.uint64(s.side_to_move) + np.uint64(1)
    measure_distances(o, b, np.uint64(s.last_actions[0]))
    o.tactics[:] = 0
    find_rescues(o, b, colour)
    find_ladders(o, b, colour)
    for i in range(n):
        p = np.uint64(actions[i])
        good, bad = 0.0, PASSING
        if p != PASS:
            good, bad = prior_wins_and_losses(o, b, p, colour)
        weight = EVEN_PRIOR + good + bad
        priors[i] = (0.5 * EVEN_PRIOR + good) / weight
        weights[i] = weight
