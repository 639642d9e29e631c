"""Playouts: games played to the end by chance and good shape.

A move answers an atari near the last move, plays on a vital point or a good shape beside it, or falls on any
point that fills no eye. Kernels over records of PLAYOUT and BOARD.

Source: Gelly, Wang, Munos and Teytaud, Modification of UCT with patterns in Monte-Carlo Go (2006).
"""

from __future__ import annotations

import numpy as np

from tengen.engine.go import board
from tengen.engine.go.patterns import GOOD_SHAPE, OFFSETS, pattern_code
from tengen.engine.go.state import BLACK, BOARD, EMPTY, NEIGHBOURS, NOWHERE, PASS, POINTS, STRIDE, WALL, WHITE
from tengen.engine.jit import kernel, record
from tengen.engine.xorshift import random_below

MAX_CANDIDATES = 64
MAX_RESCUE_STONES = 40  # stones that are looked along for a way out of atari
MAX_SELF_ATARI_STONES = 4  # stones of the longest chain that may be put into atari
MAX_NAKADE_POINTS = 6  # points of the largest region that has a vital point

PLAYOUT = record(
    [
        ("random", "u8"),  # state of the generator, never 0
        ("first", "u1", (POINTS,)),  # 1 + side of who played first on each point, 0 for nobody
        ("candidates", "u2", (MAX_CANDIDATES,)),  # candidates for the next move
        ("count", "u4"),  # how many
        ("region", "u2", (MAX_NAKADE_POINTS,)),  # scratch
        ("owner", "i4", (POINTS,)),  # how often a point was Black's at the end, less how often White's
        ("playouts", "i4"),  # entered into `owner`
        ("distance", "u1", (POINTS,)),  # scratch: from the last stone
        ("tactics", "u1", (POINTS,)),  # scratch: what a move does to chains in or near atari
        ("queue", "u2", (POINTS,)),  # scratch
        ("boards", BOARD, (2,)),  # scratch: for reading ladders
        ("liberty", "u8", (3,)),  # scratch
        ("dead", "u1", (POINTS,)),  # the colours of stones that both sides call dead at the root, else 0
        ("dynamic_komi", "i4"),  # dynamic komi: hundredths added to Black's margin before it is judged
    ]
)
# Chances, in 1/65536, to look for a kind of move, and to reject a self-atari of one stone, of several.
LOOK_AT_ATARI, LOOK_AT_NAKADE, LOOK_AT_SHAPE = 60000, 50000, 62000
REJECT_SINGLE, REJECT_SEVERAL = 45000, 60000

_0, _1, _3 = np.uint64(0), np.uint64(1), np.uint64(3)


@kernel
def happens(o, share):
    """Return True in `share` of 65536 cases."""
    return random_below(o, 65536) < share


@kernel
def add_candidate(o, p):
    """Enter a candidate, unless the list is full."""
    if o.count < MAX_CANDIDATES:
        o.candidates[o.count] = p
        o.count += _1


@kernel
def random_candidate(o):
    """Return one of the candidates by chance; NOWHERE when there are none."""
    if o.count == 0:
        return np.uint64(NOWHERE)
    return np.uint64(o.candidates[random_below(o, o.count)])


@kernel
def add_rescues(o, b, head, colour):
    """Enter the moves that save the chain of `head`, which is in atari: taking a neighbour, or running."""
    q = head
    for _ in range(MAX_RESCUE_STONES):
        for step in NEIGHBOURS:
            r = q + step
            if b.stones[r] == _3 - colour and board.in_atari(b, np.uint64(b.chain[r])):
                p = board.last_liberty(b, np.uint64(b.chain[r]))
                if p != b.ko:
                    add_candidate(o, p)
        q = np.uint64(b.next_in_chain[q])
        if q == head:
            break
    p = board.last_liberty(b, head)
    if board.liberties_after(b, p, colour) > 1:
        add_candidate(o, p)


@kernel
def add_atari_moves(o, b, last, colour):
    """Enter the moves that answer the stone on `last`: take it if it is in atari, save what it threatens."""
    head = np.uint64(b.chain[last])
    if board.in_atari(b, head):
        p = board.last_liberty(b, head)
        if p != b.ko:
            add_candidate(o, p)
    for step in NEIGHBOURS:
        q = last + step
        if b.stones[q] == colour and board.in_atari(b, np.uint64(b.chain[q])):
            add_rescues(o, b, np.uint64(b.chain[q]), colour)


@kernel
def small_region(o, b, first):
    """Write the empty region of `first` into ``o.region`` if it is small and one colour encloses it.

    Returns
    -------
    uint64
        Its points; 0 when it has more than `MAX_NAKADE_POINTS`, or both colours beside it.
    """
    o.region[0] = first
    size = _1
    beside = _0
    seen = _0
    while seen < size:
        p = np.uint64(o.region[seen])
        seen += _1
        for step in NEIGHBOURS:
            q = p + step
            found = b.stones[q]
            if found == EMPTY:
                known = False
                for i in range(size):
                    known |= o.region[i] == q
                if not known:
                    if size == MAX_NAKADE_POINTS:
                        return _0
                    o.region[size] = q
                    size += _1
            elif found != WALL:
                beside |= np.uint64(found)
                if beside == _3:
                    return _0
    return size


