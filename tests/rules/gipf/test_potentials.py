"""Potentials: charged pieces, jumps, and the extra push of TAMSK."""

from __future__ import annotations

import pytest

from tests.rules.faces import Face
from tests.rules.gipf.boards import (
    FROM_A1,
    FROM_E1,
    NONE_LEFT,
    TAMSK,
    beginning,
    groups,
    openings,
    place,
)

# ---- Potentials ----


def test_charged_pieces_come_before_basic_ones(face: Face) -> None:
    """A basic push loses the potentials that are not in play; a charged push uses one of them [P-2]."""
    spec = "gipf:basic,zertz=2,challenges=1"
    text = place("12 12 w zz 2 2 1 1")
    assert face.play(spec, text, "Za1-b2") == place("11 12 b zz 1 2 1 1", b2="w+")
    assert face.play(spec, text, "a1-b2") == place("11 12 b -z 0 2 1 1", b2="w")
    last = place("11 12 w zz 1 2 1 1", e5="w+")
    assert face.play(spec, last, "Za1-b2") == place("10 12 b -z 0 2 1 1", e5="w+", b2="w+")
    none = face.turns(spec, place("10 12 w -z 0 2 1 1", e5="w+"))
    assert not beginning(none, "Z")
    assert not beginning(none, "T")


def test_charged_pieces_come_after_gipf_pieces(face: Face) -> None:
    """The first turn is a GIPF-piece's all the same; a charged piece ends the right to them [P-2]."""
    spec = "gipf:tournament,zertz=2"
    start = face.start(spec)
    assert all(turn.startswith("G") for turn in face.turns(spec, start))
    text = place("16 16 w gg 2 2 0 0", b2="W", h5="B")
    assert {"Gd8-e8", "Zd8-e8", "d8-e8"} <= set(face.turns(spec, text))
    charged = face.play(spec, text, "Zd8-e8")
    assert charged == place("15 16 b zg 1 2 0 0", b2="W", h5="B", e8="w+")
    mine = face.turns(spec, charged.replace(" b ", " w "))
    assert not beginning(mine, "G")
    assert beginning(mine, "Z")
    assert face.play(spec, text, "d8-e8") == place("15 16 b -g 0 2 0 0", b2="W", h5="B", e8="w")
    assert face.play(spec, text, "Gd8-e8") == place("14 16 b gg 2 2 0 0", b2="W", h5="B", e8="W")


def test_a_charged_piece_needs_a_piece_in_reserve(face: Face) -> None:
    """It is a basic piece with a potential on top [P-2] [P-7]."""
    text = place("0 5 w zz 2 2 0 0", e5="b")
    assert face.turns("gipf:basic,zertz=2", text) == []
    assert face.outcome("gipf:basic,zertz=2", text) == "second"


def test_a_charged_piece_is_pushed_and_may_be_left(face: Face) -> None:
    """Of either colour, while the basic pieces of the row go; taken potentials are lost [P-3] [P-4]."""
    spec = "gipf:basic,zertz=1"
    text = place("5 5 w -- 0 0 0 0", [(FROM_A1, ". w+ w w b+")])
    assert beginning(face.turns(spec, text), "a1-b2;") == groups("b2 d4 e5", "c3 f5")
    left = face.play(spec, text, "a1-b2;xb2,d4,e5")
    assert left == place("7 5 b -- 0 0 0 0", c3="w+", f5="b+")
    taken = face.play(spec, text, "a1-b2;xb2,c3,d4,e5,f5")
    assert taken == place("8 5 b -- 0 0 0 0")
    pushed = face.play(spec, text, "h6-h5", "i5-h5")
    assert pushed == place("4 4 w -- 0 0 0 0", [(FROM_A1, ". w+ w w b+ w b")])
    moved = face.play(spec, place("5 5 w -- 0 0 0 0", b2="w+", c3="b+"), "a1-b2")
    assert moved == place("4 5 b -- 0 0 0 0", b2="w", c3="w+", d4="b+")


