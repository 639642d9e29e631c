"""DVONN and PÜNCT potentials, which jump onto enemy pieces: stacks, and what leaves them."""

from __future__ import annotations

import pytest

from tengen.engine.play.position import Position
from tests.rules.faces import Face
from tests.rules.gipf.boards import FROM_A1, beginning, groups, openings, place

DVONN = "gipf:basic,dvonn=3"
NONE_LEFT = "-- 0 0 0 0 0 0"


def jumps(turns: list[str]) -> set[str]:
    """Return the moves of potentials among `turns`."""
    return {turn for turn in turns if turn.startswith("j")}


# ---- Jumps ----


def test_a_dvonn_potential_jumps_onto_an_enemy_piece_and_covers_it(face: Face) -> None:
    """Adjacent, in place of a push; its base stays, a basic piece (designer's page, 1 to 4) [PD-5]."""
    text = place(f"5 5 w {NONE_LEFT}", e5="wd", e6="b", e4="w", d5="w", c4="b")
    assert jumps(face.turns(DVONN, text)) == {"je5-e6"}
    after = face.play(DVONN, text, "je5-e6")
    assert after == place(f"5 5 b {NONE_LEFT}", e5="w", e6="w1", e4="w", d5="w", c4="b")


def test_a_dvonn_potential_jumps_onto_its_own_kind_and_basic_pieces_only(face: Face) -> None:
    """Not onto a GIPF-piece, another potential or its charged piece (page, 1) [PD-5]."""
    spec = "gipf,zertz=1,tamsk=1,dvonn=3,yinsh=1"
    none = "-- 0 0 0 0 0 0 0 0 0 0"
    around = {"e6": "B", "e4": "bd", "d5": "b+", "f5": "b^", "d4": "by", "f4": "b", "b2": "W"}
    text = place(f"5 5 w {none}", e5="wd", **around)
    assert jumps(face.turns(spec, text)) == {"je5-e4", "je5-f4"}
    text = text.replace("b^", "b1").replace("b+", "b*")
    assert jumps(face.turns(spec, text)) == {"je5-e4", "je5-f4", "je5-f5"}


def test_colours_of_a_stack_alternate_whatever_its_height(face: Face) -> None:
    """A potential that has jumped onto an own piece can be covered in turn (page, 1) [PD-3] [PD-5]."""
    text = place(f"5 5 w {NONE_LEFT}", e5="wd", e6="b", f6="bd", e7="wd")
    covered = face.play(DVONN, text, "je5-e6")
    assert covered == place(f"5 5 b {NONE_LEFT}", e5="w", e6="w1", f6="bd", e7="wd")
    assert {"jf6-e6", "jf6-e7"} <= jumps(face.turns(DVONN, covered))
    twice = face.play(DVONN, covered, "jf6-e6")
    assert twice == place(f"5 5 w {NONE_LEFT}", e5="w", e6="b2", f6="b", e7="wd")
    assert jumps(face.turns(DVONN, twice)) == {"je7-e6", "je7-f6"}
    again = face.play(DVONN, twice, "je7-e6")
    assert again == place(f"5 5 b {NONE_LEFT}", e5="w", e6="w3", f6="b", e7="w")
    assert not jumps(face.turns(DVONN, again))


def test_a_stack_of_any_height_has_the_key_of_its_text() -> None:
    """The key that jumps and removals carry along is that of the position read anew."""
    around = place(f"5 5 w {NONE_LEFT}", e5="wd", e6="b", f6="bd", e7="wd")
    row = place(f"5 5 w {NONE_LEFT}", [(FROM_A1, ". w1 w w2 bd1 b")])
    for text, turns in [(around, ["je5-e6", "jf6-e6", "je7-e6"]), (row, ["a1-b2;xb2,c3,d4,e5,f5,g5"])]:
        position = Position(DVONN, text)
        for turn in turns:
            position.push(turn)
            assert position == Position(DVONN, position.text())


