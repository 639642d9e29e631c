"""The rulebook's statements and worked examples about Go, on the reference and on the engine.

The figures of the rulebook are described in words only: the positions here show what is said of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

import pytest

from tengen.engine.position import Position
from tests.reference import Go, reference
from tests.rules.faces import Face, each_face

face = each_face
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
KO_RULES = ["simple", "positional", "situational"]
TERRITORY = ["territory", "japanese"]
AREA = ["chinese", "tromp-taylor"]
RULES = TERRITORY + AREA

every_rules = pytest.mark.parametrize("rules", RULES)
every_ko = pytest.mark.parametrize("ko", KO_RULES)

TurnsAfter = Callable[..., set[str]]


def place(*rows: str, side: str = "b", ko: str = "-", black: int = 0, white: int = 0, passes: int = 0) -> str:
    """Set up a position: rows from the top, each on the whole width; prisoners by who took them."""
    assert {len(row) for row in rows} == {len(rows)}
    return f"{'/'.join(rows)} {side} {ko} {black} {white} {passes}"


def empty(size: int, side: str = "b") -> str:
    """Return the text of the empty board."""
    return place(*["." * size] * size, side=side)


def board(text: str) -> list[str]:
    """Return the rows of a position text, the inverse of `place`."""
    return text.split(" ")[0].split("/")


def black_stones(text: str) -> set[str]:
    """Return the points with a black stone."""
    rows = board(text)
    return {
        f"{COLUMNS[column]}{len(rows) - row}"
        for row, column in product(range(len(rows)), repeat=2)
        if rows[row][column] == "X"
    }


def spec_of(text: str, **options: object) -> str:
    """Return the game spec for a position text."""
    return ",".join(["go", f"size={len(board(text))}", *(f"{key}={value}" for key, value in options.items())])


def assert_margin(face: Face, rules: str, text: str, margin: float) -> None:
    """Assert by how much Black is ahead at the end: komi of as much is a draw, and only that."""
    ended = " ".join([*text.split(" ")[:-1], "2"])
    assert not face.turns(spec_of(text, rules=rules), ended)
    for komi, outcome in ((margin - 0.5, "first"), (margin, "draw"), (margin + 0.5, "second")):
        assert face.outcome(spec_of(text, rules=rules, komi=f"{komi:g}"), ended) == outcome, komi


def reference_turns(spec: str, text: str, *turns: str) -> set[str]:
    """Return the legal turns of the reference after some turns, which it remembers."""
    position = reference(spec, text)
    for turn in turns:
        position = position.play(turn)
    return set(position.turns())


def engine_turns(spec: str, text: str, *turns: str) -> set[str]:
    """Return the legal turns of the engine after some turns, which it remembers."""
    position = Position.parse(spec, text)
    for turn in turns:
        position.play(turn)
    return set(position.turns())


@pytest.fixture(params=[reference_turns, engine_turns], ids=["reference", "engine"])
def turns_after(request: pytest.FixtureRequest) -> TurnsAfter:
    """Ask both for the legal turns of a game whose history counts; the questions of `face` have none."""
    return request.param


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


# ---- Capture ----


@pytest.mark.parametrize(
    ("before", "turn", "after"),
    [
        pytest.param(
            place(".....", "..X..", ".XO..", "..X..", "....."),
            "D3",
            place(".....", "..X..", ".X.X.", "..X..", ".....", side="w", black=1),
            id="A in the middle",
        ),
        pytest.param(
            place(".....", ".....", ".....", "X....", "O...."),
            "B1",
            place(".....", ".....", ".....", "X....", ".X...", side="w", black=1),
            id="B in the corner",
        ),
        pytest.param(
            place(".....", "X....", "O....", "X....", "....."),
            "B3",
            place(".....", "X....", ".X...", "X....", ".....", side="w", black=1),
            id="C at the edge",
        ),
    ],
)
def test_figure_3_a_single_stone_is_captured(face: Face, before: str, turn: str, after: str) -> None:
    """When enemy stones occupy all points around it; the edge of the board helps [O-2]."""
    assert face.play("go,size=5", before, turn) == after


def test_figure_4_a_group_is_captured_as_a_whole(face: Face) -> None:
    """The black stones A and B go when White occupies the last point around them, not before [O-2]."""
    text = place(".....", ".O...", "OXX..", ".OO..", ".....", side="w")
    text = face.play("go,size=5", text, "C4")
    assert text == place(".....", ".OO..", "OXX..", ".OO..", ".....")
    text = face.play("go,size=5", text, "pass", "D3")
    assert text == place(".....", ".OO..", "O..O.", ".OO..", ".....", white=2)


@pytest.mark.parametrize(
    ("before", "turn", "after"),
    [
        pytest.param(
            place("..X..", ".XOX.", "XO.OX", ".XOX.", "..X.."),
            "C3",
            place("..X..", ".X.X.", "X.X.X", ".X.X.", "..X..", side="w", black=4),
            id="four single stones",
        ),
        pytest.param(
            place("OOX..", "O.X..", "OOX..", "XX...", "....."),
            "B4",
            place("..X..", ".XX..", "..X..", "XX...", ".....", side="w", black=5),
            id="a chain around its last liberty",
        ),
        pytest.param(
            place("XXO.X", "O.OXX", "OO...", ".....", ".....", side="w", black=3, white=1),
            "B4",
            place("..O.X", "OOOXX", "OO...", ".....", ".....", black=3, white=3),
            id="one chain of two",
        ),
        pytest.param(
            place("X.O", "XOO", "X.O", side="w"),
            "B1",
            place("X.O", "XOO", "XOO"),
            id="nothing: a liberty is left",
        ),
        pytest.param(
            place("XX.XX", "OO.OO", ".....", ".....", ".....", side="w"),
            "C5",
            place("..O..", "OO.OO", ".....", ".....", ".....", white=4),
            id="two chains",
        ),
    ],
)
def test_all_enemy_chains_without_liberties_are_captured(
    face: Face, before: str, turn: str, after: str
) -> None:
    """At once, and their stones are prisoners of who took them [O-2]."""
    assert face.play(spec_of(before), before, turn) == after


# ---- Suicide ----


@pytest.mark.parametrize(
    ("text", "point"),
    [
        pytest.param(place(".....", "..X..", ".X.X.", "..X..", ".....", side="w"), "C3", id="in the middle"),
        pytest.param(place(".....", ".....", ".....", "X....", ".X...", side="w"), "A1", id="in the corner"),
        pytest.param(place(".O...", "OO...", ".....", ".....", "....."), "A5", id="in an eye"),
        pytest.param(place("O.X..", "XX...", ".....", ".....", ".....", side="w"), "B5", id="of two stones"),
        pytest.param(place(".....", "..XX.", ".XO.X", "..XX.", ".....", side="w"), "D3", id="of a chain"),
        pytest.param(place("O.OX.", "XXX..", ".....", ".....", ".....", side="w"), "B5", id="of two chains"),
        pytest.param(place("XX", "X."), "B1", id="of the whole board"),
    ],
)
@every_rules
@every_ko
def test_figure_5_suicide_is_illegal(face: Face, ko: str, rules: str, text: str, point: str) -> None:
    """A stone may not take the last liberty of a chain of its own, however the end is counted [O-3]."""
    spec = spec_of(text, rules=rules, ko=ko)
    assert point not in face.turns(spec, text)
    with pytest.raises(ValueError, match=r"\S"):
        face.play(spec, text, point)


@pytest.mark.parametrize(
    ("before", "turn", "after"),
    [
        pytest.param(
            place(".....", ".XO..", "XO.O.", ".XO..", "....."),
            "C3",
            place(".....", ".XO..", "X.XO.", ".XO..", ".....", side="w", ko="B3", black=1),
            id="figure 6",
        ),
        pytest.param(
            place(".OX.O", "OOX.O", "XXX.O", "....O", "OOOOO"),
            "A5",
            place("X.X.O", "..X.O", "XXX.O", "....O", "OOOOO", side="w", black=3),
            id="figure 8 a",
        ),
        pytest.param(
            place("X.OX.", "OOX..", "XX...", ".....", "....."),
            "B5",
            place("XX.X.", "..X..", "XX...", ".....", ".....", side="w", black=3),
            id="a chain frees itself",
        ),
        pytest.param(
            place("XX", "X.", side="w"),
            "B1",
            place("..", ".O", white=3),
            id="against the whole board",
        ),
    ],
)
def test_figure_6_a_stone_that_captures_is_no_suicide(face: Face, before: str, turn: str, after: str) -> None:
    """The points of the captured stones are liberties [O-3]."""
    assert turn in face.turns(spec_of(before), before)
    assert face.play(spec_of(before), before, turn) == after


def test_figure_9_two_eyes_cannot_be_taken(face: Face) -> None:
    """In a larger eye an enemy stone is captured at once, in a small one it is suicide [O-2] [O-3]."""
    large = place("..O..", "OOOOO", "XXXXX", ".....", ".....")
    taken = face.play("go,size=5", large, "A5", "B5")
    assert taken == place(".OO..", "OOOOO", "XXXXX", ".....", ".....", white=1)
    small = place(".O.OX", "OOOOX", "XXXXX", ".....", ".....")
    assert {"A5", "C5"}.isdisjoint(face.turns("go,size=5", small))


# ---- Ko ----

BLACK_TAKES = place(".....", ".XO..", "XO.O.", ".XO..", ".....")
BLACK_HAS_TAKEN = place(".....", ".XO..", "X.XO.", ".XO..", ".....", side="w", ko="B3", black=1)


@every_ko
def test_figure_7_a_ko_is_not_retaken_at_once(face: Face, ko: str) -> None:
    """But after a turn elsewhere and its answer [O-4]."""
    spec = f"go,size=5,ko={ko}"
    text = face.play(spec, BLACK_TAKES, "C3")
    assert text == BLACK_HAS_TAKEN
    assert "B3" not in face.turns(spec, text)
    with pytest.raises(ValueError, match=r"\S"):
        face.play(spec, text, "B3")
    text = face.play(spec, text, "E1")
    assert text == place(".....", ".XO..", "X.XO.", ".XO..", "....O", black=1)
    text = face.play(spec, text, "E5", "B3")
    assert text == place("....X", ".XO..", "XO.O.", ".XO..", "....O", ko="C3", black=1, white=1)
    assert "C3" not in face.turns(spec, text)


@pytest.mark.parametrize(
    ("before", "turn", "after"),
    [
        pytest.param(
            place(".....", ".....", ".....", "XO...", ".XO..", side="w"),
            "A1",
            place(".....", ".....", ".....", "XO...", "O.O..", ko="B1", white=1),
            id="in the corner",
        ),
        pytest.param(
            place("...", "XOO", ".XO", side="w"),
            "A1",
            place("...", "XOO", "O.O", ko="B1", white=1),
            id="on size 3",
        ),
        pytest.param(
            place(".XO..", "X.XO.", ".XO..", ".....", ".....", side="w"),
            "B4",
            place(".XO..", "XO.O.", ".XO..", ".....", ".....", ko="C4", white=1),
            id="near the edge",
        ),
        pytest.param(
            place(".....", ".....", ".....", "XO...", "X.XO.", side="w"),
            "B1",
            place(".....", ".....", ".....", "XO...", "XOXO."),
            id="not where nothing is captured",
        ),
        pytest.param(
            place(".....", ".....", ".....", ".O...", ".XO..", side="w"),
            "A1",
            place(".....", ".....", ".....", ".O...", "O.O..", white=1),
            id="not when the stone has another liberty",
        ),
        pytest.param(
            place(".....", ".....", "X....", "OO...", ".XO..", side="w"),
            "A1",
            place(".....", ".....", "X....", "OO...", "O.O..", white=1),
            id="not when the stone is part of a chain",
        ),
        pytest.param(
            place(".....", ".....", ".....", "XXO..", "OO.O."),
            "C1",
            place(".....", ".....", ".....", "XXO..", "..XO.", side="w", black=2),
            id="not when two stones are captured",
        ),
    ],
)
@every_ko
def test_a_ban_of_ko_comes_from_one_stone_that_takes_one(
    face: Face, ko: str, before: str, turn: str, after: str
) -> None:
    """So that retaking it would recreate the board [O-4]."""
    assert face.play(spec_of(before, ko=ko), before, turn) == after


@every_ko
def test_a_snapback_is_no_ko(face: Face, ko: str) -> None:
    """One stone is thrown in and taken by a chain, which is taken whole at once [O-4]."""
    spec = f"go,size=5,ko={ko}"
    text = face.play(spec, place(".....", ".....", "XX...", "OOX..", "..X.."), "A1", "B1")
    assert text == place(".....", ".....", "XX...", "OOX..", ".OX..", white=1)
    text = face.play(spec, text, "A1")
    assert text == place(".....", ".....", "XX...", "..X..", "X.X..", side="w", black=3, white=1)


@every_ko
def test_a_pass_lifts_the_ban(face: Face, ko: str) -> None:
    """It is for the next turn only [O-4]."""
    text = face.play(f"go,size=5,ko={ko}", BLACK_HAS_TAKEN, "pass")
    assert text == place(".....", ".XO..", "X.XO.", ".XO..", ".....", black=1, passes=1)
    text = face.play(f"go,size=5,ko={ko}", text, "E1")
    assert "B3" in face.turns(f"go,size=5,ko={ko}", text)


@every_ko
def test_a_game_that_begins_from_a_text_has_no_earlier_boards(turns_after: TurnsAfter, ko: str) -> None:
    """Only the ban of ko that the text tells [O-4]."""
    assert "B3" not in turns_after(f"go,size=5,ko={ko}", BLACK_HAS_TAKEN)
    assert "B3" in turns_after(f"go,size=5,ko={ko}", BLACK_HAS_TAKEN.replace("B3", "-"))


# ---- Superko ----

# White sends A1 after B1, Black takes both from C1, White takes that stone from B1: the board is as before.
SEND_TWO = place(".....", ".....", ".....", "XXO..", ".O.O.", side="w")
# Of three kos White can take one and Black two; each side always takes the one that it may.
TRIPLE_KO = place("O.O....", "XO.....", ".......", ".......", ".......", "XO...OX", "O.O.OX.")
ROUND = ["B1", "G1", "B7", "A1", "F1", "A7"]


@pytest.mark.parametrize(("ko", "allowed"), [("simple", True), ("positional", False), ("situational", True)])
def test_sending_two_returning_one(turns_after: TurnsAfter, ko: str, allowed: bool) -> None:
    """The board comes again with the other side to move, which positional superko alone forbids [O-4]."""
    turns = turns_after(f"go,size=5,ko={ko}", SEND_TWO, "A1", "C1")
    assert ("B1" in turns) == allowed
    assert "pass" in turns


@pytest.mark.parametrize(("ko", "allowed"), [("simple", True), ("situational", False)])
def test_sending_two_once_more(turns_after: TurnsAfter, ko: str, allowed: bool) -> None:
    """When Black passes, the same side would make the same board again [O-4]."""
    turns = turns_after(f"go,size=5,ko={ko}", SEND_TWO, "A1", "C1", "B1", "pass")
    assert ("A1" in turns) == allowed
    assert "pass" in turns


@pytest.mark.parametrize(("ko", "allowed"), [("simple", True), ("positional", False), ("situational", False)])
def test_a_pass_makes_a_situation(turns_after: TurnsAfter, ko: str, allowed: bool) -> None:
    """Returning one, White would make the board that Black had to move on before passing [O-4]."""
    begun_by_black = SEND_TWO.replace(" w ", " b ")
    assert ("B1" in turns_after(f"go,size=5,ko={ko}", begun_by_black, "pass", "A1", "C1")) == allowed


@pytest.mark.parametrize(("ko", "allowed"), [("simple", True), ("positional", False), ("situational", False)])
def test_triple_ko(turns_after: TurnsAfter, ko: str, allowed: bool) -> None:
    """After six takings the board is the first one, with the same side to move [O-4]."""
    for number in range(len(ROUND) - 1):
        assert ROUND[number] in turns_after(f"go,size=7,ko={ko}", TRIPLE_KO, *ROUND[:number])
    assert (ROUND[-1] in turns_after(f"go,size=7,ko={ko}", TRIPLE_KO, *ROUND[:-1])) == allowed


def test_triple_ko_goes_round(face: Face) -> None:
    """Under simple ko the game goes on, and only the prisoners tell [O-4]."""
    text = face.play("go,size=7", TRIPLE_KO, *ROUND)
    assert text == TRIPLE_KO.replace("- 0 0 0", "B7 3 3 0")
    assert face.outcome("go,size=7", text) is None


@every_ko
def test_a_triple_ko_is_broken_by_a_turn_elsewhere(turns_after: TurnsAfter, ko: str) -> None:
    """A turn elsewhere and its answer make another board [O-4]."""
    assert ROUND[-1] in turns_after(f"go,size=7,ko={ko}", TRIPLE_KO, *ROUND[:-1], "D4", "D5")


@every_ko
def test_a_superko_does_not_forbid_a_snapback(turns_after: TurnsAfter, ko: str) -> None:
    """The chain that is taken was not there before the stone was thrown in [O-4]."""
    text = place(".....", ".....", "XX...", "OOX..", "..X..")
    assert "A1" in turns_after(f"go,size=5,ko={ko}", text, "A1", "B1")


# ---- The end ----


def test_two_passes_end_the_game(face: Face) -> None:
    """One after the other; a stone between them begins anew [O-5]."""
    text = face.play("go,size=3", empty(3), "B2", "pass")
    assert text == place("...", ".X.", "...", passes=1)
    text = face.play("go,size=3", text, "A1", "pass")
    assert text == place("...", ".X.", "X..", passes=1)
    assert face.outcome("go,size=3", text) is None
    text = face.play("go,size=3", text, "pass")
    assert text == place("...", ".X.", "X..", side="w", passes=2)
    assert face.outcome("go,size=3", text) == "first"
    assert face.turns("go,size=3", text) == []
    for turn in ("pass", "C3"):
        with pytest.raises(ValueError, match=r"\S"):
            face.play("go,size=3", text, turn)


@pytest.mark.parametrize(
    ("komi", "outcome"),
    [("0", "draw"), ("0.01", "second"), ("7.5", "second"), ("-0.01", "first"), ("-3", "first")],
)
@every_rules
def test_white_is_given_the_komi(face: Face, rules: str, komi: str, outcome: str) -> None:
    """An empty board counts for nobody; equal is a draw [O-5]."""
    text = face.play(f"go,size=3,rules={rules},komi={komi}", empty(3), "pass", "pass")
    assert face.outcome(f"go,size=3,rules={rules},komi={komi}", text) == outcome


@pytest.mark.parametrize(
    ("text", "territory", "area"),
    [
        pytest.param(place("...", ".X.", "..."), 8, 9, id="one stone has the whole board"),
        pytest.param(place("...", "...", "O..", side="w"), -8, -9, id="or White's"),
        pytest.param(place("X..", "...", "..O"), 0, 0, id="a region beside both is neutral"),
        pytest.param(place(*["..XO."] * 5), 5, 5, id="two territories"),
        pytest.param(place(*["..X.O"] * 5), 10, 10, id="a neutral line between"),
        pytest.param(place(*["..X.O"] * 4, "..XOO"), 10, 9, id="filled in part"),
        pytest.param(place("O.X.O", "..X.O", "..X.O", "..X.O", "..X.O"), 0, -1, id="all stones are alive"),
        pytest.param(place(*["..XO."] * 5, black=4), 9, 5, id="prisoners of Black"),
        pytest.param(place(*["..XO."] * 5, white=7), -2, 5, id="prisoners of White"),
        pytest.param(place(*["..XO."] * 5, black=3, white=2), 6, 5, id="prisoners of both"),
        pytest.param(place("XX.XX", "XXXXX", "OOOOO", ".....", "....."), -9, -5, id="an eye is a point"),
    ],
)
@every_rules
def test_the_count(face: Face, rules: str, text: str, territory: int, area: int) -> None:
    """Surrounded points and prisoners, or surrounded points and stones [O-5]."""
    assert_margin(face, rules, text, area if rules in AREA else territory)


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        (place(".X.X.", "XXXX.", "OOOOO", ".....", "....."), 2 - 10),
        (place("...X.", "XXXX.", "OOOOO", ".....", "....."), 3 - 10),
        (place("..XX.", "XXXX.", "OOOOO", ".....", "....."), -10),
        (place("XX.X.", "XXXX.", "OOOOO", ".....", "....."), -10),
        (place("..XX.", "XXXXX", "OOOOO", ".....", "....."), 2 + 1 - 10),
        (place("..XXX", "XXXXX", "OOOOO", ".....", "....."), 2 - 10),
    ],
)
@pytest.mark.parametrize("rules", TERRITORY)
def test_a_small_eye_beside_a_neutral_region_is_no_territory(
    face: Face, rules: str, text: str, margin: int
) -> None:
    """One eye of at most two points does not live: it is seki [O-5]."""
    assert_margin(face, rules, text, margin)


@pytest.mark.parametrize(
    ("text", "territory", "area"),
    [
        pytest.param(
            place(".......", ".......", ".......", ".......", "OOOOOOO", "OXXXXXO", "OX.O.XO"),
            -28,
            7 - 40,
            id="two common liberties, no eyes",
        ),
        pytest.param(
            place("..OX...", "..OX...", "..OX...", "..OX...", "OOOXXXX", "XXXOOOX", ".X.O.OX"),
            12 - 8,
            27 - 21,
            id="an eye each and one common liberty",
        ),
        pytest.param(
            place(
                ".........",
                "XXXXXXXXX",
                "OOOXOOOOO",
                "..OXO....",
                "..OXO....",
                "..OXO....",
                "OOOXOOOOO",
                "XXXOXXXXO",
                ".X.O.X.XO",
            ),
            9 - 18,
            35 - 44,
            id="Black has two groups with an eye, White none between them",
        ),
    ],
)
@every_rules
def test_points_in_seki_are_no_territory(
    face: Face, rules: str, text: str, territory: int, area: int
) -> None:
    """Nor are common liberties; area counts stones and eyes [O-5]."""
    assert_margin(face, rules, text, area if rules in AREA else territory)


def test_figure_8_an_eye_belongs_to_who_surrounds_it(face: Face) -> None:
    """a) Three points where Black has captured three stones; b) two points of White's [O-5]."""
    text = face.play("go,size=5", place(".OX.O", "OOX.O", "XXX.O", "....O", "OOOOO"), "A5")
    assert_margin(face, "territory", text, 3 + 3)
    assert_margin(face, "territory", place("..OX.", "OOOX.", "XXXX.", ".....", "....."), 13 - 2)


