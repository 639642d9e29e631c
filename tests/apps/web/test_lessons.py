"""Lessons: the rules' examples, tried out on the board."""

import pytest

from tengen.apps.lessons import MOVING, lessons
from tengen.apps.quiz.collection import TASKS, tasks
from tengen.engine import games
from tengen.engine.errors import TengenError
from tengen.engine.play.position import Position
from tengen.engine.rulebook import Verdict
from tests.apps.web import browser as browsers
from tests.apps.web.browser import point


@pytest.mark.parametrize("name", games.built_in())
def test_every_lesson_begins_where_its_turns_are_what_it_says(name):
    found = lessons(games.find(name))
    assert 8 <= len(found) <= 16
    for lesson in found:
        assert lesson.heading
        assert lesson.texts
        position = Position(lesson.spec, lesson.position)
        for turn in lesson.turns:
            if turn.verdict == Verdict.REFUSED:
                with pytest.raises(TengenError):
                    position.push(turn.turn)
            else:
                position.push(turn.turn)
                if turn.verdict not in MOVING:
                    position.pop()


def test_a_lesson_of_dvonn_is_learned_by_clicks(page, folder):
    page.click("#cards [aria-label='Learn DVONN']")
    browsers.wait_for_text(page, "#lesson h2", "Lesson 1 of 10: First phase")
    assert not page.locator("#controls").is_visible()
    page.click("#lesson button:has-text('Next')")
    browsers.wait_for_text(page, "#lesson h2", "Lesson 2 of 10")
    browsers.wait_for_text(page, "#lesson li >> nth=0", "○ e3h3 – allowed: three spaces to the right")
    browsers.wait_for_text(page, "#lesson li >> nth=3", "✗ e3e4 – not allowed [D-3]: only one space away")
    point(page, "e3", "h3")
    browsers.wait_for_text(page, "#status", "e3h3: right, three spaces to the right")
    page.wait_for_selector("#lesson .done:has-text('e3h3')")
    page.wait_for_selector("#board svg .lit")
    page.click('#board [data-place="d2"]', force=True)
    browsers.wait_for_text(page, "#status", "[D-3]")
    page.click("#lesson button:has-text('Show me')")
    browsers.wait_for_text(page, "#lesson", "Well done.")
    page.reload()
    browsers.wait_for_text(page, "#lesson h2", "Lesson 2 of 10")
    assert not list(folder.iterdir()), "nothing is kept"


def test_a_turn_that_a_lesson_does_not_ask_for_stays_untried(page):
    page.click("#cards [aria-label='Learn Gomoku']")
    browsers.wait_for_text(page, "#lesson h2", "Lesson 1 of")
    point(page, "c1")
    browsers.wait_for_text(page, "#status", "c1 is legal, too.")
    assert page.locator("#lesson .done").count() == 0


def test_a_lesson_goes_on_with_the_turns_that_are_played_and_ends_in_tasks_and_a_game(page, folder):
    page.click("#cards [aria-label='Learn DVONN']")
    browsers.wait_for_text(page, "#lesson h2", "Lesson 1 of 10")
    for number in range(2, 11):
        page.click("#lesson button:has-text('Next')")
        browsers.wait_for_text(page, "#lesson h2", f"Lesson {number} of 10")
    for played in ("d3e3", "b3c3"):
        page.click("#lesson button:has-text('Show me')")
        page.wait_for_selector(f"#lesson .done:has-text('{played}')")
    browsers.wait_for_text(page, "#lesson", "Well done.")
    page.click("#lesson button:has-text('Small tasks')")
    for number, task in enumerate(tasks("dvonn"), 1):
        browsers.wait_for_text(page, "#lesson h2", f"Task {number} of 3")
        browsers.wait_for_text(page, "#lesson", task.question)
        page.reload()
        browsers.wait_for_text(page, "#lesson h2", f"Task {number} of 3")
        for turn in task.line[::2]:
            point(page, turn[:2], turn[2:])
            browsers.wait_for_text(page, "#status", f"{turn} is right.")
        if number < TASKS:
            page.click("#lesson button.primary:has-text('Next task')")
    assert not list(folder.iterdir()), "nothing is kept"
    page.click("#lesson button.primary:has-text('Play level 1')")
    page.wait_for_selector("#lesson", state="hidden")
    browsers.wait_for_text(page, "#players", "tengen, level 1")
