"""What the tests of all commands are handed."""

from __future__ import annotations

import pytest

from tengen.engine.games import find
from tengen.engine.jit import COMPILED
from tengen.engine.play.position import Position
from tengen.search import perft, warmup


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Compile what the commands below run: they are not to say that they do."""
    if COMPILED:
        for name in ("dvonn", "gipf", "go", "gomoku", "zertz"):
            warmup.compile_kernels(find(name))
        for spec in ("dvonn", "gipf", "gomoku,size=5"):
            perft.count(Position.start(spec), 2)
