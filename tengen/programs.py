"""Other programs as engines: any that speaks GTP, UGI or Gomocup's protocol."""

from __future__ import annotations

import operator
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, get_args

from tengen.analyses import Analysis, Feed
from tengen.engine.errors import (
    EngineError,
    NotationError,
    OptionError,
    TengenError,
    argument_error,
    nearest,
    quoted,
    refusals,
)
from tengen.engine.game import Game
from tengen.engine.options import Option, Value
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.system import join_command, split_command
from tengen.engines import BaseEngine, OnInfo
from tengen.search.info import Info, Result
from tengen.search.limits.limit import Limit
from tengen.tuning.players.base import EndReason, PlayerFailure, TurnTime

if TYPE_CHECKING:
    from tengen.tuning.players.external.engine import EnginePlayer

ProtocolName = Literal["gtp", "ugi", "gomocup"]
PROTOCOLS = get_args(ProtocolName)
SLACK = 10.0  # seconds that an answer may be late before the program counts as hung
PATIENCE = 600.0  # seconds for a turn without a limit of time


class ExternalEngine(BaseEngine):
    """Another program as an engine. It is started when it is first needed; `external` makes one.

    It raises an OptionError for what its protocol cannot express (docs/python.md has a table), and an
    EngineError if it does not start, fails, hangs, reports nothing, or answers with a turn that is not legal.

    Parameters
    ----------
    command, protocol, log, **options
        As for `external`.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        protocol: ProtocolName,
        *,
        log: Callable[[str], object] | None = None,
        **options: Value,
    ) -> None:
        super().__init__()
        if protocol not in PROTOCOLS:
            word = str(protocol)
            meant = nearest(word, PROTOCOLS)
            raise OptionError(f"protocol: expected one of {', '.join(PROTOCOLS)}, got {quoted(word)}{meant}")
        self.command = _words(command)
        self.protocol = protocol
        if not (log is None or callable(log)):
            raise argument_error(log, "log", "a function")
        self._log = log
        self._options = {name: _checked(name, value) for name, value in options.items()}
        self._identity = self.command[0]
        self._player: EnginePlayer | None = None
        self._spec: GameSpec | None = None  # what `_player` plays
        self._start: str | None = None  # text of the position that its game began with
        self._played: list[str] | None = None  # turns of that game; None for a new one
        self._finalizer: weakref.finalize[..., ExternalEngine] | None = None
        self._work: threading.Thread | None = None  # of the last analysis

    @property
    def name(self) -> str:
        """The name that the program gives itself, once it has been started; before, the command."""
        return self._identity

    @property
    def options(self) -> dict[str, Value]:
        """The options that have been set; of a program that runs, all that it declares."""
        return {option.name: option.default for option in self.declared_options} | self._options

    @property
    def declared_options(self) -> tuple[Option, ...]:
        """The options that the program declares: none before `start` or a search, or by Gomocup's protocol.

        UGI tells name, type, default and range or choices. Programs that speak GTP declare KataGo's
        parameters if they know ``kata-list-params``, with their present values and no ranges.
        """
        return tuple(self._player.options.values()) if self._player else ()

    @property
    def text(self) -> str:
        """The program with its options as `tengen match` names players.

        Raises
        ------
        OptionError
            If an option cannot be named there.
        """
        settings = [f"option.{name}={_text(value)}" for name, value in self._options.items()]
        if any(mark in setting for setting in settings for mark in ",:"):
            raise OptionError(f"options: expected no commas or colons for a match, got {', '.join(settings)}")
        return f"{','.join([self.protocol, *settings])}:{join_command(self.command)}"

    def configure(self, **options: Value) -> None:
        """Set options of the program: by ``setoption`` in UGI, by INFO in Gomocup's protocol.

        In GTP, each is a parameter of KataGo's if it is declared, else a command with its argument. A program
        that does not run yet is told when it starts, and may refuse them then.

        Parameters
        ----------
        **options
            Texts, numbers or truth values by name. Other names than those that are words of Python can be
            given by ``**{"Skill Level": 3}``.

        Raises
        ------
        OptionError
            If the program declares options, and none of that name, or not with that value.
        EngineError
            If it refuses an option or fails, the engine is closed, or an analysis is running.
        """
        checked = {name: _checked(name, value) for name, value in options.items()}
        with self._searching(), self._failures():
            for name, value in checked.items():
                if self._player:
                    with refusals(value):
                        self._player.configure(name, _text(value))
                self._options[name] = value

    def _play(self, position: Position, limit: Limit, on_info: OnInfo | None = None) -> Result:
        from tengen.tuning.players.specs import PlayerSpec  # takes half a second

        spec = PlayerSpec(join_command(self.command), self.protocol, self.command)
        if refusal := spec.unsupported_limits(limit.for_side(position.side_to_move)):
            raise OptionError(f"limit: {refusal}")
        if position.is_over():
            return Result(None, notice="the game is over")
        with self._searching(), self._failures(position):
            player, sent = self._ready_player(position)
            try:
                return player.choose(sent, _turn_time(position, limit), on_info)
            except PlayerFailure as failure:
                if failure.reason != EndReason.RESIGNATION:
                    raise
                return Result(None, resigned=True)

    def _analyse(self, position: Position, limit: Limit) -> Sequence[Info]:
        if position.is_over():
            return ()
        with self._searching(), self._failures(position):
            player, sent = self._ready_player(position)
            result = player.search(sent, _turn_time(position, limit))
        if not result.lines:
            raise EngineError(f"{self.command[0]}: expected lines of play with scores, got none")
        return result.lines

    def _begin(self, position: Position, limit: Limit) -> Analysis:
        patience = PATIENCE if limit.time or limit.clock or limit.clocks else float("inf")
        turn_time = _turn_time(position, limit, patience)
        with self._searching(), self._failures(position):
            if position.is_over():
                analysis = Analysis(self, position)
                analysis.feed.finish(Result(None, notice="the game is over"))
                return analysis
            player, sent = self._ready_player(position)
            player.check_search(turn_time.limits)
            analysis, begun = Analysis(self, sent), threading.Event()
            self._running = weakref.ref(analysis)
            arguments = (player, turn_time, analysis.feed, begun.set, self.command[0])
            self._work = threading.Thread(target=_search, args=arguments, daemon=True)
            self._work.start()
            begun.wait()  # so that it can be stopped
        return analysis

    def start(self, spec: GameSpec | Game | str) -> None:
        """Start the program for a game, which otherwise happens with its first search.

        Parameters
        ----------
        spec : GameSpec, Game or str
            What is played next.

        Raises
        ------
        OptionError
            If its protocol has no words for the game, or the program none for an option.
        EngineError
            If it does not start, the engine is closed, or an analysis is running.
        """
        position = Position(GameSpec.of(spec))
        with self._searching(), self._failures(position):
            self._ready_player(position)

    def new_game(self) -> None:
        """Tell the program that a new game begins, before its next turn."""
        with self._searching():
            self._played = None

    def restart(self) -> None:
        """End the program; the next call starts it again, with its options."""
        with self._searching():
            self._forget()

    def stop(self) -> None:
        """Ask the program to end its search, with what it has found; another thread may call it.

        It has ten seconds; then it is ended. By Gomocup's protocol it may take all of its time.
        """
        player = self._player
        if player and self._process == os.getpid():
            player.stop()

    def interrupt(self) -> None:
        """Make a running call return soon: the search is stopped where the protocol can, else the program.

        The call then fails; the next one starts the program again.
        """
        player = self._player
        if player and self._busy and self._process == os.getpid() and not player.stop():
            player.interrupt()

    def close(self) -> None:
        """End the program; closing twice is harmless."""
        self._closed = True
        if self._process != os.getpid():
            return  # it belongs to another process
        player = self._player
        if player and self._busy:
            player.interrupt()
        with self._turn:
            if self._work:
                self._work.join()
            self._forget()

    # ----------------------------------------------------------------------------------------- the program

    @property
    def _busy(self) -> bool:
        """Whether a call or an analysis is running."""
        return self._user is not None or (self._work is not None and self._work.is_alive())

    @contextmanager
    def _searching(self) -> Iterator[None]:
        """Let this thread use the engine, once an analysis that nobody holds any more has ended."""
        with super()._searching():
            if self._work:
                self._work.join()
            yield

    @contextmanager
    def _failures(self, position: Position | None = None) -> Iterator[None]:
        """Turn the failures of the program into EngineErrors."""
        try:
            yield
        except PlayerFailure as failure:
            error = _error(self.command[0], failure)
            error.position = position.copy() if position is not None else None
            raise error from None

    def _forget(self) -> None:
        """End the program, if it runs."""
        if self._finalizer:
            self._finalizer()
        self._finalizer = self._player = self._spec = self._start = self._played = None

    def _ready_player(self, position: Position) -> tuple[EnginePlayer, Position]:
        """Return the player, which knows the game of `position`, and the position as it is sent."""
        from tengen.tuning.players.specs import EXTERNAL_PLAYERS

        start, sent = _sent(position)
        player, played, turns = self._player, self._played, list(sent.turns_played)
        self._played = turns
        if player is None or not player.running or self._spec != sent.spec:
            self._forget()
            player = EXTERNAL_PLAYERS[self.protocol](sent.spec, self.command)
            player.log = self._log
            self._finalizer = weakref.finalize(self, _end, player, os.getpid())
            self._player = player
            try:
                self._identity = player.start()
                for name, value in self._options.items():
                    with refusals(value):
                        player.configure(name, _text(value))
                player.new_game(0, start)
            except BaseException:
                self._forget()
                raise
            self._spec = sent.spec
        elif played is None or start != self._start or any(map(operator.ne, played, turns)):
            player.new_game(0, start)  # neither list of turns leads to the other
        self._start, self._played = start, turns
        return player, sent

    def __repr__(self) -> str:
        state = "closed " if self._closed else ""
        return f"<{state}ExternalEngine({join_command(self.command)!r}, {self.protocol!r})>"


def external(
    command: str | Sequence[str],
    protocol: ProtocolName = "ugi",
    *,
    log: Callable[[str], object] | None = None,
    **options: Value,
) -> ExternalEngine:
    """Return another program as an engine.

    Parameters
    ----------
    command : str or sequence of str
        The program and its arguments, such as ``"gnugo --mode gtp"``.
    protocol : str
        ``gtp``, ``ugi`` or ``gomocup``.
    log : callable, optional
        Called, by the thread that talks to the program, with every line of the dialogue: ``> `` and what is
        sent, ``< `` and what is read. In matches nothing is logged.
    **options
        As for `ExternalEngine.configure`.

    Raises
    ------
    OptionError
        For an unknown protocol, or no command.
    """
    return ExternalEngine(command, protocol, log=log, **options)


def _words(command: object) -> tuple[str, ...]:
    """Return the words of a command."""
    if isinstance(command, str):
        try:
            words = split_command(command)
        except ValueError as error:
            got = f"{quoted(command)} ({error})"
            raise NotationError(f"command: expected a command line, got {got}") from None
    elif isinstance(command, Sequence) and all(isinstance(word, str) for word in command):
        words = tuple(command)
    else:
        raise argument_error(command, "command", "a command line, or a list of its words")
    if not words or any("\0" in word for word in words):
        raise OptionError(f"command: expected a command line, got {quoted(str(command))}")
    return words


def _checked(name: str, value: object) -> Value:
    """Return the value of the option `name`, checked as far as that is possible without the program."""
    if not isinstance(value, str | int | float):
        raise argument_error(value, f"option {name}", "a text, a number, True or False")
    for text in (name, str(value)):
        if not (text.strip() and text.isprintable()):
            raise OptionError(f"option {quoted(name)}: expected one line of text, got {quoted(text)}")
    return value


def _text(value: Value) -> str:
    """Return the value of an option as programs read it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _turn_time(position: Position, limit: Limit, patience: float = PATIENCE) -> TurnTime:
    """Return the limits of a search of `position` as a player takes them.

    `patience` is the time without a limit of time, seconds.
    """
    limits = limit.for_side(position.side_to_move)
    clocks = limit.clocks or ((limit.clock, limit.clock) if limit.clock else None)
    times = [limits.time, limits.clock.remaining if limits.clock else None]
    bound = min((seconds for seconds in times if seconds is not None), default=patience)
    return TurnTime(limits, clocks, bound + SLACK)


