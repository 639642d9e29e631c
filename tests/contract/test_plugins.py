"""Games of other packages are found, and can do all that built-in ones can: Hex, and the least there is."""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tengen.engine import games, packages
from tengen.engine.contract import PARTS, UNKNOWN
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.jit import COMPILED
from tengen.engine.play.position import Position
from tengen.engine.play.turns import legal_actions
from tengen.search import defaults, perft, warmup
from tengen.search.binding import bound
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.learn.features import features_of
from tengen.tuning.players.base import EndReason
from tests import ROOT
from tests.contract.packages import PLUGINS, environment
from tests.plugins.hex.reference import Reference
from tests.protocol.conversation import PATIENCE, Outside
from tests.tools.contests import play_contests
from tests.walks import position_after, scaled, walk

GUIDE = (ROOT / "docs" / "add-a-game.md").read_text("utf-8")


# ------------------------------------------------------------------------------------------------ being found


def test_games_of_other_packages_stand_among_the_others(tengen):
    out, err = tengen("games --json")
    listed = [json.loads(line)["name"] for line in out.splitlines()]
    assert listed == sorted([*games.built_in(), *PLUGINS])
    assert err == ""


def test_a_built_in_game_is_found_without_a_look_at_other_packages():
    code = "from tengen.engine import games, packages as p; games.find('gomoku'); "
    code += "print(p.entry_points_by_name.cache_info().currsize)"
    reply = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert reply.stdout.strip() == "0"


@pytest.mark.usefixtures("here")
def test_a_name_that_is_nearly_that_of_a_plug_in_is_recognised():
    assert games.find("hex").title == "Hex"
    with pytest.raises(OptionError, match=r"expected .*gomoku, hex, morris, tictactoe.*did you mean 'hex'"):
        games.find("hexx")


@pytest.fixture
def faulty(tmp_path) -> Path:
    """Return a folder with packages that offer what cannot be played."""
    folder = tmp_path / "faulty"
    sources = {
        "raises": "raise RuntimeError('no such\\nluck')",
        "none": "GAME = 'gomoku'",
        "renamed": "from tengen_hex import GAME",
        "taken": "raise AssertionError('nobody asks for this package')",
        "first": "GAME = None",
        "second": "GAME = None",
    }
    offered = {
        "raises": "raises:GAME",
        "none": "none:GAME",
        "renamed": "renamed:GAME",
        "go": "taken:GAME",
    }
    for name, source in sources.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(f"{source}\n")
    pairs = [*offered.items(), ("twice", "first:GAME"), ("twice", "second:GAME"), ("missing", "nowhere:GAME")]
    for number, (name, value) in enumerate(pairs):
        info = folder / f"faulty{number}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: faulty{number}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{packages.GROUP}]\n{name} = {value}\n")
    return folder


def test_what_cannot_be_played_is_said_in_a_line_each_and_harms_no_other_game(tengen, faulty):
    out, err = tengen("games --json", extra=faulty)
    listed = [json.loads(line)["name"] for line in out.splitlines()]
    assert listed == sorted([*games.built_in(), *PLUGINS])
    assert err.splitlines() == [
        "tengen: game go: expected another name for taken:GAME, got that of a built-in game",
        "tengen: game missing: nowhere:GAME cannot be imported "
        "(ModuleNotFoundError: No module named 'nowhere')",
        "tengen: game none: expected a Game in none:GAME, got \"'gomoku'\"",
        "tengen: game raises: raises:GAME cannot be imported (RuntimeError: no such luck)",
        "tengen: game renamed: expected renamed of renamed in renamed:GAME, got hex of tengen_hex",
        "tengen: game twice: expected one package that offers it, got first:GAME and second:GAME",
    ]


def test_a_game_that_cannot_be_played_is_refused_when_it_is_asked_for(tengen, faulty):
    _, err = tengen("show --game raises", code=2, extra=faulty)
    assert err == "tengen: error: game raises: raises:GAME cannot be imported (RuntimeError: no such luck)"
    out, err = tengen("show --game go,size=2", extra=faulty)
    assert (out.split()[-1], err) == ("ongoing", "")


# ----------------------------------------------------------------------------------------------- the contract


