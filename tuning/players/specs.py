"""Players as they are named on the command line: ``tengen,depth=6``, ``ugi:COMMAND``, ``python:x.py:Me``.

Those of one's own are also opponents of people.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tengen.engine.errors import EngineError, OptionError, TengenError, nearest, quoted
from tengen.engine.game import Option, Value
from tengen.engine.options import is_retired
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.system import split_command
from tengen.search.limits.limit import MAX_DEPTH, Clock, Limit
from tengen.tuning.clocks import parse_clock
from tengen.tuning.players import own
from tengen.tuning.players.base import Notice, Player, PlayerFailure, TurnTime
from tengen.tuning.players.builtin import BuiltinPlayer, GreedyPlayer, RandomPlayer, TengenPlayer
from tengen.tuning.players.external.engine import NO_SETTINGS, EnginePlayer, EngineSettings
from tengen.tuning.players.external.gomocup import GomocupPlayer
from tengen.tuning.players.external.gtp import GtpPlayer
from tengen.tuning.players.external.ugi import UgiPlayer

BUILTIN_PLAYERS: dict[str, type[BuiltinPlayer]] = {
    "tengen": TengenPlayer,
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
}
RETIRED = {"uct": "it was a weak opponent in version 0.1; use tengen,level=1 or greedy"}
EXTERNAL_PLAYERS: dict[str, type[EnginePlayer]] = {
    "ugi": UgiPlayer,
    "gtp": GtpPlayer,
    "gomocup": GomocupPlayer,
}
PYTHON = "python"  # the kind of a player of one's own
MAX_LENGTH = 4_096  # characters of a player's text
MAX_NAME = 40  # characters of an opponent's name
TIME_CONTROL_ONLY = {"gtp": "GTP", "gomocup": "Gomocup's protocol"}  # neither has depth or node limits


ENGINE_KEYS = ("folder", "movetime", "nodes", "depth", "clock")  # settings of an external engine
OPTION, VARIABLE = "option.", "env."  # what the names of its options and of environment variables begin with
NO_LIMITS = Limit()


@dataclass(frozen=True)
class PlayerSpec:
    """A player as named on the command line."""

    text: str  # as it was given; the name of the player
    kind: str  # a key of `BUILTIN_PLAYERS` or `EXTERNAL_PLAYERS`, or `PYTHON`; else empty
    # Program and arguments of an external engine; file or module and name of a player of one's own
    command: tuple[str, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()  # options of a built-in player
    settings: EngineSettings = NO_SETTINGS  # how an external engine is started, and what it is told
    limits: Limit = NO_LIMITS  # the player's own, of a turn; they replace those of the match
    clock: Clock | None = None  # the player's own at the start of a game
    make: Callable[[], Player] | None = None  # makes a player of this process, which has no `kind`

    @classmethod
    def parse(cls, text: str) -> PlayerSpec:
        """Return the player that `text` names.

        Raises OptionError for an unknown or retired kind, an unknown option, a bad value, an option given
        twice, or a missing command line.
        """
        if len(text) > MAX_LENGTH:
            raise OptionError(f"player: expected at most {MAX_LENGTH:,} characters, got {quoted(text)}")
        head, colon, command = text.partition(":")
        kind, *settings = head.split(",")
        if kind in (*EXTERNAL_PLAYERS, PYTHON) and colon:
            given = _parse_settings(text, settings)
            if kind in EXTERNAL_PLAYERS:
                return cls(text, kind, _split(text, command), **given)
            place, _, name = command.rpartition(":")
            if not (place and name.isidentifier()):
                raise OptionError(f"player: expected python:FILE.py:NAME, got {quoted(text)}")
            if given["settings"] != NO_SETTINGS:
                raise OptionError(f"player: expected limits as settings of {PYTHON}, got {quoted(text)}")
            return cls(text, kind, (place, name), **given)
        kind, *settings = text.split(",")
        if kind in RETIRED:
            raise OptionError(f"player {kind} is gone: {RETIRED[kind]}")
        if kind not in BUILTIN_PLAYERS:
            forms = [*(f"{name}:COMMAND" for name in EXTERNAL_PLAYERS), "python:FILE.py:NAME"]
            name = kind.partition(":")[0]
            kinds = [*BUILTIN_PLAYERS, *EXTERNAL_PLAYERS, PYTHON]
            known = "" if kind in kinds else nearest(name, kinds)
            expected = ", ".join([*BUILTIN_PLAYERS, *forms])
            raise OptionError(f"player: expected one of {expected}, got {quoted(text)}{known}")
        values: dict[str, Value] = {}
        options = {option.name: option for option in BUILTIN_PLAYERS[kind].OPTIONS}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if is_retired(name):
                continue
            if name not in options:
                raise OptionError(
                    f"options of {kind}: expected one of {', '.join(options)}, "
                    f"got {quoted(name)}{nearest(name, options)}"
                )
            option = options[name]
            if name in values or not equals:
                value = f"{name}={option.domain}, got {quoted(setting)}"
                problem = "once, got twice" if name in values else value
                raise OptionError(f"option {name}: expected {problem} in {quoted(text)}")
            values[name] = option.parse(value, quoted(text))
        return cls(text, kind, values=tuple(values.items()))

    @property
    def external(self) -> bool:
        """Whether it is a program that runs in a process of its own."""
        return self.kind in EXTERNAL_PLAYERS

    def create(self, game: GameSpec, on_notice: Notice | None = None) -> Player:
        """Return a new player of `game`; it is not started, but the code of one's own has been run."""
        if self.make:
            return self.make()
        if self.kind == PYTHON:
            return own.load(*self.command)
        if self.external:
            return EXTERNAL_PLAYERS[self.kind](game, self.command, self.settings)
        return BUILTIN_PLAYERS[self.kind](game, dict(self.values), on_notice)

    def version(self, game: GameSpec) -> str | None:
        """Return the version of a built-in player; None for others, which report their own.

        Raises TengenError if its files cannot be read.
        """
        if self.kind not in BUILTIN_PLAYERS:
            return None
        return BUILTIN_PLAYERS[self.kind](game, dict(self.values)).version

    def unsupported_limits(self, limits: Limit) -> str:
        """Return why this player cannot play within `limits`; empty if it can."""
        timed = limits.time is not None or limits.clock is not None
        if self.kind in TIME_CONTROL_ONLY and (limits.depth or limits.nodes or not timed):
            protocol = TIME_CONTROL_ONLY[self.kind]
            return f"{protocol} can ask for a time only, not for a depth or a number of nodes"
        return ""