def test_a_row_of_charged_pieces_must_be_broken(face: Face) -> None:
    """Four: at least one goes [P-3]."""
    spec = "gipf:basic,zertz=4"
    text = place("5 5 w -- 0 0 0 0", [(FROM_A1, "w+ w+ w+ w+")])
    assert openings(face.turns(spec, text)) == groups("", "b2 c3 d4 e5") - {"x"}


def test_a_row_of_charged_pieces_must_be_broken_till_no_four_are_left(face: Face) -> None:
    """Five: so many that no four adjacent pieces remain (decision at [P-3])."""
    spec = "gipf:basic,zertz=5"
    text = place("5 5 w -- 0 0 0 0", [(FROM_A1, "w+ w+ w+ w+ w+")])
    broken = groups("", "b2 c3 d4 e5 f5") - {"x", "xb2", "xf5"}
    assert openings(face.turns(spec, text)) == broken
    assert len(broken) == 29


@pytest.mark.parametrize("end", ["W", "b+", "B"])
def test_a_row_of_charged_and_gipf_pieces_must_be_broken(face: Face, end: str) -> None:
    """Breaking counts the owner's pieces only; enemy ones that extend the row may stay or go [P-3]."""
    spec = "gipf,zertz=3"
    gipf = {"b5": "W", "e8": "B"}
    text = place("5 5 w -- 0 0 0 0", [(FROM_A1, f"W w+ w+ w+ {end}")], **gipf)
    unbroken = {"x", "xb2", "xf5"} if end == "W" else {"x", "xf5"}
    assert openings(face.turns(spec, text)) == groups("", "b2 c3 d4 e5 f5") - unbroken


def test_a_charged_enemy_makes_a_row_of_gipf_pieces_to_be_broken(face: Face) -> None:
    """Every piece may stay and one is charged (decision at [P-3])."""
    spec = "gipf:tournament,zertz=1"
    text = place("5 5 w -- 0 0 0 0", [(FROM_A1, "W W W W b+")], b5="W", e8="B")
    assert openings(face.turns(spec, text)) == groups("", "b2 c3 d4 e5 f5") - {"x", "xf5"}


def test_a_row_with_a_basic_piece_is_not_broken_further(face: Face) -> None:
    """It loses the basic piece; what stays is offered again only after the push [P-3]."""
    spec = "gipf:basic,zertz=4"
    text = place("5 5 w -- 0 0 0 0", [(FROM_A1, "w+ w+ w+ w+ w")])
    turns = face.turns(spec, text)
    # The four that stay are pushed on, and the row they form with the new piece goes. Turns that take what
    # comes to f5 are named otherwise: it was taken before the push.
    assert beginning(turns, "xf5;a1-b2;") == groups("b2", "c3 d4 e5")
    # Elsewhere the row would have to be broken after the push, which is the same as before.
    assert not beginning(turns, "xf5;h1-h2")
    closing = place("5 5 w -- 0 0 0 0", [(FROM_A1, "w+ w+ . w+ w+")], d2="b", d3="w")
    assert beginning(face.turns(spec, closing), "d1-d2;") == groups("d4", "b2 c3 e5 f5")


def test_a_jump_goes_over_adjacent_pieces_to_the_first_empty_spot(face: Face) -> None:
    """Over pieces of any kind and colour, in a line, never over a gap and never onto a dot [P-5]."""
    spec = "gipf:tournament,zertz=2"
    around = {"e6": "W", "e7": "b", "f4": "b+", "d5": "B", "c5": "w", "b5": "b", "f6": "w"}
    text = place("5 5 w -- 0 0 0 0", e5="w+", **around)
    jumps = {turn for turn in face.turns(spec, text) if turn.startswith("j")}
    assert jumps == {"je5-e8", "je5-g3"}
    jumped = face.play(spec, text, "je5-e8")
    assert jumped == place("5 5 b -- 0 0 0 0", e5="w", e8="w^", **around)
    assert not any(turn.startswith("j") for turn in face.turns(spec, jumped.replace(" b ", " w ")))


def test_a_jump_keeps_what_may_be_brought_in(face: Face) -> None:
    """It pushes no piece, so nothing is lost by it [P-2] [P-5]."""
    text = place("5 5 w zz 1 2 1 1", e5="w+", e6="b")
    jumped = face.play("gipf:basic,zertz=2,challenges=1", text, "je5-e7")
    assert jumped == place("5 5 b zz 1 2 1 1", e5="w", e6="b", e7="w^")


