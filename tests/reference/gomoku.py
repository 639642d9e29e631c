"""Gomoku, literally: stones on named points, and a look along every line of the whole board."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

DEFAULT_SIZE = 15
SMALLEST_SIZE = 5
LARGEST_SIZE = 22
LINE = 5
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
# Column letters of GTP, which leaves out I.
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVW"

Side = Literal["b", "w"]
Stone = Literal["X", "O"]


class Point(NamedTuple):
    """An intersection: column 1 is `A` at the left, row 1 is at the bottom."""

    column: int
    row: int

    @property
    def name(self) -> str:
        """Vertex of GTP, for example ``D4``."""
        return f"{COLUMNS[self.column - 1]}{self.row}"

    def step(self, direction: tuple[int, int], distance: int = 1) -> "Point":
        """Return the place `distance` steps away, which may be off the board."""
        return Point(self.column + direction[0] * distance, self.row + direction[1] * distance)


@dataclass(frozen=True)
class Gomoku:
    """A position of Gomoku, never changed once made.

    Attributes
    ----------
    stones
        The occupied points, ``X`` for Black and ``O`` for White.
    side
        Who is to move, ``b`` (first) or ``w`` (second).
    size
        Points a side of the board.
    exactly_five
        Whether only a run of exactly five wins; otherwise a longer one wins as well.
    """

    stones: Mapping[Point, Stone]
    side: Side
    size: int = DEFAULT_SIZE
    exactly_five: bool = False

    def __post_init__(self) -> None:
        """Refuse a size that the game does not have."""
        if not SMALLEST_SIZE <= self.size <= LARGEST_SIZE:
            raise ValueError(f"expected a size from {SMALLEST_SIZE} to {LARGEST_SIZE}, got {self.size}")

    @classmethod
    def start(cls, size: int = DEFAULT_SIZE, exactly_five: bool = False) -> Self:
        """Return the empty board, Black to move."""
        return cls({}, "b", size, exactly_five)

    @classmethod
    def parse(cls, text: str, size: int | None = None, exactly_five: bool = False) -> Self:
        """Read a canonical position text; a winning line may stand already, and stones need not alternate.

        Parameters
        ----------
        text
            Rows from the top with ``/`` between, a blank, the side to move.
        size
            Points a side that the text must show; None takes the text's own.
        exactly_five
            Whether only a run of exactly five wins.

        Raises
        ------
        ValueError
            If the text is malformed, of another size, or shows winning lines of both colours.
        """
        fields = text.split(" ")
        if len(fields) != 2:
            raise ValueError(f"expected board and side, got {len(fields)} fields in {text!r}")
        rows = fields[0].split("/")
        if size is not None and len(rows) != size:
            raise ValueError(f"expected {size} rows, got {len(rows)} in {text!r}")
        position = cls(_parse_rows(rows), _parse_side(fields[1]), len(rows), exactly_five)
        if position._has_line("X") and position._has_line("O"):
            raise ValueError(f"expected a winning line of one colour, got one of each in {text!r}")
        return position

    def format(self) -> str:
        """Return the canonical position text."""
        rows = (
            "".join(self.stones.get(Point(column, row), ".") for column in range(1, self.size + 1))
            for row in range(self.size, 0, -1)
        )
        return f"{'/'.join(rows)} {self.side}"

    @property
    def turn(self) -> int:
        """Side to move: 0 Black, who is first, 1 White."""
        return 0 if self.side == "b" else 1

    def turns(self) -> list[str]:
        """Return the vertices of all empty points; none when the game is over."""
        return [] if self.outcome() else [point.name for point in self._empty_points()]

    def play(self, turn: str) -> Self:
        """Return the position after `turn`.

        Raises
        ------
        ValueError
            If `turn` is not one of `turns()`.
        """
        if turn not in self.turns():
            raise ValueError(f"{turn!r} is not a legal turn in {self.format()!r}")
        point = next(point for point in self._empty_points() if point.name == turn)
        stone: Stone = "X" if self.side == "b" else "O"
        stones = {**self.stones, point: stone}  # [M-1]
        return type(self)(stones, "w" if self.side == "b" else "b", self.size, self.exactly_five)

    def outcome(self) -> Literal["first", "second", "draw"] | None:
        """Return who won, ``"draw"``, or None while the game goes on."""
        if self._has_line("X"):
            return "first"
        if self._has_line("O"):
            return "second"
        if len(self.stones) == self.size * self.size:
            return "draw"  # [M-2]
        return None

    def _empty_points(self) -> Iterator[Point]:
        """Yield the empty points, row by row from the bottom."""
        for row in range(1, self.size + 1):
            for column in range(1, self.size + 1):
                if Point(column, row) not in self.stones:
                    yield Point(column, row)

    def _has_line(self, stone: Stone) -> bool:
        """Say whether a run of the colour wins [M-2]: five or more, or five exactly."""
        runs = self._runs(stone)
        return any(run == LINE if self.exactly_five else run >= LINE for run in runs)

    def _runs(self, stone: Stone) -> Iterator[int]:
        """Yield the length of every unbroken run of the colour, each once in each of the four directions."""
        for point, colour in self.stones.items():
            for direction in DIRECTIONS:
                begins_here = colour == stone and self.stones.get(point.step(direction, -1)) != stone
                if begins_here:
                    length = 1
                    while self.stones.get(point.step(direction, length)) == stone:
                        length += 1
                    yield length


def _parse_rows(rows: list[str]) -> dict[Point, Stone]:
    """Read the rows of a square board, the top one first."""
    stones: dict[Point, Stone] = {}
    for row, text in zip(range(len(rows), 0, -1), rows, strict=True):
        if len(text) != len(rows):
            raise ValueError(f"expected {len(rows)} points in row {row}, got {len(text)} in {text!r}")
        for column, mark in enumerate(text, start=1):
            if mark == "X":
                stones[Point(column, row)] = "X"
            elif mark == "O":
                stones[Point(column, row)] = "O"
            elif mark != ".":
                raise ValueError(f"expected 'X', 'O' or '.' in row {row}, got {mark!r} in {text!r}")
    return stones


def _parse_side(text: str) -> Side:
    """Read the side to move."""
    if text == "b":
        return "b"
    if text == "w":
        return "w"
    raise ValueError(f"expected side 'b' or 'w', got {text!r}")
