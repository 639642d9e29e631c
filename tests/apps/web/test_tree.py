"""The positions of a game that the page shows, as they are read from a record."""

from unittest.mock import patch

import pytest

from tengen.apps.web.game import tree
from tengen.apps.web.game.tree import GameTree
from tengen.engine import sgf
from tengen.engine.play.position import Position
from tengen.protocol.errors import CommandError
from tests.engine.records.test_sgf import nested

COMMENTED = """(;GM[4]SZ[9];B[ee](;W[dd]C[main](;B[aa])(;B[bb](;W[cc])(;W[ff])))
    (;W[ff];B[ff];W[gg])(;W[gg]C[last];B[hh]))"""


def read(text: str) -> GameTree:
    return GameTree.of_record(sgf.parse(text))


def test_variations_follow_the_turns_that_they_replace_as_far_as_they_can_be_played():
    found = read(COMMENTED)
    paths = {" ".join(node.turn for node in each.path()) for each in found.nodes.values()}
    assert paths == {
        "",
        *("E5", "E5 D6", "E5 D6 A9", "E5 D6 B8", "E5 D6 B8 C7", "E5 D6 B8 F4"),
        *("E5 F4", "E5 G3", "E5 G3 H2"),
    }
    first = found.root.children[0]
    assert [(child.turn, child.comment) for child in first.children] == [
        ("D6", "main"),
        ("F4", ""),
        ("G3", "last"),
    ]
    assert [child.turn for child in first.children[0].children[1].children] == ["C7", "F4"]


def test_every_turn_of_a_record_is_played_once():
    """However long the line is that comes before a variation."""
    points = [f"{column}{row}" for column in "abcdefghi" for row in "abcdefghi"]
    line = "".join(f";{side}[{point}]" for side, point in zip("BW" * 20, points[::2], strict=False))
    variations = "".join(f"(;B[{point}];W[ii])" for point in points[1:61:2])
    text = f"(;GM[1]SZ[9]{line}{variations})"
    with patch.object(Position, "push", autospec=True, side_effect=Position.push) as push:
        found = read(text)
    assert push.call_count == len(found.nodes) - 1 == 40 + 2 * 30


def test_a_record_with_too_many_positions_is_refused(monkeypatch):
    """It is not cut off: what is kept later would lack the rest."""
    monkeypatch.setattr(tree, "MAX_NODES", 10)
    assert len(read(COMMENTED).nodes) == 10
    monkeypatch.setattr(tree, "MAX_NODES", 9)
    with pytest.raises(CommandError, match="expected at most 9 positions"):
        read(COMMENTED)


@pytest.mark.parametrize("depth", [150, 160])
def test_what_is_saved_is_read_back_however_deep_variations_are_nested(depth):
    found = read(nested(depth))
    assert len(found.nodes) == 2 * depth + 1
    again = read(sgf.write(found.record({})))
    assert shape(again) == shape(found)


def test_notes_on_turns_are_saved_and_read_back():
    text = "(;GM[4]SZ[9];B[ee]BL[3]LB[aa:1](;W[dd]C[main]TE[1])(;W[ff]C[last]BM[1]))"
    found = read(text)
    again = read(sgf.write(found.record({})))
    assert shape(again) == shape(found)
    assert {(node.turn, node.comment, *node.properties) for node in again.nodes.values()} == {
        (None, ""),
        ("E5", "", "B", "BL", "LB"),
        ("D6", "main", "W", "C", "TE"),
        ("F4", "last", "W", "C", "BM"),
    }


def shape(tree: GameTree) -> list[tuple[str, str, str, list[str], dict]]:
    """Return what is known of every position."""
    return [
        (key, node.turn, node.comment, [tree.keys[child] for child in node.children], node.properties)
        for key, node in sorted(tree.nodes.items())
    ]
