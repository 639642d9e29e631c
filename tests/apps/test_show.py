"""The command ``tengen show``, and the arguments that name a position."""

import argparse
import json
from xml.etree import ElementTree

import pytest

from tengen.apps.cli.main import Parser
from tengen.protocol.arguments import int_in_range, positive_int, positive_seconds
from tests.rules.test_repetition import GIPF_PIECES

RECORD = "(;GM[4]SZ[5];B[aa];W[bb])"


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(RECORD, "utf-8")
    return str(path)


def test_position_is_shown_as_text(printed):
    assert printed("show", "--game", "gomoku,size=5", "--moves", "A1 C3").splitlines() == [
        "   a b c d e",
        " 5 . . . . . 5",
        " 4 . . . . . 4",
        " 3 . . O . . 3",
        " 2 . . . . . 2",
        " 1 X . . . . 1",
        "   a b c d e",
        "Black to move",
        "",
        "position ...../...../..O../...../X.... b",
        "side black",
        "outcome ongoing",
    ]


@pytest.mark.parametrize("moves", ["h8 i9 j10", "H8 I9 J10", "H8 J9 K10"])
def test_five_in_a_row_is_shown_and_typed_with_the_letter_i(printed, moves):
    """Small letters and capitals with an I are as players write them; other capitals are GTP's."""
    above, *lines = printed("show", "--game", "gomoku", "--moves", moves, "--numbers").splitlines()
    assert above.split() == [*"abcdefghijklmno"]
    cells = {line.split()[0]: line.split()[1:-1] for line in lines[:15]}
    assert (cells["8"][7], cells["9"][8], cells["10"][9]) == ("X1", "O2", "X3")
    drawn = printed("show", "--game", "gomoku", "--moves", moves, "--svg", "-")
    assert 'data-place="j10"' in drawn
    assert ">i</text>" in drawn
    assert ">A</text>" not in drawn
    played = json.loads(printed("show", "--game", "gomoku", "--moves", moves, "--json"))["played"]
    assert played == ["H8", "J9", "K10"]


def test_finished_game_says_who_has_won(printed):
    moves = "A1 A2 B1 B2 C1 C2 D1 D2 E1"
    shown = printed("show", "--game", "gomoku,size=5", "--moves", moves)
    assert shown.splitlines()[-1] == "outcome black B+1"


def test_a_draw_by_repetition_names_its_rule(printed):
    arguments = ["show", "--game", GIPF_PIECES.spec, "--position", GIPF_PIECES.text]
    arguments += ["--moves", " ".join(2 * GIPF_PIECES.turns)]
    *_, outcome, reason = printed(*arguments).splitlines()
    assert (outcome, reason) == ("outcome draw 0", "reason the position has occurred three times [R-1]")
    shown = json.loads(printed(*arguments, "--json"))
    assert (shown["outcome"], shown["turns"]) == ("draw 0", [])
    assert shown["reason"] == "the position has occurred three times [R-1]"


def test_json_is_one_object(printed):
    position = "XO.../...../...../...../..... b"
    shown = json.loads(
        printed("show", "--game", "gomoku,size=5", "--position", position, "--moves", "C3", "--json")
    )
    assert list(shown) == ["game", "position", "side", "outcome", "turns", "played"]
    assert shown["game"] == "gomoku,size=5"
    assert shown["position"] == "XO.../...../..X../...../..... w"
    assert (shown["side"], shown["outcome"], shown["played"]) == ("white", "ongoing", ["C3"])
    assert len(shown["turns"]) == 22


def test_record_says_what_the_game_is(printed, record):
    shown = json.loads(printed("show", record, "--moves", "C3", "--json"))
    assert (shown["game"], shown["played"]) == ("gomoku,size=5", ["A5", "B4", "C3"])


def test_the_rules_of_a_record_are_named_or_assumed(tengen, printed, record, tmp_path):
    code, out, err = tengen("show", "--list", "--game", "gomoku:renju", record)
    assert (code, "gomoku:renju,size=5" in out, err) == (0, True, "")
    assert tengen("show", "--game", "gomoku,size=5", record, "--strict")[::2] == (0, "")
    code, _, err = tengen("show", record)
    assert code == 0
    assert "the record does not say RU: read as gomoku,size=5 (--game names others)" in err
    assert "expected size=5, as the record says" in printed("show", "--game", "gomoku,size=9", record, code=2)
    assert "expected gomoku, as the record says" in printed("show", "--game", "dvonn", record, code=2)
    silent = tmp_path / "silent.sgf"  # which is a game of Go, if nobody says more
    silent.write_text("(;FF[4];W[a1];B[a2])", "utf-8")
    assert "dvonn  2 turns" in printed("show", "--list", "--game", "dvonn", str(silent))


def test_svg_goes_to_a_file_beside_the_text(printed, tmp_path):
    assert "side white" in printed("show", "--game", "dvonn", "--svg", str(tmp_path / "x.svg"))
    ElementTree.parse(tmp_path / "x.svg")


