"""Records of games as trees: a main line, variations, comments."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tengen.api.arguments import side_number, spec_of
from tengen.api.errors import argument_error, refusals, require
from tengen.api.position import Position
from tengen.engine.errors import NotationError, located
from tengen.engine.game import Game, GameSpec
from tengen.engine.storage.parsing import require_characters

if TYPE_CHECKING:
    from tengen.engine.sgf.record import Record as GameRecord
    from tengen.engine.sgf.record import Variation

Properties = dict[str, list[str]]  # of SGF: values by name


class Node:
    """A place in a record: what is left after a turn, or the start.

    Attributes
    ----------
    parent : Node or None
        None for the start.
    turn : str or None
        The turn that led here; None for the start.
    side : int or None
        Who played it, 0 or 1.
    children : list of Node
        What may follow: the main line first, then variations.
    comment : str
    properties : dict of str to list of str
        Other properties of SGF, such as BL; of the start PB, PW, RE...
    """

    def __init__(self, parent: Node | None, side: int | None, turn: str | None, comment: str = "") -> None:
        self.parent = parent
        self.side = side
        self.turn = turn
        self.children: list[Node] = []
        self.comment = comment
        self.properties: Properties = {}

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
        """Return the nodes from the first turn to this one."""
        nodes: list[Node] = []
        node: Node | None = self
        while node and node.parent:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def __iter__(self) -> Iterator[Node]:
        """Yield this node and all that follow, variations included, in depth-first order."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def __repr__(self) -> str:
        return f"<Node {' '.join(node.turn or '' for node in self.path()) or 'start'}>"


class Record:
    """The record of a game.

    Parameters
    ----------
    spec : GameSpec, Game or str
    start : str, optional
        The text of the position to begin with; by default the start of the game.

    Attributes
    ----------
    root : Node
        The start.
    """

    def __init__(self, spec: GameSpec | Game | str, start: str | None = None) -> None:
        self._spec = spec_of(spec)
        Position(self._spec, start)  # refuses what is faulty
        self._start = start
        self.root = Node(None, None, None)

    @classmethod
    def read(cls, path: str | os.PathLike[str], game: str | None = None) -> Self:
        """Return the first record in a file, with its variations.

        Parameters
        ----------
        path : path
            The suffix tells the format, as for ``tengen convert``; a file with any other one is SGF.
        game : str, optional
            A game spec: what was played, for formats of five in a row, which do not say it.

        Raises
        ------
        NotationError, OptionError
            If the file cannot be read, is malformed, or the game is unknown.
        """
        from tengen.engine.formats import files

        file = _checked_path(path)
        if game is not None:
            require(game, str, "game", "a game spec")
        with refusals(path):
            return cls.of(files.read_file(file, game))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the first record in an SGF text, with its variations.

        Raises
        ------
        NotationError, OptionError
            If the text is malformed, or the game is unknown.
        """
        from tengen.engine import sgf

        require(text, str, "text", "SGF as text")
        with refusals(text):
            return cls.of(sgf.parse(text, variations=True))

    @classmethod
    def of(cls, record: GameRecord) -> Self:
        """Return the tree of a record of `engine.sgf`."""
        made = cls(record.spec, record.start)
        made.root.properties = {name: list(values) for name, values in record.properties.items()}
        made.root.comment = "\n".join(made.root.properties.pop("C", []))
        _grow(made.root, record)
        return made

    @classmethod
    def of_position(cls, position: Position) -> Self:
        """Return the record of the turns that led to `position`."""
        require(position, Position, "position", "a tengen.Position")
        made = cls(position.spec, position.start_text)
        node = made.root
        for side, turn in zip(position.sides_played, position.turns_played, strict=True):
            node = _child(node, side, turn)
        return made

    @property
    def spec(self) -> GameSpec:
        """The game with its variant and options."""
        return self._spec

    @property
    def start(self) -> str | None:
        """The text of the position to begin with; None for the start of the game."""
        return self._start

    @property
    def result(self) -> str:
        """The result as SGF writes it, such as ``B+5``; empty if the record has none."""
        return "".join(self.root.properties.get("RE", [])[:1])

    @property
    def players(self) -> tuple[str, str]:
        """The names of the first and the second side; empty where the record has none."""
        names = ["".join(self.root.properties.get(f"P{x.upper()}", [])[:1]) for x in self._spec.game.letters]
        return names[0], names[1]

    def main_line(self) -> list[str]:
        """Return the turns of the main line."""
        return [node.turn for node in self.root.main_line() if node.turn is not None]

    def position(self, node: Node | None = None) -> Position:
        """Return the position at `node`, by default at the end of the main line.

        Raises
        ------
        ArgumentError
            If `node` belongs to another record.
        NotationError, IllegalTurnError
            If a turn cannot be played; names its number.
        """
        end = node if node is not None else ([self.root, *self.root.main_line()])[-1]
        path = require(end, Node, "node", "a node of the record").path()
        if (path[0].parent if path else end) is not self.root:
            raise argument_error(end, "node", "a node of this record")
        position = Position(self._spec, self._start)
        for number, played in enumerate(path, 1):
            with located(f"turn {number}"):
                position.push(played.turn or "", played.side if self._spec.game.out_of_turn else None)
        return position

    def positions(self) -> Iterator[tuple[Node, Position]]:
        """Yield every node of the main line, from the start, with its position: always the same, moved on."""
        position = Position(self._spec, self._start)
        yield self.root, position
        for node in self.root.main_line():
            position.push(node.turn or "", node.side if self._spec.game.out_of_turn else None)
            yield node, position

    def add(self, node: Node, turn: str, comment: str = "", side: int | str | None = None) -> Node:
        """Add `turn` after `node` and return its node; the first one added is the main line.

        A turn that is there already is not added again.

        Raises
        ------
        NotationError, IllegalTurnError
            If the turn cannot be played there, or the comment has lone surrogates.
        """
        require_characters(require(comment, str, "comment", "a text"), "comment")
        position = self.position(require(node, Node, "node", "a node of the record"))
        mover = position.side_to_move if side is None else side_number(position.game, side)
        canonical = position.push(turn, side)
        for child in node.children:
            if (child.side, child.turn) == (mover, canonical):
                return child
        return _child(node, mover, canonical, comment)

    def to_sgf(self) -> str:
        """Return the record in SGF, with its variations; `parse` reads it back.

        Comments and all other properties are kept, also in variations. What follows from the rest is written
        anew: the size of the board, stones of the start, rules.

        Raises
        ------
        NotationError
            If it cannot be written: a property that follows from the rest, lone surrogates in a text, or
            variations of the first turn without a main line.
        """
        from tengen.engine import sgf

        return sgf.write(self._game_record())

    def _game_record(self) -> GameRecord:
        """Return the record as those of `engine.sgf`."""
        from tengen.engine.sgf.record import Record as GameRecord

        line = list(self.root.main_line())
        comment: Properties = {"C": [self.root.comment]} if self.root.comment else {}
        return GameRecord(
            self._spec,
            self._start,
            [_played(node) for node in line],
            {**self.root.properties, **comment},
            *_notes(line),
            _variations([self.root, *line]),
        )

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file; an older file is replaced at once, or stays as it is.

        Parameters
        ----------
        path : path
            The suffix tells the format, as for `read`.

        Raises
        ------
        NotationError, OptionError
            If the file cannot be written, or the format cannot hold the record.
        """
        from tengen.engine.formats import files
        from tengen.engine.storage.files import replace_file

        file = _checked_path(path)
        foreign = file.suffix.lower() in files.FOREIGN
        with refusals(path):
            data = files.write(self._game_record(), file) if foreign else self.to_sgf().encode()
        try:
            replace_file(file, data)
        except OSError as error:
            raise NotationError(f"record: {os.fspath(path)!r}: {error.strerror or error}") from None

    def __repr__(self) -> str:
        return f"<Record of {self._spec}, {len(self.main_line())} turns>"


