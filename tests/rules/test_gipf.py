"""The rulebooks' statements and worked examples about GIPF, on the reference and on the engine."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations

import pytest

from tengen.engine.errors import IllegalTurnError, TengenError
from tengen.engine.position import Position
from tests.reference import reference
from tests.rules.faces import Face, each_face

face = each_face
COLUMNS = {"b": 4, "c": 5, "d": 6, "e": 7, "f": 6, "g": 5, "h": 4}
SPOTS = [f"{column}{row}" for column, spots in COLUMNS.items() for row in range(2, spots + 2)]
# The spots of three lines through the centre, from their smaller dots.
FROM_A1 = "b2 c3 d4 e5 f5 g5 h5"
FROM_A5 = "b5 c5 d5 e5 f4 g3 h2"
FROM_E1 = "e2 e3 e4 e5 e6 e7 e8"
EDGE_PUSHES = {
    "a1-b2", "a2-b3", "a3-b4", "a4-b5", "b1-c2", "b6-c6", "c1-d2", "c7-d7", "d1-e2",
    "d8-e8", "f1-f2", "f8-f7", "g1-g2", "g7-g6", "h1-h2", "i2-h3", "i3-h4", "h6-h5",
}  # fmt: skip
EMPTY = "..../...../....../......./....../...../...."


def place(tail: str, lines: Iterable[tuple[str, str]] = (), **pieces: str) -> str:
    """Set up a position: spots and their pieces along lines (`.` for none), more pieces by spot, the rest."""
    board = {}
    for spots, codes in lines:
        board.update(zip(spots.split(), codes.split(), strict=False))
    board.update(pieces)
    assert board.keys() <= {*SPOTS}
    columns = ("".join(board.get(spot, ".") for spot in SPOTS if spot[0] == column) for column in COLUMNS)
    return f"{'/'.join(columns)} {tail}"


def beginning(turns: Iterable[str], prefix: str) -> set[str]:
    """Return the turns that begin with `prefix`, without it."""
    return {turn.removeprefix(prefix) for turn in turns if turn.startswith(prefix)}


def openings(turns: Iterable[str]) -> set[str]:
    """Return the rows taken before the push or jump, as the turns name them."""
    found = set()
    for turn in turns:
        parts = turn.split(";")
        count = next((i for i, part in enumerate(parts) if not part.startswith("x")), len(parts))
        found.add(";".join(parts[:count]))
    return found


def groups(always: str, optional: str) -> set[str]:
    """Return the removals of `always` and any of `optional`, of spots that both list in line order."""
    found = set()
    for size in range(len(optional.split()) + 1):
        for some in combinations(optional.split(), size):
            taken = sorted([*always.split(), *some])
            found.add("x" + ",".join(taken))
    return found


# ---- Starting positions and reading ----


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("gipf:basic", "b..w/...../....../w.....b/....../...../b..w 12 12 w --"),
        ("gipf", "B..W/...../....../W.....B/....../...../B..W 12 12 w --"),
        ("gipf:standard", "B..W/...../....../W.....B/....../...../B..W 12 12 w --"),
        ("gipf:tournament", f"{EMPTY} 18 18 w gg"),
        ("gipf:basic,white=16,black=18", "b..w/...../....../w.....b/....../...../b..w 13 15 w --"),
        ("gipf,zertz=3,challenges=1", "B..W/...../....../W.....B/....../...../B..W 12 12 w zz 3 3 1 1"),
        ("gipf:tournament,zertz=3", f"{EMPTY} 18 18 w gg 3 3 0 0"),
        ("gipf:tournament,tamsk=2", f"{EMPTY} 18 18 w gg 0 0 0 0 2 2"),
        ("gipf:basic,challenges=2", "b..w/...../....../w.....b/....../...../b..w 12 12 w --"),
        (
            "gipf:basic,zertz=1,tamsk=6,challenge-game=dvonn",
            "b..w/...../....../w.....b/....../...../b..w 12 12 w zz 1 1 0 0 6 6",
        ),
    ],
)
def test_the_start(face: Face, spec: str, text: str) -> None:
    """Three pieces each near the corners, 12 in reserve; the tournament game starts empty; White begins."""
    assert face.start(spec) == text
    assert face.read(spec, text) == text
    assert face.outcome(spec, text) is None


@pytest.mark.parametrize(
    "spec",
    [
        "gipf:fast",
        "gipf:basic,white=14",
        "gipf:basic,black=19",
        "gipf,white=17",
        "gipf:tournament,black=15",
        "gipf,zertz=7",
        "gipf,tamsk=7",
        "gipf,challenges=7",
        "gipf,challenge-game=chess",
    ],
)
def test_a_game_that_does_not_exist_is_refused(face: Face, spec: str) -> None:
    """15 to 18 pieces in the basic game, 18 in the others, up to six potentials and challenges [P-1]."""
    with pytest.raises(ValueError, match=r"\S"):
        face.start(spec)


POTENTIALS = "gipf,zertz=2,tamsk=1,challenges=1"
TOURNAMENT = "gipf:tournament,zertz=2,tamsk=1,challenges=1"
GIPFS = {"b5": "W", "b2": "B"}


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("gipf:basic", ""),
        ("gipf:basic", f"{EMPTY} 12 12 w"),
        ("gipf:basic", f"{EMPTY} 12 12 w -- 0 0 0 0"),
        ("gipf:basic", f"{EMPTY} 12 12 x --"),
        ("gipf:basic", f"{EMPTY} 12 12 w -"),
        ("gipf:basic", f"{EMPTY} 12 12 w -x"),
        ("gipf:basic", f"{EMPTY} -1 12 w --"),
        ("gipf:basic", f"{EMPTY} 12 x w --"),
        ("gipf:basic", f"{EMPTY.removesuffix('/....')} 12 12 w --"),
        ("gipf:basic", f".{EMPTY} 12 12 w --"),
        ("gipf:basic", f"{EMPTY.removeprefix('.')} 12 12 w --"),
        ("gipf:basic", place("12 12 w --", b2="x")),
        ("gipf:basic", place("15 12 w --", b2="w")),
        ("gipf:basic", place("12 15 w --", b2="b")),
        ("gipf:basic", f"{EMPTY} 16 15 w --"),
        ("gipf:basic", place("12 12 w --", b2="W")),
        ("gipf:basic", f"{EMPTY} 12 12 w g-"),
        ("gipf:basic", f"{EMPTY} 12 12 w z-"),
        ("gipf:basic", place("12 12 w --", b2="w+")),
        ("gipf", place("17 12 w --", **GIPFS)),
        ("gipf", place("2 2 w --", c3="W", d4="W", e5="W", **GIPFS)),
        ("gipf", place("12 12 w g-", **GIPFS)),
        ("gipf:tournament", place("12 12 w zg", **GIPFS)),
        ("gipf:tournament", place("12 12 w --", b2="W+", b5="B")),
        (POTENTIALS, place("12 12 w -- 0 0 0 0", **GIPFS)),
        (POTENTIALS, place("12 12 w z- 0 0 0 0 0 0", **GIPFS)),
        (POTENTIALS, place("12 12 w -- 1 0 0 0 0 0", **GIPFS)),
        (POTENTIALS, place("12 12 w -- 0 0 0 0 1 0", **GIPFS)),
        (POTENTIALS, place("12 12 w z- 3 0 0 0 0 0", **GIPFS)),
        (POTENTIALS, place("12 12 w z- 2 0 0 0 0 0", c3="w+", **GIPFS)),
        (POTENTIALS, place("12 12 w z- 0 0 0 0 1 0", c3="w*", **GIPFS)),
        (POTENTIALS, place("12 12 w z- 2 0 0 0 1 0", c3="w^", **GIPFS)),
        (POTENTIALS, place("9 9 w -- 0 0 0 0 0 0", c3="w^", c4="w^", c5="w^", d2="w+", **GIPFS)),
        (POTENTIALS, place("12 12 w -- 0 0 2 0 0 0", **GIPFS)),
        (POTENTIALS, place("12 12 w g- 0 0 0 0 0 0", **GIPFS)),
        (TOURNAMENT, place("12 12 w zg 0 0 0 0 0 0", **GIPFS)),
    ],
)
def test_an_impossible_position_is_refused(face: Face, spec: str, text: str) -> None:
    """Malformed texts, and numbers of pieces and potentials that no game has."""
    with pytest.raises(ValueError, match=r"\S"):
        face.read(spec, text)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("gipf:basic", place("10 9 w --", [(FROM_A1, "w w w w b b"), (FROM_E1, "b b b . w")])),
        ("gipf:basic", f"{EMPTY} 0 0 b --"),
        ("gipf", place("12 14 b --", c3="W", d4="W", e5="B", **GIPFS)),
        ("gipf:tournament", place("0 3 b g-", [(FROM_A1, "W W W W B B")], b5="b")),
        (POTENTIALS, place("11 10 b zz 2 1 0 1 0 0", c3="w*", d4="b^", d5="b+", **GIPFS)),
        (TOURNAMENT, place("12 9 b -g 0 2 1 1 0 1", c3="w^", d4="w^", d5="w^", **GIPFS)),
        (TOURNAMENT, place("12 9 b gg 2 2 1 1 1 1", **GIPFS)),
    ],
)
def test_a_position_is_read_and_written(face: Face, spec: str, text: str) -> None:
    """A text comes back as it was; the turns of the position can be asked for."""
    assert face.read(spec, text) == text
    assert (face.turns(spec, text) == []) == (face.outcome(spec, text) is not None)


@pytest.mark.parametrize(
    "spec",
    ["gipf:basic", "gipf", "gipf:tournament", "gipf:tournament,zertz=2,challenges=1", "gipf,zertz=1,tamsk=2"],
)
def test_random_games_go_through_their_texts(face: Face, spec: str) -> None:
    """Every position survives its text, has turns as long as nobody has won, and each leads elsewhere."""
    generator = random.Random(spec)
    text = face.start(spec)
    for _ in range(12):
        turns = face.turns(spec, text)
        assert len(set(turns)) == len(turns)
        assert (face.outcome(spec, text) is None) == bool(turns)
        if not turns:
            break
        some = generator.sample(turns, min(len(turns), 4))
        after = {face.play(spec, text, turn) for turn in some}
        assert len(after) == len(some)
        text = min(after)


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


CROSSING = [("b2 c3 d4 e5", "b b b b"), ("d2 d3 d4 d5 d6", "b b b b b")]


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

TAMSK = "gipf:basic,tamsk=2"
NONE_LEFT = "-- 0 0 0 0 0 0"


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


# ---- Other spellings, on the engine ----


@pytest.mark.parametrize(
    ("spec", "text", "spelling", "canonical"),
    [
        pytest.param("gipf:basic", place("9 9 w --"), "e2", "d1-e2", id="bare spot"),
        pytest.param("gipf:tournament", place("18 18 w gg"), "Ge2", "Gd1-e2", id="bare spot of a GIPF-piece"),
        pytest.param(
            "gipf:basic",
            place("9 9 w --", [("f2 e3 d3 c3", "w b w .")]),
            "g1-c3",
            "g1-f2",
            id="last spot of the pushed row",
        ),
        pytest.param(
            "gipf",
            place("5 9 w --", [(FROM_A1, ". w W w")], e8="B", b5="W"),
            "a1-b2;xb2,c3,d4*,e5",
            "a1-b2;xb2,c3,d4,e5",
            id="star",
        ),
        pytest.param("gipf:basic", place("9 9 w --"), "A1-B2", "a1-b2", id="upper case"),
        pytest.param("gipf:basic", place("9 9 w --"), "G1-G2", "g1-g2", id="upper case column g"),
        pytest.param("gipf:tournament", place("18 18 w gg"), "GG1-G2", "Gg1-g2", id="upper case both"),
        pytest.param(
            "gipf:basic,zertz=1",
            place("0 5 w -- 0 0 0 0", e5="w+", e6="b"),
            "JE5-E7",
            "je5-e7",
            id="upper case jump",
        ),
        pytest.param(
            "gipf:basic",
            place("9 9 w --", [(FROM_A1, ". w w w")]),
            "A1-B2;XB2,C3,D4,E5",
            "a1-b2;xb2,c3,d4,e5",
            id="upper case removal",
        ),
        pytest.param(
            "gipf:basic",
            place("9 9 w --", [(FROM_A1, ". w w w b")]),
            "a1-b2",
            "a1-b2;xb2,c3,d4,e5,f5",
            id="removal without a choice",
        ),
        pytest.param(
            "gipf:basic",
            place("5 9 w --", [("b2 b3 b4 b5", "w w w w")]),
            "h1-h2",
            "xb2,b3,b4,b5;h1-h2",
            id="opening removal without a choice",
        ),
        pytest.param("gipf:basic", place("9 9 w --"), "b1-b2", "a1-b2", id="another dot"),
        pytest.param(
            "gipf:basic",
            place("5 9 w --", [("b2 b3 b4 b5", "w w w w"), ("h2 h3 h4 h5", "w w w w")]),
            "xh2,h3,h4,h5;xb2,b3,b4,b5;b1-b2",
            "xb2,b3,b4,b5;xh2,h3,h4,h5;a1-b2",
            id="another order of rows",
        ),
        pytest.param(
            "gipf:basic",
            place("5 9 w --", [("b2 b3 b4 b5", "w w w w"), ("h2 h3 h4 h5", "w w w w")]),
            "b1-b2",
            "xb2,b3,b4,b5;xh2,h3,h4,h5;a1-b2",
            id="rows of which only the order is open",
        ),
        pytest.param(
            "gipf:tournament",
            place("6 9 w -g", [(FROM_A1, "W W W W")], b5="W", e8="B"),
            "xb2;h6-h5",
            "h6-h5;xb2",
            id="taken before instead of after",
        ),
        pytest.param(
            TAMSK,
            place(f"5 5 w {NONE_LEFT}", [(FROM_E1, "b w w*")]),
            "e1-e2;pb1-b2",
            "e1-e2;pa1-b2",
            id="another dot of the extra push",
        ),
    ],
)
def test_other_spellings_are_accepted(spec: str, text: str, spelling: str, canonical: str) -> None:
    """And answered by the canonical one."""
    position = Position.parse(spec, text)
    assert position.format(position.parse_turn(spelling)) == canonical
    assert position.text() == text
    assert position.play(spelling) == canonical
    assert position.turns_played == [canonical]
    assert position.text() == reference(spec, text).play(canonical).format()


@pytest.mark.parametrize(
    ("spec", "text", "turn"),
    [
        pytest.param("gipf:basic", place("9 9 w --"), "b2-c3", id="not a dot"),
        pytest.param("gipf:basic", place("9 9 w --"), "a1-c3", id="last spot of a row that is not there"),
        pytest.param("gipf:basic", place("9 9 w --"), "e5", id="a spot no push reaches"),
        pytest.param("gipf:basic", place("9 9 w --"), "Ga1-b2", id="no GIPF-pieces to bring in"),
        pytest.param("gipf:basic", place("9 9 w --"), "Za1-b2", id="no potentials"),
        pytest.param("gipf:tournament", f"{EMPTY} 18 18 w gg", "a1-b2", id="G-12"),
        pytest.param("gipf:basic", place("8 9 w --", [(FROM_A1, "b w b w b w b")]), "a1-b2", id="G-2"),
        pytest.param(
            "gipf:basic", place("9 9 w --", [(FROM_A1, ". w w w")]), "a1-b2;xb2,c3,d4", id="half a row"
        ),
        pytest.param("gipf:basic", place("9 9 w --"), "a1-b2;xb2", id="a removal without a row"),
        pytest.param("gipf:basic", place("9 3 b --", CROSSING), "a2-b3", id="a choice left out"),
        pytest.param("gipf:basic", place("9 9 w --"), "pa1-b2", id="no extra push"),
        pytest.param(
            "gipf:basic,zertz=1", place("5 5 w -- 0 0 0 0", e5="w+", e7="b"), "je5-e8", id="over a gap"
        ),
        pytest.param(TAMSK, place(f"5 5 w {NONE_LEFT}", e5="w*"), "a1-b2", id="T-4 left out"),
    ],
)
def test_an_illegal_turn_is_refused_and_changes_nothing(spec: str, text: str, turn: str) -> None:
    """The position stays as it was."""
    position = Position.parse(spec, text)
    with pytest.raises(TengenError):
        position.play(turn)
    assert position.text() == text
    assert position.turns_played == []


def test_a_full_line_is_refused_by_its_rule() -> None:
    """The refusal cites the rule [G-2]."""
    position = Position.parse("gipf:basic", place("8 9 w --", [(FROM_A1, "b w b w b w b")]))
    with pytest.raises(IllegalTurnError, match=r"G-2"):
        position.play("a1-b2")
