"""Games of the server are kept, whoever else writes to their folder, and whatever is wrong with it."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from tengen.engine import sgf
from tengen.protocol.play import kept
from tengen.protocol.play.kept import KeptGame
from tengen.protocol.web import hub
from tests.processes import eventually
from tests.protocol.web.test_server import Page, new_client, opened


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
    name = page.ask("new", spec="dvonn", **fields)["ok"]["game"]
    page.ask("open", game=name)
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
        position.play(turn)
        game.write(position, "")


def state_after(page: Page, condition) -> dict:
    """Return what the page is told about the game, once it is so."""
    page.ask("go", by=0)
    eventually(lambda: page.ask("go", by=0) and condition(page.state["game"]))
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
    page.ask("go", by=0)
    assert page.state["position"]["last"]["turn"] == "e3"
    assert not page.state["game"]["copiedFrom"]


def test_two_servers_on_one_folder_lose_nothing(page, folder):
    name = begin(page)
    with new_client(folder) as other, opened(other) as socket:
        second = Page(socket)
        second.ask("open", game=name)
        second.ask("go", by=0)
        second.play("d3")
        second.ask("games")
        page.play("e3")
        page.ask("games")
        second.play("f3")
        second.ask("games")
        page.ask("go", by=0)
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
    page.ask("go", by=0)
    assert page.state["position"]["last"]["turn"] == "d3"


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
