"""What a review says of a game, and how it looks."""

import json
import os
import re
import sys
from unittest.mock import patch

import pytest

from tengen.apps.review import annotation, assessment, searches
from tengen.apps.review.assessment import Assessment, Review, ReviewPosition
from tengen.apps.review.review import REASON
from tengen.engine import sgf
from tengen.engine.extras import install_command
from tengen.engine.sgf import Record
from tengen.engine.sgf.node import format_turn
from tengen.engine.spec import GameSpec
from tengen.protocol.session import Session
from tengen.search.info import WIN, Score
from tengen.search.limits.limit import Limit
from tests.apps.processes import process, read_terminal
from tests.apps.review.records import (
    BLUNDER,
    EFFORT,
    FINISHED,
    ROW,
    annotated_of,
)
from tests.engine.records import comments, details
from tests.processes import PATIENCE
from tests.rules.challenges.contests import BLACK_WINS, JUMP, READY, SPEC, contest, with_contest

# ---- what it says ----


def test_every_turn_has_a_line_and_every_side_a_summary(review, game):
    code, out, err = review(game)
    assert (code, err) == (0, [])
    lines = [line for line in out.splitlines() if line and not line.startswith(" " * REASON)]
    heading, columns, start, *rows = lines
    assert heading.startswith("gomoku,size=7, 3,000 nodes a position; win rates and scores are Black's")
    assert columns.split() == ["turn", "side", "played", "win", "%", "score", "loss", "engine"]
    assert start.split()[0] == "0"
    parts = [ROW.fullmatch(row) for row in rows[:8]]
    assert [int(part[1]) for part in parts] == [*range(1, 9)]
    assert [part[4] for part in parts] == ["d4", "a7", "d3", "a6", "d2", "g1", "d5", "g7"]
    assert {part[3] for part in parts[::2]} == {"black"}
    assert any(part[2] == "??" for part in parts)
    assert [row.split()[0] for row in rows[8:]] == ["turns", "black", "white", "written"]


def test_json_lines_tell_what_each_turn_has_lost(review, game):
    code, out, err = review(game, *EFFORT, "--json")
    assert (code, err) == (0, [])
    *turns, end, summary = map(json.loads, out.splitlines())
    assert [line["turn"] for line in turns] == [*range(1, 9)]
    assert (end["turn"], end["played"]) == (9, None)
    for line, following in zip(turns, [*turns[1:], end], strict=True):
        assert line["best"] == line["pv"][0]
        assert line["nodes"] > 0 or "win" in line["score"], "a proven win is remembered"
        assert line["playedwinrate"] == pytest.approx(1 - following["winrate"], abs=2e-4)
        assert 0 <= line["loss"] <= 1
        assert line["error"] >= 0
        if line["played"] == line["best"]:
            assert (line["loss"], line["error"]) == (0, 0)
        assert (line["mark"] == "??") == (line["loss"] >= max(0.2, assessment.ERRORS * line["error"]))
    assert any(line["mark"] == "??" for line in turns)
    assert summary["summary"]["black"]["turns"] == summary["summary"]["white"]["turns"] == 4
    assert summary["files"] == [str(annotated_of(game))]


def test_a_finished_game_ends_with_its_outcome(review, game):
    game.write_text(FINISHED)
    code, out, _ = review(game, *EFFORT, "--json")
    turns = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert turns[-2] == {"turn": 10, "played": None, "winner": "black", "result": "B+1"}
    assert turns[-3]["playedwinrate"] == 1
    assert "Black wins, B+1" in annotated_of(game).read_text()


def test_an_empty_record_is_its_first_position(review, game):
    game.write_text("(;GM[4]SZ[7])")
    code, out, _ = review(game, *EFFORT, "--json")
    assert code == 0
    assert [json.loads(line).get("turn") for line in out.splitlines()] == [1, None]
    assert sgf.read_file(annotated_of(game)).turns == []


def test_without_time_for_a_search_there_is_still_a_judgement(review, game):
    code, out, _ = review(game, "--time", "1e-9", "--json")
    assert code == 0
    for line in map(json.loads, out.splitlines()[:8]):
        assert line["depth"] >= 1 or "win" in line["score"], "a proven win is remembered"


