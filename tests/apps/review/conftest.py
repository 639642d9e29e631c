"""What the tests here are handed."""

from __future__ import annotations

import pytest

from tengen.apps.cli import main as cli
from tests.apps.review.records import (
    BLUNDER,
    EFFORT,
)
from tests.processes import complaints


@pytest.fixture
def game(tmp_path):
    """Return the path of a record in a folder of its own."""
    path = tmp_path / "game.sgf"
    path.write_text(BLUNDER)
    return path


@pytest.fixture
def review(capsys):
    """Review a record within this process; return the exit code, the output, and the complaints as lines."""

    def run(path, *arguments: str) -> tuple[int, str, list[str]]:
        try:
            code = cli.main(["analyze", str(path), *(arguments or EFFORT)])
        except SystemExit as exit_:
            code = exit_.code
        out, err = capsys.readouterr()
        return code, out, complaints(err).splitlines()

    return run
