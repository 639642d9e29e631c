"""Books: what grows, what is kept, what is played by it, and what is refused."""

from __future__ import annotations

import json
import math
import re
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tengen.engine import book as books
from tengen.engine.book import ARRAYS, Book, BookError, canonical, load, successors
from tengen.engine.errors import OptionError
from tengen.engine.game import GameSpec, Outcome, names
from tengen.engine.play.position import Position
from tengen.engine.storage.files import exclusive_lock
from tengen.engine.storage.npz import pack
from tengen.protocol.cli.main import main
from tengen.search.timing.limits import Limits
from tengen.search.worker import Worker
from tengen.tuning.learn.book import ROUND, BookBuilder
from tengen.tuning.learn.selfplay import SelfplaySettings
from tengen.tuning.workers.pool import WorkerPool

GOMOKU = GameSpec.parse("gomoku,size=5")
SMALL = SelfplaySettings(GOMOKU, depth=1, nodes=None, openings=0, explore=0.2, shard=32)
LARGEST = 1 << 17  # bytes of a book that the game ships with


@pytest.fixture(scope="module")
def grown(tmp_path_factory) -> Path:
    """Return the file of a book of two rounds."""
    path = tmp_path_factory.mktemp("book") / "book.npz"
    growth = BookBuilder(SMALL, plies=2)
    growth.grow(2 * ROUND, WorkerPool(1), lambda games: growth.book().save(path))
    return path


def shipped() -> list[tuple[GameSpec, Path]]:
    """Return what games ship with."""
    found = []
    for name in names():
        for path in sorted((Path(books.__file__).parent / name).glob("book*.npz")):
            header = json.loads(str(np.load(path)["header"]))
            found.append((GameSpec.parse(header["game"]), path))
    return found


# ------------------------------------------------------------------------------------------------------ grown


def test_every_game_is_counted_once_along_its_line(grown):
    entries = load(grown, GOMOKU).entries
    rules, root = GOMOKU.game.rules, Position.start(GOMOKU).state
    assert entries[int(root.key)][0] == 2 * ROUND
    after = [entries[int(state.key)] for state in successors(rules, root) if int(state.key) in entries]
    games, points = (sum(numbers) for numbers in zip(*after, strict=True))
    assert len(after) == 6  # points of a board of 5 x 5 that no symmetry makes alike
    assert 0 <= 2 * ROUND - games <= ROUND  # those of the first round all began from the root
    assert 0 <= points <= 2 * games


def test_a_book_does_not_depend_on_workers_or_on_being_broken_off(grown):
    again = BookBuilder(SMALL, plies=2)
    again.grow(ROUND, WorkerPool(2))
    half = grown.with_name("half.npz")
    again.book().save(half)
    resumed = BookBuilder(SMALL, plies=2)
    resumed.resume(half)
    assert resumed.games == ROUND
    resumed.grow(2 * ROUND, WorkerPool(1))
    resumed.book().save(half)
    assert half.read_bytes() == grown.read_bytes()


def test_an_interrupt_leaves_whole_rounds():
    growth = BookBuilder(SMALL, plies=2)
    with pytest.raises(KeyboardInterrupt):
        growth.grow(3 * ROUND, WorkerPool(), lambda games: signal.raise_signal(signal.SIGINT))
    assert growth.games == ROUND
    assert growth.book().games.max() == ROUND


def test_only_what_grows_alike_goes_on(grown, tmp_path):
    with pytest.raises(BookError, match="plies is 2 there, 3 here"):
        BookBuilder(SMALL, plies=3).resume(grown)
    with pytest.raises(BookError, match="seed is 1 there, 2 here"):
        BookBuilder(replace(SMALL, seed=2), plies=2).resume(grown)
    growth = BookBuilder(SMALL, plies=2)
    growth.resume(grown)
    growth.book(least=50).save(tmp_path / "some.npz")
    assert len(load(tmp_path / "some.npz", GOMOKU).keys) < len(load(grown, GOMOKU).keys)
    with pytest.raises(BookError, match="least is 50 there, 1 here"):
        growth.resume(tmp_path / "some.npz")
    with pytest.raises(OptionError, match="openings: expected 0"):
        BookBuilder(replace(SMALL, openings=2), plies=2)


# ----------------------------------------------------------------------------------------------------- played


def known(position: Position, numbers: dict[str, tuple[int, int]]) -> Book:
    """Return a book of `position` and, by its turns, games after them and the first side's points there."""
    rules = position.spec.game.rules
    entries = {int(canonical(rules, position.state).key): (1000, 1000)}
    for turn, both in numbers.items():
        after = position.copy()
        after.play(turn)
        entries[int(canonical(rules, after.state).key)] = both
    rows = sorted((key, *both) for key, both in entries.items())
    columns = (column.astype(kind) for column, kind in zip(np.array(rows).T, ARRAYS.values(), strict=True))
    return Book(str(position.spec), *columns, {})


def test_the_turn_of_most_games_is_played_and_its_points_are_the_movers():
    position = Position.start(GOMOKU)
    position.play("C3")
    book = known(position, {"A1": (600, 300), "B2": (900, 450), "C2": (499, 998)})
    choice = book.choose(GOMOKU.game.rules, position.state)
    assert position.format(choice.actions) in ("B2", "B4", "D2", "D4")
    assert (choice.games, choice.share) == (900, 0.75)  # White's
    assert book.choose(GOMOKU.game.rules, position.state, min_games=901) is None
    position.play("A2")
    assert book.choose(GOMOKU.game.rules, position.state) is None


