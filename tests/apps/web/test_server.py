"""The server of the board in the browser, as a page or a stranger talks to it."""

import asyncio
import base64
import contextlib
import json
import re
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tengen.apps.play.kept import KeptGame
from tengen.apps.quiz import progress
from tengen.apps.quiz.mistakes import of_files
from tengen.apps.web import hub
from tengen.apps.web.game.game import PACE
from tengen.apps.web.game.records import record_of_text
from tengen.apps.web.game.seats import GameClock
from tengen.apps.web.hub import Hub
from tengen.apps.web.pool import SearchPool
from tengen.apps.web.security import Gate
from tengen.apps.web.server import STATIC, make_app
from tengen.apps.web.view import KNOWN, verdict
from tengen.engine import sgf
from tengen.engine.errors import TengenError
from tengen.engine.games import find
from tengen.engine.play.position import Position
from tengen.engine.rulebook import rulebook
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import exclusive_lock
from tengen.protocol.archive import SETTINGS, KeptFile
from tengen.search.limits.limit import Clock, Limit
from tengen.tuning.theory import Theory

PAGE = "http://127.0.0.1:8361"
HOST = {"host": "127.0.0.1:8361"}
OWN = {**HOST, "origin": PAGE}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "games"


@pytest.fixture
def client(folder):
    with new_client(folder) as made:
        yield made


def new_client(folder, gate=None) -> TestClient:
    hub = Hub(folder, SearchPool(1, 1))
    return TestClient(make_app(hub, gate or Gate("127.0.0.1", 8361)), base_url=PAGE)


class Page:
    """A page that keeps what the server tells it."""

    def __init__(self, socket) -> None:
        self.socket = socket
        self.state = self.tree = None
        self.review = None

    def ask(self, command, **fields):
        self.socket.send_json({"id": 1, "do": command, **fields})
        while "id" not in (message := self.socket.receive_json()):
            if message["event"] == "state":
                self.state = message
            elif message["event"] == "tree":
                self.tree = message
            elif message["event"] == "review":
                self.review = message
        return message

    @property
    def game(self):
        """What the server tells of the game now."""
        self.ask("go", by=0)
        return self.state["game"]

    @property
    def position(self):
        """What it tells of the position shown now."""
        self.ask("go", by=0)
        return self.state["position"]

    def begin(self, command, **fields) -> str:
        """Open a new game, or one of a text; return its name."""
        name = self.ask(command, **fields)["ok"]["game"]
        self.ask("open", game=name)
        return name

    def play(self, *places) -> None:
        """Point at places until a turn is complete."""
        position = self.position
        choices, chosen, path = position["choices"], [], []
        for place in places:
            path.append(place)
            found = [choice for choice in choices if path in choice["paths"]]
            if found:
                reply = self.ask("step", node=position["node"], actions=[*chosen, found[0]["action"]])["ok"]
                choices, chosen, path = reply.get("choices", []), reply.get("chosen", []), []
        assert not path, f"there is no choice at {path}"


@contextlib.contextmanager
def opened(client):
    with contextlib.suppress(CancelledError), client.websocket_connect("/socket", headers=OWN) as socket:
        yield socket  # Starlette's client may cancel the server's end of a socket that it has closed


@pytest.fixture
def page(client):
    with opened(client) as socket:
        yield Page(socket)


def test_page_is_small_and_needs_nothing_from_outside(client):
    others = [path.name for path in STATIC.glob("*.*") if path.suffix != ".js"]
    names = ["", "words/fr.json", "app.js", *others]
    replies = [client.get(f"/{name}") for name in names]
    assert all(reply.status_code == 200 for reply in replies)
    assert sum(len(reply.content) for reply in replies) < 250_000
    assert all("default-src 'none'" in reply.headers["content-security-policy"] for reply in replies)
    assert not any("https://" in reply.text for reply in replies)


