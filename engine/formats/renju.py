"""Compact strings of turns, as Renju players exchange them: ``h8i9g7``.

Columns are letters from a, i included; rows are numbers from the bottom, as on paper. This is not GTP's
notation, which leaves out i.
"""

import re

from tengen.engine.board.goban import parse_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError, quoted
from tengen.engine.formats.plain import require_plain
from tengen.engine.play.position import MAX_TURNS
from tengen.engine.sgf.record import Record
from tengen.engine.spec import GameSpec

TURN = re.compile(r"([a-z])([1-9][0-9]?)", re.I)
BEGINNING = re.compile(r"([a-z][1-9][0-9]?[\s,]*)+[a-z]?", re.I)
A = ord("a")


def begins(text: str) -> bool:
    """Return whether `text`, perhaps cut off, is a string of turns."""
    return BEGINNING.fullmatch(text.strip()) is not None


def read(text: str, spec: GameSpec) -> Record:
    """Return the record of the turns in `text`; blanks, commas and upper case do not matter.

    Raises NotationError if the text has another form.
    """
    compact = re.sub(r"[\s,]+", "", text)
    if len(compact) > 3 * MAX_TURNS:
        raise NotationError(f"record: expected at most {MAX_TURNS:,} turns, got {len(compact):,} characters")
    turns = TURN.findall(compact)
    if not turns or "".join(map("".join, turns)) != compact:
        raise NotationError(f"record: expected turns such as h8i9g7, got {quoted(text.strip())}")
    size, record = int(spec.values["size"]), Record(spec)
    node = record.root
    for number, (letter, digits) in enumerate(turns):
        x, y = ord(letter.lower()) - A, int(digits) - 1
        if not (x < size and y < size):
            expected = f"expected a point from a1 to {chr(A + size - 1)}{size}"
            raise NotationError(f"record: turn {number + 1}: {expected}, got {quoted(letter + digits)}")
        node = node.add(number % 2, vertex(x, y))
    return record


def write(record: Record) -> str:
    """Return the turns of `record`, which `require_plain` checks, as one string."""
    nodes, size = require_plain(record), int(record.spec.values["size"])
    places = (parse_vertex(node.turn or "", size) for node in nodes)
    return "".join(f"{chr(A + x)}{y + 1}" for x, y in places) + "\n"
