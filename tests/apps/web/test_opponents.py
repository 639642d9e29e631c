"""Players of one's own as opponents on the page."""

import time

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
from starlette.testclient import TestClient

from tengen.apps.web.hub import Hub
from tengen.apps.web.pool import SearchPool
from tengen.apps.web.security import Gate
from tengen.apps.web.server import make_app
from tengen.engine.errors import OptionError
from tengen.tuning.players.specs import Opponent

from .test_server import PAGE, Page, opened

CODE = """
import tengen

class Patient(tengen.Player):
    games = 0

    def new_game(self):
        self.games += 1

    def play(self, position, limit):
        assert limit.time == 2
        return position.legal_turns[-self.games]

def broken(position):
    raise ValueError("no net")

def confused(position):
    return "Z99"
"""
PERSON = {"kind": "person"}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    (tmp_path / "mine.py").write_text(CODE, "utf-8")
    return tmp_path / "mine.py"


@pytest.fixture
def page(tmp_path, file):
    opponents = [Opponent(f"python:{file}:{name}") for name in ("Patient", "broken", "confused")]
    hub = Hub(tmp_path / "games", SearchPool(1, 1, opponents))
    with (
        TestClient(make_app(hub, Gate("127.0.0.1", 8361)), base_url=PAGE) as client,
        opened(client) as socket,
    ):
        yield Page(socket)


def against(page: Page, name: str) -> None:
    page.begin("new", spec="gomoku,size=7", seats=[PERSON, {"kind": "engine", "name": name}])


def waited(page: Page, condition) -> dict:
    """Return the game once a condition holds for it."""
    while not condition(game := page.game):
        time.sleep(0.02)
    return game


def test_a_player_of_ones_own_is_offered_and_answers(page):
    assert page.ask("hello")["ok"]["players"] == ["Patient", "broken", "confused"]
    against(page, "Patient")
    page.play("d4")
    waited(page, lambda game: game["side"] == 0 and not game["thinking"])
    page.play("d5")
    waited(page, lambda game: game["side"] == 0 and not game["thinking"])
    record = page.ask("export")["ok"]["sgf"]
    assert "PW[Patient]" in record
    assert "WR[" not in record
    assert record.count(";W[") == 2
    against(page, "Patient")
    page.play("d4")
    game = waited(page, lambda game: game["side"] == 0 and not game["thinking"])
    assert game["notice"] == "", "in a new game it has forgotten the other one"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("broken", "broken does not play: ValueError: no net ("),
        ("confused", "confused does not play: "),
        ("somebody", "somebody does not play: the server was started without this --player"),
    ],
)
def test_a_player_that_fails_is_told_in_one_sentence_and_the_game_goes_on(page, name, words):
    against(page, name)
    page.play("d4")
    game = waited(page, lambda game: game["notice"])
    assert game["notice"].startswith(words)
    assert "\n" not in game["notice"]
    page.ask("seat", seat=1, player={"kind": "engine", "level": 1})
    waited(page, lambda game: game["side"] == 0 and not game["thinking"])


def test_the_page_cannot_name_a_file(page, file):
    against(page, f"python:{file}:Patient")
    page.play("d4")
    assert "was started without this" in waited(page, lambda game: game["notice"])["notice"]


def test_other_kinds_of_players_are_refused():
    with pytest.raises(OptionError, match=r"--player: expected python:FILE\.py:NAME, got 'greedy'"):
        Opponent("greedy")
