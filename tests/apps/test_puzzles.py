"""The puzzles that come with the package: one turn is right, which the solver proves again."""

import itertools
from datetime import date, timedelta

import pytest

from tengen.apps.quiz import collection
from tengen.apps.quiz.collection import FOLDER, GOALS, LEVELS, Problem, in_order, of_day, problems
from tengen.apps.quiz.progress import Progress
from tengen.engine import games
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.notation import shown
from tengen.engine.spec import GameSpec
from tengen.tuning.openings import image_keys
from tests.tools.puzzles import CONFIRMING, Finder, confirmed

EVERY = [problem for game in collection.games() for problem in problems(game)]
SAMPLED = 40  # of so many puzzles one is confirmed in `make test`,
PROVEN = 15  # and of so many by `make test-all`; the others by `make nightly`
MAX_BYTES = 60_000  # of a file
TODAY = date(2026, 11, 29)


@pytest.fixture(scope="module")
def finders():
    return Finder(), Finder(CONFIRMING)


@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(
            problem,
            id=f"{GameSpec.parse(problem.spec).game.name} {problem.number}",
            marks=[
                *([] if problem.number % SAMPLED == 1 else [pytest.mark.thorough]),
                *([] if problem.number % PROVEN == 1 else [pytest.mark.nightly]),
            ],
        )
        for problem in EVERY
    ],
)
def test_only_the_solution_wins_or_holds(problem, finders):
    found = (confirmed(problem, finder) for finder in finders)  # with more effort where little does not do
    proofs = (each for each in found if each and each.goal == problem.goal)
    assert next(proofs).length <= problem.length


def test_every_game_has_puzzles():
    assert set(collection.games()) == set(games.built_in())


@pytest.mark.parametrize("game", collection.games())
def test_a_file_is_small_sorted_and_has_no_puzzle_twice(game):
    assert (FOLDER / f"{game}.txt").stat().st_size <= MAX_BYTES
    found, seen = problems(game), set()
    assert [each.missed for each in found] == sorted(each.missed for each in found)
    assert len({each.name for each in found}) == len(found)
    for each in found:
        position = each.position()
        assert GameSpec.parse(each.spec).game.name == game
        assert int(position.state.key) not in seen
        seen |= image_keys(position)


@pytest.mark.parametrize("game", collection.games())
def test_a_line_is_played_by_both_sides_and_ends_with_the_one_that_is_asked(game):
    for each in problems(game):
        position = each.position()
        mover = position.side_to_move
        assert len(each.line) % 2 == 1
        for number, turn in enumerate(each.line):
            assert position.side_to_move == (mover if number % 2 == 0 else 1 - mover)
            assert position.outcome() == Outcome.ONGOING
            assert position.push(turn) == turn
        assert each.goal in GOALS
        assert 0 <= each.missed <= LEVELS
        assert Problem.parse(each.text(), each.number) == each


@pytest.mark.parametrize("game", collection.games())
def test_hints_name_a_part_of_the_board_and_then_how_the_turn_begins(game):
    for each in problems(game)[::SAMPLED]:
        where, begins = each.hints()
        assert where.startswith("Look at ")
        start = begins.removeprefix("The turn begins with ").partition(".")[0]
        assert each.line[0].startswith(start)
        assert start != each.line[0]


def test_the_puzzle_of_the_day_depends_on_the_date_alone():
    assert of_day(TODAY) == of_day(TODAY)
    days = [TODAY + timedelta(number) for number in range(len(collection.games()))]
    assert {GameSpec.parse(of_day(day).spec).game.name for day in days} == {*collection.games()}


