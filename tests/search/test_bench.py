"""What searches compute is pinned: the nodes and the best turn of every line of every ``bench.txt``."""

import pytest

from tengen.engine import games
from tengen.search import bench
from tests.walks import COMPILED

TASKS = list(bench.tasks(games.built_in()))


@pytest.mark.skipif(not COMPILED, reason="the same searches take minutes in interpreted kernels")
@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.position.spec}-{task.signature}")
def test_a_search_computes_what_is_pinned(task):
    """After a change on purpose ``python -m tests.tools.pin`` writes the new values."""
    found = bench.measure(task)
    assert (found.signature, found.turn) == (task.signature, task.turn)


def test_bench_positions_are_sound():
    for task in TASKS:
        assert task.position.status() == []
        assert task.position.turns()
        assert task.limit > 0
