"""What the tests here are handed."""

from __future__ import annotations

import pytest

from tests.rules.faces import each_face
from tests.rules.go.boards import (
    TurnsAfter,
    engine_turns,
    reference_turns,
)

face = each_face


@pytest.fixture(params=[reference_turns, engine_turns], ids=["reference", "engine"])
def turns_after(request: pytest.FixtureRequest) -> TurnsAfter:
    """Ask both for the legal turns of a game whose history counts; the questions of `face` have none."""
    return request.param