@kernel
def vital_point(o, b, first):
    """Return the vital point of the small region of `first` that one colour encloses; NOWHERE without one.

    Regions that make two eyes, or only one, by whoever plays there first: three in a row, the pyramid four,
    the bulky five, the cross, the flower six.
    """
    size = small_region(o, b, first)
    if size < 3:
        return np.uint64(NOWHERE)
    best = np.uint64(NOWHERE)
    most = ties = total = _0
    for i in range(size):
        p = np.uint64(o.region[i])
        degree = _0
        for step in NEIGHBOURS:
            degree += np.uint64(b.stones[p + step] == EMPTY)
        total += degree
        if degree > most:
            best, most, ties = p, degree, _1
        elif degree == most:
            ties += _1
    vital = ties == 1 and (
        size == 3
        or (size == 4 and most == 3)
        or (size == 5 and (most == 4 or (most == 3 and total == 10)))
        or (size == 6 and most == 4 and total == 14)
    )
    return best if vital else np.uint64(NOWHERE)


@kernel
def add_nakade(o, b, last, colour):
    """Enter the vital points of small regions beside `last`."""
    for step in NEIGHBOURS:
        q = last + step
        if b.stones[q] == EMPTY:
            p = vital_point(o, b, q)
            if p != NOWHERE and board.is_legal(b, p, colour):
                add_candidate(o, p)


@kernel
def add_shapes(o, b, last, colour):
    """Enter the points around `last` that are of good shape and no self-atari."""
    for offset in OFFSETS:
        p = last + offset
        fits = b.stones[p] == EMPTY and p != b.ko and GOOD_SHAPE[pattern_code(b, p)]
        if fits and board.liberties_after(b, p, colour) > 1:
            add_candidate(o, p)


@kernel
def length_after(b, p, colour):
    """Return how long the chain becomes that `colour` makes by playing on `p` (uint64), or more."""
    length = _1
    for step in NEIGHBOURS:
        q = p + step
        if b.stones[q] == colour:
            length += np.uint64(b.length[b.chain[q]])
    return length


@kernel
def is_bad_self_atari(o, b, p, colour):
    """Return whether a move leaves its chain a single liberty and nothing speaks for it.

    Single stones are thrown in as often as not, small chains seldom; large ones would break a seki.
    """
    if board.liberties_after(b, p, colour) > 1:
        return False
    length = length_after(b, p, colour)
    if length > MAX_SELF_ATARI_STONES:
        return True
    return happens(o, REJECT_SEVERAL if length > _1 else REJECT_SINGLE)


@kernel
def random_point(o, b, colour):
    """Return a legal point that fills no eye, from a place chosen by chance on; NOWHERE if there is none."""
    count = np.uint64(b.num_empty)
    i = random_below(o, count)
    for _ in range(count):
        p = np.uint64(b.empty[i])
        i += _1
        if i == count:
            i = _0
        if (
            board.is_eye(b, p, colour)
            or not board.is_legal(b, p, colour)
            or is_bad_self_atari(o, b, p, colour)
        ):
            continue
        return p
    return np.uint64(NOWHERE)


@kernel
def choose_move(o, b, last, before, colour):
    """Return the next move (uint64) of `colour`, after `before` and `last`; PASS if there is none."""
    o.count = 0
    if last != PASS:
        if happens(o, LOOK_AT_ATARI):
            add_atari_moves(o, b, last, colour)
            if o.count:
                return random_candidate(o)
        if happens(o, LOOK_AT_NAKADE):
            add_nakade(o, b, last, colour)
            if o.count:
                return random_candidate(o)
        if happens(o, LOOK_AT_SHAPE):
            add_shapes(o, b, last, colour)
            if o.count:
                return random_candidate(o)
    return random_point(o, b, colour)


@kernel
def score_area(o, b):
    """Return Black's points less White's (int64) where only eyes are empty, and enter the owners."""
    margin = np.int64(0)
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        found = b.stones[p]
        if found == WALL:
            continue
        if found == EMPTY:
            beside = _0
            for step in NEIGHBOURS:
                around = np.uint64(b.stones[p + step])
                beside |= around if around != WALL else _0
            found = beside
        if found == BLACK:
            margin += 1
            o.owner[p] += 1
        elif found == WHITE:
            margin -= 1
            o.owner[p] -= 1
    o.playouts += 1
    return margin


@kernel
def play_out(o, b, colour, last, before):
    """Play the game on `b`, in place, to its end, `colour` to move after `before` and `last`.

    ``o.first`` takes who played first on each point, where it was 0. Returns Black's points less White's by
    area (int64).
    """
    passes = 0
    points = np.int64(b.width) * np.int64(b.width)
    for _ in range(3 * points):
        p = choose_move(o, b, last, before, colour)
        if p == PASS:
            b.ko = NOWHERE
            passes += 1
            if passes == 2:
                break
        else:
            passes = 0
            if o.first[p] == 0:
                o.first[p] = colour
            board.play(b, p, colour)
        before, last = last, p
        colour = _3 - colour
    return score_area(o, b)
