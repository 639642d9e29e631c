"""Theory: a tree of the best turns, grown by searches, which people may ask and go on with."""

import json
import re
from dataclasses import astuple
from itertools import combinations

import pytest

from tengen.apps.cli import main as cli
from tengen.engine.errors import FileError, OptionError
from tengen.engine.game import Outcome
from tengen.engine.games import known
from tengen.engine.play.position import Position
from tengen.tuning import theory
from tengen.tuning.openings import image_keys
from tengen.tuning.theory import Row, Theory
from tengen.tuning.workers.pool import WorkerPool

SMALL = "gobang,size=5,capture-win=2"
MAX_SHIPPED = 300_000  # bytes
ROWS = [[-1, "", 0, 0.6, "C3"], [0, "B2", 1, 0.7, "A1"]]


def grown(spec: str, positions: int, effort: int = 500, workers: int = 1) -> Theory:
    tree = Theory(spec, effort)
    with WorkerPool(workers) as pool:
        list(tree.explore(positions, pool))
    return tree


@pytest.fixture(scope="module")
def small() -> Theory:
    return grown(SMALL, 60)


def test_every_position_is_in_the_tree_once_however_it_is_reached(small):
    assert small.positions == 60
    places = [index for index, row in enumerate(small.rows) if row.same is None]
    images = {index: image_keys(small.position(index)) for index in places}
    assert all(images[one].isdisjoint(images[other]) for one, other in combinations(places, 2))
    links = [index for index, row in enumerate(small.rows) if row.same is not None]
    assert links, "some positions are reached twice"
    for index in links:
        assert int(small.position(index).state.key) in images[small._end(index)]


def test_values_are_backed_up_from_the_ends(small):
    depths = [len(small.position(index).turns_played) for index in range(len(small.rows))]

    def value(index: int) -> float:
        row, rates = small.rows[index], []
        if row.rate is not None:
            rates.append(row.rate)
        for child, each in enumerate(small.rows):
            if each.parent == index and depths[small._end(child)] > depths[index]:
                rates.append(value(small._end(child)))
        return (min if row.side else max)(rates, default=0.5)

    values = small._measures().values
    assert all(values[index] == value(index) for index, row in enumerate(small.rows) if row.same is None)


def test_the_turn_out_of_the_tree_is_none_of_those_in_it(small):
    for index, row in enumerate(small.rows):
        if row.same is None and row.best is not None:
            position = small.position(index)
            position.push(row.best)
            inside = [child for child, each in enumerate(small.rows) if each.parent == index]
            assert image_keys(position).isdisjoint(int(small.position(each).state.key) for each in inside)


def test_the_tree_does_not_depend_on_the_workers(small):
    assert grown(SMALL, 60, workers=2).rows == small.rows


def test_lines_are_longer_where_less_is_a_loss(small):
    longer = Theory(SMALL, 500)
    with WorkerPool(1) as pool:
        list(longer.explore(60, pool, loss=0.0005))
    depths = [
        max(len(tree.position(index).turns_played) for index in range(len(tree.rows)))
        for tree in (small, longer)
    ]
    assert depths[0] < depths[1]


def test_a_mirrored_position_has_the_mirrored_turns(small):
    start = Position(SMALL)
    row = small.rows[small.rows[1].parent + 1]
    same = set()
    for turn in start.turns():
        position = start.copy()
        position.push(turn)
        if not (found := small._find(position)):
            continue
        asked = small.turns(position)
        for each in asked:
            after = position.copy()
            for played in (each.turn, *each.line):
                after.push(played)  # which it must be legal to do
        if found[0] == 1:
            same.add(tuple((each.rate, each.positions) for each in asked))
    assert row.parent == 0
    assert len(same) == 1


def test_the_best_turn_comes_first_for_either_side(small):
    position = Position(SMALL)
    for _ in range(3):
        turns = small.turns(position)
        assert turns == sorted(turns, key=lambda each: -each.rate)
        value = small._measures().values[small._find(position)[0]]
        assert turns[0].rate == pytest.approx(1 - value if position.side_to_move else value, abs=1e-4)
        position.push(turns[0].turn)
    assert small.turns(Position(SMALL, position.text())) == [], "a game that began elsewhere"


def test_it_ends_when_nothing_can_change_any_more(monkeypatch):
    searched = theory.search

    def search(job: theory.Job) -> tuple[float | None, str | None]:
        rate, best = searched(job)
        return (0.0, best) if job.turns else (rate, best)  # all replies are proven

    monkeypatch.setattr(theory, "search", search)
    tree = grown("gomoku,size=5", 1000, effort=50)
    assert tree.positions == 1 + 6, "a square of 25 points has six that are not alike"
    assert tree.rows[0].best is None
    assert tree._measures().values[0] == 0


def test_the_end_of_a_game_is_its_result():
    position = Position("gomoku,size=5")
    for turn in ("A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1"):
        position.push(turn)
    assert position.outcome() == Outcome.FIRST_WINS
    assert theory.search(theory.Job(0, position.spec, position.turns_played, 100)) == (1.0, None)


