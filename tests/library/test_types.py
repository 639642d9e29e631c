"""Programs of users pass strict type checks, and their mistakes do not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from tengen import engines, matches, programs
from tengen.search.limits.limit import METHODS
from tengen.tuning.match.settings import MatchSettings

from .test_docs import README, examples

TYPED = Path(__file__).parent / "typed"


def test_programs_of_users_pass_strict_checks_and_their_mistakes_do_not(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "readme.py").write_text(examples(README), "utf-8")
    checker = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", tmp_path / "cache"]
    done = subprocess.run([*checker, TYPED, tmp_path / "readme.py"], capture_output=True, text=True)
    found = re.findall(r"(\w+\.py):(\d+): error", done.stdout)
    wanted = [
        (path.name, f"{number}")
        for path in sorted(TYPED.glob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if line.endswith("  # refused")
    ]
    assert found == wanted, done.stdout + done.stderr


def test_the_types_of_options_are_those_of_the_options():
    hints = get_type_hints(engines.EngineOptions)
    assert hints.keys() == engines.OPTIONS.keys()
    assert get_args(hints["method"]) == METHODS
    assert programs.PROTOCOLS == ("gtp", "ugi", "gomocup")
    assert set(matches.MatchOptions.__annotations__) < set(MatchSettings.__dataclass_fields__)
