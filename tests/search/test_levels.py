"""Levels of play: what they spend, what they choose, and that they differ from game to game."""

import itertools
import math
from collections import Counter

import pytest

from tengen.engine import games
from tengen.engine.errors import OptionError
from tengen.engine.play.position import Position
from tengen.search.info import Info, Score
from tengen.search.levels import (
    ALL_SOLVERS,
    DEFAULT_ROWS,
    NO_SOLVER,
    Handicap,
    Level,
    level_of,
    level_of_elo,
    log_odds,
    log_shares,
    named_levels,
    next_level,
    ratings,
)
from tengen.search.limits.limit import MAX_DEPTH, MAX_LEVEL, Limit
from tengen.search.worker import Worker
from tests.processes import PATIENCE
from tests.walks import position_after

GAMES = [game.name for game in games.known()]
SMALL = Limit(nodes=2000)
LEAST = Position.parse("gomoku,size=7", "......./......./..X.O../..X.O../..X.O../..X...O/....... b")
QUIET_LEVEL = 12  # up to here a turn takes at most 0.2 s
QUIET_NODES = 50_000  # positions that alpha-beta searches in that time in every game
QUIET_SIMULATIONS = 1_000  # simulations of Go on 19x19


@pytest.fixture
def engine():
    return Worker(hash_mb=1)


def line(turn: str, **more) -> Info:
    return Info(1, 1, 1, Score(0), "", 1, 0.0, 0, (turn,), **more)


def handicap(temperature: float = 1.0, seed: int = 0) -> Handicap:
    return Handicap(Level(3, 1, 1000, 8, temperature, NO_SOLVER), seed)


def moves_of_a_game(engine: Worker, spec: str, turns: int) -> list[str]:
    """Return the first turns of a game of the engine with itself."""
    position = Position.start(spec)
    while not position.outcome() and len(position.turns_played) < turns:
        position.push(str(engine.search(position, Limit()).turn))
    return position.turns_played


# ---- the table of a game ----


@pytest.mark.parametrize("name", GAMES)
def test_levels_of_every_game_are_in_order(name):
    game = games.find(name)
    levels = [level_of(game, number) for number in range(1, MAX_LEVEL)]
    assert len(ratings(game)) == MAX_LEVEL
    assert sorted(set(ratings(game))) == list(ratings(game))
    for level in levels:
        assert level.nodes > 0
        assert level.lines > 1
        assert level.temperature > 0
        assert NO_SOLVER <= level.solvers <= ALL_SOLVERS
    for below, above in itertools.pairwise(levels):
        assert (below.depth or MAX_DEPTH) <= (above.depth or MAX_DEPTH)
        assert below.nodes <= above.nodes
        assert below.solvers <= above.solvers
    most = QUIET_SIMULATIONS if game.search == "mcts" else QUIET_NODES
    assert levels[QUIET_LEVEL - 1].nodes <= most


def test_a_game_without_a_table_has_the_default_one():
    assert len(DEFAULT_ROWS) == MAX_LEVEL - 1


@pytest.mark.parametrize("name", GAMES)
def test_elo_names_the_nearest_level(name):
    game = games.find(name)
    known = ratings(game)
    assert level_of_elo(game, 0) == 1
    assert level_of_elo(game, 5000) == MAX_LEVEL
    assert [level_of_elo(game, elo) for elo in known] == list(range(1, MAX_LEVEL + 1))
    assert level_of_elo(game, known[6] + 1) == 7


@pytest.mark.parametrize("name", GAMES)
def test_levels_with_a_name_are_spread_by_elo(name):
    game = games.find(name)
    named, known = named_levels(game), ratings(game)
    assert (named["first game"], named["full"]) == (1, MAX_LEVEL)
    elo = [known[level - 1] for level in named.values()]
    steps = [above - below for below, above in itertools.pairwise(elo)]
    assert min(steps) > 0.3 * max(steps)


def test_the_next_level_to_offer_is_one_up_or_down_and_in_the_range():
    offered = [next_level(level, won) for level in (1, 7, MAX_LEVEL) for won in (False, True)]
    assert offered == [1, 2, 6, 8, 19, 20]


# ---- the choice ----


