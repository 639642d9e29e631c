"""The lines of play that a program reports while it searches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from tengen.engine.errors import TengenError, quoted
from tengen.engine.play.position import Position
from tengen.search.info import Info, Result
from tengen.search.limits.limit import Limits
from tengen.tuning.players.base import EndReason, PlayerFailure

OnInfo = Callable[[Info], None]  # is called with every line of play


class Lines:
    """The lines of play of a search, as a program reports them.

    Parameters
    ----------
    position : Position
    limits : Limits
        With the turns to look at, and how many lines to keep.
    began : float
        When the search began, in the time of `time.perf_counter`.
    on_info : callable
        Is called with every line that begins with a legal turn.
    """

    def __init__(self, position: Position, limits: Limits, began: float, on_info: OnInfo) -> None:
        self._position = position
        self._limits = limits
        self._began = began
        self._on_info = on_info
        self._last: list[Info] = []  # the report that goes on, by rank
        self._whole: list[Info] = []  # the one before
        self._bare: Info | None = None  # a report on the best turn that does not name it
        self._nodes = 0

    def add(self, info: Info) -> None:
        """Take a line of play whose turns are not checked yet."""
        self._nodes = max(self._nodes, info.nodes)
        if not info.pv:
            self._bare = info if info.rank == 1 else self._bare
            return
        pv, allowed = self._playable(info.pv), self._limits.searchmoves
        if not pv or info.rank > self._limits.multipv or (allowed and pv[0] not in allowed):
            return
        line = replace(info, pv=pv, seconds=info.seconds or time.perf_counter() - self._began)
        if line.rank == 1 and not line.bound:
            self._whole, self._last = self._last or self._whole, []
        if not line.bound:
            self._last.append(line)
        self._on_info(line)

    def result(self, turn: str | None, ponder: str | None, seconds: float) -> Result:
        """Return what the search has found, of which `turn` is the answer.

        Raises
        ------
        PlayerFailure
            If `turn` cannot be played, or is not one of those to look at.
        """
        best = self._playable(filter(None, (turn, ponder)))
        if turn is not None:
            self._require_playable(turn)
        if not (self._last or self._whole) and self._bare and best:
            self.add(replace(self._bare, pv=best))
        lines = self._last if len(self._last) >= len(self._whole) else self._whole
        lines = sorted(lines, key=lambda line: line.rank)
        chosen = best[0] if best else lines[0].pv[0] if lines else None
        reply = best[1] if len(best) > 1 else None
        return Result(chosen, reply, tuple(lines), self._nodes, seconds)

    def _require_playable(self, turn: str) -> None:
        """Raise PlayerFailure unless `turn` can be played, and is one of those to look at."""
        try:
            canonical, allowed = self._position.copy().push(turn), self._limits.searchmoves
        except TengenError as error:
            expected = f"expected a legal turn, got {quoted(turn)} ({error})"
            raise PlayerFailure(EndReason.ILLEGAL, expected) from None
        if allowed and canonical not in allowed:
            raise PlayerFailure(EndReason.ILLEGAL, f"expected one of the root turns, got {canonical}")

    def _playable(self, turns: Iterable[str]) -> tuple[str, ...]:
        """Return the canonical texts of those first `turns` that can be played one after another."""
        position, played = self._position.copy(), list[str]()
        for turn in turns:
            try:
                played.append(position.push(turn))
            except TengenError:
                break
        return tuple(played)
