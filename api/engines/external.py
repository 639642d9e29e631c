"""Other programs as engines: any that speaks GTP, UGI or Gomocup's protocol."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen.api.engines.base import BaseEngine, inner_of, limit_of
from tengen.api.errors import EngineError, argument_error
from tengen.api.limit import Limit
from tengen.api.position import Position
from tengen.api.score import PlayResult
from tengen.engine.errors import NotationError, OptionError, TengenError, nearest, quoted

if TYPE_CHECKING:
    from tengen.engine.game import GameSpec
    from tengen.engine.position import Position as GamePosition
    from tengen.tuning.players.base import Player, TurnTime

PROTOCOLS = ("gtp", "ugi", "gomocup")
SLACK = 10.0  # seconds that an answer may be late before the program counts as hung
PATIENCE = 600.0  # seconds for a turn without a limit of time


class ExternalEngine(BaseEngine):
    """Another program that plays. It is started by its first turn; `external` makes one."""

    def __init__(self, command: str | Sequence[str], protocol: str) -> None:
        super().__init__()
        if protocol not in PROTOCOLS:
            word = str(protocol)
            meant = nearest(word, PROTOCOLS)
            raise OptionError(f"protocol: expected one of {', '.join(PROTOCOLS)}, got {quoted(word)}{meant}")
        self.command = _words(command)
        self.protocol = protocol
        self._identity = self.command[0]
        self._spec: GameSpec | None = None
        self._player: Player | None = None
        self._played: list[str] = []  # turns of the game that the program knows

    @property
    def name(self) -> str:
        """The name that the program gives itself, once it has been started; before, the command."""
        return self._identity

    def play(self, position: Position, limit: Limit | float) -> PlayResult:
        """Return the turn that the program plays in `position`, canonical.

        Parameters
        ----------
        position : Position
            Of a game from its start: the protocols have no other.
        limit : Limit or float
            A number is a time in seconds. GTP and Gomocup's protocol know times only.

        Raises
        ------
        OptionError
            If the program cannot be asked for this.
        EngineError
            If it does not start, fails, or answers with a turn that is not legal.
        """
        from tengen.tuning.players.base import EndReason, PlayerFailure

        inner, chosen = inner_of(position), limit_of(limit)
        if position.start_text is not None:
            raise OptionError("position: expected a game from its start, got one from another position")
        if inner.outcome():
            return PlayResult(None, notice="the game is over")
        began, turn_time = time.perf_counter(), self._turn_time(inner, chosen)
        with self._using():
            try:
                answer = self._ready_player(inner).play(inner.copy(), turn_time)
            except PlayerFailure as failure:
                if failure.reason == EndReason.RESIGNATION:
                    return PlayResult(None, seconds=time.perf_counter() - began, resigned=True)
                self._forget()
                raise EngineError(f"{self.command[0]}: {failure}") from None
        try:
            turn = inner.format(inner.parse_turn(answer))
        except TengenError as error:
            error_of = EngineError(
                f"{self.command[0]}: expected a legal turn, got {quoted(answer)} ({error})"
            )
            error_of.value, error_of.position = answer, position.copy()
            raise error_of from None
        return PlayResult(turn, seconds=time.perf_counter() - began)

    def new_game(self) -> None:
        """Tell the program that a new game begins, before its next turn."""
        with self._using():
            self._played = ["?"]  # no game begins so

    def close(self) -> None:
        """End the program."""
        self._closed = True
        if self._player:
            self._player.interrupt()
            with self._turn:
                self._forget()

    def interrupt(self) -> None:
        """End the program: a running call fails, the next one starts it again."""
        if self._player:
            self._player.interrupt()

    def _forget(self) -> None:
        if self._player:
            self._player.close()
        self._player, self._spec, self._played = None, None, []

    def _ready_player(self, position: GamePosition) -> Player:
        """Return the player of this game, which is told when another game begins."""
        from tengen.tuning.players.specs import PlayerSpec

        if self._player is None or self._spec != position.spec:
            self._forget()
            spec = PlayerSpec(shlex.join(self.command), self.protocol, self.command)
            self._player, self._spec = spec.create(position.spec), position.spec
            self._identity = self._player.start()
            self._player.new_game(0)
        elif position.turns_played[: len(self._played)] != self._played:
            self._player.new_game(0)
        self._played = list(position.turns_played)
        return self._player

    def _turn_time(self, position: GamePosition, limit: Limit) -> TurnTime:
        """Return the limit as a player takes it.

        Raises
        ------
        OptionError
            If the protocol has no words for it.
        """
        from tengen.tuning.players.base import TurnTime
        from tengen.tuning.players.specs import PlayerSpec

        limits = limit.limits(position.side_to_move)
        spec = PlayerSpec(shlex.join(self.command), self.protocol, self.command)
        if refusal := spec.unsupported_limits(limits):
            raise OptionError(f"limit: {refusal}")
        given = limit.clocks
        clocks = (given[0], given[-1]) if given else None
        times = [limit.time, limits.clock.remaining if limits.clock else None]
        bound = min((seconds for seconds in times if seconds is not None), default=PATIENCE)
        return TurnTime(limits, clocks, bound + SLACK)

    def __repr__(self) -> str:
        state = "closed " if self._closed else ""
        return f"<{state}ExternalEngine({shlex.join(self.command)!r}, {self.protocol!r})>"


def external(command: str | Sequence[str], protocol: str = "ugi") -> ExternalEngine:
    """Return another program as an engine.

    Parameters
    ----------
    command : str or sequence of str
        The program and its arguments, such as ``"gnugo --mode gtp"``.
    protocol : str
        ``gtp``, ``ugi`` or ``gomocup``.

    Raises
    ------
    OptionError
        For an unknown protocol, or no command.
    """
    return ExternalEngine(command, protocol)


def _words(command: object) -> tuple[str, ...]:
    """Return the words of a command."""
    if isinstance(command, str):
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise NotationError(
                f"command: expected a command line, got {quoted(command)} ({error})"
            ) from None
    elif isinstance(command, Sequence) and all(isinstance(word, str) for word in command):
        words = tuple(command)
    else:
        raise argument_error(command, "command", "a command line, or a list of its words")
    if not words:
        raise OptionError(f"command: expected a command line, got {quoted(str(command))}")
    return words
