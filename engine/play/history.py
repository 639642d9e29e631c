"""The past of a game: earlier states, each kept as what it differs by from the next one, and their keys.

NumPy is imported when it is first needed, which takes longer than all else that positions import.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 64  # keys that sequences share


class Keys:
    """An immutable sequence of keys. One that is longer by a key shares nearly all memory with it."""

    __slots__ = ("_full", "_last")

    def __init__(self, keys: Iterable[int] = ()) -> None:
        self._full: tuple[tuple[int, ...], ...] = ()  # of at least `CHUNK` keys each
        self._last = tuple(keys)

    def __len__(self) -> int:
        return sum(map(len, self._full)) + len(self._last)

    def __iter__(self) -> Iterator[int]:
        for chunk in self._full:
            yield from chunk
        yield from self._last

    def appended(self, key: int) -> Keys:
        """Return this sequence with one more key."""
        longer = Keys((*self._last, key))
        longer._full = self._full
        if len(longer._last) >= CHUNK:
            longer._full, longer._last = (*self._full, longer._last), ()
        return longer

    def count(self, key: int) -> int:
        """Return how often `key` occurs."""
        return sum([chunk.count(key) for chunk in self._full]) + self._last.count(key)


class Difference(NamedTuple):
    """What one state differs by from another of the same dtype."""

    places: NDArray[Any]  # indices of the words that differ, in order
    words: NDArray[Any]  # both states' words there, combined by exclusive or


def _words(state: Any) -> NDArray[Any]:
    """Return a state as an array of words, to be read: of bytes if its size is no multiple of 8."""
    import numpy as np

    data = state.tobytes()
    return np.frombuffer(data, np.uint8 if len(data) % 8 else np.uint64)


def difference(one: Any, other: Any) -> Difference:
    """Return what the states (numpy.record) differ by, padding included."""
    import numpy as np

    words = _words(one) ^ _words(other)
    places = words.nonzero()[0]
    return Difference(places.astype(np.uint16 if len(words) < 1 << 16 else np.uint32), words[places])


def apply(changes: Difference, state: Any) -> Any:
    """Return the state (numpy.record) that differs from `state` by `changes`."""
    words = _words(state).copy()
    words[changes.places] ^= changes.words
    return words.view(state.dtype)[0]