def test_the_theory_of_a_game_is_told_where_it_is_known(page):
    page.begin("new", spec="dvonn")
    found = page.ask("theory")["ok"]
    known = Theory.shipped("dvonn").turns(Position("dvonn"))[:KNOWN]
    assert (found["node"], found["side"]) == (page.position["node"], 0)
    assert [line["pv"] for line in found["lines"]] == [[each.turn, *each.line] for each in known]
    assert [line["rate"] for line in found["lines"]] == [each.rate for each in known]
    begun = Position("dvonn")
    begun.push(known[0].turn)
    page.begin("new", spec="dvonn", position=begun.text())
    assert page.ask("theory")["ok"]["lines"] == [], "a game that began elsewhere"
    page.begin("new", spec="gobang,size=7")
    assert page.ask("theory")["ok"]["lines"] == [], "none ships"


@pytest.mark.parametrize("path", ["/server.py", "/../server.py", "/%2e%2e/server.py", "/..%2fserver.py"])
def test_no_path_leads_to_another_file(client, path):
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8361", "127.0.0.1:80", ""])
def test_foreign_host_is_refused(client, host):
    assert client.get("/", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("headers", [{}, {"origin": "http://evil.example"}, {"origin": "null"}])
def test_foreign_socket_is_refused(client, headers):
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/socket", headers={**HOST, **headers}):
        pass


def test_other_address_asks_for_the_token(folder):
    gate = Gate("192.0.2.1", 8361, "secret")
    with new_client(folder, gate) as client:
        own = {"host": "192.0.2.1:8361"}
        assert client.get("/", headers=own).status_code == 403
        assert client.get("/?token=wrong", headers=own).status_code == 403
        reply = client.get("/?token=secret", headers=own, follow_redirects=False)
        assert reply.status_code == 303
        assert "HttpOnly" in reply.headers["set-cookie"]
        assert client.get("/", headers={**own, "cookie": "tengen=secret"}).status_code == 200


@pytest.mark.parametrize("path", ["//evil.example/", "///evil.example", "/\\evil.example", "/app.js"])
def test_the_token_leads_to_the_page_and_nowhere_else(folder, path):
    with new_client(folder, Gate("192.0.2.1", 8361, "secret")) as client:
        address = f"http://192.0.2.1:8361{path}?token=secret"
        reply = client.get(address, headers={"host": "192.0.2.1:8361"}, follow_redirects=False)
        assert (reply.status_code, reply.headers["location"]) == (303, "/")


@pytest.mark.parametrize(
    "message",
    ["{", "[]", "1", '{"do": "delete", "game": "../x"}', '{"do": "open", "game": "none"}', "[" * 50_000],
)
def test_bad_message_is_answered_with_an_error(client, message):
    with opened(client) as socket:
        socket.send_text(message)
        assert "expected" in socket.receive_json()["error"]
        assert "games" in Page(socket).ask("hello")["ok"]


def test_game_is_played_by_steps_and_goes_on_after_a_restart(client, folder):
    with opened(client) as socket:
        page = Page(socket)
        name = page.begin("new", spec="dvonn")
        page.play("c3")
        page.play("d3")
        page.ask("undo")
        page.ask("close")
    client.__exit__()
    with new_client(folder) as again, opened(again) as socket:
        page = Page(socket)
        page.ask("open", game=name)
        assert page.position["last"]["turn"] == "c3"
        page.ask("redo")
        assert page.position["last"]["turn"] == "d3"


@pytest.fixture
def undone(page):
    """A page that shows a game whose only turn was taken back."""
    page.begin("new", spec="dvonn")
    page.play("c3")
    page.ask("undo")
    return page


def test_what_was_deleted_is_not_played_again(undone):
    undone.ask("go", by=1)
    undone.ask("prune")
    assert undone.ask("redo")["error"] == "there is no turn to play again"


def test_a_resigned_game_does_not_go_on_by_itself(undone):
    undone.ask("resign")
    assert undone.ask("redo")["error"] == "the game is over"


def test_a_resignation_is_taken_back_before_the_last_turn(page):
    page.begin("new", spec="dvonn")
    page.play("c3")
    page.ask("resign")
    page.ask("undo")
    assert not page.game["over"]
    assert page.position["last"]["turn"] == "c3"


ENGINE, PERSON = {"kind": "engine", "level": 1}, {"kind": "person"}


def test_the_engine_against_itself_can_be_watched(page):
    page.begin("new", spec="gobang,size=9", seats=[ENGINE, ENGINE])
    began = time.monotonic()
    for _ in range(2):
        before = page.game["current"]
        while page.game["current"] == before:
            pass
    assert time.monotonic() - began > PACE


def test_the_engine_lets_a_person_choose_in_swap2(page):
    """It puts three stones, and waits for the answer."""
    page.begin("new", spec="gomoku", swap2=True, seats=[ENGINE, PERSON])
    while not page.game["question"]:
        pass
    for _ in range(20):  # time enough for a turn at level 1
        time.sleep(0.02)
        assert page.game["question"] == ["black", "white", "more"]
    assert not page.game["thinking"]


def test_the_engine_chooses_in_swap2_and_a_person_goes_on(page):
    """It takes White, which is far better, and puts one stone; then it is the person's turn."""
    page.begin("new", spec="gomoku", swap2=True, seats=[PERSON, ENGINE])
    for place in ("a1", "h8", "o15"):
        page.play(place)
    while page.game["seat"] != 0 or page.game["question"]:
        pass
    for _ in range(20):
        time.sleep(0.02)
        assert page.game["seat"] == 0
    assert page.game["order"] == [0, 1]
    assert not page.game["thinking"]


def test_swap2_says_how_many_stones_to_put_and_when_sides_are_new(page):
    page.begin("new", spec="gomoku", swap2=True)
    said = []
    for place in ("h8", "i9", "j3", "", "a1", "b1"):
        said.append((page.game["toPut"], page.game["swapped"]))
        if place:
            page.play(place)
        else:
            page.ask("choose", choice="white")
    said.append((page.game["toPut"], page.game["swapped"]))
    assert said == [(3, False), (2, False), (1, False), (0, False), (0, True), (0, True), (0, False)]


@pytest.mark.parametrize("spec", ["zertz", "dvonn", "gipf", "go,size=5", "gomoku:renju"])
def test_the_board_of_the_page_leaves_what_to_do_to_the_page(page, spec):
    """The drawing says neither who is to move nor who has won: that stands beside it, once."""
    page.begin("new", spec=spec)
    assert " to move" in Position(spec).svg() or " to place" in Position(spec).svg()
    page.ask("resign")
    svg = page.position["svg"].partition("</title>")[2]
    assert " to move" not in svg
    assert " to place" not in svg


def test_an_announced_turn_has_not_happened(page):
    spec = "gipf:basic,zertz=3,challenges=2,challenge-game=gomoku"
    start = "b..w/.w+b../....../w.....b/....../...../b..w 10 11 w zz 1 2 1 2"
    page.begin("load", text=start, spec=spec)
    page.play("c3", "c5")
    assert page.position["last"]["announced"]
    page.ask("step", node=page.position["node"], actions=[0])
    assert not page.position["last"]["announced"]


def test_a_game_lost_on_time_says_who_has_won_and_undo_gives_the_time_back(page):
    clock = {"main": 0.3, "increment": 0}
    page.begin("new", spec="dvonn", clock=clock)
    page.play("c3")
    while not page.game["over"]:
        pass
    assert page.game["ending"] == "White wins on time."
    page.ask("undo")
    assert page.game["clock"]["left"] == [0.3, 0.3]


@pytest.mark.parametrize(
    ("text", "words"),
    [("A1 A1", "turn 2: illegal turn 'A1'"), ("A1 Z9", "turn 2: "), ("nonsense", "position: ")],
)
def test_of_turns_that_are_opened_the_one_that_is_illegal_is_named(text, words):
    with pytest.raises(TengenError, match=f"^{words}"):
        record_of_text(text, "gomoku,size=9")


def test_a_turn_in_byoyomi_renews_its_period_and_the_last_one_is_lost():
    clock = GameClock.parse({"main": 10, "byoyomi": 30, "periods": 3})
    assert clock.left == [100, 100]
    for spent, left in ((4, 96), (9, 90), (20, 90), (35, 60), (59, 30), (29.5, 30)):
        clock.left[0] -= spent
        clock.end_turn(0)
        assert clock.left[0] == left
    assert clock.left[1] == 100


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (95, Clock(5, byoyomi=30.0)),
        (90, Clock(30, moves_to_go=1, expires=True)),
        (31, Clock(1, 0, 1, expires=True)),
    ],
)
def test_the_engine_plans_for_one_period_of_byoyomi(left, expected):
    clock = GameClock.parse({"main": 10, "byoyomi": 30, "periods": 3, "left": [left, 100]})
    assert clock.for_search(0) == expected


