"""The game interface: Game, GameSpec and the registry; `Option` is in `engine.options`.

A game is a package whose ``__init__`` binds ``GAME``: a folder under ``engine/``, or a separate package that
declares it as an entry point of the group ``tengen.games`` (docs/add-a-game.md). That module stays light (no
NumPy, no numba), so that protocols can answer their first commands at once. The others are imported on first
use: `engine.contract` describes those that searches see (``rules``, ``evaluate``, ``simulation``),
`engine.modules` all others, and `engine.packages` finds them.
"""

from __future__ import annotations

import enum
import functools
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

from tengen.engine.errors import OptionError, argument_error, nearest, quoted, refusals, require
from tengen.engine.options import Option as Option
from tengen.engine.options import Value as Value
from tengen.engine.packages import entry_points_by_name, find_module, folder_of, import_module

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from tengen.engine.contract import Rules
    from tengen.engine.modules import Picturing, Text
    from tengen.engine.weights import Evaluation

log = logging.getLogger("tengen")


class Outcome(enum.IntEnum):
    """The outcome of a game, as kernels return it."""

    ONGOING = 0
    FIRST_WINS = 1
    SECOND_WINS = 2
    DRAW = 3


# Of games that declare `Game.repetition`.
THREEFOLD = "threefold"
REPETITION = Option(
    "repetition",
    THREEFOLD,
    "whether a position that occurs for the third time is a draw",
    choices=(THREEFOLD, "none"),
)


