"""Golden games, of every game that belongs to tengen."""

from pathlib import Path

import pytest

from tengen.engine import games
from tests.contract.playthroughs import playthrough

DATA = Path(__file__).parent


@pytest.mark.parametrize("name", games.built_in())
def test_golden_playthrough(name):
    """Every answer at each ply of one random game is as it was when it was last looked at."""
    expected = (DATA / "playthroughs" / f"{name}.txt").read_text("utf-8")
    assert playthrough(name) == expected, (
        f"if this change is meant: python -m tests.contract.playthroughs {name}"
    )
