"""Pushes, rows and what is taken from them, GIPF-pieces."""

from __future__ import annotations

import pytest

from tests.rules.faces import Face
from tests.rules.gipf.boards import (
    CROSSING,
    EDGE_PUSHES,
    FROM_A1,
    FROM_E1,
    beginning,
    groups,
    openings,
    place,
)

# ---- Pushes ----


def test_a_piece_comes_from_the_reserve_onto_the_first_spot(face: Face) -> None:
    """On an empty board every spot of the edge can be reached; one dot stands for several [G-1]."""
    text = place("12 12 w --")
    assert set(face.turns("gipf:basic", text)) == EDGE_PUSHES
    assert len(face.turns("gipf:basic", text)) == len(EDGE_PUSHES)
    assert face.play("gipf:basic", text, "a1-b2") == place("11 12 b --", b2="w")
    assert face.play("gipf:basic", text, "a1-b2", "h6-h5") == place("11 11 w --", b2="w", h5="b")


def test_pieces_up_to_the_first_empty_spot_move_on(face: Face) -> None:
    """Illustration 2: a push moves what is in the way by one spot, and nothing beyond a gap [G-1]."""
    text = place("10 10 w --", [(FROM_A1, "b w . b . w")])
    after = place("9 10 b --", [(FROM_A1, "w b w b . w")])
    assert face.play("gipf:basic", text, "a1-b2") == after
    assert face.play("gipf:basic", text, "h6-h5") == place("9 10 b --", [(FROM_A1, "b w . b . w w")])


def test_no_piece_is_pushed_off_the_board(face: Face) -> None:
    """Illustration 3: a line without an empty spot takes no push, from neither end [G-2]."""
    text = place("8 9 w --", [(FROM_A1, "b w b w b w b")])
    turns = face.turns("gipf:basic", text)
    assert not beginning(turns, "a1-b2")
    assert not beginning(turns, "i5-h5")
    assert face.play("gipf:basic", text, "a2-b2") == place("7 9 b --", [(FROM_A1, "w w b w b w b")], c2="b")
    for refused in ("a1-b2", "i5-h5"):
        with pytest.raises(ValueError, match=refused):
            face.play("gipf:basic", text, refused)


# ---- Rows ----


@pytest.mark.parametrize(
    ("codes", "taken", "left", "reserve"),
    [
        pytest.param("b b . b . w", "xb2,c3,d4,e5", ". . . . . w", 13, id="4a"),
        pytest.param("b b . b w . b", "xb2,c3,d4,e5,f5", ". . . . . . b", 13, id="4b"),
        pytest.param("b b . b b w", "xb2,c3,d4,e5,f5,g5", "", 14, id="4c"),
        pytest.param("w b . b b b w", "xb2,c3,d4,e5,f5,g5,h5", "", 14, id="4d"),
    ],
)
def test_a_row_goes_with_what_extends_it(face: Face, codes: str, taken: str, left: str, reserve: int) -> None:
    """Illustrations 4a-4d: Black takes 4, 5, 6 and 7 pieces, capturing 0, 1, 1 and 2 [G-3] [G-4]."""
    text = place("9 10 b --", [(FROM_A1, codes)], d2="w", d3="b")
    assert beginning(face.turns("gipf:basic", text), "d1-d2;") == {taken}
    after = place(f"9 {reserve} w --", [(FROM_A1, left)], d2="b", d3="w")
    assert face.play("gipf:basic", text, f"d1-d2;{taken}") == after


def test_an_empty_spot_interrupts_a_row(face: Face) -> None:
    """Four pieces with a gap are no row, nor are four of two colours [G-3]."""
    text = place("9 9 b --", [(FROM_A1, ". b b . b b b"), (FROM_E1, "w w w . b")])
    assert face.turns("gipf:basic", text)
    assert "a1-b2" in face.turns("gipf:basic", text)


def test_a_push_can_make_the_opponent_take_a_row(face: Face) -> None:
    """Illustrations 5a and 5b: White's push makes Black take five pieces back, then push [G-6]."""
    text = place("9 9 w --", [(FROM_A1, "b b b . b"), (FROM_E1, "w b b")])
    pushed = face.play("gipf:basic", text, "e1-e2")
    assert pushed == place("8 9 b --", [(FROM_A1, "b b b b b"), (FROM_E1, "w w b")])
    turns = face.turns("gipf:basic", pushed)
    assert openings(turns) == {"xb2,c3,d4,e5,f5"}
    after = face.play("gipf:basic", pushed, "xb2,c3,d4,e5,f5;a1-b2")
    assert after == place("8 13 w --", [(FROM_E1, "w w b")], b2="b")


