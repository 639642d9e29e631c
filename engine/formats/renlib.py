"""RenLib's libraries (.lib): trees of turns on a board of 15 by 15 points, with comments and board texts.

A header of 20 bytes: ``FF "RenLib" FF``, the version (two bytes), and FF up to its end. The oldest files have
none and begin with H8. Nodes follow in the order of a walk through the tree, each before its children:

    point     1 byte   16 * row + column, rows from 0 at the top, columns from 1; 0 for the root or a pass
    flags     1 byte   see below
    more      2 bytes  if `EXTENDED`: 00, then 01 if there is a board text
    comment            if `COMMENT`: one line, and after a byte 08 more lines; ends like every text
    text               if there is one: what the board shows on the point before the turn is played

A text ends with a byte 00, and with another one if its length would be odd. (https://github.com/gomoku/RenLib)

In SGF a board text is a label (LB) of the node before, and a mark of a node is MA on its point.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tengen.engine.board.goban import Place, parse_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError, located
from tengen.engine.formats.plain import require_plain
from tengen.engine.sgf.node import Node, format_point, parse_point
from tengen.engine.sgf.record import Record
from tengen.engine.spec import GameSpec
from tengen.engine.storage.parsing import require_characters

SIZE = 15  # the only one
MAGIC = b"\xffRenLib\xff"
HEADER = MAGIC + b"\x03\x04" + b"\xff" * 10
NEWEST = (3, 4)
CENTER = 0x78
MAX_NODES = 200_000
VARIATIONS = True

SIBLING, NO_CHILD, OLD_COMMENT, MARK, COMMENT = 0x80, 0x40, 0x20, 0x10, 0x08
NO_TURN, EXTENDED = 0x02, 0x01
BOARD_TEXT = b"\x00\x01"
MORE_LINES = "\x08"


@dataclass
class Point:
    """A node of a library."""

    place: Place | None = None  # column and row from 0, rows from the bottom; None for the root or a pass
    is_turn: bool = True  # false for a point that only has a board text
    comment: str = ""
    text: str = ""
    mark: bool = False
    # by their places; only where a library is written
    children: dict[Place, Point] = field(default_factory=dict)

    def child(self, place: Place) -> Point:
        """Return the child on `place`, a new one if there is none."""
        return self.children.setdefault(place, Point(place, is_turn=False))


# ---------------------------------------------------------------------------------------------------- reading


def read(data: bytes, spec: GameSpec) -> Record:
    """Return a library as a record, whose main line is the first line of the library.

    Raises NotationError if `data` is no library, is cut off or is too large, or if a line has a pass or a
    point twice.
    """
    _require_size(spec)
    if data.startswith(MAGIC) and len(data) >= len(HEADER):
        version = data[len(MAGIC)], data[len(MAGIC) + 1]
        if version > NEWEST:
            got = f"{version[0]}.{version[1]}"
            raise NotationError(f"record: expected a library of RenLib up to 3.4, got {got}")
        data = data[len(HEADER) :]
    elif data[:1] != bytes([CENTER]):
        raise NotationError("record: expected a library of RenLib, got another file")
    record = Record(spec)
    # What the next node follows: a node, None below a point that is no turn, and the points played, as bits
    parent: tuple[Node | None, int] = record.root, 0
    parents: list[tuple[Node | None, int]] = []  # of nodes that have a sibling to come
    for number, (point, flags) in enumerate(_points(data)):
        if number == MAX_NODES:
            raise NotationError(f"record: expected a library of at most {MAX_NODES:,} nodes, got more")
        if number == 0 and point.place is None:
            record.root.comment = point.comment
            if flags & NO_CHILD:
                return record
            continue
        if flags & SIBLING:
            parents.append(parent)
        child = _node(point, *parent)
        if not flags & NO_CHILD:
            parent = child
        elif parents:
            parent = parents.pop()
        else:
            return record
    raise NotationError("record: expected a whole library, got one that is cut off")


def _node(point: Point, parent: Node | None, played: int) -> tuple[Node | None, int]:
    """Return the node of a point after `parent`, None if it is no turn, and the points played by then."""
    if parent is None:
        return None, played
    if point.place and point.text:
        parent.properties.setdefault("LB", []).append(f"{format_point(*point.place, SIZE)}:{point.text}")
    if not point.is_turn:
        return None, played
    bit = 1 << (point.place[0] + SIZE * point.place[1]) if point.place else 0
    if point.place is None or played & bit:
        got = "a pass" if point.place is None else f"{vertex(*point.place)} twice"
        raise NotationError(f"record: expected lines of different points, got {got}")
    node = parent.add(played.bit_count() % 2, vertex(*point.place))
    node.comment = point.comment
    if point.mark:
        node.properties["MA"] = [format_point(*point.place, SIZE)]
    return node, played | bit


def _points(data: bytes) -> Iterator[tuple[Point, int]]:
    """Yield the nodes of a library and their flags, in their order."""
    at = 0
    while at + 2 <= len(data):
        point, flags = data[at], data[at + 1]
        at += 2
        row, column = divmod(point, 16)
        if point and not (row < SIZE and 1 <= column <= SIZE):
            where = f"byte {at - 2} of the nodes"
            raise NotationError(f"record: expected a point of the board in {where}, got {point:#04x}")
        place = (column - 1, SIZE - 1 - row) if point else None
        node = Point(place, not flags & NO_TURN, mark=bool(flags & MARK))
        extension = data[at : at + 2] if flags & EXTENDED else b""
        at += len(extension)
        if flags & (OLD_COMMENT | COMMENT):
            comment, at = _text(data, at, bool(flags & OLD_COMMENT))
            first, _, more = comment.replace("\x00", "").partition(MORE_LINES)
            lines = "\n".join(part for part in (first, more.replace(MORE_LINES, "")) if part)
            node.comment = lines.replace("\r\n", "\n").replace("\r", "\n")
        if extension == BOARD_TEXT:
            node.text, at = _text(data, at)
        yield node, flags


def _text(data: bytes, at: int, old: bool = False) -> tuple[str, int]:
    """Return the text that begins at byte `at`, and where it has ended; an `old` one by a byte above 127."""
    last = (index for index in range(at, len(data)) if data[index] > 0x7F)
    end = next(last, -1) if old else data.find(b"\x00", at)
    if end < 0:
        raise NotationError("record: expected the end of a text, got that of the file")
    text = data[at:end] + (bytes([data[end] & 0x7F]) if old else b"")
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError:
        decoded = text.decode("cp1252", "replace")
    return decoded, end + 1 + (end + 1 - at) % 2


# ---------------------------------------------------------------------------------------------------- writing


def holds(node: Node, name: str) -> bool:
    """Return whether a library can hold a property of a node."""
    return name in ("C", "LB") or (name == "MA" and node.properties[name] == node.properties.get(node.colour))


def left_out(record: Record) -> int:
    """Return how many nodes no library holds: from a side that plays twice in a row, or a point taken, on."""
    return _tree(record)[1]


def write(record: Record) -> bytes:
    """Return `record` with its variations as a library; a branch ends where a position is set up.

    Raises NotationError as `require_plain` does, or if the board has another size.
    """
    parts = [HEADER]
    walk = [(_tree(record)[0], False)]
    while walk:
        point, sibling = walk.pop()
        parts.append(_bytes(point, sibling))
        below = list(point.children.values())
        walk += [(child, child is not below[-1]) for child in reversed(below)]
    return b"".join(parts)


def _tree(record: Record) -> tuple[Point, int]:
    """Return the points of a library that holds `record`, and how many nodes it leaves out.

    What is said of one position in several nodes, in notes for instance, is joined.
    """
    require_plain(record)
    _require_size(record.spec)
    root, left = Point(), 0
    pending = [(record.root, root, 0, frozenset[Place]())]  # nodes, points, plies and places taken
    while pending:
        node, point, ply, taken = pending.pop()
        point.mark = point.mark or ("MA" in node.properties and holds(node, "MA"))
        labels: list[str] = []
        below: list[tuple[Node, Point, int, frozenset[Place]]] = []
        walk = [node]  # with the notes after it
        while walk:
            each = walk.pop()
            if each is node or not each.colour:
                if each.comment and each.comment != point.comment:
                    point.comment = "\n".join(filter(None, (point.comment, each.comment)))
                labels += each.properties.get("LB", ())
                walk += [child for child in reversed(each.children) if child.colour or not child.is_set_up]
                continue
            place = parse_vertex(each.turn or "", SIZE)
            if each.side != ply % 2 or place in taken:
                left += sum(1 for _ in each)
                continue
            following = point.child(place)
            following.is_turn = True
            below.append((each, following, ply + 1, taken | {place}))
        pending += reversed(below)
        for label in labels:
            where, _, text = label.partition(":")
            with located("record: label"):
                point.child(parse_point(where, SIZE)).text = text
    return root, left


def _bytes(node: Point, sibling: bool) -> bytes:
    """Return a node as bytes; `sibling` tells whether another child of its parent follows."""
    column, row = node.place or (0, 0)
    point = 16 * (SIZE - 1 - row) + column + 1 if node.place else 0
    flags = SIBLING * sibling | NO_CHILD * (not node.children) | MARK * node.mark
    flags |= COMMENT * bool(node.comment) | NO_TURN * (not node.is_turn) | EXTENDED * bool(node.text)
    first, separator, more = node.comment.replace(MORE_LINES, "").partition("\n")
    comment = first + (MORE_LINES + more.replace("\n", "\r\n") if separator else "")
    parts = [bytes([point, flags]), BOARD_TEXT if node.text else b""]
    for text in filter(None, (comment, node.text)):
        data = require_characters(text, "record").replace("\x00", "").encode("utf-8")
        parts.append(data + (b"\x00" if len(data) % 2 else b"\x00\x00"))
    return b"".join(parts)


def _require_size(spec: GameSpec) -> None:
    """Raise NotationError unless the board has the size of a library."""
    if int(spec.values["size"]) != SIZE:
        raise NotationError(f"record: expected a board of {SIZE} points a side for this format, got {spec}")