def test_a_charged_piece_is_covered_with_its_potential(face: Face) -> None:
    """Covered, it cannot be used; what has jumped never jumps again (page, 2 and 4) [PD-4] [PD-5]."""
    text = place(f"5 5 w {NONE_LEFT}", e5="wd", e6="bd", e7="w")
    assert jumps(face.turns(DVONN, text.replace(" w ", " b "))) == {"je6-e5", "je6-e7"}
    after = face.play(DVONN, text, "je5-e6")
    assert after == place(f"5 5 b {NONE_LEFT}", e5="w", e6="wd1", e7="w")
    assert not jumps(face.turns(DVONN, after))
    assert not jumps(face.turns(DVONN, after.replace(" b ", " w ")))


def test_a_stack_is_pushed_whole(face: Face) -> None:
    """[PD-3]"""
    text = place(f"5 5 w {NONE_LEFT}", b2="b2", c3="wd1", d4="b")
    after = face.play(DVONN, text, "a1-b2")
    assert after == place(f"4 5 b {NONE_LEFT}", b2="w", c3="b2", d4="wd1", e5="b")


def test_an_empty_reserve_is_no_loss_while_a_potential_can_jump(face: Face) -> None:
    """[P-7]"""
    text = place(f"0 5 w {NONE_LEFT}", e5="wd", e6="b")
    assert face.turns(DVONN, text) == ["je5-e6"]
    assert face.outcome(DVONN, text) is None
    for alone in ({"e5": "wd", "e7": "b"}, {"e5": "wd", "e6": "w"}, {"e5": "bd1", "e6": "b"}):
        text = place(f"0 5 w {NONE_LEFT}", **alone)
        assert face.turns(DVONN, text) == []
        assert face.outcome(DVONN, text) == "second"


# ---- Rows ----


def test_a_row_of_four_can_be_the_result_of_a_jump(face: Face) -> None:
    """The potential goes alone and the piece below it stays (page, 4 and 5) [PD-7]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_A1, "w w w b")], e6="wd")
    assert jumps(face.turns(DVONN, text)) == {"je6-e5;xb2,c3,d4,e5"}
    after = face.play(DVONN, text, "je6-e5;xb2,c3,d4,e5")
    assert after == place(f"8 5 b {NONE_LEFT}", e5="b", e6="w")


def test_an_own_charged_piece_is_removed_as_a_whole(face: Face) -> None:
    """Or left: only a potential on an enemy goes alone (page, 5; general use, 6) [PD-6] [P-3] [P-4]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_A1, ". wd w w bd")])
    assert beginning(face.turns(DVONN, text), "a1-b2;") == groups("b2 d4 e5", "c3 f5")
    taken = face.play(DVONN, text, "a1-b2;xb2,c3,d4,e5,f5")
    assert taken == place(f"8 5 b {NONE_LEFT}")
    left = face.play(DVONN, text, "a1-b2;xb2,d4,e5")
    assert left == place(f"7 5 b {NONE_LEFT}", c3="wd", f5="bd")


@pytest.mark.parametrize("side", ["w", "b"])
def test_the_top_of_a_stack_goes_whoever_takes_the_row(face: Face, side: str) -> None:
    """Own and enemy stacks lose one potential each, which nobody gets back (page, 5) [PD-6] [PD-7]."""
    other = "b" if side == "w" else "w"
    row = [(FROM_A1, f". {side}1 {side} {side}2 {other}d1 {other}")]
    text = place(f"5 5 {side} {NONE_LEFT}", row)
    assert beginning(face.turns(DVONN, text), "a1-b2;") == {"xb2,c3,d4,e5,f5,g5"}
    after = face.play(DVONN, text, "a1-b2;xb2,c3,d4,e5,f5,g5")
    reserves = "6 5 b" if side == "w" else "5 6 w"
    freed = {"c3": other, "e5": f"{other}1", "f5": f"{side}d"}
    assert after == place(f"{reserves} {NONE_LEFT}", **freed)


