"""Boards as characters, with lines between the places: what a terminal shows (see `engine.contract`).

A sketch knows nothing of colours or escape codes: it says which character stands where, and whose it is. Rows
of hexagonal boards are horizontal, those of neighbours shifted by half a step. Boards whose columns stand
upright in drawings are turned by a right angle for that: their letters name rows.
"""

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tengen.engine.board.goban import BLACK, Place, Stones
from tengen.engine.board.grids import GTP_LETTERS, vertex

DISCS = {0: "○", 1: "●"}  # a piece that is light, dark
EMPTY = "·"


class Tone(enum.Enum):
    """Whose a character is, or what for."""

    LIGHT = enum.auto()
    DARK = enum.auto()
    GREY = enum.auto()
    RED = enum.auto()
    LINE = enum.auto()  # of the board
    NAME = enum.auto()  # of a place


@dataclass(frozen=True)
class Cell:
    """What a place of the board shows."""

    x: int  # character and line of the place, from 0
    y: int
    text: str  # its first character stands on the place, or one before it if there are two or more
    tone: Tone = Tone.LINE

    @property
    def begin(self) -> int:
        """The character where the text begins."""
        return self.x - (len(self.text) > 1)


@dataclass(frozen=True)
class Sketch:
    """A board as characters."""

    cells: Mapping[str, Cell]  # by name of the place
    lines: Mapping[tuple[int, int], str]  # other characters of the board, by character and line
    legend: str  # what the characters mean
    notes: tuple[str, ...]  # lines below the board: who is to move, what lies beside the board


def hexagonal(
    places: Mapping[str, tuple[int, int]], texts: Mapping[str, tuple[str, Tone]], pitch: int
) -> dict[str, Cell]:
    """Return the cells of a hexagonal board, `pitch` characters (an even number) from neighbour to neighbour.

    Every place has its row from the top and its distance from the left in halves of a step, and what it
    shows.
    """
    left = min(x for _, x in places.values())
    return {
        name: Cell(1 + (x - left) * pitch // 2, 2 * row, *texts[name]) for name, (row, x) in places.items()
    }


def links(cells: Mapping[str, Cell], pairs: Iterable[tuple[str, str]]) -> dict[tuple[int, int], str]:
    """Return the lines between neighbours of a hexagonal board: in a row, or in rows above each other."""
    drawn: dict[tuple[int, int], str] = {}
    for pair in pairs:
        upper, lower = sorted((cells[name] for name in pair), key=lambda cell: (cell.y, cell.x))
        if upper.y == lower.y:
            drawn |= {(x, upper.y): "─" for x in range(upper.x + 1, lower.x)}
        else:
            middle = (upper.x + lower.x) / 2
            drawn[int(middle + (lower.x < upper.x) / 2), upper.y + 1] = "╲" if lower.x > upper.x else "╱"
    return drawn


def neighbours(places: Mapping[str, tuple[int, int]]) -> list[tuple[str, str]]:
    """Return all pairs of neighbours, from the places as `hexagonal` takes them."""
    names = {place: name for name, place in places.items()}
    steps = ((0, 2), (1, 1), (1, -1))
    return [
        (name, names[row + down, x + right])
        for (row, x), name in names.items()
        for down, right in steps
        if (row + down, x + right) in names
    ]


def square(stones: Stones, size: int, stars: Iterable[Place], legend: str, notes: tuple[str, ...]) -> Sketch:
    """Return the sketch of a square board: letters below the columns, numbers beside the rows."""
    left, last = 4, size - 1
    crossings = ("┌┬┐", "├┼┤", "└┴┘")  # of the top row, those between and the bottom row; columns alike
    looks = {
        (x, y): (crossings[(y < last) + (y == 0)][(x > 0) + (x == last)], Tone.LINE)
        for x in range(size)
        for y in range(size)
    }
    looks |= dict.fromkeys(stars, ("╋", Tone.LINE))
    for place, colour in stones.items():
        looks[place] = (DISCS[1], Tone.DARK) if colour == BLACK else (DISCS[0], Tone.LIGHT)
    cells = {vertex(x, y): Cell(left + 2 * x, last - y, *look) for (x, y), look in looks.items()}
    lines = {(left + 2 * x + 1, y): "─" for x in range(size - 1) for y in range(size)}
    for y in range(size):
        lines |= _written(f"{size - y:>2}", 0, y) | _written(f"{size - y}", left + 2 * size, y)
    lines |= {(left + 2 * x, size): GTP_LETTERS[x] for x in range(size)}
    return Sketch(cells, lines, legend, notes)


def _written(text: str, x: int, y: int) -> dict[tuple[int, int], str]:
    return {(x + number, y): character for number, character in enumerate(text) if character != " "}
