"""Playouts: games played to the end by random moves and simple heuristics.

A move answers an atari near the last move, plays a vital point or a good shape next to it, or is a random
move that does not fill an own eye. Kernels take records of PLAYOUT and BOARD.

Good shape is told by a table of the surroundings of a point, 3 by 3 points.

Source, also of the patterns: Gelly, Wang, Munos and Teytaud, Modification of UCT with patterns in Monte-Carlo
Go (2006).
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from tengen.engine.go import board
from tengen.engine.go.knowledge.shapes import CONTENTS, IMAGES
from tengen.engine.go.state import BLACK, BOARD, EMPTY, NEIGHBOURS, NOWHERE, PASS, POINTS, STRIDE, WALL, WHITE
from tengen.engine.jit import kernel, record
from tengen.engine.xorshift import random_below

MAX_CANDIDATES = 64
MAX_RESCUE_STONES = 40  # stones of a chain in atari whose neighbours are tried for capture
MAX_SELF_ATARI_STONES = 4  # stones of the longest chain for which self-atari is allowed
MAX_CLASSES = 16  # of features of a move (see `engine.go.knowledge.features`)
MAX_NAKADE_POINTS = 6  # points of the largest region with a vital point

PLAYOUT = record(
    [
        ("random", "u8"),  # state of the generator, never 0
        ("first", "u1", (POINTS,)),  # 1 + the side that first played on each point, 0 for none
        ("candidates", "u2", (MAX_CANDIDATES,)),  # candidates for the next move
        ("count", "u4"),  # how many
        ("region", "u2", (MAX_NAKADE_POINTS,)),  # scratch
        ("owner", "i4", (POINTS,)),  # playouts in which a point was Black's at the end, minus White's
        ("playouts", "i4"),  # counted in `owner`
        ("tactics", "u1", (POINTS,)),  # scratch: see `engine.go.knowledge.features`
        ("contents", "u1", (CONTENTS,)),  # scratch: the board for patterns, see `engine.go.knowledge.shapes`
        ("hashes", "u8", (IMAGES,)),  # scratch
        ("chain_liberties", "u2", (POINTS,)),  # scratch: of a chain, by its head
        ("levels", "i4", (MAX_CLASSES,)),  # scratch: features of a move
        ("boards", BOARD, (2,)),  # scratch: for reading ladders
        ("liberty", "u8", (3,)),  # scratch
        ("dead", "u1", (POINTS,)),  # colours of the stones that are dead at the root, else 0
        ("unsure", "u1", (POINTS,)),  # colours of the stones whose status is not certain there, else 0
        ("judged", "u1"),  # 1 unless it is still open which stones are dead there
        ("sacrifices", "u1"),  # 1 to allow the sacrifice of stones that leave one eye
        ("dynamic_komi", "i4"),  # hundredths added to Black's margin before it is compared with 0
    ]
)
# Probabilities, in 1/65536, of trying a kind of move, and of rejecting a self-atari of one or more stones.
TRY_ATARI, TRY_NAKADE, TRY_SHAPE = 60000, 50000, 62000
REJECT_SINGLE, REJECT_SEVERAL = 45000, 60000

_0, _1, _3 = np.uint64(0), np.uint64(1), np.uint64(3)

# Rows from the top. X and O are stones of either side, x and o anything but these, _ is wall, ? is anything.
PATTERNS = """
XOX  XO.  XO?  .O.  XO?  XO?  ?X?  OX?  X.?  OX?  ?X?  ?XO  ?OX
...  ...  X..  X..  O.o  O.X  O.O  o.O  O.?  X.O  x.O  x.x  X.O
???  ?.?  x.?  ...  ?o?  ???  ooo  ???  ___  ___  ___  ___  ___
"""
ALLOWED = {
    ".": (EMPTY,),
    "X": (BLACK,),
    "O": (WHITE,),
    "x": (EMPTY, WHITE, WALL),
    "o": (EMPTY, BLACK, WALL),
    "_": (WALL,),
    "?": (EMPTY, BLACK, WHITE, WALL),
}
AROUND = [(x, y) for y in (1, 0, -1) for x in (-1, 0, 1) if x or y]
OFFSETS = np.array([x + STRIDE * y for x, y in AROUND], np.int64).view(np.uint64)
SWAPPED = {EMPTY: EMPTY, BLACK: WHITE, WHITE: BLACK, WALL: WALL}


def _table() -> NDArray[np.bool_]:
    """Return, by `pattern_code`, whether a pattern matches, rotated, mirrored or with swapped colours."""
    table = np.zeros(4 ** len(AROUND), np.bool_)
    rows = PATTERNS.split("\n")[1:-1]
    for columns in zip(*(row.split("  ") for row in rows), strict=True):
        cells = {(x - 1, 1 - y): columns[y][x] for y in range(3) for x in range(3)}
        for swap, mirror, turns in itertools.product((False, True), (False, True), range(4)):
            total = np.zeros(1, np.int64)
            for place, (x, y) in enumerate(AROUND):
                x = -x if mirror else x
                for _ in range(turns):
                    x, y = -y, x
                values = [SWAPPED[value] if swap else value for value in ALLOWED[cells[x, y]]]
                total = np.add.outer(np.array(values, np.int64) << 2 * place, total).ravel()
            table[total] = True
    return table


GOOD_SHAPE = _table()


@kernel
def pattern_code(b, p):
    """Return the eight points around `p` (uint64), two bits each, as an index (uint64) of `GOOD_SHAPE`."""
    code = np.uint64(0)
    for i in range(np.uint64(8)):
        code |= np.uint64(b.stones[p + OFFSETS[i]]) << (i + i)
    return code


@kernel
def reset_playout(o):
    """Reset the random numbers and the counters of `o`."""
    o.random = np.uint64(0x9E3779B97F4A7C15)
    o.owner[:] = 0
    o.playouts = 0
    o.dead[:] = 0
    o.unsure[:] = 0
    o.judged = 1
    o.dynamic_komi = 0
    o.sacrifices = 0


@kernel
def happens(o, share):
    """Return True with the probability `share` / 65536."""
    return random_below(o, 65536) < share


@kernel
def add_candidate(o, p):
    """Add a candidate, unless the list is full."""
    if o.count < MAX_CANDIDATES:
        o.candidates[o.count] = p
        o.count += _1


@kernel
def random_candidate(o):
    """Return a random candidate; NOWHERE if there is none."""
    if o.count == 0:
        return np.uint64(NOWHERE)
    return np.uint64(o.candidates[random_below(o, o.count)])


@kernel
def add_rescues(o, b, head, colour):
    """Add the moves that save the chain of `head` from atari: capturing a neighbour, or extending."""
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
    """Add the answers to the stone on `last`: capturing it, or saving chains that it put in atari."""
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
    """Write the empty region of `first` into ``o.region`` if it is small and enclosed by one colour.

    Returns
    -------
    uint64
        Number of its points; 0 if it has more than `MAX_NAKADE_POINTS` or borders on both colours.
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
def has_vital_point(size, most, total):
    """Return whether an eye shape has a vital point: a stone there leaves one eye.

    These are the nakade shapes: three points, pyramid four, bulky five, crossed five, rabbity six. Each of
    the `size` points of the shape has at most `most` neighbours in it, all together `total`.
    """
    return (
        size == 3
        or (size == 4 and most == 3)
        or (size == 5 and (most == 4 or (most == 3 and total == 10)))
        or (size == 6 and most == 4 and total == 12)
    )


