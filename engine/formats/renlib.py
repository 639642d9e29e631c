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
from tengen.engine.errors import NotationError
from tengen.engine.formats.plain import require_plain
from tengen.engine.game import GameSpec
from tengen.engine.play.challenge import begin
from tengen.engine.sgf import Properties, Record, Variation
from tengen.engine.sgf.points import format_point, parse_point
from tengen.engine.sgf.record import replay
from tengen.engine.storage.parsing import require_characters

SIZE = 15  # the only one
MAGIC = b"\xffRenLib\xff"
HEADER = MAGIC + b"\x03\x04" + b"\xff" * 10
NEWEST = (3, 4)
CENTER = 0x78
MAX_NODES = 200_000

SIBLING, NO_CHILD, OLD_COMMENT, MARK, COMMENT = 0x80, 0x40, 0x20, 0x10, 0x08
NO_TURN, EXTENDED = 0x02, 0x01
BOARD_TEXT = b"\x00\x01"
MORE_LINES = "\x08"


@dataclass
class Node:
    """A node of a library.

    Attributes
    ----------
    place : (int, int) or None
        Column and row from 0, rows from the bottom; None for the root or a pass.
    is_turn : bool
        False for a point that only has a board text.
    comment, text : str
    mark : bool
    children : list of Node
    """

    place: Place | None = None
    is_turn: bool = True
    comment: str = ""
    text: str = ""
    mark: bool = False
    children: list[Node] = field(default_factory=list)

    def child(self, place: Place | None) -> Node:
        """Return the child on `place`, a new one if there is none."""
        for child in self.children:
            if child.place == place:
                return child
        self.children.append(Node(place, is_turn=False))
        return self.children[-1]


# ---------------------------------------------------------------------------------------------------- reading


def read(data: bytes, spec: GameSpec) -> Record:
    """Return the first line of a library as a record, with all others as variations.

    Raises
    ------
    NotationError
        If `data` is no library, is cut off or is too large; if a line has a pass or a point twice, or if the
        first one cannot be played.
    """
    _require_size(spec)
    record = Record(spec)
    root = _tree(data)
    record.properties |= {"C": [root.comment]} if root.comment else {}
    record.properties |= _labels(root)
    _require_different_points(root)
    _add_lines(record, root)
    replay(begin(spec), record.turns)
    return record


def _tree(data: bytes) -> Node:
    """Return the root of the tree of a library; its children are the first turns."""
    if data.startswith(MAGIC) and len(data) >= len(HEADER):
        version = data[len(MAGIC)], data[len(MAGIC) + 1]
        if version > NEWEST:
            raise NotationError(
                f"record: expected a library of RenLib up to 3.4, got {version[0]}.{version[1]}"
            )
        data = data[len(HEADER) :]
    elif data[:1] != bytes([CENTER]):
        raise NotationError("record: expected a library of RenLib, got another file")
    root = parent = Node()
    parents: list[Node] = []  # of nodes that have a sibling to come
    for number, (node, flags) in enumerate(_nodes(data)):
        if number == MAX_NODES:
            raise NotationError(f"record: expected a library of at most {MAX_NODES:,} nodes, got more")
        if number == 0 and node.place is None:
            root = parent = node
            if flags & NO_CHILD:
                break
            continue
        parent.children.append(node)
        if flags & SIBLING:
            parents.append(parent)
        if not flags & NO_CHILD:
            parent = node
        elif parents:
            parent = parents.pop()
        else:
            break
    else:
        raise NotationError("record: expected a whole library, got one that is cut off")
    return root


def _nodes(data: bytes) -> Iterator[tuple[Node, int]]:
    """Yield the nodes of a library and their flags, in their order."""
    at = 0
    while at + 2 <= len(data):
        point, flags = data[at], data[at + 1]
        at += 2
        row, column = divmod(point, 16)
        if point and not (row < SIZE and 1 <= column <= SIZE):
            raise NotationError(
                f"record: expected a point of the board in byte {at - 2} of the nodes, got {point:#04x}"
            )
        node = Node(
            (column - 1, SIZE - 1 - row) if point else None, not flags & NO_TURN, mark=bool(flags & MARK)
        )
        extension = data[at : at + 2] if flags & EXTENDED else b""
        at += len(extension)
        if flags & OLD_COMMENT:
            comment, at = _old_text(data, at)
            node.comment = _comment(comment)
        elif flags & COMMENT:
            comment, at = _text(data, at)
            node.comment = _comment(comment)
        if extension == BOARD_TEXT:
            node.text, at = _text(data, at)
        yield node, flags


def _text(data: bytes, at: int) -> tuple[str, int]:
    """Return the text that begins at byte `at`, and where it has ended."""
    end = data.find(b"\x00", at)
    if end < 0:
        raise NotationError("record: expected the end of a text, got that of the file")
    text = data[at:end]
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError:
        decoded = text.decode("cp1252", "replace")
    return decoded, end + 1 + (end + 1 - at) % 2


def _old_text(data: bytes, at: int) -> tuple[str, int]:
    """Return the text that begins at byte `at` and ends with a byte above 127, and where it has ended."""
    end = next((index for index in range(at, len(data)) if data[index] > 0x7F), None)
    if end is None:
        raise NotationError("record: expected the end of a text, got that of the file")
    text = (data[at:end] + bytes([data[end] & 0x7F])).decode("ascii")
    return text, end + 1 + (end + 1 - at) % 2


