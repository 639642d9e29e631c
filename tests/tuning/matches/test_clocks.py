"""Clocks of games: increments, several time controls, Canadian and Japanese byo-yomi."""

import pytest

from tengen.engine.errors import OptionError
from tengen.search.limits.limit import Clock, Limit
from tengen.tuning.clocks import after_turn, clock_text, parse_clock, seconds_left, start_clock
from tengen.tuning.match.playing import GameClock
from tengen.tuning.players.base import PlayerFailure
from tengen.tuning.players.specs import PlayerSpec
from tests.tuning.matches.playing import settings


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("60+0.5", Clock(60, 0.5)),
        ("60+0", Clock(60)),
        ("40/60+0.6", Clock(60, 0.6, 40)),
        ("600+5x30", Clock(600, byoyomi=30, periods=5)),
        ("600+25/300", Clock(600, byoyomi=300, byoyomi_stones=25)),
        ("0+3x2.5", Clock(0, byoyomi=2.5, periods=3)),
    ],
)
def test_a_clock_is_read_and_written(text, clock):
    assert parse_clock(text) == clock
    assert clock_text(clock) == text


def test_a_clock_may_have_no_increment():
    assert parse_clock("90") == Clock(90)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "0+1",
        "-1",
        "60+",
        "+5",
        "60+-1",
        "40/",
        "0/60",
        "40/60+5x30",
        "60+0x5",
        "60+5x0",
        "1e9",
        "x",
        "60+1+1",
    ],
)
def test_another_text_is_no_clock(text):
    with pytest.raises(OptionError, match="expected seconds such as 60, 60"):
        parse_clock(text)


def played(text: str, *turns: float) -> list[Clock]:
    """Return the clock `text` after each of the turns, given their seconds."""
    control = parse_clock(text)
    clocks = [start_clock(control)]
    for seconds in turns:
        clocks.append(after_turn(clocks[-1], seconds, control))
    return clocks[1:]


def test_an_increment_follows_every_turn():
    assert [clock.remaining for clock in played("10+0.5", 1, 2, 12)] == [9.5, 8, 0.5]


def test_time_is_added_after_the_turns_of_a_control():
    clocks = played("2/60+1", 10, 10, 5)
    assert clocks == [Clock(51, 1, 1), Clock(102, 1, 2), Clock(98, 1, 1)]


def test_a_canadian_period_is_fresh_once_its_turns_are_played():
    clocks = played("10+2/30", 4, 9, 20, 5, 1)
    assert clocks == [
        Clock(6, byoyomi=30, byoyomi_stones=2),
        Clock(27, moves_to_go=2),
        Clock(7, moves_to_go=1, expires=True),
        Clock(30, moves_to_go=2),
        Clock(29, moves_to_go=1, expires=True),
    ]
    assert [seconds_left(clock) for clock in clocks] == [36, 27, 7, 30, 29]


def test_japanese_periods_are_lost_one_by_one():
    clocks = played("10+3x30", 4, 20, 30, 31, 29)
    assert clocks == [
        Clock(6, byoyomi=30, periods=3),
        Clock(30, moves_to_go=1, periods=3, expires=True),
        Clock(30, moves_to_go=1, periods=3, expires=True),
        Clock(30, moves_to_go=1, periods=2, expires=True),
        Clock(30, moves_to_go=1, periods=2, expires=True),
    ]
    assert [seconds_left(clock) for clock in clocks] == [96, 90, 90, 60, 60]


@pytest.mark.parametrize(("seconds", "periods"), [(10, 5), (39, 5), (40.5, 4), (70.5, 3), (500, 1)])
def test_a_turn_may_lead_through_main_time_and_periods(seconds, periods):
    assert played("10+5x30", seconds)[-1].periods == periods


def test_without_main_time_overtime_begins_at_once():
    assert start_clock(parse_clock("0+5x30")) == Clock(30, moves_to_go=1, periods=5, expires=True)
    assert start_clock(parse_clock("0+25/300")) == Clock(300, moves_to_go=25)


def test_a_turn_loses_when_all_periods_are_over():
    wanted = settings("random", "random", limits=Limit(), clock=parse_clock("1+2x3"), margin=0.05)
    clock = GameClock(wanted, (0, 1))
    assert clock.turn_time(0).timeout == pytest.approx(7.05)
    clock.spend(0, 6.9)
    clock.spend(0, 2.9)
    with pytest.raises(PlayerFailure, match=r"due after 3\.050 s"):
        clock.spend(0, 3.1)


def test_a_player_may_have_its_own_clock_and_limits():
    fast, slow = "gtp,clock=5+0:a", "ugi,movetime=2,nodes=7:b"
    wanted = settings(fast, slow, limits=Limit(time=1.0))
    clock = GameClock(wanted, (1, 0))  # the second player has the first side
    assert clock.turn_time(0).limits == Limit(nodes=7, time=2.0)
    assert clock.turn_time(1).limits.time is None
    assert clock.turn_time(1).limits.clock == Clock(5)


def test_settings_of_an_engine_are_read():
    player = PlayerSpec.parse("ugi,folder=/tmp,env.LANG=C,option.Hash=32,depth=4:engine --fast")
    assert player.command == ("engine", "--fast")
    assert player.limits == Limit(depth=4)
    assert player.settings.folder == "/tmp"
    assert player.settings.environment == (("LANG", "C"),)
    assert player.settings.options == (("Hash", "32"),)


@pytest.mark.parametrize(
    "text",
    [
        "ugi,fodler=/tmp:x",
        "ugi,nodes=0:x",
        "ugi,nodes=many:x",
        "ugi,depth=1,depth=2:x",
        "ugi,folder:x",
        "ugi,clock=x:x",
    ],
)
def test_bad_settings_of_an_engine_are_refused(text):
    with pytest.raises(OptionError, match="expected"):
        PlayerSpec.parse(text)