def choices(values: list[float], temperature: float = 1.0) -> Counter[str]:
    """Return how often each of the turns a, b, c... is chosen in 2000 games."""
    names = "abcdef"[: len(values)]
    return Counter(handicap(temperature, seed).choose((), names, values, False)[0] for seed in range(1, 2001))


def test_better_turns_are_chosen_more_often():
    chosen = choices([1.0, 0.0, -10.0])
    assert 2.2 < chosen["a"] / chosen["b"] < 3.3  # e
    assert chosen["c"] <= 5
    assert choices([1.0, 0.0], temperature=100.0)["b"] > 900
    assert choices([1.0, 0.0], temperature=0.05) == {"a": 2000}


def test_a_sure_win_is_always_played():
    assert all(handicap(50.0, seed).choose((), "abc", [3.0, 3.0, 3.0], True)[0] == "a" for seed in range(50))


def test_values_are_log_odds_or_shares_of_visits_and_priors():
    assert log_odds(Score(300), 150.0) == 2.0
    infos = [line("a", visits=9, prior=0.1), line("b", visits=1, prior=0.1), line("c", visits=0)]
    shares = [math.exp(value) for value in log_shares(infos)]
    assert shares == pytest.approx([0.5, 0.1, 0.0], abs=1e-6)


def test_the_chosen_candidate_comes_first_and_the_others_stay_in_order():
    chosen = handicap(seed=5).choose(("x",), "abcd", [0.0] * 4, False)
    assert chosen[1:] == [name for name in "abcd" if name != chosen[0]]
    assert chosen == handicap(seed=5).choose(("x",), "abcd", [0.0] * 4, False)


def test_a_level_that_overlooks_turns_notices_a_share_of_them_by_chance():
    position = position_after("zertz", ["Wd4,a1"])
    few = Handicap(Level(1, 1, 1000, 8, 1.0, NO_SOLVER, noticed=0.01), seed=3)
    noticed = few.searchmoves(position)
    turns = position.turns()
    assert len(set(noticed)) == len(noticed) == round(0.01 * len(turns))
    assert set(noticed) <= set(turns)
    assert few.searchmoves(position) == noticed
    assert Handicap(few.level, seed=4).searchmoves(position) != noticed
    assert len(few.searchmoves(position_after("dvonn", ["a1"]))) == 2
    set_up = Position("zertz", position.text())
    assert len(few.searchmoves(set_up)) == len(noticed)
    assert few.searchmoves(Position.start("zertz")) == ()
    assert handicap().searchmoves(position) == ()


def test_a_level_that_overlooks_turns_sees_a_win_at_once():
    few = Handicap(Level(1, 1, 1000, 8, 1.0, NO_SOLVER, noticed=0.01))
    won = position_after("gomoku,size=7", "D3 E3 D4 E4 D5 E5 D6 A7")
    assert few.searchmoves(won) in [("D2",), ("D7",)]


def test_a_weak_level_plays_one_of_the_turns_that_it_is_asked_to_search(engine):
    position = Position.start("zertz")
    asked = tuple(position.turns()[:2])
    for seed in range(1, 6):
        engine.configure(level=1, level_seed=seed)
        assert engine.search(position, Limit(searchmoves=asked)).turn in asked


def test_limits_of_a_search_and_of_a_level_hold_together():
    level = handicap()
    assert level.limits(Limit()) == Limit(depth=1, nodes=1000, multipv=8)
    assert level.limits(Limit(nodes=10, multipv=20)) == Limit(depth=1, nodes=10, multipv=20)
    deep = Handicap(Level(19, 0, 1000, 2, 0.1, ALL_SOLVERS))
    assert deep.limits(Limit(time=1.0)) == Limit(nodes=1000, time=1.0, multipv=2)
    assert deep.limits(Limit(depth=3)).depth == 3


# ---- play ----


def test_the_highest_level_is_the_engine_itself(engine):
    position = Position.start("dvonn")
    plain = Worker(hash_mb=1).search(position, SMALL)
    engine.configure(level=MAX_LEVEL, level_seed=7)
    limited = engine.search(position, SMALL)
    assert (limited.turn, limited.nodes, limited.lines[0].pv) == (plain.turn, plain.nodes, plain.lines[0].pv)


