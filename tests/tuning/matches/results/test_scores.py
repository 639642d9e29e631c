"""What players report of their turns: in records, and as resignations and agreed draws."""

import contextlib
import re
import sqlite3

import pytest

from tengen.engine import sgf
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.search.info import WIN
from tengen.search.limits.limit import Limit
from tengen.tuning.match.playing import ScoreJudge
from tengen.tuning.match.records import Store, write_sgf
from tengen.tuning.match.report import summary, table
from tengen.tuning.match.settings import ScoreRule
from tengen.tuning.match.tournament import write_pgn
from tengen.tuning.players.base import EndReason, SearchReport
from tengen.tuning.players.external.ugi import parse_info
from tests.engine.records import comments
from tests.tuning.matches.playing import GOMOKU, played, settings

UNTIMED = Limit(nodes=100)  # however busy the machine is


def judged(judge: ScoreJudge, *scores: int | None) -> list[tuple[Outcome, str] | None]:
    """Return the verdicts after turns of both sides in turn, given what they report."""
    verdicts = []
    for number, score in enumerate(scores):
        judge.note(number % 2, None if score is None else SearchReport(score))
        verdicts.append(judge.verdict(number % 2))
    return verdicts


def test_a_side_that_thinks_it_lost_three_times_has_lost():
    judge = ScoreJudge(ScoreRule.parse("--resign", "8"), None)
    *before, last = judged(judge, -900, 10, -800, 900, -801)
    assert before == [None] * 4
    assert last == (Outcome.SECOND_WINS, "3 scores of -8 or less")


def test_nobody_resigns_while_the_other_side_is_afraid_too_or_after_a_better_score():
    assert not any(judged(ScoreJudge(ScoreRule(800, 2), None), -900, -1, -900, -1))
    assert not any(judged(ScoreJudge(ScoreRule(800, 2), None), -900, None, -799, None, -900))
    assert judged(ScoreJudge(ScoreRule(800, 2), None), 0, -900, None, -900)[-1][0] == Outcome.FIRST_WINS


def test_who_says_nothing_does_not_resign():
    assert not any(judged(ScoreJudge(ScoreRule(0, 1), ScoreRule(0, 1)), None, None, None, None))


def test_both_sides_agree_on_a_draw_from_a_turn_on():
    judge = ScoreJudge(None, ScoreRule.parse("--draw", "0.2,2,6"))
    *before, last = judged(judge, 0, 20, -20, 5, 0, 0)
    assert before == [None] * 5
    assert last == (Outcome.DRAW, "2 scores of both within 0.2")


@pytest.mark.parametrize("text", ["", "x", "-1", "8,", "8,x", "8,1,2,3", "1e9"])
def test_another_text_is_no_rule(text):
    with pytest.raises(OptionError, match="--draw: expected points"):
        ScoreRule.parse("--draw", text)


@pytest.mark.parametrize(
    ("line", "report"),
    [
        ("info depth 8 seldepth 12 multipv 1 score cp 35 nodes 4 pv a3", SearchReport(35, 8)),
        ("info depth 3 score mate -4", SearchReport(-WIN + 4, 3)),
        ("info score mate 2 depth 3", SearchReport(WIN - 2, 3)),
        ("info depth 8 multipv 2 score cp 35", None),
        ("info depth 8 score cp 35 lowerbound nodes 3", None),
        ("info string score", None),
    ],
)
def test_a_report_of_ugi_is_read(line, report):
    info = parse_info(line)
    assert (info and SearchReport.of(info)) == report


def test_scores_depths_and_times_are_kept(tmp_path):
    wanted = settings("tengen,depth=2", "random", games=2, limits=UNTIMED)
    match = played(wanted, tmp_path / "m.sqlite")
    game = match.games[0]
    assert len(game.reports) == len(game.turns)
    assert {report for report, turn in zip(game.reports, range(99), strict=False) if turn % 2} == {"-/-"}
    assert all(re.fullmatch(r"-?\d+/\d+", report) for report in game.reports[::2])
    write_sgf(tmp_path / "games", GOMOKU, match.names(0), game)
    said = comments(sgf.read_file(tmp_path / "games" / "00001.sgf"))
    first = len(game.opening)
    assert re.fullmatch(r"\d+\.\d{3} s, score (\S+|win in \d+), depth \d+", said[first])
    assert re.fullmatch(r"\d+\.\d{3} s", said[first + 1])
    assert [len(game.seconds_of(player)) for player in range(2)] == [
        game.sides.count(str(side)) for side in (game.first_side, 1 - game.first_side)
    ]
    assert len(game.sides) == len(game.turns)


def test_the_mean_time_of_a_turn_is_that_of_each_player(tmp_path):
    match = played(settings("greedy", "random", games=2, limits=UNTIMED), tmp_path / "m.sqlite")
    turns = [[], []]
    for game in match.games:
        for i, seconds in enumerate(game.seconds):  # no side passes in Gomoku, and openings have 2 turns
            turns[(i + game.first_side) % 2].append(seconds)
    assert match.mean_seconds() == pytest.approx([sum(times) / len(times) for times in turns])
    report = table(summary(match, tmp_path))
    assert re.search(r"^a turn     first \d+\.\d{3} s   second \d+\.\d{3} s$", report, re.M)


def test_a_file_of_an_older_version_is_gone_on_with(tmp_path):
    path = tmp_path / "m.sqlite"
    wanted = settings("greedy", "random", games=4, limits=UNTIMED)
    played(settings("greedy", "random", games=2, limits=UNTIMED), path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        for column in ("reports", "sides"):
            database.execute(f"ALTER TABLE game DROP COLUMN {column}")
    match = played(wanted, path)
    assert len(match.games) == 4
    known = [[x for game in match.games[2:] for x in game.seconds_of(player)] for player in range(2)]
    assert all(known)
    assert not any(game.seconds_of(player) for game in match.games[:2] for player in range(2))
    assert match.mean_seconds() == pytest.approx([sum(times) / len(times) for times in known])
    store = Store(path, wanted.identity())
    assert [bool(game.reports) for game in store.games()] == [False, False, True, True]
    store.close()


def test_resignations_shorten_games_and_are_no_forfeits(tmp_path):
    rules = {"resign": ScoreRule(100, 1), "limits": UNTIMED}
    wanted = settings("tengen,depth=2", "tengen,depth=1", games=4, **rules)
    match = played(wanted, tmp_path / "m.sqlite")
    ended = [game for game in match.games if game.reason == EndReason.ADJUDICATION]
    assert ended
    for game in ended:
        assert game.detail == "1 scores of -1 or less"
        assert int(game.reports[-1].partition("/")[0]) <= -100
    assert not match.forfeits()


def test_results_are_exported_for_ordo_and_bayeselo(tmp_path):
    match = played(settings("greedy", "random", games=4, limits=UNTIMED), tmp_path / "m.sqlite")
    write_pgn(tmp_path / "m.pgn", match)
    text = (tmp_path / "m.pgn").read_text("utf-8")
    games = re.findall(r'\[White "(.*)"\]\n\[Black "(.*)"\]\n\[Result "(.*)"\]\n\n(\S+)\n', text)
    assert len(games) == 4
    for (white, black, result, again), game in zip(games, match.games, strict=True):
        assert (white, black) == (("greedy", "random"), ("random", "greedy"))[game.first_side]
        assert (
            result
            == again
            == {2: ("1-0", "0-1"), 1: ("1/2-1/2",) * 2, 0: ("0-1", "1-0")}[game.points][game.first_side]
        )
