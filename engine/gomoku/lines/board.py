"""Placing and removing stones of Gomoku and Gobang, with incremental updates of lines, ranks and counts."""

import numpy as np

from tengen.engine.gomoku.lines.patterns import (
    DOUBLE_FOUR,
    KINDS,
    OPEN_TWO,
    PLAIN,
    RANK_FOUR,
    RANK_THREE,
    line_value,
    rank_of,
)
from tengen.engine.gomoku.state import BLACK, LINE, MAX_SIZE, PLACE, REACH, STEPS, STONE_KEYS, WHITE
from tengen.engine.jit import kernel, lsb

KIND_BITS = 15  # of an entry of LINE_TABLE; the bits above are captures
NEAR_BITS = 31  # five adjacent points of a row
RANKING = np.array([kind if kind >= OPEN_TWO else 0 for kind in range(KINDS)])  # lesser kinds rank alike
# The kinds that are counted are the first ones after `NONE`. A word holds a change of each count
COUNTED_KINDS, COUNT_BITS = DOUBLE_FOUR, 7
COUNTED = np.array(
    [1 << COUNT_BITS * (kind - 1) if 0 < kind <= COUNTED_KINDS else 0 for kind in range(KINDS)]
)
COUNT_MASK, COUNT_OFFSET = (1 << COUNT_BITS) - 1, 1 << (COUNT_BITS - 1)
COUNT_OFFSETS = int(COUNTED.sum()) * COUNT_OFFSET
SIDE_BITS, SIDE_MASK = 16, 0xFFFF  # of the kinds of one side
PAIRS_TAKEN, PAIRS_THREATENED = 0x3333, 0xCCCC  # bits of ``takes``, two for each direction


@kernel
def kinds_of(s, side, p):
    """Return the kinds of lines (int64, four bits for each direction) of `side` at the empty point `p`."""
    return np.int64(s.kinds[p]) >> SIDE_BITS * side & SIDE_MASK


@kernel
def raw_rank(s, side, p):
    """Return the rank (int64) of the empty point `p` for `side`, which may be `SUSPECT` (see `rank_at`)."""
    renju = np.int64(s.renju) if side == BLACK else np.int64(0)
    return rank_of(kinds_of(s, side, p), renju)


@kernel
def _mark_rank(s, side, p, rank):
    """Mark by row whether the point `p` has at least a three, and a four, for `side`."""
    y, place = np.int64(LINE[0, p]), np.int64(PLACE[0, p]) + REACH
    bit = np.int64(1) << place
    s.fours[side, y] = np.int64(s.fours[side, y]) & ~bit | np.int64(rank >= RANK_FOUR) << place
    s.threes[side, y] = np.int64(s.threes[side, y]) & ~bit | np.int64(rank >= RANK_THREE) << place


@kernel
def _change_rank(s, side, p, before, after):
    """Count and mark the rank of the point `p` for `side`, whose kinds (int64) there have changed."""
    renju = np.int64(s.renju) if side == BLACK else np.int64(0)
    old, rank = rank_of(before, renju), rank_of(after, renju)
    if rank != old:
        s.rank_counts[side, old] -= 1
        s.rank_counts[side, rank] += 1
        _mark_rank(s, side, p, rank)


@kernel
def _set_takes(s, side, p, shift, takes):
    """Set the `takes` (int64, four bits) of one direction for `side` at the point `p`."""
    before = np.int64(s.takes[side, p])
    after = before & ~(15 << shift) | takes << shift
    if after != before:
        s.capture_points[side] += np.int64(after & PAIRS_TAKEN != 0) - np.int64(before & PAIRS_TAKEN != 0)
        s.takes[side, p] = after


@kernel
def _count_kinds(s, side, changes):
    """Add packed `changes` (int64), sums of `COUNTED`, to the counts of kinds."""
    fields = changes + COUNT_OFFSETS
    for i in range(COUNTED_KINDS):
        s.kind_counts[side, i + 1] += (fields >> (COUNT_BITS * i) & COUNT_MASK) - COUNT_OFFSET


@kernel
def _refresh(s, p):
    """Update all empty points that a change on the point `p` may affect."""
    exactly_black, exactly_white = np.int64(s.exactly_five[BLACK]), np.int64(s.exactly_five[WHITE])
    capturing = s.capturing != 0
    reach = REACH if exactly_black or exactly_white else REACH - 1
    black_changes = white_changes = np.int64(0)
    for d in range(4):
        line, place, step, shift = np.int64(LINE[d, p]), np.int64(PLACE[d, p]), STEPS[d], 4 * d
        black, white = np.int64(s.lines[BLACK, line]), np.int64(s.lines[WHITE, line])
        own_black, own_white = black & ~white, white & ~black
        free = ~(black | white) >> (place + REACH - reach) & ((1 << (2 * reach + 1)) - 1)
        while free:
            k = np.int64(lsb(np.uint64(free))) - reach
            free &= free - 1
            at, q = place + k, np.uint64(p + k * step)
            black_value = line_value(own_black >> at, white >> at, exactly_black)
            white_value = line_value(own_white >> at, black >> at, exactly_white)
            black_kind, white_kind = black_value & KIND_BITS, white_value & KIND_BITS
            before = np.int64(s.kinds[q])
            old_black, old_white = before >> shift & KIND_BITS, before >> (shift + SIDE_BITS) & KIND_BITS
            changed = (black_kind ^ old_black) << shift | (white_kind ^ old_white) << (shift + SIDE_BITS)
            s.kinds[q] = before ^ changed
            black_changes += COUNTED[black_kind] - COUNTED[old_black]
            white_changes += COUNTED[white_kind] - COUNTED[old_white]
            if RANKING[black_kind] != RANKING[old_black]:
                _change_rank(s, BLACK, np.int64(q), before & SIDE_MASK, (before ^ changed) & SIDE_MASK)
            if RANKING[white_kind] != RANKING[old_white]:
                _change_rank(s, WHITE, np.int64(q), before >> SIDE_BITS, (before ^ changed) >> SIDE_BITS)
            if capturing:
                _set_takes(s, BLACK, np.int64(q), shift, black_value >> 4)
                _set_takes(s, WHITE, np.int64(q), shift, white_value >> 4)
    _count_kinds(s, BLACK, black_changes)
    _count_kinds(s, WHITE, white_changes)


