"""Piskvork's files (.psq), in which Gomocup publishes its games.

The first line is ``Piskvorky WIDTHxHEIGHT, LEVEL:LEVEL, STARTS``. Each line ``X,Y,MS`` is a turn: column and
row from 1, rows from the top, and the milliseconds it took. The names of both players follow, then a code of
how the game has ended, which programs do not agree about: it is written as -1, for unknown, and not read.
"""

import re

from tengen.engine.board.goban import parse_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError, quoted
from tengen.engine.formats.plain import require_plain
from tengen.engine.play.position import MAX_TURNS
from tengen.engine.sgf.node import Node
from tengen.engine.sgf.record import Record
from tengen.engine.spec import GameSpec

HEADER = re.compile(r"Piskvorky (\d{1,3})x(\d{1,3})\s*,.*")
TURN = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(-?\d{1,12})\s*")
NAMES = ("PB", "PW")  # Black begins
UNKNOWN = "-1"
NUMBER = re.compile(r"-?\d+")  # a code, no name
TIME = re.compile(r"([0-9]+\.[0-9]+) s\b")


def read(text: str, spec: GameSpec) -> Record:
    """Return the record in `text`; `spec` says what is played, the file how large the board is.

    Raises NotationError if the text has another form, or the board is not square.
    """
    first, *lines = text.lstrip("\ufeff").splitlines() or [""]
    header = HEADER.fullmatch(first.strip())
    if header is None:
        raise NotationError(f"record: expected Piskvorky WIDTHxHEIGHT in the first line, got {quoted(first)}")
    width, height = int(header[1]), int(header[2])
    if width != height:
        raise NotationError(f"record: expected a square board, got {width}x{height}")
    record = Record(spec.with_option("size", width))
    node, end = record.root, 0  # of the turns
    while end < len(lines) and (turn := TURN.fullmatch(lines[end])):
        x, y, milliseconds = int(turn[1]) - 1, width - int(turn[2]), int(turn[3])
        if not (0 <= x < width and 0 <= y < width):
            got = quoted(lines[end])
            raise NotationError(f"record: turn {end + 1}: expected a point of the board, got {got}")
        node = node.add(end % 2, vertex(x, y), {"C": [f"{milliseconds / 1000:.3f} s"]})
        end += 1
        if end > MAX_TURNS:
            raise NotationError(f"record: expected at most {MAX_TURNS:,} turns, got more")
    if any(map(TURN.fullmatch, lines[end + 1 :])):
        raise NotationError(f"record: turn {end + 1}: expected X,Y,MS, got {quoted(lines[end])}")
    said = map(str.strip, lines[end : end + 2])
    names = [line for line in said if line and not NUMBER.fullmatch(line)]
    record.root.properties |= {name: [player] for name, player in zip(NAMES, names, strict=False)}
    return record


def holds(node: Node, name: str) -> bool:
    """Return whether a file of Piskvork can hold a property of a node."""
    if node.parent:
        return name == "C" and TIME.fullmatch(node.comment) is not None
    return name in NAMES and NUMBER.fullmatch(node.properties[name][0].strip()) is None


def write(record: Record) -> str:
    """Return `record`, checked by `require_plain`, as Piskvork writes it; of comments only times are kept."""
    nodes = require_plain(record)
    size = int(record.spec.values["size"])
    lines = [f"Piskvorky {size}x{size}, 0:0, 0"]
    for node in nodes:
        x, y = parse_vertex(node.turn or "", size)
        seconds = TIME.match(node.comment)
        lines.append(f"{x + 1},{size - y},{round(1000 * float(seconds[1])) if seconds else 0}")
    names = [record.value(name).strip() for name in NAMES]
    lines += [name if name and not NUMBER.fullmatch(name) else "?" for name in names]
    return "\n".join([*lines, UNKNOWN]) + "\n"
