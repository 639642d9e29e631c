"""The tree of a game: its turns, and the variations that were tried."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from tengen.engine.errors import TengenError
from tengen.engine.game import GameSpec
from tengen.engine.play.challenge import begin
from tengen.engine.play.position import Position
from tengen.engine.sgf import Properties, Record, Variation
from tengen.protocol.common.errors import CommandError

ROOT = "start"  # the key of the position before the first turn
MAX_NODES = 20_000  # of a tree
KEY_LENGTH = 10


@dataclass(eq=False)
class Node:
    """A position of a tree, and the turn that led to it.

    Attributes
    ----------
    key : str
        Depends on the turns since the start alone, so that it is the same in every run of the server.
    parent : Node or None
        None at the start.
    turn : str
        Canonical; empty at the start.
    side : int
        The side that played it, 0 or 1.
    number : int
        Turns since the start.
    comment : str
    details : dict of str to list of str
        Both of the record: other properties such as LB.
    children : list of Node
        The main line first.
    """

    key: str
    parent: Node | None
    turn: str = ""
    side: int = 0
    number: int = 0
    comment: str = ""
    details: Properties = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def note(self, line: Record | Variation, index: int) -> None:
        """Take over the notes on a turn of a line of the record, if it has any."""
        self.comment = line.comments.get(index, self.comment)
        self.details = line.details.get(index, self.details)

    def child(self, turn: str) -> Node | None:
        """Return the position after `turn`, if it is in the tree."""
        return next((child for child in self.children if child.turn == turn), None)

    def path(self) -> list[Node]:
        """Return the positions from the one after the first turn to this one."""
        found: list[Node] = []
        node = self
        while node.parent:
            found.append(node)
            node = node.parent
        return found[::-1]

    def line(self) -> Iterator[Node]:
        """Yield the positions of the main line after this one."""
        node = self
        while node.children:
            node = node.children[0]
            yield node


class GameTree:
    """All positions of a game.

    Parameters
    ----------
    spec : GameSpec
    start : str, optional
        Text of the start position; None for that of the game.

    Attributes
    ----------
    nodes : dict of str to Node
        By key.
    version : int
        Grows with every change.
    """

    def __init__(self, spec: GameSpec, start: str | None = None) -> None:
        self.spec = spec
        self.start = start
        self.root = Node(ROOT, None)
        self.nodes = {ROOT: self.root}
        self.version = 0

    def add(self, parent: Node, side: int, turn: str) -> Node:
        """Return the position after a legal turn in canonical text, which is new or in the tree already.

        Raises
        ------
        CommandError
            If the tree is full.
        """
        if known := parent.child(turn):
            return known
        if len(self.nodes) >= MAX_NODES:
            raise CommandError(f"game: expected at most {MAX_NODES:,} positions, got one more")
        key = hashlib.sha256(f"{parent.key} {side} {turn}".encode()).hexdigest()[:KEY_LENGTH]
        node = Node(key, parent, turn, side, parent.number + 1)
        parent.children.append(node)
        self.nodes[key] = node
        self.version += 1
        return node

    def promote(self, node: Node) -> None:
        """Make the line to `node` the main line."""
        for each in node.path():
            assert each.parent
            siblings = each.parent.children
            if siblings[0] is not each:
                siblings.remove(each)
                siblings.insert(0, each)
                self.version += 1

    def remove(self, node: Node) -> None:
        """Remove a position and all after it."""
        assert node.parent
        node.parent.children.remove(node)
        pending = [node]
        while pending:
            each = pending.pop()
            del self.nodes[each.key]
            pending += each.children
        self.version += 1

    def position(self, node: Node) -> Position:
        """Return the position of a node, with its history."""
        position = begin(self.spec, self.start)
        for each in node.path():
            position.play(each.turn, each.side)
        return position

    # --------------------------------------------------------------------------------------------- records

    @classmethod
    def of_record(cls, record: Record) -> GameTree:
        """Return the tree of a record; turns of variations that cannot be played are left out.

        Raises
        ------
        TengenError
            If a turn of the main line cannot be played; names its number. If there are too many positions.
        """
        tree = cls(record.spec, record.start)
        position = begin(record.spec, record.start)
        main = [tree.root]
        for number, (side, turn) in enumerate(record.turns, 1):
            try:
                position.play(turn, side)
            except TengenError as error:
                raise CommandError(f"turn {number}: {error}") from error
            main.append(tree.add(main[-1], side, position.turns_played[-1]))
        for index, node in enumerate(main[1:]):
            node.note(record, index)
        tree._add_variations(position, main, record.variations)
        return tree

    def _add_variations(
        self, position: Position, main: list[Node], variations: dict[int, list[Variation]]
    ) -> None:
        """Add the variations of the main line, as far as they can be played, and those within them.

        Every turn is played once: `position`, at first that at the end of the main line, goes back along the
        line before it leaves it for a variation.
        """
        pending = _leaving(main, variations)
        while pending:
            start, variation = pending.pop()
            while len(position.turns_played) > start.number:
                position.undo()
            line = [start]
            for index, (side, turn) in enumerate(variation.turns):
                try:
                    played = position.play(turn, side)
                except TengenError:
                    break
                line.append(self.add(line[-1], side, played))
                line[-1].note(variation, index)
            pending += _leaving(line, variation.variations)

    def record(self, properties: Properties) -> Record:
        """Return the record of the tree, with other `properties` of its root."""
        line = list(self.root.line())
        return Record(
            self.spec,
            self.start,
            [(node.side, node.turn) for node in line],
            properties,
            *_notes(line),
            variations=_variations(self.root),
        )


def _leaving(line: list[Node], variations: dict[int, list[Variation]]) -> list[tuple[Node, Variation]]:
    """Return variations with the nodes of a line that they follow; the last one is to be added first."""
    return [
        (line[index], variation)
        for index in sorted(variations)
        if index < len(line)
        for variation in reversed(variations[index])
    ]


def _variations(root: Node) -> dict[int, list[Variation]]:
    """Return the variations of the main line, by index of the turn that they replace."""
    found: dict[int, list[Variation]] = {}
    pending = [(root, 0, found)]  # a node, the index of the turn after it, where the variations go
    while pending:
        first, offset, variations = pending.pop()
        for index, node in enumerate((first, *first.line()), offset):
            for child in node.children[1:]:
                line = [child, *child.line()]
                variation = Variation([(each.side, each.turn) for each in line], *_notes(line))
                variations.setdefault(index, []).append(variation)
                pending.append((child, 1, variation.variations))
    return found


def _notes(line: list[Node]) -> tuple[dict[int, str], dict[int, Properties]]:
    """Return the comments and the other properties of a line, by index."""
    comments = {index: each.comment for index, each in enumerate(line) if each.comment}
    return comments, {index: each.details for index, each in enumerate(line) if each.details}


class Cursor:
    """A position of a tree that someone looks at, moved from node to node.

    Parameters
    ----------
    tree : GameTree

    Attributes
    ----------
    node : Node
    position : Position
        With its history; read-only.
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.node = tree.root
        self.position = begin(tree.spec, tree.start)

    def go(self, node: Node) -> None:
        """Move to `node`."""
        path = node.path()
        shared = len(path)
        while shared and path[shared - 1].number > self.node.number:
            shared -= 1
        own = self.node.path()
        while shared and own[shared - 1] is not path[shared - 1]:
            shared -= 1
        while len(self.position.turns_played) > shared:
            self.position.undo()
        for each in path[shared:]:
            self.position.play(each.turn, each.side)
        self.node = node
