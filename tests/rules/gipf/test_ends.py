"""How games of GIPF end, the tournament game, and which turns are one."""

from __future__ import annotations

import pytest

from tests.rules.faces import Face
from tests.rules.gipf.boards import (
    EDGE_PUSHES,
    FROM_A1,
    GIPFS,
    beginning,
    groups,
    openings,
    place,
)

# ---- Ends ----


def test_an_empty_reserve_loses_on_the_own_turn(face: Face) -> None:
    """Who is to move with nothing to bring in has lost [G-7]."""
    text = place("0 9 w --", b2="w", e5="b")
    assert face.turns("gipf:basic", text) == []
    assert face.outcome("gipf:basic", text) == "second"
    text = place("9 0 b --", b2="w", e5="b")
    assert face.turns("gipf:basic", text) == []
    assert face.outcome("gipf:basic", text) == "first"


def test_an_empty_reserve_on_the_opponents_turn_is_no_loss_yet(face: Face) -> None:
    """The first player to have nothing to bring in loses, even if the other has nothing after that [G-7]."""
    text = place("1 1 w --")
    pushed = face.play("gipf:basic", text, "a1-b2")
    assert face.outcome("gipf:basic", pushed) is None
    answered = face.play("gipf:basic", pushed, "h6-h5")
    assert face.outcome("gipf:basic", answered) == "second"
    assert face.turns("gipf:basic", answered) == []


def test_a_row_that_opens_the_turn_fills_an_empty_reserve(face: Face) -> None:
    """The own rows are taken first [G-7]."""
    text = place("0 9 w --", [(FROM_A1, "w w w w")])
    assert face.outcome("gipf:basic", text) is None
    assert openings(face.turns("gipf:basic", text)) == {"xb2,c3,d4,e5"}
    assert face.play("gipf:basic", text, "xb2,c3,d4,e5;a1-b2") == place("3 9 b --", b2="w")


def test_capturing_the_last_gipf_piece_wins(face: Face) -> None:
    """White may take Black's last GIPF-piece, and then has won [G-11]."""
    text = place("5 9 w --", [(FROM_A1, ". w w w B")], b5="W")
    assert beginning(face.turns("gipf", text), "a1-b2;") == {"xb2,c3,d4,e5", "xb2,c3,d4,e5,f5"}
    won = face.play("gipf", text, "a1-b2;xb2,c3,d4,e5,f5")
    assert won == place("8 9 b --", b5="W")
    assert face.outcome("gipf", won) == "first"
    assert face.turns("gipf", won) == []
    assert face.outcome("gipf", face.play("gipf", text, "a1-b2;xb2,c3,d4,e5")) is None


def test_taking_the_own_last_gipf_piece_loses(face: Face) -> None:
    """It may be taken, and the player has lost [G-11]."""
    text = place("5 9 w --", [(FROM_A1, ". w W w")], e8="B")
    assert beginning(face.turns("gipf", text), "a1-b2;") == {"xb2,c3,e5", "xb2,c3,d4,e5"}
    lost = face.play("gipf", text, "a1-b2;xb2,c3,d4,e5")
    assert lost == place("9 9 b --", e8="B")
    assert face.outcome("gipf", lost) == "second"


def test_taking_the_last_gipf_pieces_of_both_loses(face: Face) -> None:
    """Who took them loses: the own one could have stayed (decision at [G-11])."""
    text = place("5 9 w --", [(FROM_A1, ". w W w B")])
    both = face.play("gipf", text, "a1-b2;xb2,c3,d4,e5,f5")
    assert both == place("9 9 b --")
    assert face.outcome("gipf", both) == "second"
    assert face.outcome("gipf", face.play("gipf", text, "a1-b2;xb2,c3,e5,f5")) == "first"


