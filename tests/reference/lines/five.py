"""What Gomoku and Gobang share: stones on named points, rows of them, openings, the rows of a text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple, Self

from tests.reference.words import COLUMNS, Side, Stone, board

LARGEST_SIZE = 22
SMALLEST_SIZE_OF_PRO = 7
FIVE = 5
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
OPENINGS = ("none", "pro")

Direction = tuple[int, int]
Outcome = Literal["first", "second", "draw"] | None


class Point(NamedTuple):
    """An intersection: column 1 is `A` at the left, row 1 is at the bottom."""

    column: int
    row: int

    @property
    def name(self) -> str:
        """Vertex of GTP, for example ``D4``."""
        return f"{COLUMNS[self.column - 1]}{self.row}"

    def step(self, direction: Direction, distance: int = 1) -> "Point":
        """Return the place `distance` steps away, which may be off the board."""
        return Point(self.column + direction[0] * distance, self.row + direction[1] * distance)

    def is_on_board(self, size: int) -> bool:
        """Say whether a board of that size has this point."""
        return 1 <= self.column <= size and 1 <= self.row <= size


Stones = Mapping[Point, Stone]


def row_through(stones: Stones, point: Point, direction: Direction) -> list[Point]:
    """Return the longest unbroken row of one colour through a stone, from one end to the other."""
    first = point
    while stones.get(first.step(direction, -1)) == stones[point]:
        first = first.step(direction, -1)
    row = [first]
    while stones.get(row[-1].step(direction)) == stones[point]:
        row.append(row[-1].step(direction))
    return row


def rows_of(stones: Stones, colour: Stone) -> Iterator[list[Point]]:
    """Yield every unbroken row of a colour; a stone alone is a row too."""
    for point in stones:
        if stones[point] == colour:
            for direction in DIRECTIONS:
                if stones.get(point.step(direction, -1)) != colour:  # the first stone of a row
                    yield row_through(stones, point, direction)


def empty_points(stones: Stones, size: int) -> Iterator[Point]:
    """Yield the empty points of a board, row by row from the bottom."""
    for row in range(1, size + 1):
        for column in range(1, size + 1):
            if Point(column, row) not in stones:
                yield Point(column, row)


@dataclass(frozen=True, kw_only=True)
class FiveInARow:
    """A position of either game, never changed once made."""

    SMALLEST_SIZE: ClassVar[int]

    stones: Stones  # the occupied points, ``X`` for Black and ``O`` for White
    side: Side  # who is to move, ``b`` (first) or ``w`` (second)
    size: int  # points a side of the board
    opening: str = "none"  # where the first stones may be put, one of `OPENINGS`

    def __post_init__(self) -> None:
        """Refuse options that the game does not have."""
        if not self.SMALLEST_SIZE <= self.size <= LARGEST_SIZE:
            raise ValueError(f"expected a size from {self.SMALLEST_SIZE} to {LARGEST_SIZE}, got {self.size}")
        if self.opening == "pro" and self.size < SMALLEST_SIZE_OF_PRO:
            raise ValueError(
                f"expected a size from {SMALLEST_SIZE_OF_PRO} for the opening 'pro', got {self.size}"
            )

    @property
    def turn(self) -> int:
        """Side to move: 0 Black, who is first, 1 White."""
        return 0 if self.side == "b" else 1

    def turns(self) -> list[str]:
        """Return the vertices where the side to move may play; none when the game is over."""
        return [] if self.outcome() else [point.name for point in self._allowed_points()]

    def play(self, turn: str) -> Self:
        """Return the position after `turn`; raise `ValueError` if it is not one of `turns()`."""
        point = next((point for point in empty_points(self.stones, self.size) if point.name == turn), None)
        if point is None or self.outcome() or not self._is_allowed(point):
            raise ValueError(f"{turn!r} is not a legal turn in {self.format()!r}")
        return self._after(point)

    def format(self) -> str:
        """Return the canonical position text."""
        rows = (
            "".join(self.stones.get(Point(column, row), ".") for column in range(1, self.size + 1))
            for row in range(self.size, 0, -1)
        )
        return f"{'/'.join(rows)} {self.side}"

    def outcome(self) -> Outcome:
        """Return who won, ``"draw"``, or None while the game goes on."""
        return self._outcome

    @cached_property
    def _outcome(self) -> Outcome:
        """Who won; every question about a position asks for it."""
        if self._has_won("X"):
            return "first"
        if self._has_won("O"):
            return "second"
        if next(self._allowed_points(), None) is None:
            return "draw"  # [M-2] a full board; nothing left that is allowed
        return None

    def _after(self, point: Point) -> Self:
        """Return the position after a stone is put on a point where that is allowed."""
        raise NotImplementedError

    def _has_won(self, colour: Stone) -> bool:
        """Say whether a colour has what wins."""
        raise NotImplementedError

    def _is_allowed(self, point: Point) -> bool:
        """Say whether the side to move may play on an empty point, as far as the opening is concerned."""
        if self.opening == "pro":
            middle = self.size // 2 + 1
            distance = max(abs(point.column - middle), abs(point.row - middle))
            if len(self.stones) == 0:
                return distance == 0
            if len(self.stones) == 2 and self.side == "b":
                return distance > 2
        return True  # [M-1]

    def _allowed_points(self) -> Iterator[Point]:
        """Yield the points where the side to move may play, row by row from the bottom."""
        return (point for point in empty_points(self.stones, self.size) if self._is_allowed(point))


def parse_rows(text: str, size: int | None) -> tuple[Stones, int]:
    """Read the rows of a square board, the top one first; return the stones and how many rows there are."""
    stones, rows = board(text, size)
    return {Point(*place): stone for place, stone in stones.items()}, rows