@dataclass(frozen=True)
class Game:
    """The description of a game; its modules, which compute, are imported on first use.

    Attributes
    ----------
    package : str
        The ``__name__`` of the package that binds ``GAME``.
    base : str
        Another game's package, whose modules serve where this one has none; empty without one.
    name, title, summary : str
        Name in game specs, name for people, one line about the game.
    sides : tuple of str
        Names of the first and second side.
    letters : tuple of str
        Their letters in GTP and in position texts.
    side_titles : tuple of str, or None
        Their names for people, if others than `sides`.
    variants : mapping of str to mapping
        Presets of options, by name.
    options : tuple of Option
        The options of a spec.
    square : bool
        Whether it is played on the points of a square board, with GTP vertices. There is an option ``size``,
        and a position text begins with the rows and the side to move as `engine.board.goban` writes them.
    five_in_a_row : bool
        Whether five stones in a row win on its square board. Such games are played by Gomocup's protocol, can
        begin with Swap2, and have a module ``fallback``.
    commas : bool
        Whether the text of a turn can hold a comma, so that lists of turns are not divided at commas.
    out_of_turn : bool
        Whether set-up play lets a side play twice in a row, as GTP allows.
    sgf_gm : int
        The ``GM`` property of its records; 0 if SGF has no number for it.
    sgf_properties : tuple of str
        SGF properties that the game's module ``record`` reads and writes; empty without one.
    archive_gm : str
        The ``GM`` property of records that the game's module ``archive`` translates, in lower case; empty
        without one.
    scale : float
        Logistic scale of the evaluation, centi-points: win rate = 1 / (1 + exp(-score / scale)). Fitted
        weights have their own scale instead (`Position.scale`).
    ends_by_agreement : bool
        Whether the players agree on the end, by the game's module ``agreement``; its rules then offer
        ``resume(s)``, to play on.
    search : str
        Default search: ``alphabeta`` or ``mcts``.
    expected_moves : int
        Number of turns of a side in a long game, for time management; not used with a module ``pace``.
    random_plies : int
        Default number of random opening turns in self-play, enough to diversify all phases of the game.
    challenge : tuple of str, or None
        The options for challenges: how many there are, what may be challenged (the names of options, one of
        which must not be 0), and what is played for a challenge. None for a game without challenges.
    repetition : str
        Number of the rule by which a position that occurs for the third time is a draw; empty without one.
        The game then has the option `REPETITION`, its sides take turns, and its rules offer
        `engine.contract.RepetitionRules`.
    """

    package: str
    name: str
    title: str
    summary: str
    sides: tuple[str, str]
    letters: tuple[str, str]
    options: tuple[Option, ...] = ()
    variants: Mapping[str, Mapping[str, Value]] = field(default_factory=dict, hash=False)
    square: bool = False
    five_in_a_row: bool = False
    commas: bool = False
    out_of_turn: bool = False
    sgf_gm: int = 0
    sgf_properties: tuple[str, ...] = ()
    archive_gm: str = ""
    scale: float = 200.0
    ends_by_agreement: bool = False
    search: str = "alphabeta"
    expected_moves: int = 40
    random_plies: int = 8
    challenge: tuple[str, ...] | None = None
    repetition: str = ""
    base: str = ""
    side_titles: tuple[str, str] | None = None

    def __hash__(self) -> int:
        """Return a hash of the name alone: all fields take a tenth of a millisecond, at every search."""
        return hash(self.name)

    @property
    def folder(self) -> Path:
        """Where its modules and its data lie."""
        return folder_of(self.package)

    @property
    def titles(self) -> tuple[str, str]:
        """What people call the sides."""
        return self.side_titles or self.sides

    def offers(self, part: str) -> bool:
        """Return whether this game has a module `part`, which is not imported for that."""
        return bool(find_module(part, self.package, self.base))

    @property
    def has_details(self) -> bool:
        """Whether turns can differ in details only and candidates be grouped (`engine.play.turns.groups`)."""
        return hasattr(self.text, "without_details")

    @property
    def can_restrict(self) -> bool:
        """Whether searches can leave out turns below their root: where each turn is one action."""
        return hasattr(self.text, "parse_action")

    def module(self, part: str) -> ModuleType:
        """Return this game's module `part` (``rules``, ``text``...)."""
        return import_module(find_module(part, self.package, self.base) or f"{self.package}.{part}")

    @property
    def rules(self) -> Rules:
        """The rules, as kernels."""
        return cast("Rules", self.module("rules"))

    @property
    def evaluation(self) -> Evaluation | None:
        """The declaration of its evaluation if that has fitted weights."""
        declared: Evaluation | None = getattr(self.module("evaluate"), "EVALUATION", None)
        return declared

    @property
    def text(self) -> Text:
        """Texts of positions and turns."""
        return cast("Text", self.module("text"))

    @property
    def picture(self) -> Picturing:
        """Boards in text and drawings."""
        return cast("Picturing", self.module("picture"))

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

    def side(self, side: int | str) -> int:
        """Return 0 or 1 for a side given as a number, ``b``, ``white``... or as this game calls its sides.

        Raises
        ------
        ArgumentError, OptionError
            When it is no side of this game.
        """
        if not isinstance(side, str):
            if isinstance(side, bool) or side not in (0, 1):
                raise argument_error(side, "side", f"0, 1, {' or '.join(self.sides)}")
            return int(side)
        word = side.lower()
        letter = {"white": "w", "black": "b"}.get(word, word)
        for number in (0, 1):
            if letter == self.letters[number] or word in (self.sides[number], self.titles[number].lower()):
                return number
        expected = " or ".join(self.letters)
        raise OptionError(f"side: expected {expected}, got {quoted(side)}")


CHALLENGER, OWNER = "challenger", "owner"  # sides of a trial
DIE_FACES = 6
_SEED = Option("seed", 0, "seed of the draws", low=0, high=10**9)


def _trial(name: str, summary: str, *options: Option) -> Game:
    return Game("tengen.engine.play.trials", name, name, summary, (CHALLENGER, OWNER), ("c", "o"), options)