def test_each_puzzle_of_a_game_comes_once_in_a_round_of_days():
    game = collection.games()[0]
    number = len(problems(game))
    first = number * (TODAY.toordinal() // number)
    days = [date.fromordinal(first + day) for day in range(number)]
    assert sorted(of_day(day, game).number for day in days) == list(range(1, number + 1))


def test_puzzles_asked_before_come_first_and_those_missed_today_last(tmp_path):
    progress = Progress(tmp_path / "quiz.json")
    game = collection.games()[0]
    first, second, third, *_, last = problems(game)
    progress.note(first.name, False, TODAY)
    progress.note(third.name, True, TODAY - timedelta(1))
    progress.note(last.name, False, TODAY - timedelta(5))
    found = in_order(game, progress, TODAY)
    assert found[:3] == [third, last, second]
    assert found[-1] == first


def test_another_game_has_no_puzzles():
    with pytest.raises(OptionError, match=r"puzzles: expected one of dvonn, .*, got morris"):
        problems("morris")


def test_days_in_a_row_are_counted_until_one_is_left_out(tmp_path):
    progress = Progress(tmp_path / "quiz.json")
    assert progress.streak(TODAY) == 0
    counted = [progress.note_day(TODAY + timedelta(day)) for day in (0, 0, 1, 2)]
    assert counted == [1, 1, 2, 3]
    kept = Progress(tmp_path / "quiz.json")
    streaks = [kept.streak(TODAY + timedelta(day)) for day in (2, 3, 4)]
    assert streaks == [3, 3, 0]
    assert kept.note_day(TODAY + timedelta(4)) == 1
    kept.note("a", True, TODAY)
    assert kept.streak(TODAY + timedelta(4)) == 1


# --------------------------------------------------------------------------------------------- the dialogue


@pytest.fixture
def quiz(tengen, monkeypatch, data):
    """Run a quiz with these answers; return the exit code, the output, and the complaints."""

    def run(*arguments: str, answers: tuple[str, ...] = ()) -> tuple[int, str, str]:
        given = iter(answers)
        monkeypatch.setattr("builtins.input", lambda _: next(given))
        return tengen("quiz", *arguments)

    return run


def test_a_puzzle_is_solved_after_two_hints_and_a_wrong_turn(quiz):
    first = problems("gomoku")[0]
    wrong = next(turn for turn in first.position().turns() if turn != first.line[0])
    answers = ("hint", "hint", "hint", wrong, *first.line[::2])
    code, out, err = quiz("--game", "gomoku", "--count", "1", answers=answers)
    assert (code, err) == (0, "")
    where, begins = first.hints()
    told = (first.question, where, begins, "There are no more hints", f"{wrong} is not the one.")
    told += (f"The solution: {' '.join(first.line)}. {first.reason}",)
    for said in shown(GameSpec.parse(first.spec), told):
        assert said in out
    assert "0 of 1 right at once" in out
    assert "Asked again the next time." in out


def test_the_replies_are_played_and_each_turn_is_asked(quiz):
    game, longest = max(
        ((game, each) for game in collection.games() for each in problems(game)),
        key=lambda pair: (len(pair[1].line), -pair[1].number),
    )
    assert len(longest.line) > 1
    earlier = [("skip",)] * (longest.number - 1)
    answers = (*itertools.chain(*earlier), *longest.line[::2], "quit")
    _, out, _ = quiz("--game", game, "--count", str(longest.number), answers=answers)
    for reply in shown(GameSpec.parse(longest.spec), longest.line[1::2]):
        assert f"{reply} is the reply. Go on for {longest.side}." in out
    assert "1 of 1 right at once" in out


def test_the_puzzle_of_the_day_is_counted_once_it_is_solved(quiz):
    today = of_day(date.today())
    assert "in a row" not in quiz("--daily", answers=("show",))[1]
    for _ in range(2):
        _, out, _ = quiz("--daily", answers=today.line[::2])
        assert "Puzzles of the day solved in a row: 1" in out


def test_the_list_says_what_a_puzzle_is_and_how_hard(quiz):
    _, out, _ = quiz("--game", "gomoku", "--list")
    found = problems("gomoku")
    assert len(out.splitlines()) == len(found)
    assert out.startswith(f"new         gomoku, puzzle 1: {found[0].goal}, ")
    _, out, _ = quiz("--daily", "--game", "gomoku", "--json")
    assert f'"number": {of_day(date.today(), "gomoku").number}, ' in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--daily", "game.sgf"), "records: for mistakes, which --daily or --game alone does not ask"),
        (("--game", "gomoku", "--side", "black"), "--side: for mistakes, which"),
        (("--daily", "--nodes", "5"), "--nodes: for mistakes, which"),
        (("--daily", "--game", "chess"), "chess"),
    ],
)
def test_what_belongs_to_records_is_refused(quiz, arguments, complaint):
    code, out, err = quiz(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err