@pytest.mark.parametrize(
    "odd",
    [
        {"main": 0},
        {"main": 1, "periods": 1.5},
        {"main": 1, "periods": 100},
        {"main": 0, "periods": 3},
        {"byoyomi": -1},
    ],
)
def test_a_clock_that_makes_no_sense_is_refused(odd):
    with pytest.raises(TengenError, match="clock: expected seconds"):
        GameClock.parse(odd)


def test_byoyomi_is_kept_with_the_game(page, folder):
    name = page.begin("new", spec="gomoku", clock={"main": 60, "byoyomi": 30, "periods": 3})
    page.play("h8")
    page.ask("close")
    kept = json.loads(sgf.read_file(folder / f"{name}.sgf").properties[SETTINGS][0])["clock"]
    assert {name: kept[name] for name in ("main", "byoyomi", "periods")} == {
        "main": 60,
        "byoyomi": 30,
        "periods": 3,
    }
    assert max(kept["left"]) == 150


def test_what_is_played_for_a_challenge_is_named_in_words(page):
    (gipf,) = (game for game in page.ask("hello")["ok"]["games"] if game["name"] == "gipf")
    options = {option["name"]: option for option in gipf["options"]}
    assert ["zertz", "ZÈRTZ"] in options["challenge-game"]["choices"]
    assert ["punct", "PÜNCT potentials"] in options["challenge-of"]["choices"]
    assert [
        name for name, option in options.items() if option["kind"] == "text" and not option["choices"]
    ] == []


