"""Counts of turns, from data: what every generator has to reach."""

from pathlib import Path

import pytest

from tengen.engine.jit import COMPILED
from tengen.engine.play.position import Position
from tengen.search import perft
from tests import rows

pytestmark = pytest.mark.interpreted

MOST = 2_000_000 if COMPILED else 150  # larger counts are for `tengen perft`
FOLDER = Path(__file__).parent / "perft"


def counts():
    for path in sorted(FOLDER.glob("*.txt")):
        for spec, text, numbers in rows(path):
            distinct = numbers.startswith("distinct ")
            for depth, number in enumerate(map(int, numbers.removeprefix("distinct ").split()), 1):
                if number <= MOST:
                    yield pytest.param(spec, text, depth, distinct, number, id=f"{spec} {text[:12]} {depth}")


@pytest.mark.parametrize(("spec", "text", "depth", "distinct", "expected"), list(counts()))
def test_count_of_turns(spec, text, depth, distinct, expected):
    position = Position.start(spec) if text == "startpos" else Position.parse(spec, text)
    assert perft.count(position, depth, distinct) == expected
    if depth < 3:
        assert sum(count for _, count in perft.divide(position, depth, distinct)) == expected


def test_distinct_positions_find_room(monkeypatch):
    position = Position.start("gipf:basic")
    monkeypatch.setattr(perft, "SEEN", 8)
    assert perft.count(position, 3 if COMPILED else 1, distinct=True) == (15828 if COMPILED else 24)


@pytest.mark.skipif(not COMPILED, reason="a thousand turns")
def test_turns_to_the_same_position_are_one_turn_of_gipf():
    """Rows that can be taken in either order count once, with and without `divide`."""
    position = Position.parse("gipf", "..../...../....../WWWwBBB/....../...../.... 9 9 w --")
    assert perft.count(position, 1) == len(perft.divide(position, 1)) == len(position.turns()) == 1013


def test_divide_names_every_turn():
    position = Position.start("gomoku,size=5")
    assert [turn for turn, _ in perft.divide(position, 1)] == position.turns()


def test_turns_that_lead_to_the_same_position_count_once():
    """Two stacks that hang on each other alone leave the game whichever climbs on the other [D-6]."""
    rows = (
        "W2*,-,-,-,W1,-,-,W3,-/-,B2*,B2,W3,W1,W1,-,W2*,B2,-/-,-,W1,-,-,B3,B2,-,-,-,-/-,-,-,B2,B6,B4,-,-,-,-/"
    )
    position = Position.parse("dvonn", rows + "-,-,-,-,-,-,-,-,- w m")
    assert perft.count(position, 1) == 15
    assert perft.count(position, 1, distinct=True) == 13
