"""The threat-space solver on forced wins of ZÈRTZ: all that brute force finds, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from engine.jit import COMPILED
from engine.position import Position
from engine.zertz.rules import forced
from tests.reference import reference
from tests.solver import MOST, Solver, cases, wins
from tests.walks import breadth, scaled, walk

pytestmark = pytest.mark.kernels

CASES = cases()
FEW = 1  # sacrifices; with more it takes compiled kernels
NARROW = 150 if COMPILED else 50  # turns of a position, about, that brute force looks through in no time
EASY = [case for case in CASES if case.sacrifices is not None and case.sacrifices <= FEW]
SAMPLE = CASES if COMPILED else EASY[:: len(EASY) // 4]
WON = [case for case in SAMPLE if case.sacrifices is not None]
SPECS = ["zertz", "zertz,isolation=auto", "zertz:tournament", "zertz,rings=48"]


def named(case) -> str:
    return f"{case.sacrifices} {case.text}"


def wins_literally(model, attacker: int, sacrifices: int) -> bool:
    """Say what `wins` says, from the reference and the texts of whole turns alone."""
    turns = model.turns()
    attacking, capturing = model.turn == attacker, turns[0].startswith("x")
    for turn in turns:
        after = model.play(turn)
        left = sacrifices if capturing or not attacking else sacrifices - 1
        if after.outcome():
            won = after.outcome() == ("first", "second")[attacker]
        else:
            goes_on = not attacking or (left >= 0 and after.turns()[0].startswith("x"))
            won = goes_on and wins_literally(after, attacker, left)
        if won == attacking:
            return won
    return not attacking


def narrow_positions(spec: str, number: int) -> Iterator[Position]:
    """Yield one late position of each random game in which the mover has a few placements."""
    for seed in range(number):
        for position in walk(spec, seed):
            if not forced(position.state) and 10 < breadth(position) <= NARROW:
                yield position
                break


@pytest.mark.parametrize("case", SAMPLE, ids=named)
def test_solver_finds_each_win_with_its_number_of_sacrifices_and_with_no_fewer(case):
    assert Solver(case.position()).fewest_sacrifices() == case.sacrifices


@pytest.mark.parametrize("case", WON, ids=named)
def test_winning_line_leaves_the_opponent_nothing_but_captures_and_ends_in_a_win(case):
    position = case.position()
    attacker, offered = position.side, 0
    turns = Solver(position).turns(case.sacrifices)
    for turn in turns:
        attacking = position.side == attacker
        assert attacking or forced(position.state)
        offered += attacking and not forced(position.state) and turn != turns[-1]
        assert position.play(turn) == turn
    assert position.winner() == attacker
    assert offered <= case.sacrifices


@pytest.mark.parametrize("spec", SPECS)
def test_solver_and_brute_force_agree_on_positions_of_random_games(spec):
    for position in narrow_positions(spec, scaled(20)):
        solver = Solver(position)
        for sacrifices in range(FEW + 1):
            expected, _ = wins(position, sacrifices)
            assert bool(solver.turns(sacrifices)) == expected, (position.text(), sacrifices)


def test_brute_force_and_reference_agree():
    easiest = sorted(EASY, key=lambda case: breadth(case.position()))[: 4 if COMPILED else 2]
    for case in easiest:
        model = reference(case.spec, case.text)
        for sacrifices in range(FEW + 1):
            assert wins_literally(model, model.turn, sacrifices) == wins(case.position(), sacrifices)[0]


def test_suite_is_as_large_and_as_varied_as_it_says():
    numbers = Counter(case.sacrifices for case in CASES)
    assert min(numbers[sacrifices] for sacrifices in range(1, MOST + 1)) >= 15
    assert sum(numbers.values()) - numbers[None] >= 60
    assert numbers[None] >= 30
    assert numbers[0]
    keys = [
        {int(state.key) for state in position.spec.game.rules.symmetries(position.state)}
        for position in (case.position() for case in CASES)
    ]
    assert len({(case.spec, min(own)) for case, own in zip(CASES, keys, strict=True)}) == len(CASES)
