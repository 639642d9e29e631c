"""Reviews of many records at once."""

import json

import pytest

from tengen.apps.review.assessment import ReviewSummary
from tengen.apps.review.batch import players, record_files
from tengen.apps.review.pages.summary import ReviewedSide
from tengen.tuning.workers import pool
from tests.apps.review.records import FINISHED, annotated_of


def test_many_records_are_summed_up(tmp_path, tengen):
    """One of them cannot be read: the others are reviewed all the same, and results are no records."""
    games = tmp_path / "games"
    games.mkdir()
    short = FINISHED.replace(";B[dc]", "").replace(";W[ga];B[db]", "")
    (games / "one.sgf").write_text(short)
    (games / "two.sgf").write_text("(;GM[4]SZ[7]RU[Freestyle]PB[A\\]];B[dd];W[aa])")
    (games / "bad.sgf").write_text("(;GM[4]SZ[8:9];B[dd];W[dd])")
    page = tmp_path / "all.html"
    code, shown, err = tengen("analyze", str(games), "--depth", "1", "--html", str(page))
    assert code == 2
    assert err.count("\n") == 1
    assert "expected SZ of a square board" in err
    assert annotated_of(games / "one.sgf").exists()
    assert 'href="games/one.analyzed.html"' in page.read_text()
    assert (games / "one.analyzed.html").exists()
    rows = [line.split() for line in shown.splitlines()]
    assert rows[0][:3] == ["file", "side", "player"]
    assert [row[:2] for row in rows[1:5]] == [
        [str(games / name), side] for name in ("one.sgf", "two.sgf") for side in ("black", "white")
    ]
    assert rows[5][:4] == ["2", "games", "A]", "4"]


@pytest.mark.parametrize("extra", [["--out", "x.sgf"], ["--plot", "x.png"], ["--turn", "1"]])
def test_what_needs_a_single_record_is_refused(tmp_path, printed, extra):
    assert "requires a single record" in printed("analyze", str(tmp_path), "a.sgf", *extra, code=2)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("a.sgf", "b.sgf", "--parallel", "2"), "--parallel and --dask exclude each other"),
        (("a.sgf",), "--dask requires several records"),
        ((), "--dask requires FILE.sgf without --turn"),
        (("a.sgf", "b.sgf"), "expected a scheduler at 'tcp://127.0.0.1:9'"),
    ],
)
def test_a_cluster_that_cannot_be_used_is_refused(tmp_path, printed, monkeypatch, words, complaint):
    monkeypatch.setattr(pool, "CONNECT_TIMEOUT", 0.3)
    (tmp_path / "a.sgf").write_text("(;GM[4]SZ[7];B[dd])")
    files = [str(tmp_path / word) if word.endswith("sgf") else word for word in words]
    assert complaint in printed("analyze", *files, "--dask", "tcp://127.0.0.1:9", code=2)


def test_a_folder_without_records_is_refused(tmp_path, printed):
    assert "there are no records in the folder" in printed("analyze", str(tmp_path), code=2)


def test_a_record_named_twice_counts_once(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[4])")
    assert record_files([tmp_path, file]) == [file]


def test_records_of_all_formats_are_reviewed_and_resumed(tmp_path, tengen):
    """Each has results of its own, and texts that are no records are left out of folders."""
    (tmp_path / "game.sgf").write_text("(;GM[4]SZ[15]PB[Ann];B[hh];W[hg])")
    (tmp_path / "game.psq").write_text("Piskvorky 15x15, 0:0, 0\n8,8,10\n9,7,20\nAnn\nBob\n-1\n")
    (tmp_path / "game.txt").write_text("h8 i9\n")
    (tmp_path / "notes.txt").write_text("h8 is the middle\n")
    (tmp_path / "empty.txt").write_text("")
    names = ["game.psq", "game.sgf", "game.txt"]
    assert record_files([tmp_path]) == [tmp_path / name for name in names]
    arguments = ["analyze", str(tmp_path), "--depth", "1"]
    code, out, err = tengen(*arguments)
    assert (code, err.count("read as gomoku")) == (0, 3)
    rows = [line.split()[:2] for line in out.splitlines()[1:]]
    assert rows[::2][:3] == [[str(tmp_path / name), "black"] for name in names]
    assert rows[-1] == ["2", "games"]
    journals = {path.name: path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    assert set(journals) == {f"game{own}.analyzed.jsonl" for own in ("", ".psq", ".txt")}
    assert tengen(*arguments, "--game", "gomoku")[::2] == (0, "")
    assert journals == {path.name: path.read_bytes() for path in tmp_path.glob("*.jsonl")}


def test_all_games_of_a_file_are_reviewed_and_an_illegal_turn_ends_one(tmp_path, tengen, printed):
    path = tmp_path / "games.sgf"
    illegal = "(;GM[4]SZ[7]RU[Renju]PW[A\\]];B[dd];W[cc];B[cc];W[ee])"
    middle = "(;GM[4]SZ[7]RU[Renju];B[dd];W[cc];AE[cc]AW[ee];B[gg];W[aa])"
    path.write_text(illegal + middle)
    code, out, err = tengen("analyze", str(path), "--depth", "1", "--json")
    assert code == 0
    lines = {line["file"]: line["summary"]["white"] for line in map(json.loads, out.splitlines())}
    turns = {file: (white["player"], white["turns"]) for file, white in lines.items()}
    assert turns == {f"{path}#1": ("A]", 1), f"{path}#2": ("", 2)}
    assert f"{path}#1: turn 3: illegal turn 'c5': c5 is occupied [M-1]; left out from there: 2 turns" in err
    annotated = tmp_path / "games#2.analyzed.sgf"
    assert ";AE[cc]AW[ee];B[gg]" in annotated.read_text()
    assert " 2      " in printed("analyze", f"{path}#2", "--depth", "1")


def test_what_somebody_writes_into_a_complete_review_stays(tmp_path, printed):
    record, review = tmp_path / "g.sgf", tmp_path / "g.analyzed.sgf"
    record.write_text("(;GM[4]SZ[7];B[dd];W[cc])")
    printed("analyze", str(record), "--nodes", "50")
    review.write_text(review.read_text().replace(";W[cc]", ";W[cc]N[mine]"))
    assert "written" in printed("analyze", str(record), "--nodes", "50")
    assert "N[mine]" in review.read_text()
    printed("analyze", str(record), "--nodes", "60")
    assert "N[mine]" not in review.read_text()


def test_reviews_that_would_take_the_place_of_another_are_refused(tmp_path, tengen):
    for name, turns in (("g.sgf", ";B[dd];W[cc]"), ("g.SGF", ";B[aa];W[dd]")):
        (tmp_path / name).write_text(f"(;GM[4]SZ[7]PB[{name}]{turns})")
    code, out, err = tengen("analyze", str(tmp_path), "--nodes", "50")
    assert code == 2
    assert "g.sgf: expected a name whose review does not take the place of that of" in err
    assert out.count("g.SGF") > 0
    assert "PB[g.SGF]" in (tmp_path / "g.analyzed.sgf").read_text()


def test_the_loss_of_a_player_is_the_mean_over_turns():
    def row(file: str, judged: int, loss: float) -> ReviewedSide:
        found = ReviewSummary(judged, 1, judged, loss, {"?!": 1, "?": 0, "??": 2})
        return ReviewedSide(file, "black", "Ann", found)

    (total,) = players([row("a", 10, 0.1), row("b", 30, 0.2)])
    assert total.summary.loss == pytest.approx(0.175)
    assert (total.summary.turns, total.summary.mistakes["??"]) == (40, 4)
    assert not list(players([row("a", 10, 0.1)]))
