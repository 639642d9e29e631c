"""Processes that have the games of other packages."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.packages import environment, forget_games, install
from tests.processes import PATIENCE, complaints


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The folder in which the packages are installed."""
    return install(tmp_path_factory.mktemp("plugins"))


@pytest.fixture
def here(site, monkeypatch):
    """Have the games in this process."""
    monkeypatch.syspath_prepend(str(site))
    forget_games()
    yield
    monkeypatch.undo()
    forget_games()


@pytest.fixture
def tengen(site, tmp_path):
    """Return a function that runs ``tengen ARGUMENTS`` where the games are installed, in an empty folder."""

    def run(
        command: str, *more: str, answers: str = "", code: int = 0, extra: Path | None = None
    ) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "tengen", *shlex.split(command), *more],
            cwd=tmp_path,
            env={**os.environ, **environment(*([extra] if extra else []), site)},
            input=answers,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout, complaints(done.stderr).removesuffix("\n")

    return run
