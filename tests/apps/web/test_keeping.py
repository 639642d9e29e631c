"""Games of the server are kept, whoever else writes to their folder, and whatever is wrong with it."""

import json
import os

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from tengen.apps.play import kept
from tengen.apps.play.kept import KeptGame
from tengen.apps.web import hub
from tengen.apps.web.game.records import game_of_record, record_of_game
from tengen.apps.web.pool import SearchPool
from tengen.apps.web.view import view_of_game
from tengen.engine import sgf
from tengen.protocol.archive import KeptFile
from tests.apps.play.test_kept_games import spoil
from tests.apps.web.test_server import Page, new_client, opened
from tests.processes import eventually


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "games"


@pytest.fixture
def client(folder):
    with new_client(folder) as made:
        yield made


@pytest.fixture
def page(client):
    with opened(client) as socket:
        yield Page(socket)


def begin(page: Page, **fields) -> str:
    """Begin a game of DVONN and play a turn; return its name."""
    name = page.begin("new", spec="dvonn", **fields)
    page.play("c3")
    page.ask("games")  # waits until all is written
    return name


def turns(folder, name: str) -> list[str]:
    """Return the turns of a kept game."""
    return [turn for _, turn in sgf.read_file(folder / f"{name}.sgf").turns]


def go_on(folder, name: str, *played: str) -> None:
    """Go on with a game as ``tengen play --resume`` does."""
    game = KeptGame.read(folder / f"{name}.sgf")
    position = game.position()
    for turn in played:
        position.push(turn)
        game.write(position, "")


def state_after(page: Page, condition) -> dict:
    """Return what the page is told about the game, once it is so."""
    eventually(lambda: condition(page.game))
    return page.state["game"]


@pytest.mark.parametrize("clock", [None, {"main": 500, "increment": 0}])
def test_a_page_that_is_closed_takes_no_turns_from_somebody_else(page, folder, clock):
    name = begin(page, clock=clock)
    go_on(folder, name, "d3", "e3", "f3")
    page.ask("close")
    page.ask("games")
    assert turns(folder, name) == ["c3", "d3", "e3", "f3"]
    assert os.listdir(folder).count(f"{name}.sgf") == len(list(folder.glob("*.sgf"))) == 1


def test_a_page_that_is_late_goes_on_with_a_copy_and_says_so(page, folder):
    name = begin(page)
    go_on(folder, name, "d3", "e3")
    page.play("f3")
    told = state_after(page, lambda game: game["copiedFrom"])
    assert (told["copiedFrom"], told["name"]) == (name, f"{name}-2")
    page.ask("games")
    assert turns(folder, name) == ["c3", "d3", "e3"]
    assert turns(folder, f"{name}-2") == ["c3", "f3"]
    page.ask("open", game=name)
    assert page.position["last"]["turn"] == "e3"
    assert not page.game["copiedFrom"]


def test_two_servers_on_one_folder_lose_nothing(page, folder):
    name = begin(page)
    with new_client(folder) as other, opened(other) as socket:
        second = Page(socket)
        second.ask("open", game=name)
        second.play("d3")
        second.ask("games")
        page.play("e3")
        page.ask("games")
        second.play("f3")
        second.ask("games")
        page.play("g3")
        page.ask("games")
    assert turns(folder, name) == ["c3", "d3", "f3"]
    assert turns(folder, f"{name}-2") == ["c3", "e3", "g3"]


def test_a_game_that_somebody_has_removed_is_written_again(page, folder):
    name = begin(page)
    (folder / f"{name}.sgf").unlink()
    page.play("d3")
    page.ask("games")
    assert turns(folder, name) == ["c3", "d3"]


@pytest.mark.posix
@pytest.mark.parametrize("damage", ["edited", "folder", "link"])
def test_whatever_stands_in_place_of_a_game_is_left_alone(page, folder, damage):
    name = begin(page)
    path = folder / f"{name}.sgf"
    path.unlink()
    if damage == "edited":
        path.write_text("(;GM[1]C[mine])")
    elif damage == "folder":
        path.mkdir()
    else:
        path.symlink_to(path)
    page.play("d3")
    page.ask("games")
    assert turns(folder, f"{name}-2") == ["c3", "d3"]
    assert path.is_dir() if damage == "folder" else path.is_symlink() or path.read_text() == "(;GM[1]C[mine])"


@pytest.mark.parametrize("contents", [None, "nonsense", "(;TG[dvonn];W[c3];B[c3])"])
def test_a_game_in_memory_counts_where_its_file_is_no_game_any_more(page, folder, contents):
    name = begin(page)
    page.ask("close")
    path = folder / f"{name}.sgf"
    path.unlink()
    if contents:
        path.write_text(contents)
    assert page.ask("open", game=name)["ok"]
    page.play("d3")
    page.ask("games")
    assert turns(folder, f"{name}-2" if contents else name) == ["c3", "d3"]
    assert not contents or path.read_text() == contents


def test_a_full_disk_is_said_at_once_and_the_game_is_kept_when_there_is_room(page, folder, monkeypatch):
    def full(path, data):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(hub, "RETRY", 0.05)
    name = begin(page)
    replace = kept.archive.replace_file
    monkeypatch.setattr(kept.archive, "replace_file", full)
    page.play("d3")
    assert state_after(page, lambda game: game["unkept"])["unkept"] == "No space left on device"
    assert ";B[d3]" in page.ask("export")["ok"]["sgf"]
    assert turns(folder, name) == ["c3"]
    page.ask("close")
    monkeypatch.setattr(kept.archive, "replace_file", replace)
    eventually(lambda: turns(folder, name) == ["c3", "d3"])
    page.ask("open", game=name)
    assert not state_after(page, lambda game: not game["unkept"])["unkept"]


