"""Line patterns: the kind of line that a stone would make, and the rank of a point by its four lines.

Kinds and ranks belong to an empty point and a side, as if that side put a stone there. They are looked up in
tables for every window of eleven points, which are computed at import.
"""

import numpy as np
from numpy.typing import NDArray

from tengen.engine.gomoku.state import REACH
from tengen.engine.jit import kernel

# Kinds of a line with the new stone, from worst to best. One stone more makes ...
NONE = 0  # nothing: a five is impossible
ONE, OPEN_ONE = 1, 2  # two; open two
TWO, OPEN_TWO = 3, 4  # three; open three
THREE, OPEN_THREE = 5, 6  # four; open four
FOUR, OPEN_FOUR = 7, 8  # five on one point; five on both ends of a straight four
DOUBLE_FOUR = 9  # five on two points, without a straight four
FIVE = 10
OVERLINE = 11  # six or more, if they do not win
KINDS = 12

# Ranks of a point, by the kinds of its four lines.
PLAIN = 0
TWO_TWOS = 1  # open twos in two directions
RANK_THREE = 2  # one open three
THREE_TWO = 3  # one open three, and in another direction an open two or a three
TWO_THREES = 4  # open threes in two directions
RANK_FOUR = 5  # one four
FOUR_TWO = 6  # one four, and an open two or a three
FOUR_THREE = 7  # one four, and an open three
WINNING_FOUR = 8  # five on two points: an open four, or fours in two directions
RANK_FIVE = 9
SUSPECT = 10  # Renju, Black: open threes in two directions; forbidden if both are real threes
FORBIDDEN = 11  # Renju, Black: an overline, or two fours

WINDOW = 2 * REACH + 1
INNER = 3**8  # number of windows without the two outermost points
WINDOWS = 3**10
EMPTY, OWN, BLOCKED = 0, 1, 2  # points of a window; BLOCKED: an enemy stone or off the board

# Weight of each point in the number of a window: the outermost points have the greatest.
_OFFSETS = [offset for offset in range(-REACH, REACH + 1) if offset]
_ORDER = sorted(_OFFSETS, key=abs)
_WEIGHT = {offset: 3**i for i, offset in enumerate(_ORDER)}
WEIGHT_AT = np.array([_WEIGHT.get(offset, 0) for offset in range(-REACH, REACH + 1)])  # by offset + REACH