@pytest.mark.skipif(not COMPILED, reason="compiled kernels are enough")
def test_games_of_other_packages_keep_the_contract(site):
    """As docs/add-a-game.md has authors do it."""
    command = [sys.executable, "-m", "pytest", "tests/contract/test_contract.py", "-k", " or ".join(PLUGINS)]
    settings = {**os.environ, **environment(site)}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout
    assert "skipped" not in done.stdout


# -------------------------------------------------------------------------------------------------------- Hex


@pytest.mark.interpreted
@pytest.mark.checked
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("size", [3, 4, 6])
def test_hex_agrees_with_its_reference_in_random_games(size):
    board = games.find("hex").module("board")
    for seed in range(scaled(20)):
        reference, chance = Reference(size), random.Random(seed)
        position = Position.start(f"hex,size={size}")
        while True:
            rules, state = position.spec.game.rules, position.state
            legal = [board.coordinates(action) for action in legal_actions(rules, state)]
            assert legal == reference.legal()
            assert position.outcome() == {None: Outcome.ONGOING, 0: 1, 1: 2}[reference.winner()]
            assert rules.count(state) == len(legal)
            for side in (0, 1):
                assert min(board.missing_stones(state, side, 19), size + 1) == reference.missing(side)
                assert board.missing_stones(state, side, 1) == min(reference.missing(side), 2)
            if not legal:
                break
            x, y = chance.choice(legal)
            position.push(f"{'abcdef'[x]}{y + 1}")
            reference.play((x, y))
        assert reference.winner() is not None, "somebody always wins"


@pytest.mark.interpreted
@pytest.mark.checked
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("size", "depth"), [(3, 5), (4, 3), (5, 2)])
def test_counts_of_turns_in_hex_are_those_of_the_reference(size, depth):
    depth = depth if COMPILED else 2
    assert perft.count(Position.start(f"hex,size={size}"), depth) == Reference(size).count(depth)