def test_a_freed_charged_piece_has_its_potential(face: Face) -> None:
    """It can be used again, and be left in a row [PD-4]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_A1, ". w wd1 w")], d5="w")
    after = face.play(DVONN, text, "a1-b2;xb2,c3,d4,e5")
    assert after == place(f"7 5 b {NONE_LEFT}", d4="bd", d5="w")
    assert jumps(face.turns(DVONN, after)) == {"jd4-d5"}


def test_pieces_freed_for_the_taker_make_rows_at_once(face: Face) -> None:
    """On another line: it is a row of the same removals [PD-9] [G-6]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_A1, ". w w w b1")], f4="w", f3="w", f2="w")
    assert beginning(face.turns(DVONN, text), "a1-b2;") == {"xb2,c3,d4,e5,f5;xf2,f3,f4,f5"}
    after = face.play(DVONN, text, "a1-b2;xb2,c3,d4,e5,f5;xf2,f3,f4,f5")
    assert after == place(f"12 5 b {NONE_LEFT}")


def test_pieces_freed_for_the_opponent_make_a_row_that_opens_the_next_turn(face: Face) -> None:
    """[PD-9] [G-6]"""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_A1, ". w w w1")], e4="b", e3="b", e2="b")
    after = face.play(DVONN, text, "a1-b2;xb2,c3,d4,e5")
    assert after == place(f"7 5 b {NONE_LEFT}", e5="b", e4="b", e3="b", e2="b")
    assert openings(face.turns(DVONN, after)) == {"xe2,e3,e4,e5"}


def test_a_row_freed_by_opening_removals_waits_for_its_owner(face: Face) -> None:
    """The push comes before it, and may destroy it [PD-9]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_A1, "w w w w1")], e4="b", e3="b", e2="b")
    assert openings(face.turns(DVONN, text)) == {"xb2,c3,d4,e5"}
    standing = face.play(DVONN, text, "xb2,c3,d4,e5;h1-h2")
    assert openings(face.turns(DVONN, standing)) == {"xe2,e3,e4,e5"}
    broken = face.play(DVONN, text, "xb2,c3,d4,e5;d1-e2")
    assert broken == place(f"7 5 b {NONE_LEFT}", e5="b", e4="b", e3="b", e2="w", f2="b")
    assert openings(face.turns(DVONN, broken)) == {""}


def test_a_line_is_resolved_again_when_a_piece_is_freed_on_it(face: Face) -> None:
    """White's charged pieces stay, the black potential goes, and the white piece below makes four [PD-9]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_A1, "wd wd b1 wd w w w")])
    opening = openings(face.turns(DVONN, text))
    again = {f"xd4,f5,g5,h5;{group}" for group in groups("d4", "b2 c3 e5")}
    assert {group for group in opening if ";" in group} == again
    assert opening - again == groups("d4 f5 g5 h5", "b2 c3 e5") - {"xd4,f5,g5,h5"}


def test_a_stack_spares_a_row_of_charged_pieces_from_being_broken(face: Face) -> None:
    """The top goes, and what is left is not offered again before the push [PD-8]."""
    text = place("5 5 w -- 0 0 0 0 0 0", [(FROM_A1, "wd wd wd wd w1")])
    assert openings(face.turns("gipf:basic,dvonn=6", text)) == groups("f5", "b2 c3 d4 e5")


# ---- What may be brought in ----


def test_only_zertz_has_to_come_before_tamsk(face: Face) -> None:
    """The other kinds come in any order, before the first basic piece (general use, 3) [PD-1] [PD-2]."""
    spec = "gipf:basic,zertz=1,tamsk=1,dvonn=1,yinsh=1,punct=1"
    text = place("12 12 w zz 1 1 0 0 1 1 1 1 1 1 1 1")
    for push, piece, left in (
        ("Za1-b2", "w+", "zz 0 1 0 0 1 1 1 1 1 1 1 1"),
        ("Ta1-b2", "w*", "zz 0 1 0 0 0 1 1 1 1 1 1 1"),
        ("Da1-b2", "wd", "zz 1 1 0 0 1 1 0 1 1 1 1 1"),
        ("Ya1-b2", "wy", "zz 1 1 0 0 1 1 1 1 0 1 1 1"),
        ("Ua1-b2", "wu", "zz 1 1 0 0 1 1 1 1 1 1 0 1"),
        ("a1-b2", "w", "-z 0 1 0 0 0 1 0 1 0 1 0 1"),
    ):
        assert face.play(spec, text, push) == place(f"11 12 b {left}", b2=piece)


