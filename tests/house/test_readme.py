"""What the README shows is what the commands do: every `$` line is run, and its output compared."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```console\n\$ tengen (.*?)\n(.*?)```", README, re.S)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, "-m", "tengen", *shlex.split(command)]
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        arguments, cwd=folder, env=settings, capture_output=True, text=True, timeout=120, check=False
    )


def skeleton(command: str, text: str) -> str:
    """Return the text less what differs from run to run: times, and what depends on the machine."""
    changing = (
        r"\([0-9a-f]{16}(?:-[0-9a-f]{8})?\)|[+-]?\d[\d,.]*"
        if command.startswith(("analyze", "match", "selfplay"))
        else r"seconds \S+"
    )
    return "\n".join(" ".join(re.sub(changing, "#", line).split()) for line in text.strip().splitlines())


@pytest.mark.parametrize(("command", "output"), BLOCKS, ids=[command[:40] for command, _ in BLOCKS])
def test_command_prints_what_the_readme_shows(command, output, tmp_path):
    reply = run(command, tmp_path)
    assert reply.returncode == 0, reply.stderr
    assert skeleton(command, reply.stdout) == skeleton(command, output)


def test_readme_shows_the_main_commands():
    assert {command.split()[0] for command, _ in BLOCKS} >= {"analyze", "show", "match", "games", "perft"}


def test_files_that_the_readme_names_exist():
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
    for folder in re.findall(r"`((?:engine|search|tuning|protocol|tests)/[\w./]*)`", README):
        assert (ROOT / folder).exists(), folder


def test_make_targets_that_the_readme_names_exist():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"make (demo|test|lint|\w+) ", README):
        if f"make {target}" in README and target in ("demo", "test", "lint"):
            assert re.search(rf"^{target}:", makefile, re.M), target


@pytest.mark.parametrize("protocol", re.findall(r"`tengen ((?:gtp|ugi) --game [^`]+)`", README))
def test_lines_for_guis_start_an_engine(protocol, tmp_path):
    arguments = [sys.executable, "-m", "tengen", *shlex.split(protocol)]
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    greeting = "name\nquit\n" if protocol.startswith("gtp") else "ugi\nquit\n"
    reply = subprocess.run(
        arguments, input=greeting, env=settings, capture_output=True, text=True, timeout=60, check=True
    )
    assert "tengen" in reply.stdout