@pytest.mark.parametrize(("spec", "middle"), [("gomoku", "H8"), ("gobang,size=9", "E5")])
def test_weak_levels_of_five_in_a_row_begin_in_the_middle(engine, spec, middle):
    for seed in range(1, 5):
        engine.configure(level=1, level_seed=seed)
        assert engine.search(Position.start(spec), Limit()).turn == middle


@pytest.mark.parametrize("level", [1, 2, 5])
@pytest.mark.parametrize("seed", range(1, 6))
def test_weak_levels_finish_a_won_game(engine, level, seed):
    engine.configure(level=level, level_seed=seed)
    position = LEAST.copy()
    position.push(str(engine.search(position, Limit()).turn))
    assert position.winner() == "black"


def test_different_seeds_play_different_games(engine):
    played = []
    for seed in (1, 2, 3, 1):
        engine.configure(level=3, level_seed=seed)
        played.append(moves_of_a_game(engine, "gipf:basic", 8))
    assert played[0] == played[3]
    assert len({tuple(moves) for moves in played}) == 3


def test_a_turn_does_not_depend_on_what_was_searched_before(engine):
    position = Position.start("zertz")
    engine.configure(level=6, level_seed=4)
    first = engine.search(position, Limit())
    other = position.copy()
    other.push(str(first.turn))
    engine.search(other, Limit())
    again = engine.search(position, Limit())
    assert (again.turn, again.nodes) == (first.turn, first.nodes)


def test_one_thread_and_the_games_own_method_search(engine):
    engine.configure(threads=3, method="mcts", level=4, level_seed=1)
    threaded = engine.search(Position.start("dvonn"), Limit())
    engine.configure(threads=1, method="auto")
    assert engine.search(Position.start("dvonn"), Limit()).lines[0].pv == threaded.lines[0].pv
    assert threaded.lines[0].visits is None


def test_the_turn_is_one_of_the_candidates_reported(engine):
    infos: list[Info] = []
    engine.configure(level=2, level_seed=2)
    result = engine.search(Position.start("gobang"), Limit(multipv=3), infos.append)
    assert [info.pv[0] for info in infos] == [info.pv[0] for info in result.lines]
    assert len(infos) == 3
    assert result.turn == infos[0].pv[0]


def test_limits_can_name_another_level(engine):
    position = Position.start("dvonn")
    engine.configure(level=1)
    full = engine.search(position, Limit(nodes=3000, level=MAX_LEVEL))
    assert (full.turn, full.nodes) == (Worker(hash_mb=1).search(position, Limit(nodes=3000)).turn, 3000)


def test_an_infinite_search_is_one_of_full_strength(engine):
    engine.configure(level=1)
    engine.warm_up(games.find("dvonn"))
    engine.go(Position.start("dvonn"), Limit(depth=3, infinite=True))
    assert engine.wait(0.1) is None
    engine.stop()
    result = engine.wait(PATIENCE)
    assert result is not None
    assert result.lines[0].depth > level_of(games.find("dvonn"), 1).depth


def test_weak_levels_do_not_ponder(engine):
    engine.configure(level=4)
    engine.warm_up(games.find("dvonn"))
    engine.go(Position.start("dvonn"), Limit(ponder=True))
    assert engine.wait(0.05) is None
    engine.ponderhit()
    result = engine.wait(PATIENCE)
    assert result is not None
    assert 0 < result.nodes <= level_of(games.find("dvonn"), 4).nodes
    engine.go(Position.start("dvonn"), Limit(ponder=True))
    engine.stop()
    stopped = engine.wait(PATIENCE)
    assert stopped is not None
    assert stopped.turn in Position.start("dvonn").turns()


def test_weak_levels_of_go_pass_only_at_the_end(engine):
    engine.configure(level=1, level_seed=1)
    assert "pass" not in moves_of_a_game(engine, "go,size=5", 8)
    over = position_after("go,size=5,komi=0.5", "C3 A1 C2 A2 C4 A3 C1 A4 C5 pass")
    assert engine.search(over, Limit()).turn is not None


def test_levels_out_of_range_are_refused(engine):
    for level in (0, 21, -3):
        with pytest.raises(OptionError, match=f"level: expected 1 to 20, got {level}"):
            engine.configure(level=level)
    with pytest.raises(OptionError, match="level: expected 1 to 20, got 99"):
        engine.go(Position.start("dvonn"), Limit(level=99))
