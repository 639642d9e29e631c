"""The threat-space solver on forced wins of ZÈRTZ: all that brute force finds, and nothing else."""

import random
import threading
from collections import Counter
from collections.abc import Iterator

import pytest

from tengen.engine.game import Outcome
from tengen.engine.jit import COMPILED, StopFlag
from tengen.engine.play.position import Position
from tengen.engine.zertz.rules import forced
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchThread
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.openings import random_turn
from tests.processes import PATIENCE
from tests.reference import reference
from tests.solver import Solver
from tests.solver.zertz import MOST, cases, wins
from tests.walks import breadth, scaled, walk

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


@pytest.mark.interpreted
@pytest.mark.parametrize("case", SAMPLE, ids=named)
def test_solver_finds_each_win_with_its_number_of_sacrifices_and_with_no_fewer(case):
    assert Solver(case.position()).fewest_offers(MOST) == case.sacrifices


@pytest.mark.parametrize("case", WON, ids=named)
def test_winning_line_leaves_the_opponent_nothing_but_captures_and_ends_in_a_win(case):
    position = case.position()
    attacker, offered = position.side, 0
    turns = Solver(position).turns(case.sacrifices)
    for turn in turns:
        attacking = position.side == attacker
        assert attacking or forced(position.state)
        offered += attacking and not forced(position.state) and turn != turns[-1]
        assert position.push(turn) == turn
    assert position.winner() == attacker
    assert offered <= case.sacrifices


@pytest.mark.parametrize("spec", SPECS)
def test_solver_and_brute_force_agree_on_positions_of_random_games(spec):
    for position in narrow_positions(spec, scaled(20)):
        solver = Solver(position)
        for sacrifices in range(FEW + 1):
            expected, _ = wins(position, sacrifices)
            assert bool(solver.turns(sacrifices)) == expected, (position.text(), sacrifices)


@pytest.mark.interpreted
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


# --------------------------------------------------------------------------------------------- in the search

compiled = pytest.mark.skipif(not COMPILED, reason="searches far")
BROKEN_OFF = [  # late positions in which searches that were broken off told of wins that are none
    ("zertz:tournament,isolation=auto", "----/-----/-.-gw-/--..-g-/--..--/...--/wg-- 0,0,0 1,3,5 3,2,5 2"),
    ("zertz:tournament", "--wb/--.../-----w/-------/------/-----/---- 1,0,1 2,4,5 1,4,3 2"),
]
DEEP = [case for case in CASES if case.sacrifices == 2][::4]


def play_on(worker: Worker, position: Position, nodes: int) -> None:
    """Play a won position to its end, against random replies, and assert that every search sees the win."""
    attacker, generator = position.side_to_move, random.Random(position.text())
    while position.outcome() == Outcome.ONGOING:
        if position.side_to_move != attacker:
            position.push(random_turn(position, generator))
            continue
        result = worker.search(position, Limit(nodes=nodes))
        assert (result.lines[0].score.turns_to_win or 0) > 0, position.text()
        position.push(result.turn)
        nodes = 20_000
    assert position.outcome() == Outcome.FIRST_WINS + attacker


@compiled
@pytest.mark.parametrize("case", DEEP, ids=named)
def test_search_wins_by_threats_and_does_not_lose_sight_of_it(case):
    play_on(Worker(hash_mb=16), case.position(), 4_000_000)


@compiled
@pytest.mark.parametrize("threads", [1, 2])
def test_win_ends_a_search_on_time_and_no_infinite_one(threads):
    worker, position = Worker(threads=threads, hash_mb=16), DEEP[0].position()
    seen = threading.Event()
    worker.go(
        position, Limit(infinite=True), lambda info: info.score.turns_to_win and not info.bound and seen.set()
    )
    assert seen.wait(PATIENCE)
    assert worker.searching
    worker.stop()
    assert worker.wait(PATIENCE).lines[0].score.turns_to_win
    assert (
        worker.search(position, Limit(time=10_000)).lines[0].score.turns_to_win
    )  # and does not take so long


@compiled
def test_win_stands_first_among_candidates():
    position = DEEP[0].position()
    result = Worker(hash_mb=16).search(position, Limit(nodes=3_000_000, multipv=3))
    assert result.lines[0].score.turns_to_win
    assert [line.rank for line in result.lines] == [1, 2, 3]
    assert len({line.pv[0] for line in result.lines}) == 3
    values = [line.score.value for line in result.lines]
    assert values == sorted(values, reverse=True)


@compiled
def test_leaves_look_for_wins_within_their_share():
    thread = SearchThread(DEEP[0].position(), TranspositionTable(1), StopFlag())
    for depth in range(1, 8):
        thread.search(depth, None, 1, ())
    record, leaves = thread._record, thread._kernels.quiescence
    assert 0 < record.leaf_threat_nodes <= record.nodes / leaves.LEAF_SHARE + leaves.LEAF_LIMIT + 200


@compiled
@pytest.mark.parametrize(("spec", "text"), BROKEN_OFF)
def test_search_that_is_broken_off_keeps_what_is_proven_and_claims_no_more(spec, text):
    position = Position.parse(spec, text)
    whole = Worker(hash_mb=1).search(position, Limit(depth=8)).lines[0].score.turns_to_win
    assert whole
    proven = None
    for nodes in range(20, 3000, 40):
        line = Worker(hash_mb=1).search(position, Limit(nodes=nodes)).lines[:1]
        turns_to_win = line[0].score.turns_to_win if line else None
        assert turns_to_win is None or turns_to_win * whole > 0, nodes
        assert turns_to_win is not None or proven is None or whole < 0, f"forgotten at {nodes} nodes"
        proven = turns_to_win
