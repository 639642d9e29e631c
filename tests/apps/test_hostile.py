"""Hostile words and files: what is shown of them cannot control a terminal, and is short."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tengen.apps.cli.main import COMMANDS, main
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


def refused(capsys, *words: str) -> str:
    """Run a command that must fail, and return its line on standard error."""
    try:
        code = main(list(words))
    except SystemExit as end:
        code = end.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, ""), words[0]
    assert err.endswith("\n")
    assert err[:-1].isprintable(), err[:200]
    assert len(err) < LONGEST
    return err


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_command_echoes_hostile_words(capsys, text):
    """As a command, an option, a value of an option, a game, a file that is not there."""
    refused(capsys, text)
    for command in COMMANDS:
        refused(capsys, command, f"--{text}")
        refused(capsys, command, "--game", text, "--no-such-option")
    for command in ("bench", "warmup", "rules"):
        refused(capsys, command, text)
    refused(capsys, "show", "--game", text)
    refused(capsys, "show", f"{text}.sgf")
    refused(capsys, "show", "--game", "dvonn", "--moves", text)
    refused(capsys, "show", "--game", "dvonn", "--position", text)
    refused(capsys, "perft", "--game", "dvonn", "--depth", text)
    refused(capsys, "selfplay", "--game", "dvonn", "--games", "1", "--depth", "1", "--weights", text)
    refused(capsys, "fit", "--game", "dvonn", text)
    refused(capsys, "match", "--game", "dvonn", "--first", text, "--second", "greedy", "--games", "2")
    refused(
        capsys, "match", "--game", "dvonn", "--first", f"gtp:{text}", "--second", "greedy", "--nodes", "1"
    )


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_file_is_echoed(capsys, tmp_path, text):
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
        refused(capsys, "show", "--strict", str(path))
    path.write_bytes(data)
    refused(capsys, "show", str(path))
    openings = ["--first", "greedy", "--second", "greedy", "--games", "2"]
    refused(capsys, "match", "--game", "gomoku", *openings, "--openings", str(path))
    refused(capsys, "fit", "--game", "dvonn", str(path))


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
    assert {found["title"] for found in objects} >= {"ZERTZ"}
    assert f"{title} ".encode(encoding.partition(":")[0]) in ran.stdout


@pytest.mark.posix
@pytest.mark.parametrize("words", [["show"], ["analyze"], ["fit", "--game", "dvonn"]])
def test_pipes_and_devices_are_refused_at_once(capsys, tmp_path, words):
    os.mkfifo(tmp_path / "pipe.sgf")
    for path in (tmp_path / "pipe.sgf", "/dev/zero"):
        refused(capsys, *words, str(path))


@pytest.mark.posix
def test_devices_are_not_replaced(capsys):
    before = os.stat("/dev/null")
    for option in ("--svg", "--png"):
        error = refused(capsys, "show", "--game", "dvonn", option, "/dev/null")
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
def test_a_circle_of_links_is_refused_in_one_line(tmp_path, monkeypatch, capsys, words):
    (tmp_path / "link").symlink_to("link")
    monkeypatch.chdir(tmp_path)
    assert main([*words]) == 2
    err = capsys.readouterr().err
    assert err.startswith("tengen: error: ")
    assert (err.count("\n"), "internal error" in err) == (1, False)
