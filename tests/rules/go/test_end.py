"""The end of a game of Go: passes, the count, seki, dead stones."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction

import pytest

from tests.reference import Go, reference
from tests.rules.faces import Face
from tests.rules.go.boards import (
    AREA,
    TERRITORY,
    assert_margin,
    empty,
    every_ko,
    every_rules,
    place,
    spec_of,
)

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
