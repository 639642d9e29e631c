"""The board without history: stones, chains, captures, and legality except for superko.

In all kernels `b` is a record of BOARD, points are uint64, colours are uint64 BLACK or WHITE.
"""

import numpy as np

from tengen.engine.go.state import (
    BLACK,
    DIAGONALS,
    EMPTY,
    NEIGHBOURS,
    NOWHERE,
    STONE_KEYS,
    STRIDE,
    WALL,
    WHITE,
)
from tengen.engine.jit import kernel

_0, _1, _3 = np.uint64(0), np.uint64(1), np.uint64(3)


@kernel
def clear(b, width):
    """Make `b` an empty board of `width` (int64) points a side."""
    b.key = _0
    b.stones[:] = WALL
    b.ko = NOWHERE
    b.prisoners[:] = 0
    b.width = width
    count = 0
    for y in range(1, width + 1):
        for x in range(1, width + 1):
            p = x + STRIDE * y
            b.stones[p] = EMPTY
            b.empty[count] = p
            b.place[p] = count
            count += 1
    b.num_empty = count


@kernel
def in_atari(b, head):
    """Return whether the chain of `head` has exactly one liberty."""
    total = np.uint64(b.liberty_sum[head])
    return np.uint64(b.liberties[head]) * np.uint64(b.liberty_squares[head]) == total * total


@kernel
def last_liberty(b, head):
    """Return the only liberty (uint64) of a chain that is in atari."""
    return np.uint64(b.liberty_sum[head]) // np.uint64(b.liberties[head])


@kernel
def liberties(b, head, found):
    """Write liberties of the chain of `head` into `found` (uint64), until it is full; return how many."""
    n = np.int64(0)
    p = head
    while True:
        for step in NEIGHBOURS:
            q = p + step
            if b.stones[q] != EMPTY:
                continue
            known = False
            for i in range(n):
                known |= found[i] == q
            if not known:
                found[n] = q
                n += 1
                if n == len(found):
                    return n
        p = np.uint64(b.next_in_chain[p])
        if p == head:
            return n


@kernel
def is_same_chain_before(b, p, i):
    """Return whether one of the first `i` neighbours of `p` belongs to the chain on the next one."""
    q = p + NEIGHBOURS[i]
    for j in range(i):
        r = p + NEIGHBOURS[j]
        if b.stones[r] == b.stones[q] and b.chain[r] == b.chain[q]:
            return True
    return False


@kernel
def is_legal(b, p, colour):
    """Return whether `colour` may play on the empty point `p`, superko aside [O-3][O-4]."""
    if p == b.ko:
        return False
    for step in NEIGHBOURS:
        q = p + step
        found = b.stones[q]
        if found == EMPTY:
            return True
        if found != WALL and in_atari(b, np.uint64(b.chain[q])) != (found == colour):
            return True  # an own chain with another liberty, or an enemy chain without
    return False


@kernel
def _occupy(b, p, colour):
    """Put a stone on `p` as a new chain, and remove the liberty `p` from the adjacent chains."""
    last = b.num_empty - _1
    moved = np.uint64(b.empty[last])
    place = np.uint64(b.place[p])
    b.empty[place] = moved
    b.place[moved] = place
    b.num_empty = last
    b.stones[p] = colour
    b.chain[p] = p
    b.next_in_chain[p] = p
    b.length[p] = 1
    b.key ^= STONE_KEYS[colour, p]
    count = total = squares = _0
    for step in NEIGHBOURS:
        q = p + step
        found = b.stones[q]
        if found == EMPTY:
            count += _1
            total += q
            squares += q * q
        elif found != WALL:
            head = np.uint64(b.chain[q])
            b.liberties[head] -= _1
            b.liberty_sum[head] -= p
            b.liberty_squares[head] -= p * p
    b.liberties[p] = count
    b.liberty_sum[p] = total
    b.liberty_squares[p] = squares


@kernel
def _merge(b, one, other):
    """Merge two chains, given by their heads; return the head, that of the longer one."""
    if b.length[one] < b.length[other]:
        one, other = other, one
    b.length[one] += b.length[other]
    b.liberties[one] += b.liberties[other]
    b.liberty_sum[one] += b.liberty_sum[other]
    b.liberty_squares[one] += b.liberty_squares[other]
    q = other
    while True:
        b.chain[q] = one
        q = np.uint64(b.next_in_chain[q])
        if q == other:
            break
    b.next_in_chain[one], b.next_in_chain[other] = b.next_in_chain[other], b.next_in_chain[one]
    return one


@kernel
def _remove(b, head):
    """Remove the chain of `head` from the board, update its neighbours; return its length (uint64)."""
    colour = np.uint64(b.stones[head])
    p = head
    taken = _0
    while True:
        b.stones[p] = EMPTY
        b.key ^= STONE_KEYS[colour, p]
        b.empty[b.num_empty] = p
        b.place[p] = b.num_empty
        b.num_empty += _1
        taken += _1
        for step in NEIGHBOURS:
            q = p + step
            if b.stones[q] == BLACK or b.stones[q] == WHITE:
                beside = np.uint64(b.chain[q])
                b.liberties[beside] += _1
                b.liberty_sum[beside] += p
                b.liberty_squares[beside] += p * p
        p = np.uint64(b.next_in_chain[p])
        if p == head:
            break
    return taken


