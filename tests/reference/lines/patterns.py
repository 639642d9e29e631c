"""The pattern net of Gomoku in whole numbers, point by point, written from docs/nets.md."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from tests.reference.lines.five import Point, empty_points
from tests.reference.lines.gobang import Gobang
from tests.reference.lines.gomoku import Gomoku

DISTANCES = (-1, 1, -2, 2, -3, 3, -4, 4, -5, 5)  # of the places of a pattern, least weight first
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
EMPTY, OWN, BLOCKED = range(3)
CHANNELS, MOST = 16, 1024
Meanings = Mapping[Point, list[int]]


@cache
def _pattern_numbers() -> dict[int, int]:
    """Return the places of all patterns among the least numbers of windows and their mirror images."""
    least = sorted({min(number, _number(_mirrored(_contents(number)))) for number in range(3**10)})
    return {number: i for i, number in enumerate(least)}


def _contents(number: int) -> list[int]:
    """Return the contents of a window, in the order of `DISTANCES`."""
    return [number // 3**i % 3 for i in range(10)]


def _number(contents: Sequence[int]) -> int:
    """Return the number of a window."""
    return sum(content * 3**i for i, content in enumerate(contents))


def _mirrored(contents: Sequence[int]) -> list[int]:
    """Return the mirror image of a window."""
    return [contents[i + 1 if i % 2 == 0 else i - 1] for i in range(10)]


@cache
def _pattern(contents: tuple[int, ...]) -> int:
    """Return the pattern of a window."""
    return _pattern_numbers()[min(_number(contents), _number(_mirrored(contents)))]


def lines(position: Gomoku | Gobang) -> dict[Point, list[tuple[int, int]]]:
    """Return the patterns of the lines through empty points, as the side to move and the other see them."""
    colours = ("X", "O") if position.side == "b" else ("O", "X")

    def seen(point: Point, direction: tuple[int, int], own: str) -> int:
        contents = []
        for distance in DISTANCES:
            place = point.step(direction, distance)
            stone = position.stones.get(place)
            empty = stone is None and place.is_on_board(position.size)
            contents.append(EMPTY if empty else OWN if stone == own else BLOCKED)
        return _pattern(tuple(contents))

    return {
        point: [(seen(point, way, colours[0]), seen(point, way, colours[1])) for way in DIRECTIONS]
        for point in empty_points(position.stones, position.size)
    }


def meanings(numbers: Mapping[str, Any], lines: Mapping[Point, list[tuple[int, int]]]) -> Meanings:
    """Return what every empty point means to the side to move; `numbers` are nested lists."""
    rows, found = numbers["rows"], {}
    for point, through in lines.items():
        parts = [part for own, other in through for part in (rows[own][:CHANNELS], rows[other][CHANNELS:])]
        found[point] = [_clip(sum(channel)) for channel in zip(numbers["bias"], *parts, strict=True)]
    return found


def value(numbers: Mapping[str, Any], position: Gomoku | Gobang, points: Meanings, linear: int) -> int:
    """Return the corrected value in centi-points for the side to move."""
    bucket = _bucket(position)
    nothing = [_clip(number) for number in numbers["bias"]]
    totals = [sum(point[c] - nothing[c] for point in points.values()) for c in range(CHANNELS)]
    means = [min(max(total // 8, -32767), 32767) for total in totals]
    total = numbers["output_bias"][bucket]
    for k, weights in enumerate(numbers["layer"][bucket]):
        hidden = numbers["layer_bias"][bucket][k] + sum(w * m for w, m in zip(weights, means, strict=True))
        total += max(0, hidden // 256) * numbers["output"][bucket][k]
    corrected = linear * numbers["share"][bucket] // 256 + total // 4096
    return int(min(max(corrected, -100_000), 100_000))


def policy(numbers: Mapping[str, Any], position: Gomoku | Gobang, points: Meanings) -> dict[Point, int]:
    """Return the logit of every empty point."""
    weights = numbers["policy"][_bucket(position)]
    return {
        point: sum(w * m for w, m in zip(weights, meaning, strict=True)) // 256
        for point, meaning in points.items()
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
