"""Repetitions in the tree, for games in which the third occurrence of a position is a draw.

A position that occurs for the second time in a line of the tree counts as a draw: who gains by the cycle
would gain as much without it. A position that occurred once in the game may occur once more, but a third time
is a draw. This way no draw hides a win, and every win that is found stands. At the horizon, where most nodes
are, alpha-beta looks for third occurrences alone.

A value that comes from a repetition holds only below the earlier position of the line. It is not stored in
the transposition table, unless that position lies below, too. Positions that would occur for the third time
are draws throughout the search, so their values may be stored: under keys that depend on the set of these
positions (see `salt_of`).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tengen.engine.jit import kernel
from tengen.engine.play.position import Position

MAX_DRAWN = 256  # positions that a search knows to be a draw: in a cycle of so many turns, two rounds
NO_CYCLE = 1 << 20  # instead of a number of turns: no repetition


@kernel
def is_drawn(t, key):
    """Return whether the position with this `key` (uint64) would occur in the game for the third time.

    `t` is a record with the fields ``drawn_count`` and ``drawn``.
    """
    for i in range(t.drawn_count):  # noqa: SIM110 - no generators in kernels
        if t.drawn[i] == key:
            return True
    return False


@kernel
def last_occurrence(line, turns):
    """Return how many turns from the root (int64) the position `turns` from it last occurred, or `NO_CYCLE`.

    Parameters
    ----------
    line : uint64 array
        Keys of the positions from the root on, by turns. The same side is to move in every other one.
    turns : int64
    """
    earlier = turns - 2
    while earlier >= 0:
        if line[earlier] == line[turns]:
            return earlier
        earlier -= 2
    return np.int64(NO_CYCLE)


def set_up(record: Any, position: Position, salted: bool = False) -> int:
    """Set ``repetition``, ``drawn_count`` and ``drawn`` of a search's record; `position` is the root.

    Return the salt with which a `salted` search combines all keys (see `salt_of`); 0 for another one.
    """
    keys = position.drawn_keys
    salt, drawn = salt_of(keys) if salted else 0, keys[:MAX_DRAWN]
    record["repetition"] = bool(position.spec.repetition)
    record["drawn_count"] = len(drawn)
    record["drawn"][: len(drawn)] = np.array(drawn, np.uint64) ^ np.uint64(salt)
    return salt


def salt_of(keys: Sequence[int]) -> int:
    """Return what a search combines all keys with (by exclusive or), from the keys of drawn positions.

    It is 0 if there are none.
    """
    mixed = 0
    for key in keys:
        mixed = (mixed ^ key) * 0x9E3779B97F4A7C15 % (1 << 64)
    return mixed
