"""What a position is answered with."""

import pytest

from tests.protocol.analysis.client import ENDLESS, FIVE, MOVES, WITHOUT_SIDE
from tests.rules.test_repetition import GIPF_PIECES


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


def test_a_level_puts_the_move_that_it_plays_first(client):
    best = client.ask(moves=MOVES, maxDepth=3)["moveInfos"][0]["move"]
    replies = [client.ask(moves=MOVES, level=1, multiPV=3) for _ in range(40)]
    for reply in replies:
        infos = reply["moveInfos"]
        assert [info["order"] for info in infos] == [0, 1, 2]
        assert len({info["move"] for info in infos}) == 3
        assert reply["rootInfo"]["winrate"] == infos[0]["winrate"]
    assert len({reply["moveInfos"][0]["move"] for reply in replies} - {best}) > 1
    assert client.ask(moves=FIVE, level=1)["moveInfos"][0]["pv"] == ["E1"]


def test_a_level_belongs_to_its_query(client):
    counts = []
    for level in ({}, {"level": 20}, {}):
        client.ask(action="clear_cache")
        client.ask(moves=MOVES, level=1)
        counts.append(client.ask(moves=MOVES, maxDepth=3, **level)["rootInfo"]["visits"])
    assert len(set(counts)) == 1


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


def test_a_draw_by_repetition_has_a_reason(client):
    turns = [["wb"[number % 2], turn] for number, turn in enumerate(2 * GIPF_PIECES.turns)]
    reply = client.ask(game=GIPF_PIECES.spec, position=GIPF_PIECES.text, moves=turns)
    root = reply["rootInfo"]
    assert (reply["moveInfos"], root["winrate"], root["result"]) == ([], 0.5, "0")
    assert root["reason"] == "the position has occurred three times [R-1]"


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


def test_answers_are_restricted_too_in_go(client):
    only = {"player": "W", "moves": ["A1", "C3"], "untilDepth": 2}
    query = {"game": "go,size=7", "moves": [["B", "C3"], ["W", "E5"]], "maxVisits": 600, "multiPV": 5}
    lines = [info["pv"] for info in client.ask(**query, allowMoves=[only])["moveInfos"]]
    answered = [line for line in lines if len(line) > 1]
    assert answered
    assert {line[1] for line in answered} == {"A1"}
    best = client.ask(**query)["moveInfos"][0]["pv"]
    ban = {"player": "W", "moves": [best[1]], "untilDepth": 2}
    avoided = [info["pv"] for info in client.ask(**query, avoidMoves=[ban])["moveInfos"]]
    assert best[1] not in {line[1] for line in avoided if len(line) > 1}


def test_answers_are_restricted_too_in_gomoku(client):
    only = {"player": "W", "moves": ["A1", "C3"], "untilDepth": 20}
    query = {"moves": MOVES, "maxNodes": 3000, "multiPV": 3}
    lines = [info["pv"] for info in client.ask(**query, allowMoves=[only])["moveInfos"]]
    answers = {turn for line in lines for turn in line[1::2][:2]}
    assert answers
    assert answers <= {"A1", "C3"}


def test_answers_of_several_actions_are_not_restricted(client):
    ban = {"player": "W", "moves": ["Wd4,a1"], "untilDepth": 2}
    warning = client.ask(game="zertz", moves=[], maxDepth=1, avoidMoves=[ban])
    assert "untilDepth: heeded at the root only" in warning["warning"]


def test_even_the_one_move_that_matters_can_be_avoided(client):
    ban = {"player": "B", "moves": ["E1"], "untilDepth": 1}
    assert client.ask(moves=FIVE, maxDepth=2, multiPV=1)["moveInfos"][0]["move"] == "E1"
    moves = [found["move"] for found in client.ask(moves=FIVE, maxDepth=2, avoidMoves=[ban])["moveInfos"]]
    assert moves
    assert "E1" not in moves


