"""Gomoku, literally: a look along every row of the board; Renju's forbidden points stand in `renju`."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from tests.reference.lines.five import FIVE, FiveInARow, Point, Stone, parse_rows, rows_of
from tests.reference.lines.renju import reason_against
from tests.reference.words import STONES, one_of

DEFAULT_SIZE = 15


@dataclass(frozen=True, kw_only=True)
class Gomoku(FiveInARow):
    """A position of Gomoku."""

    SMALLEST_SIZE: ClassVar[int] = 5

    exactly_five: bool = False  # whether only a row of exactly five wins; otherwise a longer one wins as well
    renju: bool = False  # whether Black has forbidden points and wins with exactly five

    @classmethod
    def start(
        cls,
        size: int = DEFAULT_SIZE,
        exactly_five: bool = False,
        renju: bool = False,
        opening: str = "none",
    ) -> Self:
        """Return the empty board, Black to move."""
        return cls(stones={}, side="b", size=size, exactly_five=exactly_five, renju=renju, opening=opening)

    @classmethod
    def parse(cls, text: str, size: int | None = None, **options: Any) -> Self:
        """Read a canonical position text; a winning row may stand already, and stones need not alternate.

        The options are those of `start`; without a `size` it is that of the text. `ValueError` is raised if
        the text is malformed, of another size, or shows winning rows of both colours.
        """
        fields = text.split(" ")
        if len(fields) != 2:
            raise ValueError(f"expected board and side, got {len(fields)} fields in {text!r}")
        stones, rows = parse_rows(fields[0], size)
        side = one_of("side", fields[1], *STONES)
        position = replace(cls.start(rows, **options), stones=stones, side=side)
        if position._has_won("X") and position._has_won("O"):
            raise ValueError(f"expected a winning line of one colour, got one of each in {text!r}")
        return position

    def _after(self, point: Point) -> Self:
        """Put a stone [M-1]."""
        stone: Stone = "X" if self.side == "b" else "O"
        return replace(self, stones={**self.stones, point: stone}, side="w" if self.side == "b" else "b")

    def _has_won(self, colour: Stone) -> bool:
        """Say whether a colour has five or more in a row [M-2], or exactly five where it must [R-1]."""
        exactly = self.exactly_five or (self.renju and colour == "X")
        return any(len(row) == FIVE if exactly else len(row) >= FIVE for row in rows_of(self.stones, colour))

    def _is_allowed(self, point: Point) -> bool:
        """Say whether the side to move may play on an empty point: not Black on a forbidden one [R-7]."""
        if self.renju and self.side == "b" and reason_against(self.stones, point, self.size):
            return False
        return super()._is_allowed(point)
