"""Records as trees: what is read is written again, and walks find everything."""

import copy
import errno
import pickle
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tengen
from tengen.engine.sgf.syntax import Notes, property_text, trees
from tests.engine.records import tree
from tests.walks import scaled

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
    assert (second.comment, second.properties["BL"], second.side) == ("too close", ["3"], "white")
    assert first.child("white", "D5") is first.child(1, "D5") is second
    assert first.child("black", "D5") is first.child("white", "J9") is None
    assert second.properties == {"W": ["de"], "C": ["too close"], "BL": ["3"]}
    assert turns(second.children) == ["E6", "E4"]
    assert turns(second.next.children) == ["D6", "A9"]
    assert turns(second.next.variations[0].path()) == ["E5", "D5", "E6", "A9"]
    assert turns(record.root) == [None, "E5", "D5", "E6", "D6", "A9", "B8", "E4", "A1", "B2"]


@pytest.mark.parametrize("suffix", [".sgf", ".psq", ".lib"])
def test_text_that_no_file_can_hold_is_refused_and_the_file_stays(tmp_path, suffix):
    path = tmp_path / f"game{suffix}"
    record = tengen.Record("gomoku")
    record.add(record.root, "H8", "fine")
    record.write(path)
    before = path.read_bytes()
    record.root.properties["PB"] = ["bad\ud800"]
    record.root.comment = "\udfffworse"
    with pytest.raises(tengen.NotationError, match=r"expected characters, got a half of one: '.*ud[8f]"):
        record.write(path)
    assert path.read_bytes() == before


def test_text_is_checked_where_it_enters():
    record = tengen.Record("gomoku")
    with pytest.raises(tengen.NotationError, match="comment: expected characters, got a half of one"):
        record.add(record.root, "H8", "\udc80")
    assert not record.root.children
    with pytest.raises(tengen.NotationError, match="record: expected characters, got a half of one"):
        tengen.Record.parse("(;GM[4]C[\udfff])")


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
    with pytest.raises(FileNotFoundError) as caught:
        record.write(tmp_path / "missing" / "game.sgf")
    assert isinstance(caught.value, tengen.NotationError)


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
    for text in ("", "rubbish", "(;GM[4]SZ[x];B[ee])", "(;GM[99])", "(;GM[4]SZ[9];B[ee"):
        with pytest.raises(tengen.TengenError) as caught:
            tengen.Record.parse(text)
        assert caught.value.value == text
    for path in (tmp_path / "none.sgf", 5):
        with pytest.raises(tengen.TengenError):
            tengen.Record.read(path)
    for suffix in (".sgf", ".lib"):
        path = tmp_path / f"none{suffix}"
        with pytest.raises(FileNotFoundError, match=r"record: .*none.* No such file") as missing:
            tengen.Record.read(path)
        assert isinstance(missing.value, tengen.NotationError)
        assert (missing.value.errno, missing.value.filename) == (errno.ENOENT, str(path))
        again = pickle.loads(pickle.dumps(missing.value))
        assert (type(again), str(again)) == (type(missing.value), str(missing.value))
    with pytest.raises(OSError, match="expected a file, got a folder"):
        tengen.Record.read(tmp_path)
    illegal = tengen.Record.parse("(;GM[4]SZ[9];B[ee];W[ee])")
    with pytest.raises(tengen.IllegalTurnError, match="turn 2: illegal turn 'E5'"):
        illegal.position()


# ------------------------------------------------------------------------------ properties of the whole tree


POINTS = st.text("abcdefghi", min_size=2, max_size=2)
TEXTS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\r"), max_size=20)
KNOWN = {"B", "W", "C", "TG", "TP", "AB", "AW", "AE", "PL", "GM", "SZ", "RU"}
NAMES = st.text(string.ascii_uppercase, min_size=1, max_size=3).filter(lambda name: name not in KNOWN)
MARKUP = st.sampled_from(["LB", "TR", "MA", "CR", "AR", "DD", "VW", "BL", "TE", "SBKV"])
NOTES = st.dictionaries(NAMES | MARKUP, st.lists(TEXTS, min_size=1, max_size=3), max_size=2)


@st.composite
def trees_as_text(draw, size: int = 12) -> str:
    """Return an SGF text with branches, set-up in the middle, empty nodes, and notes on all nodes."""

    def node(turn: str) -> str:
        notes = draw(NOTES) | ({"C": [draw(TEXTS.filter(bool))]} if draw(st.booleans()) else {})
        return turn + "".join(property_text(name, values) for name, values in notes.items())

    texts, children = [node("GM[4]SZ[9]")], [[]]
    for number in range(1, draw(st.integers(1, size))):
        does = draw(st.sampled_from(["B", "W", "B", "W", "AB", "AW", "AE", ""]))
        texts.append(node(does and f"{does}[{draw(POINTS)}]"))
        children.append([])
        children[draw(st.integers(0, number - 1))].append(number)

    def written(number: int) -> str:
        below = [written(child) for child in children[number]]
        return f";{texts[number]}" + ("".join(below) if len(below) == 1 else "".join(f"({b})" for b in below))

    return f"({written(0)})"


@given(trees_as_text())
@settings(max_examples=scaled(1000), deadline=None)
def test_the_same_tree_is_written(text):
    before = trees(text, Notes())[0]
    record = tengen.Record.parse(text)
    assert tree(record.root) == tree(before)
    assert tree(trees(record.to_sgf(), Notes())[0]) == tree(before)


