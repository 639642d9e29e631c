"""The boards, placing marbles, and how turns are written."""

from __future__ import annotations

import pytest

from tengen.engine.errors import TengenError
from tengen.engine.play.position import Position
from tests.rules.faces import Face
from tests.rules.zertz.boards import (
    AROUND_D4,
    EDGE,
    RINGS,
    START,
    beginning,
    place,
    removable,
    without,
)

# ---- The start and the boards ----


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("zertz", "..../...../....../......./....../...../.... 5,7,9 0,0,0 0,0,0 1"),
        ("zertz:basic", "..../...../....../......./....../...../.... 5,7,9 0,0,0 0,0,0 1"),
        ("zertz:tournament", "..../...../....../......./....../...../.... 6,8,10 0,0,0 0,0,0 1"),
        ("zertz,rings=48", "...../....../......./......../......./....../...../.... 5,7,9 0,0,0 0,0,0 1"),
        (
            "zertz:tournament,rings=61,isolation=auto",
            "...../....../......./......../........./......../......./....../..... 6,8,10 0,0,0 0,0,0 1",
        ),
    ],
)
def test_the_start(face: Face, spec: str, text: str) -> None:
    """All rings are vacant, all marbles are in the pool."""
    assert face.start(spec) == text
    assert face.read(spec, text) == text
    assert face.outcome(spec, text) is None


@pytest.mark.parametrize(
    "spec",
    [
        "zertz:fast",
        "zertz,rings=36",
        "zertz,rings=",
        "zertz,isolation=never",
        "zertz,isolation=1",
        "zertz,rings=48,rings=48",
        "zertz,size=37",
    ],
)
def test_a_game_that_does_not_exist_is_refused(face: Face, spec: str) -> None:
    """37, 48 or 61 rings; groups are claimed by choice or all of them."""
    with pytest.raises(ValueError, match=r"\S"):
        face.start(spec)


@pytest.mark.parametrize("variant", ["zertz", "zertz:tournament"])
@pytest.mark.parametrize(("board", "edge"), [("37", 18), ("48", 21), ("61", 24)])
def test_first_turns(face: Face, variant: str, board: str, edge: int) -> None:
    """Any marble on any ring, then any ring of the edge that is still vacant [Z-2] [Z-3]."""
    spec = f"{variant},rings={board}"
    turns = face.turns(spec, face.start(spec))
    inside = len(RINGS[board]) - edge
    assert len({*turns}) == len(turns) == 3 * (edge * (edge - 1) + inside * edge)
    assert len(removable(turns)) == edge
    assert {turn[0] for turn in turns} == {"W", "G", "B"}
    assert {turn[1:3] for turn in turns} == {*RINGS[board]}
    assert all(turn[1:3] != turn[4:6] for turn in turns)


# A marble jumps to the right and up, across the longest column: the numbers depend on the columns' lengths.
@pytest.mark.parametrize(
    ("board", "line"),
    [
        ("37", "b2 c3 d4 e4 f4 g4"),
        ("48", "b2 c3 d4 e4 f4 g4 h4"),
        ("61", "b2 c3 d4 e5 f5 g5 h5 i5"),
        ("37", "b4 c4 d4 e3 f2 g1"),
        ("48", "b4 c4 d4 e3 f2 g1"),
        ("61", "b4 c4 d4 e4 f3 g2 h1"),
        ("48", "f1 f2 f3 f4 f5 f6"),
    ],
)
def test_lines_of_the_boards(face: Face, board: str, line: str) -> None:
    """Neighbouring columns are set off by half a ring; jumps go straight through them in both directions."""
    spec, rings = f"zertz,rings={board}", line.split()
    for here, over, landing in zip(rings, rings[1:], rings[2:], strict=False):
        left = {ring for ring in RINGS[board] if ring[0] not in line} | {*rings}
        ahead = place({here: "w", over: "g"}, left, board=board)
        assert f"x{here}G{landing}" in face.turns(spec, ahead)
        back = place({landing: "b", over: "g"}, left, board=board)
        assert f"x{landing}G{here}" in face.turns(spec, back)


# ---- Placing and removing [Z-2] [Z-3] ----


def test_a_placement_takes_a_marble_and_a_ring(face: Face) -> None:
    """The marble leaves the pool for a ring, another ring leaves the game, the other player is to move."""
    text = face.play("zertz", face.start("zertz"), "Wd4,d1", "Ba1,g1")
    assert text == place({"d4": "w", "a1": "b"}, without("d1", "g1"))
    turns = face.turns("zertz", text)
    assert not {"d1", "g1", "d4", "a1"} & {turn[1:3] for turn in turns}
    assert not {"d1", "g1", "a1"} & removable(turns)


