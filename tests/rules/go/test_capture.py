"""Capture and suicide."""

from __future__ import annotations

import pytest

from tests.rules.faces import Face
from tests.rules.go.boards import (
    every_ko,
    every_rules,
    place,
    spec_of,
)

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
