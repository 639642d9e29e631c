"""Alarms, and what the clocks of a manager tell about late answers."""

import threading
import time

import pytest

from tengen.engine.jit.intrinsics import CLOCK as CLOCK_OF_KERNELS
from tengen.engine.play.position import Position
from tengen.search import run
from tengen.search.limits.limit import Clock, Limit
from tengen.search.limits.timekeeper import Alarm, Timekeeper
from tengen.search.worker import Worker
from tests.processes import PATIENCE

CLOCK = Clock(10.1, 0.5)


class Hands:
    """A clock that shows what it is told, and hurries by a step whenever it is read."""

    def __init__(self, step: float = 0.0) -> None:
        self.time, self._step = 100.0, step

    def __call__(self) -> float:
        self.time += self._step
        return self.time


def test_an_alarm_rings_when_its_clock_says_so():
    hands, rung = Hands(), threading.Event()
    alarm = Alarm(hands, 0.001, 1, rung.set)
    alarm.start()
    assert not rung.wait(0.1), "its clock stands still"
    hands.time += 0.001
    assert rung.wait(PATIENCE)


def test_a_cancelled_alarm_does_not_ring():
    rung = threading.Event()
    alarm = Alarm(time.monotonic, PATIENCE, 1, rung.set)
    alarm.cancel()
    alarm.wait()
    assert not rung.is_set()


def answered(late: float = 0.0, spent: float = 1.0) -> tuple[Timekeeper, Position]:
    """Return a timekeeper after the first answer of a game, and the position after the reply to it."""
    timekeeper, position = Timekeeper(), Position.start("gomoku")
    timekeeper.note_answer(position, CLOCK, "H8", spent + late, spent)
    for turn in ("H8", "J9"):
        position.push(turn)
    return timekeeper, position


def test_a_manager_that_charges_more_than_the_search_took_shows_the_lag():
    timekeeper, position = answered()
    timekeeper.budget(Limit(clock=Clock(10.1 - 1.2 + 0.5, 0.5)), position)
    assert timekeeper.lag.mean * 2 == pytest.approx(0.2)


def test_a_manager_that_charges_less_shows_none():
    timekeeper, position = answered(late=0.1)
    timekeeper.budget(Limit(clock=Clock(10.1 - 0.7 + 0.5, 0.5)), position)
    assert timekeeper.lag.reserve == 0


@pytest.mark.parametrize(
    ("turns", "clock"),
    [
        (("A1", "J9"), Clock(9.4, 0.5)),  # another game
        (("H8",), Clock(9.4, 0.5)),  # the other side is to move
        (("H8", "J9"), Clock(9.4, 0.0)),  # another time control
        (("H8", "J9"), Clock(60.3, 0.5)),  # wound up
        (("H8", "J9"), Clock(9.4, 0.5, moves_to_go=3)),
        (("H8", "J9"), Clock(9.4, 0.5, byoyomi=5.0)),
        (("H8", "J9"), None),
    ],
)
def test_a_clock_that_does_not_tell_leaves_what_the_search_has_seen_itself(turns, clock):
    timekeeper, _ = answered(late=0.3)
    position = Position.start("gomoku")
    for turn in turns:
        position.push(turn)
    timekeeper.budget(Limit(clock=clock), position)
    assert timekeeper.lag.mean * 2 == pytest.approx(0.3)


def test_whole_seconds_tell_nothing():
    timekeeper, position = Timekeeper(), Position.start("gomoku")
    timekeeper.note_answer(position, Clock(10.0), "H8", 0.1, 0.1)
    for turn in ("H8", "J9"):
        position.push(turn)
    timekeeper.budget(Limit(clock=Clock(9.0)), position)
    assert timekeeper.lag.reserve == 0


def test_time_begins_when_the_turn_is_asked_for(monkeypatch):
    monkeypatch.setattr(run, "MIN_TIME", PATIENCE)  # enough for a turn on however busy a machine
    worker, position = Worker(hash_mb=1), Position.start("gomoku")
    worker.warm_up(position.spec.game)
    worker.go(position, Limit(depth=1, time=PATIENCE, asked=time.monotonic() - 2 * PATIENCE))
    result = worker.wait(PATIENCE)
    assert result.lines, "a late search looks at the position at least"
    assert result.seconds > PATIENCE


def test_processor_time_begins_with_the_search():
    worker, position = Worker(hash_mb=1, processor_time=True), Position.start("gomoku")
    worker.warm_up(position.spec.game)
    worker.go(position, Limit(depth=1, asked=time.monotonic() - PATIENCE))
    assert worker.wait(PATIENCE).seconds < PATIENCE


@pytest.mark.skipif(CLOCK_OF_KERNELS is None, reason="kernels have no clock here")
@pytest.mark.parametrize("method", ["alphabeta", "mcts"])
def test_a_search_ends_in_time_though_its_alarm_does_not_ring(monkeypatch, method):
    monkeypatch.setattr(Alarm, "start", lambda alarm: None)
    worker, position = Worker(hash_mb=1, method=method), Position.start("dvonn")
    worker.warm_up(position.spec.game)
    worker.go(position, Limit(time=0.05))
    result = worker.wait(PATIENCE)
    worker.stop()
    assert result


def test_a_late_turn_makes_the_next_one_shorter():
    """The clock runs on for as long as it takes to report the turn."""
    worker, hands = Worker(hash_mb=1), Hands(step=0.001)
    position = Position.start("gomoku")
    worker.warm_up(position.spec.game)
    worker._timekeeper.now = hands
    limits = Limit(time=0.2)

    def budget_after(lateness: float) -> float:
        def report(_: object) -> None:
            hands.time += lateness

        nearly_over = hands.time + limits.time - 0.02

        def hurry(_: object) -> None:  # the search looks at its clock seldom
            hands.time = max(hands.time, nearly_over)

        worker.go(position, limits, on_info=hurry, on_done=report)
        assert worker.wait(PATIENCE)
        worker.go(position, Limit(time=limits.time, nodes=1))
        hard = worker._search._budget.hard
        assert worker.wait(PATIENCE)
        return hard

    prompt = budget_after(0.0)
    assert budget_after(0.05) < prompt - 0.03
