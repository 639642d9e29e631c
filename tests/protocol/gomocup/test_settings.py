"""Time and memory, as Gomocup's INFO sets them; games before the rules are compiled."""

import math
from dataclasses import replace

import pytest

from tengen.engine.errors import TengenError
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.protocol.engine_options import LEVEL
from tengen.protocol.gomocup.dialogue import UncompiledFallback
from tengen.protocol.gomocup.settings import MINIMAL_SEARCH, RESIDENT_MB, GomocupSettings
from tengen.protocol.numbers import NO_LIMIT_SECONDS
from tengen.protocol.session import Session
from tengen.search.limits.clock import MAX_TIME_SHARE
from tests.processes import PATIENCE
from tests.protocol.conversation import Inside, Outside
from tests.protocol.gomocup.talking import MB, MOVE, answer


def test_a_brain_that_must_compile_says_so_and_moves_in_time(tmp_path):
    with Outside("gomocup", environment={"TENGEN_CACHE_DIR": str(tmp_path)}) as talk:
        talk.send("START 15", "INFO timeout_turn 200", "BOARD", "7,7,2", "DONE")
        talk.until("OK$")
        talk.until(MOVE)
        talk.send("TURN 0,0")
        talk.until(MOVE)
        talk.send("END")
        assert talk.process.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("thread_num 300", "from 1 to 256"),
        ("thread_num 0", "from 1 to 256"),
        ("show_detail 9", "from 0 to 3"),
        ("rule -1", "from 0 to "),
    ],
)
def test_a_value_out_of_range_is_reported_and_changes_nothing(setting, expected):
    talk = Inside("gomocup", "gomoku,size=9")
    talk.send("INFO show_detail 1", f"INFO {setting}", "START 9", "END")
    assert talk.finish() == 0
    told = f"INFO {setting.split()[0]}: expected a whole number {expected}"
    assert any(told in line for line in talk.rest())
    assert talk.session.option("Threads") == 1


def test_a_game_can_be_begun_before_its_rules_are_compiled():
    fallback = UncompiledFallback(GameSpec.parse("gomoku,size=9"))
    assert fallback.answer("BEGIN", [], []) == "4,4"
    assert fallback.answer("TURN", ["0,0"], []) == "0,1"
    assert fallback.answer("PLAY", ["8,8"], []) == "8,8"
    assert fallback.turns() == [(0, "E5"), (1, "A9"), (0, "A8"), (1, "J1")]
    for name, argument in (("BEGIN", ""), ("TURN", "4,4"), ("TURN", "9,9"), ("PLAY", "0,0")):
        with pytest.raises(TengenError):
            fallback.answer(name, [argument], [])
    assert fallback.answer("DONE", [], ["4,4,2", "0,0,1", "8,8,2", "5,5,3"]) == "7,8"
    assert fallback.turns() == [(0, "E5"), (1, "A9"), (0, "J1"), (1, "H1")]
    assert fallback.answer("DONE", [], ["0,0,1", "1,1,1"]) is None
    assert len(fallback.turns()) == 4
    session = Session(fallback.spec)
    session.set_up(turns=fallback.turns())
    assert session.position.turns_played == ("E5", "A9", "J1", "H1")


def test_fives_captures_and_forbidden_points_are_seen_before_the_rules_are_compiled():
    fallback = UncompiledFallback(GameSpec.parse("gomoku:renju"))
    lines = ["4,7,1", "0,14,2", "5,7,1", "14,14,2", "6,7,1", "12,14,2", "8,7,1", "10,14,2", "9,7,1", "7,6,2"]
    session = Session(fallback.spec)
    assert fallback.answer("DONE", [], lines)
    session.set_up(turns=fallback.turns())  # refuses a stone on a forbidden point
    fallback = UncompiledFallback(GameSpec.parse("gobang"))
    for place in ("7,7", "8,7", "0,0", "9,7", "10,7", "8,7"):  # the pair at 8,7 has been taken
        assert fallback.answer("PLAY", [place], []) == place
    fallback = UncompiledFallback(GameSpec.parse("gomoku"))
    for place in ("0,0", "5,5", "1,0", "5,6", "2,0", "5,9", "3,0"):
        fallback.answer("PLAY", [place], [])
    assert fallback.answer("TURN", ["9,9"], []) == "4,0"
    with pytest.raises(TengenError, match="the game is over: black"):
        fallback.answer("TURN", ["10,10"], [])