def test_notes_of_variations_are_read_and_written():
    record = tengen.Record.parse(
        "(;GM[4]SZ[9];B[ee]LB[ee:a](;W[de]TR[aa][bb];B[dd]C[deep])(;W[ed]BM[1]C[bad];B[ff]C[why]XY[z]))"
    )
    first = record.root.next
    assert first.properties == {"B": ["ee"], "LB": ["ee:a"]}
    (other,) = first.variations
    assert (other.comment, other.properties["BM"]) == ("bad", ["1"])
    assert (other.next.comment, other.next.properties["XY"]) == ("why", ["z"])
    other.next.properties["TR"] = ["aa"]
    again = tengen.Record.parse(record.to_sgf())
    assert [*again.root.next.variations[0].next.properties] == ["B", "C", "XY", "TR"]


def test_notes_without_a_turn_and_set_up_are_nodes_of_their_own():
    record = tengen.Record.parse("(;GM[4]SZ[9];B[ee](;C[x];W[ed])(;W[aa];AB[cc]AE[ee]C[y];B[dd]))")
    main, other = record.root.next.children
    assert (main.turn, main.comment, main.next.turn) == (None, "x", "E6")
    assert record.main_line() == ["E5", "E6"]
    set_up = other.next
    assert (set_up.turn, set_up.is_set_up, set_up.comment) == (None, True, "y")
    stones = [row for row in record.position(set_up.next).text().split()[0].split("/") if row != "." * 9]
    assert stones == ["O........", "..X......", "...X....."]
    assert record.position(set_up).side == "black"


def test_a_file_of_several_games_is_read_by_number_or_as_a_whole(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[4]SZ[9]PB[a];B[ee])(;GM[4]SZ[9]PB[b];B[aa])(;GM[1]SZ[9]PB[c])")
    assert tengen.Record.read(path).players[0] == "a"
    assert tengen.Record.read(path, number=2).main_line() == ["A9"]
    assert [record.spec.game.name for record in tengen.Record.read_all(path)] == ["gomoku", "gomoku", "go"]
    with pytest.raises(tengen.OptionError, match="expected the number of a game from 1 to 3, got 4"):
        tengen.Record.read(path, number=4)


def test_what_a_format_cannot_hold_is_said_or_refused(tmp_path):
    record = tengen.Record.parse("(;GM[4]SZ[15]RU[Renju]PB[x];B[hh]C[a](;W[hg]LB[aa:1])(;W[ii]))")
    lost = "the rules (gomoku:renju), PB: 1, comments: 1, LB: 1, nodes of variations: 1"
    assert record.write(tmp_path / "game.txt") == [lost]
    assert record.write(tmp_path / "game.sgf") == []
    with pytest.raises(tengen.NotationError, match=r"\.txt cannot hold the rules"):
        record.write(tmp_path / "strict.txt", strict=True)
    assert not (tmp_path / "strict.txt").exists()


def test_arguments_of_another_type_are_refused():
    record, other = tengen.Record("gomoku,size=9"), tengen.Record("dvonn")
    for call, words in (
        (lambda: record.add(None, "A1"), "node: expected a node of the record"),
        (lambda: record.add(other.root, "A1"), "node: expected a node of this record"),
        (lambda: record.position("A1"), "node: expected a node of the record"),
        (lambda: record.add(record.root, "A1", comment=5), "comment: expected a text"),
        (lambda: record.write(5), "path: expected a path"),
        (lambda: tengen.Record.of_position("gomoku"), "position: expected a tengen.Position"),
    ):
        with pytest.raises(tengen.ArgumentError, match=words):
            call()
    assert record.root.children == other.root.children == []


# ------------------------------------------------------------------------------------------- other formats


def test_the_suffix_tells_the_format(tmp_path):
    record = tengen.Record("gomoku:renju")
    for turn in ("H8", "J9", "G7"):
        record.add([record.root, *record.root.main_line()][-1], turn)
    record.add(record.root.next, "J8", comment="the other way")
    for name in ("game.lib", "game.sgf"):
        record.write(tmp_path / name)
        again = tengen.Record.read(tmp_path / name, game="gomoku:renju")
        assert again.main_line() == ["H8", "J9", "G7"]
        assert [node.comment for node in again.root.next.variations] == ["the other way"]
    (tmp_path / "game.txt").write_text("h8i9g7")
    assert tengen.Record.read(tmp_path / "game.txt").main_line() == ["H8", "J9", "G7"]


def test_an_unknown_suffix_is_not_written(tmp_path):
    record = tengen.Record("gomoku")
    for name in ("game.unknown", "game"):
        with pytest.raises(
            tengen.OptionError, match=r"expected a file ending in \.sgf, \.lib, .*, got '.*game"
        ):
            record.write(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_game_must_be_a_spec():
    with pytest.raises(tengen.ArgumentError, match="game: expected a game spec, got '5'"):
        tengen.Record.read("game.lib", game=5)


def test_records_that_version_0_2_0_has_pickled_are_shown():
    record = tengen.Record.parse("(;GM[4]SZ[9];B[ee];W[dd])")
    former = copy.copy(record.spec.game)
    del former.__dict__["words"]
    former.__dict__["sides"] = ("black", "white")  # as they were
    spec = copy.copy(record.spec)
    spec.__dict__["game"] = former
    for node in (record, *record.root):
        node.spec = spec
    restored = pickle.loads(pickle.dumps(record))
    assert repr(restored) == "<Record of gomoku,size=9, 2 turns>"
    assert restored.main_line() == list(restored.position().turns_played) == ["E5", "D6"]
    assert [node.side for node in restored.line[1:]] == [0, 1]
    assert restored.spec.game.word("gomoku") == "gomoku"
