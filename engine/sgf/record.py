"""Records of games, and replaying them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass, field

from tengen.engine.board.goban import BLACK, EMPTY, WHITE
from tengen.engine.errors import located
from tengen.engine.game import GameSpec
from tengen.engine.play.challenge import begin
from tengen.engine.play.position import Position

STONES = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}  # properties that set up stones
SET_UP = {*STONES, "PL"}
COLOURS = {"B", "W"}  # properties of turns
NAME = re.compile("[A-Z][A-Z0-9]*")  # of a property
DERIVED = {"FF", "GM", "CA", "AP", "SZ", "TG", "TP", *SET_UP}  # of the root: they follow from the rest

Properties = dict[str, list[str]]  # values by name


@dataclass
class Variation:
    """A line that might have been played instead.

    Attributes
    ----------
    turns : list of (int, str)
        Side and text of each turn, at least one.
    comments : dict of int to str
    details : dict of int to dict
        Both as those of a `Record`, by index of the turn of this line.
    variations : dict of int to list of Variation
        By index of the turn of this line that they replace; never 0.
    """

    turns: list[tuple[int, str]]
    comments: dict[int, str] = field(default_factory=dict)
    details: dict[int, Properties] = field(default_factory=dict)
    variations: dict[int, list[Variation]] = field(default_factory=dict)


@dataclass
class Record:
    """The record of a game.

    Attributes
    ----------
    spec : GameSpec
    start : str, optional
        Text of the start position; None for that of the game.
    turns : list of (int, str)
        Side, 0 or 1, and text of each turn.
    properties : dict of str to list of str
        Other properties of the root: PB, PW, RE, DT, TM, GN, EV, C...
    comments : dict of int to str
        By index of the turn that they comment on.
    details : dict of int to dict
        Other properties of the turns, such as BL and WL, by index of the turn.
    variations : dict of int to list of Variation
        By index of the turn that they replace. They are written; `parse` reads them if asked.
    """

    spec: GameSpec
    start: str | None = None
    turns: list[tuple[int, str]] = field(default_factory=list)
    properties: Properties = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    details: dict[int, Properties] = field(default_factory=dict)
    variations: dict[int, list[Variation]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Name the game in GN for programs that do not know TG."""
        if not self.spec.game.sgf_gm:
            self.properties = {"GN": [self.spec.game.title], **self.properties}


def position(record: Record, upto: int | None = None) -> Position:
    """Return the position after the first `upto` turns of `record`, by default after all.

    Raises
    ------
    NotationError, PositionError
        When the start position is faulty.
    NotationError, IllegalTurnError
        When a turn cannot be played; names its number.
    """
    start = begin(record.spec, record.start)
    replay(start, record.turns[:upto])
    return start


def replay(position: Position, turns: Iterable[tuple[int | None, str]], first: int = 1) -> None:
    """Play `turns`, each a side (None: the side to move) and a text, on `position`.

    `first` is the number of the first turn.

    Raises
    ------
    NotationError, IllegalTurnError
        When a turn cannot be played; names its number. The turns before it have been played.
    """
    for number, (side, turn) in enumerate(turns, first):
        with located(f"turn {number}"):
            position.play(turn, side)


def derived_names(spec: GameSpec) -> Set[str]:
    """Return the names of the root properties that follow from the rest of a record."""
    return DERIVED | option_properties(spec).keys()


def option_properties(spec: GameSpec) -> Properties:
    """Return the SGF properties for the options of `spec`, which other programs understand."""
    if not spec.game.sgf_properties:
        return {}
    properties: Properties = spec.game.module("record").properties(spec)
    return properties