def test_rows_are_taken_after_a_jump(face: Face) -> None:
    """A potential that has jumped is a piece of its colour; it leaves the game with its row [P-5] [P-6]."""
    spec = "gipf:basic,zertz=1"
    text = place("5 5 w -- 0 0 0 0", [("b5 c5 d5 e5", ". w w w")], b2="w+", b3="b", b4="b")
    jumps = {turn for turn in face.turns(spec, text) if turn.startswith("j")}
    assert jumps == {"jb2-b5;xb5,c5,d5,e5"}
    after = face.play(spec, text, "jb2-b5;xb5,c5,d5,e5")
    assert after == place("8 5 b -- 0 0 0 0", b2="w", b3="b", b4="b")


@pytest.mark.parametrize("side", ["w", "b"])
def test_a_used_potential_always_goes_and_never_returns(face: Face, side: str) -> None:
    """Whoever takes the row [P-6]."""
    spec = "gipf:basic,zertz=2"
    other = "b" if side == "w" else "w"
    row = [(FROM_A1, f"{side} {side} . {side} w^ b^")]
    text = place(f"5 5 {side} -- 0 0 0 0", row, d2=other, d3=side)
    assert beginning(face.turns(spec, text), "d1-d2;") == {"xb2,c3,d4,e5,f5,g5"}
    reserves = "8 5 b" if side == "w" else "5 8 w"
    after = face.play(spec, text, "d1-d2;xb2,c3,d4,e5,f5,g5")
    assert after == place(f"{reserves} -- 0 0 0 0", d2=side, d3=other)


def test_a_player_with_an_empty_reserve_may_jump(face: Face) -> None:
    """And loses when no jump is possible either [P-7]."""
    spec = "gipf:basic,zertz=1"
    text = place("0 5 w -- 0 0 0 0", e5="w+", e6="b", f2="w")
    assert face.turns(spec, text) == ["je5-e7"]
    assert face.outcome(spec, text) is None
    alone = place("0 5 w -- 0 0 0 0", e5="w+", e7="b")
    assert face.turns(spec, alone) == []
    assert face.outcome(spec, alone) == "second"


def test_a_jump_lets_a_row_of_gipf_pieces_be_left(face: Face) -> None:
    """With an empty reserve it is the jump that makes a turn [P-7] [G-13]."""
    spec = "gipf:tournament,zertz=1"
    text = place("0 5 w -- 0 0 0 0", [(FROM_A1, "W W W W")], g2="w+", g3="b", e8="B")
    assert "jg2-g4" in face.turns(spec, text)


def test_removals_that_bring_nothing_back_can_be_a_turn_that_loses(face: Face) -> None:
    """Nothing to bring in after the rows that open the turn: they are the whole turn [G-7] [P-6]."""
    spec = "gipf:basic,zertz=4"
    text = place("0 5 w -- 0 0 0 0", [(FROM_A1, "w^ w^ w^ w^")], e8="b")
    assert face.outcome(spec, text) is None
    assert face.turns(spec, text) == ["xb2,c3,d4,e5"]
    lost = face.play(spec, text, "xb2,c3,d4,e5")
    assert lost == place("0 5 w -- 0 0 0 0", e8="b")
    assert face.outcome(spec, lost) == "second"
    assert face.turns(spec, lost) == []


def test_potentials_do_not_stand_in_for_gipf_pieces(face: Face) -> None:
    """All potentials may be lost, never all GIPF-pieces [P-8]."""
    text = place("5 5 w -- 0 0 0 0", e5="w+", e6="b", e8="B")
    assert face.outcome("gipf,zertz=3", text) == "second"
    assert face.turns("gipf,zertz=3", text) == []


# ---- The TAMSK potential ----