def test_a_game_that_is_not_on_disk_stays_in_memory(page, folder, monkeypatch):
    name = begin(page)
    monkeypatch.setattr(hub, "MAX_NODES_IN_USE", 1)
    folder.rename(folder.with_name("away"))
    folder.write_text("no folder")
    page.play("d3")
    state_after(page, lambda game: game["unkept"])
    page.ask("close")
    page.ask("new", spec="dvonn")
    assert "ok" in page.ask("open", game=name)
    assert page.position["last"]["turn"] == "d3"


def test_a_game_that_could_not_be_kept_is_kept_when_the_server_ends(folder, monkeypatch):
    with new_client(folder) as client, opened(client) as socket:
        page = Page(socket)
        name = begin(page)
        folder.rename(folder.with_name("away"))
        folder.write_text("no folder")
        page.play("d3")
        state_after(page, lambda game: game["unkept"])
        folder.unlink()
    assert turns(folder, name) == ["c3", "d3"]


@pytest.mark.parametrize(
    "message",
    [
        {
            "do": "new",
            "spec": "dvonn",
            "seats": [{"kind": "person", "name": "\ud800bad"}, {"kind": "person"}],
        },
        {"do": "load", "text": "(;GM[4]SZ[9]PB[\udfff];B[ee]C[bad])"},
        {"do": "load", "text": "(;GM[4]SZ[9];B[ee]C[bad\udc80])"},
        {"do": "\ud800"},
    ],
)
def test_text_that_no_file_can_hold_is_refused_where_it_enters(page, folder, message):
    page.socket.send_text(json.dumps({"id": 7, **message}))
    reply = page.socket.receive_json()
    assert reply["id"] == 7
    assert "expected characters, got a half of one" in reply["error"]
    assert not list(folder.iterdir())


def test_one_bad_file_never_hides_the_games_of_others(page, folder):
    spoil(folder)
    name = begin(page)
    assert [game["name"] for game in page.ask("games")["ok"]["games"]] == [name]
    for bad in ("circle", "dangling", "folder", "empty"):
        reply = page.ask("open", game=bad)
        assert "error" in reply
        assert "internal error" not in reply["error"]
    assert "Is a directory" in page.ask("delete", game="folder")["error"]
    assert page.ask("open", game=name)["ok"] == {"game": name}


GO = "(;TG[go,size=5];B[cc];W[];B[])"  # two passes: dead stones are agreed upon
GOMOKU = "(;TG[gomoku];B[hh];W[ii];B[gg];W[aa])"
DVONN = "(;TG[dvonn];W[c3];B[d3])"
ODD = [
    None,
    True,
    5,
    -1,
    1e308,
    "x",
    "",
    [],
    {},
    [{}],
    ["x", "y"],
    {"x": "y"},
    [[], []],
    {"result": 1, "reason": []},
]
SETTINGS = [
    {name: odd} for name in ("ended", "dead", "seats", "clock", "swap2", "current") for odd in ODD
] + [
    {"ended": {"result": "B+R"}},
    {"ended": {"result": "", "reason": "x"}},
    {"ended": {"result": "x" * 1000, "reason": "y" * 1000}},
    {"clock": {"main": float("nan"), "left": [1, 2]}},
    {"clock": {"main": 10, "left": [[], {}]}},
    {"clock": {"main": 10, "increment": None, "left": 5}},
    {"seats": [{"kind": "person", "level": 99}, {"kind": "engine"}]},
    {"seats": [{"kind": "person", "name": {"x": "\ud800"}}, {"kind": "person", "name": "\ud800"}]},
    {"dead": ["Z99", 5, [], "C3"]},
    *({"swap2": True, "choices": odd} for odd in ODD),
    {"swap2": True, "choices": ["more", "more", "black", "white", "black"]},
    {"swap2": True, "choices": ["black", "white", "more"]},
    {"swap2": "x", "choices": ["black"]},
]


UNREADABLE = ["", "{", "[]", "1", '"x"', "[" * 5000, '{"ended": {"a": ']


@pytest.mark.parametrize("text", [GO, GOMOKU, DVONN], ids=["go", "gomoku", "dvonn"])
@pytest.mark.parametrize("settings", [*map(json.dumps, SETTINGS), *UNREADABLE])
def test_a_game_with_odd_settings_can_be_shown_and_kept(tmp_path, text, settings):
    record = sgf.parse(text)
    record.properties["TW"] = [settings]
    for _ in range(2):
        game = game_of_record(KeptFile(tmp_path / "game.sgf"), record, SearchPool(1, 1), lambda game: None)
        told = view_of_game(game)
        assert {*told["order"]} == {0, 1}
        assert told["seat"] in (0, 1)
        if game.agreeing:
            assert told["count"]
            game.accept()
        record = sgf.parse(sgf.write(record_of_game(game)))


def test_after_a_game_with_odd_settings_others_open_in_the_same_page(page, folder):
    folder.mkdir(exist_ok=True)
    (folder / "odd.sgf").write_text(DVONN.replace("(;", '(;TW[{"ended":{"x":"y"}}]'))
    (folder / "sound.sgf").write_text(DVONN)
    for name in ("odd", "sound", "odd"):
        assert page.ask("open", game=name) == {"id": 1, "ok": {"game": name}}
    page.play("e3")
    page.ask("games")
    assert turns(folder, "odd") == ["c3", "d3", "e3"]