def test_a_review_is_told_of_as_soon_as_it_has_begun(page):
    page.begin("load", text="C3 D4", spec="gomoku,size=5")
    page.ask("review", nodes=100)
    assert page.review["running"]
    assert (page.review["positions"], page.review["rates"]) == (3, [])
    page.ask("review", stop=True)


def test_a_review_that_is_resumed_finds_the_same(page, folder):
    name = page.ask("load", text="(;GM[1]SZ[5];B[cc];W[bc];B[bb];W[cb])")["ok"]["game"]
    journal = folder / f"{name}.review.jsonl"

    def reviewed(command: str, **fields) -> bytes:
        page.ask(command, **fields)
        while page.review is None or page.review["running"]:
            page.ask("go", by=0)
        page.review = None
        return journal.read_bytes()

    page.ask("open", game=name)
    whole = reviewed("review", nodes=100)
    page.ask("close")
    for lines in (2, 4):
        journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:lines]))
        assert reviewed("open", game=name) == whole
        page.ask("close")


def test_an_answer_to_a_mistake_is_judged_as_the_quiz_does(page, folder):
    name = page.begin("load", text="D4 A1 E4 A7 C4 G1 B4", spec="gomoku,size=7")
    page.ask("review", nodes=500)
    while page.review is None or page.review["running"]:
        page.ask("go", by=0)
    asked = list(of_files([folder / f"{name}.sgf"], (None, None), Limit(nodes=500)))
    assert asked
    for mistake in asked:
        number, (best,) = mistake.move.before.number, mistake.line
        for turn in (best, mistake.move.before.played, "G7", "F4"):
            found = page.ask("solve", number=number, turn=turn)["ok"]
            right, said = mistake.judge(mistake.position(), turn, best)
            assert (found["verdict"] != "mistake") == right
            assert right or said.endswith(f"loses {100 * found['loss']:.0f}%.")
    assert "expected a number of a reviewed mistake" in page.ask("solve", number=0, turn="G7")["error"]


