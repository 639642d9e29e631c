"""Real clients of GTP: Sabaki's module under Node, and GNU Go in a match. `make clients` looks for them."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tengen.apps.cli.main import main
from tests import ROOT
from tests.protocol.conversation import COMMAND, run_session

CLIENTS = ROOT / "build" / "clients"  # where `make clients` puts Node's modules
SABAKI = "@sabaki/gtp"
SIZE = 5


def module_folders() -> list[Path]:
    """Return where Node's modules may be: as it is told, where we install them, where npm does for all."""
    folders = [Path(folder) for folder in os.environ.get("NODE_PATH", "").split(os.pathsep) if folder]
    folders.append(CLIENTS / "node_modules")
    if npm := shutil.which("npm"):
        root = subprocess.run([npm, "root", "--global"], capture_output=True, text=True, check=False)
        folders.append(Path(root.stdout.strip() or "."))
    return folders


@pytest.fixture(scope="module")
def sabaki() -> dict:
    """Return what Sabaki's module has seen of a session."""
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        pytest.skip("there is no node")
    module = next((folder / SABAKI for folder in module_folders() if (folder / SABAKI).is_dir()), None)
    if module is None:
        pytest.skip(f"{SABAKI} is not installed: try make clients")
    script = str(Path(__file__).with_name("sabaki.js"))
    engine = [*COMMAND, "gtp", "--game", "go,rules=chinese", "--time", "0.1"]
    return run_session(node, script, str(module), str(SIZE), *engine)


def test_sabaki_sees_the_commands_it_offers_buttons_for(sabaki):
    assert {"undo", "lz-genmove_analyze", "kata-analyze", "final_score", "loadsgf"} <= {*sabaki["commands"]}


def test_sabaki_sees_a_live_analysis_and_stops_it(sabaki):
    lines = sabaki["analysis"]["lines"]
    assert len(lines) >= 3
    for line in lines:
        moves = re.split(r"\s*info\s+", line)[1:]  # as Sabaki reads it
        assert all(re.match(r"move \S+ visits \d+ winrate \d+ ", move) for move in moves)
    visits = [sum(int(number) for number in re.findall(r" visits (\d+)", line)) for line in lines]
    assert visits == sorted(visits)
    assert sabaki["analysis"]["name"] == "tengen"


def test_sabaki_sees_a_game_to_its_end(sabaki):
    game = sabaki["game"]
    assert game.get("passes") == 2 or game.get("resigned")
    assert len(game["turns"]) >= 8
    assert re.fullmatch(r"[BW]\+\d+(\.5)?", sabaki["score"])


def test_sabaki_replays_handicap_and_takes_turns_back(sabaki):
    assert sabaki["position"] == "...../...X./..O../.X.../..... b - 0 0 0"
    assert sabaki["komi"] == "7.5"


def test_gnugo_plays_a_match(tmp_path, capsys):
    gnugo = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
    if gnugo is None:
        pytest.skip("there is no gnugo: try make clients")
    second = f"gtp:{gnugo} --mode gtp --level 1 --chinese-rules"
    arguments = ["--movetime", "0.1", "--openings", "0", "--margin", "20"]
    arguments += ["--games", "2", "--out", str(tmp_path / "match.sqlite"), "--json"]
    game = "go,size=5,komi=2.5,rules=chinese,handicap=0"
    assert main(["match", "--game", game, "--first", "tengen", "--second", second, *arguments]) == 0
    *games, result = map(json.loads, capsys.readouterr().out.splitlines())
    assert len(games) == 2
    assert {each["reason"] for each in games} <= {"rules", "resignation"}
    assert "GNU Go" in json.dumps(result)
