"""How people write points of five in a row, and how protocols do."""

import pytest

from tengen.engine.notation import shown, shown_picture, typed
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec

GOMOKU, GO = GameSpec.parse("gomoku"), GameSpec.parse("go")


@pytest.mark.parametrize(
    ("vertices", "points"),
    [
        ("H8 J9 W22", "h8 i9 v22"),
        ("J9 is forbidden for Black: double three [R-7].", "i9 is forbidden for Black: double three [R-7]."),
        ("expected a vertex from A1 to P15 (no letter I)", "expected a vertex from a1 to o15"),
        ("games/J9.sgf and H8.sgf, B+1, level 3", "games/J9.sgf and H8.sgf, B+1, level 3"),
        ("h8 i9", "h8 i9"),
    ],
)
def test_texts_for_people_have_the_letter_i(vertices, points):
    assert shown(GOMOKU, vertices) == points
    assert shown(GO, vertices) == vertices


def test_all_texts_of_a_structure_are_shown():
    assert shown(GOMOKU, {"J9": ["K10", 3], "pv": ("J1",)}) == {"i9": ["j10", 3], "pv": ("i1",)}


@pytest.mark.parametrize(
    ("points", "vertices"),
    [
        ("h8 j9", "H8 K9"),
        ("h8 i9", "H8 J9"),
        ("H8 J9", "H8 J9"),
        ("I9 J9", "J9 K9"),
        ("level 3 b", "level 3 b"),
    ],
)
def test_small_letters_and_an_i_are_typed_as_players_write(points, vertices):
    assert typed(GOMOKU, points) == vertices
    assert typed(GO, points) == points


@pytest.mark.parametrize("spec", ["gomoku", "gobang", "gomoku:renju,size=22"])
def test_every_point_is_typed_as_it_is_shown(spec):
    position = Position(spec)
    turns = position.turns()
    assert [typed(position.spec, turn) for turn in shown(position.spec, turns)] == turns


def test_the_edges_of_a_picture_agree_with_its_places():
    position = Position("gomoku")
    position.push("J9")
    drawn = shown_picture(position.spec, position.draw())
    columns = {shape.text: shape.x for shape in drawn.shapes if getattr(shape, "text", "").islower()}
    assert [*columns] == [*"abcdefghijklmno"]
    assert all(columns[place.name[0]] == place.x for place in drawn.places)
    assert {shape.piece for shape in drawn.shapes} == {"", "i9"}


def test_a_game_that_is_played_for_a_challenge_has_its_own_notation():
    spec = GameSpec.parse("gipf:basic,zertz=3,challenges=2,challenge-game=gobang")
    assert shown(spec, ["a1-b2", "J9"]) == ["a1-b2", "i9"]
