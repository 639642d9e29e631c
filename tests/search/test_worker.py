"""Threads and time: go, stop, ponder, limits, and what happens when something breaks."""

from __future__ import annotations

import gc
import threading
import time

import pytest

from tengen.engine.challenge import begin
from tengen.engine.errors import OptionError
from tengen.engine.position import Position
from tengen.search import warmup
from tengen.search.alphabeta.deepening import SearchThread
from tengen.search.alphabeta.run import AlphaBetaRun
from tengen.search.clock import time_budget
from tengen.search.limits import Clock, Limits
from tengen.search.worker import Worker

LONG = Limits(infinite=True)


@pytest.fixture
def engine():
    engine = Worker(hash_mb=1)
    engine.warm_up(Position.start("gomoku").spec.game)
    engine.warm_up(Position.start("dvonn").spec.game)
    yield engine
    engine.stop()
    engine.wait(10)


def started(engine: Worker, position: Position, limits: Limits) -> list:
    """Go, wait for the first info, and return the list to which results are appended."""
    results: list = []
    first = threading.Event()
    engine.go(position, limits, on_info=lambda info: first.set(), on_done=results.append)
    assert first.wait(20)
    return results


def test_infinite_search_ends_only_by_stop(engine):
    results = started(engine, Position.start("dvonn"), LONG)
    assert engine.searching
    assert engine.wait(0.1) is None
    engine.stop()
    assert engine.wait(5) is results[0]
    assert results[0].turn in Position.start("dvonn").turns()
    assert not engine.searching


def test_infinite_search_with_nothing_left_to_find_waits_for_stop(engine):
    almost = Position.parse("gomoku,size=5", "XXOOX/OOXXO/XXOOX/OOXXO/XXOO. b")
    results = started(engine, almost, Limits(depth=1, infinite=True))
    assert engine.wait(0.1) is None
    engine.stop()
    engine.wait(5)
    assert [result.turn for result in results] == ["E1"]


def test_result_comes_exactly_once(engine):
    results = started(engine, Position.start("gomoku"), LONG)
    for _ in range(3):
        engine.stop()
    engine.wait(5)
    engine.stop()
    assert len(results) == 1


def test_go_while_searching_ends_the_search_before(engine):
    first = started(engine, Position.start("gomoku"), LONG)
    second = started(engine, Position.start("dvonn"), Limits(depth=2))
    assert len(first) == 1
    engine.wait(5)
    assert second[0].turn in Position.start("dvonn").turns()


def test_stop_is_quick(engine):
    delays = []
    for _ in range(20):
        started(engine, Position.start("gomoku"), LONG)
        began = time.monotonic()
        engine.stop()
        engine.wait(5)
        delays.append(time.monotonic() - began)
    assert sorted(delays)[10] < 1.0, delays  # a hang, not a speed: speeds are benchmarks


def test_memory_of_a_search_is_given_back_without_waiting_for_the_collector(engine):
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            engine.search(Position.start("gomoku"), Limits(movetime=0.05))
        assert not [thing for thing in gc.get_objects() if type(thing) is SearchThread]
    finally:
        gc.enable()


def test_pondering_starts_its_clock_at_the_hit(engine):
    results = started(engine, Position.start("gomoku"), Limits(movetime=0.05, ponder=True))
    assert engine.wait(0.2) is None
    engine.ponderhit()
    assert engine.wait(5) is not None
    assert len(results) == 1


def test_pondering_without_a_hit_ends_by_stop(engine):
    results = started(engine, Position.start("gomoku"), Limits(depth=1, ponder=True))
    assert engine.wait(0.1) is None
    engine.stop()
    assert engine.wait(5) is results[0]


def test_movetime_ends_the_search(engine):
    result = engine.search(Position.start("dvonn"), Limits(movetime=0.1))
    assert result.turn in Position.start("dvonn").turns()
    assert result.notice == ""


def test_position_may_change_while_it_is_searched(engine):
    position = Position.start("gomoku")
    results = started(engine, position, LONG)
    position.play("A1")
    engine.stop()
    engine.wait(5)
    assert results[0].turn in Position.start("gomoku").turns()


def test_finished_game_has_no_turn(engine):
    position = Position.parse("gomoku,size=5", "XXXXX/OOOO./...../...../..... w")
    result = engine.search(position, Limits(movetime=1))
    assert result.turn is None
    assert "over" in result.notice


def test_only_turn_is_played_at_once_on_a_clock(engine):
    west, empty, east = "W2*,-,-,-,-,-,-,-,-", "-,-,-,-,-,-,-,-,-", "-,-,-,-,-,-,-,-,B1,D/-,-,-,-,-,-,-,-,D"
    position = Position.parse("dvonn", f"{west}/-,{empty}/-,-,{empty}/{east} w m")
    assert position.turns() == ["pass"]
    result = engine.search(position, Limits(clock=Clock(3600.0)))
    assert result.turn == "pass"
    assert result.seconds < 60


def test_several_threads_search_together(engine):
    engine.configure(threads=3)
    result = engine.search(Position.start("gomoku"), Limits(movetime=0.3))
    assert result.turn in Position.start("gomoku").turns()
    assert engine.search(Position.start("gomoku"), Limits(nodes=3000)).nodes <= 3000 + 3


def test_failing_search_still_answers_with_a_legal_turn(engine, monkeypatch):
    def fail(*_):
        raise RuntimeError("out of cheese")

    monkeypatch.setattr("tengen.search.alphabeta.run.iterative_deepening", fail)
    result = engine.search(Position.start("dvonn"), Limits(depth=3))
    assert result.turn in Position.start("dvonn").turns()
    assert "out of cheese" in result.notice


