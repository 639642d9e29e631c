"""Placing and removing stones of Gomoku and Gobang, with incremental updates of lines, ranks and counts."""

from __future__ import annotations

import numpy as np

from tengen.engine.gomoku.lines.patterns import RANK_FOUR, RANK_THREE, line_value, rank_of
from tengen.engine.gomoku.state import BLACK, LINE, MAX_SIZE, PLACE, REACH, STEPS, STONE_KEYS
from tengen.engine.jit import kernel

KIND_BITS = 15  # of an entry of LINE_TABLE; the bits above are captures
NEAR_BITS = 31  # five adjacent points of a row
PAIRS_TAKEN, PAIRS_THREATENED = 0x3333, 0xCCCC  # bits of ``takes``, two for each direction


@kernel
def raw_rank(s, side, p):
    """Return the rank (int64) of the empty point `p` for `side`, which may be `SUSPECT` (see `rank_at`)."""
    renju = np.int64(s.renju) if side == BLACK else np.int64(0)
    return rank_of(np.int64(s.kinds[side, p]), renju)


@kernel
def _count_rank(s, side, p, rank, change):
    """Add `change` (1 or -1) to the count of a rank, and update the bits of its point."""
    s.rank_counts[side, rank] += change
    y = np.int64(LINE[0, p])
    bit = np.int64(1) << (np.int64(PLACE[0, p]) + REACH)
    four, three = np.int64(s.fours[side, y]) & ~bit, np.int64(s.threes[side, y]) & ~bit
    if change > 0 and rank >= RANK_FOUR:
        four |= bit
    if change > 0 and rank >= RANK_THREE:
        three |= bit
    s.fours[side, y] = four
    s.threes[side, y] = three


@kernel
def _set_line(s, side, p, d, value):
    """Set the entry of LINE_TABLE, `value`, for `side` at the point `p` in direction `d`."""
    shift = 4 * d
    kinds = np.int64(s.kinds[side, p])
    kind, old = value & KIND_BITS, kinds >> shift & KIND_BITS
    if kind != old:
        s.kind_counts[side, old] -= 1
        s.kind_counts[side, kind] += 1
        before = raw_rank(s, side, p)
        s.kinds[side, p] = kinds ^ (kind ^ old) << shift
        after = raw_rank(s, side, p)
        if before != after:
            _count_rank(s, side, p, before, -1)
            _count_rank(s, side, p, after, 1)
    if s.capturing:
        takes = np.int64(s.takes[side, p])
        renewed = takes & ~(15 << shift) | (value >> 4) << shift
        if renewed != takes:
            s.capture_points[side] += np.int64(renewed & PAIRS_TAKEN != 0) - np.int64(
                takes & PAIRS_TAKEN != 0
            )
            s.takes[side, p] = renewed


@kernel
def _refresh(s, p):
    """Update all empty points that a change on the point `p` may affect."""
    reach = REACH if s.exactly_five[0] or s.exactly_five[1] else REACH - 1
    for d in range(4):
        line, place, step = np.int64(LINE[d, p]), np.int64(PLACE[d, p]), STEPS[d]
        black, white = np.int64(s.lines[0, line]), np.int64(s.lines[1, line])
        free, own_black, own_white = ~(black | white), black & ~white, white & ~black
        for k in range(-reach, reach + 1):
            at = place + k
            if (free >> (at + REACH)) & 1:
                q = p + k * step
                _set_line(s, 0, q, d, line_value(own_black >> at, white >> at, s.exactly_five[0]))
                _set_line(s, 1, q, d, line_value(own_white >> at, black >> at, s.exactly_five[1]))


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
        kinds = np.int64(s.kinds[side, p])
        for d in range(4):
            s.kind_counts[side, kinds >> 4 * d & KIND_BITS] -= 1
        _count_rank(s, side, p, raw_rank(s, side, p), -1)
        s.capture_points[side] -= np.int64(s.takes[side, p] & PAIRS_TAKEN != 0)
        s.kinds[side, p] = 0
        s.takes[side, p] = 0


@kernel
def _count_point(s, p):
    """Add the point `p`, which has just become empty, to the counts, with kinds and rank 0."""
    for side in range(2):
        s.kind_counts[side, 0] += 4
        _count_rank(s, side, p, 0, 1)


@kernel
def _mark_near(s, p):
    """Mark the points within two steps of the point `p` of the board."""
    y = np.int64(LINE[0, p])
    bits = np.int64(NEAR_BITS) << (np.int64(PLACE[0, p]) + REACH - 2)
    for row in range(max(y - 2, 0), min(y + 3, MAX_SIZE)):
        s.near[row] = np.int64(s.near[row]) | bits


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
    _mark_near(s, p)
    if taken:
        for number in range(16):
            if taken >> (number & 7) & 1:
                q = _captured_point(p, number)
                _flip(s, 1 - side, q)
                _count_point(s, q)
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
            for d in range(4):
                bit = np.int64(1) << (np.int64(PLACE[d, p]) + REACH)
                for side in range(2):
                    line = np.int64(LINE[d, p])
                    s.lines[side, line] = np.int64(s.lines[side, line]) & ~bit
            _count_point(s, p)
    refresh_all(s)


@kernel
def refresh_all(s):
    """Recompute all lines of all empty points."""
    for y in range(s.width):
        for p in range(MAX_SIZE * y, MAX_SIZE * y + s.width):
            _refresh(s, np.int64(p))
