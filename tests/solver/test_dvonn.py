"""Endings of DVONN: brute force against the slow reference, its suite, and the engine's solver on that."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tengen.engine.game import Outcome
from tengen.engine.jit import COMPILED, StopFlag
from tengen.engine.play.position import Position
from tengen.engine.play.turns import legal_actions
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.limits.limit import Limit
from tengen.search.solvers import endgame_driver
from tengen.search.solvers.endgame_driver import PROOF_SEARCH_FROM
from tengen.search.solvers.endgame_driver import EndgameSolver as Solver
from tengen.search.worker import Worker
from tests.reference import Dvonn
from tests.solver import Unfinished
from tests.solver.dvonn import GAMES, NAMES, PLIES, PURPOSES, SPEC, SUITE, Case, Ending, Force, cases, margins

CASES = cases()
FEW = 100  # positions


def quick(case: Case) -> bool:
    """Return whether brute force has to look at few positions."""
    try:
        Force(FEW).margin(Ending.parse(case.text))
    except Unfinished:
        return False
    return True


QUICK = [case for case in CASES[::4] if quick(case)]


def named(case: Case) -> str:
    return f"{case.origin} {case.text}"


def margin(position: Dvonn) -> int:
    """Return what the side to move has more than the opponent as things stand [D-8]."""
    white, black = position.score()
    return black - white if position.turn else white - black


def literal_margin(position: Dvonn, known: dict[str, int]) -> int:
    """Return the margin under best play: every turn of every position, with the reference alone."""
    text = position.format()
    if text not in known:
        after = (-literal_margin(position.play(turn), known) for turn in position.turns())
        known[text] = max(after, default=margin(position))
    return known[text]


def by_turn(ending: Ending) -> dict[str, Ending]:
    """Return the positions after each turn, by the turn's text."""
    names = {1 << cell: name for cell, name in NAMES.items()}
    moves = {
        names[origin] + names[target]: ending.played(origin, target) for origin, target in ending.moves()
    }
    return moves or dict.fromkeys(["pass"][: len(ending.children())], ending.passed())


def second_phase(seed: int) -> Iterator[Dvonn]:
    """Yield the positions of the second phase of a random game, and its end."""
    generator, position = random.Random(seed), Dvonn.start()
    while turns := position.turns():
        if position.phase == "m":
            yield position
        position = position.play(generator.choice(turns))
    yield position


@pytest.mark.parametrize("seed", range(6))
def test_rules_of_brute_force_are_those_of_the_reference(seed):
    generator = random.Random(seed)
    for position in second_phase(seed):
        ending, turns = Ending.parse(position.format()), position.turns()
        after = by_turn(ending)
        assert ending.margin() == margin(position)
        assert sorted(after) == sorted(turns)
        for turn in generator.sample(turns, min(5, len(turns))):
            assert after[turn] == Ending.parse(position.play(turn).format()), (position.format(), turn)


@pytest.mark.parametrize("case", QUICK[::2], ids=named)
def test_brute_force_says_what_a_literal_search_with_the_reference_says(case):
    assert literal_margin(Dvonn.parse(case.text), {}) == case.margin


@pytest.mark.parametrize("case", QUICK, ids=named)
def test_suite_says_what_brute_force_says_from_all_sides(case):
    assert {Force().margin(ending) for ending in Ending.parse(case.text).alike()} == {case.margin}


@pytest.mark.parametrize("case", QUICK, ids=named)
def test_line_of_best_play_ends_the_game_with_its_margin(case):
    line = Force().line(Ending.parse(case.text))
    assert all(after in before.children() for before, after in pairwise(line))
    assert not line[-1].children()
    assert line[-1].margin() == (case.margin if len(line) % 2 else -case.margin)


def test_brute_force_gives_up_at_its_limit():
    ending = Ending.parse(max(CASES, key=lambda case: case.plies).text)
    with pytest.raises(Unfinished, match="more than 3 positions"):
        Force(3).margin(ending)


# ------------------------------------------------------------------------------------------------ the suite


def test_positions_of_the_suite_are_sound_and_go_on():
    for case in CASES:
        position = Position.parse(SPEC, case.text)
        assert position.text() == Dvonn.parse(case.text).format() == case.text
        assert position.outcome() == Outcome.ONGOING


def test_suite_is_as_large_and_as_varied_as_it_says():
    numbers = Counter(
        f"{case.origin} {case.plies}" if case.origin in GAMES else case.origin for case in CASES
    )
    kinds = {f"{origin} {plies}" for origin in GAMES for plies in PLIES} | {*PURPOSES}
    assert numbers.keys() == kinds
    assert min(numbers.values()) >= 20
    assert len(CASES) >= 500
    assert all(case.plies in PLIES for case in CASES)


def test_no_position_of_the_suite_is_another_one_seen_from_elsewhere():
    assert len({min(Ending.parse(case.text).alike()) for case in CASES}) == len(CASES)


def test_suite_is_written_as_it_is_read():
    lines = SUITE.read_text("utf-8").splitlines()
    assert [case.line() for case in CASES] == [line for line in lines if not line.startswith("#")]


# ------------------------------------------------------------------------------------------------ the engine


def solved(text, **how):
    """Return what the engine's solver knows of an ending once it has finished."""
    ending = Solver(Position.parse("dvonn", text), TranspositionTable(4), StopFlag(), **how)
    while not ending.exact:
        ending.advance(100_000)
    return ending


