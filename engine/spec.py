"""Specs: a game with its variant and options, as text such as ``gomoku:renju,size=15``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tengen.engine.errors import OptionError, nearest, quoted, refusals, require
from tengen.engine.game import REPETITION, THREEFOLD, Game
from tengen.engine.games import TRIALS, find
from tengen.engine.options import Option, Value


@dataclass(frozen=True, init=False, repr=False)
class GameSpec:
    """A game with its variant and all option values, such as ``gomoku,size=19``.

    Parameters
    ----------
    spec : GameSpec, Game or str
        A game, perhaps with a variant and options: ``"gomoku:renju,size=15"``.
    **options
        Others by name: ``GameSpec("gobang", size=19, capture_win=5)`` is ``gobang,size=19,capture-win=5``.

    Raises
    ------
    ArgumentError, OptionError
        For an unknown name, variant or key, a bad value, or a repeated key.

    Attributes
    ----------
    game : Game
        What is played.
    variant : str
        Name of the variant in the spec, or empty.
    options : tuple of (str, value)
        Every option of the game, in the order of their declaration.
    """

    game: Game
    variant: str
    options: tuple[tuple[str, Value], ...]

    def __init__(self, spec: GameSpec | Game | str, /, **options: Value) -> None:
        with refusals(spec):
            named = spec.name if isinstance(spec, Game) else str(spec) if isinstance(spec, GameSpec) else spec
            text = require(named, str, "spec", "a game spec such as 'go,size=9'").strip()
            text = ",".join([text, *(f"{key.replace('_', '-')}={value}" for key, value in options.items())])
            head, *settings = text.split(",")
            name, colon, variant = head.partition(":")
            vars(self).update(vars(self._of(find(name), variant if colon else None, settings, text)))

    @classmethod
    def parse(cls, text: str) -> GameSpec:
        """Return the spec that a text names.

        Parameters
        ----------
        text : str
            Game, variant and options, such as ``gomoku:renju,size=15``; what it leaves out has its default.
        """
        return cls(text)

    @classmethod
    def of(cls, spec: GameSpec | Game | str) -> GameSpec:
        """Return the spec of a game, however it is given.

        Parameters
        ----------
        spec : GameSpec, Game or str
            A game has its default options; a text is as for `parse`.
        """
        return spec if isinstance(spec, GameSpec) else cls(spec)

    @classmethod
    def of_values(cls, game: Game, variant: str, values: Mapping[str, Value]) -> GameSpec:
        """Return the spec of a game with checked values of all its options.

        Parameters
        ----------
        game : Game
            What is played.
        variant : str
            Its name, or empty.
        values : mapping of str to int, float or str
            By the name of the option; none is checked again.
        """
        made = object.__new__(cls)
        vars(made).update(game=game, variant=variant, options=tuple(values.items()))
        return made

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
        return cls.of_values(game, variant or "", values)

    @property
    def values(self) -> dict[str, Value]:
        """Option values by name."""
        return dict(self.options)

    @classmethod
    def parse_contest(cls, text: str) -> GameSpec:
        """Return what is played for a challenge: a game, or a trial.

        Parameters
        ----------
        text : str
            Such as ``gomoku:size=19`` or ``coin``; with colons, so that another spec can have it as a value.

        Raises
        ------
        OptionError
            As `parse`; for a game that has challenges itself.
        """
        name, *settings = text.split(":")
        game, variant = find(name, TRIALS), None
        if settings:
            is_setting = "=" in settings[0] or settings[0] in [option.name for option in game.options]
            variant = settings.pop(0) if settings[0] in game.variants or not is_setting else None
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

        Parameters
        ----------
        name : str
            As in a spec, such as ``size``.
        value : bool, int, float or str
            Its new value.

        Raises
        ------
        OptionError
            When there is no such option, or the value is bad.
        """
        option = self.game.option(name)
        checked = _parsed(option, option.format(value), f"{self}")
        return self.of_values(self.game, self.variant, self.values | {name: checked})

    def as_variant(self) -> GameSpec:
        """Return this spec under the variant that makes its text the shortest."""
        values, variants = self.values, {"": {}, **self.game.variants}
        fitting = [name for name, preset in variants.items() if preset.items() <= values.items()]
        specs = [self.of_values(self.game, name, values) for name in fitting]
        return min(specs, key=lambda spec: len(str(spec)))

    def __repr__(self) -> str:
        return f"GameSpec({str(self)!r})"

    def __str__(self) -> str:
        """Return the shortest text that `parse` reads back as this spec."""
        preset = {option.name: option.default for option in self.game.options}
        preset |= self.game.variants[self.variant] if self.variant else {}
        head = f"{self.game.name}:{self.variant}" if self.variant else self.game.name
        changed = [f"{k}={self.game.option(k).format(v)}" for k, v in self.options if v != preset[k]]
        return ",".join([head, *changed])


def _parsed(option: Option, text: str, where: str) -> Value:
    """Return the value that `text` names; see `Option.parse`."""
    if not option.contest:
        return option.parse(text, where)
    try:
        return GameSpec.parse_contest(text).nested
    except OptionError as error:
        raise OptionError(f"option {option.name}: {error} in {where}") from error
