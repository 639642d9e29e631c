"""KataGo's analysis engine: queries in JSON, answers in JSON, and rules as KataGo names them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tengen.engine.errors import TengenError
from tengen.engine.game import GameSpec
from tengen.engine.position import Position
from tengen.protocol.katago.fields import parse_json
from tengen.protocol.katago.rules import rules_of, spec_with_rule, spec_with_rules, usual_komi
from tests import ROOT
from tests.processes import PATIENCE
from tests.protocol.conversation import HEAVY, Inside, Outside

MOVES = [["B", "D4"], ["W", "E5"], ["B", "D5"], ["W", "E4"]]
FIVE = [
    ["B", "A1"],
    ["W", "A7"],
    ["B", "B1"],
    ["W", "B7"],
    ["B", "C1"],
    ["W", "C7"],
    ["B", "D1"],
    ["W", "D7"],
]
ENDLESS = {"moves": [], "maxTime": 1000}
WITHOUT_SIDE = ("currentPlayer", "visits", "thisHash", "symHash")
COMPILING = "tengen: compiling gomoku for the first time on this machine; this takes some seconds, once\n"


class Client:
    """Sends queries with ids, and takes answers apart."""

    def __init__(self, talk: Inside | Outside) -> None:
        self.talk = talk

    def send(self, id_: str = "q", /, **query: object) -> None:
        self.talk.send(json.dumps({"id": id_, **query}))

    def reply(self) -> dict:
        line = self.talk.line()
        assert line is not None
        return json.loads(line)

    def final(self) -> dict:
        """Return the next answer that is not one of a search that goes on."""
        while (reply := self.reply()).get("isDuringSearch"):
            pass
        return reply

    def ask(self, **query: object) -> dict:
        """Send a query that is answered by one line, and return it."""
        self.send("q", **query)
        reply = self.reply()
        assert reply.get("id") == "q"
        return reply


@pytest.fixture
def client() -> Iterator[Client]:
    """Return who talks about Gomoku on a small board."""
    talk = Inside("analysis", "gomoku,size=7")
    yield Client(talk)
    talk.dialogue._queue.terminate(lambda job: True)
    assert talk.finish() == 0


# ---------------------------------------------------------------------------------------------------- answers


def test_a_position_is_answered_with_its_best_moves(client):
    reply = client.ask(moves=MOVES, maxDepth=3, multiPV=3)
    assert reply.keys() == {"id", "isDuringSearch", "turnNumber", "moveInfos", "rootInfo"}
    assert (reply["isDuringSearch"], reply["turnNumber"]) == (False, 4)
    infos, root = reply["moveInfos"], reply["rootInfo"]
    assert [info["order"] for info in infos] == [0, 1, 2]
    assert len({info["move"] for info in infos}) == 3
    for info in infos:
        assert info["pv"][0] == info["move"]
        assert 0 <= info["winrate"] <= 1
        assert info["visits"] > 0
        assert info["utility"] == pytest.approx(2 * info["winrate"] - 1, abs=1e-5)
        assert info.keys() >= {"lcb", "utilityLcb", "prior", "scoreLead", "scoreMean"}
    assert root["currentPlayer"] == "B"
    assert root["visits"] >= infos[0]["visits"]
    assert [root[name] for name in ("winrate", "scoreLead", "utility")] == [
        infos[0][name] for name in ("winrate", "scoreLead", "utility")
    ]


def test_a_proven_win_has_no_lead(client):
    reply = client.ask(moves=FIVE, maxDepth=2, multiPV=1)
    assert reply["moveInfos"][0]["winrate"] == 1
    assert "scoreLead" not in reply["moveInfos"][0]
    assert "scoreLead" not in reply["rootInfo"]
    assert reply["moveInfos"][0]["pv"] == ["E1"]


def test_several_turns_come_by_priority(client):
    client.send("wait", **ENDLESS)
    client.send(moves=MOVES, analyzeTurns=[0, 4, 2, 2], priorities=[1, 5, 0, 3], maxDepth=1)
    client.send("late", moves=MOVES, priority=4, maxDepth=1)
    client.send("end", action="terminate", terminateId="wait")
    replies = [client.reply() for _ in range(6)]
    order = [(each["id"], each["turnNumber"]) for each in replies if each["id"] in ("q", "late")]
    assert order == [("q", 4), ("late", 4), ("q", 2), ("q", 0)]
    players = [
        each["rootInfo"]["currentPlayer"] for each in replies if each["id"] == "q" and "rootInfo" in each
    ]
    assert players == ["B", "B", "B"]


def test_a_turn_in_the_middle_is_the_position_after_so_many_moves(client):
    moves = [["B", "D4"], ["B", "E5"], ["W", "C3"]]  # set-up play lets Black play twice
    middle = client.ask(moves=moves, analyzeTurns=[1], maxDepth=1)
    shorter = client.ask(moves=moves[:1], maxDepth=1)
    assert middle["turnNumber"] == shorter["turnNumber"] == 1
    assert middle["rootInfo"]["thisHash"] == shorter["rootInfo"]["thisHash"]
    assert middle["rootInfo"]["currentPlayer"] == "W"


def test_positions_that_look_alike_share_a_hash(client):
    one, other = (client.ask(moves=[["B", point]], maxDepth=1)["rootInfo"] for point in ("C2", "F5"))
    assert one["thisHash"] != other["thisHash"]
    assert one["symHash"] == other["symHash"]


@pytest.mark.parametrize(("setting", "player"), [("BLACK", "b"), ("white", "w"), ("SIDETOMOVE", "")])
def test_values_are_seen_from_the_perspective_asked_for(client, setting, player):
    moves = MOVES[:3]
    own = client.ask(moves=moves, maxDepth=2, overrideSettings={"reportAnalysisWinratesAs": "SIDETOMOVE"})
    seen = client.ask(moves=moves, maxDepth=2, overrideSettings={"reportAnalysisWinratesAs": setting})
    assert own["rootInfo"]["winrate"] != 0.5
    sign = -1 if player == "b" else 1  # White is to move
    for mine, theirs in zip(own["moveInfos"], seen["moveInfos"], strict=True):
        assert theirs["move"] == mine["move"]
        for name in ("utility", "utilityLcb", "scoreLead", "scoreMean"):
            assert theirs[name] == pytest.approx(sign * mine[name])
        for name in ("winrate", "lcb"):
            assert theirs[name] - 0.5 == pytest.approx(sign * (mine[name] - 0.5))


def test_black_is_the_usual_perspective(client):
    usual, black = (
        client.ask(moves=MOVES[:3], maxDepth=2, **settings)["rootInfo"]
        for settings in ({}, {"overrideSettings": {"reportAnalysisWinratesAs": "BLACK"}})
    )
    assert usual["winrate"] == black["winrate"] != 0.5


def test_a_finished_game_has_a_result(client):
    reply = client.ask(moves=[*FIVE, ["B", "E1"]])
    assert reply["moveInfos"] == []
    root = reply["rootInfo"]
    assert {name: value for name, value in root.items() if name not in WITHOUT_SIDE} == {
        "winrate": 1.0,
        "utility": 1.0,
        "scoreLead": 1.0,
        "result": "B+1",
    }
    white = client.ask(moves=[*FIVE, ["B", "E1"]], overrideSettings={"reportAnalysisWinratesAs": "WHITE"})
    assert (white["rootInfo"]["winrate"], white["rootInfo"]["scoreLead"]) == (0.0, -1.0)


def test_reports_come_during_the_search(client):
    client.send(**ENDLESS, reportDuringSearchEvery=0.1, multiPV=2)
    live = [client.reply() for _ in range(2)]
    client.send("t", action="terminate_all")
    assert all(reply["isDuringSearch"] and 1 <= len(reply["moveInfos"]) <= 2 for reply in live)
    assert any(not reply["isDuringSearch"] for reply in iter(client.reply, None) if reply["id"] == "q")


def test_moves_are_avoided_and_allowed_at_the_root(client):
    query = {"moves": MOVES, "maxDepth": 2, "multiPV": 1}
    best = client.ask(**query)["moveInfos"][0]["move"]
    ban = {"player": "B", "moves": [best, "D4"], "untilDepth": 1}
    assert client.ask(**query, avoidMoves=[ban])["moveInfos"][0]["move"] != best
    assert client.ask(**query, avoidMoves=[{**ban, "player": "W"}])["moveInfos"][0]["move"] == best
    only = client.ask(moves=MOVES, maxDepth=2, allowMoves=[{**ban, "moves": ["C4", "C5", best]}])
    assert {info["move"] for info in only["moveInfos"]} <= {"C4", "C5", best}
    assert len(only["moveInfos"]) > 1


def test_the_one_move_that_matters_cannot_be_avoided(client):
    ban = {"player": "B", "moves": ["E1"], "untilDepth": 1}
    assert "worth a search" in client.ask(moves=FIVE, maxDepth=2, avoidMoves=[ban])["warning"]
    assert client.reply()["noResults"]


def test_without_a_permitted_move_there_are_no_results(client):
    warning = client.ask(
        moves=FIVE, maxDepth=2, allowMoves=[{"player": "B", "moves": ["A1"], "untilDepth": 1}]
    )
    assert "no turn is left" in warning["warning"]
    assert client.reply() == {"id": "q", "isDuringSearch": False, "turnNumber": 8, "noResults": True}


def test_limits_too_small_for_a_search_are_said(client):
    assert client.ask(moves=MOVES, maxVisits=1)["field"] == "maxVisits"
    assert client.reply()["noResults"]


def test_lines_of_play_are_cut(client):
    reply = client.ask(moves=MOVES, maxDepth=4, analysisPVLen=1, multiPV=2)
    assert [len(info["pv"]) for info in reply["moveInfos"]] == [2, 2]


# -------------------------------------------------------------------------------------------------- positions


@pytest.mark.parametrize(
    ("game", "player", "turn"),
    [("dvonn", "W", "a1"), ("gipf:basic", "W", "a5-b5"), ("zertz", "B", ""), ("gomoku,size=9", "W", "J9")],
)
def test_every_game_is_analyzed(client, game, player, turn):
    moves = [[player, turn]] if turn else []
    reply = client.ask(game=game, moves=moves, maxDepth=1, multiPV=1)
    assert len(reply["moveInfos"]) == 1
    position = Position.start(game)
    if turn:
        position.play(turn, position.spec.game.side(player))
    assert reply["moveInfos"][0]["move"] in position.turns()


def test_challenges_are_answered_in_turn(client):
    game = "gipf:basic,zertz=3,challenges=2,challenge-game=gomoku"
    jumper = "w+b../...../....../......./....../...../...b 9 9 w -- 0 0 1 2"
    query = {"game": game, "position": jumper, "maxDepth": 1, "multiPV": 2}
    announced = client.ask(moves=[["W", "jb2-b4"]], **query)
    assert {info["move"] for info in announced["moveInfos"]} == {"accept", "challenge"}
    assert "thisHash" not in announced["rootInfo"]
    contest = client.ask(moves=[["W", "jb2-b4"], ["B", "challenge"]], **query)
    assert contest["moveInfos"][0]["move"] == "H8"
    assert "thisHash" in contest["rootInfo"]


def test_stones_are_set_up(client):
    stones = {"initialStones": [["B", "A1"], ["B", "B1"], ["W", "G7"]]}
    text = "......O/......./......./......./......./......./XX..... w"
    queries = ({"initialPlayer": "W", **stones}, {"position": text})
    set_up, described = (client.ask(moves=[], maxDepth=1, **query)["rootInfo"] for query in queries)
    assert set_up["thisHash"] == described["thisHash"]
    assert set_up["currentPlayer"] == described["currentPlayer"] == "W"


@pytest.mark.parametrize(
    ("stones", "moves", "initial", "player"),
    [
        ([], [], None, "B"),
        ([], [], "w", "W"),
        ([["B", "A1"]], [], None, "B"),
        ([["B", "A1"], ["B", "B1"]], [], None, "W"),
        ([["B", "A1"], ["W", "B1"]], [], None, "B"),
        ([["B", "A1"], ["W", "B1"]], [["W", "C1"]], None, "W"),
        ([], [["W", "C1"]], None, "W"),
    ],
)
def test_who_begins(client, stones, moves, initial, player):
    first = {} if initial is None else {"initialPlayer": initial}
    reply = client.ask(initialStones=stones, moves=moves, analyzeTurns=[0], maxDepth=1, multiPV=1, **first)
    assert reply["rootInfo"]["currentPlayer"] == player


def test_board_size_of_the_query_counts(client):
    reply = client.ask(moves=[["B", "F6"]], boardXSize=6, boardYSize=6, maxDepth=1)
    assert reply["turnNumber"] == 1
    assert "A1 to F6" in client.ask(moves=[["B", "G7"]], boardXSize=6, boardYSize=6)["error"]


# --------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("moves", None),
        ("moves", [["B"]]),
        ("moves", [["Q", "A1"]]),
        ("moves", [["B", "H8"]]),
        ("moves", [["B", "A1"], ["W", "A1"]]),
        ("game", "chess"),
        ("game", 7),
        ("position", "... b"),
        ("initialStones", [["B", "A1"], ["W", "A1"]]),
        ("initialStones", [["B", "pass"]]),
        ("initialPlayer", "both"),
        ("boardXSize", 7.0),
        ("analyzeTurns", [5]),
        ("analyzeTurns", [True]),
        ("analyzeTurns", 0),
        ("priority", "high"),
        ("priorities", [1]),
        ("maxVisits", 0),
        ("maxVisits", 2**60),
        ("maxTime", -1),
        ("maxDepth", 65),
        ("multiPV", 0),
        ("avoidMoves", [{"player": "B", "moves": ["A1"]}]),
        ("avoidMoves", [{"player": "B", "moves": ["A1"], "untilDepth": 0}]),
        ("avoidMoves", {"player": "B"}),
        ("allowMoves", [{"player": "B", "moves": ["Z1"], "untilDepth": 1}]),
        ("allowMoves", [{}, {}]),
        ("includeOwnership", 1),
        ("includePolicy", "yes"),
        ("rootPolicyTemperature", "hot"),
        ("analysisPVLen", 0),
        ("overrideSettings", []),
        ("overrideSettings", {"maxVisits": "many"}),
        ("overrideSettings", {"reportAnalysisWinratesAs": "RED"}),
        ("reportDuringSearchEvery", 0),
        ("action", "dance"),
        ("action", 1),
    ],
)
def test_a_field_that_cannot_be_taken_is_named(client, field, value):
    reply = client.ask(**{"moves": MOVES, "maxDepth": 1, field: value})
    assert reply.keys() == {"error", "field", "id"}
    assert reply["field"] == field
    assert client.ask(action="query_models") == {"id": "q", "action": "query_models", "models": []}


@pytest.mark.parametrize(
    "line",
    [
        "rubbish",
        "[]",
        "null",
        '"q"',
        "{",
        '{"id": 1e999}',
        '{"id": NaN}',
        "[" * 100_000,
        '{"x": %s}' % ("9" * 5000),
    ],
)
def test_what_is_no_query_is_one_error(client, line):
    client.talk.send(line)
    assert client.reply().keys() == {"error"}


@pytest.mark.parametrize("line", ["{}", '{"id": 1, "moves": []}', '{"id": null, "action": "query_version"}'])
def test_a_query_needs_an_id(client, line):
    client.talk.send(line)
    reply = client.reply()
    assert (reply.keys(), reply["field"]) == ({"error", "field"}, "id")


def test_a_line_beyond_all_bounds_is_refused(client):
    client.talk.send(b'{"id": "' + b"x" * 2_000_000 + b'"}')
    assert client.reply().keys() == {"error"}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"includePolicy": True}, "includePolicy"),
        ({"includeOwnershipStdev": True}, "includeOwnershipStdev"),
        ({"includeMovesOwnership": True}, "includeMovesOwnership"),
        ({"includePVVisits": True}, "includePVVisits"),
        ({"includeOwnership": True}, "includeOwnership"),
        ({"rootPolicyTemperature": 1.5}, "rootPolicyTemperature"),
        ({"overrideSettings": {"wideRootNoise": 0.1}}, "overrideSettings"),
        ({"rules": "chinese"}, "rules"),
        ({"komi": 7.5}, "komi"),
        ({"maxVisit": 3}, "maxVisit"),
    ],
)
def test_what_is_not_heeded_is_a_warning_and_the_answer_comes(client, query, field):
    warning = client.ask(moves=MOVES, maxDepth=1, **query)
    assert warning.keys() == {"warning", "field", "id"}
    assert warning["field"] == field
    assert client.reply()["moveInfos"]


def test_what_is_asked_for_with_false_is_no_warning(client):
    assert client.ask(moves=MOVES, maxDepth=1, includePolicy=False, includePVVisits=False)["moveInfos"]


def test_settings_that_override_limits_are_heeded(client):
    reply = client.ask(moves=MOVES, overrideSettings={"maxVisits": "300"})
    assert reply["rootInfo"]["visits"] <= 300


# ---------------------------------------------------------------------------------------------------- actions


def test_actions_are_echoed(client):
    assert (
        client.ask(action="query_version", note=[1]).items()
        >= {"action": "query_version", "note": [1]}.items()
    )
    assert client.ask(action="clear_cache") == {"id": "q", "action": "clear_cache"}
    assert client.ask(action="terminate", terminateId="none")["terminateId"] == "none"
    assert client.ask(action="terminate")["field"] == "terminateId"
    assert client.ask(action="terminate_all", turnNumbers=["all"])["field"] == "turnNumbers"


def test_a_search_is_terminated_with_what_it_has_found(client):
    client.ask(moves=[], maxDepth=1)  # compiled from here on
    client.send("long", **ENDLESS, reportDuringSearchEvery=0.05)
    assert client.reply()["isDuringSearch"]
    client.send("end", action="terminate", terminateId="long")
    replies = [client.final(), client.final()]
    assert {reply["id"] for reply in replies} == {"long", "end"}
    assert all("noResults" not in reply for reply in replies)


def test_queries_that_wait_are_terminated_without_results(client):
    client.send("long", **ENDLESS)
    client.send("more", moves=MOVES, analyzeTurns=[0, 1, 2], maxDepth=1)
    client.send("end", action="terminate", terminateId="more", turnNumbers=[0, 2])
    dropped = [client.reply(), client.reply()]
    assert [(reply["turnNumber"], reply["noResults"]) for reply in dropped] == [(0, True), (2, True)]
    assert client.reply()["id"] == "end"
    client.send("all", action="terminate_all", turnNumbers=[0])
    rest = [client.reply() for _ in range(3)]
    assert {(reply["id"], reply.get("turnNumber")) for reply in rest} == {
        ("long", 0),
        ("all", None),
        ("more", 1),
    }


def test_clearing_the_cache_makes_searches_alike(client):
    nodes = []
    for _ in range(2):
        client.ask(action="clear_cache")
        nodes.append(client.ask(moves=MOVES, maxDepth=4, multiPV=1)["rootInfo"]["visits"])
    assert nodes[0] == nodes[1]


# -------------------------------------------------------------------------------------------------- processes


def test_the_introduction_imports_nothing_heavy():
    script = f"""
