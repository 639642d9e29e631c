"""The adjudicator ends a game early once the search has proved its outcome."""

from __future__ import annotations

from tengen.engine.game import GameSpec, Outcome
from tengen.engine.play.position import Position
from tengen.search.info import Info
from tengen.search.limits.limit import Limits
from tengen.search.worker import Worker
from tengen.tuning.players.base import Notice

HASH_MB = 16


class Adjudicator:
    """Looks for proven results by alpha-beta with one thread, so that its verdicts are reproducible.

    Parameters
    ----------
    spec : GameSpec
        A game without challenges that ends by its rules alone.
    nodes : int
        Positions to search after each turn.
    """

    def __init__(self, spec: GameSpec, nodes: int) -> None:
        self._spec = spec
        self._limits = Limits(nodes=nodes)
        self._worker = Worker(1, HASH_MB, "alphabeta")

    def start(self, on_notice: Notice | None = None) -> None:
        """Compile or load the search."""
        self._worker.warm_up(self._spec.game, on_notice)

    def new_game(self) -> None:
        """Forget earlier games."""
        self._worker.new_game()

    def verdict(self, position: Position) -> tuple[Outcome, int] | None:
        """Return the outcome of a game in progress and the turns until its end, if that is proven."""
        lines = self._worker.search(position, self._limits).lines
        if not lines or not proven(lines[0]):
            return None
        end_in = lines[0].score.end_in
        if end_in is None:
            return Outcome.DRAW, len(lines[0].pv)
        winner = position.side_to_move if end_in > 0 else 1 - position.side_to_move
        return Outcome(Outcome.FIRST_WINS + winner), abs(end_in)

    def interrupt(self) -> None:
        """Stop a running search."""
        self._worker.stop()


def proven(line: Info) -> bool:
    """Return whether the best line of a search proves a result; a mere bound does not."""
    if line.score.end_in is None:
        return line.score.margin is not None
    return line.bound != ("upper" if line.score.value > 0 else "lower")
