"""When a game is resigned: the search has given up hope several turns in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.search.info import Result

if TYPE_CHECKING:
    from tengen.engine.position import Position

CONSECUTIVE_TURNS = 3  # own turns in a row without hope
MIN_VISITS = 500  # least simulations that are believed
POINTS_A_TURN = 6  # no game is resigned before one turn was played for so many points of the board


class ResignTracker:
    """Remembers which searches of a game in progress were without hope."""

    def __init__(self) -> None:
        self._hopeless: dict[int, list[tuple[str, ...]]] = {0: [], 1: []}  # by side: turns before each search

    def should_resign(self, position: Position, side: int, result: Result, least: float) -> bool:
        """Return whether `side` is to resign; to be told of all its searches, turn by turn.

        Parameters
        ----------
        position : Position
            Of a game on a square board.
        side : int
            Who is to play there.
        result : Result
            What the search has found.
        least : float
            Expected result, from 0 to 1, below which there is no hope.
        """
        turns = tuple(position.turns_played)
        if not _is_hopeless(result, least):
            self._hopeless[side] = []
            return False
        before = [
            each for each in self._hopeless[side] if len(each) < len(turns) and turns[: len(each)] == each
        ]
        self._hopeless[side] = [*before, turns]
        points = int(position.spec.values["size"]) ** 2
        return len(self._hopeless[side]) >= CONSECUTIVE_TURNS and len(turns) * POINTS_A_TURN >= points


def _is_hopeless(result: Result, least: float) -> bool:
    """Return whether a search by simulations, of enough of them, expects less than `least`."""
    rate = result.lines[0].rate if result.lines else None
    return rate is not None and rate < least and result.nodes >= MIN_VISITS
