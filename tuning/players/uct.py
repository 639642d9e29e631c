"""Plain UCT as a player."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial

from tengen.engine.game import GameSpec, Option, Value
from tengen.engine.play.position import Position
from tengen.search import warmup
from tengen.search.limits.clock import time_budget
from tengen.search.limits.limit import Limits
from tengen.search.mcts.uct import Uct
from tengen.tuning.players.base import Notice, TurnTime
from tengen.tuning.players.builtin import SeededPlayer, SingleGamePlayer


class UctPlayer(SingleGamePlayer):
    """Plain UCT: a fixed number of simulations, or as many as the match's nodes or time allow."""

    OPTIONS = (
        Option("simulations", 1000, "simulations a turn, whatever time they take", 1, 10**9),
        *SeededPlayer.OPTIONS,
    )

    def __init__(self, spec: GameSpec, values: Mapping[str, Value], on_notice: Notice | None = None) -> None:
        super().__init__(spec, values, on_notice)
        self._searchers = {played.game.name: Uct(played.game.rules) for played in spec.games}

    def count_processor_time(self) -> None:
        """Let the search count its processor time."""
        for searcher in self._searchers.values():
            searcher.now = time.process_time

    def start(self) -> str:
        """Compile or load the kernels."""
        for spec in self._spec.games:
            searcher = self._searchers[spec.game.name]
            warmup.run_step(spec.game, partial(searcher.choose, Position.start(spec), simulations=1))
        return super().start()

    def new_game(self, seed: int) -> None:
        """Seed the random numbers of all searchers."""
        super().new_game(seed)
        for searcher in self._searchers.values():
            searcher.seed(self._random.getrandbits(64))

    def choose(self, position: Position, turn_time: TurnTime) -> str:
        """Search with the player's own number of simulations, or within the limits of the turn."""
        searcher = self._searchers[position.spec.game.name]
        simulations = self._number("simulations")
        if simulations:
            return searcher.choose(position, simulations)
        return searcher.choose(position, turn_time.limits.nodes, self._seconds(position, turn_time.limits))

    def _seconds(self, position: Position, limits: Limits) -> float | None:
        """Return the time for a turn, planned as the engine plans its own."""
        budget = time_budget(limits, position)
        if budget.soft is None or budget.hard is None:
            return None
        return min(budget.soft, budget.hard)

    def interrupt(self) -> None:
        """Stop the search."""
        for searcher in self._searchers.values():
            searcher.stop.set()