def test_only_marbles_of_the_pool_are_placed(face: Face) -> None:
    """A colour that the pool has not is not placed, also when the player holds such a marble."""
    marbles = {"a1": "w", "a3": "w", "c1": "w", "g1": "w"}
    text = place(marbles, first=(1, 1, 1))
    assert {turn[0] for turn in face.turns("zertz", text)} == {"G", "B"}


@pytest.mark.parametrize(
    ("gone", "more", "less"),
    [
        ("", "", ""),
        ("a1", "", "a1"),
        ("a1 a2 b1", "b2", "a1 a2 b1"),
        ("a1 a2 a3 a4", "b1 b2 b3 b4", "a1 a2 a3 a4"),
        ("a1 b1 c1 d1", "b2 c2 d2", "a1 b1 c1 d1"),
        ("d5 d3", "", ""),  # opposite sides of d4; c4, c5 and others keep five
        ("d5 e3", "", ""),
        ("d5 e3 c3", "", ""),
        ("d5 e4", "d4 e5", ""),
        ("c3 d3", "c2 d4", ""),
        ("b1 b3", "", "b1"),  # b2 is open above and below
        ("b1 b3 b2", "c2 c3", "b1"),
    ],
)
def test_a_ring_is_free_between_two_open_sides_next_to_each_other(
    face: Face, gone: str, more: str, less: str
) -> None:
    """Of an intact board the edge, corners included; further inside it takes two neighbouring gaps [Z-3]."""
    text = place({}, without(*gone.split()))
    assert removable(face.turns("zertz", text)) == (EDGE | {*more.split()}) - {*less.split()}


def test_an_occupied_ring_is_not_free(face: Face) -> None:
    """A ring with a marble stays, also that of the marble just placed [Z-3]."""
    turns = face.turns("zertz", place({"a1": "w", "d7": "g"}))
    assert removable(turns) == EDGE - {"a1", "d7"}
    assert beginning(turns, "Wg1,") == EDGE - {"a1", "d7", "g1"}


def test_no_ring_is_removed_when_none_is_free(face: Face) -> None:
    """The turn ends with the placement when the vacant rings are held by others on all sides [Z-3]."""
    ring = {"c3": "w", "c4": "g", "d3": "b", "e3": "g", "e4": "b"}
    text = place(ring, [*AROUND_D4, "d4"])
    turns = face.turns("zertz", text)
    assert {turn for turn in turns if turn[1:3] == "d5"} == {"Wd5", "Gd5", "Bd5"}
    after = face.play("zertz", text, "Wd5")
    assert after == place({**ring, "d5": "w"}, [*AROUND_D4, "d4"], player=2)
    assert face.outcome("zertz", after) is None


# ---- What the engine reads besides ----


ISOLATED = place({"a1": "g"}, without("a2", "b1", "b3"))
LAST_RING = place({"d4": "b"}, ["d4", "d5"])
TWO_JUMPS = place({"d4": "g", "d5": "w", "e5": "b"})


@pytest.mark.parametrize(
    ("spec", "text", "turn", "canonical"),
    [
        ("zertz", START, "wD4,D1", "Wd4,d1"),
        ("zertz", START, "Wd4 , d1", "Wd4,d1"),
        ("zertz", ISOLATED, "Wd4, b2 x Ga1", "Wd4,b2xGa1"),
        ("zertz", ISOLATED, "wd4,b2Xga1", "Wd4,b2xGa1"),
        ("zertz", TWO_JUMPS, "xd4d6f4", "xd4Wd6Bf4"),
        ("zertz", TWO_JUMPS, "x d4wd6bf4", "xd4Wd6Bf4"),
        ("zertz,isolation=auto", ISOLATED, "Wd4,b2", "Wd4,b2xGa1"),
        ("zertz", ISOLATED, "Wd4,b2", "Wd4,b2"),
        ("zertz", LAST_RING, "Wd5", "Wd5xBd4Wd5"),
        ("zertz,isolation=auto", LAST_RING, "Wd5", "Wd5xBd4Wd5"),
    ],
)
def test_other_spellings_of_a_turn(spec: str, text: str, turn: str, canonical: str) -> None:
    """Letters of either case, blanks, captures without colours, claims that leave no choice left out."""
    position = Position.parse(spec, text)
    assert position.push(turn) == canonical


@pytest.mark.parametrize("turn", ["xd4Bd6Bf4", "xd4d6", "xd4Wd6f4e4"])
def test_a_misspelt_capture_is_refused(turn: str) -> None:
    """Colours that stand there must be right, and a sequence goes to its end."""
    with pytest.raises(TengenError):
        Position.parse("zertz", TWO_JUMPS).push(turn)
