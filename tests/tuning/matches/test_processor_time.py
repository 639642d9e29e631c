"""Matches on processor time, in which nobody loses time by what else the machine does."""

import subprocess
import sys
import time

import pytest

from tengen.engine import system
from tengen.engine.play.position import Position
from tengen.search.limits.limit import Clock, Limit
from tengen.tuning.match.playing import UNTIMED_TIMEOUT, GameClock
from tengen.tuning.players.base import EndReason, PlayerFailure, TurnTime
from tengen.tuning.players.external.process import Deadline
from tengen.tuning.players.specs import PlayerSpec
from tests.processes import cpu_seconds, eventually
from tests.tuning.matches.playing import GOMOKU, played, program, settings

linux = pytest.mark.skipif(not system.LINUX, reason="the tests ask Linux, too")
SPIN = "while True: pass"
TICKS = 0.03  # seconds: what the kernel rounds off
TURN = Limit(time=0.2)


@pytest.fixture(params=["Linux", "other systems"])
def asked(request, monkeypatch):
    """Whom `processor_time` asks."""
    monkeypatch.setattr(system, "LINUX", request.param == "Linux")


@pytest.fixture
def run():
    """Start a program, which is killed after the test."""
    running = []

    def start(*command: str) -> int:
        running.append(subprocess.Popen(command, start_new_session=True))
        return running[-1].pid

    yield start
    for each in running:
        subprocess.run(["kill", "-KILL", "--", f"-{each.pid}"], check=True)
        each.wait()


@linux
def test_the_time_of_a_process_is_what_the_kernel_says(run, asked):
    pid = run(sys.executable, "-c", SPIN)
    eventually(lambda: cpu_seconds(pid) > 0.2)
    before, told, after = cpu_seconds(pid), system.processor_time(pid), cpu_seconds(pid)
    assert before - TICKS < told < after + TICKS


@linux
def test_a_process_that_waits_takes_no_time(run):
    pid = run("sleep", "600")
    eventually(lambda: system.processor_time(pid) > 0)
    before = system.processor_time(pid)
    time.sleep(0.3)
    assert system.processor_time(pid) - before < TICKS


@linux
def test_the_children_of_a_process_count_too(run, asked):
    pid = run("sh", "-c", f"{sys.executable} -c '{SPIN}' & wait")
    eventually(lambda: system.processor_time(pid) > 0.2)
    assert cpu_seconds(pid) < 0.1, "the shell itself only waits"


@linux
def test_a_process_that_does_not_exist_has_no_time(asked):
    with pytest.raises(ProcessLookupError):
        system.processor_time((1 << 22) + 1)


@linux
@pytest.mark.parametrize("protocol", ["ugi", "gtp", "gomocup"])
def test_a_program_that_waits_is_not_late_and_one_that_computes_is(tmp_path, protocol):
    """The first sleeps for 0.4 s in each turn, the other computes for 0.6 s; 0.3 s are allowed."""
    wanted = dict(limits=TURN, cpu_time=True, margin=0.1, games=2)
    waiting = played(settings(program(protocol, "late"), "random", **wanted), tmp_path / "waiting")
    assert not waiting.forfeits()
    computing = played(settings(program(protocol, "busy"), "random", **wanted), tmp_path / "computing")
    assert computing.forfeits() == {(0, EndReason.TIME): 2}
    assert all("s of processor time, due after 0.300 s" in game.detail for game in computing.games)


@linux
def test_clocks_count_the_time_of_each_player(tmp_path):
    wanted = settings(program("ugi", "late"), "greedy", limits=Limit(), clock=Clock(1.0), cpu_time=True)
    for game in played(wanted, tmp_path / "match").games:
        assert sum(game.seconds) < 0.3 * len(game.turns)
        assert all(seconds >= 0 for seconds in game.seconds)


@linux
def test_a_program_that_has_ended_has_crashed():
    player = PlayerSpec.parse("ugi:true").create(GOMOKU)
    with pytest.raises(PlayerFailure, match="crash"):
        player.processor_time()


@pytest.mark.parametrize("text", ["tengen", "greedy", "random"])
def test_own_players_count_the_time_of_this_process(text):
    player = PlayerSpec.parse(text).create(GOMOKU)
    player.count_processor_time()
    player.start()
    player.new_game(1)
    before = time.process_time()
    began = player.processor_time()
    assert player.play(Position.start(GOMOKU), TurnTime(Limit(time=0.1), None, 60.0))
    assert began <= player.processor_time() <= began + time.process_time() - before
    if text == "tengen":
        assert player.processor_time() - began > 0.05
    player.close()


class Script:
    """An engine that prints some lines, whatever it is sent."""

    def __init__(self, *lines: str) -> None:
        self.sent: list[str] = []
        self._lines = iter(lines)

    def send(self, line: str, deadline: Deadline) -> None:
        self.sent.append(line)

    def receive(self, deadline: Deadline) -> str:
        return next(self._lines)


@pytest.mark.parametrize("offers", [True, False])
@pytest.mark.parametrize("counts", [True, False])
def test_ugi_engines_that_can_plan_their_processor_time_are_told_to(offers, counts):
    option = ["option name CpuTime type check default false"] if offers else []
    engine = Script("id name someone", *option, "ugiok", "readyok")
    player = PlayerSpec.parse("ugi:someone").create(GOMOKU)
    if counts:
        player.count_processor_time()
    assert player._handshake(engine, Deadline(0.0)) == "someone"
    assert ("setoption name CpuTime value true" in engine.sent) == (offers and counts)


def test_nobody_is_hurried_by_the_wall_clock():
    clock = GameClock(settings("random", "random", limits=Limit(time=0.1), cpu_time=True), (0, 1))
    assert clock.turn_time(0).timeout == UNTIMED_TIMEOUT


def test_matches_on_processor_time_are_matches_of_their_own():
    usual, counted = (settings("random", "random", limits=TURN, cpu_time=flag) for flag in (False, True))
    assert usual.identity().items() < counted.identity().items()
