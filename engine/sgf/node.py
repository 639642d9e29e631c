"""Nodes of a record: each has all its properties, and at most one turn or one set-up; turns as values."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping

from tengen.engine.board.goban import BLACK, EMPTY, PASS, WHITE, find_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError, quoted
from tengen.engine.game import Side
from tengen.engine.spec import GameSpec

STONES = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}  # properties that set up stones
SET_UP = frozenset({*STONES, "PL", "TP"})
COLOURS = ("B", "W")  # properties of turns
POINT_LETTERS = string.ascii_lowercase + string.ascii_uppercase
PASS_BOARD = 19  # up to this size, older formats pass with the point tt

Properties = dict[str, list[str]]  # values by name


class Node:
    """A place in a record: what is left after a turn or a set-up, or the start.

    Parameters
    ----------
    parent : Node or None
        None for the start. The node becomes the last of its children.
    properties : mapping of str to list of str, optional
        Those that it has at first.

    Attributes
    ----------
    parent : Node or None
    children : list of Node
        What may follow: the main line first, then variations.
    properties : dict of str to list of str
        All of SGF, in order: ``B`` or ``W`` is the turn, ``C`` the comment; of the start PB, PW, RE...
    spec : GameSpec or None
        The game; None until it is known.
    """

    __slots__ = ("children", "parent", "properties", "spec")

    def __init__(self, parent: Node | None = None, properties: Mapping[str, list[str]] | None = None) -> None:
        self.parent = parent
        self.children: list[Node] = []
        self.properties: Properties = dict(properties) if properties else {}
        self.spec: GameSpec | None = None
        if parent is not None:
            self.spec = parent.spec
            if parent.children:
                parent.children.append(self)
            else:
                parent.children = [self]  # smaller than a list that has grown

    def add(self, side: int | str, turn: str, properties: Mapping[str, list[str]] | None = None) -> Node:
        """Return a new child with a turn, the last one; whether the turn is legal is not checked.

        Parameters
        ----------
        side : int or str
            Who plays it, by number or name.
        turn : str
            In the notation of the game; on square boards a vertex, or ``pass``.
        properties : mapping of str to list of str, optional
            Others of the child.

        Raises
        ------
        NotationError
            If the turn is no point of the square board.
        """
        assert self.spec
        letter = self.spec.game.letters[self.spec.game.side(side)]
        return Node(self, {letter.upper(): [format_turn(self.spec, turn)], **(properties or {})})

    def child(self, side: int | str, turn: str) -> Node | None:
        """Return the child of a turn; None if there is none.

        Parameters
        ----------
        side : int or str
            Who plays it, by number or name.
        turn : str
            In canonical text.
        """
        return next((each for each in self.children if (each.side, each.turn) == (side, turn)), None)

    @property
    def colour(self) -> str:
        """The property of the turn, B or W; empty without a turn."""
        return "B" if "B" in self.properties else "W" if "W" in self.properties else ""

    @property
    def side(self) -> Side | None:
        """Who played the turn that led here; None without one."""
        return self.spec.game.side(self.colour.lower()) if self.spec and self.colour else None

    @property
    def turn(self) -> str | None:
        """The turn that led here; None without one. What is no point of the board stands in brackets."""
        if not (self.spec and self.colour):
            return None
        value = self.properties[self.colour][0]
        try:
            return parse_turn(self.spec, value)
        except NotationError:
            return f"[{value}]"

    @property
    def is_set_up(self) -> bool:
        """Whether the position is set up here; PL beside a turn says nothing new."""
        return not SET_UP.isdisjoint(self.properties.keys() - ({"PL"} if self.colour else set()))

    @property
    def comment(self) -> str:
        """The comment; may be set."""
        return "\n".join(self.properties.get("C", ()))

    @comment.setter
    def comment(self, text: str) -> None:
        if text:
            self.properties["C"] = [text]
        else:
            self.properties.pop("C", None)

    @property
    def next(self) -> Node | None:
        """The node that follows in the main line; None at its end."""
        return self.children[0] if self.children else None

    @property
    def variations(self) -> list[Node]:
        """What might have followed instead."""
        return self.children[1:]

    def main_line(self) -> Iterator[Node]:
        """Yield the nodes that follow, each by the first of its children."""
        node = self.next
        while node:
            yield node
            node = node.next

    def path(self) -> list[Node]:
        """Return the nodes from the first one after the start to this one."""
        nodes: list[Node] = []
        node: Node | None = self
        while node and node.parent:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def copy(self) -> Node:
        """Return a copy of this node and all that follow."""
        twins: dict[Node, Node] = {}
        for node in self:
            twin = Node(twins[node.parent] if node.parent and node is not self else None)
            twin.properties = {name: list(values) for name, values in node.properties.items()}
            twin.spec = node.spec
            twins[node] = twin
        return twins[self]

    def __iter__(self) -> Iterator[Node]:
        """Yield this node and all that follow, variations included, in depth-first order."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def __repr__(self) -> str:
        return f"<Node {' '.join(node.turn or '-' for node in self.path()) or 'start'}>"


# -------------------------------------------------------------------------------------------- values of turns


def parse_turn(spec: GameSpec, value: str) -> str:
    """Return the text of a turn from the value of its property.

    Raises NotationError if it is no point of the square board.
    """
    text = value.strip()
    if not spec.game.square:
        return text
    size = int(spec.values["size"])
    if not text or (text == "tt" and size <= PASS_BOARD):
        return PASS
    return vertex(*parse_point(text, size))


def format_turn(spec: GameSpec, turn: str) -> str:
    """Return the property value of a turn: a point on square boards, else its text.

    Raises NotationError if it is no point of the square board.
    """
    if not spec.game.square:
        return turn
    if turn.lower() == PASS:
        return ""
    size = int(spec.values["size"])
    place = find_vertex(turn, size)
    if place is None:
        last = vertex(size - 1, size - 1)
        raise NotationError(f"expected a vertex from A1 to {last}, got {quoted(turn)}")
    return format_point(*place, size)


def parse_point(text: str, size: int) -> tuple[int, int]:
    """Return the column and row of the SGF point `text`, both from 0, rows from the bottom.

    Raises NotationError if it is no point of the board.
    """
    x, y = (POINT_LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
    if not (0 <= x < size and 0 <= y < size):
        last = POINT_LETTERS[size - 1] * 2
        raise NotationError(f"expected a point from aa to {last}, got {quoted(text)}")
    return x, size - 1 - y


def parse_area(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield the points of ``dd``, or of the rectangle ``aa:cc``."""
    corner, _, opposite = text.strip().partition(":")
    (x, y), (u, v) = (parse_point(point, size) for point in (corner, opposite or corner))
    for column in range(min(x, u), max(x, u) + 1):
        for row in range(min(y, v), max(y, v) + 1):
            yield column, row


def format_point(x: int, y: int, size: int) -> str:
    """Return the SGF point of column `x` and row `y`, both from 0, rows from the bottom."""
    return POINT_LETTERS[x] + POINT_LETTERS[size - 1 - y]
