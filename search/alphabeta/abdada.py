"""Which actions other threads are looking at: a thread puts those off, so that threads share out the tree.

T. Kerrigan, "Simplified ABDADA" (2013): a small table without locks of the (position, action) pairs under
search; an action that stands in it is tried after all others, when the transposition table often holds its
value already.
"""

from __future__ import annotations

import numpy as np

from tengen.engine.jit import kernel, load_word, store_word

SLOTS = 1 << 14
_MASK, _WORD, _FREE = np.uint64(SLOTS - 1), np.uint64(3), np.uint64(0)
_MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel
def move_hash(key, action):
    """Return what stands for `action` (int64) in the position with the Zobrist `key` (uint64)."""
    return key ^ (np.uint64(action + 1) * _MIX)


@kernel
def is_being_searched(address, move_key):
    """Return whether a thread looks at `move_key`; `address` is that of a `CurrentlySearching`."""
    return load_word(address + ((move_key & _MASK) << _WORD)) == move_key


@kernel
def starting_search(address, move_key):
    """Say that this thread looks at `move_key`."""
    store_word(address + ((move_key & _MASK) << _WORD), move_key)


@kernel
def finished_search(address, move_key):
    """Say that this thread has looked at `move_key`."""
    slot = address + ((move_key & _MASK) << _WORD)
    if load_word(slot) == move_key:
        store_word(slot, _FREE)


class CurrentlySearching:
    """The memory of the table.

    Attributes
    ----------
    address : numpy.uint64
        What the kernels take; 0 in a thread's record means that it searches alone.
    """

    def __init__(self) -> None:
        self._words = np.zeros(SLOTS, np.uint64)
        self.address = np.uint64(self._words.ctypes.data)