def test_an_answer_that_waits_for_another_quiz_holds_up_no_other_page(client, page, data, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 60)
    page.ask("puzzle", kind="gomoku", number=1)
    path = progress.Progress().path
    path.parent.mkdir(parents=True, exist_ok=True)
    with opened(client) as other:
        with exclusive_lock(path):
            page.socket.send_json({"id": 2, "do": "guess", "turn": ""})
            assert "ok" in Page(other).ask("games")
            assert not path.exists()
        while "id" not in (reply := page.socket.receive_json()):
            pass
        assert reply["ok"]["solution"]
        assert path.exists()


def test_variations_are_kept_apart_from_the_turns_played(page):
    page.begin("load", text="(;GM[4]SZ[9];B[ee](;W[dd])(;W[ff];B[gg]))")
    page.ask("walk", turns=["A1"])
    assert "(;W[ff];B[gg])" in page.ask("export")["ok"]["sgf"]


def test_dead_stones_are_agreed_upon(page):
    start = "..../.X../XX../..O. w - 0 0 0"
    page.begin("load", text=start, spec="go,size=4")
    for _ in range(2):
        (action,) = [c["action"] for c in page.position["choices"] if c["label"] == "pass"]
        page.ask("step", node=page.position["node"], actions=[action])
    assert page.game["agreeing"]
    before = page.game["count"]
    page.ask("dead", vertex="C1")
    assert page.game["count"] != before
    page.ask("accept")
    assert page.game["over"]
    assert page.game["ending"] == (
        "A draw: points of territory and prisoners: Black 0 and 0, White 0 and 0; komi 0 [O-5]."
    )


@pytest.mark.parametrize(("seat", "offered"), [(0, 6), (1, 8)])
def test_the_next_level_is_offered_after_a_game_with_the_engine(page, seat, offered):
    """The engine, at level 7, sits at `seat`; the record says that the first side has won."""
    page.begin("load", text="(;GM[4]SZ[9]RE[B+R];B[ee])")
    assert page.game["offeredLevel"] is None
    page.ask("seat", seat=seat, player={"kind": "engine", "level": 7})
    assert page.game["offeredLevel"] == offered


def test_a_rematch_begins_where_the_game_began(page):
    start = "........./" * 8 + "XXXX..... b"
    page.begin("new", spec="gomoku,size=9", position=start)
    page.play("e1")
    game = page.game
    assert (game["ending"], game["won"]) == (
        "Black wins: 5 in a row, from a1 to e1 [M-2].",
        ["a1", "b1", "c1", "d1", "e1"],
    )
    page.begin("new", spec=game["spec"], position=game["start"], seats=game["seats"])
    assert len(page.position["contents"]) == 4
    assert page.game["ending"] == ""
    page.ask("resign")
    assert page.game["ending"] == "White wins by resignation."


@pytest.mark.parametrize(
    ("name", "result", "words"),
    [
        ("zertz", "B+", "Player 2 wins"),
        ("zertz", "W+R", "Player 1 wins by resignation"),
        ("go", "W+12.5", "White wins by 12.5"),
        ("go", "0", "A draw"),
        ("dvonn", "B+T", "Black wins on time"),
        ("gomoku", "", ""),
        ("gomoku", "?", "?"),
    ],
)
def test_results_are_put_in_words(name, result, words):
    assert verdict(find(name), result) == words


def test_variants_are_listed_once_and_by_name(page):
    games = {game["name"]: game for game in page.ask("hello")["ok"]["games"]}
    assert {name: game["variants"] for name, game in games.items() if game["variants"]} == {
        "gipf": [["basic", "basic"], ["", "standard"], ["tournament", "tournament"]],
        "gomoku": [["", "freestyle"], ["exactly-five", "exactly five (Gomocup)"], ["renju", "Renju"]],
        "zertz": [["", "basic"], ["tournament", "tournament"]],
    }
    assert [option["name"] for option in games["gomoku"]["options"]] == ["size", "opening"]
    titles = [option["title"] for option in games["gipf"]["options"]]
    assert titles[:3] == ["pieces of White", "pieces of Black", "ZÈRTZ potentials"]