def test_of_rows_that_cross_one_is_chosen(face: Face) -> None:
    """Illustration 6: Black takes the row of four or the row of five [G-5]."""
    text = place("9 3 b --", CROSSING)
    turns = face.turns("gipf:basic", text)
    assert openings(turns) == {"xb2,c3,d4,e5", "xd2,d3,d4,d5,d6"}
    four = face.play("gipf:basic", text, "xb2,c3,d4,e5;a2-b3")
    assert four == place("9 6 w --", d2="b", d3="b", d5="b", d6="b", b3="b")
    five = face.play("gipf:basic", text, "xd2,d3,d4,d5,d6;a2-b3")
    assert five == place("9 7 w --", b2="b", c3="b", e5="b", b3="b")


def test_of_rows_that_cross_one_is_chosen_after_the_own_push(face: Face) -> None:
    """Illustration 6 with the rows made by Black's own push [G-5]."""
    text = place("9 4 b --", [("b2 c3 d4 e5", ". b b b"), ("b3 b4 b5", "b b b")])
    assert {"xb2,c3,d4,e5", "xb2,b3,b4,b5"} <= beginning(face.turns("gipf:basic", text), "a1-b2;")
    assert len(beginning(face.turns("gipf:basic", text), "a1-b2")) == 2


def test_rows_that_cross_at_an_own_gipf_piece(face: Face) -> None:
    """Illustration 6: who leaves the GIPF-piece at the crossing must take the second row too [G-10]."""
    text = place("9 1 b --", CROSSING, d4="B", h2="B", b5="W")
    assert openings(face.turns("gipf", text)) == {
        "xb2,c3,d4,e5",
        "xd2,d3,d4,d5,d6",
        "xb2,c3,e5;xd2,d3,d5,d6",
        "xb2,c3,e5;xd2,d3,d4,d5,d6",
    }
    one = face.play("gipf", text, "xb2,c3,d4,e5;h6-h5")
    assert one == place("9 5 w --", [("d2 d3 d4 d5 d6", "b b . b b")], h2="B", b5="W", h5="b")
    kept = face.play("gipf", text, "xb2,c3,e5;xd2,d3,d5,d6;h6-h5")
    assert kept == place("9 7 w --", d4="B", h2="B", b5="W", h5="b")


def test_rows_that_cross_at_an_enemy_gipf_piece(face: Face) -> None:
    """White's GIPF-piece extends both rows: both go, and it stays or goes with either [G-5] [G-8] [G-10]."""
    rows = [("b3 c4 d5 e6 f6", "W b b b b"), ("b3 c3 d3 e3 f2", "W b b b b")]
    text = place("9 1 b --", rows, h2="B", b5="W")
    assert openings(face.turns("gipf", text)) == {
        "xc4,d5,e6,f6;xc3,d3,e3,f2",
        "xb3,c4,d5,e6,f6;xc3,d3,e3,f2",
    }


def test_rows_that_cross_in_a_piece_that_extends_them(face: Face) -> None:
    """It goes with the first; both rows are still four without it, so both are taken [G-5]."""
    rows = [("b3 c4 d5 e6 f6", "w b b b b"), ("b3 c3 d3 e3 f2", "w b b b b")]
    text = place("9 1 b --", rows)
    assert openings(face.turns("gipf:basic", text)) == {"xb3,c4,d5,e6,f6;xc3,d3,e3,f2"}
    # A black piece at the crossing belongs to both fours or extends one: taken with it, the other may break.
    rows = [("b3 c4 d5 e6 f6", "b b b b b"), ("b3 c3 d3 e3 f2", "b b b b .")]
    text = place("9 1 b --", rows)
    assert openings(face.turns("gipf:basic", text)) == {"xb3,c4,d5,e6,f6", "xb3,c3,d3,e3;xc4,d5,e6,f6"}


