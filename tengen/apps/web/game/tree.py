"""The tree of a game: its turns, and the variations that were tried."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from tengen.engine.play.position import Position
from tengen.engine.sgf import Properties, Record
from tengen.engine.sgf.node import COLOURS, SET_UP
from tengen.engine.spec import GameSpec
from tengen.protocol.errors import CommandError

ROOT = "start"  # the key of the position before the first turn
MAX_NODES = 20_000  # of a tree
KEY_LENGTH = 10
SKIPPED = {*COLOURS, *SET_UP}  # properties that are written anew


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
    properties : dict of str to list of str
        Of the record, but for the turn: the comment and marks.
    children : list of Node
        The main line first.
    """

    key: str
    parent: Node | None
    turn: str = ""
    side: int = 0
    number: int = 0
    properties: Properties = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    @property
    def comment(self) -> str:
        """The comment of the record."""
        return "\n".join(self.properties.get("C", ()))

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
    left_out : int
        Nodes of the record that the tree does not have.
    """

    def __init__(self, spec: GameSpec, start: str | None = None) -> None:
        self.spec = spec
        self.start = start
        self.root = Node(ROOT, None)
        self.nodes = {ROOT: self.root}
        self.version = 0
        self.left_out = 0

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
        position = Position(self.spec, self.start)
        for each in node.path():
            position.push(each.turn, each.side)
        return position

    # --------------------------------------------------------------------------------------------- records

    @classmethod
    def of_record(cls, record: Record) -> GameTree:
        """Return the tree of a record; turns of variations that cannot be played are left out.

        Notes without a turn belong to the turn before. A branch ends where a turn cannot be played, or a
        position is set up.

        Raises
        ------
        TengenError
            If the start position is faulty, or there are too many positions.
        """
        tree = cls(record.spec, record.start)
        places = {record.root: tree.root}
        line = set(record.line)
        begun = False
        for node, position in record.explore():
            before = places.get(node.parent) if node.parent else tree.root
            begun = begun or bool(node.colour)
            if before is None or (node.is_set_up and (begun or node not in line)):
                continue
            if node.colour:
                before = tree.add(before, node.side or 0, position.turns_played[-1])
            places[node] = before
            if node.parent:
                for name, values in node.properties.items():
                    if name not in SKIPPED:
                        before.properties[name] = [*before.properties.get(name, ()), *values]
        tree.left_out = sum(1 for _ in record.root) - len(places)
        return tree

    def record(self, properties: Properties) -> Record:
        """Return the record of the tree, with other `properties` of its root."""
        record = Record(self.spec, self.start, properties=properties)
        twins = {self.root: record.root}
        record.root.properties |= self.root.properties
        pending = [*reversed(self.root.children)]
        while pending:
            node = pending.pop()
            assert node.parent
            twins[node] = twins[node.parent].add(node.side, node.turn, node.properties)
            pending += reversed(node.children)
        return record


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
        self.position = Position(tree.spec, tree.start)

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
            self.position.pop()
        for each in path[shared:]:
            self.position.push(each.turn, each.side)
        self.node = node