@pytest.mark.parametrize(
    ("spec", "shown", "words"),
    [
        ("gomoku,renju=1,size=9", "gomoku:renju,size=9", "Renju, size 9"),
        ("gipf:standard,zertz=2", "gipf,zertz=2", "ZÈRTZ potentials 2"),
        ("zertz:basic", "zertz", ""),
    ],
)
def test_a_game_is_listed_by_words_and_shown_as_a_variant(page, spec, shown, words):
    page.begin("new", spec=spec)
    assert page.game["spec"] == shown
    assert [game["details"] for game in page.ask("games")["ok"]["games"]] == [words]


def test_the_end_by_a_record_is_as_it_says(page):
    page.begin("load", text="(;GM[1]SZ[9]RE[B+3.5];B[ee])")
    assert page.game["ending"] == "Black wins by 3.5: as the record says."


def test_rules_are_shown_with_their_tags_and_boards(page):
    rules = page.ask("rules", kind="dvonn")["ok"]
    blocks = [block for section in rules["sections"] for block in section["blocks"]]
    assert [block["tag"] for block in blocks if "tag" in block] == rulebook(find("dvonn")).tags
    assert all(block["svg"].startswith("<svg") for block in blocks if block["kind"] == "board")
    turns = [turn for block in blocks for turn in block.get("turns", [])]
    assert {turn["verdict"] for turn in turns} >= {"legal", "refused"}
    assert all(turn["rule"] in rulebook(find("dvonn")).tags for turn in turns if turn["rule"])


def test_what_a_text_leads_to_is_shown_before_it_is_opened(page):
    for text in (
        "C3 D4",
        "(;GM[4]SZ[9];B[cg];W[df])",
        "........./" * 4 + "...O...../........./..X....../........./......... b",
    ):
        shown = page.ask("preview", text=text, spec="gomoku,size=9")["ok"]
        assert len(shown["contents"]) == 2, text
    assert "expected" in page.ask("preview", text="Z1", spec="gomoku,size=9")["error"]


def test_the_games_of_a_record_are_listed_and_opened_by_number(page):
    text = "(;GM[4]SZ[9]RU[Freestyle]PB[Ann];B[ee])(;GM[4]SZ[9];B[aa];W[aa];B[bb])"
    shown = page.ask("preview", text=text)["ok"]
    assert [(each["number"], each["turns"]) for each in shown["games"]] == [(1, 1), (2, 3)]
    assert shown["notes"] == []
    notes = page.ask("preview", text=text, number=2)["ok"]["notes"]
    assert notes[0] == "the record does not say RU: read as gomoku,size=9"
    assert notes[1].startswith("turn 2: illegal turn 'a9'")
    assert "game" in page.ask("load", text=text, number=2)["ok"]
    assert "from 1 to 2, got 3" in page.ask("load", text=text, number=3)["error"]


@pytest.mark.parametrize("places", [[], ["Z9"], [1], "A1", ["A1"] * 101])
def test_only_places_of_the_board_are_explained(page, places):
    page.begin("new", spec="gomoku,size=5")
    assert "expected" in page.ask("why", node="start", actions=[], places=places)["error"]
    page.play("a1")
    node = page.position["node"]
    found = page.ask("why", node=node, actions=[], places=["a1"])["ok"]
    assert found == {"reason": "a1 is occupied [M-1]"}


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "cp932"])
def test_files_are_read_in_any_format_and_encoding(page, encoding):
    named = "(;GM[1]SZ[9]PB[九段 本因坊 名人];B[ee])"
    data = base64.b64encode(named.encode(encoding)).decode()
    assert page.ask("file", name="game.sgf", data=data)["ok"]["text"] == named
    lines = b"Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n"
    data = base64.b64encode(lines).decode()
    assert ";B[hh]" in page.ask("file", name="game.psq", data=data)["ok"]["text"]
    assert "expected base64" in page.ask("file", name="game.psq", data="?")["error"]


