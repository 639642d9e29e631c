"""Matches on disk: found again, never mixed, never damaged unnoticed."""

import sqlite3
import subprocess
import sys

import pytest

from tengen.engine.errors import FileError
from tengen.engine.game import Outcome
from tengen.tuning.match.records import FinishedGame, RecordError, Store
from tengen.tuning.players.base import EndReason
from tengen.tuning.version import fingerprint

SETTINGS = {"game": "dvonn", "seed": "1"}


def game(number: int) -> FinishedGame:
    return FinishedGame(
        number,
        number % 2,
        ("a1", "b1"),
        ("c3", "d3"),
        (0.25, 0.5),
        Outcome.DRAW,
        "0",
        EndReason.LENGTH,
        "too long",
    )


@pytest.fixture
def path(tmp_path):
    store = Store(tmp_path / "match.sqlite", SETTINGS)
    store.add(game(0))
    store.close()
    return tmp_path / "match.sqlite"


def test_games_come_back_as_they_were(path):
    store = Store(path, SETTINGS)
    store.add(game(1))
    assert store.games() == [game(0), game(1)]
    store.close()


def test_a_game_is_kept_once(path):
    store = Store(path, SETTINGS)
    with pytest.raises(RecordError, match="UNIQUE"):
        store.add(game(0))


def test_other_settings_are_refused_by_name_and_change_nothing(path):
    with pytest.raises(RecordError, match="seed is 1 there, 2 here"):
        Store(path, SETTINGS | {"seed": "2"})
    Store(path, SETTINGS).close()


def test_other_players_are_refused(path):
    store = Store(path, SETTINGS)
    store.set_or_check({"first version": "old"})
    with pytest.raises(RecordError, match="first version is old there, new here"):
        store.set_or_check({"first version": "new"})


@pytest.mark.parametrize(
    "content",
    [b"not a database at all, but long enough to be looked at" * 20, b"\0" * 4096, b"short\n", b"\n"],
)
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"notes\.txt: expected a match"):
        Store(path, SETTINGS)
    assert path.read_bytes() == content


def test_databases_of_others_are_refused_and_left_alone(tmp_path):
    path = tmp_path / "mail.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE mail (sender TEXT)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(RecordError, match="got a database of something else"):
        Store(path, SETTINGS)
    assert path.read_bytes() == before


def test_damage_is_noticed(path):
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"match\.sqlite: "):
        Store(path, SETTINGS)


@pytest.mark.posix
@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("missing/match.sqlite", "match.sqlite: No such file or directory"),
        ("", "expected a file to write, got a folder"),
        ("/dev/null", "expected a file to write, got a device"),
    ],
)
def test_places_that_cannot_be_written_are_refused(tmp_path, path, complaint):
    with pytest.raises(FileError, match=complaint):
        Store(tmp_path / path, SETTINGS)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("ALTER TABLE game DROP COLUMN detail", "expected a table game with number, .*, got number, "),
        ("DROP TABLE game", "expected a match database, got: no such table: game"),
        ("UPDATE game SET seconds = 'nan'", r"got a strange game \(nan seconds\)"),
        ("UPDATE game SET turns = x'07'", "got a strange game"),
        ("UPDATE game SET outcome = 9", r"got a strange game \(9 is not a valid Outcome\)"),
        ("UPDATE game SET reason = char(27) || char(10)", r"\(.\\x1b.* is not a valid EndReason\)"),
    ],
)
def test_matches_that_others_have_changed_are_refused_in_one_line(path, change, complaint):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute(change)
    connection.close()
    with pytest.raises(RecordError, match=complaint) as refusal:
        Store(path, SETTINGS).games()
    assert str(refusal.value).isprintable()


def test_a_match_under_way_is_not_played_twice(path):
    store = Store(path, SETTINGS)
    imports = "from tengen.tuning.match.records import *; from pathlib import Path"
    code = f"{imports}; Store(Path({str(path)!r}), {SETTINGS!r})"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "in use by another process" in other.stderr
    store.close()


def test_fingerprint_follows_the_settings():
    assert fingerprint(SETTINGS) == fingerprint(dict(reversed(SETTINGS.items())))
    assert fingerprint(SETTINGS) != fingerprint(SETTINGS | {"seed": "2"})
