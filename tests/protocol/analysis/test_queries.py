"""Which positions are asked about, what is refused, and what else can be asked."""

import pytest

from tengen.engine.play.position import Position
from tests.protocol.analysis.client import ENDLESS, MOVES

# ---- positions ----


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
        position.push(turn, position.spec.game.side(player))
    assert reply["moveInfos"][0]["move"] in position.turns()


def test_challenges_are_answered_in_turn(client):
    game = "gipf:basic,zertz=3,challenges=2,challenge-game=gomoku"
    jumper = "w+b../...../....../......./....../...../...b 9 9 w -- 0 0 1 2"
    query = {"game": game, "position": jumper, "maxDepth": 2, "multiPV": 2}
    announced = client.ask(moves=[["W", "jb2-b4"]], **query)
    assert {info["move"] for info in announced["moveInfos"]} == {"accept", "challenge"}
    assert "thisHash" not in announced["rootInfo"]
    contest = client.ask(moves=[["W", "jb2-b4"], ["B", "challenge"]], **{**query, "multiPV": 1})
    assert contest["moveInfos"][0]["move"] == "H8"
    assert "thisHash" in contest["rootInfo"]


def test_no_result_from_outside_is_made_up(client):
    game = "gipf:basic,zertz=3,challenges=2,challenge-game=outside"
    jumper = "w+b../...../....../......./....../...../...b 9 9 w -- 0 0 1 2"
    moves = [["W", "jb2-b4"], ["B", "challenge"]]
    client.send(game=game, position=jumper, moves=moves)
    warning, reply = client.reply(), client.reply()
    assert "the controller tells how the challenge has ended" in warning["warning"]
    assert reply["noResults"]
    told = client.ask(game=game, position=jumper, moves=[*moves, ["W", "result-owner"]], maxDepth=1)
    assert told["rootInfo"]["currentPlayer"] == "B"


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


# ---- refusals ----


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
        ("level", 21),
        ("level", "weak"),
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
        ({"includeOwnershipStdev": True}, "includeOwnershipStdev"),
        ({"includeMovesOwnership": True}, "includeMovesOwnership"),
        ({"includePVVisits": True}, "includePVVisits"),
        ({"includeOwnership": True}, "includeOwnership"),
        ({"rootPolicyTemperature": 1.5}, "rootPolicyTemperature"),
        ({"overrideSettings": {"wideRootNoise": 0.1}}, "overrideSettings"),
        ({"rules": "chinese"}, "rules"),
        ({"komi": 7.5}, "komi"),
        ({"groupMoves": True}, "groupMoves"),
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


# ---- actions ----


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


def test_a_tree_search_depends_on_no_query_before(client):
    fields = {"game": "go,size=7", "moves": [["B", "D4"]], "multiPV": 60}
    first, _, again = (client.ask(**fields, maxVisits=visits) for visits in (300, 40, 300))
    assert again["moveInfos"] == first["moveInfos"]
    assert sum(found["visits"] for found in again["moveInfos"]) <= again["rootInfo"]["visits"] == 300
