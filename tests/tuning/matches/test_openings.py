"""Openings: legal, different, reproducible."""

import itertools
import json

import pytest

from tengen.apps.cli import main as cli
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning import openings
from tengen.tuning.openings import (
    BalancedTurns,
    OpeningSource,
    RandomTurns,
    opening_text,
    parse_opening,
    parse_openings,
    start_and_turns,
)

DVONN, SMALL = GameSpec.parse("dvonn"), GameSpec.parse("gomoku,size=5")
NINE = GameSpec.parse("gomoku,size=9")


def first(count: int, spec: GameSpec, turns: int, seed: int) -> list[tuple[str, ...]]:
    return list(itertools.islice(RandomTurns(turns).draw(spec, seed), count))


def played(spec: GameSpec, opening: tuple[str, ...]) -> Position:
    position = Position.start(spec)
    for turn in opening:
        position.push(turn)
    return position


@pytest.mark.parametrize("spec", [DVONN, SMALL])
def test_openings_are_playable_undecided_and_of_the_length_asked_for(spec):
    for opening in first(20, spec, 6, 1):
        assert len(opening) == 6
        assert played(spec, opening).outcome() == Outcome.ONGOING


def test_no_two_openings_are_the_same_position_even_mirrored():
    drawn = first(40, SMALL, 2, 1)
    keys = [
        min(int(state.key) for state in SMALL.game.rules.symmetries(played(SMALL, opening).state))
        for opening in drawn
    ]
    assert len(set(keys)) == 40


def test_same_seed_gives_the_same_openings_and_more_of_them_begin_alike():
    assert first(10, DVONN, 4, 7) == first(20, DVONN, 4, 7)[:10]
    assert first(10, DVONN, 4, 7) != first(10, DVONN, 4, 8)


def test_exhausted_openings_say_how_many_there_are():
    with pytest.raises(OptionError, match=r"after 1 random turns of gomoku,size=5, found 6;"):
        first(7, SMALL, 1, 1)


def test_no_turns_is_the_start_every_time():
    assert first(3, DVONN, 0, 1) == [(), (), ()]


@pytest.mark.parametrize("effort", [None, 5_000])
def test_balanced_openings_differ_and_a_search_finds_them_even(effort):
    drawn = list(itertools.islice(BalancedTurns(8, effort).draw(NINE, 1), 4))
    positions = [played(NINE, opening) for opening in drawn]
    keys = {min(int(s.key) for s in NINE.game.rules.symmetries(p.state)) for p in positions}
    assert len(keys) == 4
    for position in positions:
        line = Worker(hash_mb=8).search(position, Limit(nodes=effort or 30_000)).lines[0]
        assert abs(line.win_rate(position.scale) - 0.5) <= 0.06
    assert drawn[:2] == list(itertools.islice(BalancedTurns(8, effort).draw(NINE, 1), 2))


def test_a_game_without_balanced_positions_is_given_up(monkeypatch):
    monkeypatch.setitem(openings.BALANCED_TRIES, "mcts", 5)
    with pytest.raises(OptionError, match=r"expected a balanced position among 5 of go,size=5,komi=90\.0, "):
        next(BalancedTurns(8).draw(GameSpec.parse("go,size=5,komi=90"), 1))


@pytest.mark.parametrize("komi", [9, -3])  # what searches visit is balanced, and is not
def test_balanced_openings_of_go_are_drawn_by_visits(komi):
    spec = GameSpec.parse(f"go,size=7,rules=chinese,komi={komi}")
    drawn = list(itertools.islice(BalancedTurns(8).draw(spec, 1), 3))
    for position in (played(spec, opening) for opening in drawn):
        line = Worker(hash_mb=8).search(position, Limit(nodes=1000)).lines[0]
        assert abs(line.win_rate(position.scale) - 0.5) <= 0.06
    edges = [turn[0] in "AG" or turn[1] in "17" for opening in drawn for turn in opening]
    assert any(edges) == (komi < 0)


