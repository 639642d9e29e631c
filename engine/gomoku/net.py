"""The pattern net of Gomoku: what the four lines through each empty point are worth.

A pattern is what a line holds within five steps of an empty point, as one side sees it: its own stones, and
what blocks (stones of the other side, and the edge). A pattern and its mirror image are the same. For every
pattern there is a row of numbers: `CHANNELS` for the side itself, then as many for the other side. A point's
sums, for one side to move, add up the rows of its four lines::

    sums     = bias + sum over lines of (own half of the mover's pattern + other half of the opponent's)
    meaning  = clip(sums, 0, MAX_MEANING)
    totals   = sum over empty points of (meaning - clip(bias, 0, MAX_MEANING))
    means    = clip(totals >> MEAN_BITS, -MAX_MEAN, MAX_MEAN)
    hidden_k = max(0, (layer_bias[bucket, k] + layer[bucket, k] . means) >> LAYER_BITS)
    value    = ((linear value * share[bucket]) >> SHARE_BITS)
               + ((output_bias[bucket] + output[bucket] . hidden) >> OUTPUT_BITS)
    policy   = (policy[bucket] . meaning) >> POLICY_BITS

The bucket is the rule set. Rows of patterns without stones are 0, so that a point far from all stones adds
nothing, and the size of the board does not matter. The policy is a logit: how likely the point is played.

The working memory holds the sums of one position for both sides to move. `follow` brings them to another
position by the stones that differ. A search takes stones away in the opposite order, so there is a log of the
last stones put down, each with all the numbers that it changed. Taking back the last one copies these.

Source: vectors by line patterns, added up at each point, and small layers behind them are those of published
engines for five in a row (Rapfi, 2022 to 2024); the sizes and the incremental sums are our own.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tengen.engine.nets.patterns as nets
from tengen.engine.gomoku.lines import patterns
from tengen.engine.gomoku.lines.board import flip_lines
from tengen.engine.gomoku.lines.patterns import (
    BLOCKED,
    EMPTY,
    WEIGHT_AT,
    WHOLE_WORD,
    WINDOWS,
    mirrored,
    window_number,
)
from tengen.engine.gomoku.lines.patterns import WINDOW as WINDOW_SIZE
from tengen.engine.gomoku.state import (
    LINE,
    LINES,
    MAX_SIZE,
    PLACE,
    POINTS,
    REACH,
    STEPS,
    has_stone,
    is_empty,
    row_point,
)
from tengen.engine.jit import copy_vectors, dot, dot_clipped, kernel, lsb, popcount, replace_rows

FREESTYLE, EXACTLY_FIVE, RENJU_BLACK, RENJU_WHITE, BUCKETS = range(5)
# Buckets of the net of Gobang: captures alone win nothing; otherwise the side to move is close to the pairs
# that win, or only the other side is, or none
ONLY_FIVES, OWN_PAIRS, OTHER_PAIRS, NO_PAIRS = range(4)
PAIRS_NEAR_GOAL = 2
WINDOW = 250
LOGGED = 64  # stones in the log, at most
MORE_TAKEN_BACK = 2  # stones that are taken back to reach others, and put down again
TOUCHED = 8 * REACH  # points whose windows one stone changes, at most

_FIRST, _PATTERN = np.unique(np.minimum(np.arange(WINDOWS), mirrored()), return_inverse=True)
PATTERN = _PATTERN.astype(np.uint16)  # by the number of a window
PATTERNS = len(_FIRST)
CONTENT_OF_OWN = np.array([EMPTY, patterns.OWN, BLOCKED, BLOCKED], np.int64)  # of a window, by contents
CONTENT_OF_OTHER = np.array([EMPTY, BLOCKED, patterns.OWN, BLOCKED], np.int64)


@dataclass(frozen=True)
class LineShape(nets.PatternShape):
    """The declaration of the net."""

    @property
    def memory(self) -> list[Any]:
        """Working memory: the position that the sums belong to, the sums, and room for vectors."""
        return [
            ("width", "i4"),  # of the board; 0 before the first position
            ("lines", "u4", (2, LINES)),  # as in STATE
            ("windows", "u2", (POINTS, 4, 2)),  # by empty point, direction, side: the number of its window
            # By empty point: with Black, then with White to move
            ("sums", "i2", (POINTS, 2 * nets.CHANNELS)),
            ("totals", "i4", (2 * nets.CHANNELS,)),  # likewise
            ("means", "i2", (nets.CHANNELS,)),
            # The log: number of stones; of each its point, side, the number of points that it touched (for
            # each 4 * point + direction, windows, and sums before), and the totals before
            ("logged", "i4"),
            ("log_points", "i4", (LOGGED,)),
            ("log_sides", "i4", (LOGGED,)),
            ("log_touched", "i4", (LOGGED,)),
            ("log_places", "i2", (LOGGED, TOUCHED)),
            ("log_windows", "u2", (LOGGED, TOUCHED, 2)),
            ("log_sums", "i2", (LOGGED, TOUCHED, 2 * nets.CHANNELS)),
            ("log_totals", "i4", (LOGGED, 2 * nets.CHANNELS)),
            ("active", "i1", (POINTS,)),  # contents of the points, see `activate`
        ]

    @property
    def windows(self) -> nets.Windows:
        """How the contents of the lines through a point become its patterns."""
        weights = np.zeros((4, WINDOW_SIZE, WINDOW_SIZE), np.int64)
        for direction, (dx, dy) in enumerate(((1, 0), (0, 1), (1, 1), (1, -1))):
            for distance in range(-REACH, REACH + 1):
                weights[direction, REACH + distance * dy, REACH + distance * dx] = WEIGHT_AT[distance + REACH]
        return nets.Windows(np.stack([CONTENT_OF_OWN, CONTENT_OF_OTHER]), weights, PATTERN)

    def list_patterns(self, contents: NDArray[np.int8]) -> tuple[NDArray[np.int64], ...]:
        """Return the empty points near stones, and their patterns; see `PatternShape.list_patterns`."""
        size = int((contents == nets.VACANT).sum())
        positions, points = np.zeros(size, np.int64), np.zeros(size, np.int64)
        found = np.zeros((size, nets.ROWS_PER_POINT), np.int64)
        size = int(_list_patterns(contents, positions, points, found))
        return positions[:size], points[:size], found[:size]

    def edge_patterns(self) -> NDArray[np.int64]:
        """Return the patterns of lines without stones: empty, but for ends beyond the edge."""
        windows = [
            sum(2 * int(WEIGHT_AT[i]) for i in range(WINDOW_SIZE) if i < before or i >= WINDOW_SIZE - behind)
            for before in range(REACH + 1)
            for behind in range(REACH + 1)
        ]
        return np.unique(PATTERN[windows]).astype(np.int64)


SHAPE = LineShape(PATTERNS, POINTS, BUCKETS, WINDOW)


@kernel
def bucket(s):
    """Return the bucket (int64) of `s`."""
    if s.capturing:
        me, goal = np.int64(s.side_to_move), np.int64(s.pairs_to_win) - PAIRS_NEAR_GOAL
        if s.pairs_to_win == 0:
            return np.int64(ONLY_FIVES)
        if s.pairs[me] >= goal:
            return np.int64(OWN_PAIRS)
        return np.int64(OTHER_PAIRS if s.pairs[1 - me] >= goal else NO_PAIRS)
    if s.renju:
        return np.int64(RENJU_BLACK) + np.int64(s.side_to_move)
    return np.int64(EXACTLY_FIVE if s.exactly_five[0] else FREESTYLE)


@kernel
def activate(s, net):
    """Write the contents of all points, as the side to move sees them, to ``net.active``; return `POINTS`."""
    me = np.int64(s.side_to_move)
    net.active[:] = nets.OUTSIDE
    for y in range(s.width):
        for x in range(s.width):
            p, bit = MAX_SIZE * y + x, np.int64(1) << (x + REACH)
            own, other = np.int64(s.lines[me, y]) & bit, np.int64(s.lines[1 - me, y]) & bit
            net.active[p] = nets.OWN if own else nets.OTHER if other else nets.VACANT
    return np.int64(POINTS)


@kernel
def _clip(number):
    """Return the meaning (int32) of a sum or bias."""
    return min(max(np.int32(number), np.int32(0)), np.int32(nets.MAX_MEANING))


@kernel
def _add_point(net, p, sign):
    """Add what the point `p` means to the totals, or take it away; `sign` is 1 or -1 (int32)."""
    for side in range(2):
        for c in range(nets.CHANNELS):
            i = nets.CHANNELS * side + c
            net.totals[i] += sign * (_clip(net.sums[p, i]) - _clip(net.bias[c]))


@kernel
def _take_up(net, p):
    """Compute the windows and sums of the empty point `p`, and add it to the totals."""
    sums = net.sums[p]
    for c in range(nets.CHANNELS):
        sums[c] = sums[c + nets.CHANNELS] = net.bias[c]
    for d in range(4):
        line, at = np.int64(LINE[d, p]), np.int64(PLACE[d, p])
        black, white = np.int64(net.lines[0, line]), np.int64(net.lines[1, line])
        b = window_number((black & ~white) >> at, white >> at, WHOLE_WORD)
        w = window_number((white & ~black) >> at, black >> at, WHOLE_WORD)
        net.windows[p, d, 0], net.windows[p, d, 1] = b, w
        first, second = net.rows[np.int64(PATTERN[b])], net.rows[np.int64(PATTERN[w])]
        for c in range(nets.CHANNELS):
            sums[c] += first[c] + second[c + nets.CHANNELS]
            sums[c + nets.CHANNELS] += second[c] + first[c + nets.CHANNELS]
    _add_point(net, p, np.int32(1))


@kernel
def _change_windows(net, p, black, white, entry):
    """Update the windows and sums of all empty points on the lines through `p`, whose content has changed.

    Parameters
    ----------
    net : record of `Shape.dtype`
    p : int64
    black, white : int64
        By how much the content changes for each side: 1 for an own stone, 2 for one that blocks.
    entry : int64
        Of the log, where the numbers before are written.
    """
    n = np.int64(0)
    for d in range(4):
        line, place, step = np.int64(LINE[d, p]), np.int64(PLACE[d, p]), np.int64(STEPS[d])
        free = ~(np.int64(net.lines[0, line]) | np.int64(net.lines[1, line])) >> place
        free &= WHOLE_WORD & ~(1 << REACH)
        while free:
            distance = np.int64(lsb(np.uint64(free))) - REACH
            free &= free - 1
            q, weight = p + distance * step, np.int64(WEIGHT_AT[REACH - distance])
            old_b, old_w = np.int64(net.windows[q, d, 0]), np.int64(net.windows[q, d, 1])
            b, w = old_b + black * weight, old_w + white * weight
            net.windows[q, d, 0], net.windows[q, d, 1] = b, w
            net.log_places[entry, n] = 4 * q + d
            net.log_windows[entry, n, 0], net.log_windows[entry, n, 1] = old_b, old_w
            replace_rows(
                net.rows,
                np.int64(PATTERN[b]),
                np.int64(PATTERN[old_b]),
                np.int64(PATTERN[w]),
                np.int64(PATTERN[old_w]),
                net.sums[q],
                net.totals,
                np.int64(nets.MAX_MEANING),
                net.log_sums[entry, n],
            )
            n += 1
    net.log_touched[entry] = n


@kernel
def _begin(s, net):
    """Compute the sums of the position `s`."""
    net.width, net.logged, net.totals[:] = s.width, 0, 0
    for side in range(2):
        for line in range(LINES):  # as a whole, numba's text of unequal shapes would be compiled: 5 s
            net.lines[side, line] = s.lines[side, line]
    for y in range(s.width):
        for p in range(MAX_SIZE * y, MAX_SIZE * y + s.width):
            if is_empty(s, p):
                _take_up(net, np.int64(p))


@kernel
def _put(net, p, side):
    """Put a stone of `side` on the empty point `p`, and log it; a full log begins anew."""
    entry = np.int64(net.logged) % LOGGED
    net.logged = entry + 1
    net.log_points[entry], net.log_sides[entry] = p, side
    for i in range(2 * nets.CHANNELS):
        net.log_totals[entry, i] = net.totals[i]
    _add_point(net, p, np.int32(-1))
    flip_lines(net, side, p)
    _change_windows(net, p, 1 + side, 2 - side, entry)


@kernel
def _take_back(net):
    """Take the last stone of the log away."""
    entry = np.int64(net.logged) - 1
    net.logged = entry
    flip_lines(net, np.int64(net.log_sides[entry]), np.int64(net.log_points[entry]))
    for i in range(2 * nets.CHANNELS):
        net.totals[i] = net.log_totals[entry, i]
    for k in range(net.log_touched[entry]):
        place = np.int64(net.log_places[entry, k])
        q, d = place >> 2, place & 3
        net.windows[q, d, 0], net.windows[q, d, 1] = (
            net.log_windows[entry, k, 0],
            net.log_windows[entry, k, 1],
        )
        copy_vectors(net.sums[q], net.log_sums[entry, k])


@kernel
def _lost_stones(s, net):
    """Return the number (int64) of stones of `net` that are not in `s`."""
    lost, any_lost = np.int64(0), np.uint32(0)
    for y in range(MAX_SIZE):  # in this form it compiles to vectors
        any_lost |= net.lines[0, y] & ~s.lines[0, y] | net.lines[1, y] & ~s.lines[1, y]
    if any_lost:
        for side in range(2):
            for y in range(s.width):
                lost += popcount(np.uint64(np.int64(net.lines[side, y]) & ~np.int64(s.lines[side, y])))
    return lost


@kernel
def _take_lost(s, net, lost):
    """Take the `lost` stones (int64) away.

    If they are, with few others, the last ones of the log, these are taken back. Otherwise it is lost.
    """
    last = max(np.int64(net.logged) - lost - MORE_TAKEN_BACK, np.int64(0))
    entry = np.int64(net.logged)
    while lost and entry > last:
        entry -= 1
        lost -= not has_stone(s, np.int64(net.log_sides[entry]), np.int64(net.log_points[entry]))
    if lost == 0:
        while net.logged > entry:
            _take_back(net)
        return
    net.logged = 0
    for side in range(2):
        for y in range(s.width):
            gone = np.int64(net.lines[side, y]) & ~np.int64(s.lines[side, y])
            while gone:
                p = row_point(y, gone)
                gone &= gone - 1
                flip_lines(net, np.int64(side), p)
                _change_windows(net, p, np.int64(-1 - side), np.int64(side - 2), np.int64(0))
                _take_up(net, p)


@kernel
def follow(s, net):
    """Bring the sums of `net` to the position `s`."""
    if net.width != s.width:
        _begin(s, net)
        return
    lost = _lost_stones(s, net)
    if lost:
        _take_lost(s, net, lost)
    for side in range(2):
        for y in range(s.width):
            new = np.int64(s.lines[side, y]) & ~np.int64(net.lines[side, y])
            while new:
                p = row_point(y, new)
                new &= new - 1
                _put(net, p, np.int64(side))


@kernel
def correct(s, net, linear):
    """Return the value (int64) of `s`, in centi-points for the side to move."""
    phase = bucket(s)
    follow(s, net)
    first = nets.CHANNELS * np.int64(s.side_to_move)
    for c in range(nets.CHANNELS):
        net.means[c] = min(
            max(net.totals[first + c] >> nets.MEAN_BITS, np.int32(-nets.MAX_MEAN)), np.int32(nets.MAX_MEAN)
        )
    total = np.int64(net.output_bias[phase])
    for k in range(nets.HIDDEN):
        hidden = (np.int64(net.layer_bias[phase, k]) + dot(net.layer[phase, k], net.means)) >> nets.LAYER_BITS
        total += max(hidden, np.int64(0)) * np.int64(net.output[phase, k])
    value = linear * np.int64(net.share[phase]) >> nets.SHARE_BITS
    return min(max(value + (total >> nets.OUTPUT_BITS), np.int64(-nets.MAX_VALUE)), np.int64(nets.MAX_VALUE))


@kernel
def prepare_policy(s, net):
    """Make ready for `policy`; return whether the net is for `s`."""
    if net.window == 0:
        return False
    follow(s, net)
    return True


@kernel
def policy(s, net, action):
    """Return the policy (int64) of an empty point: a logit in units of 1/256; after `prepare_policy`."""
    first, weights = nets.CHANNELS * np.int64(s.side_to_move), net.policy[bucket(s)]
    return dot_clipped(net.sums[action], first, np.int64(nets.MAX_MEANING), weights) >> nets.POLICY_BITS


@kernel
def _list_patterns(contents, positions, points, patterns):
    """Fill in what `PatternShape.list_patterns` returns (int64); return the number (int64) of such points."""
    n = np.int64(0)
    for i in range(contents.shape[0]):
        for p in range(POINTS):
            if contents[i, p] == nets.VACANT:
                positions[n], points[n] = i, p
                n += _find_patterns(contents[i], np.int64(p), patterns[n])
    return n


@kernel
def _find_patterns(contents, p, patterns):
    """Write the patterns of the point `p`; return whether there is a stone on one of its lines."""
    touched = False
    x, y = p % MAX_SIZE, p // MAX_SIZE
    for d in range(4):
        own = other = np.int64(0)
        dx, dy = np.int64(d != 1), np.int64(0 if d == 0 else -1 if d == 3 else 1)
        for distance in range(-REACH, REACH + 1):
            u, v, weight = x + distance * dx, y + distance * dy, np.int64(WEIGHT_AT[distance + REACH])
            content = np.int64(nets.OUTSIDE)
            if 0 <= u < MAX_SIZE and 0 <= v < MAX_SIZE:
                content = np.int64(contents[u + MAX_SIZE * v])
            touched |= content in (nets.OWN, nets.OTHER)
            own += weight * CONTENT_OF_OWN[content]
            other += weight * CONTENT_OF_OTHER[content]
        patterns[d], patterns[d + 4] = PATTERN[own], PATTERN[other]
    return touched