import io, sys
from tengen.engine.game import GameSpec
from tengen.protocol.katago.analysis import Analysis
from tengen.protocol.common.lines import InputLine, Reader, Writer
from tengen.protocol.common.session import Session
sink = io.BytesIO()
dialogue = Analysis(Session(GameSpec.parse("dvonn")), Reader(io.BytesIO()), Writer(sink, sys.exit))
dialogue.execute(InputLine('{{"id": "v", "action": "query_version"}}'))
assert b"version" in sink.getvalue()
heavy = [name for name in {HEAVY!r} if name in sys.modules]
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


def test_end_of_input_waits_for_all_queries():
    with Outside("analysis", "--game", "gomoku,size=7", "--parallel", "2", "--perspective", "side") as talk:
        client = Client(talk)
        client.send(moves=MOVES, analyzeTurns=[0, 1, 2, 3, 4], maxDepth=2)
        assert talk.finish() == 0
        assert {json.loads(line)["turnNumber"] for line in talk.rest()} == {0, 1, 2, 3, 4}


def test_queries_are_left_when_nobody_is_to_wait():
    with Outside("analysis", "--game", "gomoku,size=7", "--quit-without-waiting") as talk:
        client = Client(talk)
        client.send(**ENDLESS, reportDuringSearchEvery=0.05)
        assert client.reply()["isDuringSearch"]
        assert talk.finish() == 0
        assert all(json.loads(line)["isDuringSearch"] for line in talk.rest())