POSITION = Position.start("gomoku")


def info_settings(**values: int) -> GomocupSettings:
    settings = GomocupSettings()
    for key, value in values.items():
        settings.update(key, str(value))
    return settings


def test_half_a_minute_is_the_time_when_nothing_is_said():
    limits, seconds = GomocupSettings().limits(POSITION, 0.0)
    assert limits.clock is None
    assert 29.8 < limits.time < 30.0
    assert seconds < limits.time


@pytest.mark.parametrize("turn", [60, 100, 500, 5000])
def test_the_turn_s_time_is_kept_less_a_margin(turn):
    limits, seconds = info_settings(timeout_turn=turn).limits(POSITION, 0.0)
    assert turn / 2000 < limits.time < turn / 1000
    assert 0 < seconds < turn / 1000
    later, _ = info_settings(timeout_turn=turn).limits(POSITION, 0.02)
    assert later == MINIMAL_SEARCH or later.time == pytest.approx(limits.time - 0.02)


@pytest.mark.parametrize(
    "times",
    [{"timeout_turn": 0}, {"timeout_turn": 1}, {"time_left": -500}, {"time_left": 0}, {"time_left": 9}],
)
def test_without_time_there_is_but_a_look(times):
    assert info_settings(**times).limits(POSITION, 0.0)[0] == MINIMAL_SEARCH


def test_the_match_s_time_is_shared_out_and_the_stricter_limit_holds():
    limits, seconds = info_settings(timeout_turn=30_000, timeout_match=60_000).limits(POSITION, 0.0)
    assert limits.clock.remaining == pytest.approx(60, abs=0.1)
    assert 1 < seconds < 60 * MAX_TIME_SHARE
    limits, seconds = info_settings(timeout_turn=1000, timeout_match=600_000).limits(POSITION, 0.0)
    assert limits.clock
    assert 0.9 < seconds < 1.0
    settings = info_settings(timeout_match=60_000, time_left=500)
    assert settings.limits(POSITION, 0.0)[0].clock.remaining < 0.5


def test_time_is_counted_when_the_manager_does_not_say_it():
    settings = info_settings(timeout_match=60_000)
    settings.spend(10)
    assert settings.limits(POSITION, 0.0)[0].clock.remaining == pytest.approx(50, abs=0.1)
    settings.update("time_left", "20000")
    settings.spend(5)
    assert settings.time_left == 15
    settings.new_game()
    assert settings.limits(POSITION, 0.0)[0].clock.remaining == pytest.approx(60, abs=0.1)
    settings.update("time_left", "30000")  # said before START: of the game that begins
    settings.new_game()
    assert settings.limits(POSITION, 0.0)[0].clock.remaining == pytest.approx(30, abs=0.1)


def test_the_time_of_the_game_may_change_during_it():
    settings = info_settings(timeout_turn=30_000, timeout_match=60_000)
    settings.spend(10)
    settings.update("timeout_match", "20000")
    assert settings.limits(POSITION, 0.0)[0].clock.remaining == pytest.approx(10, abs=0.1)
    settings.update("timeout_match", "10000")
    assert settings.limits(POSITION, 0.0)[0] == MINIMAL_SEARCH
    settings.update("timeout_match", "0")
    assert settings.limits(POSITION, 0.0)[0].clock is None


def test_an_increment_is_added_after_every_turn():
    settings = info_settings(timeout_match=10_000, time_increment=2_000)
    settings.spend(3.0)
    limits, _ = settings.limits(POSITION, 0.0)
    assert limits.clock is not None
    assert limits.clock.remaining == pytest.approx(9.0, abs=0.1)
    assert limits.clock.increment == 2.0


def test_the_margin_falls_where_the_manager_charges_what_was_spent():
    settings, slow = (
        info_settings(timeout_turn=500, timeout_match=60_000, time_left=60_000) for _ in range(2)
    )
    before = settings.limits(POSITION, 0.0)[1]
    assert before == pytest.approx(0.5 - 0.065)
    for turn in range(1, 6):
        for each, charged in ((settings, 470), (slow, 520)):
            each.spend(0.47)
            each.update("time_left", str(60_000 - turn * charged))
    assert settings.limits(POSITION, 0.0)[1] == pytest.approx(0.5 - 0.03, abs=1e-3)
    assert slow.limits(POSITION, 0.0)[1] == pytest.approx(before)


