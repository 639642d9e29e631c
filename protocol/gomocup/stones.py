"""Points and stones as Gomocup's managers write them: ``x,y`` from 0, x from the left, y from the top."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.engine.errors import NotationError, quoted

if TYPE_CHECKING:
    from tengen.engine.board.goban import Place

OWN, OPPONENT = 1, 2  # owners of stones in BOARD; higher numbers only mark a point
MAX_MARK = 3
BLACK, WHITE = 0, 1  # the sides, in the order of their turns


@dataclass(frozen=True)
class Stone:
    """A line of BOARD."""

    place: Place  # column and row from 0, rows from the bottom, as in `engine.board.goban`
    owner: int  # `OWN` or `OPPONENT`

    @property
    def vertex(self) -> str:
        """The turn that plays it, in the game's notation."""
        from tengen.engine.board.grids import vertex

        return vertex(*self.place)


def parse_point(text: str, size: int) -> Place:
    """Return the column, and the row from the bottom, of the point ``x,y``.

    Raises NotationError if the text has another form, or the point is not on a board of that size.
    """
    numbers = _integers(text, 2)
    if numbers is None or not all(0 <= number < size for number in numbers):
        raise NotationError(f"point: expected x,y from 0,0 to {size - 1},{size - 1}, got {quoted(text)}")
    x, y = numbers
    return x, size - 1 - y


def format_point(place: Place, size: int) -> str:
    """Return ``x,y`` for a column and a row from the bottom."""
    x, y = place
    return f"{x},{size - 1 - y}"


def parse_stone(text: str, size: int) -> Stone | None:
    """Return the stone in a line ``x,y,field`` of BOARD; None for a mark.

    Raises NotationError if the line has another form, or its point or field does not exist.
    """
    numbers = _integers(text, 3)
    if numbers is None or not OWN <= numbers[2] <= MAX_MARK:
        raise NotationError(f"stone: expected x,y,field with a field from 1 to 3, got {quoted(text)}")
    place = parse_point(text.rpartition(",")[0], size)
    return Stone(place, numbers[2]) if numbers[2] in (OWN, OPPONENT) else None


def side_to_move_of(stones: Sequence[Stone]) -> int:
    """Return the side that the manager calls *own*, which is to move: `BLACK` or `WHITE`.

    The numbers of stones decide, whatever the order of the lines; otherwise the first stone is Black's.
    """
    own = sum(stone.owner == OWN for stone in stones)
    ahead = len(stones) - 2 * own  # the opponent's stones minus own ones
    if ahead in (0, 1):
        return BLACK if ahead == 0 else WHITE
    return BLACK if stones[0].owner == OWN else WHITE


def side_of(stone: Stone, own: int) -> int:
    """Return the side of a stone if *own* is the side `own`."""
    return own if stone.owner == OWN else 1 - own


def alternates(stones: Iterable[Stone], own: int) -> bool:
    """Return whether the stones alternate like the turns of a game, with the side `own` to move next."""
    sides = [side_of(stone, own) for stone in stones]
    return sides == [number % 2 for number in range(len(sides))] and own == len(sides) % 2


def _integers(text: str, count: int) -> list[int] | None:
    """Return `count` whole numbers separated by commas; None if the text has another form."""
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*(,\s*[+-]?[0-9]{1,9}\s*)*", text):
        return None
    numbers = [int(number) for number in text.split(",")]
    return numbers if len(numbers) == count else None
