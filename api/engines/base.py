"""What all engines have in common."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, Self

from tengen.api.errors import EngineError, argument_error, refusals, require
from tengen.api.limit import Limit
from tengen.api.position import Position
from tengen.api.score import Info, PlayResult
from tengen.engine.errors import OptionError
from tengen.engine.game import Value
from tengen.search.limits.limit import MAX_SEARCHMOVES, Limits

if TYPE_CHECKING:
    from tengen.api.engines.analysis import Analysis
    from tengen.engine.play.position import Position as GamePosition

CANCEL_POLL = 0.02  # seconds between two attempts to stop a cancelled call


class BaseEngine(ABC):
    """What can be asked for a turn. It is a context manager, which closes it at the end.

    Any thread may use it. One call is answered after another. An engine belongs to the process that has
    opened it.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()  # held by the thread that uses the engine
        self._user: int | None = None  # that thread
        self._process = os.getpid()
        self._closed = False
        self._analysis: weakref.ref[Analysis] | None = None

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the engine."""

    @abstractmethod
    def play(
        self, position: Position, limit: Limit | float, root_turns: Sequence[str] | None = None
    ) -> PlayResult:
        """Return the turn to play in `position`, which stays as it is."""

    @abstractmethod
    def analyse(
        self,
        position: Position,
        limit: Limit | float,
        multipv: int = 1,
        root_turns: Sequence[str] | None = None,
    ) -> list[Info]:
        """Search `position` and return the best lines, the best one first."""

    @abstractmethod
    def analysis(
        self,
        position: Position,
        limit: Limit | float | None = None,
        multipv: int = 1,
        root_turns: Sequence[str] | None = None,
    ) -> Analysis:
        """Begin to search `position` and return at once; iterate over the result for what it finds."""

    @abstractmethod
    def configure(self, **options: Value) -> None:
        """Change options, from the next search on."""

    @abstractmethod
    def new_game(self) -> None:
        """Forget what earlier searches have found."""

    @abstractmethod
    def stop(self) -> None:
        """Ask a running search to end with what it has found; another thread may call it."""

    @abstractmethod
    def close(self) -> None:
        """Stop what is running and release all memory; closing twice is harmless."""

    @abstractmethod
    def interrupt(self) -> None:
        """Make a running call return soon; another thread may call it."""

    @property
    def closed(self) -> bool:
        """Whether the engine has been closed."""
        return self._closed

    async def aplay(
        self, position: Position, limit: Limit | float, root_turns: Sequence[str] | None = None
    ) -> PlayResult:
        """Return what `play` returns; if the task is cancelled, the search stops."""
        played: PlayResult = await self._in_thread(self.play, position, limit, root_turns)
        return played

    async def aanalyse(
        self,
        position: Position,
        limit: Limit | float,
        multipv: int = 1,
        root_turns: Sequence[str] | None = None,
    ) -> list[Info]:
        """Return what `analyse` returns; if the task is cancelled, the search stops."""
        found: list[Info] = await self._in_thread(self.analyse, position, limit, multipv, root_turns)
        return found

    async def _in_thread(self, function: Callable[..., Any], position: Position, *arguments: Any) -> Any:
        """Return what `function` returns for a copy of `position`, called in a thread.

        If this task is cancelled, it is stopped.
        """
        inner_of(position)
        position = position.copy()
        cancelled, thread = threading.Event(), list[int]()

        def work() -> Any:
            thread.append(threading.get_ident())
            if cancelled.is_set():
                raise EngineError("engine: the task has been cancelled")
            return function(position, *arguments)

        call = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            return await asyncio.shield(call)
        except asyncio.CancelledError:
            cancelled.set()
            while not call.done():  # it may wait for its turn, or be about to begin
                if thread and self._user == thread[0]:
                    self.interrupt()
                await asyncio.wait([call], timeout=CANCEL_POLL)
            if not call.cancelled():
                call.exception()  # has been seen
            raise

    def _check(self) -> None:
        """Raise EngineError if the engine cannot be used."""
        if self._closed:
            raise EngineError("the engine has been closed")
        if self._process != os.getpid():
            raise EngineError("the engine cannot be used after fork()")

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Let this thread use the engine, once no other one does."""
        self._check()
        with self._turn:
            self._check()
            self._user = threading.get_ident()
            try:
                yield
            finally:
                self._user = None

    @contextmanager
    def _searching(self) -> Iterator[None]:
        """Let this thread use the engine.

        Raises
        ------
        EngineError
            If the engine is closed, or an analysis is running.
        """
        with self._using():
            analysis = self._analysis() if self._analysis else None
            if analysis is not None and not analysis.done:
                raise EngineError("engine: an analysis is running; stop it first")
            yield

    def __enter__(self) -> Self:
        self._check()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"an engine ({type(self).__name__}) cannot be copied or pickled; open another one")


def inner_of(position: object) -> GamePosition:
    """Return the position that a search takes."""
    return require(position, Position, "position", "a tengen.Position")._inner


def limit_of(limit: object) -> Limit:
    """Return a limit, of which a number is a time in seconds."""
    if isinstance(limit, int | float) and not isinstance(limit, bool):
        return Limit(time=limit)
    return require(limit, Limit, "limit", "a tengen.Limit, or seconds")


def bounded(limit: object) -> Limit:
    """Return a limit that ends a search."""
    chosen = limit_of(limit)
    if not chosen.bounded:
        raise OptionError("limit: expected a time, nodes, a depth or a clock, got none")
    return chosen


def search_limits(
    position: Position, limit: Limit, multipv: int = 1, root_turns: Sequence[str] | None = None
) -> Limits:
    """Return the limits of a search of `position`.

    Raises
    ------
    OptionError
        For a bad `multipv`, no root turns, or too many.
    NotationError, IllegalTurnError
        If one of `root_turns` cannot be played.
    """
    limits = limit.limits(position.side_to_move, multipv)
    if root_turns is None:
        return limits
    if isinstance(root_turns, str) or not isinstance(root_turns, Sequence):
        raise argument_error(root_turns, "root_turns", "a list of turns")
    inner, found = inner_of(position), dict[str, None]()  # in their order, each once
    for turn in root_turns:
        with refusals(turn, position):
            found[inner.format(inner.parse_turn(require(turn, str, "root_turns", "turns as texts")))] = None
    if not 1 <= len(found) <= MAX_SEARCHMOVES:
        raise OptionError(f"root_turns: expected 1 to {MAX_SEARCHMOVES} turns, got {len(found)}")
    return replace(limits, searchmoves=tuple(found))
