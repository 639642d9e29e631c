"""`tengen quiz`: one's own mistakes as puzzles, asked again at growing intervals."""

import json
from datetime import date, timedelta

import pytest

from tengen.apps.cli import main as cli
from tengen.apps.quiz import progress
from tengen.apps.quiz.progress import FILE, INTERVALS, Progress, ProgressError, Standing
from tengen.apps.review import searches
from tengen.engine.errors import TengenError
from tengen.engine.storage.files import exclusive_lock
from tengen.protocol.archive import PERSON
from tests.apps.play.test_kept_games import spoil
from tests.apps.review.records import BLUNDER, EFFORT

TODAY = date.today()


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory):
    """Return a record that has been reviewed; both sides blunder in it."""
    path = tmp_path_factory.mktemp("quiz") / "game.sgf"
    path.write_text(BLUNDER)
    assert cli.main(["analyze", str(path), *EFFORT, "--json"]) == 0
    return path


@pytest.fixture
def quiz(tengen, monkeypatch, data):
    """Run a quiz with these answers; return the exit code, the output, and the complaints."""

    def run(path, *arguments: str, answers: tuple[str, ...] = ()) -> tuple[int, str, str]:
        given = iter(answers)

        def answer(_: str) -> str:
            found = next(given, None)
            if found is None:
                raise EOFError
            if found == "^C":
                raise KeyboardInterrupt
            return found

        monkeypatch.setattr("builtins.input", answer)
        return tengen("quiz", *([str(path)] if path else []), *arguments)

    return run


def puzzles(quiz, path, *arguments: str) -> list[dict]:
    code, out, _ = quiz(path, "--json", *arguments)
    assert code == 0
    return [json.loads(line) for line in out.splitlines()]


def test_the_list_has_what_the_review_has_marked(quiz, reviewed):
    found = puzzles(quiz, reviewed)
    assert found
    assert all(puzzle["loss"] >= 0.1 and puzzle["best"] != puzzle["played"] for puzzle in found)
    assert {puzzle["due"] for puzzle in found} == {None}
    assert any(puzzle["reasons"] for puzzle in found)
    _, out, _ = quiz(reviewed, "--list")
    assert len(out.splitlines()) == len(found)
    assert out.startswith("new  ")
    assert f"turn {found[0]['turn']}: " in out


def test_a_right_answer_is_asked_again_tomorrow(quiz, reviewed):
    first = puzzles(quiz, reviewed)[0]
    code, out, err = quiz(reviewed, "--count", "1", answers=(first["best"].lower(),))
    assert (code, err) == (0, "")
    assert f"{first['played'].lower()} was a mistake here" in out
    assert f"{first['best'].lower()} is right." in out
    assert "Asked again tomorrow." in out
    assert "1 of 1 right at once" in out
    again = puzzles(quiz, reviewed)[0]
    assert (again["right"], again["due"]) == (1, str(TODAY + timedelta(1)))


def test_only_the_first_answer_counts(quiz, reviewed):
    first = puzzles(quiz, reviewed)[0]
    answers = (first["played"], "z99", "", first["best"])
    code, out, _ = quiz(reviewed, "--count", "1", answers=answers)
    assert code == 0
    assert f"{first['played'].lower()} loses " in out
    assert "expected a vertex" in out
    assert "Enter a turn, or one of" in out
    assert f"{first['best'].lower()} is right." in out
    assert "Asked again the next time." in out
    again = puzzles(quiz, reviewed)[0]
    assert (again["right"], again["due"]) == (0, str(TODAY))


def test_a_solution_counts_as_wrong_and_skipping_not_at_all(quiz, reviewed):
    _, out, _ = quiz(reviewed, answers=("show", "skip", "quit"))
    assert "The best turn: " in out
    assert "0 of 1 right at once" in out
    dues = [puzzle["due"] for puzzle in puzzles(quiz, reviewed)]
    assert dues[0] == str(TODAY)
    assert set(dues[1:]) == {None}


@pytest.mark.parametrize(("last", "code"), [("^C", 130), (None, 0)])
def test_leaving_keeps_what_has_been_answered(quiz, reviewed, last, code):
    first = puzzles(quiz, reviewed)[0]
    answers = (first["best"], *([last] if last else []))
    assert quiz(reviewed, answers=answers)[0] == code
    assert puzzles(quiz, reviewed)[0]["right"] == 1


def test_what_is_not_due_is_not_asked(quiz, reviewed):
    found = puzzles(quiz, reviewed)
    assert quiz(reviewed, answers=tuple(puzzle["best"] for puzzle in found))[0] == 0
    code, out, _ = quiz(reviewed)
    assert code == 0
    assert out == "nothing is due today; the next puzzle is asked tomorrow (--all asks at once)\n"
    assert "1 of" in quiz(reviewed, "--all", answers=("quit",))[1]