def _checked_path(path: object) -> Path:
    """Return `path` as a Path.

    Raises
    ------
    ArgumentError
        If it is none.
    """
    if not isinstance(path, str | os.PathLike):
        raise argument_error(path, "path", "a path")
    return Path(path)


def _child(parent: Node, side: int, turn: str, comment: str = "") -> Node:
    """Return a new child of `parent`, the last one."""
    node = Node(parent, side, turn, comment)
    parent.children.append(node)
    return node


def _grow(root: Node, record: GameRecord) -> None:
    """Add the turns of a record below `root`, with notes and variations."""
    pending: list[tuple[Node, GameRecord | Variation]] = [(root, record)]
    while pending:
        node, line = pending.pop()
        nodes = [node]
        for side, turn in line.turns:
            nodes.append(_child(nodes[-1], side, turn))
        for index, comment in line.comments.items():
            nodes[index + 1].comment = comment
        for index, properties in line.details.items():
            nodes[index + 1].properties = {name: list(values) for name, values in properties.items()}
        for index, listed in line.variations.items():
            pending += [(nodes[index], variation) for variation in reversed(listed)]


def _notes(line: Sequence[Node]) -> tuple[dict[int, str], dict[int, Properties]]:
    """Return the comments and the other properties of a line of nodes, by index."""
    comments = {index: node.comment for index, node in enumerate(line) if node.comment}
    return comments, {index: node.properties for index, node in enumerate(line) if node.properties}


def _played(node: Node) -> tuple[int, str]:
    """Return side and turn of a node that is not the start."""
    assert node.side is not None
    assert node.turn is not None
    return node.side, node.turn


def _variations(line: Sequence[Node]) -> dict[int, list[Variation]]:
    """Return the variations of a line of nodes, by index of the turn that they replace."""
    from tengen.engine.sgf.record import Variation

    found: dict[int, list[Variation]] = {}
    pending = [(line, 0, found)]  # a line, the index of the turn after its first node, where variations go
    while pending:
        nodes, offset, variations = pending.pop()
        for index, node in enumerate(nodes, offset):
            for first in node.variations:
                rest = [first, *first.main_line()]
                variation = Variation([_played(each) for each in rest], *_notes(rest))
                variations.setdefault(index, []).append(variation)
                pending.append((rest, 1, variation.variations))
    return found
