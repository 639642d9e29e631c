"""Feature extraction for fitting evaluations. Specialised with ``game``."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError
from tengen.engine.jit import kernel, specialise
from tengen.search.binding import bound
from tengen.search.warmup import run_step

if TYPE_CHECKING:
    from tengen.engine.game import Game

game: ModuleType


@kernel
def count_features(states, units, features, phases, quiet):
    """Count the features of every position, for the side to move.

    Parameters
    ----------
    states : record array, shape (n,)
    units : int64 array, shape (number of features,) * 2
        The identity matrix: with a unit vector as weights, the weighted sum is that one feature.
    features : int32 array, shape (n, number of features)
        Filled in.
    phases : int32 array, shape (n,)
        Filled in: the row of the evaluation's table for each position.
    quiet : bool array, shape (n,)
        Filled in: whether no threat must be answered, so that a static evaluation is meaningful.
    """
    for i in range(states.size):
        s = states[i]
        phases[i] = game.phase(s)
        quiet[i] = not game.forced(s)
        for j in range(units.shape[0]):
            features[i, j] = game.weighted_sum(s, units[j])


def features_of(
    game: Game, states: NDArray[Any]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """Return the features, phases and quietness of positions, as `count_features` fills them in.

    Parameters
    ----------
    game : Game
    states : ndarray
        The game's STATE, shape (n,).

    Raises
    ------
    OptionError
        When the game's evaluation cannot be learned.
    """
    evaluation = game.evaluation
    if evaluation is None:
        raise OptionError(f"game: expected one whose evaluation can be learned, got {game.name}")
    kernels = specialise("tengen.search.features", bound(game))
    units = np.eye(len(evaluation.features), dtype=np.int64)
    features = np.zeros((len(states), len(units)), np.int32)
    phases, quiet = np.zeros(len(states), np.int32), np.zeros(len(states), np.bool_)
    run_step(game, lambda: kernels.count_features(states[:1], units, features, phases, quiet))
    kernels.count_features(states, units, features, phases, quiet)
    return features, phases, quiet