def end_of(position, actions):
    """Return the margin that the line leads to, for the side to move in `position`; None if it goes on."""
    rules, state = position.spec.game.rules, position.state.copy()
    for action in actions:
        rules.do_move(state, action)
    if legal_actions(rules, state):
        return None
    margin = int(rules.margin(state))
    return margin if state.side_to_move == position.side_to_move else -margin


def test_the_engine_finds_the_margins_of_the_suite_and_lines_that_lead_there():
    for text, margin in margins():
        ending = solved(text)
        assert (ending.low, ending.high) == (margin, margin), text
        assert ending.sign == (margin > 0) - (margin < 0)
        assert end_of(Position.parse("dvonn", text), ending.line(100_000)) == margin, text


@pytest.mark.parametrize("small", [0, pytest.param(6, marks=pytest.mark.interpreted), 12])
def test_proof_numbers_tell_who_wins_and_a_turn_that_does(small):
    for text, margin in itertools.islice(margins(), small, None, 4 if COMPILED else 100):
        position = Position.parse("dvonn", text)
        ending = Solver(position, TranspositionTable(4), StopFlag(), wide=0, small=small)
        while ending.sign is None:
            ending.advance(500)
        assert ending.sign == (margin > 0) - (margin < 0), text
        assert ending.low <= margin <= ending.high, text
        if margin > 0:
            winner, (action, *_) = position.side_to_move, ending.line(0)
            position.push(position.format((action,)))
            after = solved(position.text())
            assert after.sign == (1 if position.side_to_move == winner else -1), text


def test_both_ways_to_solve_an_ending_agree_where_more_is_left():
    for seed in range(12):
        text = next(p.format() for p in second_phase(seed) if len(p.stacks) <= 17)
        signs = set()
        for wide in (0, 99):
            ending = Solver(
                Position.parse("dvonn", text), TranspositionTable(16), StopFlag(), wide=wide, small=8
            )
            while ending.sign is None:
                ending.advance(10**6)
            signs.add(ending.sign)
        assert len(signs) == 1, text


def test_who_wins_is_known_first_and_shares_of_any_size_come_to_the_same():
    for text, margin in itertools.islice(margins(), 0, None, 7):
        ending = Solver(Position.parse("dvonn", text), TranspositionTable(1), StopFlag())
        signs = []
        while not ending.exact:
            ending.advance(20 + 3 * len(signs))
            signs.append(ending.sign)
            assert ending.low <= margin <= ending.high
        known = [sign for sign in signs if sign is not None]
        assert set(known) == {(margin > 0) - (margin < 0)}


def test_searches_report_exact_endings():
    text, margin = max(margins(), key=lambda case: case[1])
    result = Worker(1, 4).search(Position.parse("dvonn", text), Limit(time=10_000))
    assert result.lines[0].score.margin == margin
    assert str(result.lines[0].score).startswith(f"win by {margin} in ")
    text, _ = next(case for case in margins() if case[1] == 0)
    score = Worker(1, 4).search(Position.parse("dvonn", text), Limit(time=10_000)).lines[0].score
    assert (str(score), score.is_proven, score.turns_to_win) == ("draw", True, None)


def test_a_proven_win_is_not_thrown_away_by_turns_without_time_to_think():
    for text, margin in itertools.islice(((t, m) for t, m in margins() if m > 0), 0, None, 5):
        position, worker = Position.parse("dvonn", text), Worker(1, 8)
        winner = position.side_to_move
        turn = worker.search(position, Limit(time=10_000)).choice
        while turn is not None:
            position.push(turn)
            if position.side_to_move == winner:
                turn = worker.search(position, Limit(nodes=200)).choice
            else:
                turn = random.Random(margin).choice(position.turns()) if position.turns() else None
        assert position.outcome() == Outcome.FIRST_WINS + winner


def test_a_win_that_is_proven_early_is_not_thrown_away_either():
    found = 0
    for seed in itertools.count():
        text = next(p.format() for p in second_phase(seed) if len(p.stacks) <= PROOF_SEARCH_FROM + 4)
        position, worker = Position.parse("dvonn", text), Worker(1, 8)
        result = worker.search(position, Limit(nodes=40_000))
        score = result.lines[0].score
        if not (score.is_proven and score.value > 0 and result.choice):
            continue
        winner, generator, turn = position.side_to_move, random.Random(seed), result.turn
        while turn is not None:
            position.push(turn)
            if position.side_to_move == winner:
                turn = worker.search(position, Limit(nodes=200)).choice
            else:
                turn = generator.choice(position.turns()) if position.turns() else None
        assert position.outcome() == Outcome.FIRST_WINS + winner, text
        found += 1
        if found == 8:
            break


def test_a_loss_is_told_of_all_candidates_once_it_is_proven():
    for seed in itertools.count():
        text = next(p.format() for p in second_phase(seed) if len(p.stacks) <= PROOF_SEARCH_FROM + 4)
        position = Position.parse("dvonn", text)
        lines = Worker(1, 8).search(position, Limit(nodes=40_000, multipv=3)).lines
        if lines[0].score.is_proven and lines[0].score.value < 0:
            break
    assert len({line.pv[0] for line in lines}) == len(lines) == 3
    assert all(line.score.turns_to_win < 0 and line.score.margin is None for line in lines)
    assert str(lines[0].score).startswith("loss in ")


def test_a_stopped_solver_knows_no_more_than_before(monkeypatch):
    monkeypatch.setattr(endgame_driver, "FIRST_LOOK", 0)
    text, _ = next(iter(margins()))
    flag = StopFlag()
    flag.set()
    ending = Solver(Position.parse("dvonn", text), TranspositionTable(1), flag)
    assert not ending.advance(10**6)
    assert (ending.low, ending.high) == (-49, 49)