def test_one_position_of_a_record_is_named_by_its_turn(review, game):
    for turn, shown in (("0", 0), ("3", 3), ("last", 8)):
        code, out, err = review(game, "--turn", turn, "--depth", "1")
        assert (code, err) == (0, [])
        assert len(re.findall(r"(?<= )[XO](?= )", out)) == shown
    assert [path.name for path in game.parent.iterdir()] == ["game.sgf"]


# ---- the record as it was ----


def test_the_annotated_record_reads_back_with_all_that_was_said(review, game):
    review(game)
    before, after = sgf.read_file(game), sgf.read_file(annotated_of(game))
    assert (after.spec, after.start, after.turns) == (before.spec, before.start, before.turns)
    assert after.properties.items() >= {"PB": ["A]"], "PW": ["B:C"]}.items()
    assert after.properties["C"][0].startswith("club\n\nAnalysed by tengen")
    assert comments(after)[2].startswith("see ] \\\n\nBlack ")
    assert details(after)[5]["WL"] == ["9"]
    assert set(comments(after)) == set(range(8))


def test_mistakes_are_marked_and_what_was_better_stands_beside_them(review, game):
    _, out, _ = review(game, *EFFORT, "--json")
    lines = [json.loads(line) for line in out.splitlines()[:8]]
    record, text = sgf.read_file(annotated_of(game)), annotated_of(game).read_text()
    marks = {index: line["mark"] for index, line in enumerate(lines) if line["mark"]}
    assert marks
    for index, line in enumerate(lines):
        found = details(record).get(index, {})
        given = {name: found.get(name) for name in ("BM", "DO", "HO")}
        expected = annotation.SGF_MARKS.get(line["mark"], {})
        assert given == {"BM": None, "DO": None, "HO": None} | expected
        assert ("MA" in found, "TR" in found) == (bool(line["mark"]),) * 2
        if line["mark"]:
            assert found["MA"] == [format_turn(record.spec, line["played"])]
            assert found["TR"] == [format_turn(record.spec, line["best"])]
    assert text.count("(;") == 1 + 2 * len(marks)


def test_a_judgement_of_the_record_itself_stays(review, game):
    game.write_text(BLUNDER.replace("WL[9]", "WL[9]TE[1]V[2]"))
    review(game)
    found = details(sgf.read_file(annotated_of(game)))[5]
    assert 0 <= float(found.pop("SBKV")[0]) <= 100
    found.pop("GB", None)
    assert found == {"WL": ["9"], "TE": ["1"], "V": ["2"]}


def test_proven_wins_are_marked_for_the_side_that_wins(review, game):
    _, out, _ = review(game, *EFFORT, "--json")
    lines = [json.loads(line) for line in out.splitlines()[:9]]
    record = sgf.read_file(annotated_of(game))
    for index, after in enumerate(lines[1:]):
        proven = {"win": after["side"], "loss": {"black": "white", "white": "black"}[after["side"]]}
        winner = next((proven[name] for name in proven if name in after["score"]), None)
        marked = [side for side, name in (("black", "GB"), ("white", "GW")) if name in details(record)[index]]
        assert marked == ([winner] if winner else [])


def reviewed(record: Record, leads: list[float]) -> Review:
    """Return a review whose positions lead to these margins of the side to move."""
    found = assessment.record_positions(record)
    values = [Assessment(0.5 + lead / 100, Score(0), lead, ("D4",)) for lead in leads]
    return Review(record.spec, found, values, Limit(nodes=1))


def test_points_are_blacks():
    record = sgf.parse("(;GM[4]SZ[7];B[dd];W[aa])")
    after = annotation.annotated(record, reviewed(record, [1.0, -3.25, -0.04]))
    assert [details(after)[index]["V"] for index in (0, 1)] == [["3.2"], ["0.0"]]
    assert [details(after)[index]["SBKV"] for index in (0, 1)] == [["53.2"], ["50.0"]]
    assert after.properties["SBKV"] == ["51.0"]
    assert [comment.partition("\n")[0] for comment in comments(after).values()] == [
        "Black 53.2%, B+3.2",
        "Black 50.0%, even",
    ]