def test_interrupt_ends_the_process_at_once():
    with Outside("analysis", "--game", "gomoku,size=7") as talk:
        client = Client(talk)
        client.send(**ENDLESS, reportDuringSearchEvery=0.001)
        client.reply()
        talk.process.send_signal(signal.SIGINT)
        assert talk.process.wait(PATIENCE) == 130
        assert all(json.loads(line) for line in talk.rest())
        assert talk.complaints() in ("", COMPILING)


def test_what_waits_for_a_compiler_is_terminated_at_once(tmp_path):
    with Outside("analysis", "--game", "dvonn", environment={"TENGEN_CACHE_DIR": str(tmp_path)}) as talk:
        client = Client(talk)
        client.send(moves=[], maxTime=1000)
        client.send("t", action="terminate_all")
        assert {client.reply()["id"], client.reply()["id"]} == {"q", "t"}


# ------------------------------------------------------------------------------------------------- Go's rules


def test_go_wants_to_be_told_size_and_rules():
    client = Client(Inside("analysis", "go"))
    told = {"moves": [], "boardXSize": 9, "boardYSize": 9, "rules": "chinese"}
    for missing in ("boardXSize", "boardYSize", "rules"):
        query = {name: value for name, value in told.items() if name != missing}
        assert client.ask(**query)["field"] == missing
    assert client.ask(**{**told, "boardYSize": 8})["field"] == "boardYSize"
    assert client.ask(**told, komi="7.5")["field"] == "komi"
    assert client.ask(**told, komi=5000)["field"] == "komi"
    assert client.ask(**told, whiteHandicapBonus="N-1")["field"] == "whiteHandicapBonus"
    assert client.ask(**{**told, "rules": "aga"})["field"] == "rules"
    assert client.talk.finish() == 0


