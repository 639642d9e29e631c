"""Openings written in a line: turns, or in five in a row also offsets, strings of turns, and positions."""

from __future__ import annotations

import re
from itertools import chain, zip_longest

from tengen.engine.board.goban import BLACK, Place, parse_rows, parse_side
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError, quoted
from tengen.engine.formats import renju
from tengen.engine.game import GameSpec

OFFSET = r"([+-]?\d{1,2})\s*,\s*([+-]?\d{1,2})"
OFFSETS = re.compile(rf"{OFFSET}(\s*[,\s]\s*{OFFSET})*")
STRING = re.compile(r"([a-z]\d{1,2}){2,}", re.I)


def turns_of_line(line: str, spec: GameSpec) -> list[str]:
    """Return the turns of the opening in a line.

    In five in a row it may also be

    - offsets from the middle to the right and down, as Gomocup publishes them: ``8,-3, 6,-4``;
    - a string of turns with the letter i: ``h8i9g7``;
    - a position text, after which a semicolon ends the line as in EPD: its stones in some order, which is
      all the same where nothing is captured.

    Raises
    ------
    NotationError
        If a line of these forms is faulty.
    """
    if not spec.game.five_in_a_row:
        if "/" in line:
            raise NotationError(
                f"expected turns: only five in a row can begin with a position, got {quoted(line)}"
            )
        return line.split()
    size = int(spec.values["size"])
    if OFFSETS.fullmatch(line.strip()):
        places = [(int(x) + size // 2, size - 1 - int(y) - size // 2) for x, y in re.findall(OFFSET, line)]
        return [_turn(place, size) for place in places]
    if STRING.fullmatch(line.strip()):
        return [turn for _, turn in renju.read(line, spec).turns]
    if "/" in line:
        return _turns_of_position(line.partition(";")[0], spec)
    return line.split()


def _turn(place: Place, size: int) -> str:
    """Return the turn on a place, which must be on the board."""
    if not all(0 <= coordinate < size for coordinate in place):
        raise NotationError(f"expected offsets within a board of {size} points a side, got {place}")
    return vertex(*place)


def _turns_of_position(text: str, spec: GameSpec) -> list[str]:
    """Return turns that lead to a position."""
    if "capture-win" in spec.values:
        raise NotationError(f"expected turns: stones are captured in {spec.game.title}, got {quoted(text)}")
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
