"""The game interface: Game, Option, GameSpec and the registry.

A game is a folder under ``engine/`` whose ``__init__`` binds ``GAME``. That module stays light (no NumPy, no
numba), so that protocols can answer their first commands at once. The others are imported on first use:

``state``
    ``STATE``, the record dtype of a position, and the tables of the board.
``rules``, ``evaluate``, ``simulation``
    The kernels and constants with which searches are specialised (see `engine.contract`): the rules, the
    static evaluation and, only in games with playouts, the simulation.
``text``
    ``format_position(state)``, ``parse_position(options, text)``, ``format_turn(state, actions)``,
    ``parse_turn(state, text)``, ``status(state)``, ``result(state)``.
``picture``
    ``board(state)``, the board in plain text, and ``draw(state)``, a `engine.board.picture.Picture`.
``challenge``
    Only in games whose turns can be challenged: see `engine.challenge`.
``agreement``
    Only in games whose players agree on the end: ``agreed_score(state)``, an object with an ``outcome``;
    ``chains_by_status(state, status)``, the vertices of chains that are alive, dead or in seki;
    ``dispute(state)``, the position to play on from if one side calls its dead stones alive.
``archive``
    Only in games with records in the dialect of a public archive: ``translate(nodes)`` returns the nodes of
    such a record in the form of `engine.sgf`; a node is a dict of property names to lists of values.
``record``
    Only in games with options that SGF has properties for (see `Game.sgf_properties`):
    ``options(root, size, stones, first)`` reads them, ``properties(spec)`` writes them.
"""

from __future__ import annotations

import enum
import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from tengen.engine.errors import OptionError, nearest, quoted

if TYPE_CHECKING:
    from tengen.engine.weights import Evaluation

Value = bool | int | float | str


class Outcome(enum.IntEnum):
    """The outcome of a game, as kernels return it."""

    ONGOING = 0
    FIRST_WINS = 1
    SECOND_WINS = 2
    DRAW = 3


@dataclass(frozen=True)
class Option:
    """One option of a game: ``name=value`` in a game spec.

    Attributes
    ----------
    name : str
        As written in a spec.
    default : bool, int, float or str
        Default value; all values have its type.
    help : str
        One line for people.
    low, high : int or float, optional
        Inclusive range of a numeric option.
    choices : tuple of str
        The values of a text option; empty if any text is allowed.
    preset : bool
        Whether only variants set it: a spec names the variant instead.
    """

    name: str
    default: Value
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    preset: bool = False

    @property
    def domain(self) -> str:
        """The allowed values, in words."""
        if isinstance(self.default, bool):
            return "0 or 1"
        if isinstance(self.default, str):
            return " or ".join(self.choices) or "a text"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return f"{kind} from {self.low} to {self.high}"

    def parse(self, text: str, where: str) -> Value:
        """Return the value that `text` names.

        Raises
        ------
        OptionError
            When `text` is not a value of this option; `where` is the spec, for the error message.
        """
        refusal = OptionError(f"option {self.name}: expected {self.domain}, got {quoted(text)} in {where}")
        if isinstance(self.default, bool):
            words = {"1": True, "true": True, "yes": True, "on": True, "": True}
            words |= {"0": False, "false": False, "no": False, "off": False}
            if text.lower() not in words:
                raise refusal
            return words[text.lower()]
        if isinstance(self.default, str):
            if self.choices and text not in self.choices:
                raise refusal
            return text
        try:
            value = type(self.default)(text)
        except ValueError:
            raise refusal from None
        if not text.isascii() or "_" in text or not (self.low is not None and self.high is not None):
            raise refusal
        if not self.low <= value <= self.high:
            raise refusal
        return value

    def format(self, value: Value) -> str:
        """Return the text of `value` that `parse` reads back."""
        return str(int(value)) if isinstance(self.default, bool) else str(value)


