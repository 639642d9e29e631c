"""``tengen levels``: a ladder of the levels of play, rated and resumed."""

import json

import pytest

from tengen.apps.cli.main import main
from tengen.engine import games
from tengen.search.levels import ratings

TINY = ["--game", "gobang,size=5", "--games", "2", "--nodes", "200", "--longest", "12"]


@pytest.fixture
def rate(tmp_path, capsys):
    """Return what rates levels in one file, and returns what is printed."""

    def run(*words: str) -> str:
        assert main(["levels", *TINY, "--out", str(tmp_path / "levels.sqlite"), *words]) == 0
        return capsys.readouterr().out

    return run


def test_every_level_meets_the_one_below_it(rate):
    report = json.loads(rate("--lowest", "2", "--highest", "4", "--json").splitlines()[-1])
    assert [player["name"] for player in report["players"]] == [f"tengen,level={n}" for n in (2, 3, 4)]
    pairings = [(pairing["first"], pairing["second"]) for pairing in report["pairings"]]
    assert pairings == [("tengen,level=2", "tengen,level=3"), ("tengen,level=3", "tengen,level=4")]
    assert report["games"] == report["planned"] == 4


def test_the_table_counts_from_the_lowest_level_and_games_are_kept(rate):
    words = "--lowest", "18", "--highest", "20"
    table = [line.split() for line in rate(*words).splitlines()]
    rows = {line[0]: line[1:] for line in table if line and line[0] in ("18", "19", "20")}
    assert list(rows) == ["18", "19", "20"]
    assert rows["18"][0] == str(ratings(games.find("gobang"))[17])
    assert "200 positions a turn" in " ".join(" ".join(line) for line in table)
    assert [line.split() for line in rate(*words).splitlines()] == table


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--lowest 0", "lowest: expected a whole number from 1 to 20, got '0'"),
        ("--highest 21", "highest: expected a whole number from 1 to 20, got '21'"),
        ("--lowest 5 --highest 5", "expected at least 3 levels from --lowest 5 on, got --highest 5"),
        ("--lowest 19", "got --highest 20 (for two levels: tengen match)"),
        ("--games 0", "games: expected a whole number"),
    ],
)
def test_what_is_no_ladder_is_refused_in_one_line(refused, words, complaint):
    assert complaint in refused("levels", *TINY, *words.split())
