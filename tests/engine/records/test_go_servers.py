"""Records of Go servers: GIB and NGF, read by pysgf, and UGF."""

import sys

import pytest

import tengen
from tengen.apps.cli.main import main
from tengen.engine import sgf
from tengen.engine.errors import OptionError, TengenError
from tengen.engine.formats import files, ugf
from tengen.engine.spec import GameSpec
from tests.engine.records import comments

GIB = """\\HS
\\[GAMEBLACKNAME=kim (9D)\\]
\\[GAMEWHITENAME=lee (8D)\\]
\\[GAMEINFOMAIN=GBKIND:3,GTYPE:0,GRLT:1,ZIPSU:35,DUM:0,GONGJE:65,TCDT:1\\]
\\[GAMETAG=S1,R3,D0,G65,W1,Z35,T30-3-600,C2017:03:05:10:22,I:kim,L:9\\]
\\HE
\\GS
INI 0 1 0 &4
STO 0 2 1 15 3
STO 0 3 2 3 15
\\GE
"""
NGF = """A game
19
lee 8D*
kim 9D*
www
2
0
0
20170305 [10:22]
30
White wins
2
PMABWDQDQD
PMACBQQQQQ
"""

UGF = """# a comment
[Header]
Lang=SJIS
Title=2001,Kisei,5
Place=Tokyo
PlayerB=趙,9d,x
PlayerW=Lee
Hdcp=0,5.50
Rule=JPN
Size=19
CoordinateType=IGS
Date=2001/02/03,10:00,2001/02/04,
Winner=W,C
[Data]
PD,B1,1,0
DP,W1,2,31 '00:00:31
YA,B1,3,0
[Figure]
.Text,0
about the game
.EndText
.Text,2
.#,4,16,A
a good
turn
.EndText
.Fig,2,1,1,19,19,x,1,0
QQ,B1,1,0
.Text
not read
.EndText
.EndFig
[End]
"""


def test_a_record_of_tygem_is_read():
    record = files.parse_data(GIB.encode(), ".gib")[0]
    assert str(record.spec) == "go,komi=6.5"
    assert record.turns == [(0, "Q16"), (1, "D4")]
    named = [record.properties[name] for name in ("PB", "BR", "PW", "WR", "RE", "DT")]
    assert named == [["kim"], ["9D"], ["lee"], ["8D"], ["W+3.5"], ["2017-03-05"]]


def test_a_record_of_wbaduk_is_read_with_its_handicap():
    record = files.parse_data(NGF.encode(), ".ngf")[0]
    assert record.spec.values["handicap"] == 2
    assert record.turns == [(1, "C4"), (0, "Q4")]


def test_the_command_converts_them(tmp_path, capsys):
    (tmp_path / "game.gib").write_text(GIB)
    assert main(["convert", str(tmp_path / "game.gib"), str(tmp_path / "game.sgf")]) == 0
    assert files.read_file(tmp_path / "game.sgf").turns == [(0, "Q16"), (1, "D4")]
    assert tengen.Record.read(tmp_path / "game.gib").main_line() == ["Q16", "D4"]
    assert main(["show", str(tmp_path / "game.gib"), "--json"]) == 0
    assert '"played": ["Q16", "D4"]' in capsys.readouterr().out


def test_a_record_of_pandanet_is_read_with_its_comments():
    record = ugf.read(UGF.encode("cp932"))
    assert str(record.spec) == "go,komi=5.5,rules=japanese"
    assert record.turns == [(0, "Q4"), (1, "D16"), (0, "pass")]
    assert comments(record) == {1: "a good\nturn"}
    named = [record.properties[name] for name in ("PB", "BR", "PW", "RE", "DT", "EV", "PC", "C")]
    said = ["趙", "9d", "Lee", "W+R", "2001-02-03", "2001, Kisei, 5", "Tokyo", "about the game"]
    assert named == [[value] for value in said]