def judged(best: float, played: float, error: float, rate: float = 0.5) -> assessment.JudgedMove:
    """Return a turn that is not the engine's, as compared with that."""
    record = sgf.parse("(;GM[4]SZ[7];B[aa];W[bb])")
    compared = assessment.Comparison(best, played, error)
    values = [Assessment(rate, Score(0), None, ("D4",), compared=compared)] * 3
    return Review(record.spec, assessment.record_positions(record), values, Limit(nodes=1)).moves[0]


@pytest.mark.parametrize(
    ("best", "played", "error", "mark"),
    [
        (0.65, 0.5, 0.1, "?"),
        (0.65, 0.5, 0.13, ""),  # within its error
        (0.54, 0.5, 0.0, ""),
        (0.56, 0.5, 0.01, "?!"),
        (0.9, 0.5, 0.1, "??"),
        (0.5, 0.7, 0.01, ""),
    ],
)
def test_a_turn_is_marked_for_a_loss_well_outside_its_error(best, played, error, mark):
    move = judged(best, played, error)
    assert move.mark == mark
    assert move.loss == pytest.approx(max(0, best - played))
    assert move.error == error


def test_simulations_compare_with_the_search_of_the_next_position():
    """The best turn was searched alone, with an error of 0.03; what the turn played is worth comes later."""
    record = sgf.parse("(;GM[1]SZ[5];B[aa];W[bb])")
    positions = assessment.record_positions(record)
    before = Assessment(0.7, Score(0), None, ("C3",), compared=assessment.Estimate(0.65, 0.03))
    after = Assessment(0.6, Score(0), None, ("D4",), mean=assessment.Estimate(0.5, 0.04))
    move = assessment.judge_move(positions[0], before, positions[1], after)
    assert (move.loss, move.error) == (pytest.approx(0.15), pytest.approx(0.05))
    lost = Assessment(1.0, Score(WIN - 3), None, ("D4",), mean=assessment.Estimate(0.9, 0.04))
    move = assessment.judge_move(positions[0], before, positions[1], lost)
    assert move.loss == pytest.approx(0.65)
    unknown = Assessment(0.6, Score(0), None, ("D4",))
    move = assessment.judge_move(positions[0], before, positions[1], unknown)
    assert (move.error, move.mark) == (None, "")


def test_a_doubtful_turn_is_compared_again():
    """What counts is the mean of both comparisons."""
    record = sgf.parse("(;GM[1]SZ[5];B[aa];W[bb])")
    positions = assessment.record_positions(record)
    session, limits = Session(record.spec), Limit(nodes=50)

    def checked(best: float) -> assessment.JudgedMove:
        before = Assessment(0.7, Score(0), None, ("C3",), compared=assessment.Estimate(best, 0.03))
        after = Assessment(0.6, Score(0), None, ("D4",), mean=assessment.Estimate(0.5, 0.04))
        move = assessment.judge_move(positions[0], before, positions[1], after)
        with patch.object(searches, "compare", return_value=assessment.Comparison(0.5, 0.5, 0.2)) as compare:
            found = searches.checked(move, session, limits)
        assert compare.called == move.is_doubtful
        return found

    clear, doubtful = checked(0.53), checked(0.65)
    assert (clear.mark, clear.loss, clear.after_value.checked) == ("", pytest.approx(0.03), None)
    assert (doubtful.mark, doubtful.loss, doubtful.error) == ("?!", pytest.approx(0.075), pytest.approx(0.05))


def test_two_searches_that_disagree_are_no_loss():
    """The position before is worth 0.9 to one search, that after it 0.1 to another; compared, it is equal."""
    assert judged(0.5, 0.5, 0.02, rate=0.9).loss == 0