# The end of the rulebook's example: White's stone 4 on B3 has been taken, and two black stones before.
FIGURE_10 = (
    "...O.X...",
    "...OXX...",
    "....OX.X.",
    "OOOOOXX.X",
    "XXXXXXXXX",
    "X..XOOOOO",
    "X..XO...O",
    ".XXXXO...",
    "..XXXOOOO",
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(place(*FIGURE_10, black=1, white=2), id="figure 10"),
        pytest.param(
            place("...OXX...", *FIGURE_10[1:], black=1, white=2), id="figure 11, B occupied by Black"
        ),
        pytest.param(
            place("...OOX...", *FIGURE_10[1:], black=1, white=2), id="figure 11, B occupied by White"
        ),
        pytest.param(
            place("..OO.XX..", *FIGURE_10[1:-1], "X.XXXOOOO"), id="figure 12, prisoners on the board"
        ),
    ],
)
@pytest.mark.parametrize("rules", TERRITORY)
def test_figures_10_to_13_white_wins_by_one(face: Face, rules: str, text: str) -> None:
    """9 and 7 points of Black's, 10 and 6 of White's, three prisoners: 14 to 15 [O-5]."""
    assert_margin(face, rules, text, 14 - 15)


@pytest.mark.parametrize("rules", AREA)
def test_figure_10_counted_by_area(face: Face, rules: str) -> None:
    """28 stones and 16 points of Black's, 20 and 16 of White's; the prisoners do not matter [O-5]."""
    assert_margin(face, rules, place(*FIGURE_10, black=1, white=2), 44 - 36)


