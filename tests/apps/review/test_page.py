"""A review as a page."""

import json
import re

import pytest

from tengen.apps.review.pages.diagram import PLAYED, with_turn
from tengen.engine.play.position import Position
from tests.apps.review.records import BLUNDER, EFFORT


def test_a_page_needs_nothing_from_outside_and_has_every_board(review, game, tmp_path):
    game.write_text(BLUNDER.replace("PW[B:C]", "PW[</script><b>]"))
    page = tmp_path / "game.html"
    code, out, err = review(game, *EFFORT, "--html", str(page))
    assert (code, err) == (0, [])
    assert str(page) in out
    text = page.read_text()
    assert not re.search(r"(src|href)=|<b>|@import|url\((?!#)", text)
    assert text.count("</script>") == 2
    data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text)[1])
    assert [turn["name"] for turn in data["turns"][1:]][:2] == ["1. d4", "2. a7"]
    for turn in data["turns"]:
        assert data["elements"][turn["board"][0]].startswith("<svg")
        assert bool(turn["line"]) == bool(turn.get("mark"))
    assert any(turn["line"] for turn in data["turns"])


def test_a_page_names_players_without_builds_and_tells_mistakes_in_sentences(review, game, tmp_path):
    game.write_text(BLUNDER.replace("PW[B:C]", "PW[one,level=2 (tengen 0.2.0 (a655608d01b7a1bf-d79ed8ee))]"))
    page = tmp_path / "game.html"
    assert review(game, *EFFORT, "--html", str(page))[0] == 0
    text = page.read_text()
    title = re.search(r"<h1>(.*?)</h1>", text)[1]
    assert "one,level=2" in title
    assert "a655608d01b7a1bf" not in title
    data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text)[1])
    for turn in (turn for turn in data["turns"] if turn.get("mark")):
        first = turn["text"].splitlines()[0]
        assert first.startswith(f"{turn['side'].capitalize()} lost {turn['loss']}% here")
        assert re.search(r"here(, give or take \d+%)?\. Better was \S+\.$", first)


@pytest.mark.parametrize(
    ("spec", "turn", "marks"),
    [
        ("go,size=9", "E5", 1),
        ("go,size=9", "pass", 0),
        ("dvonn", "a1b2", 2),  # an arrow: its line and its head
        ("gipf:basic", "a1-b2", 2),
        ("zertz", "Wd4,d7", 2),  # two rings
    ],
)
def test_turns_of_all_games_are_drawn(spec, turn, marks):
    position = Position.start(spec)
    picture = position.spec.game.picture.draw(position.state)
    marked = with_turn(picture, turn, PLAYED)
    assert len(marked.shapes) - len(picture.shapes) == marks
    assert marked.to_svg().count(PLAYED) == marks
