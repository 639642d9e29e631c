"""The start, handicap, and the text of a position."""

from __future__ import annotations

from itertools import product

import pytest

from tengen.engine.play.position import Position
from tests.rules.faces import Face
from tests.rules.go.boards import (
    AREA,
    COLUMNS,
    assert_margin,
    black_stones,
    empty,
    every_ko,
    every_rules,
    place,
    spec_of,
)

# ---- The start, the board, handicap ----


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("go,size=2", "../.. b - 0 0 0"),
        ("go,size=5", "...../...../...../...../..... b - 0 0 0"),
        ("go,size=5,komi=7.5,rules=chinese,ko=positional", empty(5)),
        ("go,size=5,komi=-0.25,rules=tromp-taylor,ko=situational,handicap=0", empty(5)),
        ("go,size=9,rules=japanese,ko=simple,komi=1000", empty(9)),
        ("go", empty(19)),
        ("go,size=25", empty(25)),
    ],
)
def test_the_start(face: Face, spec: str, text: str) -> None:
    """The board is empty, 19 lines a side unless another size is asked for; Black begins [O-1]."""
    assert face.start(spec) == text
    assert face.read(spec, text) == text
    assert face.outcome(spec, text) is None


@pytest.mark.parametrize(
    "spec",
    [
        "go:fast",
        "go,size=1",
        "go,size=26",
        "go,size=",
        "go,komi=1000.5",
        "go,komi=-1001",
        "go,komi=nan",
        "go,komi=much",
        "go,rules=aga",
        "go,ko=none",
        "go,ko=positional,ko=positional",
        "go,color=b",
    ],
)
def test_a_game_that_does_not_exist_is_refused(face: Face, spec: str) -> None:
    """2 to 25 lines, komi up to 1000, four ways to count, three ko rules."""
    with pytest.raises(ValueError, match=r"\S"):
        face.start(spec)


def test_vertices_leave_out_i_and_count_from_the_bottom(face: Face) -> None:
    """Every point of the board may be occupied, those of the edge as well [O-1]."""
    turns = set(face.turns("go,size=25", empty(25)))
    assert turns == {f"{column}{row}" for column in COLUMNS for row in range(1, 26)} | {"pass"}
    text = face.play("go,size=9", empty(9), "A1", "J9", "H2")
    assert text == place("........O", *["........."] * 6, ".......X.", "X........", side="w")


def test_a_stone_goes_on_an_empty_point_and_stays(face: Face) -> None:
    """Nobody plays on a stone [O-1]."""
    text = face.play("go,size=5", empty(5), "C3")
    assert len(face.turns("go,size=5", text)) == 24 + 1
    for turn in ("C3", "F3", "C6", "I1"):
        with pytest.raises(ValueError, match=r"\S"):
            face.play("go,size=5", text, turn)


@pytest.mark.parametrize(
    ("size", "places"),
    [
        (7, "C3 E5 C5 E3"),
        (8, "C3 F6 C6 F3"),
        (9, "C3 G7 C7 G3 E5 C5 G5 E3 E7"),
        (11, "C3 J9 C9 J3 F6 C6 J6 F3 F9"),
        (12, "C3 K10 C10 K3"),
        (13, "D4 K10 D10 K4 G7 D7 K7 G4 G10"),
        (14, "D4 L11 D11 L4"),
        (19, "D4 Q16 D16 Q4 K10 D10 Q10 K4 K16"),
        (24, "D4 V21 D21 V4"),
        (25, "D4 W22 D22 W4 N13 D13 W13 N4 N22"),
    ],
)
def test_handicap_stones_stand_on_the_star_points(face: Face, size: int, places: str) -> None:
    """Corners first; the centre is taken by an odd number of stones from 5; White moves first [O-6]."""
    corners, centre, sides = places.split()[:4], places.split()[4:5], places.split()[5:]
    expected = {2: corners[:2], 3: corners[:3], 4: corners}
    if sides:
        expected |= {5: corners + centre, 6: corners + sides[:2], 7: corners + sides[:2] + centre}
        expected |= {8: corners + sides, 9: corners + sides + centre}
    for stones, points in expected.items():
        spec = f"go,size={size},handicap={stones}"
        text = face.start(spec)
        assert black_stones(text) == {*points}
        assert text.split(" ")[1:] == ["w", "-", "0", "0", "0"]
        assert face.read(spec, text) == text
    with pytest.raises(ValueError, match=r"\S"):
        face.start(f"go,size={size},handicap={max(expected) + 1}")


