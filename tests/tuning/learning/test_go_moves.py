"""Learning which moves of Go are played: the records, the fit, the command, and what is refused."""

import json
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tengen.apps.cli import main as cli
from tengen.engine import games
from tengen.engine.go.knowledge.gammas import load as load_gammas
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.tuning.learn.minorisation import Contests, maximise, measure
from tengen.tuning.learn.moves import MoveSettings, fit, load
from tengen.tuning.learn.samples import SamplesError

GO = games.find("go")
SPEC = GameSpec.parse("go,size=9")
LETTERS = "abcdefghj"  # of vertices


def record(number: int, turns: int = 40) -> str:
    """Return a game in which each stone is put near the one before, at random where several are as near."""
    generator = random.Random(number)
    position = Position.start("go,size=9")
    last, nodes = (generator.randrange(9), generator.randrange(9)), ""
    for turn in range(turns):
        nearest = []
        for vertex in position.turns()[:-1]:
            x, y = LETTERS.index(vertex[0].lower()), int(vertex[1:]) - 1
            nearest.append((abs(x - last[0]) + abs(y - last[1]), generator.random(), vertex, (x, y)))
        _, _, vertex, last = min(nearest)
        position.push(vertex)
        nodes += f";{'BW'[turn % 2]}[{'abcdefghi'[last[0]]}{'abcdefghi'[8 - last[1]]}]"
    return f"(;GM[1]FF[4]SZ[9]KM[7.5]{nodes})"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder with records, some of which cannot be learned from."""
    path = tmp_path_factory.mktemp("records")
    for number in range(12):
        (path / f"{number:02}.sgf").write_text(record(number))
    (path / "again.sgf").write_text(record(0))
    (path / "short.sgf").write_text(record(20, turns=6))
    (path / "other.sgf").write_text("(;GM[4]FF[4];B[aa])")
    (path / "broken.sgf").write_text("(;GM[1]SZ[x];B[aa])")
    return path


@pytest.fixture(scope="module")
def records(folder):
    return load(GO, [folder], 0.3, 1)


def test_records_are_read_once_and_the_others_counted(records):
    assert len(records.games) == 12
    assert {"short", "the same as another", "not readable"} <= records.left_out.keys()
    assert sum(records.left_out.values()) == 4


def test_the_seed_decides_which_games_are_held_out(folder, records):
    held = [played.held_out for played in records.games]
    assert [played.held_out for played in load(GO, [folder], 0.3, 1).games] == held
    assert [played.held_out for played in load(GO, [folder], 0.3, 2).games] != held


def test_gammas_explain_the_moves_and_are_the_same_again(records):
    settings = MoveSettings(SPEC, rounds=3, least=3)
    first, again = fit(settings, records), fit(settings, records)
    assert first.weights.fingerprint == again.weights.fingerprint
    accuracy, distances = first.report["accuracy"], first.report["features"]["distance"]
    for part in ("learned", "held_out"):
        assert accuracy[part]["loss"] < accuracy[part]["uniform_loss"] - 0.5
    top = accuracy["held_out"]["top"]
    assert top["1"] <= top["5"] <= top["10"]
    near, far = distances["2"]["gamma"], distances["10"]["gamma"]
    assert near > 3 * far


def test_every_round_makes_the_moves_likelier():
    generator = np.random.default_rng(5)
    features = generator.integers(0, 4, (2, 400)).astype(np.uint16)
    features[1] += 4
    contests = Contests(features, np.arange(5, 401, 5))
    losses: list[float] = []
    maximise(contests, 8, 1e-9, 15, 30.0, lambda _, gammas: losses.append(measure(contests, gammas)["loss"]))
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(losses))
    assert losses[-1] < np.log(5)


def test_gammas_of_two_features_are_their_shares_of_wins():
    """Three of four contests won: three times as strong."""
    contests = Contests(np.array([[0, 1, 0, 1, 0, 1, 1, 0]], np.uint16), np.array([2, 4, 6, 8]))
    gammas = maximise(contests, 2, 1e-9, 200, 30.0)
    assert gammas[0] / gammas[1] == pytest.approx(3, rel=1e-3)


# ---- The command ----


def run(capsys, *arguments: object) -> tuple[int, str, str]:
    """Run ``tengen fit`` and return its status and what it printed."""
    try:
        status = cli.main(["fit", "--game", "go,size=9", *map(str, arguments)])
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    return status, *capsys.readouterr()


def test_the_command_writes_gammas_and_reports(folder, tmp_path, capsys):
    out = tmp_path / "gammas.npz"
    status, text, _ = run(capsys, folder, "--out", out, "--least", 3, "--held-out", 0.3, "--json")
    assert status == 0
    report = json.loads(text)
    gammas = load_gammas(out)
    assert report["fingerprint"] == gammas.fingerprint
    assert report["patterns"] == len(gammas.pattern_keys)
    assert report["games"] == dict(gammas.origin["games"])
    assert sum(report["games"].values()) == 12
    assert report["course"][-1] == report["accuracy"]["held_out"]["loss"]
    assert report["accuracy"]["held_out"]["loss"] < report["accuracy"]["held_out"]["uniform_loss"]
    status, text, _ = run(capsys, folder, "--out", out, "--least", 3, "--held-out", 0.3)
    assert status == 0
    assert report["fingerprint"] in text
    assert "held out" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--base", "x.npz"], "--base: expected none, since go learns moves without --net"),
        (["--scale", "100"], "--scale: expected none"),
        (["--no-proven"], "--no-proven: expected none"),
        (["--further"], "--further: expected none"),
        (["--held-out", "0.000001"], "data: expected games held out, got none in 16 records"),
        (["--least", "0"], "--least"),
    ],
)
def test_options_that_do_not_fit_are_refused(folder, tmp_path, capsys, options, message):
    out = tmp_path / "gammas.npz"
    status, _, error = run(capsys, folder, "--out", out, *options)
    assert status
    assert message in error
    assert "Traceback" not in error
    assert not out.exists()


def test_data_without_games_are_refused(tmp_path):
    with pytest.raises(SamplesError, match="expected an SGF file or a folder of them, got nothing there"):
        load(GO, [tmp_path / "missing"], 0.1, 1)
    with pytest.raises(SamplesError, match="got a folder without"):
        load(GO, [tmp_path], 0.1, 1)
    (tmp_path / "hex.sgf").write_text("(;GM[11]FF[4];B[aa])")
    with pytest.raises(
        SamplesError, match=r"expected games to learn from, got none in 1 records \(left out: 1"
    ):
        load(GO, [tmp_path], 0.1, 1)
