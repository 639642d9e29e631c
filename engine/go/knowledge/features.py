"""Features of a candidate move: its pattern, and what it does to the chains around it.

Every move has one level of each class of features. Kernels take records of PLAYOUT (as scratch) and BOARD.
"""

import numpy as np

from tengen.engine.go import board
from tengen.engine.go.knowledge.shapes import find_pattern, set_contents
from tengen.engine.go.playouts import ladder
from tengen.engine.go.playouts.playout import leaves_one_eye, length_after, vital_point
from tengen.engine.go.state import BLACK, EMPTY, NEIGHBOURS, NOWHERE, PASS, POINTS, STRIDE, WALL, WHITE
from tengen.engine.jit import kernel

MAX_DISTANCE = 18  # all greater ones count as this
MAX_LINE = 7  # lines from the edge, likewise
MAX_LIBERTIES = 5  # of a chain, likewise
PHASES = 3  # of the game, by the share of points that hold stones
PHASE_ENDS = (8, 3)  # one stone for so many points ends the first phases
BOARDS = (11, 15)  # sizes up to which boards count as small and as medium
TACTICS = {
    "capture": ("none", "saves", "last", "several", "one"),
    "escape": ("none", "works", "doomed"),
    "self-atari": ("none", "one", "shape", "several"),
    "atari": ("none", "ladder", "leaves fewer", "leaves as many", "leaves more"),
    "protect": ("none", "from ladder"),
    "eye": ("none", "own", "other"),
    "ko": ("none", "takes"),
    "fate": ("none", "caught"),
}
CLASSES = {
    **TACTICS,
    "contact": tuple(f"{own} own, {other} other" for own in range(4) for other in range(4)),
    "weakness": tuple(
        f"{own} and {other} liberties"
        for own in range(MAX_LIBERTIES + 1)
        for other in range(MAX_LIBERTIES + 1)
    ),
    "distance": (*map(str, range(MAX_DISTANCE + 1)), "none"),
    "distance before": (*map(str, range(MAX_DISTANCE + 1)), "none"),
    "line": tuple(
        f"{line}, phase {phase}, {size}"
        for size in ("small", "medium", "large")
        for phase in range(1, PHASES + 1)
        for line in range(1, MAX_LINE + 1)
    ),
}
NAMES = tuple(f"{name}: {level}" for name, levels in CLASSES.items() for level in levels)
STARTS = np.array([0, *np.cumsum([len(levels) for levels in CLASSES.values()])], np.int64)
CAPTURE, ESCAPE, SELF_ATARI, ATARI, PROTECT, EYE, KO, FATE = range(len(TACTICS))
CONTACT, WEAKNESS, DISTANCE, DISTANCE_BEFORE, LINE = range(len(TACTICS), len(CLASSES))
PATTERN = len(CLASSES)  # the class of patterns, which follow the other features
COLUMNS = PATTERN + 1  # at most `playout.MAX_CLASSES`

# Bits of ``PLAYOUT.tactics``
WORKS, DOOMED, LADDER, LEAVES_FEWER, LEAVES_EQUAL, LEAVES_MORE, PROTECTS = (
    np.uint8(1 << i) for i in range(7)
)

_0, _1, _3 = np.uint64(0), np.uint64(1), np.uint64(3)


@kernel
def _head(b, p):
    """Return the head (int64) of the chain on `p`, or `NOWHERE` if there is no stone."""
    found = b.stones[p]
    return np.int64(b.chain[p]) if found in (BLACK, WHITE) else np.int64(NOWHERE)