def test_a_removal_that_opens_the_turn_can_end_the_game(face: Face) -> None:
    """Then it is the whole turn: nothing more is taken or pushed, and the turn has passed on [G-11]."""
    text = place("5 2 b --", [(FROM_A1, "b b b b W"), ("h2 h3 h4 h5", "b b b b")], d7="B")
    whole = {turn for turn in face.turns("gipf", text) if "-" not in turn}
    assert whole == {"xb2,c3,d4,e5,f5", "xh2,h3,h4,h5;xb2,c3,d4,e5,f5"}
    won = face.play("gipf", text, "xb2,c3,d4,e5,f5")
    assert won == place("5 6 w --", [("h2 h3 h4 h5", "b b b b")], d7="B")
    assert face.outcome("gipf", won) == "second"
    assert face.turns("gipf", won) == []
    assert openings(face.turns("gipf", text)) - whole == {"xb2,c3,d4,e5;xh2,h3,h4,h5"}


@pytest.mark.parametrize("spec", ["gipf", "gipf:tournament"])
@pytest.mark.parametrize(
    ("pieces", "side", "outcome"),
    [
        ({"b2": "w", "e8": "B"}, "w", "second"),
        ({"b2": "w", "e8": "B"}, "b", "second"),
        ({"b2": "W", "e8": "b"}, "w", "first"),
        ({"b2": "w", "e8": "b"}, "w", "first"),
        ({"b2": "w", "e8": "b"}, "b", "second"),
        ({"b2": "W", "e8": "B"}, "b", None),
    ],
)
def test_a_side_without_gipf_pieces_has_lost(
    face: Face, spec: str, pieces: dict[str, str], side: str, outcome: str | None
) -> None:
    """And of two such sides the one that made the last turn [G-11]."""
    text = place(f"9 9 {side} --", **pieces)
    assert face.outcome(spec, text) == outcome
    assert bool(face.turns(spec, text)) == (outcome is None)


# ---- The tournament game ----


def test_the_first_turn_brings_in_a_gipf_piece(face: Face) -> None:
    """Of both players; after it basic pieces are allowed as well [G-12]."""
    spec = "gipf:tournament"
    start = face.start(spec)
    assert set(face.turns(spec, start)) == {f"G{push}" for push in EDGE_PUSHES}
    white = face.play(spec, start, "Ga1-b2")
    assert white == place("16 18 b gg", b2="W")
    assert face.outcome(spec, white) is None
    assert all(turn.startswith("G") for turn in face.turns(spec, white))
    black = face.play(spec, white, "Gh6-h5")
    assert black == place("16 16 w gg", b2="W", h5="B")
    assert {"Gd8-e8", "d8-e8"} <= set(face.turns(spec, black))


def test_a_basic_piece_ends_the_right_to_gipf_pieces(face: Face) -> None:
    """Each player decides alone when to go over to basic pieces, for good [G-12]."""
    spec = "gipf:tournament"
    text = place("16 16 w gg", b2="W", h5="B")
    more = face.play(spec, text, "Gd8-e8")
    assert more == place("14 16 b gg", b2="W", h5="B", e8="W")
    basic = face.play(spec, more, "d1-e2")
    assert basic == place("14 15 w g-", b2="W", h5="B", e8="W", e2="b")
    later = face.play(spec, basic, "Gb6-c6")
    assert not beginning(face.turns(spec, later), "G")
    again = face.play(spec, later, "b1-c2")
    assert any(turn.startswith("G") for turn in face.turns(spec, again))


def test_a_gipf_piece_needs_two_in_reserve(face: Face) -> None:
    """With one piece left only a basic one can come in [G-12]."""
    text = place("1 9 w gg", b2="W", h5="B")
    turns = face.turns("gipf:tournament", text)
    assert turns
    assert not beginning(turns, "G")
    assert any(turn.startswith("G") for turn in face.turns("gipf:tournament", place("2 9 w gg", **GIPFS)))