def test_the_engine_plays_by_the_book_where_one_turn_is_asked_for(monkeypatch):
    position = Position.start(GOMOKU)
    book = known(position, {"A1": (800, 1200)})
    monkeypatch.setattr("tengen.search.run.shipped", lambda spec: book)
    worker, infos = Worker(hash_mb=1, book=True), []
    result = worker.search(position, Limits(depth=1), infos.append)
    assert result.turn in ("A1", "A5", "E1", "E5")
    assert result.nodes == 0
    assert [(info.visits, info.rate, info.pv) for info in infos] == [(800, 0.75, (result.turn,))]
    assert infos[0].score.win_rate(position.scale) == pytest.approx(0.75, abs=0.01)
    assert worker.search(position, Limits(depth=1, multipv=2)).nodes
    worker.configure(book=False)
    assert worker.search(position, Limits(depth=1)).nodes
    assert Worker(hash_mb=1).search(position, Limits(depth=1)).nodes


def test_without_its_book_the_engine_searches(monkeypatch, caplog):
    def damaged(spec):
        raise BookError("book.npz: expected a book, got none")

    monkeypatch.setattr("tengen.search.run.shipped", damaged)
    assert Worker(hash_mb=1, book=True).search(Position.start(GOMOKU), Limits(depth=1)).nodes
    assert "searching without the book: book.npz: expected a book, got none" in caplog.text


@pytest.mark.parametrize(("spec", "path"), shipped(), ids=str)
def test_books_that_games_ship_with_are_small_and_know_the_beginning(spec, path):
    assert path == path.with_name(books.file_name(spec))
    assert path.stat().st_size <= LARGEST
    book = books.shipped(spec)
    position, turns = Position.start(spec), 0
    while choice := book.choose(spec.game.rules, position.state):
        assert 0.2 < choice.share < 0.8
        position.play(position.format(choice.actions))
        turns += 1
        assert position.outcome() == Outcome.ONGOING
    assert turns >= 1


def test_names_of_books_tell_variants_and_options():
    specs = ("dvonn", "gobang,capture-win=5", "gipf:tournament", "gomoku:renju,size=19")
    assert [books.file_name(GameSpec.parse(spec)) for spec in specs] == [
        "book.npz",
        "book-capture-win=5.npz",
        "book-tournament.npz",
        "book-renju-size=19.npz",
    ]


# ---------------------------------------------------------------------------------------------------- refused


def test_only_one_process_lets_a_book_grow(tmp_path, capsys):
    path = tmp_path / "book.npz"
    with exclusive_lock(path):
        assert (
            main(["book", "--game", "gomoku,size=5", "--depth", "1", "--games", "1", "--out", str(path)]) == 2
        )
    assert "is in use by another run" in capsys.readouterr().err
    assert not path.exists()


def arrays(**changes) -> dict[str, np.ndarray]:
    """Return the arrays of a small book, some of them changed; None leaves one out."""
    header = {"format": 1, "game": str(GOMOKU), "origin": {}}
    sound = {"keys": np.array([3, 8], np.uint64)} | dict.fromkeys(("games", "points"), np.array([5, 1], "i4"))
    header |= changes.pop("header", {})
    whole = {"header": np.array(json.dumps(header))} | sound | changes
    return {name: array for name, array in whole.items() if array is not None}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"header": {"game": "dvonn"}}, "expected a book of gomoku,size=5, got a book of dvonn"),
        ({"header": {"format": 2}}, "expected format 1, got format 2"),
        ({"header": {"origin": 3}}, "expected a book, got none"),
        ({"header": {"format": math.inf}}, "expected a book, got none (OverflowError"),
        ({"games": None}, "expected a book, got none"),
        ({"keys": np.array([8, 3], np.uint64)}, "expected keys in order"),
        ({"keys": np.array([3], np.uint64)}, "expected keys in order"),
        ({"points": np.array([11, 0], np.int32)}, "expected keys in order"),
        ({"points": np.array([1.0, 0.0])}, "points: expected int32, got float64"),
    ],
)
def test_files_that_are_no_book_are_refused(tmp_path, changes, complaint):
    path = tmp_path / "book.npz"
    path.write_bytes(pack(arrays()))
    assert load(path, GOMOKU).entries == {3: (5, 5), 8: (1, 1)}
    path.write_bytes(pack(arrays(**changes)))
    with pytest.raises(BookError, match=re.escape(complaint)):
        load(path, GOMOKU)
    path.write_bytes(pack(arrays())[:-9])
    with pytest.raises(BookError, match="expected an npz file, got one that is damaged"):
        load(path, GOMOKU)


# ------------------------------------------------------------------------------------------------ the command


def test_command_reports_what_the_book_says(tmp_path, capsys):
    out, small = tmp_path / "book.npz", tmp_path / "small.npz"
    words = f"book --game gomoku,size=5 --games 300 --depth 1 --explore 0.2 --plies 2 --out {out} --workers 1"
    assert main([*words.split(), "--ship", str(out)]) == 2
    assert "--ship: expected another file than --out, which grows" in capsys.readouterr().err
    assert main([*words.split(), "--ship", str(small), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["games"], report["played"]["games"]) == (2 * ROUND, 2 * ROUND)
    assert report["positions"] == len(load(out, GOMOKU).keys) > len(load(small, GOMOKU).keys)
    assert main(words.split()) == 0  # nothing more to be played
    text = capsys.readouterr().out
    assert f"games      {2 * ROUND}\n" in text
    assert main([*words.split(), "--ship", str(tmp_path / "nowhere" / "book.npz")]) == 2
    assert capsys.readouterr().err.startswith("tengen: error: --ship: expected a file in an existing folder")
    out.write_bytes(out.read_bytes()[:-9])
    assert main(words.split()) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"tengen: error: {out}: expected an npz file, got one that is damaged")
    assert error.count("\n") == 1
