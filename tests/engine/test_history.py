"""What is kept of the past of a game, and how long a turn may be."""

import random
import tracemalloc

import numpy as np
import pytest

from tengen.engine.errors import NotationError
from tengen.engine.play.history import Keys
from tengen.engine.play.position import Position


def test_keys_are_a_sequence():
    chance = random.Random(1)
    for size in (0, 1, 63, 64, 65, 200):
        wanted = [chance.randrange(50) for _ in range(size)]
        for begun in (0, size // 2, size):  # given at once, then one after another
            keys = Keys(wanted[:begun])
            for key in wanted[begun:]:
                keys = keys.appended(key)
            assert (list(keys), len(keys)) == (wanted, size)
            assert [keys.count(key) for key in range(51)] == [wanted.count(key) for key in range(51)]
            assert np.fromiter(keys, np.uint64).tolist() == wanted


def test_a_longer_sequence_leaves_the_shorter_one_as_it_is():
    begin = Keys(range(100))
    one, other = begin.appended(1), begin.appended(2)
    assert [list(keys)[100:] for keys in (begin, one, other)] == [[], [1], [2]]


def test_all_versions_of_a_long_sequence_together_take_little_memory():
    tracemalloc.start()
    versions = [Keys()]
    for key in range(10_000):
        versions.append(versions[-1].appended(key))
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(versions[-1]) == 10_000
    assert taken < 10_000 * 1_000  # bytes; copies would take 400 MB


def test_a_turn_of_a_megabyte_is_refused_at_once():
    position = Position.start("gipf:basic")
    with pytest.raises(NotationError, match="turn: expected at most 4,096 characters, got 1,200,000"):
        position.push("a1-b2;" * 200_000)