def test_a_row_of_gipf_pieces_may_stay_when_it_is_made(face: Face) -> None:
    """Any of its pieces may be taken; a basic piece that extends it goes [G-13]."""
    spec = "gipf:tournament"
    text = place("6 9 w gg", [(FROM_A1, ". W W W")], b5="W", e8="B")
    assert beginning(face.turns(spec, text), "Ga1-b2") == {
        "",
        *(f";{group}" for group in groups("", "b2 c3 d4 e5") if group != "x"),
    }
    extended = place("6 9 w g-", [(FROM_A1, ". W W W b")], b5="W", e8="B")
    assert beginning(face.turns(spec, extended), "Ga1-b2;") == groups("f5", "b2 c3 d4 e5")
    assert face.play(spec, extended, "Ga1-b2;xb2,f5") == place(
        "6 9 b g-", [(FROM_A1, ". W W W")], b5="W", e8="B"
    )


def test_a_row_of_gipf_pieces_is_offered_before_and_after_every_own_move(face: Face) -> None:
    """It may be left again and again, or be taken from, by its owner [G-13]."""
    spec = "gipf:tournament"
    text = place("6 9 w -g", [(FROM_A1, "W W W W")], b5="W", e8="B")
    turns = face.turns(spec, text)
    assert {"h6-h5", "h6-h5;xb2", "h6-h5;xb2,c3,d4,e5"} <= set(turns)
    assert "xb2;h6-h5" not in turns  # the same position as h6-h5;xb2, whose text is smaller
    # Taken before the push, the row is broken and the new piece stays; otherwise it is part of a row.
    assert beginning(turns, "a2-b2;") == groups("b2", "c3 d4 e5")
    after = face.play(spec, text, "xc3;a2-b2")
    assert after == place("7 9 b -g", [(FROM_A1, "w . W W")], c2="W", b5="W", e8="B")
    assert openings(face.turns(spec, text.replace(" w ", " b "))) == {""}


def test_a_row_of_gipf_pieces_cannot_be_left_with_nothing_to_bring_in(face: Face) -> None:
    """With an empty reserve there would be no turn."""
    text = place("0 9 w -g", [(FROM_A1, "W W W W")], b5="W", e8="B")
    turns = face.turns("gipf:tournament", text)
    assert openings(turns) == groups("", "b2 c3 d4 e5") - {"x"}
    assert face.outcome("gipf:tournament", text) is None


# ---- One turn for one position ----


def test_the_smallest_dot_stands_for_all(face: Face) -> None:
    """Turns that give the same position are one; other dots that give another are not."""
    turns = face.turns("gipf:basic", face.start("gipf:basic"))
    # The black piece on b2 goes to c3, to c2 or to b3.
    assert {"a1-b2", "a2-b2", "b1-b2"} <= set(turns)
    # White's own piece on e2 goes to f2: as if the new one had been pushed there.
    assert "d1-e2" in turns
    assert not {"f1-f2", "g1-f2"} & set(turns)


def test_the_smallest_first_line_stands_for_all_orders(face: Face) -> None:
    """Rows that cross at a GIPF-piece that stays or goes last: the smaller line is named first."""
    text = place("5 4 b --", [("b2 c3 d4 e5", "b b B b"), ("d2 d3 d5", "b b b")], h2="B", b5="W")
    assert openings(face.turns("gipf", text)) == {
        "xb2,c3,d4,e5",
        "xd2,d3,d4,d5",
        "xb2,c3,e5;xd2,d3,d5",
        "xb2,c3,e5;xd2,d3,d4,d5",
    }


def test_an_extra_push_that_changes_nothing_is_named_by_the_smaller_dots(face: Face) -> None:
    """The potential goes with the row it extends: pushed or given up, the position is the same."""
    spec = "gipf:basic,tamsk=1"
    text = place("5 5 w -- 0 0 0 0 0 0", [(FROM_A1, "w w w w* b b")])
    turns = face.turns(spec, text)
    row = "xb2,c3,d4,e5,f5,g5"
    assert f"p-;{row};a1-b2" in turns
    assert f"pa1-b2;{row},h5;a2-b3" in turns
    assert f"p-;{row};a2-b3" not in turns
    expected = place("8 5 b -- 0 0 0 0 0 0", b3="w")
    assert face.play(spec, text, f"pa1-b2;{row},h5;a2-b3") == expected
