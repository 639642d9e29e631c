"""Threads and time: go, stop, ponder, limits, and what happens when something breaks."""

import gc
import threading
import time
from collections.abc import Iterator

import pytest

from tengen.engine.errors import OptionError
from tengen.engine.play.position import Position
from tengen.engine.play.turns import best_turn
from tengen.search import warmup
from tengen.search.alphabeta.run import AlphaBetaRun
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchThread
from tengen.search.binding import bound
from tengen.search.limits.limit import Clock, Limit
from tengen.search.worker import Worker
from tests.processes import PATIENCE

LONG = Limit(infinite=True)


@pytest.fixture
def engine():
    engine = Worker(hash_mb=1)
    engine.warm_up(Position.start("gomoku").spec.game)
    engine.warm_up(Position.start("dvonn").spec.game)
    yield engine
    engine.stop()
    engine.wait(PATIENCE)


def started(engine: Worker, position: Position, limits: Limit) -> list:
    """Go, wait for the first info, and return the list to which results are appended."""
    results: list = []
    first = threading.Event()
    engine.go(position, limits, on_info=lambda info: first.set(), on_done=results.append)
    assert first.wait(PATIENCE)
    return results


def test_infinite_search_ends_only_by_stop(engine):
    results = started(engine, Position.start("dvonn"), LONG)
    assert engine.searching
    assert engine.wait(0.1) is None
    engine.stop()
    assert engine.wait(PATIENCE) is results[0]
    assert results[0].turn in Position.start("dvonn").turns()
    assert not engine.searching


@pytest.mark.parametrize("ready", [True, False])
def test_waiting_for_kernels_is_no_lag(engine, monkeypatch, ready):
    monkeypatch.setattr(AlphaBetaRun, "_prepare", lambda run: time.sleep(0.1) or ready)
    engine.search(Position.start("dvonn"), Limit(time=0.05))
    assert engine._timekeeper.lag.answers == 0


def test_infinite_search_with_nothing_left_to_find_waits_for_stop(engine):
    almost = Position.parse("gomoku,size=5", "XXOOX/OOXXO/XXOOX/OOXXO/XXOO. b")
    results = started(engine, almost, Limit(depth=1, infinite=True))
    assert engine.wait(0.1) is None
    engine.stop()
    engine.wait(PATIENCE)
    assert [result.turn for result in results] == ["E1"]


def test_result_comes_exactly_once(engine):
    results = started(engine, Position.start("gomoku"), LONG)
    for _ in range(3):
        engine.stop()
    engine.wait(PATIENCE)
    engine.stop()
    assert len(results) == 1


def test_go_while_searching_ends_the_search_before(engine):
    first = started(engine, Position.start("gomoku"), LONG)
    second = started(engine, Position.start("dvonn"), Limit(depth=2))
    assert len(first) == 1
    engine.wait(PATIENCE)
    assert second[0].turn in Position.start("dvonn").turns()


@pytest.mark.parametrize(("method", "memory"), [("alphabeta", "_table"), ("mcts", "_tree")])
def test_memory_is_allocated_before_the_first_search(method, memory):
    worker, position = Worker(hash_mb=1, method=method), Position.start("gomoku")
    worker.warm_up(position.spec.game)
    allocated = getattr(worker, memory)
    words = allocated.nodes if method == "mcts" else allocated.address
    worker.search(position, Limit(nodes=10))
    assert getattr(worker, memory) is allocated
    assert (allocated.nodes if method == "mcts" else allocated.address) is words


def test_memory_of_another_size_takes_no_time_of_the_next_search(monkeypatch):
    worker, position, touched = Worker(hash_mb=1), Position.start("gomoku"), []
    monkeypatch.setattr(TranspositionTable, "touch", lambda table: touched.append(table))
    worker.warm_up(position.spec.game)
    assert len(touched) == 1
    worker.configure(hash_mb=2)
    worker.go(position, Limit(nodes=10))
    assert worker.wait().nodes
    assert len(touched) == 1


def test_memory_of_a_search_is_given_back_without_waiting_for_the_collector(engine):
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            engine.search(Position.start("gomoku"), Limit(time=0.05))
        assert not [thing for thing in gc.get_objects() if type(thing) is SearchThread]
    finally:
        gc.enable()


def test_pondering_starts_its_clock_at_the_hit(engine):
    results = started(engine, Position.start("gomoku"), Limit(time=0.05, ponder=True))
    assert engine.wait(0.2) is None
    engine.ponderhit()
    assert engine.wait(PATIENCE) is not None
    assert len(results) == 1


def test_pondering_without_a_hit_ends_by_stop(engine):
    results = started(engine, Position.start("gomoku"), Limit(depth=1, ponder=True))
    assert engine.wait(0.1) is None
    engine.stop()
    assert engine.wait(PATIENCE) is results[0]


def test_movetime_ends_the_search(engine):
    result = engine.search(Position.start("dvonn"), Limit(time=0.1))
    assert result.turn in Position.start("dvonn").turns()


def test_processor_time_ends_the_search(engine):
    """Other processes may take as much of the processors as they like."""
    engine.configure(processor_time=True)
    began = time.process_time()
    result = engine.search(Position.start("dvonn"), Limit(time=0.2))
    assert result.turn in Position.start("dvonn").turns()
    assert 0.1 < result.seconds <= time.process_time() - began


def test_position_may_change_while_it_is_searched(engine):
    position = Position.start("gomoku")
    results = started(engine, position, LONG)
    position.push("A1")
    engine.stop()
    engine.wait(PATIENCE)
    assert results[0].turn in Position.start("gomoku").turns()


