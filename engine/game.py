"""What a game is: its description, options and modules. `engine.games` finds games, `engine.spec` names them.

A game is a package whose ``__init__`` binds ``GAME``: a folder under ``engine/``, or a separate package that
declares it as an entry point of the group ``tengen.games`` (docs/add-a-game.md). That module stays light (no
NumPy, no numba), so that protocols can answer their first commands at once. The others are imported on first
use: `engine.contract` describes those that searches see (``rules``, ``evaluate``, ``simulation``),
`engine.modules` all others, and `engine.packages` finds them.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Self, cast

from tengen.engine.errors import OptionError, argument_error, nearest, quoted
from tengen.engine.options import Option as Option
from tengen.engine.options import Value as Value
from tengen.engine.packages import find_module, folder_of, import_module

if TYPE_CHECKING:
    from tengen.engine.contract import Rules
    from tengen.engine.modules import Picturing, Text
    from tengen.engine.weights import Evaluation


class Outcome(enum.IntEnum):
    """The outcome of a game, as kernels return it."""

    ONGOING = 0
    FIRST_WINS = 1
    SECOND_WINS = 2
    DRAW = 3

    def __str__(self) -> str:
        """Return ``ongoing``, ``first wins``, ``second wins`` or ``draw``."""
        return self.name.lower().replace("_", " ")


class Side(str):
    """A side of a game: its name, such as ``"black"``, which also knows its number.

    It is a text that equals its number as well: where Black begins, ``side == "black"`` and ``side == 0`` are
    the same. Its hash is that of its name, so names are what sets and dicts find: ``side in ("black", 0)``,
    but ``side in {"black"}``. Lists take it as an index.

    Attributes
    ----------
    number : int
        0 for the side that begins, 1 for the other one.
    """

    number: int

    def __new__(cls, name: str, number: int) -> Self:
        """Return the side called `name`.

        Parameters
        ----------
        name : str
            As the game calls it.
        number : int
            0 for the side that begins, 1 for the other one.
        """
        side = super().__new__(cls, name)
        side.number = number
        return side

    def __getnewargs__(self) -> tuple[str, int]:  # type: ignore[override]
        """Return what it is pickled by."""
        return str(self), self.number

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) if isinstance(other, str) else self.number == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __index__(self) -> int:
        return self.number


# Of games that declare `Game.repetition`.
THREEFOLD = "threefold"
REPETITION = Option(
    "repetition",
    THREEFOLD,
    "whether a position that occurs for the third time is a draw",
    choices=(THREEFOLD, "none"),
)


@dataclass(frozen=True, repr=False)
class Game:
    """The description of a game; its modules, which compute, are imported on first use.

    Attributes
    ----------
    package : str
        The ``__name__`` of the package that binds ``GAME``.
    base : str
        Another game's package, whose modules serve where this one has none; empty without one.
    shares_kernels : bool
        Whether the kernels of its base serve this game as they are: what it has of its own (weights, net,
        numbers of the search) is handed to them. Its modules then define no kernel.
    name, title, summary : str
        Name in game specs, name for people, one line about the game.
    sides : tuple of str
        Names of the first and second side; each becomes a `Side`.
    letters : tuple of str
        Their letters in GTP and in position texts.
    side_titles : tuple of str, or None
        Their names for people, if others than `sides`.
    variants : mapping of str to mapping
        Presets of options, by name.
    options : tuple of Option
        The options of a spec.
    words : mapping of str to str
        What people call variants, options and their values, where they do not say what specs write.
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
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
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
    shares_kernels: bool = False
    side_titles: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        first, second = self.sides
        object.__setattr__(self, "sides", (Side(first, 0), Side(second, 1)))

    def __setstate__(self, state: Mapping[str, object]) -> None:
        """Take what was pickled, perhaps by version 0.2.0, which had no words and whose sides were texts."""
        self.__dict__.update({"words": {}, **state})
        self.__post_init__()

    def __hash__(self) -> int:
        """Return a hash of the name alone: all fields take a tenth of a millisecond, at every search."""
        return hash(self.name)

    def __repr__(self) -> str:
        return f"GameSpec({self.name!r}).game"

    @property
    def folder(self) -> Path:
        """Where its modules and its data lie."""
        return folder_of(self.package)

    @property
    def kernel_package(self) -> str:
        """The package of the game whose kernels play this one: its own, but where they are shared."""
        return self.base if self.shares_kernels else self.package

    @property
    def titles(self) -> tuple[str, str]:
        """What people call the sides."""
        return self.side_titles or self.sides

    def offers(self, part: str) -> bool:
        """Return whether this game has a module, which is not imported for that.

        Parameters
        ----------
        part : str
            As for `module`.
        """
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
        """Return one of this game's modules.

        Parameters
        ----------
        part : str
            Its name in the game's package: ``rules``, ``text``...
        """
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

    def word(self, name: object) -> str:
        """Return what people call a variant, an option or a value of one.

        Parameters
        ----------
        name : object
            As a spec writes it.
        """
        return self.words.get(str(name), str(name).replace("-", " "))

    def option(self, name: str) -> Option:
        """Return an option.

        Parameters
        ----------
        name : str
            As in a spec, such as ``size``.

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
        meant = nearest(name, names)
        raise OptionError(f"options of {self.name}: expected {known}, got {quoted(name)}{meant}")

    def side(self, side: int | str) -> Side:
        """Return a side.

        Parameters
        ----------
        side : int or str
            0, 1, ``b``, ``white``... or as this game calls its sides, in capitals or not.

        Raises
        ------
        ArgumentError, OptionError
            When it is no side of this game.
        """
        if not isinstance(side, str):
            if isinstance(side, bool) or side not in (0, 1):
                raise argument_error(side, "side", f"0, 1, {' or '.join(self.sides)}")
            return cast("Side", self.sides[side])
        word = side.lower()
        letter = {"white": "w", "black": "b"}.get(word, word)
        for number in (0, 1):
            if letter == self.letters[number] or word in (self.sides[number], self.titles[number].lower()):
                return self.side(number)
        expected = " or ".join(self.letters)
        raise OptionError(f"side: expected {expected}, got {quoted(side)}")