def test_both_players_rows(face: Face) -> None:
    """Illustration 7: White takes 4 and captures 1, then Black must take 4 [G-6]."""
    before = [("c6 d6 e6 f5 g4", "b w w . w"), ("e2 e3 e4 e5 e6 e7", "b b b w w w"), ("b2 c3 d4", "b w b")]
    text = place("8 8 w --", before)
    assert beginning(face.turns("gipf:basic", text), "a1-b2") == {";xc6,d6,e6,f5,g4"}
    taken = face.play("gipf:basic", text, "a1-b2;xc6,d6,e6,f5,g4")
    assert taken == place("11 8 b --", [(FROM_E1, "b b b b . w"), (FROM_A1, "w b w")])
    assert openings(face.turns("gipf:basic", taken)) == {"xe2,e3,e4,e5"}


def test_both_players_rows_when_the_other_made_the_move(face: Face) -> None:
    """Illustration 7, had Black made the move: two whites captured, no row left for White [G-6]."""
    before = [("c6 d6 e6 f5 g4", "b w w . w"), ("e2 e3 e4 e5 e6 e7", "b b b w w w"), ("b2 c3 d4", "b w b")]
    text = place("8 8 b --", before)
    assert beginning(face.turns("gipf:basic", text), "a1-b2") == {";xe2,e3,e4,e5,e6,e7"}
    taken = face.play("gipf:basic", text, "a1-b2;xe2,e3,e4,e5,e6,e7")
    left = [("c6 d6 e6 f5 g4", "b w . w w"), (FROM_A1, "b b w")]
    assert taken == place("8 11 w --", left)
    assert openings(face.turns("gipf:basic", taken)) == {""}


def test_rows_that_do_not_cross_are_all_taken(face: Face) -> None:
    """Two rows apart go both, in the order of their lines [G-5]."""
    text = place("9 4 b --", [("b2 b3 b4 b5", "b b b b"), ("h2 h3 h4 h5", "b b b b")])
    assert openings(face.turns("gipf:basic", text)) == {"xb2,b3,b4,b5;xh2,h3,h4,h5"}
    after = face.play("gipf:basic", text, "xb2,b3,b4,b5;xh2,h3,h4,h5;a1-b2")
    assert after == place("9 11 w --", b2="b")


def test_rows_of_the_side_that_waits_stay(face: Face) -> None:
    """A row on the board waits for its owner's turn and may be pushed apart before [G-6]."""
    text = place("9 9 w --", [("b2 b3 b4 b5", "b b b b")])
    assert openings(face.turns("gipf:basic", text)) == {""}
    waiting = face.play("gipf:basic", text, "h1-h2")
    assert openings(face.turns("gipf:basic", waiting)) == {"xb2,b3,b4,b5"}
    apart = face.play("gipf:basic", text, "a3-b4")
    assert apart == place("8 9 b --", b2="b", b3="b", b4="w", c5="b", b5="b")
    assert openings(face.turns("gipf:basic", apart)) == {""}


# ---- GIPF-pieces ----


def test_a_gipf_piece_may_be_left_in_a_row(face: Face) -> None:
    """Illustration 8: White takes 3 white and 1 black, and any of three GIPF-pieces [G-8] [G-9]."""
    others = {"b5": "W", "e8": "B", "d3": "b"}
    text = place("3 9 w --", [(FROM_A1, "w W . w W b B")], b5="W", e8="B", d2="b", d3="w")
    assert beginning(face.turns("gipf", text), "d1-d2;") == groups("b2 d4 e5 g5", "c3 f5 h5")
    likely = face.play("gipf", text, "d1-d2;xb2,d4,e5,g5,h5")
    assert likely == place("5 9 b --", c3="W", f5="W", d2="w", **others)
    all_taken = face.play("gipf", text, "d1-d2;xb2,c3,d4,e5,f5,g5,h5")
    assert all_taken == place("9 9 b --", d2="w", **others)
    none_taken = face.play("gipf", text, "d1-d2;xb2,d4,e5,g5")
    assert none_taken == place("5 9 b --", c3="W", f5="W", h5="B", d2="w", **others)


def test_a_line_is_resolved_once(face: Face) -> None:
    """A row thinned to GIPF-pieces that stay is not offered again in the same phase (decision)."""
    text = place("2 9 w gg", [(FROM_A1, ". W W W W")], b5="W", e8="B")
    turns = beginning(face.turns("gipf:tournament", text), "a1-b2;")
    assert turns == groups("b2", "c3 d4 e5 f5")
