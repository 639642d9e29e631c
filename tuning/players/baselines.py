"""Simple players to compare engines with."""

from __future__ import annotations

from functools import partial

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.search import warmup
from tengen.search.binding import bound
from tengen.tuning.openings import random_turn
from tengen.tuning.players.base import TurnTime
from tengen.tuning.players.builtin import SeededPlayer

WIN_SCORE = 10**9  # beyond any evaluation


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
