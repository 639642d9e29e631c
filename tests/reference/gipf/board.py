"""The board of GIPF: dots, spots and the lines on which pieces are pushed."""

from collections.abc import Iterator
from typing import NamedTuple

FOUR = 4
# From White's edge up to the last row of columns a to i, dots included.
ROWS = (5, 6, 7, 8, 9, 8, 7, 6, 5)
# Steps in a board whose columns were shifted so that the three directions are these for every column.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1))


class Point(NamedTuple):
    """A dot or spot, or a place off the board: column 0 is `a`, row 1 is White's edge; sorted as a1 to i5."""

    column: int
    row: int

    @property
    def name(self) -> str:
        """Text of the point, for example ``c3``."""
        return f"{chr(ord('a') + self.column)}{self.row}"

    def exists(self) -> bool:
        """Tell whether the board has the point."""
        return 0 <= self.column < len(ROWS) and 1 <= self.row <= ROWS[self.column]

    def is_spot(self) -> bool:
        """Tell whether the point is a spot, which has no place off the board beside it."""
        return self.exists() and all(self.step(direction).exists() for direction in DIRECTIONS)

    def step(self, direction: tuple[int, int]) -> "Point":
        """Return the neighbour, which may be off the board."""
        column = self.column + direction[0]
        shifted = self.row + max(self.column - 4, 0) + direction[1]
        return Point(column, shifted - max(column - 4, 0))


class Way(NamedTuple):
    """A line as a push enters it: its dot here, its spots from there on, and the dot beyond."""

    dot: Point
    spots: tuple[Point, ...]
    beyond: Point

    @property
    def ends(self) -> tuple[Point, Point]:
        """Dot and first spot, which stand for the way in a text and when turns are compared."""
        return self.dot, self.spots[0]


def _way(dot: Point, direction: tuple[int, int]) -> Way:
    """Return the way from `dot` in `direction`."""
    spots = []
    point = dot.step(direction)
    while point.is_spot():
        spots.append(point)
        point = point.step(direction)
    return Way(dot, tuple(spots), point)


POINTS = tuple(Point(column, row) for column, rows in enumerate(ROWS) for row in range(1, rows + 1))
COLUMNS = tuple(
    tuple(point for point in POINTS if point.column == column and point.is_spot()) for column in range(1, 8)
)
WAYS = tuple(
    _way(point, direction)
    for point in POINTS
    if not point.is_spot()
    for direction in DIRECTIONS
    if point.step(direction).is_spot()
)
LINES = tuple(way for way in WAYS if way.dot < way.beyond)
CENTRE = Point(4, 5)


def runs(spots: Iterator[Point | None]) -> list[tuple[Point, ...]]:
    """Split `spots` where None interrupts them."""
    found: list[tuple[Point, ...]] = [()]
    for spot in spots:
        if spot is None:
            found.append(())
        else:
            found[-1] += (spot,)
    return found


def has_four(spots: Iterator[Point | None]) -> bool:
    """Tell whether four adjacent ones of `spots` are there [G-3]."""
    return any(len(run) >= FOUR for run in runs(spots))
