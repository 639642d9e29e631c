"""Gobang, literally: Gomoku in which a stone takes pairs, looked for in all eight directions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from tests.reference.lines.five import DIRECTIONS, FIVE, FiveInARow, Point, Side, Stone, parse_rows, rows_of
from tests.reference.words import STONES, number, one_of

DEFAULT_SIZE = 19
MAX_PAIRS_TO_WIN = 20
EIGHT_DIRECTIONS = (*DIRECTIONS, *((-dx, -dy) for dx, dy in DIRECTIONS))


@dataclass(frozen=True, kw_only=True)
class Gobang(FiveInARow):
    """A position of Gobang."""

    SMALLEST_SIZE: ClassVar[int] = 4

    capture_win: int = 0  # how many pairs win when one side has taken them; 0: pairs win nothing
    # how many pairs Black and White have taken
    pairs: Mapping[Side, int] = field(default_factory=lambda: {"b": 0, "w": 0})

    def __post_init__(self) -> None:
        """Refuse options that the game does not have."""
        super().__post_init__()
        if self.capture_win > MAX_PAIRS_TO_WIN:
            raise ValueError(f"expected from 0 to {MAX_PAIRS_TO_WIN} pairs to win, got {self.capture_win}")

    @classmethod
    def start(cls, size: int = DEFAULT_SIZE, capture_win: int = 0, opening: str = "none") -> Self:
        """Return the empty board, Black to move [B-1]."""
        return cls(stones={}, side="b", size=size, capture_win=capture_win, opening=opening)

    @classmethod
    def parse(cls, text: str, size: int | None = None, **options: Any) -> Self:
        """Read a canonical position text; who has won may stand there already, and stones need not alternate.

        The options are those of `start`. `ValueError` is raised if the text is malformed, of another size, or
        both sides have a five or pairs enough to win.
        """
        fields = text.split(" ")
        if len(fields) != 4:
            raise ValueError(
                f"expected board, side and two numbers of pairs, got {len(fields)} fields in {text!r}"
            )
        board, side, *pairs = fields
        stones, rows = parse_rows(board, size)
        by_black, by_white = (number("a number of pairs", word) for word in pairs)
        position = replace(
            cls.start(rows, **options),
            stones=stones,
            side=one_of("side", side, *STONES),
            pairs={"b": by_black, "w": by_white},
        )
        if position._has_five("X") and position._has_five("O"):
            raise ValueError(f"expected a five of one colour, got one of each in {text!r}")
        if position._has_pairs("b") and position._has_pairs("w"):
            raise ValueError(f"expected enough pairs of one side, got {by_black} and {by_white} in {text!r}")
        return position

    def format(self) -> str:
        """Return the canonical position text."""
        return f"{super().format()} {self.pairs['b']} {self.pairs['w']}"

    def _after(self, point: Point) -> Self:
        """Put a stone [B-1] and take what it encloses [B-2]."""
        own: Stone = "X" if self.side == "b" else "O"
        stones = {**self.stones, point: own}
        taken = list(_enclosed_pairs(stones, point))
        for pair in taken:
            for captured in pair:
                del stones[captured]
        pairs = {**self.pairs, self.side: self.pairs[self.side] + len(taken)}
        return replace(self, stones=stones, side="w" if self.side == "b" else "b", pairs=pairs)

    def _has_won(self, colour: Stone) -> bool:
        """Say whether a colour has a five, or pairs enough while the other has no five."""
        if self._has_five("X") or self._has_five("O"):
            return self._has_five(colour)
        return self._has_pairs("b" if colour == "X" else "w")

    def _has_five(self, colour: Stone) -> bool:
        """Say whether five or more stones of a colour stand in a row [M-2]."""
        return any(len(row) >= FIVE for row in rows_of(self.stones, colour))

    def _has_pairs(self, side: Side) -> bool:
        """Say whether a side has taken so many pairs that it wins."""
        return self.capture_win > 0 and self.pairs[side] >= self.capture_win


def _enclosed_pairs(stones: Mapping[Point, Stone], point: Point) -> Iterator[tuple[Point, Point]]:
    """Yield the pairs of the other colour between a stone and another of its colour [B-2]."""
    own = stones[point]
    other: Stone = "O" if own == "X" else "X"
    for direction in EIGHT_DIRECTIONS:
        near, far, end = (point.step(direction, distance) for distance in (1, 2, 3))
        if (stones.get(near), stones.get(far), stones.get(end)) == (other, other, own):
            yield near, far