def test_no_limit_is_none():
    limits, _ = info_settings(timeout_turn=5000, time_left=2**31 - 1, timeout_match=60_000).limits(
        POSITION, 0.0
    )
    assert limits.clock is None
    settings = info_settings(timeout_turn=10**9)
    settings.yixin = True  # its user stops the search
    limits, seconds = settings.limits(POSITION, 0.0)
    assert (limits.time, limits.clock) == (None, None)
    assert seconds > NO_LIMIT_SECONDS


def test_without_any_limit_a_turn_comes_after_half_a_minute():
    limits, seconds = info_settings(timeout_turn=2**31 - 1, time_left=2**31 - 1).limits(POSITION, 0.0)
    assert limits.time == 30.0
    assert 29 < seconds < 30


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("-20", -0.02), ("0.5", 0.0005), ("1e3", 1.0), ("inf", math.inf), ("9" * 99, math.inf)],
)
def test_every_number_is_a_time(value, seconds):
    settings = GomocupSettings()
    settings.update("time_left", value)
    assert settings.time_left == pytest.approx(seconds)


@pytest.mark.parametrize("value", ["", "nan", "1,5", "soon"])
def test_what_is_no_time_changes_nothing(value):
    settings = info_settings(time_left=5000)
    with pytest.raises(TengenError, match="INFO time_left: expected a number, got"):
        settings.update("time_left", value)
    assert settings.time_left == 5.0


def test_the_number_of_c_gomoku_cli_is_no_limit():
    settings = info_settings()
    settings.update("time_left", "4611686018427387903")
    assert settings.time_left == math.inf


def test_depth_and_nodes_are_limits():
    limits, _ = info_settings(max_depth=5, max_node=1000).limits(POSITION, 0.0)
    assert (limits.depth, limits.nodes) == (5, 1000)
    limits, _ = info_settings(max_depth=-1, max_node=-1).limits(POSITION, 0.0)
    assert (limits.depth, limits.nodes) == (None, None)
    assert info_settings(max_depth=1000).max_depth == 64


def test_memory_bounds_the_table():
    assert info_settings(max_memory=0).hash_mb(64) == 64
    assert info_settings(max_memory=(RESIDENT_MB + 500) * MB).hash_mb(64) == 64
    assert info_settings(max_memory=(RESIDENT_MB + 30) * MB).hash_mb(64) == 30
    assert info_settings(max_memory=MB).hash_mb(64) == 1
    assert info_settings(max_memory=MB).memory_too_small
    assert not info_settings(max_memory=0).memory_too_small


def test_memory_that_is_given_again_is_used_again(talk):
    for line, size in (
        (f"INFO max_memory {(RESIDENT_MB + 8) * MB}", 8),
        ("INFO hash_size 1024", 1),
        ("INFO hash_size 131072", 8),
        ("INFO max_memory 0", 128),
    ):
        answer(talk, line, "ABOUT")
        assert talk.session.option("Hash") == size


def test_the_level_is_set_and_a_wrong_one_is_reported(talk):
    talk.send("INFO level 3", "INFO level 21", "INFO level weak", "BEGIN")
    said = talk.until(MOVE)
    assert talk.session.option(LEVEL) == 3
    for wrong in ("21", "weak"):
        expected = f"INFO level: expected a whole number from 1 to 20, got '{wrong}'"
        assert len([line for line in said if expected in line]) == 1


@pytest.mark.parametrize(
    ("rule", "exactly_five", "renju", "amiss"),
    [
        (0, 0, 0, 0),
        (1, 1, 0, 0),
        (2, 0, 0, 1),
        (3, 1, 0, 1),
        (8, 1, 0, 1),
        (11, 1, 0, 2),
        (4, 0, 1, 0),
        (5, 1, 1, 0),
    ],
)
def test_bits_of_the_rule(rule, exactly_five, renju, amiss):
    spec = GameSpec.parse("gomoku,size=20")
    if "renju" not in spec.values and renju:
        pytest.skip("this version knows no Renju")
    spec, notices = info_settings(rule=rule).with_rule(spec)
    assert (spec.values["exactly-five"], spec.values.get("renju", 0)) == (exactly_five, renju)
    assert len(notices) == amiss


def test_yixin_s_board_numbers_its_rules_otherwise():
    assert info_settings(rule=2).rule_bits() == 2
    assert [replace(info_settings(rule=rule), yixin=True).rule_bits() for rule in (0, 1, 2, 4, 5, 6)] == [
        0,
        1,
        4,
        4,
        0,
        0,
    ]
