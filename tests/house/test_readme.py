"""What the README and docs/ show is what the commands do: every `$` line is run, and its output compared."""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.search import warmup
from tests import ROOT
from tests.processes import PATIENCE

README = (ROOT / "README.md").read_text("utf-8")
FILES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
PAGES = [page.read_text("utf-8") for page in FILES]
COMMAND = r"```console\n\$ tengen ((?:[^\n]*\\\n)*[^\n]*)\n(.*?)```"  # a backslash ends a line that continues
BLOCKS = [
    (command.replace("\\\n", " "), output)
    for page in PAGES
    for command, output in re.findall(COMMAND, page, re.S)
]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, "-m", "tengen", *shlex.split(command)]
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        arguments, cwd=folder, env=settings, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def skeleton(command: str, text: str) -> str:
    """Return the text without times and without what depends on the machine."""
    if command.startswith("analyze"):  # to a depth: the rest is always the same
        changing = r"[\d,]+ nodes/s|[\d.]+ s\b"
    elif command.startswith(("match", "selfplay")):
        changing = r"\([0-9a-f]{16}(?:-[0-9a-f]{8})?\)|[+-]?\d[\d,.]*"
    else:
        changing = r"seconds \S+"
    return "\n".join(" ".join(re.sub(changing, "#", line).split()) for line in text.strip().splitlines())


@pytest.mark.parametrize(("command", "output"), BLOCKS, ids=[command[:40] for command, _ in BLOCKS])
def test_command_prints_what_the_documentation_shows(command, output, tmp_path):
    reply = run(command, tmp_path)
    assert reply.returncode == 0, reply.stderr
    assert skeleton(command, reply.stdout) == skeleton(command, output)


def test_pages_say_as_the_notice_how_long_compiling_takes():
    said = [re.search(r"\d+ to \d+ s", notice) for notice in (warmup.COMPILING, warmup.COMPILING_ALWAYS)]
    pages = dict(zip([page.name for page in FILES], PAGES, strict=True))
    for name in ("README.md", "troubleshooting.md", "protocols.md", "guis.md"):
        said += re.finditer(r"(?<=for )\d+ to \d+ s\b|(?<=machine: )\d+ to \d+ s\b", pages[name])
    assert {found and found[0] for found in said} == {"10 to 30 s"}
    assert len(said) == 6


def test_every_command_line_is_run():
    assert sum(len(re.findall(r"^\s*\$ ", page, re.M)) for page in PAGES) == len(BLOCKS)


def test_documentation_shows_the_main_commands():
    shown = {command.split()[0] for command, _ in BLOCKS}
    assert shown >= {"analyze", "show", "match", "selfplay", "games", "perft"}


def test_paths_that_the_documentation_names_exist():
    for path in re.findall(r"`((?:engine|search|tuning|protocol|tests)/[\w./]*)`", "\n".join(PAGES)):
        assert (ROOT / path).exists(), path


def test_modules_that_are_run_exist():
    for name in {name for page in PAGES for name in re.findall(r"python -m ([a-z][\w.]*)", page)}:
        assert importlib.util.find_spec(name) is not None, name


def test_make_targets_that_the_readme_names_exist():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"^ {4}make (\w+)", README, re.M)
    assert {"demo", "test"} <= set(targets)
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.M), target


@pytest.mark.parametrize("protocol", re.findall(r"`tengen ((?:gtp|ugi) --game [^`]+)`", README))
def test_lines_for_guis_start_an_engine(protocol, tmp_path):
    arguments = [sys.executable, "-m", "tengen", *shlex.split(protocol)]
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    greeting = "name\nquit\n" if protocol.startswith("gtp") else "ugi\nquit\n"
    reply = subprocess.run(
        arguments, input=greeting, env=settings, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert "tengen" in reply.stdout


@pytest.mark.parametrize("command", re.findall(r"^ {4}tengen ([^#\n]*?) *#", README, re.M))
def test_commands_without_output_begin_as_they_should(command, tmp_path):
    quiet = {"serve": "serve --no-browser --port 0", "play": "play --help", "bench": "bench --help"}
    arguments = [sys.executable, "-m", "tengen", *shlex.split(quiet.get(command, command))]
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "TENGEN_DATA": str(tmp_path)}
    with subprocess.Popen(arguments, env=settings, stdout=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline()
        process.kill()
    assert first.strip()