@pytest.mark.parametrize(("size", "handicap"), [(19, 1), (19, 10), (2, 2), (5, 2), (6, 2), (7, 5), (10, 5)])
def test_a_handicap_without_places_is_refused(face: Face, size: int, handicap: int) -> None:
    """2 to 9 stones, none on boards below size 7, up to 4 on even sizes and on size 7 [O-6]."""
    with pytest.raises(ValueError, match=r"\S"):
        face.start(f"go,size={size},handicap={handicap}")


@every_rules
def test_handicap_stones_give_white_no_points(face: Face, rules: str) -> None:
    """The whole board is Black's: 81 points of area, 79 of territory [O-6]."""
    text = face.play(f"go,size=9,handicap=2,rules={rules}", face.start("go,size=9,handicap=2"), "pass")
    assert_margin(face, rules, text, 81 if rules in AREA else 79)


# ---- The text of a position ----


@pytest.mark.parametrize(("size", "number"), [(2, 57), (3, 12_675)])
def test_the_number_of_legal_positions(face: Face, size: int, number: int) -> None:
    """Boards on which every chain has a liberty can be read, no others [O-2]; one of its images is tried."""
    found = 0
    for stones in map("".join, product(".XO", repeat=size * size)):
        images = {stones, stones[::-1]}  # turned by a half, and with the colours exchanged
        images |= {image.translate(str.maketrans("XO", "OX")) for image in images}
        if stones != min(images):
            continue
        rows = [stones[first : first + size] for first in range(0, size * size, size)]
        try:
            face.read(f"go,size={size}", place(*rows))
        except ValueError:
            continue
        found += len(images)
    assert found == number


@pytest.mark.parametrize(
    "text",
    [
        place("XX", ".O", side="w"),
        place(".XXXX", "OOOOO", ".....", "XXXXX", ".....", black=12),
        place("XXX", "XX.", "XXX", black=400, white=399, passes=1),
        place("XX.", "X.O", ".OO", passes=2),
        place(".....", ".XO..", "XO.O.", ".XO..", ".....", ko="C3", white=1),
        place(".....", ".XO..", "X.XO.", ".XO..", ".....", side="w", ko="B3", black=1),
        place(".....", ".....", ".....", "XO...", "O.O..", ko="B1", white=1),
        place("..XO.", ".X.XO", ".OXO.", "..O..", ".....", passes=1),
    ],
)
def test_a_position_is_read_and_written(face: Face, text: str) -> None:
    """Stones and prisoners in any number, a ban of ko, passes."""
    assert face.read(spec_of(text), text) == text
    assert bool(face.turns(spec_of(text), text)) == (not text.endswith("2"))


EMPTY_BOARD = "...../...../...../...../....."
KO = ".....", ".XO..", "XO.O.", ".XO..", "....."


