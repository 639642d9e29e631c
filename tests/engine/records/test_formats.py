"""Records of other programs: Piskvork's files, and turns in one string."""

import pytest

from tengen.apps.cli.main import EXIT_USAGE, main
from tengen.engine import sgf
from tengen.engine.errors import TengenError
from tengen.engine.formats import files, psq, renju
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tests.engine.records import comments

GOMOKU = GameSpec.parse("gomoku")
LINES = (
    "Piskvorky 15x15, 11:11, 0",
    "8,8,1500",
    "9,7,800",
    "7,9,1",
    "RAPFI.zip",
    "JAX.zip",
    "-1",
    "0,Freestyle",
)
PSQ = "".join(f"{line}\r\n" for line in LINES)


def test_a_file_of_piskvork_is_read_with_names_and_times():
    record = psq.read(PSQ, GOMOKU)
    assert record.turns == [(0, "H8"), (1, "J9"), (0, "G7")]
    assert record.properties["PB"] == ["RAPFI.zip"]
    assert record.properties["PW"] == ["JAX.zip"]
    assert comments(record) == {0: "1.500 s", 1: "0.800 s", 2: "0.001 s"}


def test_a_file_of_piskvork_sets_the_size_of_the_board():
    record = psq.read("Piskvorky 20x20, 0:0, 0\n1,1,0\n20,20,0\n-1\n", GameSpec.parse("gomoku:renju"))
    assert record.spec == GameSpec.parse("gomoku:renju,size=20")
    assert record.turns == [(0, "A20"), (1, "U1")]


def test_what_piskvork_can_hold_comes_back():
    text = "Piskvorky 15x15, 0:0, 0\n8,8,1500\n9,7,800\nRAPFI.zip\nJAX.zip\n-1\n"
    assert psq.write(psq.read(text, GOMOKU)) == text


@pytest.mark.parametrize(
    ("spec", "suffix", "root", "turns", "lost"),
    [
        ("gomoku,size=19", ".txt", {}, [(0, "A19")], "the rules (gomoku,size=19)"),
        ("gobang", ".psq", {}, [(0, "A19")], "the rules (gobang), GN: 1"),
        ("go,size=9,ko=positional", ".ugf", {}, [(0, "E5")], "the rules (go,size=9,ko=positional)"),
        ("gipf:basic,white=17", ".txt", {}, [(0, "a4-c6")], "the rules (gipf:basic,white=17)"),
        ("gomoku", ".psq", {"PB": ["1234"], "PW": ["Bob"]}, [(0, "H8")], "PB: 1"),
        ("go,size=9", ".ugf", {"C": ["see\n[Data]\nand more"]}, [(0, "E5")], "comments: 1"),
        ("dvonn", ".txt", {"RE": ["B+R"]}, [(0, "a1")], "RE: 1"),
        ("dvonn", ".txt", {"RE": ["W+R"], "PW": ["[A] Ann"]}, [(0, "a1")], "PW: 1"),
    ],
)
def test_what_is_lost_is_named_and_nothing_else_changes(tmp_path, spec, suffix, root, turns, lost):
    record = Record(GameSpec.parse(spec), turns=turns, properties=root)
    data, said = files.write([record], tmp_path / f"game{suffix}")
    assert said == lost
    if "rules" in lost:
        return
    (tmp_path / f"game{suffix}").write_bytes(data)
    again = files.read_file(tmp_path / f"game{suffix}", "dvonn" if spec == "dvonn" else None)
    assert again.turns == turns
    assert again.value("PW") in ("", "A Ann", root.get("PW", [""])[0])
    assert again.root.comment in ("", "see\nand more")


def test_a_resignation_of_the_side_to_move_is_held_by_a_transcript(tmp_path):
    record = Record(GameSpec.parse("dvonn"), turns=[(0, "a1")], properties={"RE": ["W+R"]})
    assert files.write([record], tmp_path / "game.txt") == (b"1. a1 resign\n", "")


def test_files_of_one_name_are_converted_to_several_and_to_the_same_again(tmp_path):
    source, target = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    (source / "game.psq").write_text(PSQ)
    for name, player in (("game.sgf", "Carl"), ("game.SGF", "Dora")):
        (source / name).write_text(f"(;GM[4]SZ[15]PB[{player}];B[gg])")
    for _ in range(2):
        assert main(["convert", str(source), str(target)]) == 0
        found = {path.name: sgf.read_file(path).value("PB") for path in target.iterdir()}
        assert sorted(found.values()) == ["Carl", "Dora", "RAPFI.zip"]
        assert found["game.psq.sgf"] == "RAPFI.zip"