@kernel
def flip_lines(s, side, p):
    """Put or remove a stone of `side` on the point `p` of ``s.lines``; `s` is any record with such lines."""
    for d in range(4):
        line = np.int64(LINE[d, p])
        s.lines[side, line] = np.int64(s.lines[side, line]) ^ np.int64(1) << (np.int64(PLACE[d, p]) + REACH)


@kernel
def _flip(s, side, p):
    """Put or remove a stone of `side` on the point `p`; updates only lines and key."""
    flip_lines(s, side, p)
    s.key ^= STONE_KEYS[side, p]


@kernel
def _uncount_point(s, p):
    """Remove the point `p`, on which a stone is about to be put, from all counts."""
    for side in range(2):
        kinds = kinds_of(s, side, p)
        for d in range(4):
            kind = kinds >> 4 * d & KIND_BITS
            s.kind_counts[side, kind] -= COUNTED[kind] != 0
        s.rank_counts[side, raw_rank(s, side, p)] -= 1
        _mark_rank(s, side, p, PLAIN)
        s.capture_points[side] -= np.int64(s.takes[side, p] & PAIRS_TAKEN != 0)
        s.takes[side, p] = 0
    s.kinds[p] = 0


@kernel
def _rebuild_near(s):
    """Recompute the points within two steps of a stone."""
    s.near[:] = 0
    for y in range(s.width):
        stones = np.int64(s.lines[0, y]) ^ np.int64(s.lines[1, y])
        bits = stones | stones << 1 | stones << 2 | stones >> 1 | stones >> 2
        for row in range(max(y - 2, 0), min(y + 3, MAX_SIZE)):
            s.near[row] = np.int64(s.near[row]) | bits


@kernel
def _captured_pairs(s, side, p):
    """Return the pairs that a stone of `side` on `p` captures [B-2]: bit 2 * direction, + 1 for backwards."""
    foe = 1 - side
    taken = np.int64(0)
    for d in range(4):
        if np.int64(s.takes[side, p]) >> 4 * d & 3:
            line, place = np.int64(LINE[d, p]), np.int64(PLACE[d, p]) + REACH
            own, enemy = np.int64(s.lines[side, line]), np.int64(s.lines[foe, line])
            own, enemy = own & ~enemy, enemy & ~own
            for backwards in range(2):
                sign = 1 - 2 * backwards
                pair = (enemy >> (place + sign)) & (enemy >> (place + 2 * sign))
                taken |= (pair & (own >> (place + 3 * sign)) & 1) << (2 * d + backwards)
    return taken


@kernel
def _captured_point(p, number):
    """Return the point (int64) of a captured stone; `number` is the bit of its pair, + 8 for the farther."""
    step = STEPS[(number & 7) >> 1]
    return p + (step if number & 1 == 0 else -step) * (1 + (number >> 3))


@kernel
def put_stone(s, side, p):
    """Put a stone of `side` on the empty point `p`, with captures; return the captured pairs (int64)."""
    taken = _captured_pairs(s, side, p) if np.int64(s.takes[side, p]) & PAIRS_TAKEN else np.int64(0)
    pairs = np.int64(0)
    _uncount_point(s, p)
    _flip(s, side, p)
    y, bits = np.int64(LINE[0, p]), np.int64(NEAR_BITS) << (np.int64(PLACE[0, p]) + REACH - 2)
    for row in range(max(y - 2, 0), min(y + 3, MAX_SIZE)):
        s.near[row] = np.int64(s.near[row]) | bits
    if taken:
        for number in range(16):
            if taken >> (number & 7) & 1:
                q = _captured_point(p, number)
                _flip(s, 1 - side, q)
                s.rank_counts[BLACK, PLAIN] += 1  # its kinds are all `NONE`
                s.rank_counts[WHITE, PLAIN] += 1
                pairs += number >> 3
        for number in range(16):
            if taken >> (number & 7) & 1:
                _refresh(s, _captured_point(p, number))
        _rebuild_near(s)
    _refresh(s, p)
    s.stones += 1 - 2 * pairs
    return pairs


@kernel
def clear(s, width):
    """Make `s`, which is zero except for the rules, the empty board of `width` points a side."""
    s.width = width
    s.lines[:] = 0xFFFFFFFF
    for y in range(width):
        for p in range(MAX_SIZE * y, MAX_SIZE * y + width):
            for side in range(2):
                flip_lines(s, side, p)
                s.rank_counts[side, PLAIN] += 1
    refresh_all(s)


@kernel
def refresh_all(s):
    """Recompute all lines of all empty points."""
    for y in range(s.width):
        for p in range(MAX_SIZE * y, MAX_SIZE * y + s.width):
            _refresh(s, np.int64(p))
