"""Forced wins of Gomoku, Renju and Gobang: brute force by rules of its own, and the engine's solver."""

import contextlib
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.search.alphabeta.deepening import Deepening
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchThread
from tengen.search.info import PROVEN
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tests.reference import reference
from tests.solver import Solver, Unfinished
from tests.solver.fives import PATIENCE, Board, Case, Force, cases, point, suite, vertex

SUITES = ["gomoku", "gobang"]
CASES = [case for game in SUITES for case in cases(game)]
SHORT = [case for case in CASES if case.plies == 3]
WITH_CHECKS = SHORT[:: len(SHORT) // 4]  # solved by interpreted kernels, too
SOLVED = [
    pytest.param(
        case,
        marks=pytest.mark.interpreted if case in WITH_CHECKS else pytest.mark.nightly if number % 2 else (),
    )
    for number, case in enumerate(CASES)
]
BY_FORCE = CASES[::20]
SMALL = ["gomoku,size=6", "gomoku:exactly-five,size=7", "gomoku:renju,size=6", "gobang,size=6,capture-win=2"]
RANDOM = [
    "gomoku,size=9",
    "gomoku:exactly-five,size=9",
    "gomoku:renju,size=9",
    "gobang,size=9",
    "gobang,size=9,capture-win=3",
]
FORCES: dict[str, Force] = {}


def named(case: Case) -> str:
    return f"{case.plies} {case.spec} {case.text}"


def force(spec: str) -> Force:
    """Return brute force for a game spec: its memory is large, and kept."""
    if spec not in FORCES:
        FORCES[spec] = Force(spec, 300_000)
    return FORCES[spec]


def random_boards(spec: str, seed: int) -> Iterator[Board]:
    """Yield the positions of a random game until somebody has won or may not move."""
    generator = random.Random(f"{spec} {seed}")
    position = Board.start(spec)
    while not position.winner() and (cells := position.legal()):
        yield position
        position = position.played(generator.choice(cells))


# ------------------------------------------------------------------------------------ brute force by itself


@pytest.mark.parametrize("spec", [*SMALL, "gobang,size=7", "gomoku:renju,size=9"])
def test_rules_of_brute_force_are_those_of_the_reference(spec):
    forbidden = captured = 0
    for seed in range(12):
        for position in list(random_boards(spec, seed))[seed % 5 :: 5]:
            model = reference(spec, position.text())
            legal = [vertex(cell) for cell in position.legal()]
            assert legal == model.turns(), position.text()
            forbidden += len(legal) < np.count_nonzero(position.cells == 0)
            captured = max(captured, *position.pairs)
            last = random.Random(seed).choice(legal)
            after, model = position.played(point(last)), model.play(last)
            assert after.text() == model.format()
            assert {"first": 1, "second": 2}.get(model.outcome() or "", 0) == after.winner()
    assert forbidden or "renju" not in spec
    assert captured or "gobang" not in spec


def passed(model):
    """Return the position of the reference with the other side to move."""
    rows, side, *pairs = model.format().split()
    return " ".join([rows, "bw".replace(side, ""), *pairs])


def wins_at_once(spec: str, model) -> bool:
    return any(model.play(turn).outcome() in ("first", "second") for turn in model.turns())


def wins_by_fours_literally(spec: str, model, plies: int) -> bool:
    """Say what `Force` says of fours, from the reference alone, without leaving out any reply."""
    if plies > 0 and wins_at_once(spec, model):
        return True
    for turn in model.turns() if plies >= 3 else ():
        after = model.play(turn)
        if after.outcome() or not wins_at_once(spec, reference(spec, passed(after))):
            continue
        replies = [after.play(reply) for reply in after.turns()]
        if all(not reply.outcome() and wins_by_fours_literally(spec, reply, plies - 2) for reply in replies):
            return True
    return False


@pytest.mark.parametrize("spec", [*SMALL[1:], "gobang,size=5"])
def test_brute_force_and_reference_agree_on_wins_by_fours(spec):
    found = Counter()
    for seed in range(6):
        for position in list(random_boards(spec, seed))[-3:-1]:
            model = reference(spec, position.text())
            plies = force(spec).shortest_win(position, 5).plies
            assert wins_by_fours_literally(spec, model, plies or 5) == (plies is not None), position.text()
            assert not (plies and wins_by_fours_literally(spec, model, plies - 2))
            found[plies] += 1
    assert found[1] > 0
    assert found[None] > 0


@pytest.mark.parametrize("case", BY_FORCE, ids=named)
def test_brute_force_confirms_the_suite(case):
    verdict = Force(case.spec).shortest_win(Board.parse(case.spec, case.text))
    assert verdict.plies == case.plies


def test_suites_are_as_large_and_as_varied_as_they_say():
    for game, wins in (("gomoku", 120), ("gobang", 40)):
        suited = cases(game)
        numbers = Counter(case.plies for case in suited)
        assert sum(numbers.values()) - numbers[None] >= wins, suite(game)
        assert numbers[None] >= wins
        assert min(numbers[plies] for plies in (3, 5, 7, 9)) >= wins // 10
        assert len({(case.spec, case.text.split()[1]) for case in suited if case.plies}) >= 4
        alike = [min(Board.parse(case.spec, case.text).alike()) for case in suited]
        assert len({(case.spec, text) for case, text in zip(suited, alike, strict=True)}) == len(suited)
    assert sum((case.plies or 0) >= 11 for case in CASES) >= 15


WINS = [  # spec, position, threes, plies of the shortest win
    ("gomoku", "......./......./......./.XXXX../.OOOO../......./....... b", 0, 1),
    # a five comes before a four; a four is stopped by one's own, or not at all
    ("gomoku", "......./......./......./..XXX../..OOOO./......./....... b", 0, None),
    ("gomoku", "......./......./.....X./XOOOO../.....X./.....X./....... b", 0, 3),
    ("gomoku", "......./......./.....X./XOOOO../......./.....X./....... b", 0, None),
    # two threes at once are a win by one three, but not for Renju's Black
    ("gomoku", "......./......./...XX../..X..../..X..../......./....... b", 0, None),
    ("gomoku", "......./......./...XX../..X..../..X..../......./....... b", 1, 5),
    ("gomoku:renju", "......./......./...XX../..X..../..X..../......./....... b", 1, None),
    # nor are two fours
    ("gomoku", "......./......./OXXX.../....X../....X../....X../....... b", 0, 3),
    ("gomoku:renju", "......./......./OXXX.../....X../....X../....X../....... b", 0, None),
    # Black cannot stop a five on the point where he would make six
    ("gomoku:renju", "......./...X.../XXX.XX./...O.../...O.../...O.../....... w", 0, 3),
    ("gomoku", "......./...X.../XXX.XX./...O.../...O.../...O.../....... w", 0, None),
    # a pair taken out of a straight four costs a turn, or the game
    ("gomoku", "......./...O.../...X.../..XXX../......./......./....... b", 0, 3),
    ("gobang", "......./...O.../...X.../..XXX../......./......./....... b 0 0", 0, 5),
    ("gobang,capture-win=1", "......./...O.../...X.../..XXX../......./......./....... b 0 0", 0, None),
    ("gobang,capture-win=2", "......./......./.XOO.../......./......./......./....... b 1 0", 0, 1),
    # a pair that is threatened stands no more when it has become three
    ("gobang,capture-win=2", "......./......./..OO.../......./......./......./....... b 1 0", 0, None),
]


@pytest.mark.parametrize(("spec", "text", "threes", "plies"), WINS)
def test_brute_force_knows_what_a_win_is(spec, text, threes, plies):
    spec = f"{spec},size=7"
    assert force(spec).shortest_win(Board.parse(spec, text), 9, threes).plies == plies


# ---------------------------------------------------------------------------------------- the engine's solver


@pytest.mark.parametrize("case", SOLVED, ids=named)
def test_solver_finds_each_win_by_fours_and_claims_no_other(case):
    turns: tuple[str, ...] = ()
    with contextlib.suppress(Unfinished):
        turns = Solver(Position.parse(case.spec, case.text), PATIENCE).turns(0)
    assert bool(turns) == (case.plies is not None)
    if case.plies:
        assert len(turns) >= case.plies
        assert force(case.spec).confirm_line(Board.parse(case.spec, case.text), turns)


@pytest.mark.parametrize("spec", RANDOM)
def test_solver_and_brute_force_agree_on_fours_in_random_games(spec):
    won = 0
    for seed in range(24):
        for board in list(random_boards(spec, seed))[12::4]:
            with contextlib.suppress(Unfinished):
                plies = force(spec).shortest_win(board).plies
                turns = Solver(Position.parse(spec, board.text()), PATIENCE // 10).turns(0)
                assert bool(turns) == (plies is not None), board.text()
                won += (plies or 0) > 1
    assert won


THREES = 3
DEEPEST = 11  # plies of a win by threes that brute force looks through


def line_with_threes(position: Position) -> tuple[int, tuple[str, ...]]:
    """Return the winning line of the fewest threes that the solver finds soon, and how many it may hold."""
    solver = Solver(position, 30_000)
    with contextlib.suppress(Unfinished):
        for threes in range(THREES + 1):
            if turns := solver.turns(threes):
                return threes, turns
    return 0, ()


@pytest.mark.parametrize("spec", RANDOM)
def test_brute_force_confirms_wins_by_threes_that_the_solver_claims(spec):
    confirmed, seeds = 0, iter(range(40))
    while confirmed < 8 and (seed := next(seeds, None)) is not None:
        for board in list(random_boards(spec, seed))[10:40:3]:
            threes, turns = line_with_threes(Position.parse(spec, board.text()))
            if threes and len(turns) <= DEEPEST:
                with contextlib.suppress(Unfinished):
                    assert force(spec).confirm_line(board, turns, threes), (board.text(), turns)
                    confirmed += 1
    assert confirmed >= 4


# -------------------------------------------------------------------------------------------- proof numbers

PATIENCE_OF_BOTH = 40_000  # actions


def both_find(spec, text):
    """Return whether depth-first search and proof numbers find a win; None for what gave up."""
    position, found = Position.parse(spec, text), []
    for number in range(2):
        solver = Solver(position, PATIENCE_OF_BOTH)
        try:
            found.append(bool(solver.by_proof_numbers() if number else solver.fewest_offers(15) is not None))
        except Unfinished:
            found.append(None)
    return found


@pytest.mark.parametrize("case", SOLVED, ids=named)
def test_proof_numbers_find_each_win_by_fours(case):
    if case.plies:
        line = Solver(Position.parse(case.spec, case.text)).by_proof_numbers()
        assert line
        position = Position.parse(case.spec, case.text)
        position.push(line[0])
        assert position.outcome() or Solver(position).by_proof_numbers() == ()


def test_proof_numbers_and_depth_first_search_agree():
    """On positions without a win by fours; many are won by threes, too."""
    decided = Counter()
    for case in CASES[::2]:
        if case.plies is None:
            first, second = both_find(case.spec, case.text)
            decided[first, second] += 1
            assert {first, second} != {True, False}, case.text
    assert decided[True, True] > 10
    assert decided[False, False] > 10


@pytest.mark.parametrize("spec", RANDOM)
def test_brute_force_confirms_what_proof_numbers_claim(spec):
    boards = (board for seed in range(20) for board in list(random_boards(spec, seed))[10:40:5])
    confirmed = 0
    while confirmed < 2:
        board, turns = next(boards), ()
        with contextlib.suppress(Unfinished):
            turns = Solver(Position.parse(spec, board.text()), 20_000).by_proof_numbers()
        if 3 <= len(turns) <= 5:
            with contextlib.suppress(Unfinished):
                assert force(spec).confirm_line(board, turns, 2), (board.text(), turns)
                confirmed += 1


def test_an_interrupted_search_by_proof_numbers_goes_on():
    case = next(case for case in CASES if case.plies == 11)
    position = Position.parse(case.spec, case.text)
    whole, slices = Solver(position), Solver(position, 30)
    line, limit = None, 30
    while line is None:
        try:
            line = slices.by_proof_numbers()
        except Unfinished:
            limit *= 2
            slices._record.threat_limit, slices._record.gave_up = limit, 0
    assert limit > 30
    assert line
    assert whole.by_proof_numbers()


def test_a_search_by_proof_numbers_ends_where_positions_contend_for_a_place_of_its_table():
    """Two threats without a sequel, which cost no effort, took that place from each other for ever."""
    rows = ["." * 19] * 7
    rows += [".......O...........", ".......XX..........", "......OX.X.........", "......X..O........."]
    rows += [".....OXXX.O........", "...........O.......", ".....O...O..X......", *["." * 19] * 5]
    position = Position.parse("gobang", f"{'/'.join(rows)} w 2 2")
    assert Worker(hash_mb=1).search(position, Limit(nodes=8_000)).nodes <= 8_000


def test_a_helper_that_proves_a_win_ends_the_search():
    case = next(case for case in CASES if case.plies == 11)
    position, flag = Position.parse(case.spec, case.text), StopFlag()
    main, helper = (SearchThread(position, TranspositionTable(1), flag) for _ in range(2))
    while (proof := helper.prove_by_numbers(1)) is None:
        helper.search(4, None, 1, ())
    main.threats.proof_rate = 0
    main.offer_proof(proof)
    flag.set()
    (line,) = Deepening(main, Limit(nodes=1_000), lambda line: None).run(lambda depth: False)
    assert line.wins
    assert line.turns == proof.turns


def test_two_threads_find_a_win_by_threats():
    case = next(case for case in CASES if case.plies == 11)
    lines = (
        Worker(threads=2, hash_mb=1).search(Position.parse(case.spec, case.text), Limit(nodes=10**6)).lines
    )
    assert lines[0].score.value >= PROVEN
