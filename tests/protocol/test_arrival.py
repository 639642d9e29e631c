"""The time of a turn begins when the line that asks for it arrives, not when it is executed."""

import io
import time

import pytest

from tengen.engine.spec import GameSpec
from tengen.protocol.gtp.commands import Gtp
from tengen.protocol.lines import InputLine, Reader, Writer
from tengen.protocol.session import Session
from tengen.protocol.ugi import Ugi
from tests.processes import PATIENCE

LATE = 1000.0  # seconds


@pytest.fixture
def session():
    return Session(GameSpec.parse("gomoku"))


def speaks(protocol, session):
    """Return a dialogue that is not read from anywhere, with its output."""
    sink = io.BytesIO()
    return protocol(session, Reader(io.BytesIO()), Writer(sink, lambda error: None)), sink


def test_a_line_knows_when_it_was_read():
    before = time.monotonic()
    reader = Reader(io.BytesIO(b"name\n"))
    reader.start()
    (line,) = reader
    assert before <= line.arrived <= time.monotonic()


def test_ugi_counts_from_the_arrival_of_go(session):
    talk, sink = speaks(Ugi, session)
    arrived = time.monotonic() - LATE
    talk.execute(InputLine("go movetime 100000", arrived=arrived))
    assert session.limits.asked == arrived
    assert session.wait(PATIENCE), "there is nothing left of 100 seconds"
    assert b"bestmove" in sink.getvalue()


def test_ugi_does_not_count_what_passes_before_readyok(session):
    talk, _ = speaks(Ugi, session)
    arrived = time.monotonic()
    talk.execute(InputLine("isready", arrived=arrived))
    talk.execute(InputLine("go depth 1", arrived=arrived))
    assert session.limits.asked > arrived
    session.stop_and_wait()


def test_gtp_takes_off_the_clock_what_passes_from_the_arrival_on(session):
    talk, sink = speaks(Gtp, session)
    talk.execute(InputLine("time_settings 2000 0 0", arrived=time.monotonic() - 2 * LATE))
    talk._replied -= LATE
    talk.execute(InputLine("genmove b", arrived=time.monotonic() - LATE))
    assert sink.getvalue().count(b"= ") == 1
    assert 0 < talk.clocks.clock(0).remaining <= 2000 - LATE + 1


def test_gtp_does_not_count_what_passes_before_the_last_reply(session):
    """Controllers that send all commands of a game at once would lose it on time."""
    talk, _ = speaks(Gtp, session)
    arrived = time.monotonic() - LATE
    talk.execute(InputLine("time_settings 10 0 0", arrived=arrived))
    talk.execute(InputLine("genmove b", arrived=arrived))
    assert talk.clocks.clock(0).remaining > 0
    assert session.limits.asked > arrived
