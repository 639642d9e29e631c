"""New weights against old ones: what is accepted, what is not, and what is no gate."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.apps.cli.main import main
from tengen.engine.spec import GameSpec

DVONN = GameSpec.parse("dvonn").game


@pytest.fixture
def ignorant(tmp_path, monkeypatch):
    """Return a file of weights that know nothing, in the current folder."""
    monkeypatch.chdir(tmp_path)
    shipped = DVONN.evaluation.shipped()
    replace(shipped, table=0 * shipped.table).save(tmp_path / "ignorant.npz")
    shipped.save(tmp_path / "shipped.npz")
    return "ignorant.npz"


def gate(*words: str) -> int:
    return main(["gate", "--game", "dvonn", "--depth", "1", *words])


def test_better_weights_are_accepted_and_named(ignorant, capsys):
    assert gate("--new", "shipped.npz", "--old", ignorant, "--sprt", "0,400", "--json") == 0
    *games, result = map(json.loads, capsys.readouterr().out.splitlines())
    assert result["verdict"] == "accepted"
    assert result["sprt"]["accepted"] == "H1"
    assert result["openings"] == result["games"] / 2 == len({tuple(game["opening"]) for game in games})
    new, old = (player["version"] for player in result["players"])
    assert f" weights {DVONN.evaluation.shipped().fingerprint}" in new
    assert old != new
    assert len(games) < 100


def test_worse_weights_are_rejected_by_those_that_the_game_ships_with(ignorant, capsys):
    assert gate("--new", ignorant, "--sprt", "0,400") == 1
    *_, kept, verdict = capsys.readouterr().out.splitlines()
    assert kept.startswith("kept in    gate-")
    assert verdict.startswith("rejected: tengen,weights=ignorant.npz (tengen ")
    assert ") against tengen (tengen " in verdict


def test_a_gate_without_a_decision_accepts_nothing(ignorant, capsys):
    assert gate("--new", ignorant, "--games", "2", "--out", "gate.sqlite") == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("undecided: ")


@pytest.mark.usefixtures("ignorant")
def test_a_verdict_is_about_the_weights_that_have_played(capsys):
    words = "--new", "shipped.npz", "--old", "ignorant.npz", "--sprt", "0,400", "--out", "gate.sqlite"
    assert gate(*words) == 0
    shipped = DVONN.evaluation.shipped()
    replace(shipped, table=-shipped.table).save(Path("shipped.npz"))
    assert gate(*words) == 2
    assert (
        "gate.sqlite: expected the same match, got another: first version is tengen"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            "--new shipped.npz",
            "expected different ones, got shipped.npz and those that the game ships with",
        ),
        ("--new ignorant.npz --old ignorant.npz", "got ignorant.npz and ignorant.npz, both "),
        ("--new nowhere.npz", "nowhere.npz: No such file or directory"),
        ("--new a,b.npz", "weights: expected a name without a comma, got 'a,b.npz'"),
        ("--new ignorant.npz --game go", "expected weights of go, got weights of"),
        ("--new ignorant.npz --game gipf", "expected weights of gipf, got weights of dvonn"),
        (
            "--new ignorant.npz --openings 0",
            "--openings: expected at least 1 turn, for games that differ",
        ),
        ("--new ignorant.npz --sprt 0,1001", "such as 0,10, up to 1000, got '0,1001'"),
    ],
)
@pytest.mark.usefixtures("ignorant")
def test_what_is_no_gate_is_refused_in_one_line(words, complaint, capsys):
    assert gate(*words.split()) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
