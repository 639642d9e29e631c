"""YINSH potentials, which move along the lines, and the extra pieces of the tournament game."""

from __future__ import annotations

import pytest

from tengen.engine.errors import TengenError
from tests.rules.faces import Face
from tests.rules.gipf.boards import EMPTY, FROM_A1, beginning, groups, openings, place

YINSH = "gipf:basic,yinsh=2"
NONE_LEFT = "-- 0 0 0 0 0 0"


def test_a_yinsh_potential_moves_along_a_line_over_empty_spots(face: Face) -> None:
    """Any number of them, never over a piece nor onto a dot (designer's page, 1 to 3) [PY-1]."""
    text = place(f"5 5 w {NONE_LEFT}", e5="wy", e7="b", f5="w", f4="by", d4="b", d5="w", e4="b^")
    assert beginning(face.turns(YINSH, text), "je5-") == {"e6"}
    text = place(f"5 5 w {NONE_LEFT}", e5="wy", e7="b", c3="b", g3="by")
    south_and_east = {"e4", "e3", "e2", "d4", "f5", "g5", "h5", "f4", "d5", "c5", "b5"}
    assert beginning(face.turns(YINSH, text), "je5-") == {"e6"} | south_and_east


def test_a_moved_yinsh_potential_is_a_piece_without_powers(face: Face) -> None:
    """Its base stays, a basic piece; nothing is lost of what may be brought in [PY-1] [P-6]."""
    text = place("5 5 w zz 0 0 0 0 1 2", e5="wy", e7="b")
    after = face.play(YINSH, text, "je5-h5")
    assert after == place("5 5 b zz 0 0 0 0 1 2", e5="w", h5="w^", e7="b")
    assert not beginning(face.turns(YINSH, after.replace(" b ", " w ")), "j")


def test_rows_are_taken_after_a_yinsh_move(face: Face) -> None:
    """The used potential always goes with its row (page, 4 and 5; general use, 9) [PY-1] [P-6]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_A1, "w w w")], e7="wy")
    assert "je7-e5" not in face.turns(YINSH, text)
    after = face.play(YINSH, text, "je7-e5;xb2,c3,d4,e5")
    assert after == place(f"8 5 b {NONE_LEFT}", e7="w")


def test_yinsh_charged_pieces_may_be_left_and_their_row_must_be_broken(face: Face) -> None:
    """As of every kind [PD-6] [PD-8]."""
    text = place(f"5 5 w {NONE_LEFT}", [(FROM_A1, ". wy w w by")])
    assert beginning(face.turns(YINSH, text), "a1-b2;") == groups("b2 d4 e5", "c3 f5")
    mixed = place("5 5 w -- 0 0 0 0 0 0 0 0 0 0", [(FROM_A1, "w* w+ wd wy")])
    spec = "gipf:basic,zertz=1,tamsk=1,dvonn=1,yinsh=1"
    assert openings(face.turns(spec, mixed)) == groups("", "b2 c3 d4 e5") - {"x"}


def test_an_empty_reserve_is_no_loss_while_a_yinsh_potential_can_move(face: Face) -> None:
    """[P-7]"""
    closed = {"e6": "b", "e4": "b", "d5": "b", "f5": "b", "d4": "b"}
    text = place(f"0 5 w {NONE_LEFT}", e5="wy", **closed)
    assert face.outcome(YINSH, text) is None
    assert face.turns(YINSH, text) == ["je5-f4", "je5-g3", "je5-h2"]
    text = place(f"0 5 w {NONE_LEFT}", e5="wy", **closed, f4="b")
    assert face.outcome(YINSH, text) == "second"
    assert face.turns(YINSH, text) == []


def test_a_zertz_potential_jumps_over_stacks_and_those_of_others(face: Face) -> None:
    """Pieces of any kind [P-5]."""
    text = place("5 5 w -- 0 0 0 0 0 0 0 0", [(FROM_A1, "w+ by wd1 b1 b^")])
    assert beginning(face.turns("gipf:basic,zertz=1,dvonn=2,yinsh=2", text), "j") == {"b2-g5"}


# ---- Extra pieces ----


def test_extra_pieces_are_in_reserve_in_the_tournament_game(face: Face) -> None:
    """They are ordinary ones (designer's page on Ultimate GIPF) [U-1]."""
    spec = "gipf:tournament,extra=3"
    assert face.start(spec) == f"{EMPTY} 21 21 w gg"
    assert face.play(spec, face.start(spec), "Ga1-b2") == place("19 21 b gg", b2="W")
    assert all(turn.startswith("G") for turn in face.turns(spec, place("19 21 b gg", b2="W")))
    pieces = {spot: "W" for spot in ("b2", "b3", "b5", "d2", "d3", "d6", "f2", "f3", "f7", "h2")}
    assert face.read(spec, place("1 19 w gg", **pieces, h5="B")) == place("1 19 w gg", **pieces, h5="B")


@pytest.mark.parametrize(
    "spec",
    [
        "gipf,extra=1",
        "gipf:basic,extra=1",
        "gipf:tournament,extra=4",
        "gipf,punct=1",
        "gipf:tournament,punct=1",
    ],
)
def test_games_without_rules_for_them_are_refused(face: Face, spec: str) -> None:
    """Extra pieces are for the tournament game [U-1], PÜNCT potentials for the basic game [PP-2]."""
    with pytest.raises((ValueError, TengenError)):
        face.start(spec)
