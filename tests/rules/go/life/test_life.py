"""Life and death at the end of a game [O-5]: what tengen says, held against what is known.

`constructed.txt` has shapes of the books; `games.txt` the ends of games, looked at by hand.
"""

from collections.abc import Iterable

import numpy as np
import pytest

from tengen.engine.board.grids import vertex
from tengen.engine.game import Outcome
from tengen.engine.go import agreement
from tengen.engine.go.agreement import AgreedScore, agreed_score, chains_by_status, find_dead
from tengen.engine.go.life import solver
from tengen.engine.go.life.region import choose_region
from tengen.engine.go.life.status import Judge, Status, find_chains
from tengen.engine.go.passing import final_score, prepare, score_is_certain, wins_by_passing
from tengen.engine.go.playouts.playout import PLAYOUT
from tengen.engine.go.rules import do_move, outcome
from tengen.engine.go.state import BLACK, HUNDREDTHS, PASS, POINTS, WHITE, coordinates
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tests.reference.go.life import Board
from tests.rules.go.life.positions import FinalPosition, read_positions

CONSTRUCTED = read_positions("constructed.txt")
GAMES = read_positions("games.txt")
SMALL_FIELD = 7  # points of a fight that brute force goes through in no time
each_constructed = pytest.mark.parametrize("final", CONSTRUCTED, ids=str)


def vertices(points: Iterable[int]) -> frozenset[str]:
    """Return the vertices of points."""
    return frozenset(vertex(*coordinates(int(p))) for p in points)


def unsure(score: AgreedScore) -> frozenset[str]:
    """Return the vertices of the stones whose status was not proven."""
    return vertices(score.unsure)


@each_constructed
def test_dead_stones_of_constructed_positions(final: FinalPosition) -> None:
    """No stone is called dead or alive that is not, unless tengen says that it is unsure."""
    score = agreed_score(final.state)
    settled = final.board.stones.keys() - final.unsure
    assert vertices(score.dead) & settled == final.dead & settled
    assert final.unsettled <= unsure(score)
    if not final.unsure:
        assert score.margin == HUNDREDTHS * final.margin


