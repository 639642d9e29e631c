"""The engine itself as a player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tengen.engine.game import Option, Value
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.weights import read_weights
from tengen.search.levels import MAX_SEED
from tengen.search.limits.limit import AUTO, MAX_LEVEL, METHODS
from tengen.search.worker import Worker
from tengen.tuning.players.base import EndReason, Notice, PlayerFailure, SearchReport, TurnTime
from tengen.tuning.players.builtin import BuiltinPlayer


class TengenPlayer(BuiltinPlayer):
    """The engine, searching in this process."""

    OPTIONS = (
        Option("threads", 1, "search threads", 1, 256),
        Option("hash", 64, "size of the table or the tree, MB", 1, 1 << 20),
        Option("search", AUTO, "how to search", choices=METHODS),
        Option("depth", 6, "search no deeper, actions", 1, 64),
        Option("nodes", 10_000, "visit no more positions a turn", 1, 10**12),
        Option("weights", "", "a file of weights for the evaluation"),
        Option("challenge-chance", 50, "chance in percent that a challenger wins", 0, 100),
        Option("level", MAX_LEVEL, "level of play; the highest is full strength", 1, MAX_LEVEL),
    )

    def __init__(self, spec: GameSpec, values: Mapping[str, Value], on_notice: Notice | None = None) -> None:
        super().__init__(spec, values, on_notice)
        method = str(values.get("search", AUTO))
        weights = values.get("weights")
        self._weights = read_weights(spec.game, None if weights is None else str(weights))
        threads, hash_mb = self._number("threads") or 1, self._number("hash") or 64
        chance = self._number("challenge-chance")
        self._worker = Worker(threads, hash_mb, method, self._weights)
        self._worker.configure(
            challenge_chance=None if chance is None else chance / 100, level=self._number("level")
        )

    @property
    def version(self) -> str:
        """The version of the engine, and its weights if they are not the shipped ones."""
        version = super().version
        if self._weights is not None:
            version += f" weights {self._weights.fingerprint}"
        return version

    def count_processor_time(self) -> None:
        """Let the search plan its processor time."""
        self._worker.configure(processor_time=True)

    def start(self) -> str:
        """Compile or load the search."""
        for spec in self._spec.games:
            self._worker.warm_up(spec.game, self._on_notice)
        return self.version

    def new_game(self, seed: int) -> None:
        """Clear the transposition table, and let `seed` decide what a weaker level chooses."""
        self._worker.new_game()
        self._worker.configure(level_seed=1 + seed % MAX_SEED)

    def play(self, position: Position, turn_time: TurnTime) -> str:
        """Search within the limits of the turn; the player's own depth and nodes replace those."""
        limits = turn_time.limits
        depth, nodes = self._number("depth") or limits.depth, self._number("nodes") or limits.nodes
        result = self._worker.search(position, replace(limits, depth=depth, nodes=nodes))
        if result.turn is None:
            raise PlayerFailure(EndReason.CRASH, "the search found no turn")
        best = result.lines[0] if result.lines else None
        self.report = SearchReport(best.score.value, best.depth) if best else None
        return result.turn

    def interrupt(self) -> None:
        """Stop the search."""
        self._worker.stop()
