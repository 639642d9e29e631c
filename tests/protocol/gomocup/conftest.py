"""What the tests here are handed."""

import pytest

from tests.protocol.conversation import Inside


@pytest.fixture
def talk():
    """Return a conversation about a board of 15 by 15 points, a twentieth of a second a turn."""
    talk = Inside("gomocup", "gomoku")
    talk.session.set_option("Hash", "1")  # less to clear
    talk.send("START 15", "INFO timeout_turn 50")
    talk.until("OK$")
    yield talk
    talk.send("YXSTOP", "END")
    talk.finish()
