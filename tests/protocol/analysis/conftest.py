"""What the tests here are handed."""

from collections.abc import Iterator

import pytest

from tests.protocol.analysis.client import Client
from tests.protocol.conversation import Inside


@pytest.fixture
def client() -> Iterator[Client]:
    """Return who talks about Gomoku on a small board."""
    talk = Inside("analysis", "gomoku,size=7")
    yield Client(talk)
    talk.dialogue._queue.terminate(lambda job: True)
    assert talk.finish() == 0