@pytest.mark.parametrize("name", ["game.sgf", "game.sgf#2"])
def test_a_drawing_does_not_take_the_place_of_the_record(printed, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    games = "(;GM[4]SZ[7];B[dd])(;GM[4]SZ[7];B[aa])"
    record = tmp_path / "game.sgf"
    record.write_text(games)
    turn = ["--turn", "1"]
    for command in (["show", name], ["analyze", name, *turn], ["show", name, *turn]):
        said = printed(*command, "--svg", "game.sgf", code=2)
        assert "--svg: expected a file other than the one that is read, got 'game.sgf'" in said
    said = printed("convert", name, "game.sgf", code=2)
    assert "OUT: expected a file other than the one that is read, got 'game.sgf'" in said
    assert record.read_text() == games


def test_svg_goes_to_stdout_instead_of_the_text(printed):
    ElementTree.fromstring(printed("show", "--game", "dvonn", "--svg", "-"))


def test_png_goes_to_a_file(printed, tmp_path):
    pytest.importorskip("PIL")
    printed("show", "--game", "dvonn", "--png", str(tmp_path / "x.png"))
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "name a game, such as --game dvonn, or a FILE.sgf"),
        ("--game dvon", "did you mean 'dvonn'?"),
        ("--game dvonn --position x", "position: expected five rows"),
        ("--game dvonn --moves a1,z9", "turn 1: turn: expected a placement"),
        ("--game dvonn --svg a --png b", "--svg and --png exclude each other"),
        ("--game dvonn --png -", "--png: expected a file"),
        ("--game dvonn --svg no/such/folder/x.svg", "--svg: expected a file in an existing folder"),
        ("--game dvonn --png no/such/folder/x.png", "--png: expected a file in an existing folder"),
        ("--game dvonn --json --svg -", "--json and --svg - exclude each other"),
        ("game.sgf --list --numbers", "--list and --numbers exclude each other"),
        ("--game dvonn --colour red", "unrecognized arguments"),
        ("--game", "expected one argument"),
        ("no-such-file.sgf", "'no-such-file.sgf': No such file or directory"),
        ("game.sgf --position x", "--position and FILE.sgf exclude each other"),
    ],
)
def test_bad_input_is_refused_in_one_line(printed, arguments, message):
    assert message in printed("show", *arguments.split(), code=2)


def test_an_illegal_turn_of_a_record_ends_what_is_shown_and_is_named(tengen, printed, tmp_path):
    path = tmp_path / "bad.sgf"
    path.write_text("(;GM[4]SZ[5]RU[Freestyle];B[cc];W[cc];B[aa])", "utf-8")
    code, out, err = tengen("show", str(path))
    assert code == 0
    assert "position ...../...../..X../...../..... w" in out
    named = "turn 2: illegal turn 'c3': c3 is occupied [M-1]; left out from there: 2 turns"
    assert err == f"tengen: {path}: {named}\n"
    assert named in printed("show", str(path), "--strict", code=2)


COLLECTION = (
    "(;GM[1]SZ[5]KM[0]RU[Chinese]PB[Ann]PW[Bob];B[cc];W[bc];B[dd];AE[dd]AB[db];W[bb])"
    "(;GM[4]SZ[5]RU[Renju];B[cc])(;GM[7])"
)


def test_the_games_of_a_file_are_listed_and_shown_by_number(tengen, printed, tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text(COLLECTION)
    code, out, _ = tengen("show", str(path), "--list")
    assert code == 2
    first, second, third = out.splitlines()
    assert first.split() == ["1", "go,size=5,rules=chinese", "4", "turns", "Ann", "-", "Bob"]
    assert second.split() == ["2", "gomoku:renju,size=5", "1", "turns"]
    assert third.startswith("   3  record: expected a game spec in TG")
    for arguments in ([f"{path}#2"], [str(path), "--record", "2"]):
        assert printed("show", *arguments).splitlines()[3] == " 3 . . X . . 3"
    code, _, err = tengen("show", str(path))
    assert code == 0
    assert "holds 3 games, this is the first" in err
    assert "from 1 to 3, got 4" in printed("show", f"{path}#4", code=2)


def test_turns_have_numbers_and_a_position_may_be_set_up_in_the_middle(printed, tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text(COLLECTION)
    lines = printed("show", f"{path}#1", "--numbers").splitlines()
    assert lines[2:4] == [" 4  . O4  .  X  . 4", " 3  . O2 X1  .  . 3"]
    assert ">4</text>" in (drawn := printed("show", f"{path}#1", "--numbers", "1", "--svg", "-"))
    assert ">2</text>" not in drawn.replace(">2</text>", "", 2)  # coordinates
    shown = json.loads(printed("show", f"{path}#1", "--turn", "3", "--json"))
    assert shown["position"] == "...../...X./.OX../...../..... w - 0 0 0"


@pytest.mark.parametrize(
    "text", ["-1", "0", "nan", "inf", "-inf", "1e12", "1e999", "", "1_0", "ten", "٣", "0x1"]
)
def test_seconds_are_positive_and_finite(text):
    with pytest.raises(argparse.ArgumentTypeError) as refused:
        positive_seconds(text)
    assert str(refused.value) == f"expected a positive number of seconds up to 1000000, got {text!r}"


def test_seconds_are_read():
    assert [positive_seconds(text) for text in ("1", "0.05", ".5", "1e3")] == [1, 0.05, 0.5, 1000]


@pytest.mark.parametrize("text", ["-1", "0", "nan", "1.5", "1e3", "1000000000000", "", "1_0", "٣"])
def test_counts_are_positive_whole_numbers(text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected a whole number from 1 to "):
        positive_int(text)


def test_counts_are_read():
    assert positive_int("100") == 100
    assert [int_in_range(0, 9)(text) for text in ("0", "9")] == [0, 9]


def test_refused_number_names_its_argument(capsys):
    parser = Parser(prog="tengen test")
    parser.add_argument("--time", type=positive_seconds)
    with pytest.raises(SystemExit):
        parser.parse_args(["--time", "-1"])
    expected = "argument --time: expected a positive number of seconds up to 1000000, got '-1'"
    assert capsys.readouterr().err == f"tengen test: error: {expected} (see tengen test --help)\n"
