"""What the tests here are handed."""

import pytest

from tests.apps.review.records import BLUNDER, EFFORT


@pytest.fixture
def game(tmp_path):
    """Return the path of a record in a folder of its own."""
    path = tmp_path / "game.sgf"
    path.write_text(BLUNDER)
    return path


@pytest.fixture
def review(tengen):
    """Review a record within this process; return the exit code, the output, and the complaints as lines."""

    def run(path, *arguments: str) -> tuple[int, str, list[str]]:
        code, out, err = tengen("analyze", str(path), *(arguments or EFFORT))
        return code, out, err.splitlines()

    return run