@kernel
def count_liberties(b, liberties):
    """Write the number of liberties of every chain into `liberties` (uint16), by its head.

    Boards are unforeseeable, so that it is fast without branches; the number at `NOWHERE` means nothing.
    """
    for i in range(np.int64(b.width) * STRIDE + STRIDE):
        liberties[i] = 0
    for i in range(np.int64(b.num_empty)):
        p = np.uint64(b.empty[np.uint64(i)])
        h = _head(b, p + NEIGHBOURS[0])
        j = _head(b, p + NEIGHBOURS[1])
        k = _head(b, p + NEIGHBOURS[2])
        m = _head(b, p + NEIGHBOURS[3])
        liberties[h] += 1
        liberties[j] += j != h
        liberties[k] += (k != h) & (k != j)
        liberties[m] += (m != h) & (m != j) & (m != k)


@kernel
def extension_liberties(liberties, b, out, besides, colour):
    """Return how many liberties (int64) extending to `out` is taken to bring `colour`, without `besides`.

    An empty neighbour counts 1, and every own chain next to `out` its liberties but these two points. A
    liberty that two of them share counts twice. `liberties` has those of every chain, by its head.
    """
    count = np.int64(0)
    for i in range(4):
        q = out + NEIGHBOURS[i]
        if b.stones[q] == EMPTY:
            count += np.int64(q != besides)
        elif b.stones[q] == colour and not board.is_same_chain_before(b, out, i):
            count += np.int64(liberties[b.chain[q]]) - 1
            for step in NEIGHBOURS:
                r = besides + step
                if b.stones[r] == colour and b.chain[r] == b.chain[q]:
                    count -= 1
                    break
    return count


@kernel
def mark_ataris(o, b, head):
    """Mark in ``o.tactics`` the two liberties of the enemy chain of `head`: where to give atari."""
    foe = np.uint64(b.stones[head])
    one, other = o.liberty[0], o.liberty[1]
    left_one = extension_liberties(o.chain_liberties, b, one, other, foe)
    left_other = extension_liberties(o.chain_liberties, b, other, one, foe)
    for i in range(2):
        p = one if i == 0 else other
        left, instead = (left_other, left_one) if i == 0 else (left_one, left_other)
        if board.liberties_after(b, p, _3 - foe) < 2:
            continue
        caught = False
        if left <= 2:
            o.boards[0] = b
            caught = ladder.captures_in_ladder(o.boards, p, head, o.liberty)
        if caught:
            o.tactics[p] |= LADDER
        elif left < instead:
            o.tactics[p] |= LEAVES_FEWER
        elif left == instead:
            o.tactics[p] |= LEAVES_EQUAL
        else:
            o.tactics[p] |= LEAVES_MORE


@kernel
def mark_protection(o, b, head):
    """Mark in ``o.tactics`` the liberties of the own chain of `head` if the opponent could catch it."""
    colour = np.uint64(b.stones[head])
    one, other = o.liberty[0], o.liberty[1]
    for i in range(2):
        p, out = (one, other) if i == 0 else (other, one)
        if extension_liberties(o.chain_liberties, b, out, p, colour) > 2:
            continue
        o.boards[0] = b
        if ladder.captures_in_ladder(o.boards, p, head, o.liberty):
            o.tactics[one] |= PROTECTS
            o.tactics[other] |= PROTECTS
            return


@kernel
def mark_tactics(o, b, colour):
    """Mark in ``o.tactics`` what moves of `colour` do to chains with one or two liberties."""
    o.tactics[:] = 0
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        found = np.uint64(b.stones[p])
        if (found != BLACK and found != WHITE) or b.chain[p] != p:
            continue
        if o.chain_liberties[p] == 1 and found == colour:
            o.boards[0] = b
            out = board.last_liberty(b, p)
            o.tactics[out] |= DOOMED if ladder.run_out(o.boards, p, o.liberty) > 0 else WORKS
        elif o.chain_liberties[p] == 2:
            board.liberties(b, p, o.liberty)
            if found == colour:
                mark_protection(o, b, p)
            else:
                mark_ataris(o, b, p)


@kernel
def prepare(o, b, colour):
    """Prepare ``o`` for `describe` of moves of `colour` on `b`."""
    set_contents(o, b, colour)
    count_liberties(b, o.chain_liberties)
    mark_tactics(o, b, colour)