def _parse_settings(text: str, settings: Sequence[str]) -> dict[str, Any]:
    """Return what words such as ``nodes=1000`` or ``env.LANG=C`` say of an external engine (`PlayerSpec`)."""
    values: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        known = name in ENGINE_KEYS or name.startswith((OPTION, VARIABLE))
        if not (known and equals and value) or name in values:
            keys = ", ".join([*ENGINE_KEYS, f"{OPTION}NAME", f"{VARIABLE}NAME"])
            problem = "once, got it twice" if name in values else f"as KEY=VALUE with a KEY of {keys}"
            hint = nearest(name, ENGINE_KEYS)
            raise OptionError(
                f"player: expected settings {problem}, got {quoted(setting)} in {quoted(text)}{hint}"
            )
        values[name] = value

    def number(name: str, low: float, high: float) -> Any:
        return Option(name, low, "", low, high).parse(values[name], quoted(text)) if name in values else None

    def named(prefix: str) -> tuple[tuple[str, str], ...]:
        return tuple((n.removeprefix(prefix), v) for n, v in values.items() if n.startswith(prefix))

    nodes, depth = number("nodes", 1, 10**12), number("depth", 1, MAX_DEPTH)
    return {
        "settings": EngineSettings(values.get("folder"), named(VARIABLE), named(OPTION)),
        "limits": Limit(depth=depth, nodes=nodes, time=number("movetime", 0.001, 1e6)),
        "clock": parse_clock(values["clock"]) if "clock" in values else None,
    }


def _split(text: str, command: str) -> tuple[str, ...]:
    """Return the words of a command line."""
    try:
        words = split_command(command)
    except ValueError as error:
        raise OptionError(f"player: expected a command line, got {quoted(text)} ({error})") from None
    if not words:
        raise OptionError(f"player: expected a command line behind the colon, got {quoted(text)}")
    return words


class Opponent:
    """A player of one's own, which is asked about one position after another, of any games."""

    def __init__(self, text: str) -> None:
        spec = PlayerSpec.parse(text)
        if spec.kind != PYTHON:
            raise OptionError(f"--player: expected {PYTHON}:FILE.py:NAME, got {quoted(text)}")
        self._player, self._limits = own.load(*spec.command), spec.limits
        self.name, self.version = self._player.name[:MAX_NAME], self._player.start()
        self._last: Position | None = None  # that it was asked about

    def turn(self, position: Position, limit: Limit) -> str:
        """Return its turn; `limit` counts if it has none of its own.

        Raises EngineError if it raises an exception, or plays no legal turn.
        """
        last, self._last = self._last, position.copy()
        try:
            if last is None or not _follows(position, last):
                self._player.new_game(0)
            limits = limit if self._limits == NO_LIMITS else self._limits
            return position.copy().push(self._player.play(position, TurnTime(limits, None, math.inf)))
        except (PlayerFailure, TengenError) as error:
            detail = error.detail if isinstance(error, PlayerFailure) else str(error)
            raise EngineError(f"{self.name} does not play: {detail}") from error


def _follows(position: Position, last: Position) -> bool:
    """Return whether a position is of the game in which the last one was, or may be."""
    played = position.turns_played[: len(last.turns_played)]
    return (position.spec, position.start_text, played) == (last.spec, last.start_text, last.turns_played)