def test_rows_count_from_the_top_and_handicap_stones_are_set_up():
    text = "[Header]\nHdcp=2,0.50\nSize=9\nWinner=B,3.50\n[Data]\nCG,B1,0,0\nGC,B1,0,0\nCC,W1,1,2\n"
    record = ugf.read(text.encode())
    assert record.spec.values["handicap"] == 2
    assert record.turns == [(1, "C7")]
    assert record.properties["RE"] == ["B+3.5"]


@pytest.mark.parametrize(
    ("winner", "result"),
    [("B,F", ["B+F"]), ("W,", ["W+"]), ("D,", ["0"]), ("N1,E", ["Void"]), ("P,", None), ("", None)],
)
def test_results_of_pandanet_are_as_sgf_has_them(winner, result):
    record = ugf.read(f"[Header]\nWinner={winner}\n[Data]\nAA,B1,1,0\n".encode())
    assert record.properties.get("RE") == result


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected the sections [Header] and [Data]"),
        ("[Header]\nSize=99\n[Data]\n", "expected Size from 2 to 19, got '99'"),
        ("[Data]\nAA,B1,1,0\nhello", "turn 2: expected one such as PD,B1,1,0, got 'hello'"),
        ("[Header]\nSize=9\n[Data]\nAJ,B1,1,0", "turn 1: expected a point from AA to II, got 'AJ,B1,1,0'"),
        ("[Data]\n" + "YA,B1,1,0\nYA,W1,2,0\n" * 5001, "expected at most 10,000 turns, got more"),
    ],
)
def test_what_is_no_record_of_pandanet_is_refused_in_one_line(tmp_path, text, complaint):
    path = tmp_path / "game.ugi"
    path.write_text(text)
    with pytest.raises(TengenError) as error:
        files.read_file(path)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "suffix"),
    [("", ".gib"), ("STO 0 1 1 99 0", ".gib"), ("STO", ".gib"), ("", ".ngf"), (GIB * 2, ".gib")],
)
def test_what_is_no_record_is_refused_in_one_line(text, suffix):
    with pytest.raises(TengenError, match="record: pysgf cannot read it") as error:
        files.parse_data(text.encode(), suffix)
    assert "\n" not in str(error.value)


def test_without_the_library_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysgf", None)
    with pytest.raises(OptionError, match=r"needs pysgf: .* -m pip install 'pysgf>=1.0'"):
        files.parse_data(GIB.encode(), ".gib")[0]


@pytest.mark.parametrize("suffix", [".gib", ".ngf", ".ugf"])
@pytest.mark.parametrize("text", [GIB, "handicap", "resigned"])
def test_what_is_written_for_a_server_is_read_back(tmp_path, suffix, text):
    if text == GIB:
        record = files.parse_data(GIB.encode(), ".gib")[0]
    elif text == "handicap":
        record = sgf.parse("(;GM[1]SZ[19]HA[2]AB[pd][dp]KM[0]RU[Japanese];W[dd];B[pp];W[cc])")
    else:
        record = sgf.parse("(;GM[1]SZ[19]KM[6.5]RU[Japanese]PB[kim]RE[B+R];B[dd]C[well];W[pp];B[aa];W[];B[])")
        if suffix == ".gib":
            with pytest.raises(TengenError, match="expected no pass before the end"):
                files.write([sgf.parse(record.to_sgf().replace("W[pp]", "W[]"))], tmp_path / "x.gib")
    data, lost = files.write([record], tmp_path / f"x{suffix}")
    again = files.parse_data(data, suffix)[0]
    turns = [turn for turn in record.turns if suffix != ".gib" or turn[1] != "pass"]
    assert again.turns == turns
    names = ("komi", "handicap", "size")
    assert [again.spec.values[name] for name in names] == [record.spec.values[name] for name in names]
    assert again.value("PB") == (record.value("PB") or ("?" if suffix == ".ngf" else ""))
    assert again.value("RE")[:2] == record.value("RE")[:2]
    assert ("comments: 1" in lost) == (text == "resigned" and suffix != ".ugf")


