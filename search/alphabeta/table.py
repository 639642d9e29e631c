"""The transposition table: a block of memory that all search threads share without locks.

A bucket is one cache line of four entries; an entry is two words, ``key ^ data`` and ``data``, so that a torn
pair fails its own check (Hyatt and Mann, "A lock-less transposition table implementation for parallel
search", 2002). Data, from the lowest bit: action + 1 (20 bits, 0 for none), value + 2**19 (20), depth (8),
bound (2), age (8).
"""

from types import ModuleType
from typing import Any

import numpy as np

from tengen.engine.errors import OptionError
from tengen.engine.jit import kernel, load_word, prefetch, store_word, zeros
from tengen.search.info import PROVEN

UPPER, LOWER, EXACT = 1, 2, 3  # bounds: the value is at most, at least, exactly what is stored

BUCKET_BYTES = 64
_WAYS = 4
_OFFSET = 1 << 19
_SAMPLE = 250  # buckets that hashfull looks at
PROVEN_DEPTH = 255  # of wins proven by threats: deeper than any search

_LINE = np.uint64(6)
_ENTRY, _WORD = np.uint64(16), np.uint64(8)
_MASK20, _MASK8, _MASK2 = np.uint64((1 << 20) - 1), np.uint64(0xFF), np.uint64(3)
_VALUE, _DEPTH, _BOUND, _AGE = np.uint64(20), np.uint64(40), np.uint64(48), np.uint64(50)
_NONE = np.uint64(0)


@kernel
def prefetch_bucket(address, mask, key):
    """Fetch the bucket of `key` from memory, so that a `probe` some instructions later need not wait."""
    prefetch(address + ((key & mask) << _LINE))


@kernel
def probe(address, mask, key):
    """Return the data (uint64) stored for `key`, 0 when there is none.

    Parameters
    ----------
    address, mask : uint64
        Of a `TranspositionTable`.
    key : uint64
        Zobrist key of the position.
    """
    entry = address + ((key & mask) << _LINE)
    for _ in range(_WAYS):
        data = load_word(entry + _WORD)
        if data != _NONE and (load_word(entry) ^ data) == key:
            return data
        entry += _ENTRY
    return _NONE


@kernel
def action_of(data):
    """Return the action (int64) in an entry's data, -1 for none."""
    return np.int64(data & _MASK20) - 1


@kernel
def value_of(data):
    """Return the value (int64) in an entry's data."""
    return np.int64((data >> _VALUE) & _MASK20) - _OFFSET


@kernel
def depth_of(data):
    """Return the depth (int64) to which an entry was searched."""
    return np.int64((data >> _DEPTH) & _MASK8)


@kernel
def bound_of(data):
    """Return the bound (int64) of an entry: UPPER, LOWER or EXACT."""
    return np.int64((data >> _BOUND) & _MASK2)


@kernel
def is_cutoff(value, bound, alpha, beta):
    """Return whether a `value` with this `bound` settles a search of the window (`alpha`, `beta`)."""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


@kernel
def value_to_tt(value, turns):
    """Convert a proven value (int64) from turns counted from the root to turns from a node `turns` below."""
    return value + turns if value >= PROVEN else value - turns if value <= -PROVEN else value


@kernel
def value_from_tt(value, turns):
    """Undo `value_to_tt`."""
    return value - turns if value >= PROVEN else value + turns if value <= -PROVEN else value


@kernel
def store(address, mask, age, key, action, value, depth, bound):
    """Store the result of a search in the least valuable entry of its bucket.

    Parameters
    ----------
    address, mask, key : uint64
    age : int64
        Of the search, 0 to 255. Entries of other searches are replaced first, then the shallowest.
        A win that threats have proven gives way only to a faster one of the same position, and replaces none.
        In a full bucket, if it is of another search, it gives way to any position that needs its place.
    action, value, depth, bound : int64
        Best action or -1; value within ±2**19, for the side to move; depth 0 to 255; UPPER, LOWER or EXACT.
    """
    entry = address + ((key & mask) << _LINE)
    chosen, worst = entry, np.int64(1 << 30)
    for _ in range(_WAYS):
        data = load_word(entry + _WORD)
        if data == _NONE or (load_word(entry) ^ data) == key:
            proven = depth_of(data) == PROVEN_DEPTH and bound_of(data) == LOWER and value_of(data) >= PROVEN
            if proven and (bound == UPPER or value < value_of(data)):
                action, value, depth, bound = action_of(data), value_of(data), depth_of(data), np.int64(LOWER)
            elif depth == PROVEN_DEPTH and bound_of(data) != UPPER and value < value_of(data):
                action, value = action_of(data), value_of(data)  # alpha-beta has found a faster win
            elif action < 0 and data != _NONE:
                action = action_of(data)
            chosen = entry
            break
        old = np.int64((data >> _AGE) & _MASK8) != age
        worth = depth_of(data) - np.int64(256 if old else 0)
        if worth < worst:
            chosen, worst = entry, worth
        entry += _ENTRY
    data = (
        np.uint64(action + 1)
        | (np.uint64(value + _OFFSET) << _VALUE)
        | (np.uint64(max(np.int64(0), depth)) << _DEPTH)
        | (np.uint64(bound) << _BOUND)
        | (np.uint64(age) << _AGE)
    )
    store_word(chosen, key ^ data)
    store_word(chosen + _WORD, data)


