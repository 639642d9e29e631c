"""A search under way."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Self

from tengen.engine.errors import TengenError
from tengen.engine.system import await_event, take

if TYPE_CHECKING:
    from tengen.engine.play.position import Position
    from tengen.engines import BaseEngine
    from tengen.search.info import Info, Result


class Analysis:
    """A search under way. Iterate over it, with ``for`` or ``async for``, for every new line of play.

    It is a context manager, which stops the search at the end. It also stops when nobody holds it any more.
    """

    def __init__(self, engine: BaseEngine, position: Position) -> None:
        self._engine = engine  # keeps it alive
        self.feed = Feed(position)

    @property
    def infos(self) -> list[Info]:
        """The latest lines, the best one first."""
        return [line for _, line in sorted(self.feed.latest.items())]

    @property
    def done(self) -> bool:
        """Whether the search has ended."""
        return self.feed.done.is_set()

    def stop(self) -> None:
        """Ask the search to end; the iteration then ends after what has been found."""
        if not self.done:
            self._engine.stop()

    def wait(self) -> Result:
        """Wait until the search ends and return its result.

        Raises
        ------
        EngineError
            If the engine has failed.
        """
        await_event(self.feed.done)
        return self.feed.outcome()

    def __iter__(self) -> Iterator[Info]:
        """Yield every new line of play, until the search ends.

        Raises
        ------
        EngineError
            If the engine has failed, after what it has found.
        """
        while not self.feed.ends_with(info := take(self.feed.lines)):
            if info is not None:
                yield info
        self.feed.outcome()

    async def __aiter__(self) -> AsyncIterator[Info]:
        while True:
            try:
                info = await asyncio.to_thread(self.feed.lines.get)
            except asyncio.CancelledError:
                self.feed.lines.put(None)  # for the thread, which still waits
                raise
            if self.feed.ends_with(info):
                break
            if info is not None:
                yield info
        self.feed.outcome()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        await_event(self.feed.done)

    def __del__(self) -> None:
        self.stop()


class Feed:
    """What a search reports, for whoever reads it; the search holds this, not the `Analysis`."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.lines: queue.SimpleQueue[Info | None] = queue.SimpleQueue()  # None wakes whoever waits
        self.latest: dict[int, Info] = {}  # by rank
        self.done = threading.Event()
        self._result: Result | TengenError | None = None

    def add(self, info: Info) -> None:
        """Take one line from the search."""
        line = info.of(self.position)
        self.latest[info.rank] = line
        self.lines.put(line)

    def finish(self, result: Result | TengenError) -> None:
        """Take the result, or the failure of the engine."""
        self._result = result
        self.done.set()
        self.lines.put(None)

    def ends_with(self, info: Info | None) -> bool:
        """Return whether what was taken from `lines` is the end; another iteration then ends at once."""
        if info is not None or not (self.done.is_set() and self.lines.empty()):
            return False
        self.lines.put(None)
        return True

    def outcome(self) -> Result:
        """Return the result of a search that has ended."""
        assert self._result is not None
        if isinstance(self._result, TengenError):
            raise self._result
        return self._result.of(self.position)