@pytest.mark.parametrize(
    ("text", "second", "how"),
    [
        ("h8 i9", "i9", "with the letter I, as in Renju: I"),
        ("H8 I9", "i9", "with the letter I, as in Renju: I"),
        ("h8i9", "i9", "with the letter I, as in Renju: I"),
        ("h8 j9", "j9", "with the letter I, as in Renju: I"),
        ("H8 J9", "i9", "without the letter I: J"),
    ],
)
def test_turns_of_five_in_a_row_are_read_as_players_or_as_protocols_write_them(page, text, second, how):
    found = page.ask("preview", text=text, spec="gomoku")["ok"]
    assert found["contents"] == {"h8": "black stone", second: "white stone"}
    assert found["notes"] == [f"columns are read {how} is the ninth"]


def test_a_page_has_one_notation_for_its_board_its_turns_and_what_it_says(page):
    page.begin("load", text="h8 i9", spec="gomoku")
    page.play("j10")
    page.ask("walk", turns=["K11"])  # a vertex of GTP
    assert [node[2] for node in page.tree["nodes"]] == ["", "h8", "i9", "j10", "j11"]
    assert page.position["last"]["placed"] == ["j11"]
    drawn = page.position["svg"]
    assert [letter for letter in "abcdefghijklmno" if f">{letter}</text>" in drawn] == [*"abcdefghijklmno"]
    assert 'data-place="o15"' in drawn
    assert not re.search(r"[\">][A-Z][0-9]*[\"<]", drawn)
    node = page.position["node"]
    assert page.ask("why", node=node, actions=[], places=["i9"])["ok"] == {"reason": "i9 is occupied [M-1]"}
    refused = page.ask("preview", text="a1 p1", spec="gomoku")["error"]
    assert refused == "turn 2: turn: expected a vertex from a1 to o15, got 'p1'"
    assert ";B[hh];W[ig];B[jf]" in page.ask("export")["ok"]["sgf"]


def test_a_stone_is_set_up_where_the_page_names_the_point(page):
    put = {"put": "j9", "piece": "X"}
    found = page.ask("setup", spec="gomoku,size=11", edit=put)["ok"]
    assert found["contents"] == {"j9": "black stone"}
    assert found["position"].split("/")[2] == ".........X."


@pytest.mark.parametrize(
    "edit",
    [1, {}, {"put": "C3"}, {"put": "C3", "piece": "{0}"}, {"move": ["C3"]}, {"set": "side", "value": 1}],
)
def test_an_edit_that_is_not_understood_is_refused(page, edit):
    assert "expected" in page.ask("setup", spec="go,size=5", edit=edit)["error"]


def test_a_game_of_the_terminal_goes_on_in_the_page_and_back(page, folder):
    folder.mkdir(exist_ok=True)
    path = folder / "2026-01-02-030405-dvonn.sgf"
    begun = KeptGame(KeptFile(path), Record(GameSpec.parse("dvonn")), 0, 7, [(0, "c3"), (1, "d3")])
    path.write_text(sgf.write(begun.record()))
    page.ask("open", game=path.stem)
    assert [(seat["kind"], seat["level"]) for seat in page.game["seats"]][1] == ("engine", 7)
    page.ask("undo")
    page.ask("games")  # waits until all is written
    again = KeptGame.read(path)
    assert (again.side, again.level) == (0, 7)


def test_long_games_that_no_page_shows_leave_the_memory(folder, monkeypatch):
    monkeypatch.setattr(hub, "MAX_NODES_IN_USE", 10)
    record = sgf.parse("(;GM[1]SZ[9]" + ";B[aa];W[bb];B[cc];W[dd]" + ")")

    async def taken() -> tuple[list[str], list[str]]:
        games = Hub(folder, SearchPool(1, 1))
        names = [(await games.take(record)).name for _ in range(3)]
        found = await games.find(names[0])
        assert len(found.tree.nodes) == 5, "it is read again"
        in_use = list(games.games)
        await games.close()
        return names, in_use

    with ThreadPoolExecutor(1) as another:  # this thread may have a browser, which runs in a loop of its own
        names, in_use = another.submit(asyncio.run, taken()).result()
    assert in_use == [names[2], names[0]]