@pytest.mark.interpreted
@pytest.mark.checked
@pytest.mark.usefixtures("here")
def test_features_of_hex_make_its_evaluation():
    game = games.find("hex")
    states = [position.state.copy() for position in walk("hex,size=5", 3)]
    features, kinds, quiet = features_of(game, np.array(states, game.rules.STATE))
    table = game.evaluation.shipped().table
    values = [int(features[i] @ table[kinds[i]]) // game.evaluation.unit for i in range(len(states))]
    assert values == [game.module("evaluate").evaluate(state) for state in states]
    assert quiet.all()


@pytest.mark.usefixtures("here")
def test_hex_is_drawn_with_slanted_rows_and_hexagons():
    position = position_after("hex,size=3", "b2 a3")
    lines = ["   a b c", " 1 . . . 1", "  2 . X . 2", "   3 O . . 3", "      a b c", "Black to move"]
    assert position.board().splitlines() == lines
    root = ElementTree.fromstring(position.spec.game.picture.draw(position.state).to_svg())
    polygons = root.findall("{*}polygon")
    assert sum(len(polygon.get("points").split()) == 6 for polygon in polygons) == 9


@pytest.mark.usefixtures("here")
def test_faults_of_hex_positions_are_named():
    for text, fault in {
        ".../... b": "expected 3 rows, got 2",
        "X../.../... b": "expected as many black stones as white ones with b to move, got 1 and 0",
        "XO./XO./X.. b": "expected as many black stones as white ones with b to move, got 3 and 2; the side",
        "X.O/X.O/X.O b": "the side to move has joined its edges before",
    }.items():
        with pytest.raises(ValueError, match=fault):
            Position.parse("hex,size=3", text)
    assert Position.parse("hex,size=3", "XO./XO./X.. w").winner() == "black"


# ----------------------------------------------------------------------------------------------- the defaults


@pytest.mark.interpreted
@pytest.mark.checked
@pytest.mark.usefixtures("here")
class TestDefaults:
    """What is used where a game does not offer a name; Hex offers few, tic-tac-toe none that it need not."""

    TESTED = frozenset(
        {
            *("generate_candidates", "generate_rest", "generate_noisy", "forced", "priority", "null_action"),
            *("foresee", "copy_state", "may_repeat", "TACTICAL_ABOVE", "PROOF_NUMBERS", "CONTINUATIONS"),
            *("LATE_MOVE_COUNTS", "SELECTIVITY", "unanswered"),
            *("TABLE", "evaluate_with", "phase", "weighted_sum"),
            *("NET", "correct", "activate", "bucket", "prepare_policy", "policy"),
            *("RAVE_EQUIVALENT", "EXPLORATION", "EXPANSION_VISITS", "WIDENING_BASE", "WIDENING_PER_DOUBLING"),
        }
    )

    def test_every_default_is_tested_here(self):
        offered = {name for names in PARTS.values() for name in names}
        assert offered & vars(defaults).keys() == self.TESTED

    def test_neither_game_offers_them(self):
        for name in ("hex", "tictactoe"):
            own = vars(games.find(name).rules)
            assert not self.TESTED & own.keys()
        assert not self.TESTED & vars(games.find("tictactoe").module("evaluate")).keys()

    def test_all_actions_are_candidates_and_none_is_left_to_the_rest(self):
        rules = bound(games.find("hex"))
        for position in walk("hex,size=4", 1):
            actions = np.full(rules.MAX_ACTIONS, -1, np.int32)
            count = rules.generate_candidates(position.state, actions)
            assert actions[:count].tolist() == legal_actions(rules, position.state)
            assert rules.generate_rest(position.state, actions) == 0

    def test_every_position_is_quiet_and_so_is_every_action(self):
        rules = bound(games.find("hex"))
        actions = np.zeros(rules.MAX_ACTIONS, np.int32)
        for position in walk("hex,size=4", 2):
            assert rules.generate_noisy(position.state, actions) == 0
            assert not rules.forced(position.state)
            assert rules.unanswered(position.state, actions) == 0
            assert all(rules.priority(position.state, action) == 0 for action in range(0, rules.ACTIONS, 50))
        assert rules.TACTICAL_ABOVE == rules.CONTINUATIONS == 0
        assert (rules.LATE_MOVE_COUNTS, rules.SELECTIVITY) == ((), {})
        assert not rules.PROOF_NUMBERS

    def test_a_copy_is_the_whole_state(self):
        rules, position = bound(games.find("hex")), Position.start("hex,size=3")
        states = np.zeros(2, rules.STATE)
        position.push("a1")
        states[0] = position.state
        rules.copy_state(states, np.int64(1), np.int64(0))
        assert states[1] == states[0] == position.state

    def test_no_action_passes_the_turn_on(self):
        position = Position.start("hex,size=3")
        assert bound(games.find("hex")).null_action(position.state) == -1

    def test_no_action_is_foreseen(self):
        position = Position.start("hex,size=3")
        assert bound(games.find("hex")).foresee(position.state, 0)[1] == UNKNOWN

    def test_no_position_is_taken_to_occur_again(self):
        position = Position.start("hex,size=3")
        assert not bound(games.find("hex")).may_repeat(position.state)
        assert position.spec.repetition == ""
        position.push("a1")
        assert (list(position.past_keys), position.drawn_keys) == ([], [])

    def test_a_tree_search_knows_nothing_of_the_game(self):
        rules = bound(games.find("hex"))
        assert (rules.RAVE_EQUIVALENT, rules.EXPLORATION, rules.EXPANSION_VISITS) == (0.0, 0.4, 1)
        assert (rules.WIDENING_BASE, rules.WIDENING_PER_DOUBLING) == (12.0, 3.0)

    def test_no_net_corrects_an_evaluation(self):
        rules, position = bound(games.find("hex")), Position.start("hex,size=3")
        assert rules.NET.window == 0
        assert rules.correct(position.state, rules.NET, 17) == 17
        assert rules.activate(position.state, rules.NET) == 0
        assert rules.bucket(position.state) == -1
        assert not rules.prepare_policy(position.state, rules.NET)
        assert rules.policy(position.state, rules.NET, 0) == 0

    def test_an_evaluation_that_is_not_learned_has_no_weights(self):
        game = games.find("tictactoe")
        rules, position = bound(game), Position.start("tictactoe")
        assert game.evaluation is None
        assert rules.TABLE.shape == (1, 1)
        assert rules.evaluate_with(position.state, rules.TABLE) == game.module("evaluate").evaluate(
            position.state
        )
        assert (rules.phase(position.state), rules.weighted_sum(position.state, rules.TABLE[0])) == (0, 0)
        assert position.scale == game.scale
        with pytest.raises(OptionError, match="expected one whose evaluation can be learned, got tictactoe"):
            features_of(game, np.zeros(1, game.rules.STATE))

    @pytest.mark.parametrize("method", ["alphabeta", "mcts"])
    def test_the_least_game_is_warmed_up_and_searched(self, method):
        game = games.find("tictactoe")
        warmup.compile_kernels(game, method)
        assert warmup.ready(game, method)
        nodes = None if COMPILED and method == "alphabeta" else 5000 if COMPILED else 60
        depth = 9 if nodes is None else None
        worker = Worker(threads=1, hash_mb=1, method=method)
        start = worker.search(Position.start("tictactoe"), Limit(depth=depth, nodes=nodes))
        assert start.turn in Position.start("tictactoe").turns()
        threat = Position.parse("tictactoe", "XX./OO./... b")
        found = worker.search(threat, Limit(depth=depth and 2, nodes=nodes))
        assert (found.turn, str(found.lines[0].score.value > 0)) == ("C3", "True")
        if depth:
            assert start.lines[0].score.value == 0, "a draw if nobody errs"
            (line,) = worker.search(position_after("tictactoe", "b2"), Limit(depth=depth)).lines
            assert line.pv[0] in ("A1", "A3", "C1", "C3"), "only a corner holds the draw"
            assert line.score.value == 0

    def test_a_search_without_time_still_plays(self):
        found = Worker(threads=1, hash_mb=1).search(Position.start("tictactoe"), Limit(nodes=1))
        assert found.turn in Position.start("tictactoe").turns()

    def test_the_least_game_is_counted(self):
        counts = [perft.count(Position.start("tictactoe"), depth) for depth in (1, 2, 3)]
        assert counts == [9, 72, 504]
        if COMPILED:
            assert perft.count(Position.start("tictactoe"), 9) == 127872

    @pytest.mark.skipif(not COMPILED, reason="many games")
    def test_the_least_game_plays_itself(self, tengen):
        out, _ = tengen("selfplay --game tictactoe --games 3 --depth 2 --out games --json")
        assert json.loads(out.splitlines()[-1])["games"] == 3


def test_a_square_board_alone_makes_no_five_in_a_row(tengen, site):
    _, err = tengen("gomocup --game tictactoe", code=2)
    assert err == "tengen: error: --game: expected five in a row, such as gomoku, got 'tictactoe'"
    with Outside("gtp", "--game", "tictactoe", environment=environment(site)) as talk:
        assert talk.ask("known_command tengen-swap2") == "= false"
        assert talk.ask("known_command kgs-rules") == "= false"
        assert talk.ask("gogui-rules_game_id") == "= Tic-tac-toe"
        assert talk.ask("tengen-options Opening swap2").startswith(
            "? syntax error: option Opening: expected none"
        )
        assert talk.ask("quit") == "="


# --------------------------------------------------------------------------------- what can be done with Hex


def test_hex_is_compiled_ahead_analysed_and_shown(tengen, tmp_path, monkeypatch):
    out, _ = tengen("warmup --game hex")
    assert out.startswith("hex ready")
    out, _ = tengen("analyze --game hex,size=5 --moves 'c3 b2 c2' --depth 3")
    assert "  2 . O X . . 2" in out
    assert re.search(r"^1 +3/\d+ +\S+ +\d+\.\d  [a-e][1-5]( [a-e][1-5])*$", out, re.M)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # too few simulations to be worth compiling
    out, _ = tengen("analyze --game hex,size=5 --search mcts --nodes 50 --json")
    assert json.loads(out.splitlines()[-1])["nodes"] == 50
    out, _ = tengen("show --game hex,size=5 --moves 'c3 b2 c2' --svg board.svg --json")
    assert json.loads(out)["position"] == "...../.OX../..X../...../..... w"
    assert ElementTree.parse(tmp_path / "board.svg").getroot().tag.endswith("svg")


def test_hex_is_played_against_a_person(tengen):
    out, _ = tengen("play --game hex,size=3 --side black --time 0.05", answers="b2\nb2\n")
    assert "b2 is occupied" in out
    assert re.search(r"^white plays [a-c][1-3]", out, re.M)


def test_turns_of_hex_are_counted(tengen):
    out, _ = tengen("perft --game hex,size=3 --depth 4 --json")
    assert [json.loads(line)["turns"] for line in out.splitlines()] == [9, 72, 504, 3024]


def test_hex_learns_from_games_against_itself(tengen, tmp_path):
    tengen("selfplay --game hex,size=4 --games 24 --depth 1 --out games --seed 4")
    out, _ = tengen("fit --game hex,size=4 games --held-out 0.4 --out new.npz --json")
    assert {*json.loads(out)["rows"]["all"]["features"]} == {"missing", "bridges", "outside", "tempo"}
    players = "--first tengen,weights=new.npz --second greedy --games 4 --nodes 200 --openings 2"
    out, _ = tengen(f"match --game hex,size=4 {players} --out match.sqlite --sgf records --json")
    assert json.loads(out.splitlines()[-1])["games"] == 4
    record = min((tmp_path / "records").glob("*.sgf"))
    assert "GM[11]" in record.read_text()
    out, _ = tengen("show", str(record))
    assert re.search(r"^outcome (black|white) wins|^outcome", out, re.M)


def test_a_record_of_hex_is_reviewed(tengen, tmp_path):
    foreign = "(;FF[4]GM[11]SZ[4]PB[A]PW[B];B[b2];W[c2];B[b3];W[d4];B[b4];W[a4])"
    (tmp_path / "game.sgf").write_text(foreign)
    out, _ = tengen("analyze game.sgf --nodes 300")
    assert out.startswith("hex,size=4, 300 nodes a position")
    assert re.search(r"^ *3 +.*black +b3 ", out, re.M)
    assert "GM[11]\nSZ[4]\n" in (tmp_path / "game.analyzed.sgf").read_text(), "as it came"


def test_hex_is_played_by_every_protocol(site, tengen):
    with Outside("gtp", "--game", "hex,size=4", "--time", "0.05", environment=environment(site)) as gtp:
        assert gtp.ask("boardsize 5") == "="
        assert gtp.ask("play b C3") == "="
        assert re.fullmatch(r"= [a-e][1-5]", gtp.ask("genmove w"))
        assert "  3 " in gtp.ask("showboard")
        assert gtp.ask("play w c3") == "? illegal move: it is black's turn"
        assert gtp.ask("tengen-game") == "= hex,size=5"
        assert "move" in gtp.ask("kata-genmove_analyze b 5 avoid b a1,a2,a3 1")
        assert gtp.ask("quit") == "="
    with Outside("ugi", environment=environment(site)) as ugi:
        ugi.send("ugi", "setoption name Game value hex,size=3", "isready", "position startpos moves b2 a1")
        ugi.until("readyok")
        ugi.send("go depth 3", "query result")
        assert re.fullmatch(r"bestmove [a-c][1-3]( ponder [a-c][1-3])?", ugi.until("bestmove")[-1])
        ugi.send("quit")
    with Outside("analysis", environment=environment(site)) as analysis:
        query = {"id": "a", "game": "hex,size=3", "moves": [["B", "b2"]], "maxDepth": 2}
        analysis.send(json.dumps(query))
        answer = json.loads(analysis.line())
        assert answer["id"] == "a"
        assert answer["moveInfos"][0]["move"] in ("a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3")
    _, err = tengen("gomocup --game hex", code=2)
    assert err == "tengen: error: --game: expected five in a row, such as gomoku, got 'hex'"


# -------------------------------------------------------------------------------------------------- the guide


def test_the_guide_shows_what_is_in_the_files():
    blocks = re.findall(r"^`([\w./]+)`[^\n]*:\n\n```\w*\n(.*?)```", GUIDE, re.M | re.S)
    shown = {Path(path).name for path, _ in blocks}
    assert shown >= {
        "pyproject.toml",
        "__init__.py",
        "board.py",
        "rules.py",
        "evaluate.py",
        "text.py",
        "picture.py",
    }
    for path, block in blocks:
        source = (ROOT / "tests" / "plugins" / "hex" / path).read_text("utf-8")
        for part in re.split(r"^\.\.\.\n", block, flags=re.M):
            assert part.strip("\n") in source, f"{path}:\n{part}"


def test_the_guide_keeps_its_width():
    assert max(map(len, GUIDE.splitlines())) <= 120


# ------------------------------------------------------------------------------------------------- challenges


@pytest.mark.usefixtures("here")
def test_programs_play_a_game_of_another_package_for_a_challenge(site, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", environment(site)["PYTHONPATH"])
    for game in play_contests("hex:size=3", movetime=0.01):
        assert game.reason == EndReason.RULES, game.detail
