"""Nothing that has been analysed is lost."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from tengen.apps.review.journal import Journal, JournalError
from tengen.engine import sgf
from tengen.protocol.session import Session
from tengen.search.info import Score
from tests import ROOT
from tests.apps.processes import process
from tests.apps.review.records import (
    EFFORT,
    FINISHED,
    FOUND,
    SETTINGS,
    annotated_of,
    journal_of,
    wait_for_lines,
)
from tests.engine.records import comments
from tests.processes import PATIENCE


def test_what_is_analysed_is_not_analysed_again(review, game, monkeypatch):
    first = review(game)
    monkeypatch.setattr(Session, "go", None)
    assert review(game) == first
    assert review(game, *EFFORT, "--json")[0] == 0


@pytest.mark.posix
def test_a_game_that_was_taken_up_again_is_searched_there_too(review, game):
    """Two passes ended this game of Go, but the players did not agree: every position has its own place."""
    game.write_text("(;GM[1]SZ[5]KM[0.5]RU[Chinese];B[cc];W[];B[];W[bb];B[cb])")
    code, first, _ = review(game, "--nodes", "100", "--json")
    turns = [json.loads(line) for line in first.splitlines()[:-1]]
    assert code == 0
    assert [turn["played"] for turn in turns] == ["C3", "pass", "pass", "B4", "C4", None]
    assert all(turn["nodes"] > 0 for turn in turns)
    assert review(game, "--nodes", "100", "--json")[:2] == (0, first)


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("(;GM[1]SZ[5];B[cc];W[bc];B[bb];W[cb])", "100"),
        ("(;GM[4]SZ[7];B[dd];W[cc];B[ed];W[fd];B[ee])", "2000"),
    ],
    ids=["simulations", "alpha-beta"],
)
def test_a_review_that_is_resumed_finds_the_same(review, game, text, nodes):
    game.write_text(text)
    review(game, "--nodes", nodes)
    whole = journal_of(game).read_bytes()
    for lines in (2, 4):
        journal_of(game).write_bytes(b"".join(whole.splitlines(keepends=True)[:lines]))
        review(game, "--nodes", nodes)
        assert journal_of(game).read_bytes() == whole


@pytest.mark.posix
def test_a_killed_review_goes_on_where_it_was(review, game):
    code = """
import os, signal, sys
from tengen.apps.cli.main import main
from tengen.apps.review.journal import Journal
add = Journal.add
def add_or_die(journal, *step):
    add(journal, *step)
    if len(journal.path.read_bytes().splitlines()) == 4:
        os.kill(os.getpid(), signal.SIGKILL)
