"""Searches of chosen root turns."""

import random

import pytest

from tengen.engine.play.position import Position
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tests.walks import position_after, scaled, some_of

SPECS = ["dvonn", "zertz", "gipf:basic", "gomoku,size=7"]
BOTH = [*((spec, "alphabeta") for spec in SPECS), ("go,size=5", "mcts"), ("gipf:basic", "mcts")]


@pytest.mark.parametrize(("spec", "method"), BOTH)
def test_only_the_chosen_turns_are_searched(spec, method):
    """Turns that are no candidates of the search, and parts of a turn, are no exception."""
    worker, rng = Worker(hash_mb=8, method=method), random.Random(1)
    for position in some_of(spec, 2, slice(3, 40, 12)):
        turns = position.turns()
        if position.outcome() or len(turns) < 2:
            continue
        for count in (1, 2, len(turns) - 1):
            chosen = tuple(rng.sample(turns, min(count, scaled(30))))
            result = worker.search(position, Limit(nodes=scaled(2000), multipv=3, searchmoves=chosen))
            assert result.turn in chosen
            assert {info.pv[0] for info in result.lines} <= set(chosen)
            assert not result.notice
            if count == 1:
                assert len(result.lines) == 1


def test_a_chosen_turn_is_worth_what_it_leads_to():
    """A search of one turn and one of the position after it, an action less deep, agree."""
    position = position_after("dvonn", "f3 d2")
    for turn in ("c3", "a1", "k5"):
        forced = Worker(hash_mb=1).search(position, Limit(depth=3, searchmoves=(turn,))).lines[0]
        after = position.copy()
        after.push(turn)
        reply = Worker(hash_mb=1).search(after, Limit(depth=2)).lines[0]
        assert forced.score.value == -reply.score.value


def test_turns_that_cannot_help_are_searched_if_chosen():
    """White does not stop the four: any other turn loses in two."""
    worker = Worker(hash_mb=1)
    four = Position.parse("gomoku,size=7", "......./......./......./OXXXX../......./.OOO.../....... w")
    (line,) = worker.search(four, Limit(depth=3, searchmoves=("A1",))).lines
    assert (line.pv[0], line.score.turns_to_win) == ("A1", -2)
    both = worker.search(four, Limit(depth=3, multipv=3, searchmoves=("A1", "B1", "F4"))).lines
    assert both[0].pv[0] == "F4"
    assert {info.pv[0] for info in both} == {"A1", "B1", "F4"}


def test_a_restricted_tree_is_not_kept():
    worker = Worker(hash_mb=8)
    position = Position.start("go,size=5")
    assert worker.search(position, Limit(nodes=200, searchmoves=("A1",))).turn == "A1"
    free = worker.search(position, Limit(nodes=2000, multipv=30))
    assert len(free.lines) > 1
    assert free.turn != "A1"
