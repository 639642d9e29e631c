"""Gomocup's protocol where transcripts do not reach: time, threads, ends, settings, Swap2's choice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from dataclasses import replace

import pytest

from tengen.engine.errors import NotationError, OptionError, TengenError
from tengen.engine.game import GameSpec
from tengen.engine.position import Position
from tengen.protocol.common.errors import CommandError
from tengen.protocol.common.session import Session
from tengen.protocol.common.swap2 import MIN_SIZE, OPENINGS, SWAP, choose_color, choose_opening, swap2_stage
from tengen.protocol.gomocup.settings import MINIMAL_SEARCH, NO_LIMIT_SECONDS, RESIDENT_MB, GomocupSettings
from tengen.protocol.gomocup.stones import format_point, parse_point, parse_stone
from tengen.protocol.gomocup.uncompiled import UncompiledFallback
from tengen.search.info import Info, Result, Score
from tests import ROOT
from tests.processes import PATIENCE, eventually, keeps_busy
from tests.protocol.conversation import COMMAND, Inside, Outside

MOVE = r"\d+,\d+$"
MB = 1 << 20


@pytest.fixture
def talk():
    """Return a conversation about a board of 15 by 15 points, a twentieth of a second a turn."""
    talk = Inside("gomocup", "gomoku")
    talk.session.set_option("Hash", "1")  # less to clear
    talk.send("START 15", "INFO timeout_turn 50")
    talk.until("OK$")
    yield talk
    talk.send("YXSTOP", "END")
    talk.finish()


def answer(talk, *lines: str) -> str:
    """Send lines and return the first line of output that is no message."""
    talk.send(*lines)
    return talk.until(r"(?!MESSAGE)")[-1]


def board(talk, *stones: str) -> str:
    """Have a position set up, and return its text."""
    assert answer(talk, "YXBOARD", *stones, "DONE", "YXSHOWFORBID").startswith("FORBID ")
    return talk.session.position.text()


def position_text(size: int, stones: dict[tuple[int, int], str], letter: str) -> str:
    rows = ["".join(stones.get((x, y), ".") for x in range(size)) for y in range(size)]
    return f"{'/'.join(rows)} {letter}"


# ------------------------------------------------------------------------------------------------ the board


def test_points_count_from_the_upper_left_corner():
    assert parse_point("0,0", 15) == (0, 14)
    assert parse_point(" 14 , 0 ", 15) == (14, 14)
    assert all(parse_point(format_point((x, y), 9), 9) == (x, y) for x in range(9) for y in range(9))


@pytest.mark.parametrize(
    "text", ["15,0", "0,15", "-1,0", "", "7", "7,7,1", "7;7", "H8", "1e1,1", "9" * 30 + ",1"]
)
def test_points_that_are_none_are_refused(text):
    with pytest.raises(NotationError, match="expected x,y from 0,0 to 14,14"):
        parse_point(text, 15)


@pytest.mark.parametrize("text", ["7,7", "7,7,0", "7,7,4", "7,7,1,1", "DONE ?", "15,7,1"])
def test_stones_that_are_none_are_refused(text):
    with pytest.raises(NotationError):
        parse_stone(text, 15)


@pytest.mark.parametrize(
    ("stones", "letter"),
    [
        (("0,0,1", "1,0,2"), "b"),  # as many: who is to move has begun
        (("0,0,2",), "w"),  # one more of theirs: they have begun
        (("1,0,2", "0,0,1"), "b"),  # the order of the lines says nothing then
        (("0,0,2", "1,0,1", "2,0,2", "3,0,1", "4,1,2"), "w"),
        (("0,0,1", "1,0,1"), "b"),  # the numbers do not tell: the first stone is Black's
        (("0,0,2", "1,0,2"), "w"),
        (("0,0,2", "1,0,1", "2,0,1"), "w"),
    ],
)
def test_numbers_of_stones_tell_who_has_begun(talk, stones, letter):
    own, theirs = ("X", "O") if letter == "b" else ("O", "X")
    points = {}
    for stone in stones:
        x, y, field = map(int, stone.split(","))
        points[x, y] = own if field == 1 else theirs
    assert board(talk, *stones) == position_text(15, points, letter)


def test_a_game_in_its_order_is_gone_on_with(talk):
    stones = ["7,7,2", "8,8,1", "9,9,2"]
    board(talk, *stones)
    assert talk.session.position.turns_played == ["H8", "J7", "K6"]
    board(talk, *["7,7,1", "8,8,2", "9,9,1", "0,0,2"])
    assert talk.session.position.turns_played == ["H8", "J7", "K6", "A15"]


def test_stones_in_an_order_that_no_game_has_make_a_position_all_the_same(talk):
    five_on_the_way = [f"{x},0,1" for x in range(5)] + [f"{x},5,2" for x in (0, 2, 4, 6, 8)]
    mixed = [line for pair in zip(five_on_the_way[:5], five_on_the_way[5:], strict=True) for line in pair]
    assert answer(talk, "BOARD", *mixed, "DONE") == "ERROR the game is over: black"
    board(talk, "0,0,1", "1,1,1", "5,5,2", "6,6,2")
    assert talk.session.position.turns_played == []


def test_marks_are_no_stones(talk):
    assert board(talk, "0,0,1", "5,5,3", "1,0,2") == board(talk, "0,0,1", "1,0,2")


def test_a_turn_that_ends_the_game_stays_and_is_not_answered(talk):
    stones = [f"{x},{y},{field}" for x in range(4) for y, field in ((0, 2), (9, 1))]
    assert answer(talk, "YXBOARD", *stones, "DONE", "PLAY 14,14") == "14,14"
    assert answer(talk, "PLAY 12,14") == "12,14"
    assert answer(talk, "TURN 4,9") == "ERROR the game is over: black"
    assert answer(talk, "TURN 5,5") == "ERROR the game is over: black"
    assert answer(talk, "TAKEBACK 4,9") == "OK"


def test_the_rule_chooses_the_game(talk):
    for rule, spec in (("1", "gomoku,exactly-five=1"), ("0", "gomoku"), ("3", "gomoku,exactly-five=1")):
        assert answer(talk, f"INFO rule {rule}", "RESTART") == "OK"
        assert str(talk.session.spec) == spec


def test_the_rule_can_change_in_a_game_that_is_of_both(talk):
    assert answer(talk, "BEGIN") == "7,7"
    assert answer(talk, "INFO rule 1", "PLAY 1,1") == "1,1"
    assert str(talk.session.spec) == "gomoku,exactly-five=1"
    assert talk.session.position.turns_played == ["H8", "B14"]


# -------------------------------------------------------------------------------------------- while it thinks


@pytest.fixture
def thinking(talk):
    """Return a conversation in which a search is under way that takes a quarter of an hour."""
    talk.send("INFO timeout_turn 900000", "BEGIN", "TURN 8,8")
    talk.until("7,7$")
    eventually(lambda: talk.session.searching)
    return talk


def test_stop_makes_it_move(thinking):
    assert answer(thinking, "YXSTOP") not in ("7,7", "8,8")
    assert answer(thinking, "ABOUT").startswith("name=")


@pytest.mark.parametrize("line", ["ABOUT", "info timeout_match 5000\nabout", "INFO thread_num 2\nABOUT"])
def test_what_needs_no_board_is_obeyed_meanwhile(thinking, line):
    assert answer(thinking, line).startswith("name=")
    assert thinking.session.searching


@pytest.mark.parametrize("key", ["timeout_turn", "time_left"])
def test_less_time_ends_it_sooner(thinking, key):
    assert "," in answer(thinking, f"INFO {key} 300")


@pytest.mark.parametrize("line", ["RESTART", "START 20", "TAKEBACK 8,8"])
def test_what_needs_the_board_makes_it_move_first(thinking, line):
    thinking.send(line)
    replies = [thinking.until(r"(?!MESSAGE)")[-1] for _ in range(2)]
    assert "," in replies[0]
    assert replies[1] == "OK"


def test_two_questions_get_two_answers(thinking):
    thinking.send("INFO timeout_turn 50", "TURN 0,0", "BEGIN", "TURN 0,1")
    replies = [thinking.until(r"(?!MESSAGE)")[-1] for _ in range(4)]
    assert [reply.startswith("ERROR") for reply in replies] == [False, False, True, False]
    assert len({*replies}) == 4


def test_every_question_has_one_answer_however_they_come():
    rng = random.Random(5)
    talk = Inside("gomocup", "gomoku,size=9")
    talk.session.set_option("Hash", "1")

    def point() -> str:
        return f"{rng.randrange(9)},{rng.randrange(9)}"

    def stones() -> str:
        lines = [f"{point()},{rng.randrange(1, 4)}" for _ in range(rng.randrange(6))]
        return "\n".join(["BOARD", *lines, "DONE"])

    def opening() -> str:
        return "\n".join(["SWAP2BOARD", *(point() for _ in range(rng.choice((0, 2, 3, 5)))), "DONE"])

    def silent() -> str:
        kinds = "YXSTOP", "INFO time_left 500", "INFO rule 1", "YXHASHCLEAR", "INFO thread_num 2"
        return rng.choice((*kinds, f"INFO timeout_turn {rng.choice((0, 1, 20, 900_000))}"))

    questions = 0
    talk.send("START 9")
    for _ in range(400):
        plain = rng.choice(("BEGIN", "RESTART", "ABOUT", "FOO", "TAKEBACK", "START 9", "START 99", "DONE"))
        turn = rng.choice((f"TURN {point()}", f"PLAY {point()}", f"TAKEBACK {point()}", "YXNBEST 2"))
        asked = rng.choice((plain, turn, turn, turn, stones(), opening(), None))
        talk.send(asked or silent())
        questions += asked is not None
        if rng.random() < 0.2:
            time.sleep(rng.random() / 50)
    talk.send("YXSTOP")
    assert talk.finish() == 0
    replies = [line for line in talk.rest() if not line.startswith("MESSAGE")]
    assert len(replies) == 1 + questions
    assert not [line for line in replies if "internal error" in line]


def test_the_interrupt_makes_it_move(thinking):
    thinking.dialogue.interrupt()
    assert "," in thinking.until(r"(?!MESSAGE)")[-1]


# ------------------------------------------------------------------------------------------------------ ends


def test_end_while_thinking_ends_at_once_and_says_nothing():
    with Outside("gomocup") as talk:
        talk.send("START 15\r", "INFO timeout_turn 900000\r", "BOARD\r", "7,7,2\r", "DONE\r")
        talk.until("OK$")
        keeps_busy(talk.process.pid)
        talk.send("END\r")
        assert talk.process.wait(PATIENCE) == 0
        assert talk.rest() == []
        assert talk.complaints() == ""


@pytest.mark.parametrize(
    ("lines", "replies"),
    [
        ("", []),
        ("START 15", ["OK"]),
        ("START 15\nBOARD\n7,7,2\n8,8", ["OK"]),
        ("START 15\nSWAP2BOARD\n7,7", ["OK"]),
        ("START 15\nINFO", ["OK"]),
        ("START 15\nBEGIN", ["OK", "7,7"]),
        ("START 15\nBEGIN\nEND\nABOUT\n", ["OK"]),
        ("END", []),
    ],
)
def test_the_input_may_end_anywhere(lines, replies):
    talk = Inside("gomocup", "gomoku")
    talk.send(lines.encode())
    assert talk.finish() == 0
    assert [line for line in talk.rest() if not line.startswith("MESSAGE")] == replies


def test_the_end_of_input_stops_a_search_that_has_no_end():
    talk = Inside("gomocup", "gomoku")
    talk.send("START 15", "INFO timeout_turn 999999999999", "BOARD", "7,7,2", "DONE")
    assert talk.finish() == 0
    assert "," in talk.rest()[-1]


def test_lines_that_are_too_long_are_refused_once(talk):
    assert answer(talk, "TURN 7,7" + " " * (1 << 21)).startswith("ERROR expected a line of at most")
    assert answer(talk, "BOARD", "9" * (1 << 21), "DONE").startswith("ERROR stone: expected")
    assert (
        answer(talk, "BOARD", *["0,0,1"] * 20_000, "DONE") == "ERROR expected one stone on a point, got two"
    )
    assert answer(talk, "BEGIN") == "7,7"


def test_nothing_is_written_to_standard_error_that_a_manager_could_read(tmp_path):
    folder = tmp_path / "no folder"
    folder.write_text("")
    done = subprocess.run(
        [*COMMAND, "gomocup", "--game", "gomoku,size=9"],
        input=b"START 9\nINFO timeout_turn 100\nBEGIN\nTURN 1,1\n",
        env={**os.environ, "TENGEN_CACHE_DIR": str(folder), "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stderr == b""
    lines = [line for line in done.stdout.decode().splitlines() if not line.startswith("MESSAGE")]
    assert lines[:2] == ["OK", "4,4"]


def test_ctrl_c_ends_it_the_second_time():
    with Outside("gomocup") as talk:
        talk.send("START 15", "INFO timeout_turn 900000", "BOARD", "7,7,2", "DONE")
        talk.until("OK$")
        keeps_busy(talk.process.pid)
        talk.process.send_signal(signal.SIGINT)
        talk.until(MOVE)
        talk.process.send_signal(signal.SIGINT)
        assert talk.process.wait(PATIENCE) == 130


# ------------------------------------------------------------------------------------------------------ time


def test_a_brain_that_must_compile_says_so_and_moves_in_time(tmp_path):
    with Outside("gomocup", environment={"TENGEN_CACHE_DIR": str(tmp_path)}) as talk:
        talk.send("START 15", "INFO timeout_turn 200", "BOARD", "7,7,2", "DONE")
        talk.until("OK$")
        talk.until(MOVE)
        talk.send("TURN 0,0")
        talk.until(MOVE)
        talk.send("END")
        assert talk.process.wait(PATIENCE) == 0


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
    assert session.position.turns_played == ["E5", "A9", "J1", "H1"]


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
    assert 29.8 < limits.movetime < 30.0
    assert seconds < limits.movetime


@pytest.mark.parametrize("turn", [60, 100, 500, 5000])
def test_the_turn_s_time_is_kept_less_a_margin(turn):
    limits, seconds = info_settings(timeout_turn=turn).limits(POSITION, 0.0)
    assert turn / 2000 < limits.movetime < turn / 1000
    assert 0 < seconds < turn / 1000
    later, _ = info_settings(timeout_turn=turn).limits(POSITION, 0.02)
    assert later == MINIMAL_SEARCH or later.movetime == pytest.approx(limits.movetime - 0.02)


@pytest.mark.parametrize(
    "times",
    [{"timeout_turn": 0}, {"timeout_turn": 1}, {"time_left": -500}, {"time_left": 0}, {"time_left": 9}],
)
def test_without_time_there_is_but_a_look(times):
    assert info_settings(**times).limits(POSITION, 0.0)[0] == MINIMAL_SEARCH


def test_the_match_s_time_is_shared_out_and_the_stricter_limit_holds():
    limits, seconds = info_settings(timeout_turn=30_000, timeout_match=60_000).limits(POSITION, 0.0)
    assert limits.clock.remaining == pytest.approx(60, abs=0.1)
    assert 1 < seconds < 10
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


def test_no_limit_is_none():
    limits, _ = info_settings(timeout_turn=5000, time_left=2**31 - 1, timeout_match=60_000).limits(
        POSITION, 0.0
    )
    assert limits.clock is None
    limits, seconds = info_settings(timeout_turn=10**9).limits(POSITION, 0.0)
    assert (limits.movetime, limits.clock) == (None, None)
    assert seconds > NO_LIMIT_SECONDS


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


# ----------------------------------------------------------------------------------------------------- Swap2


def session(*turns: str, game: str = "gomoku") -> Session:
    session = Session(GameSpec.parse(game))
    session.set_up(turns=[(None, turn) for turn in turns])
    return session


@pytest.mark.parametrize("size", [5, 6, 7, 15, 20, 22])
def test_openings_are_three_turns_on_any_board(size):
    seen = set()
    for seed in range(40):
        opening = choose_opening(size, random.Random(seed))
        first = session(*opening, game=f"gomoku,size={size}")
        assert swap2_stage(first.position, "swap2") == 3
        seen.add(opening)
    assert len(seen) > 20


def test_openings_are_chosen_by_the_seed():
    def chosen(seed: int) -> tuple[str, ...]:
        return choose_opening(15, random.Random(seed))

    assert chosen(1) == chosen(1)
    assert len({chosen(seed) for seed in range(20)}) > 5
    assert len({*OPENINGS}) == len(OPENINGS) >= 8


@pytest.mark.parametrize(
    ("turns", "stones"),
    [("", 0), ("H8 J9 K7", 3), ("H8 J9 K7 A1 A2", 5), ("H8", None), ("H8 J9 K7 A1", None)],
)
def test_swap2_asks_about_no_three_and_five_stones(turns, stones):
    if stones is None:
        with pytest.raises(CommandError, match="swap2: expected no stones, or two black and one white"):
            swap2_stage(session(*turns.split()).position, "swap2")
    else:
        assert swap2_stage(session(*turns.split()).position, "swap2") == stones


@pytest.mark.parametrize("game", ["dvonn", "go,size=9"])
def test_swap2_is_for_five_in_a_row(game):
    with pytest.raises(CommandError, match="expected five in a row"):
        swap2_stage(session(game=game).position, "none")
    assert MIN_SIZE == 5


@pytest.mark.parametrize(
    ("value", "choice"), [(80, "H9"), (0, "H9"), (-1, SWAP), (-499_997, SWAP), (499_990, "H9")]
)
def test_the_better_colour_is_chosen(value, choice):
    info = Info(1, 5, 9, Score(value), "", 100, 0.1, 0, ("H9",))
    assert choose_color(Result("H9", None, (info,), 100, 0.1), 300.0) == choice


def test_black_is_taken_when_nothing_is_known():
    assert choose_color(Result("H9", None, (), 0, 0.0, "stopped"), 300.0) == SWAP


def test_both_other_protocols_ask_as_well():
    gtp = Inside("gtp", "gomoku")
    gtp.session.rng = random.Random(3)
    opening = gtp.ask("tengen-swap2").removeprefix("= ").split()
    assert len(opening) == 3
    for color, turn in zip("bwb", opening, strict=True):
        assert gtp.ask(f"play {color} {turn}") == "="
    assert gtp.ask("tengen-swap2").split()[1] not in opening
    assert gtp.ask("tengen-position").endswith(" w")
    for color, turn in zip("wb", ("A1", "A15"), strict=True):
        gtp.ask(f"play {color} {turn}")
    assert gtp.ask("tengen-swap2").startswith("= ")
    assert gtp.ask("undo") == "="
    assert gtp.ask("tengen-swap2").startswith("? swap2: expected no stones")
    assert gtp.finish() == 0

    ugi = Inside("ugi", "gomoku")
    ugi.session.rng = random.Random(3)
    ugi.send("go swap2 movetime 20")
    assert ugi.until("bestmove ")[-1] == f"bestmove {','.join(opening)}"
    ugi.send("position startpos moves H8 A1 J8 A15 K8", "go swap2 movetime 50")
    assert ugi.until("bestmove ")[-1] == "bestmove swap"
    ugi.send("position startpos moves A1 H8 A15", "go swap2 depth 2")
    assert ugi.until("bestmove ")[-1] != "bestmove swap"
    ugi.send("position startpos moves H8 A1", "go swap2 movetime 20")
    assert ugi.line().startswith("info string error: swap2: expected no stones")
    assert ugi.finish() == 0


# ---------------------------------------------------------------------------------------------- the option


def test_the_opening_is_an_option_of_the_session():
    agreed = session()
    assert agreed.option_texts()["Opening"] == "none"
    agreed.set_option("opening", "swap2")
    agreed.set_option("Game", "gomoku,size=19")
    assert agreed.option_texts()["Opening"] == "swap2"
    agreed.set_option("Game", "dvonn")
    assert agreed.option_texts()["Opening"] == "none"
    with pytest.raises(OptionError, match="option Opening: expected none in DVONN, got 'pro'"):
        agreed.set_option("Opening", "pro")
    with pytest.raises(OptionError, match="option Opening: expected none in DVONN, got 'swap2'"):
        agreed.set_option("Opening", "swap2")
    with pytest.raises(OptionError, match="expected none or pro or swap2, got 'soosorv'"):
        agreed.set_option("Opening", "soosorv")


def test_pro_is_the_game_s_own_opening():
    agreed = session()
    if "opening" not in agreed.spec.values:
        with pytest.raises(OptionError, match="expected none or swap2 in Gomoku, got 'pro'"):
            agreed.set_option("Opening", "pro")
        return
    agreed.set_option("Opening", "pro")
    assert str(agreed.spec) == "gomoku,opening=pro"
    with pytest.raises(TengenError):
        agreed.play("A1", 0)
    with pytest.raises(CommandError, match="expected Opening none or swap2, got pro"):
        swap2_stage(agreed.position, str(agreed.options["Opening"]))
    agreed.play("H8", 0)
    agreed.set_option("Opening", "swap2")
    assert str(agreed.spec) == "gomoku"
    assert agreed.position.turns_played == ["H8"]
    agreed.set_option("Game", "gomoku,opening=pro")
    assert agreed.option_texts()["Opening"] == "pro"
    agreed.set_option("Game", "gomoku")
    assert agreed.option_texts()["Opening"] == "none"
    agreed.set_up(turns=[(None, "A1")])
    with pytest.raises(TengenError):
        agreed.set_option("Opening", "pro")  # the game in progress has begun otherwise
    assert agreed.option_texts()["Opening"] == "none"
    assert agreed.position.turns_played == ["A1"]