Journal.add = add_or_die
sys.exit(main(sys.argv[1:]))
"""
    words = [sys.executable, "-c", code, "analyze", str(game), *EFFORT]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, timeout=PATIENCE)
    assert done.returncode == -signal.SIGKILL
    completed = journal_of(game).read_bytes()
    assert not annotated_of(game).exists()
    assert review(game)[::2] == (0, [])
    whole = completed[: completed.rindex(b"\n") + 1]
    assert journal_of(game).read_bytes().startswith(whole)
    assert journal_of(game).read_bytes().count(b"\n") == 1 + 9
    assert len(comments(sgf.read_file(annotated_of(game)))) == 8


@pytest.mark.posix
def test_an_interrupted_review_says_how_to_go_on(game):
    with process("analyze", str(game), "--time", "0.5") as running:
        wait_for_lines(journal_of(game), 2)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert re.fullmatch(r"tengen: interrupted; to go on:\n  tengen analyze \S+game.sgf --time 0.5 .*\n", err)


@pytest.mark.linux
def test_a_full_disk_is_told_in_one_line_and_loses_nothing(review, game):
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (900, 900))

    review(game)  # all kernels are kept from now on: there is no room for them below
    journal_of(game).unlink()
    no_modules = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # Python 3.11 would keep halves of them
    with process("analyze", str(game), *EFFORT, preexec_fn=limit, env=no_modules) as running:
        _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 2
    assert re.fullmatch(r"tengen: error: \S+game.analyzed.jsonl: File too large; .* is kept\n", err)
    completed = journal_of(game).read_bytes()
    assert completed.endswith(b"\n")
    assert 1 < completed.count(b"\n") < 9
    assert review(game)[0] == 0
    assert journal_of(game).read_bytes().startswith(completed)


def test_a_line_that_was_cut_off_is_analysed_again(review, game):
    _, out, _ = review(game)
    journal = journal_of(game)
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-30])
    assert review(game) == (0, out, [])
    assert journal.read_bytes().count(b"\n") == whole.count(b"\n")


def test_a_damaged_line_is_told_and_analysed_again(review, game):
    review(game)
    lines = journal_of(game).read_bytes().splitlines(True)
    journal_of(game).write_bytes(b"".join([*lines[:3], b"\0" * 40 + b"\n", *lines[4:]]))
    code, _, (notice,) = review(game)
    assert code == 0
    assert "damaged in line 4: analysed again from there" in notice
    assert len(journal_of(game).read_bytes().splitlines()) == len(lines)


def test_half_an_analysis_is_not_dropped_for_another(review, game):
    review(game)
    lines = journal_of(game).read_bytes().splitlines(True)
    journal_of(game).write_bytes(b"".join(lines[:4]))
    code, out, (complaint,) = review(game, "--nodes", "200")
    assert (code, out) == (2, "")
    assert "got 3 of 9 positions of another analysis (nodes was 3000, now 200)" in complaint
    assert journal_of(game).read_bytes() == b"".join(lines[:4])
    assert review(game, "--nodes", "200", "--restart")[::2] == (0, [])


def test_a_whole_analysis_makes_room_for_another(review, game):
    review(game)
    code, _, (notice,) = review(game, "--nodes", "200")
    assert code == 0
    assert notice.endswith("restarted: nodes was 3000, now 200")
    game.write_text(FINISHED)
    code, _, (notice,) = review(game, "--nodes", "200")
    assert code == 0
    assert notice.endswith("restarted: of another record")


def test_an_old_annotated_record_stays_until_there_is_a_new_one(review, game, monkeypatch):
    annotated_of(game).write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    code, _, (complaint,) = review(game)
    assert code == 2
    assert complaint == f"tengen: error: {annotated_of(game)}: No space left on device"
    assert annotated_of(game).read_text() == "old"
    assert sorted(path.name for path in game.parent.iterdir()) == [
        "game.analyzed.jsonl",
        "game.analyzed.sgf",
        "game.sgf",
    ]


def test_a_journal_has_what_was_put_into_it(tmp_path):
    path = tmp_path / "journal.jsonl"
    won = replace(FOUND, lead=2.5, rate=1.0, score=Score(499_997))
    with Journal(path, SETTINGS) as journal:
        assert journal.completed == []
        journal.add(FOUND)
        journal.add(won)
    with Journal(path, SETTINGS) as journal:
        assert journal.completed == [FOUND, won]
    with Journal(path, SETTINGS, restart=True) as journal:
        assert journal.completed == []


def test_a_journal_is_of_one_process_at_a_time(tmp_path):
    pytest.importorskip("fcntl")
    path = tmp_path / "journal.jsonl"
    with Journal(path, SETTINGS), pytest.raises(JournalError, match="in use by another process"):
        Journal(path, SETTINGS)


@pytest.mark.parametrize("content", [b"", b'{"tengen an', b'{"tengen analysis": 1, "record'])
def test_a_journal_whose_first_line_was_cut_off_is_begun(tmp_path, content):
    path = tmp_path / "journal.jsonl"
    path.write_bytes(content)
    with Journal(path, SETTINGS) as journal:
        assert journal.completed == []
    assert json.loads(path.read_bytes())["time"] == 1.0


@pytest.mark.parametrize("content", [b"my notes", b"my notes\n", b'{"turn": 1}\n', b"[1]\n", b"\n"])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path, content):
    path = tmp_path / "journal.jsonl"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="expected the journal of an analysis"):
        Journal(path, SETTINGS, restart=True)
    assert path.read_bytes() == content
