"""RenLib's libraries, as bytes written by hand after its source."""

import random

import pytest

from tengen.apps.cli.main import main
from tengen.engine import sgf
from tengen.engine.errors import TengenError
from tengen.engine.formats import renlib
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tests.engine.records import comments, details, played, tree

GOMOKU = GameSpec.parse("gomoku:renju")
HEADER = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
H8, H9, I9, A15, O1 = 0x78, 0x68, 0x69, 0x01, 0xEF  # rows from the top
BRANCHED = b"".join(  # H8 (comment), then H9 with O1 behind, or I9 (marked, board text "A")
    [
        *(bytes([0x00, 0x00]), bytes([H8, 0x08]), b"one\x08two\r\nthree\x00\x00"),
        *(bytes([H9, 0x80]), bytes([O1, 0x40])),
        *(bytes([I9, 0x51]), b"\x00\x01", b"A\x00"),
    ]
)


def test_a_library_is_a_line_with_variations_comments_marks_and_labels():
    record = renlib.read(HEADER + BRANCHED, GOMOKU)
    assert record.turns == [(0, "H8"), (1, "H9"), (0, "P1")]
    assert comments(record) == {0: "one\ntwo\nthree"}
    assert details(record) == {0: {"LB": ["ig:A"]}}
    (variation,) = played(record)[0].variations
    assert (variation.turn, variation.properties["MA"]) == ("J9", ["ig"])


def test_a_library_comes_back_byte_by_byte():
    assert renlib.write(renlib.read(HEADER + BRANCHED, GOMOKU)) == HEADER + BRANCHED


def test_the_oldest_libraries_have_no_header_and_begin_with_h8():
    nodes = bytes([H8, 0x20]) + b"So\xae" + b"\x00" + bytes([A15, 0x40])
    record = renlib.read(nodes, GOMOKU)
    assert record.turns == [(0, "H8"), (1, "A15")]
    assert comments(record) == {0: "So."}


def test_a_point_with_a_text_only_is_no_turn():
    nodes = bytes([0x00, 0x00, H9, 0xC3, 0x00, 0x01]) + b"good\x00\x00" + bytes([H8, 0x40])
    record = renlib.read(HEADER + nodes, GOMOKU)
    assert record.turns == [(0, "H8")]
    assert record.properties["LB"] == ["hg:good"]


def test_texts_in_windows_western_code_are_read():
    record = renlib.read(HEADER + bytes([0, 0, H8, 0x48]) + "Soosõrv €".encode("cp1252") + b"\x00", GOMOKU)
    assert comments(record) == {0: "Soosõrv €"}


def test_an_empty_library_is_a_game_without_turns():
    assert renlib.write(Record(GOMOKU)) == HEADER + bytes([0x00, 0x40])
    assert renlib.read(HEADER + bytes([0x00, 0x40]), GOMOKU).turns == []


def test_variations_of_one_turn_are_joined_with_the_line():
    record = Record(GOMOKU, turns=[(0, "H8"), (1, "H9")])
    record.root.add(0, "H8").add(1, "J9")
    again = renlib.read(renlib.write(record), GOMOKU)
    assert [node.turn for node in again.root] == [None, "H8", "H9", "J9"]
    assert [node.turn for node in again.root.next.children] == ["H9", "J9"]


@pytest.mark.parametrize(
    ("below", "lost", "written"),
    [
        ("(;W[ii];B[jj])(;B[gg]C[again];W[ff])", 2, ";W[ii];B[jj]"),
        ("(;W[ii];B[jj])(;W[gg];B[hh];W[aa])", 2, "(;W[ii];B[jj])(;W[gg])"),
        ("(;W[ii]C[first];B[jj])(;W[ii]C[second];B[kk])", 0, ";W[ii]C[first\nsecond](;B[jj])(;B[kk])"),
        ("C[on the turn];C[a note];W[ii];B[jj]", 0, "C[on the turn\na note];W[ii];B[jj]"),
        ("(;C[a note];W[ii];B[jj])(;W[gg];B[kk])", 0, "C[a note](;W[ii];B[jj])(;W[gg];B[kk])"),
    ],
)
def test_what_no_library_holds_is_counted_and_all_else_stays(below, lost, written):
    record = sgf.parse(f"(;GM[4]SZ[15];B[hh]{below})")
    assert renlib.left_out(record) == lost
    again = renlib.read(renlib.write(record), GOMOKU)
    assert tree(again.root.next) == tree(sgf.parse(f"(;GM[4]SZ[15];B[hh]{written})").root.next)