@pytest.mark.parametrize(
    ("root", "suffix", "complaint"),
    [
        ("SZ[9]", ".gib", "expected a board of 19 points a side"),
        ("SZ[25]", ".ugf", "expected at most 19 points a side"),
        ("SZ[19]KM[-5]", ".gib", "expected a komi that .gib can hold, got -5"),
        ("SZ[19]KM[7]", ".ngf", "expected a komi that .ngf can hold, got 7"),
        ("SZ[19]HA[3]AB[pd][dp][pp]", ".ngf", "expected another handicap than 3"),
        ("SZ[19]AB[aa];B[bb]", ".gib", "got set-up"),
    ],
)
def test_what_a_server_has_no_place_for_is_refused(tmp_path, root, suffix, complaint):
    with pytest.raises(TengenError, match=complaint):
        files.write([sgf.parse(f"(;GM[1]{root})")], tmp_path / f"x{suffix}")


def test_rules_of_a_server_are_named_as_lost(tmp_path):
    record = sgf.parse("(;GM[1]SZ[19]RU[Chinese]KM[7.5];B[dd])")
    assert "the rules (go,komi=7.5,rules=chinese)" in files.write([record], tmp_path / "x.ngf")[1]
    assert not files.write([record], tmp_path / "x.ugf")[1]


@pytest.mark.parametrize(
    ("suffix", "root", "lost"),
    [
        (".gib", "RE[B+Forfeit]", "RE: 1"),
        (".gib", "PB[a (b]BR[9d]WR[8d]PW[x]", "PB: 1"),
        (".ngf", "RE[B+3.5]PB[a b]DT[May]", "PB: 1, DT: 1, RE: 1"),
        (".ngf", "RU[Japanese]", "the rules"),
        (".ugf", "PB[Kim, jr.]DT[May]RE[B+Resign]", "PB: 1, DT: 1, RE: 1"),
        (".ugf", "RU[Japanese]PB[kim]BR[9d]RE[0]DT[2001-02-03]EV[Kisei, 5]", ""),
        (".ugf", "C[one\n\ntwo]", "comments: 1"),
    ],
)
def test_what_no_place_is_found_for_is_named(tmp_path, suffix, root, lost):
    record = sgf.parse(f"(;GM[1]SZ[19]KM[6.5]{root};B[dd])")
    data, told = files.write([record], tmp_path / f"x{suffix}")
    assert {each.split(" (")[0] for each in told.split(", ")} == set(lost.split(", "))
    again = files.parse_data(data, suffix)[0]
    kept = {name for name in ("PB", "BR", "RE", "DT", "EV") if name in record.properties and name not in told}
    assert {name: again.value(name) for name in kept} == {name: record.value(name) for name in kept}


def test_stones_before_the_first_turn_are_written_for_pandanet(tmp_path):
    record = sgf.parse("(;GM[1]SZ[9]RU[Japanese];AB[cc][gg];AE[gg]AW[dd];B[ee])")
    data, _ = files.write([record], tmp_path / "x.ugf")
    assert sgf.position(files.parse_data(data, ".ugf")[0]).text() == sgf.position(record).text()


def test_a_long_game_is_read_back_from_wbaduk(tmp_path):
    record = sgf.parse(f"(;GM[1]SZ[19]KM[6.5];B[dd]{';W[];B[]' * 400})")
    data, _ = files.write([record], tmp_path / "x.ngf")
    assert files.parse_data(data, ".ngf")[0].turns == record.turns


def test_other_games_have_no_place_in_them(tmp_path):
    with pytest.raises(TengenError, match="expected Go for this format, got dvonn"):
        files.write([sgf.Record(GameSpec.parse("dvonn"))], tmp_path / "x.ugf")
