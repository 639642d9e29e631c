"""Puzzles of the collection on the page: in a browser, and as the server answers."""

from datetime import date

import pytest

from tengen.apps.quiz.collection import of_day, problems
from tengen.apps.quiz.progress import Progress
from tengen.apps.web.puzzles import AskedPuzzle
from tengen.engine.notation import shown
from tengen.engine.spec import GameSpec
from tengen.protocol.errors import CommandError
from tengen.protocol.fields import Fields
from tests.apps.web import browser as browsers
from tests.apps.web.browser import point

BADLY_ASKED = [
    ({"do": "puzzle", "kind": "chess"}, "puzzles: expected one of dvonn, "),
    ({"do": "puzzle"}, "puzzles: expected one of dvonn, "),
    ({"do": "puzzle", "kind": "gomoku", "number": 0}, "number: expected a whole number from 1 to "),
    ({"do": "puzzle", "kind": "gomoku", "task": 4}, "task: expected a whole number from 1 to 3"),
    ({"do": "guess", "turn": "A1"}, "no puzzle is shown"),
]


def test_a_puzzle_is_solved_by_clicks_after_hints_and_a_wrong_one(page, folder):
    first, second = problems("gomoku")[:2]
    spec = GameSpec.parse(first.spec)
    page.click("#cards [aria-label='Puzzles of Gomoku']")
    browsers.wait_for_text(page, "#lesson h2", first.heading)
    assert not page.locator("#controls").is_visible()
    for hint in shown(spec, first.hints()):
        page.click("#lesson button:has-text('Hint')")
        browsers.wait_for_text(page, "#lesson", hint)
    wrong = shown(spec, next(turn for turn in first.position().turns() if turn != first.line[0]))
    point(page, wrong)
    browsers.wait_for_text(page, "#status", f"{wrong} is not the one.")
    for turn in shown(spec, first.line[::2]):
        point(page, turn)
        browsers.wait_for_text(page, "#status", f"{turn} is right.")
    browsers.wait_for_text(page, "#status", "This puzzle is done.")
    solution = shown(spec, first.solution()[0])
    browsers.wait_for_text(page, "#lesson", solution)
    page.reload()
    browsers.wait_for_text(page, "#lesson h2", first.heading)
    page.click("#lesson button:has-text('Show the solution')")
    browsers.wait_for_text(page, "#lesson", solution)
    page.click("#lesson button:has-text('Next puzzle')")
    browsers.wait_for_text(page, "#lesson h2", second.heading)
    assert not list(folder.iterdir()), "nothing is kept"


def test_the_puzzle_of_the_day_is_on_the_first_screen(page):
    page.click("h1 a")
    page.click("#daily")
    browsers.wait_for_text(page, "#lesson h2", f"Puzzle of the day: {of_day(date.today()).heading}")


def test_an_answer_belongs_to_the_last_position_of_a_puzzle_that_is_not_done(data):
    asked = AskedPuzzle(Fields({"kind": "gomoku", "number": 1}))
    start, other = asked.problem.position(), asked.problem.position()
    other.push(asked.left[0])
    with pytest.raises(CommandError, match="this is an earlier position"):
        asked.judge(other, asked.left[0])
    assert Progress().standing(asked.problem.name) is None
    played, report = asked.judge(start, "")
    assert (played, report["right"]) == ([*asked.problem.line], False)
    with pytest.raises(CommandError, match="this puzzle is done"):
        asked.judge(start, asked.problem.line[0])


@pytest.mark.parametrize(("message", "complaint"), BADLY_ASKED)
def test_what_cannot_be_asked_is_refused(page, message, complaint):
    said = page.evaluate(
        """message => new Promise((resolve) => {
            const socket = new WebSocket(`ws://${location.host}/socket`);
            socket.onopen = () => socket.send(JSON.stringify({ id: 1, ...message }));
            socket.onmessage = (reply) => resolve(JSON.parse(reply.data).error);
        })""",
        message,
    )
    assert complaint in said
