"""What Yixin's board and Rapfi have added to Gomocup's protocol."""

import pytest

from tengen.protocol.gomocup.commands import balanced_line
from tengen.protocol.gomocup.settings import refusal
from tengen.search.info import WIN, Info, Score
from tests.protocol.conversation import Inside
from tests.protocol.gomocup.talking import answer


@pytest.fixture
def small():
    """Return a conversation about a board of 5 by 5 points; searches end after some thousand positions."""
    talk = Inside("gomocup", "gomoku")
    talk.session.set_option("Hash", "1")
    talk.send("START 5", "INFO timeout_turn 900000", "INFO max_node 3000")
    assert talk.line() == "OK"
    yield talk
    talk.send("END")
    assert talk.finish() == 0


def lines(*values: int, turns: int = 2) -> list[Info]:
    """Return lines with these scores, the best first."""
    return [
        Info(rank, 1, 1, Score(value), "", 1, 0.0, 0, ("A1", "B1")[:turns])
        for rank, value in enumerate(values, 1)
    ]


# --------------------------------------------------------------------------------------------- blocked points


def test_a_search_does_not_play_on_blocked_points(small):
    points = [f"{x},{y}" for y in range(5) for x in range(5)]
    small.send("YXBLOCK", *points[:-1], "DONE")
    assert answer(small, "BEGIN") == "4,4"
    assert answer(small, "RESTART") == "OK"
    assert answer(small, "BEGIN") == "2,2", "a new game has no blocked points"


def test_blocked_points_can_be_opened_again(small):
    points = [f"{x},{y}" for y in range(5) for x in range(5)]
    small.send("YXBLOCK", *points, "DONE")
    assert answer(small, "BEGIN") == "ERROR expected a point that is not blocked, got none"
    small.send("YXBLOCKUNDO", "0,3,3", "DONE")
    assert answer(small, "BEGIN") == "0,3"
    small.send("YXBLOCKRESET")
    assert answer(small, "TURN 2,2") in {*points} - {"0,3", "2,2"}


def test_a_point_outside_is_no_blocked_point(small):
    assert answer(small, "YXBLOCK", "0,0", "5,5", "DONE").startswith("ERROR point: expected x,y from 0,0")
    small.send("YXBLOCK", *(f"{x},{y}" for y in range(5) for x in range(5) if (x, y) != (0, 0)), "DONE")
    assert answer(small, "BEGIN") == "0,0", "nothing had been blocked"


# ---------------------------------------------------------------------------------------------------- balance


@pytest.mark.parametrize(("bias", "rank"), [(0, 3), (500, 1), (-500, 4), (120, 2)])
def test_the_line_nearest_to_the_bias_is_balanced(bias, rank):
    assert balanced_line(lines(490, 100, 10, -480), bias, 2).rank == rank


def test_of_lines_about_as_near_the_best_is_taken():
    assert balanced_line(lines(200, 20, 1, 0), 0, 1).rank == 2


def test_a_proven_result_is_never_balanced_if_there_is_another():
    assert balanced_line(lines(WIN - 3, 4000), 9999, 1).rank == 2
    assert balanced_line(lines(WIN - 3), 0, 1).rank == 1


def test_a_line_that_is_too_short_is_not_enough():
    assert balanced_line(lines(0, turns=1), 0, 2) is None


def test_one_or_two_stones_are_played_for_balance(small):
    assert answer(small, "BEGIN") == "2,2"
    one = answer(small, "YXBALANCEONE 0")
    two = answer(small, "YXBALANCETWO -20").split()
    assert len({"2,2", one, *two}) == 4
    assert answer(small, f"TURN {two[1]}").startswith("ERROR illegal turn"), "they are on the board"


def test_a_win_does_not_keep_from_looking_at_other_turns(small):
    small.send("YXBOARD", "0,0,1", "0,1,2", "1,0,1", "1,1,2", "2,0,1", "2,1,2", "3,0,1", "4,4,2", "DONE")
    assert answer(small, "YXBALANCEONE 0") != "4,0"
    assert answer(small, "TAKEBACK", "YXSEARCHDEFEND") == "OK"
    told = small.until(r"\d")
    assert len([line for line in told if " multipv " in line]) > 10
    assert told[-1] == "4,0"


@pytest.mark.parametrize("bias", ["x", "10001", "-10001"])
def test_a_bias_that_is_none_is_refused(small, bias):
    assert answer(small, f"YXBALANCEONE {bias}").startswith("ERROR BIAS: expected a whole number")


# ------------------------------------------------------------------------------------------ what there is not


@pytest.mark.parametrize("command", ["YXQUERYDATABASEALL", "YXEDITTVDDATABASE 1 2", "YXDELETEDATABASEONE"])
def test_stones_of_a_query_of_the_database_are_read_and_there_is_none(talk, command):
    talk.send(command, "7,7", "8,8", "DONE", "ABOUT")
    assert talk.until("MESSAGE")[-1] == "MESSAGE tengen keeps no database of positions"
    assert talk.line().startswith("name=")


@pytest.mark.parametrize("command", ["YXSETDATABASE", "YXDBTOTXT", "YXHASHDUMP", "YXHASHLOAD"])
def test_no_file_is_touched(talk, tmp_path, command):
    talk.send(f"{command} {tmp_path}/file name", "ABOUT")
    assert talk.until("MESSAGE")[-1].startswith("MESSAGE tengen keeps no ")
    assert talk.until("name=")[-1]
    assert not [*tmp_path.iterdir()]


def test_the_use_of_the_table_is_told(small):
    answer(small, "BEGIN")
    answer(small, "TURN 0,0")
    small.send("YXSHOWHASHUSAGE", "YXHASHCLEAR", "YXSHOWHASHUSAGE")
    used, cleared = small.line(), small.line()
    assert used.startswith("MESSAGE the last search has filled ")
    assert used != cleared == "MESSAGE the last search has filled 0.0% of the hash table"


def test_what_info_asks_for_in_vain_is_said_once(small):
    small.send(*["INFO pondering 1", "INFO usedatabase 1", "INFO nonsense 1"] * 2, "INFO caution_factor 3")
    small.send("ABOUT")
    assert small.until("name=")[:-1] == [
        "MESSAGE INFO pondering has no effect: tengen does not think on the opponent's time",
        "MESSAGE INFO usedatabase has no effect: tengen keeps no database of positions",
        "MESSAGE INFO 'nonsense' is unknown",
    ]


@pytest.mark.parametrize(
    "setting",
    ["pondering 0", "max_moves 0", "rule 1", "thread_num 2", "evaluate 1,1", "level 3", "time_left 1"],
)
def test_what_asks_for_nothing_needs_no_words(setting):
    assert refusal(*setting.split()) == ""
