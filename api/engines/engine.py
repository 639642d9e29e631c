"""tengen's own search as an engine."""

from __future__ import annotations

import os
import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.api.engines.analysis import Analysis
from tengen.api.engines.base import BaseEngine, bounded, inner_of, limit_of, search_limits
from tengen.api.engines.options import OPTIONS, checked_options, worker_options
from tengen.api.errors import EngineError, argument_error
from tengen.api.limit import Limit
from tengen.api.position import Position
from tengen.api.score import Info, PlayResult
from tengen.engine.game import Value
from tengen.search.limits.limit import MAX_LEVEL, Limits

if TYPE_CHECKING:
    from tengen.engine.play.position import Position as GamePosition
    from tengen.search.info import Result
    from tengen.search.worker import Worker


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

    def __init__(self, *, weights: str | os.PathLike[str] | None = None, **options: Value) -> None:
        super().__init__()
        self._options: dict[str, Value] = {name: option.default for name, option in OPTIONS.items()}
        self._options |= checked_options(options)
        if not isinstance(weights, str | os.PathLike | None):
            raise argument_error(weights, "weights", "a path")
        self._weights_path = None if weights is None else os.fspath(weights)
        self._worker: Worker | None = None
        self._finalizer: weakref.finalize[[], Engine] | None = None

    @property
    def name(self) -> str:
        """``tengen`` and its version."""
        from tengen import __version__

        return f"tengen {__version__}"

    @property
    def options(self) -> dict[str, Value]:
        """The values of all options, by name."""
        return dict(self._options)

    @property
    def weights(self) -> str | None:
        """The file of weights; None for those that tengen comes with."""
        return self._weights_path

    def configure(self, **options: Value) -> None:
        """Change options, from the next search on.

        Raises
        ------
        OptionError
            For an unknown option, or a bad value; nothing is changed.
        EngineError
            If the engine is closed, or an analysis is running.
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
        """Load, or compile, all that a search of `position` needs, so that the first one starts at once."""
        with self._searching():
            self._ready_worker(inner_of(position))

    def play(
        self, position: Position, limit: Limit | float, root_turns: Sequence[str] | None = None
    ) -> PlayResult:
        """Search `position` and return the turn to play.

        Parameters
        ----------
        position : Position
            It stays as it is; play the turn with `Position.push`.
        limit : Limit or float
            A number is a time in seconds.
        root_turns : sequence of str, optional
            The only turns to look at; all by default.

        Raises
        ------
        OptionError
            If there is no limit.
        IllegalTurnError
            If one of `root_turns` cannot be played.
        EngineError
            If the engine is closed, or an analysis is running.
        """
        inner, limits = inner_of(position), search_limits(position, bounded(limit), root_turns=root_turns)
        with self._searching():
            result = self._search(inner, limits)
        return PlayResult.of(result, inner)

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
        position : Position
        limit : Limit or float
            A number is a time in seconds.
        multipv : int
            Number of different turns to report; fewer if there are not as many.
        root_turns : sequence of str, optional
            The only turns to look at; all by default.

        Raises
        ------
        OptionError
            If there is no limit.
        IllegalTurnError
            If one of `root_turns` cannot be played.
        EngineError
            If the engine is closed, or an analysis is running.
        """
        inner, limits = inner_of(position), search_limits(position, bounded(limit), multipv, root_turns)
        with self._searching():
            result = self._search(inner, replace(limits, level=MAX_LEVEL))
        return [Info.of(info, inner) for info in result.lines[:multipv]]

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
        position : Position
        limit : Limit or float, optional
            By default it goes on until it is stopped, or the result of the game is proven.
        multipv, root_turns
            As for `analyse`.

        Raises
        ------
        IllegalTurnError
            If one of `root_turns` cannot be played.
        EngineError
            If the engine is closed, or an analysis is running.
        """
        inner = inner_of(position).copy()
        chosen = limit_of(limit) if limit is not None else Limit()
        limits = replace(search_limits(position, chosen, multipv, root_turns), level=MAX_LEVEL)
        with self._searching():
            analysis = Analysis(self, inner)
            worker = self._ready_worker(inner)
            worker.go(inner, limits, analysis.feed.add, analysis.feed.finish)
            self._analysis = weakref.ref(analysis)
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

    def interrupt(self) -> None:
        """Make a running call return soon; another thread may call it."""
        self.stop()

    def stop(self) -> None:
        """Ask a running search to end with what it has found; another thread may call it."""
        worker = self._worker
        if worker:
            worker.stop()

    # ----------------------------------------------------------------------------------------- the searching

    def _search(self, position: GamePosition, limits: Limits) -> Result:
        """Search within `_searching` and return the result."""
        worker = self._ready_worker(position)
        worker.go(position, limits)
        try:
            result = worker.wait()
        except BaseException:  # an interrupt: nobody waits for the result any more
            worker.stop()
            raise
        if result is None:
            raise EngineError("engine: the search has ended without a result")
        return result

    def _ready_worker(self, position: GamePosition) -> Worker:
        """Return the worker, ready for a search of `position`."""
        if self._worker is None:
            from tengen.engine.weights import read_weights
            from tengen.search.worker import Worker

            weights = None
            if self._weights_path is not None:
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