@kernel
def distance_level(p, last):
    """Return the level (int64) of the distance from `last`, which may be PASS (see `shapes.distance`)."""
    if last == PASS:
        return np.int64(MAX_DISTANCE + 1)
    dx = abs(np.int64(p) % STRIDE - np.int64(last) % STRIDE)
    dy = abs(np.int64(p) // STRIDE - np.int64(last) // STRIDE)
    return min(dx + dy + max(dx, dy), np.int64(MAX_DISTANCE))


@kernel
def line_level(b, p):
    """Return the level (int64) of the line of `p`: by board size, phase and distance from the edge."""
    x, y = np.int64(p) % STRIDE, np.int64(p) // STRIDE
    width = np.int64(b.width)
    line = min(min(x, width + 1 - x), min(y, width + 1 - y), MAX_LINE)
    size = np.int64(width > BOARDS[0]) + np.int64(width > BOARDS[1])
    area = width * width
    stones = area - np.int64(b.num_empty)
    phase = np.int64(PHASE_ENDS[0] * stones >= area) + np.int64(PHASE_ENDS[1] * stones >= area)
    return (size * PHASES + phase) * MAX_LINE + line - 1


@kernel
def capture_level(o, b, p, last, colour):
    """Return the level of the capture (int64) that `colour` makes on `p`."""
    several = one = latest = saves = False
    for step in NEIGHBOURS:
        q = p + step
        if b.stones[q] != _3 - colour:
            continue
        head = np.uint64(b.chain[q])
        if o.chain_liberties[head] != 1:
            continue
        saves |= touches_atari(o, b, head, colour)
        latest |= last != PASS and b.chain[last] == head
        if b.length[head] > 1:
            several = True
        else:
            one = True
    if saves:
        return np.int64(1)
    if latest:
        return np.int64(2)
    return np.int64(3) if several else np.int64(4) if one else np.int64(0)


@kernel
def touches_atari(o, b, head, colour):
    """Return whether the chain of `head` is next to a chain of `colour` in atari."""
    p = head
    while True:
        for step in NEIGHBOURS:
            q = p + step
            if b.stones[q] == colour and o.chain_liberties[b.chain[q]] == 1:
                return True
        p = np.uint64(b.next_in_chain[p])
        if p == head:
            return False


@kernel
def self_atari_level(o, b, p, colour):
    """Return the level of a self-atari (int64) of `colour` on `p`."""
    if board.liberties_after(b, p, colour) > 1:
        return np.int64(0)
    if length_after(b, p, colour) == _1:
        return np.int64(1)
    return np.int64(2) if leaves_one_eye(o, b, p, colour) else np.int64(3)


@kernel
def atari_level(o, p):
    """Return the level of the atari (int64) on `p`: the best of several."""
    tactics = o.tactics[p]
    if tactics & LADDER:
        return np.int64(1)
    if tactics & LEAVES_FEWER:
        return np.int64(2)
    if tactics & LEAVES_EQUAL:
        return np.int64(3)
    return np.int64(4) if tactics & LEAVES_MORE else np.int64(0)


@kernel
def eye_level(o, b, p, colour):
    """Return the level (int64) of the vital point of a small eye: 1 for an own eye, 2 for the opponent's."""
    around = _0
    stones = np.int64(0)
    for step in NEIGHBOURS:
        found = np.uint64(b.stones[p + step])
        if found in (BLACK, WHITE):
            around |= found
            stones += 1
    if around == _3 or stones > 2 or vital_point(o, b, p) != p:
        return np.int64(0)
    owner = np.uint64(0)
    for i in range(len(o.region)):
        q = np.uint64(o.region[i])
        for step in NEIGHBOURS:
            found = np.uint64(b.stones[q + step])
            if found in (BLACK, WHITE):
                owner = found
                break
        if owner:
            break
    return np.int64(1) if owner == colour else np.int64(2)


@kernel
def is_caught_after(o, b, p, colour):
    """Return whether the opponent catches the stone of `colour` on `p` in a ladder at once.

    Only stones next to the opponent that have two liberties are looked at.
    """
    room = np.int64(0)
    contact = False
    for step in NEIGHBOURS:
        q = p + step
        found = np.uint64(b.stones[q])
        if found == EMPTY:
            room += 1
        elif found == colour:
            room += np.int64(o.chain_liberties[b.chain[q]]) - 1
        elif found != WALL:
            contact = True
            if o.chain_liberties[b.chain[q]] == 1:
                return False  # a capture makes room
    if room > 2 or not contact or board.liberties_after(b, p, colour) < 2:
        return False
    o.boards[0] = b
    board.play(o.boards[0], p, colour)
    head = np.uint64(o.boards[0].chain[p])
    if board.liberties(o.boards[0], head, o.liberty) != 2:
        return False
    one, other = o.liberty[0], o.liberty[1]
    if ladder.captures_in_ladder(o.boards, one, p, o.liberty):
        return True
    o.boards[0] = b
    board.play(o.boards[0], p, colour)
    return ladder.captures_in_ladder(o.boards, other, p, o.liberty)


@kernel
def contact_levels(o, b, p, colour):
    """Return the levels (int64) of contact and of weakness, told by the own and the other chains next to `p`.

    These are their numbers, and the fewest liberties of one.
    """
    own = other = weakest = weakest_other = np.int64(0)
    for i in range(4):
        q = p + NEIGHBOURS[i]
        found = np.uint64(b.stones[q])
        if (found != BLACK and found != WHITE) or board.is_same_chain_before(b, p, i):
            continue
        count = min(np.int64(o.chain_liberties[b.chain[q]]), MAX_LIBERTIES)
        if found == colour:
            weakest = min(weakest, count) if own else count
            own += 1
        else:
            weakest_other = min(weakest_other, count) if other else count
            other += 1
    return min(own, 3) * 4 + min(other, 3), weakest * (MAX_LIBERTIES + 1) + weakest_other


@kernel
def describe(o, b, p, colour, last, before, table, numbers):
    """Write the features of the legal move of `colour` on `p` into ``o.levels``.

    Parameters
    ----------
    o : PLAYOUT record
        After `prepare`. ``o.levels`` takes an index of `NAMES` for every class; that of the class `PATTERN`
        is the number of the pattern behind them.
    b : BOARD record
    p, colour, last, before : uint64
        `last` and `before` are the two moves played before, or PASS.
    table, numbers : ndarray
        Of patterns: see `shapes.make_table`.
    """
    o.levels[CAPTURE] = capture_level(o, b, p, last, colour)
    tactics = o.tactics[p]
    o.levels[ESCAPE] = 1 if tactics & WORKS else 2 if tactics & DOOMED else 0
    o.levels[SELF_ATARI] = self_atari_level(o, b, p, colour)
    o.levels[ATARI] = atari_level(o, p)
    o.levels[PROTECT] = 1 if tactics & PROTECTS else 0
    o.levels[EYE] = eye_level(o, b, p, colour)
    o.levels[KO] = 1 if board.takes_ko(b, p, colour) else 0
    o.levels[FATE] = 1 if is_caught_after(o, b, p, colour) else 0
    o.levels[CONTACT], o.levels[WEAKNESS] = contact_levels(o, b, p, colour)
    o.levels[DISTANCE] = distance_level(p, last)
    o.levels[DISTANCE_BEFORE] = distance_level(p, before)
    o.levels[LINE] = line_level(b, p)
    for i in range(COLUMNS):
        o.levels[i] += STARTS[i]
    o.levels[PATTERN] = STARTS[PATTERN] + find_pattern(o, p, table, numbers)
