"""Points and stones as Gomocup's managers write them: ``x,y`` from 0, x from the left, y from the top."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.engine.errors import NotationError, quoted

if TYPE_CHECKING:
    from tengen.engine.board.goban import Place

OWN, OPPONENT = 1, 2  # whose a stone is, in BOARD; everything above marks a point only
MAX_MARK = 3
BLACK, WHITE = 0, 1  # the sides by their turn


@dataclass(frozen=True)
class Stone:
    """A line of BOARD.

    Attributes
    ----------
    place : (int, int)
        Column and row, both from 0, rows from the bottom: as `engine.board.goban` has them.
    owner : int
        `OWN` or `OPPONENT`.
    """

    place: Place
    owner: int

    @property
    def vertex(self) -> str:
        """The turn that puts it, as the game writes it."""
        from tengen.engine.board.grids import vertex

        return vertex(*self.place)


def parse_point(text: str, size: int) -> Place:
    """Return the column and the row, from the bottom, of the point ``x,y``.

    Raises
    ------
    NotationError
        When the text is of another form, or names no point of a board of that size.
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
    """Return the stone that a line ``x,y,field`` of BOARD names; None for a mark, which is no stone.

    Raises
    ------
    NotationError
        When the line is of another form, or names no point or no field there is.
    """
    numbers = _integers(text, 3)
    if numbers is None or not OWN <= numbers[2] <= MAX_MARK:
        raise NotationError(f"stone: expected x,y,field with a field from 1 to 3, got {quoted(text)}")
    place = parse_point(text.rpartition(",")[0], size)
    return Stone(place, numbers[2]) if numbers[2] in (OWN, OPPONENT) else None


def side_to_move_of(stones: Sequence[Stone]) -> int:
    """Return which side the manager means by *own*, which is to move: `BLACK` or `WHITE`.

    The numbers of stones tell, whatever the order of the lines; if they do not, the first stone is Black's.
    """
    own = sum(stone.owner == OWN for stone in stones)
    ahead = len(stones) - 2 * own  # by so many stones is the opponent
    if ahead in (0, 1):
        return BLACK if ahead == 0 else WHITE
    return BLACK if stones[0].owner == OWN else WHITE


def side_of(stone: Stone, own: int) -> int:
    """Return the side that a stone belongs to, if *own* is the side `own`."""
    return own if stone.owner == OWN else 1 - own


def alternates(stones: Iterable[Stone], own: int) -> bool:
    """Return whether the stones are a game in the order of its turns, and the side `own` is to move then."""
    sides = [side_of(stone, own) for stone in stones]
    return sides == [number % 2 for number in range(len(sides))] and own == len(sides) % 2


def _integers(text: str, count: int) -> list[int] | None:
    """Return the whole numbers of a list with commas; None when it is none, or has not `count`."""
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*(,\s*[+-]?[0-9]{1,9}\s*)*", text):
        return None
    numbers = [int(number) for number in text.split(",")]
    return numbers if len(numbers) == count else None
