"""Go's rules by KataGo's names."""

import json

import pytest

from tengen.engine.errors import TengenError
from tengen.engine.spec import GameSpec
from tengen.protocol.fields import parse_finite
from tengen.protocol.katago.rules import rules_of, spec_with_rule, spec_with_rules, usual_komi
from tests.protocol.analysis.client import Client
from tests.protocol.conversation import Inside


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
    assert client.ask(**{**told, "rules": "stone-scoring"})["field"] == "rules"
    assert "moveInfos" in client.ask(**{**told, "rules": "aga"}, maxVisits=10)
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
        ("aga", "go,rules=chinese,ko=situational"),
        ("BGA", "go,rules=chinese,ko=situational"),
        ("new_zealand", "go,rules=chinese,ko=situational"),
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
        "stone-scoring",
        "aga-button",
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
    assert parse_finite('{"a": [1, 2.5, null, true]}') == {"a": [1, 2.5, None, True]}
    for text in ("", "NaN", "-Infinity", "1e400", "{'a': 1}", "[1,]", "1 2"):
        with pytest.raises(TengenError, match="expected JSON"):
            parse_finite(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"suicide": true}', "suicide is illegal, of several stones too [O-3]"),
        ('{"hasButton": true}', "there is no button"),
        ('{"whiteHandicapBonus": "N"}', "White gets no points for handicap stones"),
    ],
)
def test_rules_that_cannot_be_chosen_are_refused_with_the_reason(text, reason):
    with pytest.raises(TengenError) as error:
        spec_with_rules(GameSpec.parse("go"), text)
    assert str(error.value).endswith(reason)
