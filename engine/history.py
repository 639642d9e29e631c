"""Earlier states of a game, each kept as what it differs by from the state after it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Difference(NamedTuple):
    """What one state differs by from another of the same dtype.

    Attributes
    ----------
    places : ndarray of uint16 or uint32
        Indices of the words that differ, in order.
    words : ndarray of uint64, or uint8
        Both states' words there, combined by exclusive or.
    """

    places: NDArray[Any]
    words: NDArray[Any]


def _words(state: Any) -> NDArray[Any]:
    """Return a state as an array of words: of bytes if its size is no multiple of 8."""
    data = bytearray(state.tobytes())
    return np.frombuffer(data, np.uint8 if len(data) % 8 else np.uint64)


def difference(one: Any, other: Any) -> Difference:
    """Return what the states (numpy.record) differ by, padding included."""
    words = _words(one) ^ _words(other)
    places = np.flatnonzero(words)
    return Difference(places.astype(np.uint16 if len(words) < 1 << 16 else np.uint32), words[places])


def apply(changes: Difference, state: Any) -> Any:
    """Return the state (numpy.record) that differs from `state` by `changes`."""
    words = _words(state)
    words[changes.places] ^= changes.words
    return words.view(state.dtype)[0]