def test_failing_callback_does_not_silence_the_engine(engine):
    def fail(_):
        raise RuntimeError("no listener")

    engine.go(Position.start("dvonn"), Limits(depth=2), on_info=fail)
    result = engine.wait(10)
    assert result is not None
    assert result.turn in Position.start("dvonn").turns()
    engine.go(Position.start("dvonn"), Limits(depth=2), on_done=fail)
    assert engine.wait(10) is not None


def test_helper_that_fails_does_not_stop_the_search(engine, monkeypatch):
    def fail(self, number):
        raise RuntimeError("helpless")

    engine.configure(threads=2)
    monkeypatch.setattr(AlphaBetaRun, "_help", fail)
    monkeypatch.setattr(threading, "excepthook", lambda *_: None)
    assert engine.search(Position.start("dvonn"), Limits(depth=3)).turn is not None


@pytest.mark.parametrize("end", ["stop", "time"])
def test_search_that_is_not_compiled_in_time_answers_without_one(engine, monkeypatch, end):
    said, may_finish = threading.Event(), threading.Event()

    def compile_kernels(game, method):
        warmup.announce_compilation(game)
        may_finish.wait(20)

    monkeypatch.setattr(warmup, "ready", lambda *_: False)
    monkeypatch.setattr(warmup, "compile_kernels", compile_kernels)
    notices: list[str] = []
    limits = LONG if end == "stop" else Limits(movetime=0.3)
    engine.go(Position.start("gomoku"), limits, on_notice=lambda notice: (notices.append(notice), said.set()))
    assert said.wait(10)
    if end == "stop":
        engine.stop()
    result = engine.wait(10)
    may_finish.set()
    assert result is not None
    assert result.turn in Position.start("gomoku").turns()
    assert "before the search was compiled" in result.notice
    assert notices == [warmup.COMPILING.format("gomoku")]


@pytest.mark.parametrize("options", [{"threads": 0}, {"threads": 10_000}, {"hash_mb": 0}, {"hash_mb": 10**9}])
def test_absurd_options_are_refused_and_change_nothing(engine, options):
    with pytest.raises(OptionError, match="expected 1 to"):
        engine.configure(**options)
    assert engine.search(Position.start("dvonn"), Limits(depth=2)).turn is not None


def after(turns: int) -> Position:
    """Return a position of a game of so many turns; which turns does not matter to the clock."""
    position = Position.start("dvonn")
    position.turns_played = ["a1"] * turns
    return position


@pytest.mark.parametrize("remaining", [0.0, 0.01, 0.1, 1.0, 60.0, 3600.0, 1e6])
@pytest.mark.parametrize("increment", [0.0, 0.1, 10.0])
@pytest.mark.parametrize("moves_to_go", [None, 1, 2, 40])
@pytest.mark.parametrize("played", [0, 120])
def test_clock_never_runs_out(remaining, increment, moves_to_go, played):
    budget = time_budget(Limits(clock=Clock(remaining, increment, moves_to_go)), after(played))
    assert 0 < budget.soft <= budget.hard
    assert budget.hard <= max(remaining, 0.002)
    if moves_to_go == 1 and remaining >= 1:
        assert budget.hard > 0.3 * remaining, "the time control ends here: time is there to be used"


@pytest.mark.parametrize("stones", [1, 5, 25])
def test_byo_yomi_is_used_and_kept(stones):
    budget = time_budget(Limits(clock=Clock(0.0, byoyomi=30.0, byoyomi_stones=stones)), after(20))
    assert 0.5 * 30 / stones < budget.hard <= 30 / stones


def test_game_of_clocked_turns_is_played_within_its_time():
    remaining = 60.0
    for played in range(200):
        remaining += 0.5 - time_budget(Limits(clock=Clock(remaining, 0.5)), after(2 * played)).hard
        assert remaining > 0


def test_no_limit_means_no_budget():
    assert time_budget(Limits(depth=5), after(0)).hard is None
    assert time_budget(Limits(infinite=True, movetime=1.0), after(0)).hard is None


def test_clock_keeps_time_for_the_game_that_waits_for_another():
    contest = begin(
        "gipf:basic,zertz=1,challenges=1", "w+b../...../....../......./....../...../...b 9 9 w -- 0 0 1 1"
    )
    clock = Limits(clock=Clock(60.0))
    before = time_budget(clock, contest).soft
    for turn in ("jb2-b4", "challenge", "Wd4,d1"):
        contest.play(turn)
    assert contest.own_turns == 0
    assert contest.active.spec.game.name == "zertz"
    assert time_budget(clock, contest).soft < min(before, time_budget(clock, contest.active).soft)


MANY_CHOICES = (
    ("gipf:tournament", "..W./..W../WWWW../..W..../....../...../B... 4 16 w --"),
    (
        "gipf:tournament,zertz=6,tamsk=2",
        "...w+/...w+./...w+../w+w+w+w*W../....../...../B... 4 12 w -- 0 0 0 0 0 0",
    ),
)


@pytest.mark.parametrize(("spec", "text"), MANY_CHOICES)
def test_thousands_of_ways_to_take_a_row_do_not_outlast_the_clock(engine, spec, text):
    position = Position.parse(spec, text)
    engine.warm_up(position.spec.game)
    result = engine.search(position, Limits(movetime=0.2))
    assert result.seconds < 0.2 + 0.3  # enumerating the turns in Python took two seconds
    assert result.lines
    position.play(result.turn)