def _sent(position: Position) -> tuple[str | None, Position]:
    """Return the start, None for that of the game, and the position as a program can be told them.

    Protocols have no words for a turn of the side that is not to move: the position after such turns is
    itself a start.
    """
    first = Position(position.spec, position.start_text).side_to_move
    sides = enumerate(position.sides_played, first)
    if position.spec.game.out_of_turn and any(side != number % 2 for number, side in sides):
        return position.text(), Position(position.spec, position.text())
    return position.start_text, position.copy()


def _search(
    player: EnginePlayer, turn_time: TurnTime, feed: Feed, on_begin: Callable[[], None], name: str
) -> None:
    """Let a program search, and tell `feed` what it finds; the body of a thread."""
    try:
        feed.finish(player.search(feed.position, turn_time, feed.add, on_begin))
    except PlayerFailure as failure:
        feed.finish(_error(name, failure))
    except TengenError as error:
        feed.finish(error)
    except BaseException as error:
        feed.finish(EngineError(f"{name}: {error!r}"))
        raise
    finally:
        on_begin()  # it may have failed before


def _error(name: str, failure: PlayerFailure) -> EngineError:
    """Return the failure of the program `name` as an error."""
    error = EngineError(f"{name}: {failure}")
    error.value = failure.detail
    return error


def _end(player: EnginePlayer, process: int) -> None:
    """End the program of an engine that is closed, or that nobody holds any more."""
    if process == os.getpid():
        player.close()