@kernel
def vital_point(o, b, first):
    """Return the vital point of the small region of `first`; NOWHERE without one."""
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
    return best if ties == 1 and has_vital_point(size, most, total) else np.uint64(NOWHERE)


@kernel
def add_nakade(o, b, last, colour):
    """Add the vital points of small regions next to `last`."""
    for step in NEIGHBOURS:
        q = last + step
        if b.stones[q] == EMPTY:
            p = vital_point(o, b, q)
            if p != NOWHERE and board.is_legal(b, p, colour):
                add_candidate(o, p)


@kernel
def add_shapes(o, b, last, colour):
    """Add the points around `last` that match a pattern and are not self-atari."""
    for offset in OFFSETS:
        p = last + offset
        fits = b.stones[p] == EMPTY and p != b.ko and GOOD_SHAPE[pattern_code(b, p)]
        if fits and board.liberties_after(b, p, colour) > 1:
            add_candidate(o, p)


@kernel
def length_after(b, p, colour):
    """Return an upper bound (uint64) of the length of the chain after `colour` plays on `p`."""
    length = _1
    for step in NEIGHBOURS:
        q = p + step
        if b.stones[q] == colour:
            length += np.uint64(b.length[b.chain[q]])
    return length


@kernel
def leaves_one_eye(o, b, p, colour):
    """Return whether the chain that a stone of `colour` on `p` makes leaves one eye when it is captured.

    Its shape is two stones, a square of four, or one that has a vital point.
    """
    o.region[0] = p
    size = _1
    most = total = seen = _0
    while seen < size:
        q = np.uint64(o.region[seen])
        seen += _1
        degree = _0
        for step in NEIGHBOURS:
            r = q + step
            if b.stones[r] != colour and r != p:
                continue
            degree += _1
            known = False
            for i in range(size):
                known |= o.region[i] == r
            if not known:
                if size == MAX_NAKADE_POINTS:
                    return False
                o.region[size] = r
                size += _1
        total += degree
        most = max(most, degree)
    return size == 2 or (size == 4 and total == 8) or has_vital_point(size, most, total)