def _comment(text: str) -> str:
    """Return the lines of a comment."""
    first, _, more = text.replace("\x00", "").partition(MORE_LINES)
    more = more.replace(MORE_LINES, "").replace("\r\n", "\n")
    return "\n".join(part for part in (first, more) if part)


def _require_different_points(root: Node) -> None:
    """Raise NotationError if a line has a pass, or a point twice."""
    walk: list[tuple[Node, frozenset[Place]]] = [(root, frozenset())]
    while walk:
        parent, played = walk.pop()
        for node in parent.children:
            if not node.is_turn:
                continue
            if node.place is None or node.place in played:
                got = "a pass" if node.place is None else f"{vertex(*node.place)} twice"
                raise NotationError(f"record: expected lines of different points, got {got}")
            walk.append((node, played | {node.place}))


def _labels(node: Node) -> Properties:
    """Return the board texts of the children of a node as labels of SGF."""
    labels = [
        f"{format_point(*child.place, SIZE)}:{child.text}"
        for child in node.children
        if child.place and child.text
    ]
    return {"LB": labels} if labels else {}


def _add_lines(record: Record, root: Node) -> None:
    """Add the first turns below `root` to the record, the others as variations."""
    pending: list[tuple[Record | Variation, Node, int]] = [(record, root, 0)]  # with the turns before
    while pending:
        line, parent, ply = pending.pop()
        while turns := [child for child in parent.children if child.is_turn]:
            node, *others = turns
            index = len(line.turns)
            _add_turn(line, node, ply)
            for other in others:
                variation = Variation([])
                _add_turn(variation, other, ply)
                line.variations.setdefault(index, []).append(variation)
                pending.append((variation, other, ply + 1))
            parent, ply = node, ply + 1


def _add_turn(line: Record | Variation, node: Node, ply: int) -> None:
    """Add the turn of a node to a line."""
    assert node.place is not None
    index = len(line.turns)
    line.turns.append((ply % 2, vertex(*node.place)))
    if node.comment:
        line.comments[index] = node.comment
    details = _labels(node)
    if node.mark:
        details["MA"] = [format_point(*node.place, SIZE)]
    if details:
        line.details[index] = details


# ---------------------------------------------------------------------------------------------------- writing


def write(record: Record) -> bytes:
    """Return `record` with its variations as a library. Of other properties, LB and MA are kept.

    Raises
    ------
    NotationError
        See `require_plain`; or if the board has another size.
    """
    require_plain(record)
    _require_size(record.spec)
    root = Node(comment=record.properties.get("C", [""])[0])
    _plant(root, record)
    _name_points(root, record.properties)
    parts = [HEADER]
    walk = [(root, False)]
    while walk:
        node, sibling = walk.pop()
        parts.append(_bytes(node, sibling))
        walk += [(child, child is not node.children[-1]) for child in reversed(node.children)]
    return b"".join(parts)


def _plant(root: Node, record: Record) -> None:
    """Add the turns of a record to the tree below `root`, with its variations and labels."""
    pending: list[tuple[Node, Record | Variation]] = [(root, record)]
    labelled: list[tuple[Node, Properties]] = []
    while pending:
        parent, line = pending.pop()
        nodes = [parent]
        for index, (_, turn) in enumerate(line.turns):
            node = nodes[-1].child(parse_vertex(turn, SIZE))
            node.is_turn = True
            node.comment = line.comments.get(index, node.comment)
            node.mark = node.mark or bool(line.details.get(index, {}).get("MA"))
            nodes.append(node)
        for index, variations in line.variations.items():
            pending += [(nodes[index], variation) for variation in reversed(variations)]
        labelled += [(nodes[index + 1], details) for index, details in line.details.items()]
    for node, details in labelled:
        _name_points(node, details)


def _name_points(node: Node, properties: Properties) -> None:
    """Give the children of a node the labels of SGF as board texts."""
    for label in properties.get("LB", ()):
        point, _, text = label.partition(":")
        node.child(parse_point(point, SIZE, "label")).text = text


def _bytes(node: Node, sibling: bool) -> bytes:
    """Return a node as bytes; `sibling` tells whether another child of its parent follows."""
    column, row = node.place or (0, 0)
    point = 16 * (SIZE - 1 - row) + column + 1 if node.place else 0
    flags = SIBLING * sibling | NO_CHILD * (not node.children) | MARK * node.mark
    flags |= COMMENT * bool(node.comment) | NO_TURN * (not node.is_turn) | EXTENDED * bool(node.text)
    first, separator, more = node.comment.replace(MORE_LINES, "").partition("\n")
    comment = first + (MORE_LINES + more.replace("\n", "\r\n") if separator else "")
    texts = b"".join(_text_bytes(text) for text in (comment, node.text) if text)
    return bytes([point, flags]) + (BOARD_TEXT if node.text else b"") + texts


def _text_bytes(text: str) -> bytes:
    """Return a text with its end."""
    data = require_characters(text, "record").replace("\x00", "").encode("utf-8")
    return data + (b"\x00" if len(data) % 2 else b"\x00\x00")


def _require_size(spec: GameSpec) -> None:
    """Raise NotationError unless the board has the size of a library."""
    if int(spec.values["size"]) != SIZE:
        raise NotationError(f"record: expected a board of {SIZE} points a side for this format, got {spec}")
