"""Hostile words and files: what is shown of them cannot control a terminal, and is short."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tengen.apps.cli.main import COMMANDS
from tengen.engine.errors import MAX_MESSAGE, TengenError, nearest, printable, quoted
from tests.processes import PATIENCE, eventually

ESCAPE = "\x1b]0;title\x07\x1b[2J"
BIDI = "\u202e\u2066gnp.exe"
HOSTILE = {
    "escape": ESCAPE,
    "lines": "a\nb\r\nc\x85d\u2028e",
    "bidi": BIDI,
    "surrogate": "\udcff\udc80",
    "long": "x" * 1_000_000,
    "combined": (ESCAPE + BIDI) * 1_000,
}
LONGEST = MAX_MESSAGE + 200  # characters of a line on standard error


def test_foreign_text_is_one_printable_line():
    for text in HOSTILE.values():
        assert printable(text).isprintable()
        assert len(printable(text)) <= MAX_MESSAGE
        assert quoted(text).isprintable()
        assert len(quoted(text)) <= 160
        assert str(TengenError(text)).isprintable()
    assert printable("ZÈRTZ → 名") == "ZÈRTZ → 名"
    assert printable(ESCAPE) == r"\x1b]0;title\x07\x1b[2J"
    assert printable("one\r\ntwo\n") == "one two"
    assert printable("a" * 50 + "b" * 50, 40) == "a" * 20 + " ... " + "b" * 15
    assert nearest("x" * 10_000, ["x"]) == ""


@pytest.fixture
def refused(printed):
    """Run a command that must fail, and return its line on standard error."""

    def run(*words: str) -> str:
        err = printed(*words, code=2)
        assert err.endswith("\n")
        assert err[:-1].isprintable(), err[:200]
        assert len(err) < LONGEST
        return err

    return run


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_command_echoes_hostile_words(refused, text):
    """As a command, an option, a value of an option, a game, a file that is not there."""
    refused(text)
    for command in COMMANDS:
        refused(command, f"--{text}")
        refused(command, "--game", text, "--no-such-option")
    for command in ("bench", "warmup", "rules"):
        refused(command, text)
    refused("show", "--game", text)
    refused("show", f"{text}.sgf")
    refused("show", "--game", "dvonn", "--moves", text)
    refused("show", "--game", "dvonn", "--position", text)
    refused("perft", "--game", "dvonn", "--depth", text)
    refused("selfplay", "--game", "dvonn", "--games", "1", "--depth", "1", "--weights", text)
    refused("fit", "--game", "dvonn", text)
    refused("match", "--game", "dvonn", "--first", text, "--second", "greedy", "--games", "2")
    refused("match", "--game", "dvonn", "--first", f"gtp:{text}", "--second", "greedy", "--nodes", "1")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_file_is_echoed(refused, tmp_path, text):
    data = text.encode("utf-8", "surrogateescape")
    game, turn, size, stone = (
        b"(;GM[%s])",
        b"(;GM[1]KM[0]RU[Japanese];B[%s])",
        b"(;GM[1]SZ[%s])",
        b"(;GM[1]AB[%s])",
    )
    records = [game, turn, size, stone, b"(;TG[%s])", b"(;TG[dvonn]TP[%s])"]
    for number, record in enumerate(records):
        path = tmp_path / f"{number}.sgf"
        path.write_bytes(record % data)
        refused("show", "--strict", str(path))
    path.write_bytes(data)
    refused("show", str(path))
    openings = ["--first", "greedy", "--second", "greedy", "--games", "2"]
    refused("match", "--game", "gomoku", *openings, "--openings", str(path))
    refused("fit", "--game", "dvonn", str(path))


@pytest.mark.parametrize(
    ("encoding", "title"),
    [("ascii", "ZERTZ"), ("cp1252", "ZÈRTZ"), ("cp437", "ZERTZ"), ("utf-8:strict", "ZÈRTZ")],
)
def test_output_survives_any_encoding(encoding, title, tmp_path):
    """Titles, file names that are no text, and JSON are written whatever the terminal can show."""
    names = os.fsencode(tmp_path) + b"/\xff\xc3\xa9.sgf"
    with open(names, "wb") as file:
        file.write("(;GM[1]PB[名]C[\udcff])".encode("utf-8", "surrogateescape"))
    folder = str(tmp_path)
    settings = {**os.environ, "PYTHONIOENCODING": encoding, "TENGEN_DATA": folder}
    os.mkdir(tmp_path / "games")
    os.rename(names, os.fsencode(tmp_path) + b"/games/\xff\xc3\xa9.sgf")
    script = """
import sys
from tengen.apps.cli.main import main
for words in ("games", "games --json", "rules zertz", "play --list", "show \\udcff\\u202e.sgf"):
    main(words.split())
"""
    ran = subprocess.run([sys.executable, "-c", script], env=settings, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert b"Traceback" not in ran.stderr
    objects = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith(b'{"name"')]
    assert {found["title"] for found in objects} >= {"ZÈRTZ"}
    assert f"{title} ".encode(encoding.partition(":")[0]) in ran.stdout


@pytest.mark.posix
@pytest.mark.parametrize("words", [["show"], ["analyze"], ["fit", "--game", "dvonn"]])
def test_pipes_and_devices_are_refused_at_once(refused, tmp_path, words):
    os.mkfifo(tmp_path / "pipe.sgf")
    for path in (tmp_path / "pipe.sgf", "/dev/zero"):
        refused(*words, str(path))


@pytest.mark.posix
def test_devices_are_not_replaced(refused):
    before = os.stat("/dev/null")
    for option in ("--svg", "--png"):
        error = refused("show", "--game", "dvonn", option, "/dev/null")
        assert "/dev/null: expected a file to write, got a device" in error
    assert os.stat("/dev/null").st_ino == before.st_ino


def test_sigint_ends_a_count_with_130_and_one_line(tmp_path):
    command = [sys.executable, "-m", "tengen", "perft", "--game", "gomoku,size=9", "--depth", "9"]
    with (tmp_path / "errors").open("wb") as errors:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        assert running.stdout
        eventually(lambda: running.stdout.readline().startswith(b"depth 2 "))
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    lines = (tmp_path / "errors").read_text().splitlines()
    assert lines[-1] == "tengen: interrupted"
    assert all("compil" in line for line in lines[:-1])


@pytest.mark.posix
@pytest.mark.parametrize(
    "words",
    [
        ("fit", "--game", "dvonn", "link", "--out", "out.npz"),
        ("fit", "--game", "dvonn", "x.npz", "--out", "link", "--plot", "plot.png"),
        ("fit", "--game", "dvonn", "x.npz", "--out", "out.npz", "--plot", "link"),
    ],
)
def test_a_circle_of_links_is_refused_in_one_line(tmp_path, monkeypatch, printed, words):
    (tmp_path / "link").symlink_to("link")
    monkeypatch.chdir(tmp_path)
    err = printed(*words, code=2)
    assert err.startswith("tengen: error: ")
    assert "internal error" not in err
