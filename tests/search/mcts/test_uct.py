"""Plain UCT: fair, reproducible, bounded."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.jit import COMPILED, specialise
from tengen.engine.play.position import Position
from tengen.engine.xorshift import seed_word
from tengen.search.mcts import uct
from tengen.search.mcts.uct import Uct
from tests.walks import scaled

many_simulations = pytest.mark.skipif(not COMPILED, reason="takes too many simulations for plain Python")

FOUR = "......./......./......./.XXXX../......./.OOO.../.......".replace("/.OOO", "/OOO.")
BLACK_CAN_WIN = f"{FOUR} b"
WHITE_MUST_STOP = "......./......./......./OXXXX../......./OO...../....... w"


def gomoku(text: str) -> Position:
    return Position.parse("gomoku,size=7", text)


def searcher(position: Position, seed: int = 1, **options: int) -> Uct:
    return Uct(position.spec.game.rules, seed, **options)


@pytest.mark.parametrize(
    "spec",
    [pytest.param("dvonn", marks=[pytest.mark.interpreted, pytest.mark.checked]), "gomoku,size=9"],
)
def test_same_seed_searches_the_same_tree(spec):
    position = Position.start(spec)
    trees = []
    for seed in (5, 5, 6):
        player = searcher(position, seed)
        player.choose(position, simulations=scaled(300))
        trees.append(player.visits())
    assert trees[0] == trees[1]
    assert trees[0] != trees[2]


@many_simulations
def test_slices_do_not_change_the_tree(monkeypatch):
    position = Position.start("dvonn")
    whole = searcher(position)
    whole.choose(position, simulations=200)
    monkeypatch.setattr(uct, "BATCH", 7)
    sliced = searcher(position)
    sliced.choose(position, simulations=200)
    assert sliced.visits() == whole.visits()


@many_simulations
@pytest.mark.parametrize("spec", ["dvonn", "gomoku,size=9"])
def test_every_simulation_visits_one_action_of_the_root(spec):
    position = Position.start(spec)
    player = searcher(position)
    player.choose(position, simulations=500)
    visits = player.visits()
    assert sum(visits.values()) == 500
    assert sorted(visits) == sorted(action for (action,) in position.turn_actions())
    assert min(visits.values()) >= 1


@many_simulations
def test_takes_a_win():
    position = gomoku(BLACK_CAN_WIN)
    position.push(uct.choose(position, simulations=1000))
    assert position.outcome() == Outcome.FIRST_WINS


@many_simulations
def test_stops_a_win_of_the_other_side():
    position = gomoku(WHITE_MUST_STOP)
    assert uct.choose(position, simulations=2000) == "F4"


def test_only_turn_costs_no_simulation():
    position = gomoku("OXOXOXO/OXOXOXO/XOXOXOX/XOXOXOX/OXOXOXO/OXOXOXO/XOXOXO. b")
    player = searcher(position)
    assert player.choose(position, simulations=1000) == "G1"
    assert player.simulations == 0


@many_simulations
def test_time_is_kept():
    position = Position.start("gomoku")
    player = searcher(position)
    player.choose(position, simulations=1)
    began = time.perf_counter()
    player.choose(position, seconds=0.1)
    assert time.perf_counter() - began > 0.09


def test_stop_flag_ends_the_search():
    position = Position.start("gomoku")
    player = searcher(position)
    player.stop.set()
    assert player.choose(position, simulations=10**9) in position.turns()


@many_simulations
def test_full_tree_stops_growing_but_goes_on_searching():
    position = Position.start("gomoku,size=9")
    player = searcher(position, capacity=200)
    assert player.choose(position, simulations=400) in position.turns()
    assert sum(player.visits().values()) == 400


@many_simulations
def test_tree_too_small_for_the_root_still_gives_a_turn():
    position = Position.start("gomoku,size=9")
    assert searcher(position, capacity=10).choose(position, simulations=50) in position.turns()


@pytest.mark.parametrize(("simulations", "seconds"), [(None, None), (0, None), (None, 0.0), (-1, 1.0)])
def test_limits_must_be_positive(simulations, seconds):
    position = Position.start("dvonn")
    with pytest.raises(OptionError, match="expected a positive number"):
        uct.choose(position, simulations, seconds)


def test_random_numbers_are_uniform():
    rules = Position.start("dvonn").spec.game.rules
    kernels = specialise("tengen.search.mcts.uct", rules)
    search = np.zeros(1, uct.search_record(rules.STATE))[0]
    search.random = seed_word(0)
    counts = np.bincount([kernels.random_below(search, 7) for _ in range(7000)], minlength=7)
    assert ((counts - 1000) ** 2 / 1000).sum() < 22.5  # chi-square, six degrees of freedom, 0.1%


@many_simulations
def test_playouts_of_equal_sides_are_won_by_both():
    position = Position.start("dvonn")
    rules = position.spec.game.rules
    kernels = specialise("tengen.search.mcts.uct", rules)
    search = np.zeros(1, uct.search_record(rules.STATE))[0]
    search.random = seed_word(3)
    actions = np.zeros(rules.MAX_ACTIONS, np.int32)
    outcomes = [kernels.playout(search, position.state.copy(), actions) for _ in range(400)]
    for outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
        assert 100 < outcomes.count(outcome) < 300
