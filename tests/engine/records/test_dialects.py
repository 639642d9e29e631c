"""What is not quite SGF is read all the same, and said; what is not kept by a format is said, too."""

import re

import pytest

from tengen.apps.cli.main import main
from tengen.engine import sgf
from tengen.engine.errors import OptionError
from tengen.engine.sgf.encoding import likely
from tests.engine.records import info, tree


@pytest.mark.parametrize(
    ("text", "meant", "note"),
    [
        ("(;SZ[9](B[aa])(;B[bb]))", "(;SZ[9](;B[aa])(;B[bb]))", "expected ; before a node"),
        ("(SZ[9];B[aa])", "(;SZ[9];B[aa])", "expected ; before a node"),
        ("(;SZ[9];B[aa](;W[bb]", "(;SZ[9];B[aa];W[bb])", "expected ) at the end"),
        ("(;SZ[9];B[aa]W[bb]C[x])", "(;SZ[9];B[aa];W[bb]C[x])", "a node with a turn and more of its kind"),
        ("(;SZ[9];B[aa]AB[bb])", "(;SZ[9];AB[bb];B[aa])", "a node with a turn and more of its kind"),
        ("(;SZ[9]C[x]B[aa])", "(;SZ[9]C[x];B[aa])", "a node with a turn and more of its kind"),
        ("(;SZ[9];B[aa]) or so", "(;SZ[9];B[aa])", "text after a game is left out (line 1: 'or so')"),
    ],
)
def test_a_dialect_is_read_as_it_is_meant_and_named(text, meant, note):
    record = sgf.parse(text)
    assert tree(record.root) == tree(sgf.parse(meant).root)
    assert [each for each in record.notes if each.startswith(note)]
    assert sgf.parse(meant).notes == []


@pytest.mark.parametrize(
    ("root", "spec", "note"),
    [
        ("GM[1]RU[Japanese]KM[6目半]", "go,komi=6.5,rules=japanese", "KM[6目半] as 6.5"),
        ("GM[1]RU[中国规则]KM[3.75子]", "go,komi=7.5,rules=chinese", "KM[3.75子] as 7.5"),
        ("GM[1]RU[x]KM[0]", "go", "RU[x] as territory"),
        ("GM[1]RU[Japanese]KM[-2000]", "go,rules=japanese", "option komi: expected a number"),
        ("GM[1]RU[Japanese]KM[0]HA[对子]", "go,rules=japanese", "HA[对子] as 0"),
        ("GM[4]SZ[19x19]RU[Renju]", "gomoku:renju,size=19", "SZ[19x19] as 19"),
        ("GM[4]RU[?]", "gomoku", "RU[?] as freestyle"),
    ],
)
def test_an_odd_value_is_read_as_well_as_it_can_be(root, spec, note):
    record = sgf.parse(f"(;{root};B[aa])")
    assert (str(record.spec), record.assumption) == (spec, "")
    (said,) = record.notes
    assert said.startswith(note)


@pytest.mark.parametrize(
    ("root", "game", "spec"),
    [
        ("GM[4]SZ[15]RU[Standard]", None, "gomoku:exactly-five"),
        ("GM[4]SZ[15]", "gomoku:renju", "gomoku:renju"),
        ("GM[4]SZ[19]RU[Renju]", "gomoku:freestyle", "gomoku:freestyle,size=19"),
        ("TG[gomoku]SZ[15]", "gomoku:renju", "gomoku:renju"),
        ("GM[4]SZ[19]", "gobang", "gobang"),
        ("SZ[15]", "gomoku", "gomoku"),
        ("GM[1]SZ[9]KM[6.5]", "go,rules=chinese", "go,size=9,komi=6.5,rules=chinese"),
        ("GM[1]SZ[9]KM[6.5]RU[Japanese]", "go,komi=0", "go,size=9,rules=japanese"),
    ],
)
def test_the_rules_of_a_record_are_its_own_as_completed(root, game, spec):
    record = sgf.parse(f"(;{root};B[cc])", game)
    assert str(record.spec) == spec
    assert sgf.parse(record.to_sgf()).spec == record.spec, "they are written"


@pytest.mark.parametrize(
    ("root", "game"), [("TG[gomoku]", "go"), ("GM[1]", "dvonn"), ("SZ[9]", "go,size=13")]
)
def test_another_game_or_board_than_the_records_is_refused(root, game):
    with pytest.raises(OptionError, match="--game: expected"):
        sgf.parse(f"(;{root})", game)


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("gb18030", ["柯洁 九段", "唐韦星", "黑中盘胜", "五子棋 连珠", "好棋!这手是要点。"]),
        ("big5", ["周俊勳 九段", "黑中盤勝", "第3屆棋王賽", "陳詩淵"]),
        ("cp932", ["井山裕太 九段", "黒中押し勝ち", "五目並べ", "本因坊秀策", "ここが急所です"]),
        ("cp949", ["이창호 9단", "흑 불계승", "오목", "박정환"]),
        ("cp1251", ["Александр Динерштейн"]),
        ("koi8_r", ["Александр Динерштейн"]),
        ("cp1252", ["Zoë", "Jérôme Müller", "Märkte für Großmeister"]),
    ],
)
def test_an_encoding_that_is_not_named_is_the_one_that_makes_most_sense(tmp_path, encoding, names):
    for name in names:
        data = f"(;GM[1]SZ[9]PB[{name}];B[aa])".encode(encoding)
        assert data.decode(likely(data)) == data.decode(encoding), name
    path = tmp_path / "game.sgf"
    path.write_bytes(data)
    record = sgf.read_file(path)
    assert info(record) == {"PB": [names[-1]]}
    assert record.properties["CA"] == ["UTF-8"]
    assert record.notes[0].startswith("no encoding is named; read in the one that makes most sense")


def test_a_folder_is_converted_at_once(tmp_path, capsys):
    games, out = tmp_path / "games", tmp_path / "out"
    (games / "below").mkdir(parents=True)
    (games / "a.sgf").write_text("(;GM[4]SZ[15]RU[Renju];B[hh])(;GM[4]SZ[15]RU[Renju];B[ii]C[x])")
    (games / "a.psq").write_text("Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n")
    (games / "below" / "b.txt").write_text("h8i9")
    (games / "below" / "bad.sgf").write_text("hello")
    arguments = ["convert", str(games), str(out), "--to", ".psq", "--game", "gomoku:renju"]
    assert main(["convert", str(games), str(out), "--to", ".doc"]) == 2
    assert re.fullmatch(
        r"tengen: error: record: expected a file ending in .*, got '\*\.doc'\n", capsys.readouterr().err
    )
    assert not out.exists()
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert "bad.sgf': record: expected SGF" in error
    assert ".psq cannot hold the rules (gomoku:renju), comments: 1" in error
    written = sorted(str(path.relative_to(out)) for path in out.rglob("*.psq"))
    assert written == ["a-1.psq", "a-2.psq", "a.psq", "below/b.psq"]
    assert main(["convert", str(games / "a.sgf"), str(tmp_path / "x.psq")]) == 2
    assert "expected one game for .psq, got 2 (FILE#1 names one)" in capsys.readouterr().err
    assert main(["convert", f"{games / 'a.sgf'}#2", str(tmp_path / "x.txt"), "--strict"]) == 2
    assert ".txt cannot hold the rules (gomoku:renju), comments: 1" in capsys.readouterr().err
    assert not (tmp_path / "x.txt").exists()
