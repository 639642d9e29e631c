"""Engines: what all have in common, and tengen's own search."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, Self, Unpack

from tengen import __version__
from tengen.analyses import Analysis, Feed
from tengen.engine.errors import (
    EngineError,
    OptionError,
    argument_error,
    refusals,
    require,
    require_path,
    whole_number,
)
from tengen.engine.game import Value
from tengen.engine.play.position import Position
from tengen.engine.system import take
from tengen.engine_options import OPTIONS, EngineOptions, checked_options, worker_options
from tengen.search.info import Info, Result
from tengen.search.limits.limit import MAX_LEVEL, MAX_MULTIPV, MAX_SEARCHMOVES, Limit

if TYPE_CHECKING:
    from tengen.search.worker import Worker

OnInfo = Callable[[Info], object]  # takes a line of play
CANCEL_POLL = 0.02  # seconds between two attempts to stop a cancelled call


class BaseEngine(ABC):
    """What can be asked for a turn. It is a context manager, which closes it at the end.

    Any thread may use it. One call is answered after another. An engine belongs to the process that has
    opened it. All methods but `close`, `stop` and `interrupt` raise an EngineError if the engine has failed,
    is closed, or an analysis is running; an engine that cannot express what it is asked for raises an
    OptionError.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()  # held by the thread that uses the engine
        self._user: int | None = None  # that thread
        self._process = os.getpid()
        self._closed = False
        self._running: weakref.ref[Analysis] | None = None

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the engine."""

    def play(
        self,
        position: Position,
        limit: Limit | float,
        root_turns: Sequence[str] | None = None,
        on_info: OnInfo | None = None,
    ) -> Result:
        """Search `position` and return the turn to play.

        Parameters
        ----------
        position : Position
            It stays as it is; play the turn with `Position.push`.
        limit : Limit or float
            A number is a time in seconds.
        root_turns : sequence of str, optional
            The only turns to look at; all by default.
        on_info : callable, optional
            Called in this thread with every new line of play; a weak level reports what it chooses from. Its
            exception stops the search, and is raised once that has ended.

        Raises
        ------
        OptionError
            If there is no limit.
        IllegalTurnError
            If one of `root_turns` cannot be played.
        """
        chosen = _limit_of(limit, position, 1, root_turns)
        if on_info is None:
            return self._play(position, _bounded(chosen)).of(position)
        if not callable(on_info):
            raise argument_error(on_info, "on_info", "a function")
        raised = list[Exception]()

        def report(info: Info) -> None:
            if not raised:
                try:
                    on_info(info.of(position))
                except Exception as error:  # the program answers all the same, and stays in step
                    raised.append(error)
                    self.stop()

        try:
            return self._play(position, _bounded(chosen), report).of(position)
        finally:
            if raised:
                raise raised[0]

    def analyse(
        self,
        position: Position,
        limit: Limit | float,
        multipv: int = 1,
        root_turns: Sequence[str] | None = None,
    ) -> list[Info]:
        """Search `position` at full strength and return the best lines, the best one first.

        Parameters
        ----------
        position, limit, root_turns
            As for `play`.
        multipv : int
            Number of different turns to report; fewer if there are not as many.
        """
        chosen = _limit_of(limit, position, multipv, root_turns)
        return [info.of(position) for info in self._analyse(position, _bounded(chosen))[:multipv]]

    def analysis(
        self,
        position: Position,
        limit: Limit | float | None = None,
        multipv: int = 1,
        root_turns: Sequence[str] | None = None,
    ) -> Analysis:
        """Begin to search `position` and return at once; iterate over the result for what it finds.

        Parameters
        ----------
        position, multipv, root_turns
            As for `analyse`.
        limit : Limit or float, optional
            By default it goes on until it is stopped, or the result of the game is proven.
        """
        chosen = _limit_of(Limit() if limit is None else limit, position, multipv, root_turns)
        return self._begin(position.copy(), chosen)

    @abstractmethod
    def _play(self, position: Position, limit: Limit, on_info: OnInfo | None = None) -> Result: ...

    @abstractmethod
    def _analyse(self, position: Position, limit: Limit) -> Sequence[Info]: ...

    @abstractmethod
    def _begin(self, position: Position, limit: Limit) -> Analysis: ...

    @abstractmethod
    def configure(self, *_: Any, **options: Any) -> None:
        """Change options, from the next search on.

        Parameters
        ----------
        **options
            New values by name; the class of the engine says which there are.
        """

    @abstractmethod
    def new_game(self) -> None:
        """Forget what earlier searches have found."""

    @abstractmethod
    def stop(self) -> None:
        """Ask a running search to end with what it has found; another thread may call it."""

    @abstractmethod
    def close(self) -> None:
        """Stop what is running and release all memory; closing twice is harmless."""

    def interrupt(self) -> None:
        """Make a running call return soon; another thread may call it."""
        self.stop()

    @property
    def closed(self) -> bool:
        """Whether the engine has been closed."""
        return self._closed

    async def aplay(
        self,
        position: Position,
        limit: Limit | float,
        root_turns: Sequence[str] | None = None,
        on_info: OnInfo | None = None,
    ) -> Result:
        """Return what `play` returns; if the task is cancelled, the search stops.

        Parameters
        ----------
        position, limit, root_turns
            As for `play`.
        on_info : callable, optional
            As for `play`, but called by the event loop, which handles its exceptions.
        """
        loop = asyncio.get_running_loop()
        report = (lambda info: loop.call_soon_threadsafe(on_info, info)) if on_info else None
        played: Result = await self._in_thread(self.play, position, limit, root_turns, report)
        return played

    async def aanalyse(
        self,
        position: Position,
        limit: Limit | float,
        multipv: int = 1,
        root_turns: Sequence[str] | None = None,
    ) -> list[Info]:
        """Return what `analyse` returns; if the task is cancelled, the search stops.

        Parameters
        ----------
        position, limit, multipv, root_turns
            As for `analyse`.
        """
        found: list[Info] = await self._in_thread(self.analyse, position, limit, multipv, root_turns)
        return found

    async def _in_thread(self, function: Callable[..., Any], position: Position, *arguments: Any) -> Any:
        """Return what `function` returns for a copy of `position`, called in a thread.

        If this task is cancelled, it is stopped.
        """
        position = require(position, Position, "position", "a tengen.Position").copy()
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
    def _searching(self) -> Iterator[None]:
        """Let this thread use the engine, once no other one does."""
        self._check()
        if self._user == threading.get_ident():
            raise EngineError("engine: it searches for this thread; on_info can only stop it")
        with self._turn:
            self._check()
            self._user = threading.get_ident()
            try:
                analysis = self._running() if self._running else None
                if analysis is not None and not analysis.done:
                    raise EngineError("engine: an analysis is running; stop it first")
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


def _limit_of(limit: object, position: object, multipv: int, root_turns: Sequence[str] | None) -> Limit:
    """Return the limits of a search of `position`; a number is a time in seconds."""
    position = require(position, Position, "position", "a tengen.Position")
    if isinstance(limit, int | float) and not isinstance(limit, bool):
        limit = Limit(time=limit)
    if not 1 <= whole_number(multipv, "multipv") <= MAX_MULTIPV:
        raise OptionError(f"multipv: expected 1 to {MAX_MULTIPV}, got {multipv}")
    chosen = replace(require(limit, Limit, "limit", "a tengen.Limit, or seconds"), multipv=multipv)
    if root_turns is None:
        root_turns = chosen.searchmoves or None
    if root_turns is None:
        return chosen
    if isinstance(root_turns, str) or not isinstance(root_turns, Sequence):
        raise argument_error(root_turns, "root_turns", "a list of turns")
    found = dict[str, None]()  # in their order, each once
    for turn in root_turns:
        with refusals(turn, position):
            actions = position.parse_turn(require(turn, str, "root_turns", "turns as texts"))
            found[position.format(actions)] = None
    if not 1 <= len(found) <= MAX_SEARCHMOVES:
        raise OptionError(f"root_turns: expected 1 to {MAX_SEARCHMOVES} turns, got {len(found)}")
    return replace(chosen, searchmoves=tuple(found))


def _bounded(limit: Limit) -> Limit:
    """Return a limit that ends a search."""
    if not limit.bounded:
        raise OptionError("limit: expected a time, nodes, a depth or a clock, got none")
    return limit


class Engine(BaseEngine):
    """tengen's search.

    Parameters
    ----------
    weights : path, optional
        A file of weights; by default those that tengen comes with. They belong to one game.
    **options
        ``threads``, ``hash`` (MB), ``method`` (``auto``, ``alphabeta`` or ``mcts``), ``level`` (1 to 20),
        ``level_seed``.

    Raises
    ------
    OptionError
        For an unknown option, or a bad value.
    """

    def __init__(
        self, *, weights: str | os.PathLike[str] | None = None, **options: Unpack[EngineOptions]
    ) -> None:
        super().__init__()
        self._options: dict[str, Value] = {name: option.default for name, option in OPTIONS.items()}
        self._options |= checked_options(options)
        self._weights_path = None if weights is None else require_path(weights, "weights")
        self._worker: Worker | None = None
        self._finalizer: weakref.finalize[[], Engine] | None = None

    @property
    def name(self) -> str:
        """``tengen`` and its version."""
        return f"tengen {__version__}"

    @property
    def options(self) -> dict[str, Value]:
        """The values of all options, by name."""
        return dict(self._options)

    @property
    def weights(self) -> str | None:
        """The file of weights; None for those that tengen comes with."""
        return self._weights_path

    def configure(self, **options: Unpack[EngineOptions]) -> None:
        """Change options, from the next search on.

        Parameters
        ----------
        **options
            As for `Engine`.

        Raises
        ------
        OptionError
            For an unknown option, or a bad value; nothing is changed.
        """
        checked = checked_options(options)
        with self._searching():
            self._options |= checked
            if self._worker:
                self._worker.configure(**worker_options(checked))

    def new_game(self) -> None:
        """Forget what earlier searches have found."""
        with self._searching():
            if self._worker:
                self._worker.new_game()

    def warm_up(self, position: Position) -> None:
        """Load, or compile, all that a search needs, so that the first one starts at once.

        Parameters
        ----------
        position : Position
            Any one of the game to be searched.
        """
        require(position, Position, "position", "a tengen.Position")
        with self._searching():
            self._ready_worker(position)

    def _play(self, position: Position, limit: Limit, on_info: OnInfo | None = None) -> Result:
        limit = limit.for_side(position.side_to_move)
        with self._searching():
            worker, feed = self._ready_worker(position), Feed(position)
            worker.go(position, limit, feed.add if on_info else None, feed.finish)
            try:
                while (info := take(feed.lines)) is not None:
                    if on_info:
                        on_info(info)
                worker.wait()
            except BaseException:  # an interrupt: nobody waits for the result any more
                worker.stop()
                raise
        return feed.outcome()

    def _analyse(self, position: Position, limit: Limit) -> Sequence[Info]:
        return self._play(position, replace(limit, level=MAX_LEVEL)).lines

    def _begin(self, position: Position, limit: Limit) -> Analysis:
        limit = replace(limit.for_side(position.side_to_move), level=MAX_LEVEL)
        with self._searching():
            analysis = Analysis(self, position)
            self._ready_worker(position).go(position, limit, analysis.feed.add, analysis.feed.finish)
            self._running = weakref.ref(analysis)
        return analysis

    def close(self) -> None:
        """Stop what is running and release all memory; closing twice is harmless."""
        self._closed = True
        if self._process != os.getpid():
            return  # its threads do not run here
        worker, self._worker = self._worker, None
        if worker:
            worker.stop()
            worker.wait()
        if self._finalizer:
            self._finalizer.detach()

    def stop(self) -> None:
        """Ask a running search to end with what it has found; another thread may call it."""
        worker = self._worker
        if worker:
            worker.stop()

    def _ready_worker(self, position: Position) -> Worker:
        """Return the worker, ready for a search of `position`."""
        if self._worker is None:
            from tengen.search.worker import Worker  # takes half a second

            weights = None
            if self._weights_path is not None:
                from tengen.engine.weights import read_weights

                weights = read_weights(position.spec.game, self._weights_path)
            self._worker = Worker(weights=weights)
            self._worker.configure(**worker_options(self._options))
            self._finalizer = weakref.finalize(self, self._worker.stop)
        self._worker.warm_up(position.game)
        return self._worker

    def __repr__(self) -> str:
        changed = {k: v for k, v in self._options.items() if v != OPTIONS[k].default}
        settings = ", ".join(f"{name}={value!r}" for name, value in changed.items())
        return f"<{'closed ' if self._closed else ''}Engine({settings})>"
