"""Who may import whom, and who may print: the house's rooms and the direction of its doors."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from tests import ROOT

ROOMS = ("engine", "search", "tuning", "protocol")  # a room may import itself and those before it
CORE = {"numba", "llvmlite", "numpy", "platformdirs", "tqdm"}
OPTIONAL = {"PIL", "distributed", "matplotlib"}
FILES = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]


def modules_imported(path: Path) -> set[str]:
    """Return the dotted names of all modules that the file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
    return names


def test_imports_run_one_way():
    for path in FILES:
        below = ROOMS[: ROOMS.index(path.relative_to(ROOT).parts[0]) + 1]
        for name in modules_imported(path):
            top, *inside = name.split(".")
            assert top not in (*ROOMS, "tests"), f"{path}: {name}"
            assert top != "tengen" or not inside or inside[0] in below, f"{path}: {name}"


def test_packages_from_outside_are_declared():
    for path in FILES:
        outside = {name.split(".")[0] for name in modules_imported(path)} - set(sys.stdlib_module_names)
        assert outside <= CORE | OPTIONAL | {"tengen"}, path


def test_only_protocol_prints():
    for path in FILES:
        if path.relative_to(ROOT).parts[0] == "protocol":
            continue
        calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
        names = {ast.unparse(call.func) for call in calls}
        assert not names & {"print", "sys.stdout.write", "sys.stderr.write"}, path


def test_no_shared_module_imports_a_game():
    """Adding a game is adding a folder: nothing in engine's or search's shared files imports one."""
    games = tuple(f"tengen.engine.{path.parent.name}" for path in (ROOT / "engine").glob("*/rules.py"))
    for path in FILES:
        room, *inside = path.relative_to(ROOT).parts
        if room == "search" or (room == "engine" and f"tengen.engine.{inside[0]}" not in games):
            assert not [name for name in modules_imported(path) if name.startswith(games)], path


def test_a_game_spec_is_read_without_numpy():
    read = "from tengen.engine.game import GameSpec; GameSpec.parse('gomoku')"
    code = f"import sys; {read}; print('numpy' in sys.modules)"
    reply = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert reply.stdout.strip() == "False"
