"""The tree of a game: its turns, and the variations that were tried."""

from __future__ import annotations

import hashlib

from tengen.engine.play.position import Position
from tengen.engine.sgf import Node, Properties, Record
from tengen.engine.sgf.node import COLOURS, SET_UP
from tengen.engine.spec import GameSpec
from tengen.protocol.errors import CommandError

ROOT = "start"  # the key of the position before the first turn
MAX_NODES = 20_000  # of a tree
KEY_LENGTH = 10
SKIPPED = {*COLOURS, *SET_UP}  # properties that are written anew


class GameTree:
    """All positions of a game: nodes of a record, each but the root with a turn in canonical text."""

    def __init__(self, spec: GameSpec, start: str | None = None) -> None:
        self.spec = spec
        self.start = start
        self.root = Node()  # its properties are those that the record of the tree has besides others
        self.root.spec = spec
        # By key: it depends on the turns since the start alone, and is the same in every run of the server
        self.nodes = {ROOT: self.root}
        self.keys = {self.root: ROOT}
        self.version = 0  # grows with every change
        self.left_out = 0  # nodes of the record that the tree does not have

    def add(self, parent: Node, side: int, turn: str) -> Node:
        """Return the position after a legal turn in canonical text, which is new or in the tree already."""
        for child in parent.children:
            if child.turn == turn:
                return child
        if len(self.nodes) >= MAX_NODES:
            raise CommandError(f"game: expected at most {MAX_NODES:,} positions, got one more")
        key = hashlib.sha256(f"{self.keys[parent]} {side} {turn}".encode()).hexdigest()[:KEY_LENGTH]
        node = self.nodes[key] = parent.add(side, turn)
        self.keys[node] = key
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
        for each in node:
            del self.nodes[self.keys.pop(each)]
        self.version += 1

    # --------------------------------------------------------------------------------------------- records

    @classmethod
    def of_record(cls, record: Record) -> GameTree:
        """Return the tree of a record; turns of variations that cannot be played are left out.

        Notes without a turn belong to the turn before. A branch ends where a turn cannot be played, or a
        position is set up.
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
                before = tree.add(before, int(node.side or 0), position.turns_played[-1])
            places[node] = before
            if node.parent:
                for name, values in node.properties.items():
                    if name not in SKIPPED:
                        before.properties[name] = [*before.properties.get(name, ()), *values]
        tree.left_out = sum(1 for _ in record.root) - len(places)
        return tree

    def record(self, properties: Properties) -> Record:
        """Return the record of the tree, with other `properties` of its root."""
        root = self.root.copy()
        head = Record(self.spec, self.start, properties=properties).properties
        root.properties = {**head, **root.properties}
        return Record.of_tree(self.spec, root)


class Cursor:
    """A position of a tree that someone looks at, moved from node to node."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.node = tree.root
        self.position = Position(tree.spec, tree.start)  # with its history; read-only

    @property
    def key(self) -> str:
        """The key of the node."""
        return self.tree.keys[self.node]

    def go(self, node: Node) -> None:
        """Move to `node`."""
        path = node.path()
        shared = sum(own is other for own, other in zip(self.node.path(), path, strict=False))
        while self.position.ply > shared:
            self.position.pop()
        for each in path[shared:]:
            self.position.push(each.turn or "", each.side)
        self.node = node
