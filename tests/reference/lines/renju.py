"""Renju's forbidden points, literally: every stone that a definition speaks of is put on the board."""

from collections.abc import Iterator

from tests.reference.lines.five import DIRECTIONS, FIVE, Direction, Point, Stones, row_through

Shape = frozenset[Point]
"""The stones of a four or of a three."""


def reason_against(stones: Stones, point: Point, size: int) -> str | None:
    """Return the rule by which Black may not play on an empty point, the first of several; None if he may."""
    after = _with_black(stones, point)
    if _has_five(after, point):
        return None
    if any(len(row_through(after, point, direction)) > FIVE for direction in DIRECTIONS):
        return "R-2"
    if sum(len(_fours(after, point, direction, size)) for direction in DIRECTIONS) >= 2:
        return "R-4"
    if sum(_has_three(after, point, direction, size) for direction in DIRECTIONS) >= 2:
        return "R-6"
    return None


def _has_five(stones: Stones, point: Point) -> bool:
    """Say whether a black stone is part of a five, in any direction [R-1]."""
    return any(_is_five(row_through(stones, point, direction)) for direction in DIRECTIONS)


def _is_five(row: list[Point]) -> bool:
    """Say whether an unbroken row of Black's is neither too short nor an overline [R-1]."""
    return len(row) == FIVE


def _fours(stones: Stones, point: Point, direction: Direction, size: int) -> set[Shape]:
    """Return the different fours in a line that have the stone on `point` among them [R-3]."""
    fours = set()
    for added in _empty_points_near(stones, point, direction, size, FIVE - 1):
        row = row_through(_with_black(stones, added), added, direction)
        if _is_five(row) and point in row:
            fours.add(frozenset(row) - {added})
    return fours


def _has_three(stones: Stones, point: Point, direction: Direction, size: int) -> bool:
    """Say whether the stone on `point` is one of a three in a line [R-5]."""
    for added in _empty_points_near(stones, point, direction, size, FIVE - 2):
        after = _with_black(stones, added)
        row = row_through(after, added, direction)
        if (
            point in row
            and _is_straight_four(after, row, direction, size)
            and not _has_five(after, added)
            and reason_against(stones, added, size) is None
        ):
            return True
    return False


def _is_straight_four(stones: Stones, row: list[Point], direction: Direction, size: int) -> bool:
    """Say whether an unbroken row is four stones that become a five at either end [R-3]."""
    ends = (row[0].step(direction, -1), row[-1].step(direction))
    return len(row) == FIVE - 1 and all(
        end.is_on_board(size)
        and end not in stones
        and _is_five(row_through(_with_black(stones, end), end, direction))
        for end in ends
    )


def _empty_points_near(
    stones: Stones, point: Point, direction: Direction, size: int, least: int
) -> Iterator[Point]:
    """Yield the empty points in a line that are near enough for one five with `point`.

    There are none of interest where fewer than `least` black stones, that on `point` among them, are as near.
    """
    near = [point.step(direction, distance) for distance in range(1 - FIVE, FIVE)]
    if sum(stones.get(each) == "X" for each in near) >= least:
        yield from (each for each in near if each.is_on_board(size) and each not in stones)


def _with_black(stones: Stones, point: Point) -> Stones:
    """Return the board with one black stone more."""
    return {**stones, point: "X"}