def test_charged_pieces_of_every_kind_end_the_right_to_gipf_pieces(face: Face) -> None:
    """[PD-1] [P-2]"""
    spec = "gipf:tournament,dvonn=1,yinsh=1"
    assert all(turn.startswith("G") for turn in face.turns(spec, face.start(spec)))
    text = place("16 16 w gg 0 0 0 0 1 1 1 1", b2="W", h5="B")
    after = face.play(spec, text, "Dd8-e8")
    assert after == place("15 16 b zg 0 0 0 0 0 1 1 1", b2="W", h5="B", e8="wd")
    after = face.play(spec, text, "Yd8-e8")
    assert after == place("15 16 b zg 0 0 0 0 1 1 0 1", b2="W", h5="B", e8="wy")


# ---- PÜNCT ----

PUNCT = "gipf:basic,dvonn=2,punct=3"
NO_MORE = "-- 0 0 0 0 0 0 0 0"


def test_a_punct_potential_jumps_onto_its_own_kind_only(face: Face) -> None:
    """A charged piece, or a potential that has jumped onto an own one (page, 2 and 4) [PP-1]."""
    around = {"e6": "bu", "e4": "b", "d5": "bd", "f5": "bu2", "d4": "b1", "f4": "wu"}
    text = place(f"5 5 w {NO_MORE}", e5="wu", **around)
    assert beginning(face.turns(PUNCT, text), "j") == {"e5-e6", "e5-f5", "f4-f5"}
    after = face.play(PUNCT, text, "je5-e6")
    assert after == place(f"5 5 b {NO_MORE}", e5="w", **{**around, "e6": "wu1"})


def test_a_dvonn_potential_spares_those_of_punct(face: Face) -> None:
    """Neither a charged piece nor a stack of them is its own kind [PD-5]."""
    text = place(f"5 5 w {NO_MORE}", e5="wd", e6="bu", e4="bu2", d5="b", f5="bd")
    assert jumps(face.turns(PUNCT, text)) == {"je5-d5", "je5-f5"}


def test_only_the_highest_punct_potential_of_a_stack_is_removed(face: Face) -> None:
    """What it covered is free again (page, 3 and 4) [PD-7]."""
    text = place(f"5 5 w {NO_MORE}", [(FROM_A1, ". w wu1 wu2")])
    after = face.play(PUNCT, text, "a1-b2;xb2,c3,d4,e5")
    assert after == place(f"6 5 b {NO_MORE}", d4="bu", e5="bu1")


# ---- Texts ----


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (DVONN, place(f"5 5 w {NONE_LEFT}", b2="w1", c3="bd2", d4="w2", e5="b")),
        (PUNCT, place(f"5 5 w {NO_MORE}", b2="wu2", c3="bu1", d4="bd2", e5="b")),
        ("gipf:basic,dvonn=6", place("5 5 w -- 0 0 0 0 0 0", e5="b12")),
        ("gipf:basic,punct=6", place("5 5 w -- 0 0 0 0 0 0", e5="bu11")),
        ("gipf:basic,yinsh=1", place("5 5 w zz 0 0 0 0 1 1", e5="w")),
        ("gipf:basic,zertz=1,yinsh=1", place("5 5 w zz 1 0 0 0 0 1", e5="wy", e6="b^")),
    ],
)
def test_a_position_text_is_kept(face: Face, spec: str, text: str) -> None:
    assert face.read(spec, text) == text