def test_tamsk_comes_after_zertz(face: Face) -> None:
    """Pushing a TAMSK-charged piece loses the ZÈRTZ potentials that are not in play [T-1]."""
    spec = "gipf:basic,zertz=2,tamsk=2"
    text = place("12 12 w zz 2 2 0 0 2 2")
    assert face.play(spec, text, "Za1-b2") == place("11 12 b zz 1 2 0 0 2 2", b2="w+")
    assert face.play(spec, text, "Ta1-b2") == place("11 12 b zz 0 2 0 0 1 2", b2="w*")
    assert face.play(spec, text, "a1-b2") == place("11 12 b -z 0 2 0 0 0 2", b2="w")
    later = face.turns(spec, place("11 12 w zz 0 2 0 0 1 2", b2="w*"))
    assert not beginning(later, "Z")
    assert beginning(later, "T")
    last = place("11 12 w zz 0 2 0 0 1 2", e8="w*")
    assert face.play(spec, last, "Ta1-b2") == place("10 12 b -z 0 2 0 0 0 2", b2="w*", e8="w*")


def test_tamsk_ends_the_right_to_gipf_pieces(face: Face) -> None:
    """As a ZÈRTZ-charged piece does [T-1]."""
    text = place("16 16 w gg 0 0 0 0 1 1", b2="W", h5="B")
    after = face.play("gipf:tournament,tamsk=1", text, "Td8-e8")
    assert after == place("15 16 b -g 0 0 0 0 0 1", b2="W", h5="B", e8="w*")


def test_a_tamsk_charged_piece_may_be_left_in_a_row(face: Face) -> None:
    """[P-3] and [P-4] hold for both kinds [T-1]."""
    text = place(f"5 5 w {NONE_LEFT}", [("d2 d3 d4 d5 d6", ". w* w w b*")])
    assert beginning(face.turns(TAMSK, text), "c1-d2;") == groups("d2 d4 d5", "d3 d6")
    mixed = place("5 5 w -- 0 0 0 0 0 0", [("b2 b3 b4 b5", "w* w+ w* w+")])
    assert openings(face.turns("gipf:basic,zertz=2,tamsk=2", mixed)) == groups("", "b2 b3 b4 b5") - {"x"}


def test_the_own_push_onto_the_central_spot_gives_an_extra_push(face: Face) -> None:
    """The potential is pushed in from any dot, not out of the reserve; its base stays [T-2] [T-4]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_E1, "b w w*")])
    turns = beginning(face.turns(TAMSK, text), "e1-e2")
    assert "" not in turns
    assert {";p-", ";pa1-b2", ";ph6-h5", ";pe1-e2"} <= turns
    after = face.play(TAMSK, text, "e1-e2;pa1-b2")
    assert after == place(f"4 5 b {NONE_LEFT}", [(FROM_E1, "w b w w")], b2="w^")
    again = face.play(TAMSK, text, "e1-e2;pe1-e2")
    assert again == place(f"4 5 b {NONE_LEFT}", [(FROM_E1, "w^ w b w w")])


def test_the_potential_is_used_at_once_or_lost(face: Face) -> None:
    """Given up, it is out of the game and the base stays [T-3]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_E1, "b w w*")])
    after = face.play(TAMSK, text, "e1-e2;p-")
    assert after == place(f"4 5 b {NONE_LEFT}", [(FROM_E1, "w b w w")])


def test_the_last_piece_of_the_reserve_leaves_the_extra_push(face: Face) -> None:
    """The potential does not come out of the reserve [T-2]."""
    text = place(f"1 5 w {NONE_LEFT}", [(FROM_E1, "b w w*")])
    after = face.play(TAMSK, text, "e1-e2;pa1-b2")
    assert after == place(f"0 5 b {NONE_LEFT}", [(FROM_E1, "w b w w")], b2="w^")


def test_the_extra_push_comes_before_the_rows(face: Face) -> None:
    """The row through the central spot is there before and is taken after, with the base [T-2] [T-4]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_E1, "b w w*"), (FROM_A1, "w w w . b")])
    after = face.play(TAMSK, text, "e1-e2;ph1-h2;xb2,c3,d4,e5,f5")
    assert after == place(f"8 5 b {NONE_LEFT}", [(FROM_E1, "w b w")], h2="w^")
    assert beginning(face.turns(TAMSK, text), "e1-e2;ph1-h2;") == {"xb2,c3,d4,e5,f5"}


def test_the_potential_pushed_in_makes_a_row_and_leaves_with_it(face: Face) -> None:
    """It is a piece of its colour without powers [T-5]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_E1, "b w w*"), (FROM_A1, ". w w")])
    after = face.play(TAMSK, text, "e1-e2;pa1-b2;xb2,c3,d4,e5")
    assert after == place(f"7 5 b {NONE_LEFT}", [(FROM_E1, "w b w")])