OUTSIDE = _trial("outside", "the players settle it elsewhere, and the controller tells the result")
COIN = _trial("coin", "a coin is tossed: heads wins for the challenger", _SEED)
DIE = _trial(
    "die",
    "a die is rolled: a high number wins for the challenger",
    _SEED,
    Option("least", 4, "least number that wins for the challenger", low=2, high=DIE_FACES),
)
TRIALS = {trial.name: trial for trial in (OUTSIDE, COIN, DIE)}  # played for a challenge besides games
CONTEST = f"GAME[:KEY=VALUE]... or {' or '.join(TRIALS)}"  # what `GameSpec.parse_contest` reads


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
        """Return the spec that `text` names, such as ``gomoku:renju,size=15``.

        Raises
        ------
        OptionError
            For an unknown name, variant or key, a bad value, or a repeated key.
        """
        head, *settings = text.strip().split(",")
        name, colon, variant = head.partition(":")
        return cls._of(find(name), variant if colon else None, settings, text)

    @classmethod
    def of(cls, spec: object) -> GameSpec:
        """Return the spec that a `GameSpec`, a `Game` or a text such as ``go,size=9`` names.

        Raises
        ------
        ArgumentError, OptionError
            If it is none of these, or the text names no game.
        """
        if isinstance(spec, GameSpec):
            return spec
        with refusals(spec):
            return cls.parse(
                spec.name
                if isinstance(spec, Game)
                else require(spec, str, "spec", "a game spec such as 'go,size=9'")
            )

    @classmethod
    def _of(cls, game: Game, variant: str | None, settings: list[str], text: str) -> GameSpec:
        """Return the spec of `game` with a variant (None: none is named) and settings, read from `text`."""
        if variant is not None and variant not in game.variants:
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
            values[key] = _parsed(option, value, quoted(text))
        return cls(game, variant or "", tuple(values.items()))

    @property
    def values(self) -> dict[str, Value]:
        """Option values by name."""
        return dict(self.options)

    @classmethod
    def parse_contest(cls, text: str) -> GameSpec:
        """Return what is played for a challenge: a game such as ``gomoku:size=19``, or a trial (``coin``).

        The parts of such a spec are divided by colons, so that it can be a value within another spec.

        Raises
        ------
        OptionError
            As `parse`; for a game that has challenges itself.
        """
        name, *settings = text.split(":")
        game, variant = find(name, TRIALS), None
        if settings and (settings[0] in game.variants or not _is_setting(game, settings[0])):
            variant = settings.pop(0)
        spec = cls._of(game, variant, settings, text)
        if spec.challenge:
            raise OptionError(f"expected a game without challenges of its own, got {quoted(text)}")
        return spec

    @property
    def nested(self) -> str:
        """The text of this spec within another one: `parse_contest` reads it back."""
        return str(self).replace(",", ":")

    @property
    def is_trial(self) -> bool:
        """Whether this is a trial (see `engine.play.trials`), not a game that can be played."""
        return self.game in TRIALS.values()

    @property
    def challenge(self) -> GameSpec | None:
        """What is played for a challenge, a game or a trial; None without challenges."""
        if self.game.challenge is None:
            return None
        number, kinds, contest = (self.values[option] for option in self.game.challenge)
        stakes = any(self.values[kind] for kind in str(kinds).split("+"))
        return GameSpec.parse_contest(str(contest)) if number and stakes else None

    @property
    def repetition(self) -> str:
        """Number of the rule that makes the third occurrence of a position a draw; empty if there is none."""
        rule = self.game.repetition
        return rule if rule and self.values[REPETITION.name] == THREEFOLD else ""

    @property
    def games(self) -> tuple[GameSpec, ...]:
        """The game itself, and the one that is played for challenges if there is one."""
        other = self.challenge
        return (self, other) if other and not other.is_trial else (self,)

    def with_option(self, name: str, value: Value) -> GameSpec:
        """Return this spec with one option changed, its range checked.

        Raises
        ------
        OptionError
            When there is no such option, or the value is bad.
        """
        option = self.game.option(name)
        checked = _parsed(option, option.format(value), f"{self}")
        return GameSpec(
            self.game, self.variant, tuple((k, checked if k == name else v) for k, v in self.options)
        )

    def as_variant(self) -> GameSpec:
        """Return this spec under the variant that makes its text the shortest."""
        values, variants = self.values, {"": {}, **self.game.variants}
        fitting = [name for name, preset in variants.items() if preset.items() <= values.items()]
        return min(
            (GameSpec(self.game, name, self.options) for name in fitting), key=lambda spec: len(str(spec))
        )

    def __str__(self) -> str:
        """Return the shortest text that `parse` reads back as this spec."""
        preset = {option.name: option.default for option in self.game.options}
        preset |= self.game.variants[self.variant] if self.variant else {}
        head = f"{self.game.name}:{self.variant}" if self.variant else self.game.name
        changed = [f"{k}={self.game.option(k).format(v)}" for k, v in self.options if v != preset[k]]
        return ",".join([head, *changed])


