"""Why a turn loses, in words."""

import json

import pytest

from tengen.apps.review.assessment import Assessment, Comparison, JudgedMove, judge_move, record_positions
from tengen.apps.review.reasons import merits, reasons
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tengen.search.info import WIN, Info, Score
from tests.apps.review.records import EFFORT
from tests.walks import position_after

OPEN = Score(0)
THREE = "D5 A1 E5 A3 F5"  # White must answer


def judged(spec: str, moves: str, best: str, after: tuple[Score, str], before: Score = OPEN) -> JudgedMove:
    """Return the last of `moves`, a blunder.

    Parameters
    ----------
    spec, moves : str
    best : str
        The line that was better.
    after : (Score, str)
        The score and the line after the blunder, for the opponent.
    before : Score
    """
    turns = [(number % 2, turn) for number, turn in enumerate(moves.split())]
    *_, then, now = record_positions(Record(GameSpec.parse(spec), None, turns))
    value = Assessment(0.5, before, pv=tuple(best.split()), compared=Comparison(0.9, 0.1, 0.0))
    return judge_move(then, value, now, Assessment(0.9, after[0], pv=tuple(after[1].split())))


def texts(move: JudgedMove) -> list[str]:
    return [reason.text for reason in reasons(move)]


def test_what_the_opponent_can_do_is_told():
    move = judged("gomoku,size=9", f"{THREE} J9", "G5", (OPEN, "G5 H5"))
    assert texts(move) == ["Black can play G5, which makes an open four: five follows at C5 or H5"]


def test_a_proof_is_told_with_its_line():
    move = judged("gomoku,size=9", f"{THREE} J9", "G5", (Score(WIN - 2), "G5 H5 C5"))
    assert texts(move) == [
        "Black then wins in 2: G5 H5 C5",
        "Black can play G5, which makes an open four: five follows at C5 or H5",
    ]


def test_what_a_better_turn_allows_as_well_is_no_reason():
    assert texts(judged("gomoku,size=9", f"{THREE} J9", "J8", (OPEN, "G5"))) == []


def test_a_reply_that_only_ends_a_threat_is_no_reason():
    assert texts(judged("gomoku,size=9", "D5 C5 E5 A1 F5 A9 G5", "J9", (OPEN, "H5"))) == []


def test_a_reply_that_the_search_does_not_expect_is_no_reason():
    assert texts(judged("gomoku,size=9", f"{THREE} J9", "G5", (OPEN, "J1"))) == []


def test_a_name_without_a_proof_is_no_reason():
    moves = "H8 A1 J8 C1 K9 E1 K10 O1 A15 A13"
    assert texts(judged("gomoku", moves, "K8", (OPEN, "K8"))) == []
    assert texts(judged("gomoku", moves, "K8", (Score(WIN - 4), "K8"))) == [
        "Black then wins in 4: K8",
        "Black can play K8, which makes two open threes at once",
    ]


def test_what_is_missed_is_told():
    move = judged("gomoku,size=9", "D5 A1 E5 A3 F5 A5 J1", "G5 H5 C5", (OPEN, "G5"), Score(WIN - 2))
    assert texts(move)[0] == "misses a win in 2: G5 H5 C5"
    assert texts(move)[-1] == "G5 makes an open four: five follows at C5 or H5"


def test_a_loss_anyway_is_not_told_as_one():
    move = judged("gomoku,size=9", f"{THREE} J9", "J8", (Score(WIN - 2), "G5"), Score(4 - WIN))
    assert texts(move) == []


def test_a_turn_that_is_no_mistake_has_no_reasons():
    move = judged("gomoku,size=9", f"{THREE} J9", "J9", (OPEN, "G5"))
    assert not move.mark
    assert texts(move) == []


def test_an_exact_solution_tells_what_the_turn_costs():
    solved = Score(WIN - 4, 3), Score(WIN - 3, 2)
    move = judged("gomoku,size=9", f"{THREE} J9", "J8", (solved[1], "A9"), solved[0])
    assert "costs 5 in the final score, by exact solution: A9" in texts(move)


def found(spec: str, moves: str, *lines: tuple[int, str]) -> list[str]:
    """Return why the first of some lines, each a score and turns, is good after `moves`."""
    infos = [
        Info(rank, 1, 1, Score(score), "", 1, 0.0, 0, tuple(line.split()))
        for rank, (score, line) in enumerate(lines, 1)
    ]
    return merits(position_after(spec, moves), infos[0].pv[0], infos)


def test_a_hint_tells_a_proven_win_and_what_makes_it():
    words = "it makes an open four: five follows at C5 or H5"
    assert found("gomoku,size=9", f"{THREE} J9", (WIN - 3, "G5 H5 C5"), (0, "A9")) == ["it wins in 3", words]


def test_a_hint_tells_what_it_takes():
    assert found("go,size=5", "C3 C4 B4 A1 D4 A2", (90, "C5 E1")) == ["it captures 1 stone: C4"]


def test_a_hint_tells_what_the_next_best_turn_would_allow():
    four = "D5 C5 E5 A1 F5 A9 G5"
    five = "after J9, Black can play H5, which makes five in a row"
    stops = "it stops the threat to win at H5"
    assert found("gomoku,size=9", four, (0, "H5 B2"), (1 - WIN, "J9 H5")) == [stops, five]
    assert found("gomoku,size=9", four, (0, "H5 B2"), (1 - WIN, "J9")) == [stops]


def test_a_hint_tells_nothing_that_the_opponent_can_do_in_any_case():
    assert found("gomoku,size=9", THREE, (0, "J8 A9"), (-9, "J9 G5")) == []


def test_a_name_without_a_proof_is_no_merit():
    moves = "H8 A1 J8 C1 K9 E1 K10 O1"
    assert found("gomoku", moves, (50, "K8 A2")) == []
    assert found("gomoku", moves, (WIN - 4, "K8 A2"))[1:] == ["it makes two open threes at once"]


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_a_review_tells_why(review, game, arguments):
    code, out, _ = review(game, *EFFORT, *arguments)
    assert code == 0
    if arguments:
        told = [reason for line in out.splitlines() for reason in json.loads(line).get("reasons", ())]
        assert all(reason.keys() == {"kind", "text", "line"} for reason in told)
        assert {"lost", "open-four"} <= {reason["kind"] for reason in told}
    else:
        assert "\n         Black then wins in " in out
        assert " makes an open four: " in out
    comments = game.with_name("game.analyzed.sgf").read_text()
    assert "makes an open four" in comments