@kernel
def is_bad_self_atari(o, b, p, colour):
    """Return whether to reject a move as self-atari.

    Single stones may often be thrown in, small chains seldom, large ones never, as this would break seki.
    With ``o.sacrifices``, stones that leave one eye are given up as often as single ones.
    """
    if board.liberties_after(b, p, colour) > 1:
        return False
    length = length_after(b, p, colour)
    if o.sacrifices and length > _1 and length <= MAX_NAKADE_POINTS and leaves_one_eye(o, b, p, colour):
        return happens(o, REJECT_SINGLE)
    if length > MAX_SELF_ATARI_STONES:
        return True
    return happens(o, REJECT_SEVERAL if length > _1 else REJECT_SINGLE)


@kernel
def random_point(o, b, colour):
    """Return a random legal point that is not an own eye; NOWHERE if there is none."""
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
        if happens(o, TRY_ATARI):
            add_atari_moves(o, b, last, colour)
            if o.count:
                return random_candidate(o)
        if happens(o, TRY_NAKADE):
            add_nakade(o, b, last, colour)
            if o.count:
                return random_candidate(o)
        if happens(o, TRY_SHAPE):
            add_shapes(o, b, last, colour)
            if o.count:
                return random_candidate(o)
    return random_point(o, b, colour)


@kernel
def score_area(o, b):
    """Return the area score (int64, Black minus White) of a filled board, and count the owners."""
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
    """Play the game on `b` to its end, in place; `colour` moves first, after the moves `before` and `last`.

    Returns the area score (int64, Black minus White). ``o.first`` takes the colour that first played on each
    point, unless it is set already.
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


@kernel
def estimate_ownership(s, o, scratch, playouts):
    """Run `playouts` from `s`, which are counted in ``o.owner``.

    `scratch` is a STATE record. The sides move first in alternation, and ko is ignored.
    """
    for i in range(playouts):
        scratch.board = s.board
        scratch.board.ko = 0
        o.first[:] = 0
        play_out(o, scratch.board, np.uint64(1 + (i & 1)), np.uint64(PASS), np.uint64(PASS))