def test_a_library_survives_sgf(tmp_path):
    source, middle, target = (tmp_path / name for name in ("a.lib", "b.sgf", "c.lib"))
    source.write_bytes(HEADER + BRANCHED)
    assert main(["convert", str(source), str(middle), "--game", "gomoku:renju"]) == 0
    assert sgf.read_file(middle).spec == GOMOKU
    assert main(["convert", str(middle), str(target)]) == 0
    assert target.read_bytes() == source.read_bytes()


def test_commands_show_a_library(tmp_path, capsys):
    (tmp_path / "a.lib").write_bytes(HEADER + BRANCHED)
    assert main(["show", str(tmp_path / "a.lib"), "--game", "gomoku:renju", "--json"]) == 0
    assert '"played": ["H8", "H9", "P1"]' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "expected a library of RenLib, got another file"),
        (b"PK\x03\x04", "expected a library of RenLib, got another file"),
        (HEADER[:8] + b"\x04\x00" + HEADER[10:], "expected a library of RenLib up to 3.4, got 4.0"),
        (HEADER, "expected a whole library, got one that is cut off"),
        (HEADER + bytes([0, 0, H8, 0]), "expected a whole library, got one that is cut off"),
        (HEADER + bytes([0, 0, H8, 0x48]) + b"no end", "expected the end of a text, got that of the file"),
        (HEADER + bytes([0, 0, H8, 0x60]) + b"no end", "expected the end of a text, got that of the file"),
        (
            HEADER + bytes([0, 0, 0xF1, 0x40]),
            "expected a point of the board in byte 2 of the nodes, got 0xf1",
        ),
        (
            HEADER + bytes([0, 0, 0x10, 0x40]),
            "expected a point of the board in byte 2 of the nodes, got 0x10",
        ),
        (HEADER + bytes([0, 0, H8, 0, 0, 0x40]), "expected lines of different points, got a pass"),
        (HEADER + bytes([0, 0, H8, 0, H8, 0x40]), "expected lines of different points, got H8 twice"),
        (HEADER + bytes([0, 0]) + bytes([H8, 0x82]) * 200_001, "at most 200,000 nodes, got more"),
    ],
)
def test_what_is_no_library_is_refused(data, complaint):
    with pytest.raises(TengenError, match="record: ") as error:
        renlib.read(data, GOMOKU)
    assert complaint in str(error.value)


def test_lines_may_branch_without_end():
    nodes = bytes([0, 0])
    for number in range(102):  # each second turn is a variation
        row, column = divmod(number, 15)
        nodes += bytes([0xE1, 0xC0, 16 * row + column + 1, 0x40 * (number == 101)])
    record = renlib.read(HEADER + nodes, GOMOKU)
    assert sum(1 for _ in record.root) == 1 + 2 * 102
    assert renlib.write(record) == HEADER + nodes


def test_only_boards_of_fifteen_points_can_be_held():
    for refuse in (lambda spec: renlib.read(HEADER, spec), lambda spec: renlib.write(Record(spec))):
        with pytest.raises(TengenError, match="expected a board of 15 points a side"):
            refuse(GameSpec.parse("gomoku,size=19"))


def test_no_bytes_break_the_reader():
    rng = random.Random(2)
    for _ in range(300):
        data = bytearray(HEADER + BRANCHED + BRANCHED)
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            record = renlib.read(bytes(data[: rng.randint(20, len(data))]), GOMOKU)
        except TengenError:
            continue
        written = renlib.write(record)
        assert renlib.write(renlib.read(written, GOMOKU)) == written
