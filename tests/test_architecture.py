"""Who may import whom, and who may print: the house's rooms and the direction of its doors."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "engine": {"engine"},
    "search": {"engine", "search"},
    "tuning": {"engine", "search", "tuning"},
    "protocol": {"engine", "search", "tuning", "protocol"},
}
CORE = {"numba", "llvmlite", "numpy", "platformdirs", "tqdm"}
OPTIONAL = {"PIL", "distributed", "matplotlib"}
FILES = [
    pytest.param(path, id=str(path.relative_to(ROOT)))
    for room in MAY_IMPORT
    for path in (ROOT / room).rglob("*.py")
]


def imported(path: Path) -> set[str]:
    """Return the top-level names of all packages that the file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("path", FILES)
def test_imports_run_one_way(path):
    room = path.relative_to(ROOT).parts[0]
    foreign = imported(path) & (MAY_IMPORT.keys() | {"tests"})
    assert foreign <= MAY_IMPORT[room]


@pytest.mark.parametrize("path", FILES)
def test_packages_from_outside_are_declared(path):
    outside = imported(path) - MAY_IMPORT.keys() - set(sys.stdlib_module_names)
    assert outside <= CORE | OPTIONAL


@pytest.mark.parametrize("path", FILES)
def test_only_protocol_prints(path):
    if path.relative_to(ROOT).parts[0] == "protocol":
        return
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    names = [ast.unparse(call.func) for call in calls]
    assert not [name for name in names if name in ("print", "sys.stdout.write", "sys.stderr.write")]


def test_no_game_is_named_outside_its_folder():
    """Adding a game is adding a folder: nothing in engine's or search's shared files knows one by name."""
    for path in [*(ROOT / "engine").glob("*.py"), *(ROOT / "search").glob("*.py")]:
        code = ast.unparse(ast.parse(path.read_text("utf-8")))
        assert "engine.dvonn" not in code, path
        assert "engine.gomoku" not in code, path


def test_a_game_spec_is_read_without_numpy():
    code = (
        "import sys; from engine.game import GameSpec as G; G.parse('gomoku'); print('numpy' in sys.modules)"
    )
    reply = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert reply.stdout.strip() == "False"
