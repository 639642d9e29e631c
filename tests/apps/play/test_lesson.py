"""Lessons in the terminal."""

import re

import pytest

from tengen.apps.lessons import lessons
from tengen.apps.quiz.collection import TASKS, WIN, problems, tasks
from tengen.apps.quiz.progress import Progress
from tengen.engine import games
from tengen.engine.notation import shown
from tengen.engine.spec import GameSpec
from tests.apps.play.test_play import through_pipe

pytestmark = pytest.mark.usefixtures("data")


def taught(*answers: str, arguments: str = "--lesson dvonn") -> str:
    """Return what the lessons print to these answers."""
    return through_pipe(*answers, arguments=arguments)


def test_a_lesson_has_a_rule_a_board_and_turns_to_try():
    out = taught("next", "quit")
    assert out.startswith("Lesson 1 of 10: First phase: the pieces are placed\n")
    second = out[out.index("Lesson 2 of 10") :]
    assert "[D-3]" in second
    assert "Try it on the board:\n  e3h3  allowed: three spaces to the right, onto a DVONN piece\n" in second
    assert "  e3e4  not allowed [D-3]: only one space away\n" in second


def test_rules_without_an_example_come_with_the_next_one_that_has_one():
    first, _, third, *_ = lessons(games.find("gipf"))
    assert [text[:9] for text in first.texts[:2]] == ["Each play", "**[G-1] P"]
    assert [text[:9] for text in third.texts[:2]] == ["**[G-3] R", "**[G-4] R"]
    second = lessons(games.find("dvonn"))[2]
    assert [text[:9] for text in second.texts] == ["**[D-3] M", "White's s"]


def test_rules_after_the_last_example_of_a_section_come_with_it():
    first, *_ = lessons(games.find("dvonn"))
    assert [text[:9] for text in first.texts] == ["**[D-1] P", "**[D-2] W"]
    assert any("**[M-5] Swap2" in text for lesson in lessons(games.find("gomoku")) for text in lesson.texts)
    *_, last = lessons(games.find("gipf"))
    assert [text[:9] for text in last.texts[-2:]] == ["**[P-7] E", "**[P-8] G"], "TAMSK is apart"


def test_turns_are_right_or_legal_too_or_refused_with_the_rule():
    out = taught("e5", "c1", "e3", "e7", "", "quit", arguments="--lesson gomoku")
    assert "illegal turn 'e5': e5 is occupied [M-1]\n" in out
    assert "c1 is legal, too.\n" in out
    assert "e3: right.\n" in out
    assert "e7: right, Black has four in a column.\n" in out
    assert out.index("Well done.") < out.index("Lesson 2 of 11")


@pytest.mark.parametrize("name", games.built_in())
def test_every_lesson_is_gone_through_by_what_it_shows(name):
    found = lessons(games.find(name))
    answers = [answer for lesson in found for answer in (*("show" for _ in lesson.turns), "next")]
    asked = tasks(name)
    right = [turn for task in asked for turn in shown(GameSpec.parse(task.spec), task.line[::2])]
    out = taught(*answers, *right, arguments=f"--lesson {name}")
    assert re.findall(r"^Lesson (\d+) of", out, re.M) == [str(number + 1) for number in range(len(found))]
    assert re.findall(r"^Task (\d of \d)$", out, re.M) == ["1 of 3", "2 of 3", "3 of 3"]
    assert all(f"{turn} is right." in out for turn in right)
    assert [Progress().standing(task.name).right for task in asked] == [1] * TASKS
    assert out.endswith(f"\nTo begin a game:\n  tengen play --game {name} --level 1\n")


@pytest.mark.parametrize("name", games.built_in())
def test_tasks_are_of_the_easiest_puzzles_those_that_win_at_once_first(name):
    asked = tasks(name)
    assert [task.missed for task in asked] == sorted(each.missed for each in problems(name))[:TASKS]
    of_them = [each for each in problems(name) if each.missed == asked[0].missed]
    at_once = [each for each in of_them if (each.goal, each.length) == (WIN, 1)]
    assert [*asked][: len(at_once)] == at_once[:TASKS]
    assert {each.goal for each in asked} == {WIN} or WIN not in {each.goal for each in of_them}


def test_who_leaves_the_tasks_is_told_how_to_begin_a_game():
    out = taught("next", "quit", arguments="--game dvonn --lesson 10")
    assert "\nThat was the last lesson.\n\nTask 1 of 3\n" in out
    assert out.endswith("\nTo begin a game:\n  tengen play --game dvonn --level 1\n")


def test_back_and_rules_and_help_and_the_end_of_input():
    out = taught(
        "next", "back", "back", "rules D-5", "rules D-99", "help", "nxt", arguments="--game dvonn --lesson 2"
    )
    assert re.findall(r"^Lesson (\d+) of", out, re.M) == ["2", "3", "2", "1"]
    assert "[D-5]" in out
    assert "got 'D-99'" in out
    assert "leave the lessons" in out
    assert "did you mean 'next'?" in out


def test_rules_are_shown_in_the_language_that_is_spoken():
    out = taught("rules D-5", "quit", arguments="--lesson dvonn --language fr")
    assert "[D-5]" in out
    assert "Une pièce DVONN seule" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            "--lesson 11 --game dvonn",
            "--lesson: expected the name of a game, or a number from 1 to 10, got '11'",
        ),
        (
            "--lesson x-y --game dvonn",
            "--lesson: expected the name of a game, or a number from 1 to 10, got 'x-y'",
        ),
        ("--lesson chess", "game: expected one of"),
        ("--lesson dvonn --game gipf", "--game and a game after --lesson exclude each other"),
        ("--lesson dvonn --level 3", "--level and --lesson exclude each other"),
        ("--lesson", "--lesson requires a game, such as --lesson dvonn"),
    ],
)
def test_a_lesson_that_there_is_not_is_refused_in_one_line(arguments, complaint):
    out = through_pipe(arguments=arguments, code=2, errors=True)
    assert complaint in out
    assert out.count("\n") == 1