@functools.cache
def built_in() -> tuple[str, ...]:
    """Return the names of the games that tengen comes with: the folders beside this file that hold rules."""
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/rules.py")))


@functools.cache
def names() -> tuple[str, ...]:
    """Return the names of all games that can be played, sorted.

    A game of another package that cannot be is left out, which is said once in the log.
    """
    playable = [*built_in()]
    for name, entries in entry_points_by_name().items():
        try:
            _refuse_taken(name, entries)
            _load(name)
        except OptionError as error:
            log.warning("%s", error)
        else:
            playable.append(name)
    return tuple(sorted(playable))


def known() -> list[Game]:
    """Return all games that can be played: those that tengen comes with, then the others, each sorted."""
    others = [name for name in names() if name not in built_in()]
    return [find(name) for name in (*built_in(), *others)]


def find(name: str, others: Mapping[str, Game] | None = None) -> Game:
    """Return the game called `name`, or that one of `others`, by name.

    Raises
    ------
    OptionError
        When there is none, and lists what exists and the nearest match; when the package that offers it
        cannot be used.
    """
    if others and name in others:
        return others[name]
    if name in built_in():
        game: Game = import_module(f"tengen.engine.{name}").GAME
        return game
    if name in entry_points_by_name():
        return _load(name)
    listed = [*names(), *(others or ())]
    raise OptionError(f"game: expected one of {', '.join(listed)}, got {quoted(name)}{nearest(name, listed)}")


def _parsed(option: Option, text: str, where: str) -> Value:
    """Return the value that `text` names; see `Option.parse`."""
    if not option.contest:
        return option.parse(text, where)
    try:
        return GameSpec.parse_contest(text).nested
    except OptionError as error:
        raise OptionError(f"option {option.name}: {error} in {where}") from error


def _is_setting(game: Game, text: str) -> bool:
    """Return whether `text` sets an option, and so names no variant."""
    return "=" in text or any(option.name == text for option in game.options)


def _refuse_taken(name: str, entries: list[EntryPoint]) -> None:
    """Raise OptionError when `entries` offer a game that tengen comes with."""
    if name in built_in() or name in TRIALS:
        offered = " and ".join(entry.value for entry in entries)
        raise OptionError(f"game {name}: expected another name for {offered}, got that of a built-in game")


@functools.cache
def _load(name: str) -> Game:
    """Return the game that another package offers under `name`.

    Raises
    ------
    OptionError
        When the package cannot be imported, or offers something else, or two packages offer the name.
    """
    entries = entry_points_by_name()[name]
    if len(entries) > 1:
        offered = " and ".join(sorted(entry.value for entry in entries))
        raise OptionError(f"game {name}: expected one package that offers it, got {offered}")
    value = entries[0].value
    try:
        game = entries[0].load()
    except (
        Exception
    ) as error:  # whatever another's package raises: the other games can be played all the same
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise OptionError(f"game {name}: {value} cannot be imported ({said})") from error
    if not isinstance(game, Game):
        raise OptionError(f"game {name}: expected a Game in {value}, got {quoted(repr(game))}")
    if (game.name, game.package) != (name, entries[0].module):
        told = f"{game.name} of {game.package}"
        raise OptionError(f"game {name}: expected {name} of {entries[0].module} in {value}, got {told}")
    return game
