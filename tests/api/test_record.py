"""Records as trees: what is read is written again, and walks find everything."""

from __future__ import annotations

import pytest

import tengen

SGF = """(;FF[4]GM[4]SZ[9]TG[gomoku,size=9]PB[Ada]PW[Bob]RE[B+R]C[a short game]
(;B[ee];W[de]C[too close]BL[3]
(;B[ed](;W[dd])(;W[aa];B[bb]))
(;B[ef]C[here]))
(;B[ai]C[odd];W[bh]))"""


def turns(nodes) -> list[str]:
    return [node.turn for node in nodes]


def test_a_record_is_a_tree():
    record = tengen.Record.parse(SGF)
    assert record.main_line() == ["E5", "D5", "E6", "D6"]
    assert (record.players, record.result, record.root.comment) == (("Ada", "Bob"), "B+R", "a short game")
    first = record.root.next
    assert turns(record.root.children) == ["E5", "A1"]
    assert (turns(record.root.variations), record.root.variations[0].comment) == (["A1"], "odd")
    second = first.next
    assert (second.comment, second.properties, second.side) == ("too close", {"BL": ["3"]}, 1)
    assert turns(second.children) == ["E6", "E4"]
    assert turns(second.next.children) == ["D6", "A9"]
    assert turns(second.next.variations[0].path()) == ["E5", "D5", "E6", "A9"]
    assert turns(record.root) == [None, "E5", "D5", "E6", "D6", "A9", "B8", "E4", "A1", "B2"]


def test_what_is_written_is_read_again():
    record = tengen.Record.parse(SGF)
    again = tengen.Record.parse(record.to_sgf())
    assert again.to_sgf() == record.to_sgf()
    assert turns(again.root) == turns(record.root)
    assert [node.comment for node in again.root] == [node.comment for node in record.root]


def test_positions_are_those_of_the_nodes():
    record = tengen.Record.parse(SGF)
    assert record.position().turns_played == ("E5", "D5", "E6", "D6")
    variation = record.root.variations[0].next
    assert record.position(variation).turns_played == ("A1", "B2")
    walked = [(node.turn, position.ply) for node, position in record.positions()]
    assert walked == [(None, 0), ("E5", 1), ("D5", 2), ("E6", 3), ("D6", 4)]


def test_turns_are_added_once_and_only_where_they_are_legal(tmp_path):
    record = tengen.Record("go,size=5")
    node = record.add(record.root, "c3", comment="the middle")
    assert record.add(record.root, "C3") is node
    record.add(node, "C2")
    record.add(node, "D3", comment="or here")
    with pytest.raises(tengen.IllegalTurnError):
        record.add(node, "C3")
    record.write(tmp_path / "game.sgf")
    again = tengen.Record.read(tmp_path / "game.sgf")
    assert again.to_sgf() == record.to_sgf()
    assert turns(again.root) == [None, "C3", "C2", "D3"]
    with pytest.raises(tengen.NotationError):
        record.write(tmp_path / "missing" / "game.sgf")


def test_the_record_of_a_position_leads_to_it():
    position = tengen.Position(
        "gomoku,size=9",
        "........./........./........./....X..../........./........./........./........./......... w",
    )
    position.push("A1")
    record = tengen.Record.of_position(position)
    assert record.position() == position
    assert tengen.Record.parse(record.to_sgf()).position() == position


def test_records_that_cannot_be_are_refused(tmp_path):
    for text in ("", "rubbish", "(;GM[4]SZ[9];B[zz])", "(;GM[99])", "(;GM[4]SZ[9];B[ee]"):
        with pytest.raises(tengen.TengenError) as caught:
            tengen.Record.parse(text)
        assert caught.value.value == text
    for path in (tmp_path / "none.sgf", 5):
        with pytest.raises(tengen.TengenError):
            tengen.Record.read(path)
    illegal = tengen.Record.parse("(;GM[4]SZ[9];B[ee];W[ee])")
    with pytest.raises(tengen.IllegalTurnError, match="turn 2: illegal turn 'E5'"):
        illegal.position()
