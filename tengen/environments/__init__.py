"""tengen's games as environments of other libraries, and what these have in common: a game in actions."""

from typing import Any

import numpy as np

from tengen.engine.errors import OptionError
from tengen.engine.game import Game, Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec

MAX_LENGTH = 1000  # actions, after which a game is cut off


def observations_of(spec: GameSpec, spaces: Any) -> Any:
    """Return the space of the observations of a game; `spaces` is Gymnasium's module."""
    position = Position(spec)
    shape, bounds = position.observation().shape, position.action_space.bounds
    low, high = (np.broadcast_to(bound[:, None, None], shape) for bound in bounds)
    return spaces.Box(low, high, dtype=np.float32)


class Episode:
    """A game in actions; all stones of Go count as alive."""

    def __init__(self, spec: GameSpec, max_length: int = MAX_LENGTH) -> None:
        self.position = Position(spec)
        self.length = 0  # actions played
        self._max_length = max_length

    def step(self, action: int) -> str:
        """Play an action; return the text of the turn that it completes, or an empty text."""
        turn = self.position.step(action)
        self.length += 1
        return turn

    @property
    def mover(self) -> int:
        """The side to move, 0 or 1, also within a turn."""
        return int(self.position.stepped_state["side_to_move"])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self.position.legal_actions()

    @property
    def truncated(self) -> bool:
        """Whether the game has been cut off before its end."""
        return self.length >= self._max_length and not self.over

    @property
    def returns(self) -> tuple[float, float]:
        """What both sides have gained: 1, 0 or -1."""
        outcome = Outcome(int(self.position.spec.game.rules.outcome(self.position.stepped_state)))
        gain = {Outcome.FIRST_WINS: 1.0, Outcome.SECOND_WINS: -1.0}.get(outcome, 0.0)
        return gain, -gain


def learnable(spec: GameSpec | Game | str) -> GameSpec:
    """Return a spec whose games can be observed."""
    game = GameSpec.of(spec)
    if game.challenge:
        raise OptionError(f"environment: expected a game without challenges, got {game}")
    if not Position(game).action_space.planes:
        raise OptionError(f"environment: expected a game that offers observations, got {game}")
    return game


def action_name(position: Position, action: int) -> str:
    """Return an action of a position in words: the text of the turn, or what a step of it does."""
    game, raw = position.game, int(position.action_space.raw[action])
    if not game.rules.MULTI_ACTION_TURNS:
        return position.turn_of(action)
    return str(game.module("steps").choices(position.stepped_state, [raw])[raw].label)