def test_only_turn_is_played_at_once_on_a_clock(engine):
    west, empty, east = "W2*,-,-,-,-,-,-,-,-", "-,-,-,-,-,-,-,-,-", "-,-,-,-,-,-,-,-,B1,D/-,-,-,-,-,-,-,-,D"
    position = Position.parse("dvonn", f"{west}/-,{empty}/-,-,{empty}/{east} w m")
    assert position.turns() == ["pass"]
    result = engine.search(position, Limit(clock=Clock(3600.0)))
    assert result.turn == "pass"
    assert all(line.depth <= 1 for line in result.lines)


def test_several_threads_search_together(engine):
    engine.configure(threads=3)
    result = engine.search(Position.start("gomoku"), Limit(time=0.3))
    assert result.turn in Position.start("gomoku").turns()
    assert engine.search(Position.start("gomoku"), Limit(nodes=3000)).nodes <= 3000 + 3


def test_what_was_searched_under_other_rules_is_forgotten():
    used, fresh = Worker(hash_mb=1), Worker(hash_mb=1)
    used.search(Position.start("gomoku:exactly-five"), Limit(depth=3))
    found, expected = (worker.search(Position.start("gomoku"), Limit(depth=3)) for worker in (used, fresh))
    assert (found.turn, found.nodes) == (expected.turn, expected.nodes)


def test_failing_search_still_answers_with_a_legal_turn(engine, monkeypatch):
    def fail(*_):
        raise RuntimeError("out of cheese")

    monkeypatch.setattr("tengen.search.alphabeta.run.Deepening", fail)
    result = engine.search(Position.start("dvonn"), Limit(depth=3))
    assert result.turn in Position.start("dvonn").turns()
    assert "out of cheese" in result.notice


def test_failing_callback_does_not_silence_the_engine(engine):
    def fail(_):
        raise RuntimeError("no listener")

    engine.go(Position.start("dvonn"), Limit(depth=2), on_info=fail)
    result = engine.wait(PATIENCE)
    assert result is not None
    assert result.turn in Position.start("dvonn").turns()
    engine.go(Position.start("dvonn"), Limit(depth=2), on_done=fail)
    assert engine.wait(PATIENCE) is not None


def test_helper_that_fails_does_not_stop_the_search(engine, monkeypatch):
    def fail(self, number):
        raise RuntimeError("helpless")

    engine.configure(threads=2)
    monkeypatch.setattr(AlphaBetaRun, "_help", fail)
    monkeypatch.setattr(threading, "excepthook", lambda *_: None)
    assert engine.search(Position.start("dvonn"), Limit(depth=3)).turn is not None


@pytest.mark.parametrize("end", ["stop", "time"])
def test_search_that_is_not_compiled_in_time_answers_without_one(engine, monkeypatch, end):
    said, may_finish = threading.Event(), threading.Event()

    def compile_kernels(game, method):
        warmup.announce_compilation(game)
        may_finish.wait(PATIENCE)

    monkeypatch.setattr(warmup, "ready", lambda *_: False)
    monkeypatch.setattr(warmup, "compile_kernels", compile_kernels)
    notices: list[str] = []
    limits = LONG if end == "stop" else Limit(time=0.3)
    engine.go(Position.start("gomoku"), limits, on_notice=lambda notice: (notices.append(notice), said.set()))
    if end == "stop":
        assert said.wait(PATIENCE)
        engine.stop()
    result = engine.wait(PATIENCE)
    may_finish.set()
    assert result is not None
    assert result.turn == "H8", "the only turn worth a search"
    assert "before the search was compiled" in result.notice
    assert notices == [warmup.COMPILING.format("gomoku")] or end == "time"  # which may come first


@pytest.mark.parametrize(
    ("spec", "text", "turn"),
    [
        ("gomoku,size=19", None, "K10"),
        ("gobang", None, "K10"),
        (
            "gomoku,size=7",
            "XXXX.../......./OOOO.../......./......./......./....... b",
            "E7",
        ),  # five, no defence
    ],
)
def test_best_turn_is_one_worth_a_search(spec, text, turn):
    position = Position(spec, text)
    game = position.spec.game
    chosen = best_turn(bound(game), game.module("evaluate"), position.state)
    assert position.format(chosen) == turn


@pytest.mark.parametrize("options", [{"threads": 0}, {"threads": 10_000}, {"hash_mb": 0}, {"hash_mb": 10**9}])
def test_absurd_options_are_refused_and_change_nothing(engine, options):
    with pytest.raises(OptionError, match="expected 1 to"):
        engine.configure(**options)
    assert engine.search(Position.start("dvonn"), Limit(depth=2)).turn is not None


MANY_CHOICES = (
    ("gipf:tournament", "..W./..W../WWWW../..W..../....../...../B... 4 16 w --"),
    (
        "gipf:tournament,zertz=6,tamsk=2",
        "...w+/...w+./...w+../w+w+w+w*W../....../...../B... 4 12 w -- 0 0 0 0 0 0",
    ),
)


@pytest.mark.parametrize(("spec", "text"), MANY_CHOICES)
def test_thousands_of_ways_to_take_a_row_are_not_enumerated(engine, monkeypatch, spec, text):
    """Doing so in Python took two seconds, ten times as long as there was."""

    def ways(position: Position) -> Iterator[tuple[int, ...]]:
        for number, actions in enumerate(turn_actions(position)):
            assert number < 100
            yield actions

    turn_actions = Position.turn_actions
    monkeypatch.setattr(Position, "turn_actions", ways)
    position = Position.parse(spec, text)
    result = engine.search(position, Limit(time=0.2))
    assert result.lines
    position.push(result.turn)
