"""What a position of GIPF is, and how positions and turns are written."""

from __future__ import annotations

import random

import pytest

from tengen.engine.errors import IllegalTurnError, TengenError
from tengen.engine.play.position import Position
from tests.reference import reference
from tests.rules.faces import Face
from tests.rules.gipf.boards import (
    CROSSING,
    EMPTY,
    FROM_A1,
    FROM_E1,
    GIPFS,
    NONE_LEFT,
    POTENTIALS,
    TAMSK,
    TOURNAMENT,
    place,
)

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
    assert position.push(spelling) == canonical
    assert position.turns_played == (canonical,)
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
        position.push(turn)
    assert position.text() == text
    assert position.turns_played == ()


def test_a_full_line_is_refused_by_its_rule() -> None:
    """The refusal cites the rule [G-2]."""
    position = Position.parse("gipf:basic", place("8 9 w --", [(FROM_A1, "b w b w b w b")]))
    with pytest.raises(IllegalTurnError, match=r"G-2"):
        position.push("a1-b2")
