"""What all engines have in common."""

from __future__ import annotations

import asyncio
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, Self

from tengen.api.errors import EngineError, require
from tengen.api.limit import Limit
from tengen.api.position import Position
from tengen.api.score import PlayResult
from tengen.engine.errors import OptionError

if TYPE_CHECKING:
    from tengen.engine.position import Position as GamePosition

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

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the engine."""

    @abstractmethod
    def play(self, position: Position, limit: Limit | float) -> PlayResult:
        """Return the turn to play in `position`, which stays as it is."""

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

    async def aplay(self, position: Position, limit: Limit | float) -> PlayResult:
        """Return what `play` returns; if the task is cancelled, the search stops."""
        played: PlayResult = await self._in_thread(self.play, position, limit)
        return played

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
            raise EngineError("engine: expected an open one, got one that has been closed")
        if self._process != os.getpid():
            raise EngineError("engine: expected one that this process has opened, got one from before a fork")

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