def test_a_side_that_plays_twice_in_a_row_is_asked_both_times():
    record = sgf.parse("(;GM[4]SZ[7];B[dd];B[aa];W[bb])")
    moves = reviewed(record, [0.0, 20.0, -20.0, 0.0]).moves
    assert [move.before.mover for move in moves] == [0, 0, 1]
    assert [move.value for move in moves] == [None, pytest.approx(0.7), 0.5]
    assert moves[0].loss == 0  # D4 is what the engine would have played
    assert moves[1].loss == 0


def test_a_game_for_a_challenge_is_judged_by_itself():
    position, turns = contest(), []
    for turn in (JUMP, "challenge", *BLACK_WINS):
        turns.append((position.side_to_move, turn))
        position.push(turn)
    found = assessment.record_positions(Record(GameSpec.parse(SPEC), READY, turns))
    assert [entry.other and entry.other.name for entry in found[:3]] == [None, None, "gomoku"]
    assert found[-1].other is None
    worth = Assessment(0.4, Score(-30), None, ("x",))
    values = [move.value for move in Review(position.spec, found, [worth] * len(found), Limit()).moves]
    assert values[:3] == [0.6, None, 0.6]  # a challenge leads from GIPF to Gomoku
    assert values[-1] == 1.0  # five in a row, whatever that is worth in GIPF


@pytest.mark.parametrize(("kind", "turn"), [("outside", "result-challenger"), ("coin:seed=7", "tails")])
def test_the_result_of_a_trial_is_not_judged(review, game, kind, turn):
    spec = GameSpec.parse(with_contest(kind))
    game.write_text(sgf.write(Record(spec, READY, [(0, JUMP), (1, "challenge"), (1, turn)])))
    code, out, _ = review(game, *EFFORT, "--json")
    assert code == 0
    jump, challenge, trial, _, summary = map(json.loads, out.splitlines())
    assert (trial["played"], trial["best"], trial["pv"]) == (turn, "", [])
    assert (trial["playedwinrate"], trial["loss"], trial["mark"]) == (None, None, "")
    assert challenge["playedwinrate"] == pytest.approx(trial["winrate"], abs=2e-4)
    assert summary["summary"]["black"]["turns"] == 1
    assert jump["side"] == "white"
    code, out, _ = review(game, *EFFORT)
    assert f"  {turn}" in out
    assert "Engine: \n" not in annotated_of(game).read_text()


