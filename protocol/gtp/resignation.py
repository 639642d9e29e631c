"""When to resign: the win rate was below the threshold several turns in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.search.info import Result

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

CONSECUTIVE_TURNS = 3  # own turns in a row below the threshold
MIN_VISITS = 500  # simulations below which a win rate is not trusted
POINTS_A_TURN = 6  # no resignation before one turn was played for this many points of the board


class ResignTracker:
    """Remembers which searches of the current game were hopeless."""

    def __init__(self) -> None:
        self._hopeless: dict[int, list[tuple[str, ...]]] = {0: [], 1: []}  # by side: turns before each search

    def should_resign(self, position: Position, side: int, result: Result, threshold: float) -> bool:
        """Return whether `side` should resign; to be called after each of its searches.

        Parameters
        ----------
        position : Position
            The position that was searched, on a square board.
        side : int
            The side to move there.
        result : Result
        threshold : float
            Win rate, from 0 to 1, below which a position is hopeless.
        """
        turns = tuple(position.turns_played)
        if not _is_hopeless(result, threshold):
            self._hopeless[side] = []
            return False
        before = [
            earlier
            for earlier in self._hopeless[side]
            if len(earlier) < len(turns) and turns[: len(earlier)] == earlier
        ]
        self._hopeless[side] = [*before, turns]
        points = int(position.spec.values["size"]) ** 2
        return len(self._hopeless[side]) >= CONSECUTIVE_TURNS and len(turns) * POINTS_A_TURN >= points


def _is_hopeless(result: Result, threshold: float) -> bool:
    """Return whether MCTS, with enough simulations, expects less than `threshold`."""
    rate = result.lines[0].rate if result.lines else None
    return rate is not None and rate < threshold and result.nodes >= MIN_VISITS
