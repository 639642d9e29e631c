"""What the environments of all libraries have in common: a game in actions, and how it ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.api.arguments import spec_of
from tengen.api.position import Position
from tengen.engine.arrays import action_space
from tengen.engine.errors import OptionError
from tengen.engine.game import Game, GameSpec, Outcome

BOUND = 100.0  # of the numbers in observations: the komi of Go is the largest


def learnable(spec: GameSpec | Game | str) -> GameSpec:
    """Return a spec whose games can be observed.

    Raises
    ------
    OptionError
        If it has challenges, or offers no observations.
    """
    game = spec_of(spec)
    if game.challenge:
        raise OptionError(f"environment: expected a game without challenges, got {game}")
    if not action_space(game).planes:
        raise OptionError(f"environment: expected a game that offers observations, got {game}")
    return game


def returns(position: Position) -> tuple[float, float]:
    """Return what both sides have gained, 1, 0 or -1; all stones of Go count as alive."""
    outcome = Outcome(int(position.game.rules.outcome(position.state)))
    if outcome in (Outcome.ONGOING, Outcome.DRAW):
        return 0.0, 0.0
    return (1.0, -1.0) if outcome == Outcome.FIRST_WINS else (-1.0, 1.0)


def view(position: Position, side: int) -> NDArray[np.float32]:
    """Return the position as planes for `side`, whoever is to move."""
    states = np.array([position.state], position.game.rules.STATE)
    states["side_to_move"] = side
    planes: NDArray[np.float32] = action_space(position.spec).observe(states)[0]
    return planes


def missing(library: str) -> OptionError:
    """Return the error about a library that is not installed."""
    extra = f"pip install 'tengen[{library}]'"
    return OptionError(f"{library}: expected the library to be installed, got none ({extra})")


def observation_shape(spec: GameSpec) -> tuple[int, ...]:
    """Return the shape of one observation: planes, rows, columns."""
    shape: tuple[int, ...] = Position(spec).observation().shape
    return shape
