"""Base of the players that are external engines, whatever protocol they speak."""

from __future__ import annotations

import contextlib
import time
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from tengen.engine.errors import printable
from tengen.engine.game import GameSpec
from tengen.engine.position import Position
from tengen.search.limits import Clock
from tengen.tuning.players.base import EndReason, Player, PlayerFailure, TurnTime
from tengen.tuning.players.process import EngineProcess

STARTUP = 120.0  # seconds for an engine to get ready: it may have to compile or to load a net
MAX_IDENTITY = 200  # characters of an engine's name and version
LATE_GRACE = 0.5  # seconds to wait for a late answer, so that an engine that is merely slow is not killed


@dataclass(frozen=True)
class EngineSettings:
    """How an engine is started, and what it is told besides the game.

    Attributes
    ----------
    folder : str or None
        Where it runs; None for the folder of this process.
    environment : tuple of (str, str)
        Variables that are added to those of this process.
    options : tuple of (str, str)
        Its own options: sent by ``setoption`` in UGI, by a command of that name in GTP, by INFO to a brain.
    movetime, nodes, depth : float or int or None
        Its own limits of a turn.
    clock : Clock or None
        Its own clock at the start of a game.
    """

    folder: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: Clock | None = None


NO_SETTINGS = EngineSettings()


class EnginePlayer(Player):
    """An external engine: started when first needed, and again after a failure.

    Parameters
    ----------
    spec : GameSpec
        The game to play.
    command : tuple of str
        The engine and its arguments.
    settings : EngineSettings, optional
    """

    QUIT_COMMAND = "quit"

    def __init__(
        self, spec: GameSpec, command: tuple[str, ...], settings: EngineSettings = NO_SETTINGS
    ) -> None:
        self._spec = spec
        self._command = command
        self._settings = settings
        self._engine: EngineProcess | None = None
        self._identity = command[0]
        self._counts_processor_time = False

    def start(self) -> str:
        """Start the engine and return its name and version."""
        with self._kill_on_failure():
            self._running_engine()
        return self._identity

    def new_game(self, seed: int) -> None:
        """Tell the engine that a new game begins; start it again if it has failed."""
        with self._kill_on_failure():
            self._new_game(self._running_engine())

    def play(self, position: Position, turn_time: TurnTime) -> str:
        """Ask the engine for its turn."""
        with self._kill_on_failure():
            deadline = time.perf_counter() + turn_time.timeout + LATE_GRACE
            return self._genmove(self._running_engine(), position, turn_time, deadline)

    def count_processor_time(self) -> None:
        """Note that the engine is to plan its processor time, for protocols that can tell it so."""
        self._counts_processor_time = True

    def processor_time(self) -> float:
        """Return the processor time of the engine's process, and of those that it has started."""
        with self._kill_on_failure():
            return self._running_engine().processor_time()

    def interrupt(self) -> None:
        """Kill the engine: a thread that waits for it gets a `PlayerFailure`."""
        engine = self._engine
        if engine:
            engine.kill()

    def close(self) -> None:
        """Ask the engine to quit, and kill it if it does not."""
        if self._engine:
            self._engine.close(self.QUIT_COMMAND)
        self._engine = None

    def _running_engine(self) -> EngineProcess:
        """Return the running engine, started if necessary."""
        if self._engine is None:
            self._engine = EngineProcess(
                self._command, self._settings.folder, dict(self._settings.environment)
            )
            identity = self._handshake(self._engine, self._startup_deadline())
            self._identity = printable(identity, MAX_IDENTITY)
        return self._engine

    def _startup_deadline(self) -> float:
        """Return when an engine must be ready, in the time of `time.perf_counter`."""
        return time.perf_counter() + STARTUP

    @contextlib.contextmanager
    def _kill_on_failure(self) -> Iterator[None]:
        """End the engine if it fails, since its state is unknown then."""
        try:
            yield
        except PlayerFailure as failure:
            if self._engine and failure.reason != EndReason.RESIGNATION:
                self._engine.close()
                self._engine = None
            raise

    @abstractmethod
    def _handshake(self, engine: EngineProcess, deadline: float) -> str:
        """Agree on the game; return the engine's name and version."""

    @abstractmethod
    def _new_game(self, engine: EngineProcess) -> None:
        """Tell the engine that a new game begins."""

    @abstractmethod
    def _genmove(
        self, engine: EngineProcess, position: Position, turn_time: TurnTime, deadline: float
    ) -> str:
        """Return the engine's turn in `position`."""


def milliseconds(seconds: float) -> int:
    """Return a time in whole milliseconds; a positive one is at least 1."""
    return max(1, round(seconds * 1000)) if seconds > 0 else 0