def test_a_review_that_is_there_is_not_made_again(quiz, reviewed, monkeypatch):
    monkeypatch.setattr(searches, "search", None)
    assert puzzles(quiz, reviewed)


def test_a_record_without_a_review_is_reviewed(quiz, tmp_path):
    path = tmp_path / "new.sgf"
    path.write_text(BLUNDER)
    assert puzzles(quiz, path, "--nodes", "500")
    assert path.with_name("new.analyzed.jsonl").exists()


def test_a_side_or_a_player_is_chosen(quiz, reviewed):
    everything = puzzles(quiz, reviewed)
    white = [puzzle for puzzle in everything if puzzle["side"] == "white"]
    assert puzzles(quiz, reviewed, "--side", "white") == white
    assert puzzles(quiz, reviewed, "--player", "b:c") == white
    assert puzzles(quiz, reviewed, "--player", "nobody") == []
    code, _, err = quiz(reviewed, "--side", "white", "--player", "B:C")
    assert (code, err) == (2, "tengen: error: --side and --player exclude each other\n")


def test_kept_games_ask_the_person(quiz, data):
    games = data / "games"
    games.mkdir(parents=True)
    (games / "2026-01-01-000000-gomoku.sgf").write_text(
        BLUNDER.replace("PB[A\\]]PW[B:C]", f"PB[tengen 0.1.0]PW[{PERSON}]")
    )
    found = puzzles(quiz, None, "--nodes", "3000")
    assert found
    assert {puzzle["side"] for puzzle in found} == {"white"}


def test_without_games_there_is_nothing_to_ask(quiz, data):
    code, _, err = quiz(None)
    assert code == 2
    folder, others = data / "games", "name records, or take puzzles: --daily, or --game NAME"
    assert err == f"tengen: error: there are no games of yours in {folder} yet; {others}\n"


def test_one_bad_record_of_several_is_named(quiz, reviewed, tmp_path):
    bad = tmp_path / "bad.sgf"
    bad.write_text("nothing")
    code, out, err = quiz(bad, str(reviewed), "--json")
    assert code == 0
    assert out
    assert str(bad) in err
    assert quiz(bad)[0] == 2


# ------------------------------------------------------------------------------------------- the progress


def test_intervals_grow_and_begin_again_after_a_wrong_answer():
    standing, days = None, []
    for _ in range(len(INTERVALS) + 2):
        standing = Standing.after(standing, True, TODAY)
        days.append((standing.due - TODAY).days)
    assert days == [*INTERVALS, INTERVALS[-1], INTERVALS[-1]]
    assert Standing.after(standing, False, TODAY) == Standing(0, TODAY)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"tengen quiz": 2}', '{"tengen quiz": 1, "puzzles": {"a": 1}}']
)
def test_another_file_is_refused_and_stays(tmp_path, text):
    path = tmp_path / FILE
    path.write_text(text)
    with pytest.raises(ProgressError, match="expected the progress of a quiz, got something else"):
        Progress(path)
    assert path.read_text() == text


def test_an_answer_is_kept_beside_what_another_quiz_has_kept_meanwhile(data):
    first, second = Progress(), Progress()
    data.mkdir()
    first.note("a", True, TODAY)
    second.note("b", True, TODAY)
    assert [Progress().standing(name).right for name in "ab"] == [1, 1]


def test_answers_are_kept_one_after_another(data, monkeypatch):
    """So that neither a quiz in another terminal nor one on the page loses any."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    data.mkdir()
    kept = Progress()
    with exclusive_lock(kept.path), pytest.raises(TengenError, match="in use by another run"):
        kept.note("a", True, TODAY)
    kept.note("a", True, TODAY)
    assert Progress().standing("a").right == 1


@pytest.mark.parametrize("right", ["Infinity", "NaN", "null", '"x"', "[]"])
def test_a_file_with_odd_numbers_is_no_progress(data, right):
    data.mkdir()
    (data / FILE).write_text(
        f'{{"tengen quiz": 1, "puzzles": {{"a": {{"right": {right}, "due": "2026-01-01"}}}}}}'
    )
    with pytest.raises(ProgressError, match="expected the progress of a quiz"):
        Progress()


@pytest.mark.posix
def test_one_bad_file_never_hides_the_puzzles_of_others(quiz, data, reviewed):
    spoil(data / "games")
    for file in (reviewed, reviewed.with_name("game.analyzed.jsonl")):
        (data / "games" / file.name).write_bytes(file.read_bytes())
    code, out, err = quiz(None, "--list", *EFFORT)
    assert code == 0
    assert "game.sgf, turn" in out
    assert err.count("\n") == 8
    assert "internal error" not in err
    (data / "games" / "circle.psq").symlink_to("circle.psq")
    code, again, err = quiz(data / "games", "--list", *EFFORT)
    assert (code, again) == (0, out)
    assert "circle.psq" in err