# ---- Dead stones, told to the reference: the engine decides by play-out ----

PRISONER_4 = (*FIGURE_10[:6], "XO.XO...O", *FIGURE_10[7:])


def score(text: str, dead: Iterable[str], **options: object) -> Fraction:
    """Return Black's points less White's."""
    position = reference(spec_of(text, **options), text)
    assert isinstance(position, Go)
    return position.score(frozenset(dead))


@pytest.mark.parametrize("rules", TERRITORY)
def test_figure_10_a_dead_stone_is_a_prisoner(rules: str) -> None:
    """Black captures stone 4 without having to play on A [O-5]."""
    text = place(*PRISONER_4, white=2, passes=2)
    assert score(text, {"B3"}, rules=rules) == 14 - 15
    assert score(text, (), rules=rules) == (9 + 3) - (10 + 6 + 2)


def test_dead_stones_leave_the_board_before_the_count() -> None:
    """Under all rules but Tromp-Taylor's, which ask nobody [O-5]."""
    text = place("O.X.O", "..X.O", "..X.O", "..X.O", "..XOO", black=1)
    assert score(text, {"A5"}, rules="territory", komi=0.5) == 10 + 2 - Fraction(1, 2)
    assert score(text, {"A5"}, rules="japanese", komi=0.5) == 10 + 2 - Fraction(1, 2)
    assert score(text, {"A5"}, rules="chinese", komi=0.5) == 15 - 6 - Fraction(1, 2)
    assert score(text, {"A5"}, rules="tromp-taylor", komi=0.5) == 5 - 7 - Fraction(1, 2)
    assert score(text, {"A5"}, rules="chinese", komi=0.25) == 15 - 6 - Fraction(1, 4)


