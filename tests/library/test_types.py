"""Programs of users pass strict type checks, and their mistakes do not."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from tengen import engines, matches, programs
from tengen.search.limits.limit import METHODS
from tengen.tuning.match.settings import MatchSettings

from .test_docs import README, ROOT, examples

TYPED = Path(__file__).parent / "typed"
EXAMPLES = ("chat_bot.py", "gui_loop.py")  # the others are about NumPy and PyTorch


def found_by_mypy(folder: Path) -> list[tuple[str, int]]:
    """Return the files and lines with errors by mypy's strict checks, which lint may have begun."""
    settings = ["--config-file", ROOT / "pyproject.toml", "--cache-dir", ROOT / ".mypy_cache"]
    checker = [sys.executable, "-m", "mypy", *settings]
    done = subprocess.run([*checker, folder], capture_output=True, text=True)
    assert "error: " in done.stdout, done.stdout + done.stderr  # the mistakes
    return [(name, int(line)) for name, line in re.findall(r"(\w+\.py):(\d+): error", done.stdout)]


def found_by_pyright(folder: Path) -> list[tuple[str, int]]:
    """Return the files and lines with errors by pyright's strict checks."""
    settings = {"typeCheckingMode": "strict", "include": ["."], "extraPaths": [str(ROOT)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    checker = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run([*checker, "--project", folder], capture_output=True, text=True)
    errors = (each for each in json.loads(done.stdout)["generalDiagnostics"] if each["severity"] == "error")
    return [(Path(each["file"]).name, each["range"]["start"]["line"] + 1) for each in errors]


@pytest.mark.parametrize("found_by", [found_by_mypy, found_by_pyright])
def test_programs_of_users_pass_strict_checks_and_their_mistakes_do_not(found_by, tmp_path):
    pytest.importorskip({found_by_mypy: "mypy", found_by_pyright: "basedpyright"}[found_by])
    for path in (*TYPED.glob("*.py"), *(ROOT / "examples" / name for name in EXAMPLES)):
        shutil.copy(path, tmp_path)
    (tmp_path / "readme.py").write_text(examples(README), "utf-8")
    wanted = {
        (path.name, number)
        for path in TYPED.glob("*.py")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if line.endswith("  # refused")
    }
    assert set(found_by(tmp_path)) == wanted


def test_the_types_of_options_are_those_of_the_options():
    hints = get_type_hints(engines.EngineOptions)
    assert hints.keys() == engines.OPTIONS.keys()
    assert get_args(hints["method"]) == METHODS
    assert programs.PROTOCOLS == ("gtp", "ugi", "gomocup")
    assert set(matches.MatchOptions.__annotations__) < set(MatchSettings.__dataclass_fields__)