# ---- refusals ----


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--out", "game.txt"], "--out: expected a file named *.sgf, got 'game.txt'"),
        (["--out", "{game}"], "--out: expected a file other than the record"),
        (["--out", "{game}/x.sgf"], "Not a directory (--out FILE.sgf names another place)"),
        (["--moves", "A1"], "--moves requires --turn, which names a position"),
        (["--multipv", "2"], "--multipv requires --turn, which names a position"),
        (["--turn", "9"], "--turn: expected a number from 0 to 8, or last, got 9"),
        (["--turn", "first"], "expected the number of a turn, 0 for the start, or last, got 'first'"),
        (["--turn", "1", "--out", "x.sgf"], "--out requires FILE.sgf without --turn"),
        (["--turn", "1", "--restart"], "--restart requires FILE.sgf without --turn"),
        (["--plot", "graph.pdf"], "--plot: expected a file named *.png or *.svg, got 'graph.pdf'"),
        (["--plot", "{game}/graph.png"], "--plot: expected a writable folder"),
        (["--turn", "1", "--variations"], "--variations requires FILE.sgf without --turn"),
        (["--html", "page.txt"], "--html: expected a file"),
        (["--html", "missing/page.html"], "--html: expected a file"),
        (["--svg", "x.svg"], "--svg requires --turn, which names a position"),
        (
            ["--turn", "1", "--svg", "no/x.svg"],
            "--svg: expected a file in an existing folder, got 'no/x.svg'",
        ),
        (["--turn", "1", "--svg", "."], "--svg: expected a file in an existing folder, got '.'"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(review, game, arguments, complaint):
    if "--plot" in arguments:
        pytest.importorskip("matplotlib")
    code, out, err = review(game, *(argument.format(game=game) for argument in arguments))
    assert (code, out) == (2, "")
    assert len(err) == 1
    assert complaint in err[0]
    assert [path.name for path in game.parent.iterdir()] == ["game.sgf"]


def test_an_illegal_turn_ends_the_review_and_is_named(review, game):
    game.write_text(BLUNDER.replace("W[gg]", "W[dd]"))
    code, out, err = review(game, "--strict")
    assert (code, out) == (2, "")
    assert "turn 6: illegal turn 'd4'" in err[0]
    assert [path.name for path in game.parent.iterdir()] == ["game.sgf"]
    code, out, err = review(game)
    named = "turn 6: illegal turn 'd4': d4 is occupied [M-1]; left out from there: 3 turns"
    assert (code, err) == (0, [f"tengen: {game}: {named}"])
    assert [line.split()[0] for line in out.splitlines()[3:9]] == ["0", "1", "2", "3", "4", "5"]
    assert ";W[dd]WL[9];B[dc];W[ga]" in annotated_of(game).read_text()


def test_a_position_set_up_in_the_middle_begins_a_part(review, game):
    game.write_text("(;GM[4]SZ[7]RU[Renju];B[dd];W[cc];AE[cc]AW[ee];B[gg];W[aa])")
    code, out, err = review(game, "--depth", "1")
    assert (code, err) == (0, [])
    rows = [line.split() for line in out.splitlines()[3:9]]
    assert [row[0] for row in rows] == ["0", "1", "2", "2", "3", "4"]
    assert rows[3][1:3] == ["set", "up"]
    code, out, _ = review(game, "--depth", "1", "--json")
    assert [json.loads(line)["played"] for line in out.splitlines()[:-1]] == [
        "D4",
        "C5",
        None,
        "G1",
        "A7",
        None,
    ]


# ---- appearances ----


def test_progress_is_shown_on_a_terminal_only(game):
    pty = pytest.importorskip("pty")
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 90, 0, 0))
    with process("analyze", str(game), *EFFORT, stdout=theirs, stderr=theirs) as running:
        os.close(theirs)
        shown = b""
        while chunk := read_terminal(ours):
            shown += chunk
        assert running.wait(PATIENCE) == 0
    os.close(ours)
    text = shown.decode()
    assert "9 [" in text
    assert "position" in text
    last_screen = [line.rpartition("\r")[2] for line in text.replace("\r\n", "\n").splitlines()]
    assert sum(bool(ROW.fullmatch(line)) for line in last_screen) == 8


def test_a_graph_needs_matplotlib(review, game, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = review(game, *EFFORT, "--plot", str(game.with_suffix(".png")))
    assert (code, out) == (2, "")
    assert err == [f"tengen: error: --plot needs matplotlib: {install_command('plot')}"]
    assert [path.name for path in game.parent.iterdir()] == ["game.sgf"]


@pytest.mark.parametrize(("suffix", "begins"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_a_graph_is_drawn(review, game, suffix, begins):
    pytest.importorskip("matplotlib")
    picture = game.with_suffix(suffix)
    code, out, err = review(game, *EFFORT, "--plot", str(picture))
    assert (code, err) == (0, [])
    assert out.endswith(f"written to {annotated_of(game)}, {picture}\n")
    assert picture.read_bytes().startswith(begins)
    if suffix == ".svg":
        text = picture.read_text()
        assert "Black: A]" in text
        assert "win rate of black" in text
        assert "lead of" not in text


def test_a_graph_has_the_lead_where_it_is_known(tmp_path):
    pytest.importorskip("matplotlib")
    from tengen.apps.review.pages import plot

    record = sgf.parse("(;GM[4]SZ[7]PB[$x$]PW[五子棋];B[dd];W[aa])")
    path = tmp_path / "graph.svg"
    plot.write(path, record, reviewed(record, [1.0, -3.25, 20.0]))
    assert "lead of black, points" in path.read_text("utf-8")
    assert "$x$" in path.read_text("utf-8")


def test_a_position_knows_its_mover():
    record = sgf.parse("(;GM[4]SZ[7];B[dd])")
    first, last = assessment.record_positions(record)
    assert isinstance(first, ReviewPosition)
    assert (first.mover, first.played, last.mover, last.played) == (0, "D4", 1, "")