def test_when_all_turns_are_in_the_tree_none_leads_out_of_it():
    position, keys = Position("gomoku,size=5"), frozenset[int]()
    for turn in position.turns():
        position.push(turn)
        keys |= image_keys(position)
        position.pop()
    job = theory.Job(0, position.spec, (), 100, keys)
    assert theory.search(job) == (None, None)


def test_what_is_written_is_read_back(small, tmp_path):
    small.write(tmp_path / "small.json")
    again = Theory.read(tmp_path / "small.json")
    assert (again.spec, again.effort, again.engine) == (small.spec, small.effort, small.engine)
    assert again.rows == small.rows


def test_a_search_that_is_cut_off_goes_on_to_the_same_tree(small):
    tree = Theory(SMALL, 500)
    with WorkerPool(1) as pool:
        for positions in tree.explore(60, pool):
            if positions >= 20:
                break
        assert all(row.best or row.rate is not None for row in tree.rows if row.same is None)
        list(tree.explore(60, pool))
    assert tree.rows == small.rows


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"game": "chess"},
        {"nodes": 0},
        {"nodes": "many"},
        {"rows": 5},
        {"rows": [[0, "", 0, 0.5, None]]},
        {"rows": [[-1, "", 2, 0.5, None]]},
        {"rows": [[-1, "", 0, 1.5, None]]},
        {"rows": [[-1, "", 0, "0.5", None]]},
        {"rows": [[-1, "", 0, 0.5, 7]]},
        {"rows": [*ROWS, [2, "C3", 1, 0.5, None]]},
        {"rows": [*ROWS, [0, 3, 1, 0.5, None]]},
        {"rows": [*ROWS, [0, "C3", 2]]},
        {"rows": [*ROWS, [0, "C3", 1], [2, "C4", 1, 0.5, None]]},
        {"rows": [*ROWS, [0, "C3"]]},
    ],
    ids=str,
)
def test_a_file_of_another_kind_is_refused(change, tmp_path):
    sound = {"format": 1, "game": SMALL, "nodes": 500, "engine": "tengen", "rows": ROWS}
    path = tmp_path / "theory.json"
    path.write_text(json.dumps(sound))
    assert [astuple(row) for row in Theory.read(path).rows] == [astuple(Row(*row)) for row in ROWS]
    path.write_text(json.dumps({**sound, **change}))
    with pytest.raises(FileError, match="expected a theory"):
        Theory.read(path)


def test_games_with_challenges_have_no_theory():
    with pytest.raises(OptionError, match="without challenges"):
        Theory("gipf,zertz=3,challenges=2")


def test_command_searches_and_shows(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    grow = ["theory", SMALL, "--file", "t.json", "--nodes", "200", "--workers", "1", "--positions"]
    assert cli.main([*grow, "10"]) == 0
    first = capsys.readouterr().out
    assert re.match(
        rf"{SMALL}: 10 positions, each by a search of 200 positions\nturn +black +positions", first
    )
    assert cli.main([*grow, "10"]) == 0
    assert capsys.readouterr().out == first, "nothing is left to do"
    assert cli.main(["theory", SMALL, "--file", "t.json", "--moves", "C3", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["moves"], report["side"], report["positions"]) == (["C3"], "white", 10)
    assert all(0 <= each["rate"] <= 1 for each in report["turns"])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((SMALL,), "no theory of .* ships with tengen"),
        ((SMALL, "--positions", "9"), "--positions requires --file"),
        ((SMALL, "--file", "missing.json"), "missing.json: .*No such file"),
        ((SMALL, "--file", "t.json", "--nodes", "9"), "expected searches of 500, got 9"),
        (("gomoku", "--file", "t.json"), "expected a theory of gomoku, got one of gobang"),
        ((SMALL, "--workers", "2", "--dask", "tcp://x:1"), "exclude each other"),
    ],
)
def test_command_refuses_in_one_line(arguments, error, small, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    small.write(tmp_path / "t.json")
    assert cli.main(["theory", *arguments]) == 2
    said = capsys.readouterr().err
    assert re.search(error, said)
    assert said.count("\n") == 1


SHIPPED = [path for game in known() for path in sorted((game.folder / theory.FOLDER).glob("*.json"))]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_what_ships_is_legal_and_small(path):
    assert path.stat().st_size <= MAX_SHIPPED
    tree = Theory.read(path)
    assert Theory.shipped(tree.spec).rows == tree.rows
    for index in range(0, len(tree.rows), 7):
        position = tree.position(index)
        assert position.side_to_move == tree.rows[index].side
        if tree.rows[index].best:
            position.push(tree.rows[index].best)
    assert tree.turns(Position(tree.spec))


def test_a_game_is_the_same_by_another_name():
    assert Theory.shipped("gipf:standard").turns(Position("gipf:standard"))