def test_go_is_analyzed_with_the_owners_of_its_points():
    client = Client(Inside("analysis", "go"))
    wall = [[player, f"{column}{row}"] for row in range(1, 6) for player, column in (("B", "C"), ("W", "D"))]
    query = {"rules": "tromp-taylor", "komi": 0.5, "boardXSize": 5, "boardYSize": 5, "initialStones": wall}
    reply = client.ask(moves=[], maxVisits=400, includeOwnership=True, **query)
    assert [len(reply["ownership"][row : row + 5]) for row in range(0, 25, 5)] == [5] * 5
    assert reply["ownership"][0] > 0.5  # A5 is Black's
    assert reply["ownership"][4] < -0.5  # E5 is White's
    assert reply["rootInfo"]["winrate"] > 0.8
    assert reply["rootInfo"]["scoreLead"] > 0
    assert all(info["visits"] <= 400 for info in reply["moveInfos"])
    ended = client.ask(moves=[["W", "pass"], ["B", "pass"]], **query)
    assert (ended["moveInfos"], ended["rootInfo"]["result"]) == ([], "B+4.5")
    assert ended["rootInfo"]["scoreLead"] == 4.5
    assert client.talk.finish() == 0


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("tromp-taylor", "go,rules=tromp-taylor,ko=positional"),
        ("Tromp Taylor", "go,rules=tromp-taylor,ko=positional"),
        ("chinese", "go,rules=chinese"),
        ("chinese_kgs", "go,rules=chinese,ko=positional"),
        ("japanese", "go,rules=japanese"),
        ("KOREAN", "go,rules=japanese"),
        ("{}", "go,rules=tromp-taylor,ko=positional"),
        ('{"ko": "SIMPLE"}', "go,rules=chinese"),
        (
            '{"ko": "situational", "scoring": "area", "friendlyPassOk": true}',
            "go,rules=chinese,ko=situational",
        ),
        ('{"ko": "SIMPLE", "score": "TERRITORY", "tax": "SEKI"}', "go"),
        (
            '{"scoring":"TERRITORY","suicide":false,"hasButton":false,"whiteHandicapBonus":"0"}',
            "go,ko=positional",
        ),
    ],
)
def test_rules_have_counterparts(text, spec):
    before = GameSpec.parse("go")
    assert spec_with_rules(before, text) == GameSpec.parse(spec)
    komi = spec_with_rules(before.with_option("komi", 6.5).with_option("size", 9), text)
    assert (komi.values["komi"], komi.values["size"]) == (6.5, 9)


