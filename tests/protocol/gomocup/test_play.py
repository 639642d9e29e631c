"""The board, and what may be said while the engine thinks."""

import random
import re
import time

import pytest

from tengen.engine.errors import NotationError
from tengen.protocol.gomocup import settings
from tengen.protocol.gomocup.stones import format_point, parse_point, parse_stone
from tests.processes import PATIENCE, eventually, keeps_busy
from tests.protocol.conversation import COMMAND, Inside, Outside, run
from tests.protocol.gomocup.talking import MOVE, answer, board, position_text

# ---- the board ----


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
    assert talk.session.position.turns_played == ("H8", "J7", "K6")
    board(talk, *["7,7,1", "8,8,2", "9,9,1", "0,0,2"])
    assert talk.session.position.turns_played == ("H8", "J7", "K6", "A15")


def test_stones_in_an_order_that_no_game_has_make_a_position_all_the_same(talk):
    five_on_the_way = [f"{x},0,1" for x in range(5)] + [f"{x},5,2" for x in (0, 2, 4, 6, 8)]
    mixed = [line for pair in zip(five_on_the_way[:5], five_on_the_way[5:], strict=True) for line in pair]
    assert answer(talk, "BOARD", *mixed, "DONE") == "ERROR the game is over: black"
    board(talk, "0,0,1", "1,1,1", "5,5,2", "6,6,2")
    assert talk.session.position.turns_played == ()


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
    eventually(lambda: talk.session.loaded)  # before, the rules are those of what plays without kernels
    for rule, spec in (("1", "gomoku,exactly-five=1"), ("0", "gomoku"), ("3", "gomoku,exactly-five=1")):
        assert answer(talk, f"INFO rule {rule}", "RESTART") == "OK"
        assert str(talk.session.spec) == spec


def test_the_rule_can_change_in_a_game_that_is_of_both(talk):
    assert answer(talk, "BEGIN") == "7,7"
    assert answer(talk, "INFO rule 1", "PLAY 1,1") == "1,1"
    assert str(talk.session.spec) == "gomoku,exactly-five=1"
    assert talk.session.position.turns_played == ("H8", "B14")


# ---- while it thinks ----


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


@pytest.mark.parametrize(
    ("later", "replies"),
    [
        ("DONE", ["ERROR expected BOARD before DONE"]),
        ("BOARD\n1,1\nTURN 3,3", ["ERROR expected lines of x,y until DONE, got 'TURN'", MOVE]),
        ("START 99", ["ERROR expected a square board of .*"]),
    ],
)
def test_a_command_ends_the_search_whose_answer_comes_before_its_own(later, replies):
    talk = Inside("gomocup", "gomoku,size=9")
    talk.send("START 9", "INFO timeout_turn 900000", "TURN 4,4")
    talk.send(*later.split("\n"), "YXSTOP")
    assert talk.finish() == 0
    found = [line for line in talk.rest() if not line.startswith("MESSAGE")]
    assert len(found) == 2 + len(replies)
    for line, expected in zip(found, ["OK", MOVE, *replies], strict=True):
        assert re.match(expected, line), found


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


# ---- ends ----


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


def test_a_search_that_nobody_would_stop_ends_by_itself(monkeypatch):
    monkeypatch.setattr(settings, "TIMEOUT_TURN", 0.5)
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
    said = "START 9\nINFO timeout_turn 100\nBEGIN\nTURN 1,1\n"
    interpreted = {"TENGEN_CACHE_DIR": str(folder), "NUMBA_DISABLE_JIT": "1"}
    done = run(*COMMAND, "gomocup", "--game", "gomoku,size=9", said=said, **interpreted)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line for line in done.stdout.splitlines() if not line.startswith("MESSAGE")]
    assert lines[:2] == ["OK", "4,4"]