def _contents(offset: int, windows: int = WINDOWS) -> NDArray[np.uint8]:
    """Return the contents at `offset` from the middle of the first `windows` windows."""
    weight = _WEIGHT[offset]
    period = np.repeat(np.array([EMPTY, OWN, BLOCKED], np.uint8), weight)
    return np.tile(period, windows // period.size)


def mirrored() -> NDArray[np.int64]:
    """Return the number of the mirror image of every window."""
    numbers = np.zeros(WINDOWS, np.int64)
    for offset in _OFFSETS:
        numbers += _contents(offset).astype(np.int64) * _WEIGHT[-offset]
    return numbers


def _after(values: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return, for each window, the number of empty points on which an own stone makes `values` true."""
    total = np.zeros(WINDOWS, np.uint8)
    for weight in _WEIGHT.values():  # the middle axis is the content of one point
        total.reshape(-1, 3, weight)[:, EMPTY] += values.reshape(-1, 3, weight)[:, OWN]
    return total


def _kinds(exactly: bool) -> NDArray[np.uint8]:
    """Return the kind of every window; if `exactly`, six or more are an overline."""
    run = np.ones(WINDOWS, np.uint8)  # length of the unbroken row through the middle, with the new stone
    for sign in (-1, 1):
        unbroken = np.ones(WINDOWS, bool)
        for distance in range(1, REACH + 1):
            unbroken &= _contents(sign * distance) == OWN
            run += unbroken
    five = run == 5 if exactly else run >= 5
    fives = _after(five)
    open_four = (run == 4) & (fives == 2)
    kinds = np.zeros(WINDOWS, np.uint8)
    better = [(OPEN_FOUR, open_four & ~five), (FOUR, (fives == 1) & ~five)]
    for open_kind, kind in ((OPEN_THREE, THREE), (OPEN_TWO, TWO), (OPEN_ONE, ONE)):
        for more, holds in better[-2:]:
            fewer = open_kind if more % 2 == 0 else kind
            settled = np.logical_or.reduce([holds for _, holds in better]) | five
            better.append((fewer, (_after(holds) > 0) & ~settled))
    for kind, holds in reversed(better):
        kinds[holds] = kind
    kinds[(fives >= 2) & ~open_four] = DOUBLE_FOUR
    kinds[(run > 5) & ~five] = OVERLINE
    kinds[five] = FIVE
    return kinds


def _captures() -> NDArray[np.uint8]:
    """Return for every window the pairs that its new stone captures, plus 4 for each threatened pair."""
    total = np.zeros(INNER, np.uint8)
    for sign in (-1, 1):
        pair = (_contents(sign, INNER) == BLOCKED) & (_contents(2 * sign, INNER) == BLOCKED)
        total[pair & (_contents(3 * sign, INNER) == OWN)] += 1
        total[pair & (_contents(3 * sign, INNER) == EMPTY)] += 4
    return total


def _numbers(content: int) -> NDArray[np.uint16]:
    """Return the contribution of points with `content` to the number of a window, by their bits."""
    words = np.arange(1 << WINDOW)
    number = np.zeros(words.shape, np.int64)
    for offset in _OFFSETS:
        number[(words >> (offset + REACH)) & 1 == 1] += content * _WEIGHT[offset]
    return number.astype(np.uint16)  # a kernel knows that it is no negative index


# Kinds (low four bits) and captures (high bits): exactly-five windows, then inner ones
LINE_TABLE = np.concatenate([_kinds(exactly=True), _kinds(exactly=False)[:INNER] | _captures() << 4])
OWN_NUMBER, BLOCKED_NUMBER = _numbers(OWN), _numbers(BLOCKED)
WHOLE_WORD, INNER_WORD = (1 << WINDOW) - 1, ((1 << WINDOW) - 1) & ~(1 | 1 << (WINDOW - 1))


@kernel
def window_number(own, blocked, word):
    """Return the number (int64) of a window; arguments as in `line_value`, `word` says which points count."""
    return np.int64(OWN_NUMBER[own & word]) + np.int64(BLOCKED_NUMBER[blocked & word])


@kernel
def line_value(own, blocked, exactly):
    """Return the entry (int64) of `LINE_TABLE` for the window of a point.

    Parameters
    ----------
    own, blocked : int64
        Words of eleven bits, bit 5 the point itself: own stones; enemy stones and points off the board.
    exactly : int64
        1 when six or more in a line do not win.
    """
    word, first = (WHOLE_WORD, 0) if exactly else (INNER_WORD, WINDOWS)
    return np.int64(LINE_TABLE[first + window_number(own, blocked, word)])


# ------------------------------------------------------------------------------------------------------ ranks

PAIR_KINDS = [(a, b) for b in range(KINDS) for a in range(b + 1)]
PAIRS = len(PAIR_KINDS)
PAIR = np.zeros(256, np.uint8)  # number of an unordered pair of kinds, by the byte of both
for _i, (_a, _b) in enumerate(PAIR_KINDS):
    PAIR[_a | _b << 4] = PAIR[_b | _a << 4] = _i


def _ranks(renju: bool) -> NDArray[np.uint8]:
    """Return the ranks of a point by the numbers of two pairs of kinds; with `renju` for Black in Renju."""
    pairs = np.array(PAIR_KINDS)

    def lines(*kinds: int) -> NDArray[np.int64]:
        """Return how many of the four lines are of one of `kinds`."""
        count = np.isin(pairs, kinds).sum(axis=1)
        both: NDArray[np.int64] = np.add.outer(count, count)
        return both.ravel()

    fours, threes, twos = lines(FOUR, OPEN_FOUR), lines(OPEN_THREE), lines(OPEN_TWO)
    lesser = lines(OPEN_TWO, THREE)
    double = (lines(DOUBLE_FOUR) > 0) | (fours > 1)
    ranks = [
        (lines(FIVE) > 0, RANK_FIVE),
        (renju & ((lines(OVERLINE) > 0) | double), FORBIDDEN),
        (renju & (threes > 1), SUSPECT),
        ((lines(OPEN_FOUR) > 0) | double, WINNING_FOUR),
        ((fours > 0) & (threes > 0), FOUR_THREE),
        ((fours > 0) & (lesser > 0), FOUR_TWO),
        (fours > 0, RANK_FOUR),
        (threes > 1, TWO_THREES),
        ((threes > 0) & (lesser > 0), THREE_TWO),
        (threes > 0, RANK_THREE),
        (twos > 1, TWO_TWOS),
    ]
    conditions, values = zip(*ranks, strict=True)
    chosen: NDArray[np.int64] = np.select(conditions, values, PLAIN)
    return chosen.astype(np.uint8)


# By Black in Renju or not, and by the numbers of two pairs of kinds.
RANK_TABLE = np.stack([_ranks(renju=False), _ranks(renju=True)])


@kernel
def rank_of(kinds, renju):
    """Return the rank (int64) of a point by the `kinds` of its lines (int64, four bits each)."""
    low, high = np.int64(PAIR[kinds & 0xFF]), np.int64(PAIR[kinds >> 8])
    return np.int64(RANK_TABLE[renju, low * PAIRS + high])
