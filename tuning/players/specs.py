"""Players as they are named on the command line: ``tengen,depth=6``, ``uct,seed=2``, ``ugi:COMMAND``."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from tengen.engine.errors import OptionError, nearest, quoted
from tengen.engine.game import GameSpec, Option, Value
from tengen.search.limits import Limits
from tengen.tuning.players.base import Notice, Player
from tengen.tuning.players.baselines import GreedyPlayer, RandomPlayer
from tengen.tuning.players.builtin import BuiltinPlayer
from tengen.tuning.players.external import EnginePlayer
from tengen.tuning.players.gomocup import GomocupPlayer
from tengen.tuning.players.gtp import GtpPlayer
from tengen.tuning.players.tengen import TengenPlayer
from tengen.tuning.players.uct import UctPlayer
from tengen.tuning.players.ugi import UgiPlayer

BUILTIN_PLAYERS: dict[str, type[BuiltinPlayer]] = {
    "tengen": TengenPlayer,
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "uct": UctPlayer,
}
EXTERNAL_PLAYERS: dict[str, type[EnginePlayer]] = {
    "ugi": UgiPlayer,
    "gtp": GtpPlayer,
    "gomocup": GomocupPlayer,
}
TIME_CONTROL_ONLY = {"gtp": "GTP", "gomocup": "Gomocup's protocol"}  # neither has depth or node limits


@dataclass(frozen=True)
class PlayerSpec:
    """A player as named on the command line.

    Attributes
    ----------
    text : str
        As it was given; the name of the player.
    kind : str
        A key of `BUILTIN_PLAYERS` or `EXTERNAL_PLAYERS`.
    command : tuple of str
        Program and arguments of an external engine.
    values : tuple of (str, value)
        Options of a built-in player.
    """

    text: str
    kind: str
    command: tuple[str, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def parse(cls, text: str) -> PlayerSpec:
        """Return the player that `text` names.

        Raises
        ------
        OptionError
            For an unknown kind or option, a bad value, an option given twice, or a missing command line.
        """
        kind, colon, command = text.partition(":")
        if kind in EXTERNAL_PLAYERS and colon:
            return cls(text, kind, _split(text, command))
        kind, *settings = text.split(",")
        if kind not in BUILTIN_PLAYERS:
            forms = [f"{name}:COMMAND" for name in EXTERNAL_PLAYERS]
            name = kind.partition(":")[0]
            known = "" if kind in EXTERNAL_PLAYERS else nearest(name, [*BUILTIN_PLAYERS, *EXTERNAL_PLAYERS])
            expected = ", ".join([*BUILTIN_PLAYERS, *forms])
            raise OptionError(f"player: expected one of {expected}, got {quoted(text)}{known}")
        values: dict[str, Value] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            option = _option(kind, name)
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
        """Return a new player of `game`; it is not started."""
        if self.external:
            return EXTERNAL_PLAYERS[self.kind](game, self.command)
        return BUILTIN_PLAYERS[self.kind](game, dict(self.values), on_notice)

    def version(self, game: GameSpec) -> str | None:
        """Return the version of a built-in player; None for an external engine, which reports its own.

        Raises
        ------
        TengenError
            If its files cannot be read.
        """
        if self.external:
            return None
        return BUILTIN_PLAYERS[self.kind](game, dict(self.values)).version

    def unsupported_limits(self, limits: Limits) -> str:
        """Return why this player cannot play within `limits`; empty if it can."""
        timed = limits.movetime is not None or limits.clock is not None
        if self.kind in TIME_CONTROL_ONLY and (limits.depth or limits.nodes or not timed):
            protocol = TIME_CONTROL_ONLY[self.kind]
            return f"{protocol} can ask for a time only, not for a depth or a number of nodes"
        endless = not (timed or limits.nodes or "simulations" in dict(self.values))
        if self.kind == "uct" and endless:
            return "expected simulations=N, a time or a number of nodes"
        return ""


def _split(text: str, command: str) -> tuple[str, ...]:
    """Return the words of a command line."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise OptionError(f"player: expected a command line, got {quoted(text)} ({error})") from None
    if not words:
        raise OptionError(f"player: expected a command line behind the colon, got {quoted(text)}")
    return words


def _option(kind: str, name: str) -> Option:
    """Return the option `name` of a built-in player."""
    options = {option.name: option for option in BUILTIN_PLAYERS[kind].OPTIONS}
    if name not in options:
        raise OptionError(
            f"options of {kind}: expected one of {', '.join(options)}, "
            f"got {quoted(name)}{nearest(name, options)}"
        )
    return options[name]
