"""Built-in players: their base, and simple ones to compare engines with.

Their kernels release the GIL, so that several games run at once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from functools import partial

from tengen.engine.game import Option, Outcome, Value
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search import warmup
from tengen.search.binding import bound
from tengen.tuning.openings import random_turn
from tengen.tuning.players.base import Notice, Player, TurnTime
from tengen.tuning.version import engine_version

WIN_SCORE = 10**9  # beyond any evaluation


class BuiltinPlayer(Player):
    """A player that runs in this process.

    Parameters
    ----------
    spec : GameSpec
        The game to play.
    values : mapping of str to bool, int, float or str
        The options that were given.
    on_notice : callable, optional
        Called with a line that tells what `start` is waiting for.
    """

    OPTIONS: tuple[Option, ...] = ()

    def __init__(self, spec: GameSpec, values: Mapping[str, Value], on_notice: Notice | None = None) -> None:
        self._spec = spec
        self._values = values
        self._on_notice = on_notice

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

    def count_processor_time(self) -> None:
        """Do nothing: the player measures no time."""

    def processor_time(self) -> float:
        """Return the processor time of this process, in which nothing else runs during a turn."""
        return time.process_time()

    def interrupt(self) -> None:
        """Do nothing: turns take no time."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class SeededPlayer(BuiltinPlayer):
    """A player with random numbers, seeded by its own seed and the seed of the game."""

    OPTIONS: tuple[Option, ...] = (Option("seed", 0, "seed of the random numbers", 0, 10**9),)

    def new_game(self, seed: int) -> None:
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
