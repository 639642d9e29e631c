"""Records of games as trees: a main line, variations, comments."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tengen.engine import sgf
from tengen.engine.errors import (
    NotationError,
    OptionError,
    argument_error,
    file_errors,
    refusals,
    require,
    require_path,
)
from tengen.engine.formats import files
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.sgf.node import Node as Node
from tengen.engine.sgf.record import winning_side
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import replace_file
from tengen.engine.storage.parsing import require_characters

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Record(sgf.Record):
    """The record of a game: a tree of `Node`, of which the main line is the game.

    Parameters
    ----------
    spec : GameSpec, Game or str
        The game.
    start : str, optional
        The text of the position to begin with; by default the start of the game.

    Attributes
    ----------
    root : Node
        The start.
    spec : GameSpec
    start : str or None
        The text of the position in which the first turn is played; None for the start of the game.
    notes : list of str
        What was guessed or left out when the record was read, in words.
    assumption : str
        Which rules the record does not say, and what is assumed; empty if it says all.
    """

    def __init__(self, spec: GameSpec | Game | str, start: str | None = None) -> None:
        game = GameSpec.of(spec)
        Position(game, start)  # refuses what is faulty
        super().__init__(game, start)

    @classmethod
    def read(cls, path: str | os.PathLike[str], game: str | None = None, number: int = 1) -> Self:
        """Return a game of a file, with its variations.

        Parameters
        ----------
        path : path
            The suffix tells the format, as for ``tengen convert``; a file with any other one is SGF.
        game : str, optional
            A game spec: what was played, as far as the record does not say it.
        number : int
            Of the game in the file, from 1.

        Raises
        ------
        NotationError, OptionError
            If the file cannot be read, is malformed, has no such game, or the game is unknown.
        """
        require(number, int, "number", "the number of a game, from 1")
        with refusals(path):
            return cls.of(cls._listed(path, game).number(number))

    @classmethod
    def read_all(cls, path: str | os.PathLike[str], game: str | None = None) -> list[Self]:
        """Return all games of a file.

        Parameters
        ----------
        path, game
            As for `read`.

        Raises
        ------
        NotationError, OptionError
            If the file, or one of the games, cannot be read.
        """
        with refusals(path):
            return [cls.of(each) for each in cls._listed(path, game)]

    @staticmethod
    def _listed(path: object, game: object) -> sgf.Collection:
        file = Path(require_path(path, "path"))
        text = None if game is None else require(game, str, "game", "a game spec")
        with file_errors(f"record: {str(file)!r}"):
            return files.read_all(file, text)

    @classmethod
    def parse(cls, text: str, game: str | None = None) -> Self:
        """Return the first game in a text, with its variations.

        Parameters
        ----------
        text : str
            In SGF.
        game
            As for `read`.

        Raises
        ------
        NotationError, OptionError
            If the text is malformed, or the game is unknown.
        """
        require(text, str, "text", "SGF as text")
        with refusals(text):
            return cls.of(sgf.parse(text, game))

    @classmethod
    def of(cls, record: sgf.Record) -> Self:
        """Return a record as one of the library, with the same nodes.

        Parameters
        ----------
        record : engine.sgf.Record
            Such as `engine.sgf.parse` returns.
        """
        made = cls.of_tree(record.spec, record.root, record.notes)
        made.assumption = record.assumption
        return made

    @classmethod
    def of_position(cls, position: Position) -> Self:
        """Return the record of the turns that led to a position.

        Parameters
        ----------
        position : Position
            It stays as it is.
        """
        require(position, Position, "position", "a tengen.Position")
        made = cls(position.spec, position.start_text)
        node = made.root
        for side, turn in zip(position.sides_played, position.turns_played, strict=True):
            node = node.add(side, turn)
        return made

    @property
    def result(self) -> str:
        """The result as SGF writes it, such as ``B+5``; empty if the record has none."""
        return self.value("RE")

    @property
    def players(self) -> tuple[str, str]:
        """The names of the first and the second side; empty where the record has none."""
        first, second = (self.value(f"P{letter.upper()}") for letter in self.spec.game.letters)
        return first, second

    def main_line(self) -> list[str]:
        """Return the turns of the main line."""
        return [turn for _, turn in self.turns]

    def position(self, node: Node | None = None) -> Position:
        """Return the position at a node.

        Parameters
        ----------
        node : Node, optional
            Of this record; by default the end of the main line.

        Raises
        ------
        ArgumentError
            If `node` belongs to another record.
        NotationError, PositionError, IllegalTurnError
            If a turn cannot be played, or a position not be set up; names the number of the turn.
        """
        end = node if node is not None else self.line[-1]
        path = require(end, Node, "node", "a node of the record").path()
        if (path[0].parent if path else end) is not self.root:
            raise argument_error(end, "node", "a node of this record")
        *_, (_, last) = self.walk([self.root, *path])
        return last

    def positions(self) -> Iterator[tuple[Node, Position]]:
        """Yield every node of the main line, from the start, with its position: always the same, moved on.

        A position that is set up during the game is another one.
        """
        return self.walk()

    def add(self, node: Node, turn: str, comment: str = "", side: int | str | None = None) -> Node:
        """Add a turn and return its node; the first one added is the main line.

        A turn that is there already is not added again.

        Parameters
        ----------
        node : Node
            Of this record; what the turn follows.
        turn, side
            As for `Position.push`.
        comment : str
            Of a new node; where the turn is there already, it is ignored.

        Raises
        ------
        NotationError, IllegalTurnError
            If the turn cannot be played there, or the comment has lone surrogates.
        """
        require_characters(require(comment, str, "comment", "a text"), "comment")
        position = self.position(require(node, Node, "node", "a node of the record"))
        mover = position.side if side is None else self.spec.game.side(side)
        canonical = position.push(turn, side)
        found = node.child(mover, canonical)
        return found or node.add(mover, canonical, {"C": [comment]} if comment else None)

    def write(self, path: str | os.PathLike[str], strict: bool = False) -> list[str]:
        """Write the record to a file; an older file is replaced at once, or stays as it is.

        Parameters
        ----------
        path : path
            The suffix tells the format, as for ``tengen convert``.
        strict : bool
            Whether it is refused if the format cannot hold all of the record.

        Returns
        -------
        list of str
            What the format cannot hold, in words.

        Raises
        ------
        NotationError, OptionError
            If the file cannot be written, or the format is unknown or cannot hold the record.
        """
        file = Path(require_path(path, "path"))
        with refusals(path):
            data, lost = files.write([self], file)
            if lost and strict:
                raise NotationError(f"record: {file.suffix} cannot hold {lost}")
        with file_errors(f"record: {str(file)!r}"):
            replace_file(file, data)
        return [lost] if lost else []


def to_numpy(record: Record) -> dict[str, NDArray[Any]]:
    """Return the main line of a record as arrays to learn from, with a row for each action (`Position.step`).

    Parameters
    ----------
    record : Record
        Without challenges; the game must offer observations, and its sides must take turns.

    Returns
    -------
    dict of ndarray
        ``observations`` (float32, shape (actions, planes, rows, columns)) and ``masks`` (bool, shape
        (actions, num_actions)) before each action, for the ``sides`` (int8) to move; ``actions`` (int32);
        ``values`` (float32): 1 where the side to move wins in the end, -1 where it loses, 0 for a draw, nan
        where the record does not tell.

    Raises
    ------
    NotationError, PositionError, IllegalTurnError
        If a turn cannot be played, or is that of a side that is not to move.
    OptionError
        If the game offers no observations.
    """
    import numpy as np

    spec = require(record, Record, "record", "a tengen.Record").spec
    if spec.challenge:
        raise OptionError(f"record: expected a game without challenges, got {spec}")
    before = Position(spec)
    rows: list[tuple[Any, ...]] = [(before.observation(), before.legal_mask(), 0, 0)]  # for the shapes
    for node, after in record.positions():
        before = before.resumed() if node.turn else before
        if node.turn and node.side != before.side_to_move:
            raise NotationError(
                f"record: expected a turn of {before.side}, got {node.turn} of the other side"
            )
        for action in before.parse_turn(node.turn) if node.turn else ():
            dense = int(before.action_space.dense[action])
            rows.append((before.observation(), before.legal_mask(), dense, before.side_to_move))
            before.step(dense)
        before = after.copy()
    observations, masks, actions, sides = (np.array(column) for column in zip(*rows, strict=True))
    result = before.result() if before.is_over() else record.result
    winner = winning_side(spec.game, result)
    known = winner is not None or result in ("0", "Draw")
    won = 0 if winner is None else np.where(sides[1:] == winner, 1, -1)
    return {
        "observations": observations[1:],
        "masks": masks[1:],
        "sides": sides[1:].astype(np.int8),
        "actions": actions[1:].astype(np.int32),
        "values": np.full(len(rows) - 1, won if known else math.nan, np.float32),
    }


def from_numpy(spec: GameSpec | Game | str, actions: Iterable[int], start: str | None = None) -> Record:
    """Return the record of a game that is given by its actions.

    Parameters
    ----------
    spec : GameSpec, Game or str
        The game.
    actions : iterable of int
        As `to_numpy` returns them, and `Position.step` plays them; they end with a turn.
    start : str, optional
        The text of the position to begin with.

    Raises
    ------
    ArgumentError, IllegalTurnError, PositionError, OptionError
        If an action cannot be played, the last turn is not complete, or the game is unknown.
    """
    position = Position(GameSpec.of(spec), start)
    for action in actions:
        position.step(action)
    if position.steps:
        raise OptionError("actions: expected whole turns, got one that is not complete")
    return Record.of_position(position)
