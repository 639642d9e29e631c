"""Players of one's own, named on the command line, against which people play."""

from __future__ import annotations

import math

from tengen.engine.errors import EngineError, OptionError, TengenError, quoted
from tengen.engine.play.position import Position
from tengen.search.limits.limit import Limit
from tengen.tuning.players import own
from tengen.tuning.players.base import PlayerFailure, TurnTime
from tengen.tuning.players.specs import NO_LIMITS, PYTHON, PlayerSpec

MAX_NAME = 40  # characters


class Opponent:
    """A player of one's own, which is asked about one position after another, of any games."""

    def __init__(self, text: str) -> None:
        spec = PlayerSpec.parse(text)
        if spec.kind != PYTHON:
            raise OptionError(f"--player: expected {PYTHON}:FILE.py:NAME, got {quoted(text)}")
        self._player, self._limits = own.load(*spec.command), spec.limits
        self.name = self._player.name[:MAX_NAME]
        self._last: Position | None = None  # that it was asked about

    def turn(self, position: Position, limit: Limit) -> str:
        """Return its turn; `limit` counts if it has none of its own.

        Raises
        ------
        EngineError
            If it raises an exception, or plays no legal turn.
        """
        last, self._last = self._last, position.copy()
        try:
            if last is None or not _follows(position, last):
                self._player.new_game(0)
            limits = limit if self._limits == NO_LIMITS else self._limits
            return position.copy().push(self._player.play(position, TurnTime(limits, None, math.inf)))
        except (PlayerFailure, TengenError) as error:
            detail = error.detail if isinstance(error, PlayerFailure) else str(error)
            raise EngineError(f"{self.name} does not play: {detail}") from error


def _follows(position: Position, last: Position) -> bool:
    """Return whether a position is of the game in which the last one was, or may be."""
    played = position.turns_played[: len(last.turns_played)]
    return (position.spec, position.start_text, played) == (last.spec, last.start_text, last.turns_played)
