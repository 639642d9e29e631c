"""How long an engine may take to read, and to get ready."""

import sys

import pytest

from tengen.engine.spec import GameSpec
from tengen.tuning.players.base import EndReason, PlayerFailure
from tengen.tuning.players.external import engine as players
from tengen.tuning.players.external import process as processes
from tengen.tuning.players.external.process import Deadline, EngineProcess
from tengen.tuning.players.external.ugi import UgiPlayer

SPEC = GameSpec.parse("gomoku,size=5")
DEAF = "import time\nprint('ready', flush=True)\ntime.sleep(600)"
READY = "print('ugiok', flush=True)\nfor line in sys.stdin: print('readyok', flush=True)"
COMPILES = f"import sys, time\nwhile time.process_time() < 3: pass\n{READY}"
CIRCLES = "while True: pass"


@pytest.fixture
def deaf():
    engine = EngineProcess((sys.executable, "-c", DEAF))
    assert engine.receive(Deadline(60)) == "ready"
    yield engine
    engine.close()


def test_an_engine_that_does_not_read_is_given_up_in_time(deaf):
    with pytest.raises(PlayerFailure, match="its input is full") as caught:
        deaf.send("x" * (1 << 22), Deadline(0.1))
    assert caught.value.reason == EndReason.TIME


def test_an_engine_that_is_killed_while_it_does_not_read_has_crashed(deaf):
    deaf.kill()
    with pytest.raises(PlayerFailure, match="killed by signal 9") as caught:
        deaf.send("x" * (1 << 22), Deadline(600))
    assert caught.value.reason == EndReason.CRASH


def test_a_line_longer_than_a_pipe_arrives_whole():
    echo = EngineProcess((sys.executable, "-c", "import sys\nprint(len(sys.stdin.readline()), flush=True)"))
    echo.send("x" * (1 << 20), Deadline(60))
    assert echo.receive(Deadline(60)) == str((1 << 20) + 1)
    echo.close()


def test_an_engine_that_computes_may_take_longer_to_get_ready(monkeypatch):
    monkeypatch.setattr(players, "STARTUP", 2.5)  # a busy machine may give it nothing for a second
    monkeypatch.setattr(processes, "MIN_WORK", 0.001)
    player = UgiPlayer(SPEC, (sys.executable, "-c", COMPILES))
    assert player.start() == sys.executable
    player.close()


@pytest.mark.parametrize("program", [CIRCLES, DEAF])
def test_an_engine_that_never_gets_ready_is_given_up(monkeypatch, program):
    monkeypatch.setattr(players, "STARTUP", 0.5)
    monkeypatch.setattr(players, "STARTUP_WORK", 1.0)
    monkeypatch.setattr(processes, "MIN_WORK", 0.001)
    with pytest.raises(PlayerFailure, match="no answer"):
        UgiPlayer(SPEC, (sys.executable, "-c", program)).start()