def test_a_policy_has_a_share_for_every_point(client):
    reply = client.ask(moves=MOVES, maxDepth=3, multiPV=4, includePolicy=True)
    policy = reply["policy"]
    assert len(policy) == 7 * 7 + 1
    assert sum(share for share in policy if share > 0) == pytest.approx(1, abs=1e-4)
    assert [policy[7 * (7 - int(turn[1])) + "ABCDEFG".index(turn[0])] for _, turn in MOVES] == [-1.0] * 4
    best = reply["moveInfos"][0]["move"]
    assert max(policy) == policy[7 * (7 - int(best[1])) + "ABCDEFG".index(best[0])]


def test_every_candidate_has_its_own_owners(client):
    fields = {"game": "go,size=7", "moves": [], "maxVisits": 600, "multiPV": 3}
    reply = client.ask(**fields, includeOwnership=True, includeMovesOwnership=True)
    owners = {found["move"]: found["ownership"] for found in reply["moveInfos"]}
    assert len(owners) > 1
    assert all(len(points) == 49 for points in owners.values())
    for move, points in owners.items():
        place = 7 * (7 - int(move[1])) + "ABCDEFG".index(move[0])
        assert points[place] == max(other[place] for other in owners.values())
    assert all("ownership" not in found for found in client.ask(**fields)["moveInfos"])


def test_a_policy_of_simulations_is_that_of_all_visits(client):
    fields = {"game": "go,size=7", "moves": [], "maxVisits": 600, "multiPV": 1}
    reply = client.ask(**fields, includePolicy=True, includePVVisits=True)
    (found,) = reply["moveInfos"]
    assert sum(share > 0 for share in reply["policy"]) > 1
    assert max(reply["policy"]) < 1
    assert reply["policy"][-1] >= 0, "a pass is legal"
    assert len(found["pvVisits"]) == len(found["pv"])
    assert found["pvVisits"] == sorted(found["pvVisits"], reverse=True)
    assert found["pvVisits"][0] == found["visits"]


def test_a_policy_on_another_board_is_by_turn(client):
    policy = client.ask(game="dvonn", moves=[], maxNodes=500, multiPV=3, includePolicy=True)["policy"]
    assert len(policy) == 3
    assert sum(policy.values()) == pytest.approx(1, abs=1e-4)


def test_candidates_of_a_reply_are_of_one_iteration_and_sorted(client):
    for nodes in (2_000, 2_500, 3_000, 4_000):
        infos = client.ask(moves=MOVES, maxNodes=nodes, multiPV=6)["moveInfos"]
        rates = [found["winrate"] for found in infos]
        assert len(rates) == 6
        assert rates == sorted(rates, reverse=True), nodes


def test_without_a_permitted_move_there_are_no_results(client):
    warning = client.ask(
        moves=FIVE, maxDepth=2, allowMoves=[{"player": "B", "moves": ["A1"], "untilDepth": 1}]
    )
    assert "no turn is left" in warning["warning"]
    assert client.reply() == {"id": "q", "isDuringSearch": False, "turnNumber": 8, "noResults": True}


def test_no_limit_is_too_small_for_a_first_iteration(client):
    assert client.ask(moves=MOVES, maxVisits=1)["moveInfos"]


def test_lines_of_play_are_cut(client):
    reply = client.ask(moves=MOVES, maxDepth=4, analysisPVLen=1, multiPV=2)
    assert [len(info["pv"]) for info in reply["moveInfos"]] == [2, 2]


def test_grouped_moves_differ_in_more_than_the_ring_taken(client):
    position = "..w./...../.b..../......./....../...../.... 4,7,8 0,0,0 0,0,0 1"
    fields = {"game": "zertz", "position": position, "moves": [], "maxDepth": 2, "multiPV": 12}
    for grouped in (False, True):
        moves = [found["move"] for found in client.ask(**fields, groupMoves=grouped)["moveInfos"]]
        assert (len({move.split(",")[0] for move in moves}) == 12) == grouped