def test_command_writes_openings_that_a_match_plays(tmp_path, capsys):
    file = tmp_path / "openings.txt"
    draw = ["openings", "--game", str(NINE), "--count", "2"]
    assert cli.main([*draw, "--out", str(file)]) == 0
    assert cli.main(draw) == 0
    assert capsys.readouterr().out == file.read_text()
    match = ["match", "--game", str(NINE), "--first", "greedy", "--second", "random", "--json"]
    out = ["--out", str(tmp_path / "match.sqlite")]
    assert cli.main([*match, "--games", "4", "--openings", str(file), *out]) == 0
    *games, report = map(json.loads, capsys.readouterr().out.splitlines())
    assert [game["opening"] for game in games] == [
        x.split() for x in file.read_text().splitlines() for _ in "ab"
    ]
    assert report["match"]["openings"] == str(file)
    more = ["--games", "6", "--openings", str(file), "--out", str(tmp_path / "more.sqlite")]
    assert cli.main([*match, *more]) == 2
    assert capsys.readouterr().err.endswith(
        f"expected an opening for every pair of games, found 2 in {file}\n"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "openings.txt: expected openings, one in each line or record, got none"),
        ("E5 E6\nE5 E5", "openings.txt, line 2: "),
        ("E5\n\nE5 # again", "openings.txt, line 3: expected a new position, got that of line 1"),
        ("A1 B1\nJ9 J8", "line 2: expected a new position, got that of line 1"),
        ("A1 B1 A2 B2 A3 B3 A4 B4 A5", "line 1: expected a game that goes on, got A1 B1 A2"),
    ],
)
def test_bad_file_of_openings_names_the_line(text, complaint, tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text(text)
    with pytest.raises(OptionError) as error:
        parse_openings(str(file), NINE)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("line", "turns"),
    [
        ("0,0, 1,-1, -4,4", ("E5", "F6", "A1")),  # offsets to the right and down
        ("0,0 1,-1", ("E5", "F6")),
        ("e5f6i1", ("E5", "F6", "J1")),  # with the letter i
        (
            "........./........./........./.....O.../....X..../........./........./........./X........ w;x",
            ("E5", "F6", "A1"),
        ),
        ("E5", ("E5",)),
    ],
)
def test_openings_of_five_in_a_row_have_other_forms(line, turns, tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text(f"{line} # a comment\n")
    assert drawn(parse_openings(str(file), NINE)) == [turns]


EMPTY_ROWS = "/........." * 8
REST = "- 0 0 0"  # of a position of Go: ko, prisoners, passes


@pytest.mark.parametrize(
    ("game", "line", "complaint"),
    [
        ("gomoku,size=9", "5,0", "line 1: expected offsets within a board of 9 points a side, got 5,0"),
        ("gomoku,size=9", "X......../.... b", "line 1: expected 9 rows, got 2"),
        ("gomoku,size=9", f".........{EMPTY_ROWS} x", "line 1: expected b or w to move, got 'x'"),
        ("gomoku,size=9", f"XX.......{EMPTY_ROWS} b", "line 1: expected as many stones of both sides"),
        ("gomoku,size=9", "a1a10", "line 1: record: turn 2: expected a point from a1 to i9"),
        ("gobang,size=9", f"XO.......{EMPTY_ROWS} x", "line 1: "),
        ("dvonn", "-,B1/- w m", "line 1: position: expected 5 rows, got 2"),
        (
            "go,size=2",
            f"../.. b {REST}; A1\n../.. b {REST}; A2",
            "line 2: expected a new position, got that of line 1",
        ),
        ("go,size=2", f"../.. b {REST}; A1 A1", "line 1: illegal turn 'A1'"),
    ],
)
def test_a_line_that_is_no_opening_is_refused(game, line, complaint, tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text(line)
    with pytest.raises(OptionError) as error:
        parse_openings(str(file), GameSpec.parse(game))
    assert complaint in str(error.value)


def test_openings_may_be_positions_and_turns_after_them(tmp_path):
    spec = GameSpec.parse("go,size=5,komi=0.5")
    file, record = tmp_path / "openings.txt", tmp_path / "set-up.sgf"
    lines = [
        f"...../...../..X../...../..... w {REST} ; B2 A1 # a comment",
        f"...../...../..X../...../.O... b {REST}",
        "A1",
    ]
    file.write_text("\n".join(lines))
    source = parse_openings(str(file), spec)
    listed = list(itertools.islice(source.draw(spec, 1), 3))
    assert [start_and_turns(opening)[1] for opening in listed] == [("B2", "A1"), (), ("A1",)]
    assert start_and_turns(listed[0])[0] == f"...../...../..X../...../..... w {REST}"
    assert start_and_turns(listed[2])[0] is None
    assert source.longest == 2
    assert [parse_opening(opening_text(opening)) for opening in listed] == listed
    record.write_text("(;GM[1]SZ[5]KM[0.5]AB[cc]PL[W];W[bd])")
    (opening,) = parse_openings(str(record), spec).listed
    assert start_and_turns(opening) == (start_and_turns(listed[0])[0], ("B2",))


def test_records_of_other_programs_are_openings(tmp_path):
    (tmp_path / "a.psq").write_text("Piskvorky 9x9, 0:0, 0\n5,5,0\n6,4,0\nA\nB\n-1\n")
    assert drawn(parse_openings(str(tmp_path), NINE)) == [("E5", "F6")]


@pytest.mark.parametrize("text", ["-1", "balance", "1.5", "no/such/file"])
def test_other_sources_of_openings_are_refused(text):
    with pytest.raises(
        OptionError, match="--openings: expected a whole number from 0, balanced, a file or a folder of rec"
    ):
        parse_openings(text, NINE)


def drawn(source: OpeningSource) -> list[tuple[str, ...]]:
    """Return all openings of a file."""
    return list(itertools.islice(source.draw(NINE, 1), len(source.listed)))


RECORD = "(;GM[4]SZ[9];B[ee];W[ef];B[{}];W[ab];B[ac];W[ad];B[ae];W[af];B[ag];W[ah])"


def test_openings_are_the_first_turns_of_records(tmp_path):
    for name, point in (("a", "fe"), ("b", "fe"), ("c", "ge")):
        (tmp_path / f"{name}.sgf").write_text(RECORD.format(point))
    (tmp_path / "notes.txt").write_text("no record")
    usual = parse_openings(str(tmp_path), NINE)
    assert [opening[:3] for opening in drawn(usual)] == [("E5", "E4", "F5"), ("E5", "E4", "G5")]
    assert usual.longest == 8
    assert drawn(parse_openings(str(tmp_path / "c.sgf"), NINE, turns=3)) == [("E5", "E4", "G5")]


def test_openings_of_a_file_are_cut_off_and_shuffled(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("\n".join(f"E5 {column}{row} A1" for column in "ABCD" for row in range(2, 5)))
    cut = parse_openings(str(file), NINE, turns=2)
    assert cut.longest == 2
    assert len(drawn(cut)) == 9  # twelve, of which three are mirror images
    shuffled = parse_openings(str(file), NINE, turns=2, shuffle=True)
    assert sorted(drawn(shuffled)) == sorted(drawn(cut))
    assert drawn(shuffled) != drawn(cut)
    assert drawn(shuffled) == drawn(shuffled)
    assert shuffled.identity(NINE) != cut.identity(NINE)


def test_records_of_another_game_are_no_openings(tmp_path):
    (tmp_path / "go.sgf").write_text("(;GM[1]SZ[9];B[ee])")
    with pytest.raises(OptionError, match=r"go\.sgf: expected a record of gomoku,size=9, got one of"):
        parse_openings(str(tmp_path), NINE)
