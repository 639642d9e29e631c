"""Built-in players: the engine itself, and simple ones to compare engines with.

Their kernels release the GIL, so that several games run at once.
"""

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from tengen.engine.game import Option, Outcome, Value
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.weights import read_weights
from tengen.search import warmup
from tengen.search.binding import bound
from tengen.search.levels import MAX_SEED
from tengen.search.limits.limit import AUTO, MAX_LEVEL, METHODS
from tengen.search.worker import Worker
from tengen.tuning.openings import random_turn
from tengen.tuning.players.base import EndReason, Notice, Player, PlayerFailure, SearchReport, TurnTime
from tengen.tuning.version import engine_version

WIN_SCORE = 10**9  # beyond any evaluation


class BuiltinPlayer(Player):
    """A player that runs in this process, with the options that were given."""

    OPTIONS: tuple[Option, ...] = ()

    def __init__(self, spec: GameSpec, values: Mapping[str, Value], on_notice: Notice | None = None) -> None:
        self._spec, self._values, self._on_notice = spec, values, on_notice

    def _number(self, name: str) -> int | None:
        """Return the value of a numeric option, None if it was not given."""
        value = self._values.get(name)
        return None if value is None else int(value)

    @property
    def version(self) -> str:
        """The version of the engine that it is part of (see `engine_version`)."""
        return engine_version(self._spec)

    def start(self) -> str:
        """Return `version`."""
        return self.version


class SeededPlayer(BuiltinPlayer):
    """A player with random numbers, seeded by its own seed and the seed of the game."""

    OPTIONS: tuple[Option, ...] = (Option("seed", 0, "seed of the random numbers", 0, 10**9),)

    def new_game(self, seed: int, start: str | None = None) -> None:
        """Start the random numbers of `seed`."""
        self._random = random.Random(f"{self._number('seed') or 0}/{seed}")


class RandomPlayer(SeededPlayer):
    """Plays random legal turns."""

    def play(self, position: Position, turn_time: TurnTime) -> str:
        """Return a random turn."""
        return random_turn(position, self._random)


class GreedyPlayer(SeededPlayer):
    """Plays the turn with the best evaluation; it sees wins and losses one turn ahead.

    In a match with challenges it accepts every turn.
    """

    def start(self) -> str:
        """Compile or load the evaluation."""
        for spec in self._spec.games:
            position = Position.start(spec)
            warmup.run_step(spec.game, partial(self._score, position, next(position.turn_actions())))
        return super().start()

    def play(self, position: Position, turn_time: TurnTime) -> str:
        """Return one of the best turns at random, accept the last turn, or tell what a lot has drawn."""
        if position.awaits_answer:
            return position.turns()[0]
        position = position.current
        scores = {turn: self._score(position, turn) for turn in position.turn_actions()}
        best = max(scores.values())
        return position.format(self._random.choice([turn for turn, score in scores.items() if score == best]))

    def _score(self, position: Position, turn: tuple[int, ...]) -> int:
        """Return the value of the position after `turn`, for the side that plays it."""
        game = bound(position.spec.game)
        state = position.state.copy()
        for action in turn:
            game.do_move(state, action)
        outcome = game.outcome(state)
        if outcome == Outcome.DRAW:
            return 0
        if outcome != Outcome.ONGOING:
            return WIN_SCORE if outcome - Outcome.FIRST_WINS == position.side_to_move else -WIN_SCORE
        value = int(game.evaluate(state))
        return value if state.side_to_move == position.side_to_move else -value


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

    def new_game(self, seed: int, start: str | None = None) -> None:
        """Clear the transposition table, and let `seed` decide what a weaker level chooses."""
        self._worker.new_game()
        self._worker.configure(level_seed=1 + seed % MAX_SEED)

    def play(self, position: Position, turn_time: TurnTime) -> str:
        """Search within the limits of the turn; the player's own depth and nodes replace those."""
        limits = turn_time.limits
        depth, nodes = self._number("depth") or limits.depth, self._number("nodes") or limits.nodes
        result = self._worker.search(position, replace(limits, depth=depth, nodes=nodes))
        if result.choice is None:
            raise PlayerFailure(EndReason.CRASH, "the search found no turn")
        best = result.lines[0] if result.lines else None
        self.report = SearchReport(best.score.value, best.depth) if best else None
        return result.choice

    def interrupt(self) -> None:
        """Stop the search."""
        self._worker.stop()