@dataclass(frozen=True)
class Game:
    """The description of a game; its modules, which compute, are imported on first use.

    Attributes
    ----------
    package : str
        The ``__name__`` of the package that binds ``GAME``.
    name, title, summary : str
        Name in game specs, name for people, one line about the game.
    sides : tuple of str
        Names of the first and second side.
    letters : tuple of str
        Their letters in GTP and in position texts.
    variants : mapping of str to mapping
        Presets of options, by name.
    options : tuple of Option
        The options of a spec.
    square : bool
        Whether it is played on the points of a square board, with GTP vertices.
    out_of_turn : bool
        Whether set-up play lets a side play twice in a row, as GTP allows (notation.md).
    sgf_gm : int
        The ``GM`` property of its records; 0 if SGF has no number for it.
    sgf_properties : tuple of str
        SGF properties that the game's module ``record`` reads and writes; empty without one.
    archive_gm : int
        The ``GM`` property of records that the game's module ``archive`` translates; 0 without one.
    scale : float
        Logistic scale of the evaluation, centi-points: win rate = 1 / (1 + exp(-score / scale)). Fitted
        weights have their own scale instead (`Position.scale`).
    ends_by_agreement : bool
        Whether the players agree on the end, by the game's module ``agreement``; its rules then offer
        ``resume(s)``, to play on.
    search : str
        Default search: ``alphabeta`` or ``mcts``.
    expected_moves : int
        Number of turns of a side in a long game, for time management, unless the rules offer
        ``expected_moves_left(s)``.
    random_plies : int
        Default number of random opening turns in self-play, enough to diversify all phases of the game.
    challenge : tuple of str, or None
        The options that must not be 0 for challenges, followed by the option that names the game to play for
        them; None for a game without challenges.
    """

    package: str
    name: str
    title: str
    summary: str
    sides: tuple[str, str]
    letters: tuple[str, str]
    options: tuple[Option, ...] = ()
    variants: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    square: bool = False
    out_of_turn: bool = False
    sgf_gm: int = 0
    sgf_properties: tuple[str, ...] = ()
    archive_gm: int = 0
    scale: float = 200.0
    ends_by_agreement: bool = False
    search: str = "alphabeta"
    expected_moves: int = 40
    random_plies: int = 8
    challenge: tuple[str, ...] | None = None

    def module(self, part: str) -> ModuleType:
        """Return this game's module `part` (``rules``, ``text``...)."""
        return importlib.import_module(f"{self.package}.{part}")

    @property
    def rules(self) -> ModuleType:
        """The kernels with which searches are specialised."""
        return self.module("rules")

    @property
    def evaluation(self) -> Evaluation | None:
        """The declaration of its evaluation if that has fitted weights."""
        declared: Evaluation | None = getattr(self.module("evaluate"), "EVALUATION", None)
        return declared

    @property
    def text(self) -> ModuleType:
        """Texts of positions and turns."""
        return self.module("text")

    @property
    def picture(self) -> ModuleType:
        """Boards in text and drawings."""
        return self.module("picture")

    def option(self, name: str) -> Option:
        """Return the option called `name`.

        Raises
        ------
        OptionError
            When there is none; lists the options.
        """
        for option in self.options:
            if option.name == name:
                return option
        names = [option.name for option in self.options]
        known = f"one of {', '.join(names)}" if names else "none"
        raise OptionError(
            f"options of {self.name}: expected {known}, got {quoted(name)}{nearest(name, names)}"
        )

    def side(self, letter_or_name: str) -> int:
        """Return 0 or 1 for a side named ``b``, ``white``... or as this game calls its sides.

        Raises
        ------
        OptionError
            When the word names no side of this game.
        """
        word = letter_or_name.lower()
        letter = {"white": "w", "black": "b"}.get(word, word)
        for side in (0, 1):
            if letter == self.letters[side] or word == self.sides[side]:
                return side
        expected = " or ".join(self.letters)
        raise OptionError(f"side: expected {expected}, got {quoted(letter_or_name)}")


@dataclass(frozen=True)
class GameSpec:
    """A game with its variant and all option values, such as ``gomoku,size=19``.

    Attributes
    ----------
    game : Game
    variant : str
        Name of the variant in the spec, or empty.
    options : tuple of (str, value)
        Every option of the game, in the order of their declaration.
    """

    game: Game
    variant: str = ""
    options: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def parse(cls, text: str) -> GameSpec:
        """Return the spec that `text` names (notation.md, Game spec).

        Raises
        ------
        OptionError
            For an unknown name, variant or key, a bad value, or a repeated key.
        """
        head, *settings = text.strip().split(",")
        name, colon, variant = head.partition(":")
        game = find(name)
        if (colon or variant) and variant not in game.variants:
            known = ", ".join(game.variants) or "none"
            meant = nearest(variant, game.variants)
            raise OptionError(f"variants of {game.name}: expected {known}, got {quoted(variant)}{meant}")
        values: dict[str, Value] = {option.name: option.default for option in game.options}
        if variant:
            values |= game.variants[variant]
        seen: set[str] = set()
        for setting in settings:
            key, equals, value = setting.strip().partition("=")
            option = game.option(key)
            if key in seen:
                raise OptionError(f"option {key}: expected once, got twice in {quoted(text)}")
            if option.preset:
                named = " or ".join(f"{game.name}:{preset}" for preset in game.variants)
                raise OptionError(f"option {key}: expected a variant, {named}, got {quoted(setting)}")
            if not equals and not isinstance(option.default, bool):
                raise OptionError(f"option {key}: expected {key}={option.domain}, got {quoted(setting)}")
            seen.add(key)
            values[key] = option.parse(value, quoted(text))
        return cls(game, variant, tuple(values.items()))

    @property
    def values(self) -> dict[str, Value]:
        """Option values by name."""
        return dict(self.options)

    @property
    def challenge(self) -> GameSpec | None:
        """The game that is played for a challenge; None without challenges."""
        if self.game.challenge is None:
            return None
        *numbers, other = (self.values[option] for option in self.game.challenge)
        return GameSpec.parse(str(other)) if all(numbers) else None

    @property
    def games(self) -> tuple[GameSpec, ...]:
        """The game itself, and the one that is played for challenges if there is one."""
        return (self, self.challenge) if self.challenge else (self,)

    def with_option(self, name: str, value: Value) -> GameSpec:
        """Return this spec with one option changed, its range checked.

        Raises
        ------
        OptionError
            When there is no such option, or the value is bad.
        """
        option = self.game.option(name)
        checked = option.parse(option.format(value), f"{self}")
        return GameSpec(
            self.game, self.variant, tuple((k, checked if k == name else v) for k, v in self.options)
        )

    def __str__(self) -> str:
        """Return the shortest text that `parse` reads back as this spec."""
        preset = {option.name: option.default for option in self.game.options}
        preset |= self.game.variants[self.variant] if self.variant else {}
        head = f"{self.game.name}:{self.variant}" if self.variant else self.game.name
        changed = [f"{k}={self.game.option(k).format(v)}" for k, v in self.options if v != preset[k]]
        return ",".join([head, *changed])


@functools.cache
def names() -> tuple[str, ...]:
    """Return the names of all games: the folders beside this file that hold rules."""
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/rules.py")))


def find(name: str) -> Game:
    """Return the game called `name`.

    Raises
    ------
    OptionError
        When there is none; lists what exists and the nearest match.
    """
    if name not in names():
        raise OptionError(
            f"game: expected one of {', '.join(names())}, got {quoted(name)}{nearest(name, names())}"
        )
    game = importlib.import_module(f"tengen.engine.{name}").GAME
    assert isinstance(game, Game)
    return game