@pytest.mark.parametrize(
    "text",
    [
        "",
        EMPTY_BOARD,
        f"{EMPTY_BOARD} b",
        f"{EMPTY_BOARD} b - 0 0",
        f"{EMPTY_BOARD} b - 0 0 0 0",
        f"{EMPTY_BOARD} b 0 0 0",
        "..../..../..../.... b - 0 0 0",
        "...../...../...../..... b - 0 0 0",
        "...../...../...../...../...../..... b - 0 0 0",
        "...../...../..../...../..... b - 0 0 0",
        "...../...../....../...../..... b - 0 0 0",
        "...../...../..#../...../..... b - 0 0 0",
        ". . . . ./...../...../...../..... b - 0 0 0",
        f"{EMPTY_BOARD} x - 0 0 0",
        f"{EMPTY_BOARD} 1 - 0 0 0",
        f"{EMPTY_BOARD} b + 0 0 0",
        f"{EMPTY_BOARD} b pass 0 0 0",
        f"{EMPTY_BOARD} b I3 0 0 0",
        f"{EMPTY_BOARD} b F3 0 0 0",
        f"{EMPTY_BOARD} b C6 0 0 0",
        f"{EMPTY_BOARD} b C0 0 0 0",
        f"{EMPTY_BOARD} b - -1 0 0",
        f"{EMPTY_BOARD} b - 0 -1 0",
        f"{EMPTY_BOARD} b - 0.5 0 0",
        f"{EMPTY_BOARD} b - x 0 0",
        f"{EMPTY_BOARD} b - ² 0 0",
        f"{EMPTY_BOARD} b - 0 0 3",
        f"{EMPTY_BOARD} b - 0 0 -1",
        f"{EMPTY_BOARD} b - 0 0 x",
        f"{EMPTY_BOARD} b - 0 0 -",
    ],
)
def test_a_malformed_position_is_refused(face: Face, text: str) -> None:
    """Fields missing or too many, another size, marks, sides, points and numbers that do not exist."""
    with pytest.raises(ValueError, match=r"\S"):
        face.read("go,size=5", text)


@pytest.mark.parametrize(
    "text",
    [
        place("XO", "O."),
        place("OX...", "XX...", ".....", ".....", "....."),
        place(".....", "..X..", ".XOX.", "..X..", "....."),
        place(".XX..", "XOOX.", ".XX..", ".....", ".....", side="w"),
        place(*["XXXXX"] * 5),
        place("XXXXX", "OOOOO", ".....", "XXXXX", "OOOOO"),
    ],
)
@pytest.mark.parametrize("rules", ["territory", "tromp-taylor"])
def test_a_chain_without_liberties_is_refused(face: Face, rules: str, text: str) -> None:
    """Such a chain would have been captured [O-2], or was never played [O-3]."""
    with pytest.raises(ValueError, match=r"\S"):
        face.read(spec_of(text, rules=rules), text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(place(*KO, ko="B3", white=1), id="a stone stands there"),
        pytest.param(place(*KO, ko="A1", white=1), id="nothing to take"),
        pytest.param(place(*KO, ko="C3", white=1, side="w"), id="nothing to take for that side"),
        pytest.param(place(".....", ".XXO.", "XOO.O", ".XXO.", ".....", ko="D3"), id="two stones"),
        pytest.param(place("..X..", ".XOX.", "XO.O.", ".XO..", ".....", ko="C3"), id="two single stones"),
        pytest.param(place(".....", ".XO..", "XO...", ".XO..", ".....", ko="C3"), id="another liberty"),
        pytest.param(place(".....", ".XOO.", "XO.XO", ".XOO.", ".....", ko="C3"), id="a chain takes"),
        pytest.param(place(*KO, ko="C3", white=1, passes=1), id="a pass lifts the ban"),
        pytest.param(place(*KO, ko="C3", white=1, passes=2), id="passes lift the ban"),
    ],
)
@every_ko
def test_a_ban_where_there_is_no_ko_is_refused(face: Face, ko: str, text: str) -> None:
    """One stone is taken by a single stone, which would be back in atari [O-4]."""
    with pytest.raises(ValueError, match=r"\S"):
        face.read(spec_of(text, ko=ko), text)


def test_turns_out_of_turn_and_after_the_end_can_be_taken_back():
    position, before = Position.start("go,size=5"), []
    for turn, side in [("C3", 0), ("D3", 0), ("C4", 1), ("pass", 0), ("pass", 1), ("B2", 1), ("A1", None)]:
        before.append((position.text(), position.state.copy()))
        position.push(turn, side)
    for text, state in reversed(before):
        position.pop()
        assert position.text() == text
        assert position.state == state