def test_the_opponents_push_gives_the_extra_push_that_opens_the_turn(face: Face) -> None:
    """Before the rows that open it and before the own push, which is still to be made [T-4]."""
    text = place(f"5 5 b {NONE_LEFT}", [(FROM_E1, "b w w*"), (FROM_A1, "w w w . b")])
    pushed = face.play(TAMSK, text, "e1-e2")
    assert pushed == place(f"5 4 w {NONE_LEFT}", [(FROM_E1, "b b w w*"), (FROM_A1, "w w w w* b")])
    turns = face.turns(TAMSK, pushed)
    assert all(turn.startswith("p") for turn in turns)
    assert beginning(turns, "ph1-h2;xb2,c3,d4,e5,f5;")
    after = face.play(TAMSK, pushed, "ph1-h2;xb2,c3,d4,e5,f5;a1-b2")
    assert after == place(f"8 4 b {NONE_LEFT}", [(FROM_E1, "b b w")], h2="w^", b2="w")


def test_an_extra_push_can_give_another(face: Face) -> None:
    """When it brings another TAMSK-charged piece of the same owner to the central spot [T-4]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_E1, "b b w* w*")])
    turns = face.turns(TAMSK, text)
    assert all(turn.startswith("p") for turn in turns)
    assert beginning(turns, "pe1-e2;p-;")
    after = face.play(TAMSK, text, "pe1-e2;pa1-b2;h1-h2")
    assert after == place(f"4 5 b {NONE_LEFT}", [(FROM_E1, "w^ b b w w")], b2="w^", h2="w")


def test_an_extra_push_can_give_the_opponent_one(face: Face) -> None:
    """It opens the opponent's next turn [T-4]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_E1, "b b b* w*")])
    after = face.play(TAMSK, text, "pe1-e2;h1-h2")
    assert after == place(f"4 5 b {NONE_LEFT}", [(FROM_E1, "w^ b b b* w")], h2="w")
    turns = face.turns(TAMSK, after)
    assert all(turn.startswith("p") for turn in turns)


def test_an_enemy_charged_piece_on_the_central_spot_gives_nothing(face: Face) -> None:
    """Its owner uses it [T-2]."""
    text = place(f"5 5 w {NONE_LEFT}", e5="b*")
    assert not beginning(face.turns(TAMSK, text), "p")
    waiting = face.play(TAMSK, text, "a1-b2")
    assert all(turn.startswith("p") for turn in face.turns(TAMSK, waiting))


def test_an_extra_push_is_no_turn(face: Face) -> None:
    """Who has nothing to bring in after it, and no jump, loses; the turn is these parts alone [T-6] [G-7]."""
    text = place(f"0 5 w {NONE_LEFT}", e5="w*", e8="b")
    assert face.outcome(TAMSK, text) is None
    turns = face.turns(TAMSK, text)
    assert {"p-", "pa1-b2"} <= set(turns)
    assert not [turn for turn in turns if ";" in turn]
    for turn, used in (("p-", {}), ("pa1-b2", {"b2": "w^"})):
        lost = face.play(TAMSK, text, turn)
        assert lost == place(f"0 5 w {NONE_LEFT}", e5="w", e8="b", **used)
        assert face.outcome(TAMSK, lost) == "second"
        assert face.turns(TAMSK, lost) == []


def test_an_extra_push_can_save_a_player_without_reserve(face: Face) -> None:
    """By the row that it makes [T-6]."""
    text = place(f"0 5 w {NONE_LEFT}", [(FROM_A1, ". w w w*")], e8="b")
    after = face.play(TAMSK, text, "pa1-b2;xb2,c3,d4,e5;h1-h2")
    assert after == place(f"2 5 b {NONE_LEFT}", h2="w", e8="b")
