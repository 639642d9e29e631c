"""Positions set up piece by piece: edits of their texts.

The text of a position is a board, row by row, and further words. The module ``editor`` of a game describes
both by a `Layout` (see `engine.contract`). What is set up need not be legal before it is complete.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tengen.engine.errors import NotationError, PositionError, quoted
from tengen.engine.spec import GameSpec

MAX_DIGITS = 3  # of a number that is set


@dataclass(frozen=True)
class Field:
    """Something that is chosen: of the position, such as the side to move, or of a piece, such as height."""

    name: str  # of its own in a layout
    label: str  # what it is, in words
    # what the text may have, and that in words; empty for a number or a word
    choices: Mapping[str, str] = field(default_factory=dict)
    low: int = 0  # the range of a number; a `high` of 0 for a word without blanks
    high: int = 0
    before: str = " "  # what stands before it in the text of a position
    stock: str = ""  # the field that becomes less by as much as this one becomes more; empty for none

    @property
    def pattern(self) -> str:
        """A regular expression of what the text may have."""
        if self.choices:
            return "|".join(re.escape(choice) for choice in sorted(self.choices, key=len, reverse=True))
        return rf"[0-9]{{1,{MAX_DIGITS}}}" if self.high else r"\S+"

    def require(self, value: str) -> None:
        """Raise NotationError unless the field may have this value."""
        if self.choices:
            expected, fits = " or ".join(self.choices.values()), value in self.choices
        elif self.high:
            expected = f"{self.low} to {self.high}"
            fits = bool(re.fullmatch(self.pattern, value)) and self.low <= int(value) <= self.high
        else:
            expected, fits = "a word", bool(re.fullmatch(self.pattern, value))
        if not fits:
            raise NotationError(f"{self.label}: expected {expected}, got {quoted(value)}")


@dataclass(frozen=True)
class Piece:
    """Something that can be put on a place."""

    symbol: str  # as position texts have it; with the names of features in braces, as in ``W{height}{red}``
    words: str  # what it is
    # the numbers of the position that become less when it is put down, and by how much
    stock: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Layout:
    """How the position texts of a game are built."""

    rows: tuple[tuple[str, ...], ...]  # the names of the places, in the order of the text
    pieces: tuple[Piece, ...]  # the first one is an empty place
    fields: tuple[Field, ...]  # what follows the board, in order
    features: tuple[Field, ...] = ()  # what pieces differ in besides
    cell: str = "."  # a regular expression of what stands for one place
    between: str = ""  # what stands between two places of a row
    note: Callable[[Any], str] = lambda _: ""  # what people want to know about a state besides, in words

    def piece_of(self, text: str) -> Piece:
        """Return the piece that stands for `text` in positions; an empty place if none does."""
        patterns = {feature.name: f"(?:{feature.pattern})" for feature in self.features}
        for piece in self.pieces:
            parts = re.split(r"\{(\w+)\}", piece.symbol)  # texts and names of features in turn
            named = [patterns[part] if number % 2 else re.escape(part) for number, part in enumerate(parts)]
            if re.fullmatch("".join(named), text):
                return piece
        return self.pieces[0]


class Setup:
    """A position that is being set up, as the parts of its text, which must be well-formed at first.

    A method that raises leaves it unchanged.
    """

    def __init__(self, layout: Layout, text: str) -> None:
        self.layout = layout
        board, blank, rest = text.partition(" ")
        cells = [cell for row in board.split("/") for cell in re.findall(layout.cell, row)]
        self.cells = dict(zip([name for row in layout.rows for name in row], cells, strict=True))
        pattern = "".join(f"{re.escape(each.before)}({each.pattern})" for each in layout.fields)
        found = re.fullmatch(pattern, blank + rest)
        if not found:
            raise NotationError(f"position: expected the fields of this game, got {quoted(rest)}")
        self.values = dict(zip([each.name for each in layout.fields], found.groups(), strict=True))

    def text(self) -> str:
        """Return the text of the position."""
        rows = "/".join(self.layout.between.join(self.cells[n] for n in row) for row in self.layout.rows)
        return rows + "".join(each.before + self.values[each.name] for each in self.layout.fields)

    def put(self, place: str, symbol: str, features: Mapping[str, str]) -> None:
        """Put a piece on a place; remove it if it stands there already.

        Raises NotationError if the game has no such place, piece or feature.
        """
        self._require_place(place)
        piece = next((each for each in self.layout.pieces if each.symbol == symbol), None)
        if piece is None:
            words = ", ".join(each.words for each in self.layout.pieces)
            raise NotationError(f"piece: expected {words}, got {quoted(symbol)}")
        chosen = {}
        for feature in self.layout.features:
            chosen[feature.name] = features.get(feature.name, "")
            if f"{{{feature.name}}}" in symbol:
                feature.require(chosen[feature.name])
        wanted = symbol.format(**chosen)
        self._replace(place, self.layout.pieces[0].symbol if wanted == self.cells[place] else wanted)

    def move(self, source: str, target: str) -> None:
        """Move what stands on a place to another one; raise NotationError if the game has no such place."""
        self._require_place(source)
        self._require_place(target)
        moved = self.cells[source]
        self._replace(source, self.layout.pieces[0].symbol)
        self._replace(target, moved)

    def clear(self) -> None:
        """Remove all pieces."""
        for place in self.cells:
            self._replace(place, self.layout.pieces[0].symbol)

    def set(self, name: str, value: str) -> None:
        """Set a field; raise NotationError if the game has no such field, or it cannot have this value."""
        found = next((each for each in self.layout.fields if each.name == name), None)
        if found is None:
            raise NotationError(f"field: expected one of {', '.join(self.values)}, got {quoted(name)}")
        found.require(value)
        if found.stock:
            self._add(found.stock, int(self.values[name]) - int(value))
        self.values[name] = value

    def _require_place(self, place: str) -> None:
        if place not in self.cells:
            first, last = self.layout.rows[0][0], self.layout.rows[-1][-1]
            raise NotationError(f"place: expected one from {first} to {last}, got {quoted(place)}")

    def _replace(self, place: str, text: str) -> None:
        """Put other text on a place, and what stood there back into its stocks."""
        for sign, cell in ((1, self.cells[place]), (-1, text)):
            for name, amount in self.layout.piece_of(cell).stock.items():
                self._add(name, sign * amount)
        self.cells[place] = text

    def _add(self, name: str, amount: int) -> None:
        """Add to a number, which stays within its range."""
        bounds = next(each for each in self.layout.fields if each.name == name)
        self.values[name] = str(min(max(int(self.values[name]) + amount, bounds.low), bounds.high))


def layout_of(spec: GameSpec) -> Layout:
    """Return how the positions of `spec` are set up; raise NotationError if its game does not say so."""
    if not spec.game.offers("editor"):
        raise NotationError(f"set-up: expected a game whose positions can be set up, got {spec.game.name}")
    layout: Layout = spec.game.module("editor").layout(spec.values)
    return layout


@dataclass(frozen=True)
class Inspected:
    """A position as far as it has been set up."""

    text: str  # canonical if it is legal
    state: Any  # good for drawing only if it is not legal
    faults: tuple[str, ...] = ()  # why no game can reach it; empty if it is legal


def inspect(spec: GameSpec, text: str) -> Inspected:
    """Return the position that `text` describes, legal or not.

    Raises NotationError if the text is malformed.
    """
    try:
        from tengen.engine.play.position import Position  # here, as boards have a layout without any position

        position = Position.parse(spec, text)
    except PositionError as error:
        return Inspected(text, error.state, error.faults)
    return Inspected(position.text(), position.state)
