"""Players of one's own, named by a text: files and modules of a user."""

import textwrap

import pytest

from tengen.engine.errors import MissingFileError, OptionError
from tengen.tuning.match.records import RecordError
from tengen.tuning.players.base import EndReason
from tengen.tuning.players.specs import PlayerSpec

from .playing import GOMOKU, played, settings

CODE = """
    from __future__ import annotations
    import dataclasses
    import tengen
    from neighbour import choose

    class Patient(tengen.Player):
        def play(self, position, limit):
            return choose(position.legal_turns)

    @dataclasses.dataclass
    class Chooser(tengen.Player):
        index: int = 0
        name = "the chooser"
        def play(self, position, limit):
            return position.legal_turns[self.index]

    chooser = Chooser(1)

    def hasty(position):
        return position.legal_turns[0]

    def confused(position, limit):
        return "Z99"

    def broken(position):
        return 1 // 0

    class Unmade(tengen.Player):
        def __init__(self, file): ...
        def play(self, position, limit): ...

    number = 5
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Return the file of a user, whose folder has another module."""
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    (tmp_path / "neighbour.py").write_text("def choose(turns):\n    return turns[-1]\n", "utf-8")
    file = tmp_path / "mine.py"
    file.write_text(textwrap.dedent(CODE), "utf-8")
    return file


@pytest.mark.parametrize("name", ["Patient", "chooser", "Chooser", "hasty"])
def test_classes_players_and_functions_of_a_file_play(mine, name):
    match = played(settings(f"python:{mine}:{name}", "random", games=2), mine.with_suffix(".sqlite"))
    assert {game.reason for game in match.games} == {EndReason.RULES}
    version = match.versions[0]
    assert version.startswith(f"{name} ")
    assert str(mine) not in version


def test_games_of_players_of_ones_own_are_played_in_several_processes(mine):
    wanted = settings(f"python:{mine}:Patient", f"python,nodes=3:{mine}:hasty", games=4, concurrency=2)
    assert len(played(wanted, mine.with_suffix(".sqlite")).games) == 4


def test_a_match_goes_on_with_the_same_code_only(mine):
    path = mine.with_suffix(".sqlite")
    played(settings(f"python:{mine}:hasty", "random", games=2), path)
    mine.write_text(mine.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(RecordError, match="hasty"):
        played(settings(f"python:{mine}:hasty", "random", games=4), path)


@pytest.mark.parametrize(
    ("name", "reason", "detail"),
    [
        ("broken", EndReason.CRASH, "ZeroDivisionError"),
        ("confused", EndReason.ILLEGAL, "Z99"),
    ],
)
def test_a_player_of_a_file_that_fails_loses_with_the_reason(mine, name, reason, detail):
    (first, second) = played(
        settings(f"python:{mine}:{name}", "random", games=2), mine.with_suffix(".sqlite")
    ).games
    assert {first.reason, second.reason} == {reason}
    assert detail in first.detail


def test_modules_are_found_from_the_working_directory(mine, monkeypatch):
    monkeypatch.chdir(mine.parent)
    assert PlayerSpec.parse("python:mine:Patient").create(GOMOKU).start().startswith("Patient ")


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("missing.py:Mine", None, "missing.py: No such file"),
        ("no.such.module:Mine", None, "no.such.module does not load: ModuleNotFoundError"),
        ("bad.py:Mine", "import os\nraise ValueError('no\\nnet')", r"ValueError: no net \(.*bad.py:2\)"),
        ("bad.py:Mine", "def (", r"SyntaxError: .*\(bad.py, line 1\)"),
        ("bad.py:Mine", "raise SystemExit(3)", "SystemExit: 3"),
        ("mine.py:patience", None, "expected a tengen.Player or a function of mine.py, got 'patience'"),
        ("mine.py:patient", None, r"did you mean 'Patient'\?"),
        ("mine.py:number", None, "got 'number'"),
        ("mine.py:Unmade", None, "TypeError: .*file"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_line(mine, monkeypatch, text, code, words):
    monkeypatch.chdir(mine.parent)
    if code:
        (mine.parent / "bad.py").write_text(code, "utf-8")
    with pytest.raises(OptionError, match=words) as refusal:
        PlayerSpec.parse(f"python:{text}").create(GOMOKU)
    assert "\n" not in str(refusal.value)
    assert isinstance(refusal.value, MissingFileError) == text.startswith("missing")
