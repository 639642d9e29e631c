"""Simplified ABDADA: threads defer moves that another thread is already searching.

A small table without locks holds the (position, action) pairs under search. An action found there is tried
after all others. By then the transposition table often holds its value.

Source: T. Kerrigan, Simplified ABDADA (2013).
"""

import numpy as np

from tengen.engine.jit import kernel, load_word, store_word

SLOTS = 1 << 14
_MASK, _WORD, _FREE = np.uint64(SLOTS - 1), np.uint64(3), np.uint64(0)
_MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel
def move_hash(key, action):
    """Return the hash (uint64) of a position, given by its `key` (uint64), and an `action` (int64)."""
    return key ^ (np.uint64(action + 1) * _MIX)


@kernel
def is_being_searched(address, move_key):
    """Return whether a thread is searching this move; `address` is that of a `CurrentlySearching`."""
    return load_word(address + ((move_key & _MASK) << _WORD)) == move_key


@kernel
def starting_search(address, move_key):
    """Mark the move as being searched."""
    store_word(address + ((move_key & _MASK) << _WORD), move_key)


@kernel
def finished_search(address, move_key):
    """Clear the mark once the move has been searched."""
    slot = address + ((move_key & _MASK) << _WORD)
    if load_word(slot) == move_key:
        store_word(slot, _FREE)


class CurrentlySearching:
    """The table of moves under search, shared by the threads of one search.

    Attributes
    ----------
    address : numpy.uint64
        Passed to the kernels; 0 in a thread's record means that it searches alone.
    """

    def __init__(self) -> None:
        self._words = np.zeros(SLOTS, np.uint64)
        self.address = np.uint64(self._words.ctypes.data)