def test_what_is_neutral_or_seki_shows_when_the_dead_have_gone() -> None:
    """White's corner is Black's, and Black's eye beside it is no longer in seki [O-5]."""
    text = place("O.XX.", ".OXX.", "XXXXX", "OOOOO", ".....", passes=2)
    assert score(text, ()) == -5
    assert score(text, {"A5", "B4"}) == 4 + 2 + 2 - 5


def test_only_stones_can_be_dead() -> None:
    """An empty point is none."""
    with pytest.raises(ValueError, match="expected dead stones, got 'A1'"):
        score(empty(5), {"A1"})


# ---- What holds everywhere ----


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
@every_ko
def test_random_games_keep_what_the_rules_keep(face: Face, ko: str, size: int) -> None:
    """A stone comes with every turn but a pass; it is on the board or a prisoner; passing is possible."""
    spec = f"go,size={size},ko={ko}"
    generator = random.Random(spec)
    text, placed = face.start(spec), {"b": 0, "w": 0}
    for _ in range(60):
        turns = face.turns(spec, text)
        if not turns:
            break
        assert face.outcome(spec, text) is None
        assert "pass" in turns
        assert len({*turns}) == len(turns)
        rows, side, ko_point, by_black, by_white, _ = text.split(" ")
        assert placed["b"] == rows.count("X") + int(by_white)
        assert placed["w"] == rows.count("O") + int(by_black)
        assert ko_point not in turns
        turn = generator.choice(turns)
        placed[side] += turn != "pass"
        text = face.play(spec, text, turn)
        assert face.read(spec, text) == text
    assert (face.outcome(spec, text) is None) == (text[-1] != "2")
