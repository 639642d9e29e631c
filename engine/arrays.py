"""Positions as arrays of numbers for learning: actions numbered from 0, observations as planes.

A game says in its module ``arrays`` which actions can occur, in which order they are numbered, and what the
planes of an observation hold; in `BOUNDS` the least and the greatest number of planes that are not from 0 to
1. Of a game without it, all numbers that its rules have room for are actions, and there are no observations.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError
from tengen.engine.spec import GameSpec


class ActionSpace:
    """The numbering of the actions of one spec, and its observations.

    Parameters
    ----------
    spec : GameSpec

    Attributes
    ----------
    size : int
        Number of actions.
    raw : ndarray of int32, shape (size,)
        The action of the rules that each number stands for.
    dense : ndarray of int32, shape (ACTIONS,)
        The number of each action of the rules; -1 for those that cannot occur.
    planes : tuple of str
        What the planes of an observation hold; empty if the game offers none.
    bounds : ndarray of float32, shape (2, planes)
        The least and the greatest number that each of them can hold.
    """

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        rules = spec.game.rules
        module = spec.game.module("arrays") if spec.game.offers("arrays") else None
        self.raw: NDArray[np.int32] = (
            np.asarray(module.actions(spec.values), np.int32)
            if module
            else np.arange(rules.ACTIONS, dtype=np.int32)
        )
        self.size = len(self.raw)
        self.dense = np.full(rules.ACTIONS, -1, np.int32)
        self.dense[self.raw] = np.arange(self.size, dtype=np.int32)
        self.planes: tuple[str, ...] = tuple(module.PLANES) if module else ()
        bounds = getattr(module, "BOUNDS", {})
        self.bounds = np.array([bounds.get(plane, (0, 1)) for plane in self.planes], np.float32).T
        self._observe = module.observe if module else None

    def observe(self, states: NDArray[Any]) -> NDArray[np.float32]:
        """Return `states` as planes for their sides to move, float32, shape (states, planes, rows, columns).

        Raises OptionError if the game offers none.
        """
        if self._observe is None:
            raise OptionError(f"observation: expected a game with a module arrays, got {self.spec}")
        observed: NDArray[np.float32] = self._observe(states)
        return observed


@cache
def action_space(spec: GameSpec) -> ActionSpace:
    """Return the numbering of the actions of `spec`."""
    return ActionSpace(spec)


def by_side(states: NDArray[Any], field: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return a field with entries for both sides, (states, 2, ...): those of the side to move, the others."""
    rows = np.arange(len(states))
    own = states["side_to_move"].astype(np.int64)
    return field[rows, own], field[rows, 1 - own]


def bits(words: NDArray[Any], places: NDArray[Any]) -> NDArray[np.float32]:
    """Return whether bits of `words` (uint64) are set, 1 or 0, shape (words, *places).

    The `places` (int64) are numbers of bits; one of -1 is never set.
    """
    shifts = np.maximum(places, 0).astype(np.uint64)
    found = (words.reshape(-1, *[1] * places.ndim) >> shifts) & np.uint64(1)
    return np.where(places >= 0, found, np.uint64(0)).astype(np.float32)


def stack(*planes: NDArray[Any]) -> NDArray[np.float32]:
    """Return the observations that have these planes, float32, shape (states, planes, rows, columns).

    A plane has the shape (states, rows, columns), (1, rows, columns) if it is the same for all states, or
    (states,) if one number fills it.
    """
    boards = [plane if plane.ndim == 3 else plane[:, None, None] for plane in planes]
    return np.stack(np.broadcast_arrays(*boards), axis=1).astype(np.float32)
