"""A proven result is never thrown away: claims are true, and the next turn keeps them."""

import random
from itertools import islice

import numpy as np
import pytest

from tengen.engine.game import Outcome
from tengen.engine.gomoku.rules import MAX_ACTIONS
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchThread
from tengen.search.info import PROVEN
from tengen.search.limits.limit import Limit
from tengen.search.solvers.endgame_driver import EndgameSolver
from tengen.search.worker import Worker
from tengen.tuning.openings import candidate_turn
from tests.solver.claims import games, source_of

# A win for Black, after e1a1 f3f2 too, but there j2j3 loses; f2h2 is White's answer.
WON = (
    "D,-,-,-,B4,-,B1,B1,B6*/W6,-,-,-,-,B1,-,B1,W1,B1/-,-,-,-,-,W1,W1,B2,W1,W1,B1/"
    "B1,-,-,-,-,-,W4,W1,W1,W2/D,-,-,-,-,-,-,W1,- b m"
)


def sign(position: Position) -> int | None:
    """Return who wins by a solver that has all the time, and a table of its own: 1 the side to move."""
    solver = EndgameSolver(position, TranspositionTable(16), StopFlag())
    solver.advance(10**8)
    return solver.sign


@pytest.mark.parametrize("first", [60_000, 137_191])
@pytest.mark.parametrize("second", [500, 5_000, 22_393, 150_000])
def test_the_turn_after_a_proven_win_wins(first, second):
    position, worker = Position.parse("dvonn", WON), Worker()
    worker.search(position, Limit(nodes=first))
    position.push("e1a1")
    position.push("f3f2")
    result = worker.search(position, Limit(nodes=second))
    if result.lines[0].score.value >= PROVEN:
        position.push(result.turn)
        assert sign(position) == -1, result.turn


def test_a_search_ends_with_the_proof_of_a_margin():
    position = Position.parse("dvonn", WON)
    for turn in ("e1a1", "f3f2", "h2i3", "i2i3"):
        if turn in position.turns():
            position.push(turn)
    result = Worker().search(position, Limit(nodes=10**9))
    assert result.lines[0].score.margin is not None
    assert result.nodes < 10**8


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("spec", "count"), [("dvonn", 15), ("zertz", 2), ("gomoku,size=9", 4), ("gobang,size=9,capture-win=5", 3)]
)
def test_claims_are_true_and_kept(spec, count, threads):
    reports = list(islice(games(source_of(spec), 1, threads), count))
    assert not [fault for report in reports for fault in report.faults]
    assert sum(report.claims for report in reports) > 0


@pytest.mark.parametrize(
    "spec", ["gomoku", "gomoku:exactly-five", "gomoku:renju", "gobang,size=9", "gobang,size=9,capture-win=3"]
)
def test_turns_that_threats_refute_are_left_alone(spec):
    """After turns that the search finds best, the opponent has no win by threats, or all turns are lost."""
    refuted, looked_at = 0, 0
    for seed in range(8):
        generator, position = random.Random(f"{spec} {seed}"), Position.start(GameSpec.parse(spec))
        table = TranspositionTable(1)
        for _ in range(14):
            thread = SearchThread(position, table, StopFlag())
            thread.threats.refutation_rate = 0
            first = thread.search(2, None, 1, ())
            thread.threats.refutation_rate = 100
            best = thread.search(2, None, 1, ())
            assert first
            assert best
            if best.score.is_proven:
                break
            refuted += best.actions[0] != first.actions[0]
            looked_at += 1
            after = position.copy()
            after.make(best.actions[:1])
            other = SearchThread(after, TranspositionTable(1), StopFlag())
            other.threats.proof_rate = 1
            assert not other.prove_by_numbers(1), (after.text(), best.actions)
            careless = candidate_turn(position, generator, np.zeros(MAX_ACTIONS, np.int32))
            position.make(careless if generator.random() < 0.3 else first.actions[:1])
            if position.outcome() != Outcome.ONGOING:
                break
    assert looked_at > 20
    assert refuted