class TranspositionTable:
    """The memory of a transposition table.

    Parameters
    ----------
    megabytes : int
        Upper bound of its size; the largest power of two within it is used.

    Attributes
    ----------
    address, mask : numpy.uint64
        What the kernels take. Whoever has taken the address may write until the table is cleared.
    age : int
        Number of the current search, 0 to 255.
    proven_win : tuple of str
        The turns played, and after them the turn that wins, as the last search has proven; else empty.
    answers : dict of int to (int, int)
        Proven results that must not be lost when entries are overwritten, by Zobrist key: a margin that the
        side to move can reach, and an action that reaches it. They cover every reply to the last turn of a
        solved endgame.

    Raises
    ------
    OptionError
        If the allocation fails.
    """

    def __init__(self, megabytes: int) -> None:
        buckets = 1 << ((megabytes << 20) // BUCKET_BYTES).bit_length() - 1
        try:
            self._words = np.zeros(buckets * BUCKET_BYTES // 8 + 8, np.uint64)  # takes no time: see `touch`
        except MemoryError:
            raise OptionError(f"hash: expected a size that fits into memory, got {megabytes} MB") from None
        start = self._words.ctypes.data
        self._address = np.uint64(start + -start % BUCKET_BYTES)
        self._touched = self._written = False  # whether there may be entries
        self.mask = np.uint64(buckets - 1)
        self.age = 0
        self.proven_win: tuple[str, ...] = ()
        self.answers: dict[int, tuple[int, int]] = {}
        self._records: dict[ModuleType, list[tuple[Any, Any]]] = {}  # by kernels: with the nets in them

    def take_record(self, kernels: ModuleType, net: Any) -> Any:
        """Return a THREAD record of `kernels` with this `net`, an array of one: new, or one given back.

        New memory costs a search of Gomoku 2 ms.
        """
        kept = self._records.get(kernels)
        if not kept:
            record, held = zeros(kernels.THREAD), None
        else:
            record, held = kept.pop()
            record.view(np.uint8)[: kernels.CLEARED] = 0
        if held is not net:
            record["net"] = net
        return record

    def give_back(self, kernels: ModuleType, record: Any, net: Any) -> None:
        """Keep a record for `take_record`; whoever has used it uses it no more."""
        self._records.setdefault(kernels, []).append((record, net))

    @property
    def address(self) -> np.uint64:
        """The address of the first entry."""
        self._written = True
        return self._address

    def touch(self) -> None:
        """Take every page of the memory now, so that no search has to; a gigabyte may take seconds."""
        if not (self._touched or self._written):
            self._words.fill(0)
        self._touched = True

    def clear(self) -> None:
        """Remove all entries; an empty table takes no time."""
        if self._written:
            self._words.fill(0)
        self._written = False
        self.age = 0
        self.proven_win, self.answers = (), {}

    def new_search(self) -> None:
        """Make all entries old."""
        self.age = (self.age + 1) & 0xFF

    def hashfull(self) -> int:
        """Return how many entries per mille were written by the current search, from a sample."""
        words: Any = self._words[: min(_SAMPLE * BUCKET_BYTES // 8, len(self._words) - 8)]
        first = int(self._address - np.uint64(self._words.ctypes.data)) // 8
        data = self._words[first + 1 : first + 1 + len(words) : 2]
        current = (data != 0) & ((data >> _AGE) & _MASK8 == np.uint64(self.age))
        return int(1000 * np.count_nonzero(current) // max(1, len(data)))