@kernel
def put(b, p, colour):
    """Put a stone of `colour` on the empty point `p` without capturing; return the head of its chain."""
    _occupy(b, p, colour)
    head = p
    for step in NEIGHBOURS:
        q = p + step
        if b.stones[q] == colour and b.chain[q] != head:
            head = _merge(b, head, np.uint64(b.chain[q]))
    return head


@kernel
def play(b, p, colour):
    """Play the legal move of `colour` on `p` [O-2]; return the number of captured stones (uint64)."""
    head = put(b, p, colour)
    taken = _0
    captured = p
    for step in NEIGHBOURS:
        q = p + step
        if b.stones[q] == _3 - colour and b.liberties[b.chain[q]] == 0:
            taken += _remove(b, np.uint64(b.chain[q]))
            captured = q
    b.prisoners[colour - _1] += taken
    single = taken == _1 and b.length[head] == 1 and b.liberties[head] == 1
    b.ko = captured if single else np.uint64(NOWHERE)
    return taken


@kernel
def key_after(b, p, colour):
    """Return the key (uint64) of the stones after `colour` plays on `p`."""
    key = np.uint64(b.key) ^ STONE_KEYS[colour, p]
    foe = _3 - colour
    for i in range(4):
        q = p + NEIGHBOURS[i]
        if b.stones[q] != foe or not in_atari(b, np.uint64(b.chain[q])) or is_same_chain_before(b, p, i):
            continue
        r = q
        while True:
            key ^= STONE_KEYS[foe, r]
            r = np.uint64(b.next_in_chain[r])
            if r == q:
                break
    return key


@kernel
def takes_ko(b, p, colour):
    """Return the point (uint64) of the ko that a stone of `colour` on `p` takes; NOWHERE if none."""
    taken = np.uint64(NOWHERE)
    for step in NEIGHBOURS:
        q = p + step
        found = b.stones[q]
        if found == WALL:
            continue
        if found != _3 - colour:
            return np.uint64(NOWHERE)
        head = np.uint64(b.chain[q])
        if in_atari(b, head):
            if taken != NOWHERE or b.length[head] != 1:
                return np.uint64(NOWHERE)
            taken = q
    return taken


@kernel
def false_eye_corners(b, p, colour):
    """Return the number of diagonal neighbours of `p` that count against an eye of `colour` (int64).

    Those are the enemy's stones, plus one at the edge of the board.
    """
    lost = np.int64(0)
    wall = np.int64(0)
    for step in DIAGONALS:
        found = b.stones[p + step]
        lost += found == _3 - colour
        wall |= found == WALL
    return lost + wall


@kernel
def liberties_after(b, p, colour):
    """Return the liberties of a chain of `colour` after a stone on `p` (int64), at most 2.

    The stones of a captured neighbouring chain count as liberties.
    """
    found = np.int64(0)
    only = p  # the one liberty that has been found
    for i in range(4):
        q = p + NEIGHBOURS[i]
        here = b.stones[q]
        if here == WALL:
            continue
        liberty = q
        if here != EMPTY:
            head = np.uint64(b.chain[q])
            touching = _1
            again = False
            for j in range(4):
                if j != i and b.chain[p + NEIGHBOURS[j]] == head and b.stones[p + NEIGHBOURS[j]] == here:
                    touching += _1
                    again |= j < i
            if again:
                continue
            count = np.uint64(b.liberties[head]) - touching
            if here != colour:
                if count:
                    continue
                if touching > _1 or b.length[head] > 1:
                    return np.int64(2)
            elif count == 0:
                continue
            else:
                total = np.uint64(b.liberty_sum[head]) - touching * p
                squares = np.uint64(b.liberty_squares[head]) - touching * p * p
                if count * squares != total * total:
                    return np.int64(2)
                liberty = total // count
        if found and liberty != only:
            return np.int64(2)
        only = liberty
        found = np.int64(1)
    return found


@kernel
def is_eye(b, p, colour):
    """Return whether the empty point `p` is a true eye of `colour`."""
    for step in NEIGHBOURS:
        found = b.stones[p + step]
        if found != colour and found != WALL:
            return False
    return false_eye_corners(b, p, colour) < 2


@kernel
def stones_captured(b, p, colour):
    """Return the stones (int64) that `colour` captures on `p`; chains on two sides are counted twice."""
    taken = np.int64(0)
    for step in NEIGHBOURS:
        q = p + step
        if b.stones[q] == _3 - colour and in_atari(b, np.uint64(b.chain[q])):
            taken += b.length[b.chain[q]]
    return taken
