"""Openings written in a line: turns, positions, or in five in a row also offsets and strings of turns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, zip_longest

from tengen.engine.board.goban import BLACK, parse_rows, parse_side
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError
from tengen.engine.formats import renju
from tengen.engine.game import GameSpec
from tengen.engine.play.position import Position

# Turns to begin with. If the game begins with another position than its own, the text of that comes first: it
# has blanks, which no turn has.
Opening = tuple[str, ...]

AFTER_POSITION = "; "
OFFSET = r"([+-]?\d{1,2})\s*,\s*([+-]?\d{1,2})"
OFFSETS = re.compile(rf"{OFFSET}(\s*[,\s]\s*{OFFSET})*")
STRING = re.compile(r"([a-z]\d{1,2}){2,}", re.I)


def start_and_turns(opening: Opening) -> tuple[str | None, tuple[str, ...]]:
    """Return the position that an opening begins with, None for that of the game, and its turns."""
    return (opening[0], opening[1:]) if opening and " " in opening[0] else (None, opening)


def opening_of(start: str | None, turns: Iterable[str]) -> Opening:
    """Return the opening of these `turns` from the position `start`, None for that of the game."""
    return (*([] if start is None else [start]), *turns)


def opening_text(opening: Opening) -> str:
    """Return an opening as a line, which `parse_opening` reads back."""
    start, turns = start_and_turns(opening)
    return ("" if start is None else start + AFTER_POSITION) + " ".join(turns)


def parse_opening(text: str) -> Opening:
    """Return the opening in a line of `opening_text`."""
    start, separator, turns = text.rpartition(AFTER_POSITION)
    return opening_of(start if separator else None, turns.split())


def opening_of_line(line: str, spec: GameSpec) -> Opening:
    """Return the opening in a line: turns, or a position text, after which turns may follow a semicolon.

    In five in a row it may also be

    - offsets from the middle to the right and down, as Gomocup publishes them: ``8,-3, 6,-4``;
    - a string of turns with the letter i: ``h8i9g7``;
    - where nothing is captured, a position text, after which a semicolon ends the line as in EPD: its stones
      in some order, which is all the same.

    Raises
    ------
    NotationError
        If a line of these forms, or a position, is faulty.
    """
    if "/" in line and (not spec.game.five_in_a_row or "capture-win" in spec.values):
        start, _, turns = line.partition(";")
        return opening_of(Position(spec, start.strip()).text(), turns.split())
    if not spec.game.five_in_a_row:
        return tuple(line.split())
    size = int(spec.values["size"])
    if OFFSETS.fullmatch(line.strip()):
        return tuple(_turn(int(x), int(y), size) for x, y in re.findall(OFFSET, line))
    if STRING.fullmatch(line.strip()):
        return tuple(turn for _, turn in renju.read(line, spec).turns)
    if "/" in line:
        return tuple(_turns_of_position(line.partition(";")[0], spec))
    return tuple(line.split())


def _turn(right: int, down: int, size: int) -> str:
    """Return the turn on a place so far from the middle, which must be on the board."""
    place = right + size // 2, size - 1 - down - size // 2
    if not all(0 <= coordinate < size for coordinate in place):
        raise NotationError(f"expected offsets within a board of {size} points a side, got {right},{down}")
    return vertex(*place)


def _turns_of_position(text: str, spec: GameSpec) -> list[str]:
    """Return turns that lead to a position."""
    rows, _, side = text.strip().partition(" ")
    stones, faults = parse_rows(rows, int(spec.values["size"]))
    to_move, more = parse_side(side.strip())
    if faults or more:
        raise NotationError("; ".join(faults + more))
    black = [vertex(*place) for place, colour in stones.items() if colour == BLACK]
    white = [vertex(*place) for place, colour in stones.items() if colour != BLACK]
    if len(black) - len(white) != to_move:
        expected = "as many stones of both sides, or one more of Black if White is to move"
        raise NotationError(f"expected {expected}, got {len(black)} and {len(white)}")
    return [turn for turn in chain.from_iterable(zip_longest(black, white)) if turn]
