"""Go's suite of life and death: it is what it says, and the local search proves it."""

from collections import Counter
from itertools import islice

import pytest

from tengen.engine.jit import COMPILED
from tengen.engine.play.position import Position
from tests.reference.go.life import Board
from tests.reference.go.rules import Go
from tests.solver.go import BRUTE_FORCE, LIFE, RACE, Reading, by_brute_force, cases, point_of
from tests.solver.suites.go import MOST_MOVES, SIZE

CASES = cases()
SAMPLE = CASES[:: 10 if COMPILED else 100]
FEW = 6  # empty points of a fight, at most, that brute force looks through in no time
FIGHTS = (
    case
    for case in CASES
    if case.by == BRUTE_FORCE
    and Board(Go.parse(case.text, size=SIZE), case.safe).race(case.chains[0]).field.bit_count() <= FEW
)


def named(case) -> str:
    return case.text


def test_suite_has_races_and_lives_and_no_position_twice():
    assert min(Counter(case.kind for case in CASES).values()) >= 1
    keys = [
        {int(state.key) for state in position.spec.game.rules.symmetries(position.state)}
        for position in (case.position() for case in CASES)
    ]
    assert len({min(own) for own in keys}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_moves_are_legal_and_chains_are_of_the_sides_that_they_should_be_of(case):
    position = case.position()
    colours = [int(position.state.board.stones[point_of(chain, SIZE)]) for chain in case.chains]
    assert case.moves < set(position.turns())
    assert 1 <= len(case.moves) <= MOST_MOVES
    if case.kind == RACE:
        assert colours == [position.side_to_move + 1, 2 - position.side_to_move]
    else:
        assert (case.kind, len(colours)) == (LIFE, 1)


@pytest.mark.parametrize("case", SAMPLE, ids=named)
def test_local_search_proves_what_the_suite_says(case):
    reading = Reading(case.position(), case.safe)
    assert {reading.decisive(chain, MOST_MOVES) for chain in case.chains} == {case.moves}


@pytest.mark.parametrize("case", [*islice(FIGHTS, 10)], ids=named)
def test_brute_force_agrees(case):
    assert set(by_brute_force(case.position(), case.chains, case.safe)) == {case.moves}


def test_nothing_is_decided_where_a_pass_does_as_well():
    alive = Position.parse("go,size=5", "....X/XXXX./OOOOX/.O.OX/OOOOX w - 0 0 0")
    assert Reading(alive, ["A1"]).decisive("A1", 25) is None
