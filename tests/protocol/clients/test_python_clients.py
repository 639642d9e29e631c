"""Real clients in Python: KaTrain's engine module, pygomo, sgfmill. `make clients` installs them."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from tengen.apps.cli.main import main
from tests import ROOT
from tests.protocol.conversation import COMMAND, run_session

FOLDER = ROOT / "build" / "clients" / "python"  # where `make clients` puts them


def converse(package: str, *arguments: str):
    """Return what the session with a client prints, read from JSON; skip if the client is not installed."""
    if not (FOLDER / package).is_dir():
        pytest.skip(f"{package} is not installed: try make clients")
    script = Path(__file__).with_name(f"{package}_session.py")
    return run_session(sys.executable, str(script), str(FOLDER), *arguments)


@pytest.fixture(scope="module")
def katrain() -> dict:
    """Return what KaTrain has seen of a game, and of every ruleset that it offers."""
    return converse("katrain", "exec " + shlex.join([*COMMAND, "analysis"]))


def test_katrain_reviews_a_game(katrain):
    assert katrain["errors"] == []
    root, *played = katrain["nodes"]
    assert len(played) == 5
    for node in (root, *played):
        assert node["complete"]
        assert node["candidates"] >= 1
        assert 0 <= node["winrate"] <= 1
        assert (node["ownership"], node["policy"]) == (81, 82)
    assert all(isinstance(node["lost"], float) for node in played)


def test_katrain_can_choose_every_ruleset_but_the_one_with_a_tax(katrain):
    refused = {name: error for name, error in katrain["rules"].items() if error}
    assert len(katrain["rules"]) == 7
    assert [*refused] == ["stone_scoring"]
    assert "no tax on groups" in refused["stone_scoring"]


def test_pygomo_plays_a_game():
    found = converse("pygomo", *COMMAND, "gomocup")
    assert 'name="tengen"' in found["about"]
    assert found["started"]
    assert len({*found["game"]}) == 6
    assert found["back"]
    assert found["board"] not in ("7,7", "7,8", "8,8", "6,6")
    assert found["best"] != found["board"]


def test_sgfmill_reads_records_of_tengen_and_tengen_reads_those_of_sgfmill(tmp_path, capsys):
    written = tmp_path / "sgfmill.sgf"
    game = "go,size=7,komi=2.5,rules=chinese,handicap=2"
    arguments = ["--first", "random", "--second", "random", "--openings", "0", "--margin", "20"]
    arguments += ["--games", "2", "--sgf", str(tmp_path), "--out", str(tmp_path / "match.sqlite")]
    assert main(["match", "--game", game, *arguments]) == 0
    records = sorted(tmp_path.glob("*.sgf"))
    read = converse("sgfmill", str(written), *map(str, records))
    assert len(read) == len(records) == 2
    for record in read:
        assert (record["size"], record["komi"], record["handicap"], record["set up"]) == (7, 2.5, 2, 2)
        assert record["winner"] in ("b", "w")
        assert all(name.startswith("random") for name in record["players"])
        assert record["plays"][0][0] == "w"
        assert [point for _, point in record["plays"][-2:]] == [None, None]
    capsys.readouterr()
    assert main(["show", str(written), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["game"] == "go,size=9,komi=0.5,handicap=2"
    assert shown["played"] == ["E5", "F5", "pass"]
