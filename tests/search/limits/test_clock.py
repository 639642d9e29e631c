"""How the time of a game is shared out over its turns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine import games
from tengen.engine.game import Game
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.search.alphabeta.deepening import Deepening
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchThread
from tengen.search.limits.clock import (
    MAX_FACTOR,
    MAX_GROWTH,
    MIN_FACTOR,
    MIN_TIME,
    OVERHEAD,
    Iterations,
    Lag,
    time_budget,
    turns_to_plan,
)
from tengen.search.limits.limit import Clock, Limit
from tests.walks import walk

GAMES = [game.name for game in games.known()]
PACED = [name for name in GAMES if games.find(name).offers("pace")]
START = {name: Position.start(name) for name in GAMES}


@given(
    st.sampled_from(GAMES),
    st.floats(0.0, 1e6),
    st.sampled_from([0.0, 0.1, 10.0]),
    st.none() | st.integers(1, 60),
)
def test_clock_never_runs_out(name, remaining, increment, moves_to_go):
    budget = time_budget(Limit(clock=Clock(remaining, increment, moves_to_go)), START[name])
    assert 0 < budget.soft <= budget.hard
    assert budget.hard <= max(MIN_TIME, remaining - OVERHEAD)
    if moves_to_go == 1 and remaining >= 1:
        assert budget.hard > 0.3 * remaining, "the time control ends here: time is there to be used"


@given(st.floats(0.0, 100.0), st.floats(2.0, 100.0), st.integers(1, 25))
def test_byo_yomi_is_used_and_kept(remaining, period, stones):
    budget = time_budget(Limit(clock=Clock(remaining, byoyomi=period, byoyomi_stones=stones)), START["go"])
    assert budget.hard <= max(MIN_TIME, remaining - OVERHEAD) + period
    if remaining == 0:
        assert 0.5 * period / stones < budget.hard <= max(MIN_TIME, period / stones)


@given(st.floats(0.1, 100.0), st.floats(0.0, 10.0))
def test_time_that_expires_is_used(remaining, late):
    limits = Limit(clock=Clock(remaining, moves_to_go=1, expires=True))
    assert not limits.saves_time
    budget = time_budget(limits, START["go"], Lag(late, 0.0, 10))
    assert budget.soft == budget.hard <= remaining - OVERHEAD
    assert budget.hard >= 0.4 * remaining - OVERHEAD
    prompt = time_budget(limits, START["go"]).hard
    assert prompt >= 0.96 * remaining - OVERHEAD


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("increment", [0.0, 0.5])
def test_longest_turns_never_use_up_a_clock(name, increment):
    remaining = 60.0
    for _ in range(40):
        remaining -= time_budget(Limit(clock=Clock(remaining, increment)), START[name]).hard
        assert remaining > 0
        remaining += increment


def test_the_last_moments_of_a_clock_last_for_many_turns():
    remaining, taken = 0.1, 0.001  # seconds, also those that a turn takes at least
    for _ in range(25):
        remaining -= max(taken, time_budget(Limit(clock=Clock(remaining)), START["zertz"]).soft)
    assert remaining > 0


@pytest.mark.parametrize("name", ["dvonn", "go", "gobang", "gomoku", "zertz"])
def test_a_long_game_uses_most_of_its_clock(name):
    """A side that thinks as long as planned for each turn has little left in the end."""
    left = 100.0
    for position in walk(name, seed=1):
        if position.side_to_move == 0:
            left -= left / turns_to_plan(position)
    assert 0 < left < 15


@pytest.mark.parametrize("name", PACED)
def test_tables_of_turns_to_plan_are_in_order(name):
    turns = games.find(name).module("pace").TURNS
    assert [progress for progress, _ in turns] == sorted({progress for progress, _ in turns})
    assert all(planned >= 1 for _, planned in turns)


@pytest.mark.parametrize(("size", "turns"), [(9, 42), (13, 95), (19, 195)])
def test_games_of_go_of_usual_length_use_most_of_the_clock(size, turns):
    """The board fills evenly to four fifths. Small ones have fewer turns to go, whatever is empty."""
    reached, planned = np.array(games.find("go").module("pace").TURNS, np.float64).T
    area = size * size
    left = np.prod(1 - 1 / np.interp(np.linspace(2 * area, 1.2 * area, turns), reached, planned))
    assert 0.03 < left < 0.15
    state = Position.start(f"go,size={size}").state
    assert games.find("go").module("pace").progress(state) == 2 * area


def test_placing_in_dvonn_gets_less_time_than_moving():
    planned = [turns_to_plan(position) for position in walk("dvonn", seed=1)]
    assert 4 * planned[49] < planned[48]


def test_games_without_a_pace_plan_by_turns_played(monkeypatch):
    monkeypatch.setattr(Game, "offers", lambda game, part: False)
    position = Position.start("dvonn")
    first = turns_to_plan(position)
    position.turns_played = ["a1"] * 20
    assert turns_to_plan(position) == first - 10
    position.turns_played = ["a1"] * 200
    assert turns_to_plan(position) >= 1


def test_no_more_turns_are_planned_than_the_time_control_has():
    clock = Clock(60.0, moves_to_go=2)
    assert time_budget(Limit(clock=clock), START["dvonn"]).soft > 0.35 * 60
    many = Clock(60.0, moves_to_go=1000)
    alone = time_budget(Limit(clock=Clock(60.0)), START["zertz"])
    assert time_budget(Limit(clock=many), START["zertz"]).soft == alone.soft


def test_no_limit_means_no_budget():
    assert time_budget(Limit(depth=5), START["dvonn"]).hard is None
    assert time_budget(Limit(infinite=True, time=1.0), START["dvonn"]).hard is None


def test_clock_keeps_time_for_the_game_that_waits_for_another():
    contest = Position(
        "gipf:basic,zertz=1,challenges=1", "w+b../...../....../......./....../...../...b 9 9 w -- 0 0 1 1"
    )
    clock = Limit(clock=Clock(60.0))
    before = time_budget(clock, contest).soft
    for turn in ("jb2-b4", "challenge", "Wd4,d1"):
        contest.push(turn)
    assert contest.own_turns == 0
    assert contest.current.spec.game.name == "zertz"
    assert turns_to_plan(contest) > turns_to_plan(contest.current)
    assert time_budget(clock, contest).soft < min(before, time_budget(clock, contest.current).soft)


@given(st.lists(st.floats(0.0, 5.0), max_size=30), st.floats(0.0, 1e3), st.sampled_from([0.0, 0.1]))
def test_late_answers_never_use_up_a_clock(lates, remaining, increment):
    lag = Lag()
    for late in lates:
        lag = lag.after(late)
    position = START["zertz"]
    budget = time_budget(Limit(clock=Clock(remaining, increment)), position, lag)
    assert MIN_TIME <= budget.soft <= budget.hard
    assert budget.hard <= max(MIN_TIME, remaining - OVERHEAD - lag.reserve)
    assert budget.hard <= time_budget(Limit(clock=Clock(remaining, increment)), position).hard


def test_a_late_answer_raises_the_reserve_at_once_and_prompt_ones_lower_it():
    lag = Lag().after(0.1)
    assert lag.reserve > 0.1
    for _ in range(30):
        lag = lag.after(0.001)
    assert 0.001 < lag.reserve < 0.02


def test_steady_lag_needs_little_more_than_itself():
    lag = Lag()
    for _ in range(60):
        lag = lag.after(0.02)
    assert lag.reserve == pytest.approx(0.02, rel=0.05)


def test_late_answers_take_no_more_than_half_of_a_turn():
    lag = Lag().after(10.0)
    limits = Limit(time=1.0)
    assert time_budget(limits, START["dvonn"], lag).hard == pytest.approx(0.5 - OVERHEAD)


@pytest.mark.parametrize("late", [0.03, 0.08, 0.12])
def test_a_clock_lasts_although_every_answer_is_late(late):
    """Each turn costs so much more than its search, which is more than the increment in the end."""
    remaining, lag = 5.0, Lag().after(late)
    for _ in range(START["zertz"].spec.game.expected_moves):
        spent = time_budget(Limit(clock=Clock(remaining, 0.05)), START["zertz"], lag).hard
        remaining -= spent + late
        assert remaining > 0
        remaining += 0.05
        lag = lag.after(late)


def settled(iterations: int = 10, growth: float = 1.0) -> Iterations:
    """Return the state of a search that has found the same turn again and again, for 1 s."""
    history = Iterations()
    for number in range(1, iterations + 1):
        history.add("a1", 0.5, growth ** (number - iterations))
    return history


def test_a_turn_that_stays_best_takes_less_time():
    assert settled().factor < 1


def test_a_new_best_turn_takes_more_time_until_it_settles():
    history = settled()
    history.add("b2", 0.5, 1.0)
    first = history.factor
    history.add("b2", 0.5, 1.0)
    assert first > history.factor > settled().factor


def test_a_falling_score_takes_more_time_but_a_rising_one_does_not():
    falling, rising = settled(), settled()
    falling.add("a1", 0.4, 1.0)
    rising.add("a1", 0.6, 1.0)
    assert falling.factor > settled().factor == rising.factor


def test_scores_that_alternate_with_depth_are_no_fall():
    history = Iterations()
    for depth in range(10):
        history.add("a1", 0.4 if depth % 2 else 0.6, 1.0)
    assert history.factor == settled().factor


def test_an_iteration_begins_if_its_end_is_likely_to_be_nearer_to_the_plan():
    """With iterations that take four times as long as all before, 1 s becomes 4 s; their middle is 2 s."""
    history = settled(iterations=30, growth=4.0)
    assert history.growth == pytest.approx(4.0, rel=0.01)
    assert history.enough(planned=1.9 / history.factor)
    assert not history.enough(planned=2.1 / history.factor)


def test_a_search_may_take_longer_while_an_ending_is_being_solved():
    history = settled()
    assert history.enough(planned=0.99 / history.factor)
    assert not history.enough(planned=0.99 / history.factor, solving=True)
    assert history.enough(planned=0.99 / MAX_FACTOR, solving=True)


def solving(position: Position) -> list[bool]:
    """Return whether an ending is being solved before a search and after it."""
    thread = SearchThread(position, TranspositionTable(1), StopFlag())
    before = thread.solving
    Deepening(thread, Limit(), lambda line: None).run(lambda depth: depth == 4)
    return [before, thread.solving]


def test_an_ending_is_being_solved_until_its_result_is_known():
    remaining = START["dvonn"].spec.game.rules.remaining
    ending = next(position for position in walk("dvonn", seed=1) if remaining(position.state) <= 12)
    assert solving(ending) == [True, False]
    assert solving(START["dvonn"]) == [False, False]
    assert solving(START["zertz"]) == [False, False]


def test_a_search_is_not_ended_by_its_plan_before_it_has_looked_ahead():
    history = Iterations()
    history.add("a1", 0.5, 100.0)
    assert not history.enough(planned=0.001)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0.0, 1.0), st.floats(0.0, 1e6)), max_size=30))
def test_no_turn_gets_too_much_or_too_little(iterations):
    history = Iterations()
    for best, rate, elapsed in iterations:
        history.add(best, rate, elapsed)
        assert MIN_FACTOR <= history.factor <= MAX_FACTOR
        assert 1 <= history.growth <= MAX_GROWTH