def test_turns_in_one_string_use_the_letter_i():
    record = renju.read(" h8 I9,g7\n", GOMOKU)
    assert record.turns == [(0, "H8"), (1, "J9"), (0, "G7")]
    assert renju.write(record) == "h8i9g7\n"


@pytest.mark.parametrize(
    ("read", "text", "complaint"),
    [
        (psq.read, "", "expected Piskvorky WIDTHxHEIGHT in the first line, got ''"),
        (
            psq.read,
            "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,x,0\n1,1,0\n",
            "record: turn 2: expected X,Y,MS, got '9,x,0'",
        ),
        (psq.read, "Piskvorky 15x12, 0:0, 0", "expected a square board, got 15x12"),
        (psq.read, "Piskvorky 15x15, 0:0, 0\n16,1,0", "turn 1: expected a point of the board, got '16,1,0'"),
        (psq.read, "Piskvorky 99x99, 0:0, 0\n8,8,0", "size"),
        (renju.read, "", "expected turns such as h8i9g7, got ''"),
        (renju.read, "h8 pass", "expected turns such as h8i9g7, got 'h8 pass'"),
        (renju.read, "h8p1", "turn 2: expected a point from a1 to o15, got 'p1'"),
        (renju.read, "h8i9" * 10_000, "expected at most 10,000 turns, got 40,000 characters"),
        (psq.read, PSQ.splitlines()[0] + "\n1,1,1" * 10_001, "expected at most 10,000 turns, got more"),
    ],
)
def test_a_bad_text_is_refused(read, text, complaint):
    with pytest.raises(TengenError) as error:
        read(text, GOMOKU)
    assert complaint in str(error.value)


@pytest.mark.parametrize("write", [psq.write, renju.write])
@pytest.mark.parametrize(
    "record",
    [
        Record(GameSpec.parse("dvonn"), turns=[(0, "c3")]),
        Record(GOMOKU, turns=[(0, "H8"), (0, "H9")]),
        Record(GameSpec.parse("gomoku,size=5"), "XO.../...../...../...../..... w", [(1, "C3")]),
    ],
)
def test_what_a_format_cannot_hold_is_refused(write, record):
    with pytest.raises(TengenError, match="record: expected"):
        write(record)


def test_the_command_converts_by_suffix(tmp_path, capsys):
    first, second, third = (tmp_path / name for name in ("game.psq", "game.sgf", "game.txt"))
    first.write_text(PSQ)
    assert main(["convert", str(first), str(second), "--game", "gomoku:exactly-five"]) == 0
    assert sgf.read_file(second).spec == GameSpec.parse("gomoku:exactly-five")
    assert main(["convert", str(second), str(third)]) == 0
    assert third.read_text() == "h8i9g7\n"
    lost = ".txt cannot hold the rules (gomoku:exactly-five), PB: 1, PW: 1, comments: 3"
    assert capsys.readouterr() == ("", f"tengen: {second}: {lost}\n")
    assert main(["convert", str(second), str(third), "--strict"]) == EXIT_USAGE
    assert lost in capsys.readouterr().err


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (
            ("game.doc", "game.sgf"),
            "record: expected a file ending in .sgf, .lib, .psq, .txt, .gib, .ngf, .ugf, .ugi, got ",
        ),
        (("good.txt", "game.doc"), "record: expected a file ending in .sgf, .lib, .psq, .txt, .gib, .ngf, "),
        (("missing.psq", "game.sgf"), "No such file or directory"),
        (("folder.psq", "game.sgf"), "there are no records in the folder 'folder.psq'"),
        (("bad.txt", "game.sgf"), "bad.txt': record: expected turns such as h8i9g7"),
        (("good.txt", "no/such/game.sgf"), "OUT: expected a file in an existing folder"),
        (
            ("good.txt", "game.sgf", "--game", "zertz"),
            "expected one of dvonn, gipf, gobang, gomoku for .txt, got zertz",
        ),
    ],
)
def test_the_command_refuses_in_one_line(tmp_path, monkeypatch, capsys, names, complaint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.psq").mkdir()
    (tmp_path / "bad.txt").write_text("hello")
    (tmp_path / "good.txt").write_text("h8")
    assert main(["convert", *names]) == EXIT_USAGE
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert complaint in err
    assert not (tmp_path / "game.sgf").exists()