@pytest.mark.parametrize("rules", ["territory", "japanese", "chinese", "tromp-taylor"])
@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_rules_come_back_from_their_object(rules, ko):
    spec = GameSpec.parse(f"go,rules={rules},ko={ko}")
    assert spec_with_rules(spec, json.dumps(rules_of(spec))) == spec
    assert rules_of(spec)["scoring"] == ("AREA" if usual_komi(spec) == 7.5 else "TERRITORY")


@pytest.mark.parametrize(
    ("key", "value", "changed"),
    [
        ("ko", "SITUATIONAL", "go,rules=chinese,ko=situational"),
        ("scoring", "territory", "go,rules=japanese"),
        ("friendlyPassOk", "false", "go,rules=tromp-taylor"),
        ("suicide", "false", "go,rules=chinese"),
    ],
)
def test_one_rule_is_changed(key, value, changed):
    assert spec_with_rule(GameSpec.parse("go,rules=chinese"), key, value) == GameSpec.parse(changed)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "aga",
        "new-zealand",
        "stone-scoring",
        "{",
        "{} {}",
        '{"ko": "SUPER"}',
        '{"ko": 1}',
        '{"suicide": true}',
        '{"suicide": 0}',
        '{"hasButton": true}',
        '{"tax": "ALL"}',
        '{"tax": "SEKI"}',
        '{"whiteHandicapBonus": "N"}',
        '{"whiteHandicapBonus": 0}',
        '{"komi": 7}',
        '{"scoring": {"area": 1}}',
    ],
)
def test_rules_without_a_counterpart_are_refused(text):
    with pytest.raises(TengenError):
        spec_with_rules(GameSpec.parse("go"), text)


def test_games_without_rules_to_choose_say_so():
    for ask in (rules_of, lambda spec: spec_with_rules(spec, "chinese")):
        with pytest.raises(TengenError, match="Gomoku has none to choose"):
            ask(GameSpec.parse("gomoku"))


def test_json_is_read_strictly():
    assert parse_json('{"a": [1, 2.5, null, true]}') == {"a": [1, 2.5, None, True]}
    for text in ("", "NaN", "-Infinity", "1e400", "{'a': 1}", "[1,]", "1 2"):
        with pytest.raises(TengenError, match="expected JSON"):
            parse_json(text)