@pytest.mark.parametrize(
    ("final", "share"),
    [
        *[pytest.param(final, 1, id=str(final)) for final in GAMES[::16]],
        *[pytest.param(final, 10, id=f"{final} tenth") for number, final in enumerate(GAMES) if number % 16],
        *[
            pytest.param(final, 1, id=str(final), marks=pytest.mark.nightly)
            for number, final in enumerate(GAMES)
            if number % 16
        ],
    ],
)
def test_the_score_of_games(final: FinalPosition, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No game goes to the wrong side, unless tengen says that it is unsure.

    A tenth of the nodes proves as many games, in a quarter of the time: `make nightly` spends all on each.
    """
    monkeypatch.setattr(agreement, "FINAL_BUDGET", agreement.FINAL_BUDGET // share)
    score = agreed_score(final.state)
    if not score.unsure:
        assert vertices(score.dead) == final.dead
        assert score.margin == HUNDREDTHS * final.margin


@pytest.mark.parametrize(("final", "turns"), [(each, 1 + i % 7) for i, each in enumerate(CONSTRUCTED)])
def test_no_direction_and_no_colour_is_special(final: FinalPosition, turns: int) -> None:
    """Dead stones stay dead when the board is turned or mirrored, and the colours are swapped."""
    image = final.turned(turns)
    score = agreed_score(image.state)
    settled = image.board.stones.keys() - image.unsure
    assert vertices(score.dead) & settled == image.dead & settled


@pytest.mark.parametrize("final", [each for each in CONSTRUCTED if each.seki], ids=str)
def test_seki_of_constructed_positions(final: FinalPosition) -> None:
    """Only territory scoring has a word for it."""
    state = Position.parse(final.spec.replace("chinese", "territory"), final.text).state
    assert {v for chain in chains_by_status(state, "seki") for v in chain} == final.seki


@pytest.mark.parametrize("final", [each for each in CONSTRUCTED if each.brute_force], ids=str)
@pytest.mark.parametrize("large", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_brute_force_agrees(final: FinalPosition, large: bool) -> None:
    """The status of the chains is proven from the rules."""
    board, keys = Board(final.board, final.safe), final.brute_force
    fights = [key for key in keys if (board.race(key, *keys).field.bit_count() > SMALL_FIELD) == large]
    if not fights:
        pytest.skip("there is no fight over so many points" if large else "a fight over many points")
    for key in fights:
        assert board.status(key, *keys) == keys[key], key


class Interruption(StopFlag):
    """A flag that is set once it has been looked at so often."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._looks = looks

    def __bool__(self) -> bool:
        self._looks -= 1
        if self._looks < 0:
            self.set()
        return super().__bool__()


def prepared(final: FinalPosition, stop: StopFlag):
    """Return a position in which the opponent has passed, and a playout prepared for a search of it."""
    state = final.state.copy()
    state.passes = 1
    playout = np.zeros(1, PLAYOUT)[0]
    prepare(state, playout)
    find_dead(state, [playout], stop)
    return state, playout


@pytest.mark.parametrize("looks", [0, 10, 17, 20, 25, 40])
def test_a_look_that_is_cut_short_calls_no_stone_alive_that_may_die(looks: int) -> None:
    for final in CONSTRUCTED:
        state, playout = prepared(final, Interruption(looks))
        stones = (state.board.stones == BLACK) | (state.board.stones == WHITE)
        sure = vertices(np.flatnonzero(stones & (playout.unsure == 0) & (playout.dead == 0)))
        assert sure.isdisjoint(final.dead | final.unsettled), final


@pytest.mark.parametrize("looks", [0, 10, None])
def test_a_game_that_ends_proves_nothing_before_the_dead_stones_are_known(looks: int | None) -> None:
    """Black wins by the dead stone in the corner, and would lose if it were alive."""
    position = Position.parse("go,size=5,komi=2,rules=japanese", "O.XO./X.XOO/XXXO./X.XOO/.XXO. b - 0 0 1")
    root, after, playout = position.state, position.state.copy(), np.zeros(1, PLAYOUT)[0]
    do_move(after, np.int32(PASS))
    prepare(root, playout)
    assert not score_is_certain(after, playout, root)
    assert final_score(after, playout)[0] == outcome(after) == Outcome.SECOND_WINS
    find_dead(root, [playout], StopFlag() if looks is None else Interruption(looks))
    assert score_is_certain(after, playout, root) == (looks is None)
    if looks is None:
        assert final_score(after, playout)[0] == Outcome.FIRST_WINS


def test_a_look_does_not_begin_once_it_is_stopped(monkeypatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("a playout or a local search")

    monkeypatch.setattr(agreement, "estimate_ownership", refuse)
    monkeypatch.setattr(solver, "solve", refuse)
    state, playout = prepared(CONSTRUCTED[0], Interruption(0))
    assert not playout.dead.any()
    assert not wins_by_passing(state, playout)


def test_a_local_search_stops_when_it_is_told() -> None:
    """Whatever its budget: a search that ran on would not end."""
    text = "XXXXO../...XO../XXXXO../OOOOO../......./......./....... b - 0 0 0"
    board = Position.parse("go,size=7", text).state.board
    stop = StopFlag()
    search = solver.new_solver(stop)[0]
    search.boards[0] = board
    choose_region(board, search, np.uint64(np.flatnonzero(board.stones == BLACK)[-1]), 20)
    budget = np.int64(1) << 40
    assert solver.solve(search, np.uint64(BLACK), True, True, True, budget) != solver.UNKNOWN
    stop.set()
    assert solver.solve(search, np.uint64(BLACK), True, True, True, budget) == solver.UNKNOWN


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("XXXXO../...XO../XXXXO../OOOOO../......./......./....... b - 0 0 0", {"A7": Status.UNSETTLED}),
        ("XXXXXXO/X....XO/XXXXXXO/OOOOOOO/......./......./....... b - 0 0 0", {"A5": Status.ALIVE}),
    ],
)
def test_kernels_of_local_search(text, found):
    """Three in a row, and four in a row."""
    board = Position.parse("go,size=7", text).state.board
    chains = find_chains(board, np.zeros(POINTS))
    Judge(board, chains, 3_000, StopFlag()).run()
    status = {vertex(*coordinates(p)): chain.status for chain in chains for p in chain.stones}
    assert {name: status[name] for name in found} == found
