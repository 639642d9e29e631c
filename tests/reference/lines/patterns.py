"""The pattern net of Gomoku in whole numbers, point by point, written from docs/nets.md."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from tests.reference.lines.five import Point
from tests.reference.lines.gobang import Gobang
from tests.reference.lines.gomoku import Gomoku

DISTANCES = (-1, 1, -2, 2, -3, 3, -4, 4, -5, 5)  # of the places of a pattern, least weight first
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
EMPTY, OWN, BLOCKED = range(3)
CHANNELS, MOST = 16, 1024


@cache
def _pattern_numbers() -> dict[int, int]:
    """Return the places of all patterns among the least numbers of windows and their mirror images."""
    least = sorted({min(number, _number(_mirrored(_contents(number)))) for number in range(3**10)})
    return {number: i for i, number in enumerate(least)}


def _contents(number: int) -> list[int]:
    """Return the contents of a window, in the order of `DISTANCES`."""
    return [number // 3**i % 3 for i in range(10)]


def _number(contents: list[int]) -> int:
    """Return the number of a window."""
    return sum(content * 3**i for i, content in enumerate(contents))


def _mirrored(contents: list[int]) -> list[int]:
    """Return the mirror image of a window."""
    return [contents[i + 1 if i % 2 == 0 else i - 1] for i in range(10)]


def _pattern(position: Gomoku | Gobang, point: Point, direction: tuple[int, int], own: str) -> int:
    """Return the pattern of a line through a point, as the side with `own` stones sees it."""
    contents = []
    for distance in DISTANCES:
        x, y = point.column + distance * direction[0], point.row + distance * direction[1]
        if not (1 <= x <= position.size and 1 <= y <= position.size):
            contents.append(BLOCKED)
            continue
        stone = position.stones.get(Point(x, y))
        contents.append(EMPTY if stone is None else OWN if stone == own else BLOCKED)
    return _pattern_numbers()[min(_number(contents), _number(_mirrored(contents)))]


def meanings(numbers: Mapping[str, Any], position: Gomoku | Gobang) -> dict[Point, list[int]]:
    """Return what every empty point means to the side to move; `numbers` are nested lists."""
    own, other = ("X", "O") if position.side == "b" else ("O", "X")
    found = {}
    for x in range(1, position.size + 1):
        for y in range(1, position.size + 1):
            if Point(x, y) in position.stones:
                continue
            sums = list(numbers["bias"])
            for direction in DIRECTIONS:
                mine = numbers["rows"][_pattern(position, Point(x, y), direction, own)]
                theirs = numbers["rows"][_pattern(position, Point(x, y), direction, other)]
                sums = [sums[c] + mine[c] + theirs[CHANNELS + c] for c in range(CHANNELS)]
            found[Point(x, y)] = [_clip(number) for number in sums]
    return found


def value(numbers: Mapping[str, Any], position: Gomoku | Gobang, linear: int) -> int:
    """Return the corrected value in centi-points for the side to move."""
    bucket = _bucket(position)
    nothing = [_clip(number) for number in numbers["bias"]]
    points = meanings(numbers, position).values()
    totals = [sum(point[c] - nothing[c] for point in points) for c in range(CHANNELS)]
    means = [min(max(total // 8, -32767), 32767) for total in totals]
    total = numbers["output_bias"][bucket]
    for k, weights in enumerate(numbers["layer"][bucket]):
        hidden = numbers["layer_bias"][bucket][k] + sum(w * m for w, m in zip(weights, means, strict=True))
        total += max(0, hidden // 256) * numbers["output"][bucket][k]
    corrected = linear * numbers["share"][bucket] // 256 + total // 4096
    return int(min(max(corrected, -100_000), 100_000))


def policy(numbers: Mapping[str, Any], position: Gomoku | Gobang) -> dict[Point, int]:
    """Return the logit of every empty point."""
    weights = numbers["policy"][_bucket(position)]
    return {
        point: sum(w * m for w, m in zip(weights, meaning, strict=True)) // 256
        for point, meaning in meanings(numbers, position).items()
    }


def _bucket(position: Gomoku | Gobang) -> int:
    """Return the bucket: the rule set, in Renju with the side to move, in Gobang who is near enough pairs."""
    if isinstance(position, Gobang):
        if not position.capture_win:
            return 0
        other = "w" if position.side == "b" else "b"
        near = [position.pairs[side] + 2 >= position.capture_win for side in (position.side, other)]
        return 1 if near[0] else 2 if near[1] else 3
    if position.renju:
        return 2 if position.side == "b" else 3
    return int(position.exactly_five)


def _clip(number: int) -> int:
    """Return the number, but at least 0 and at most `MOST`."""
    return min(max(number, 0), MOST)
