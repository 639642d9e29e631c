"""The rulebooks' statements: an index of all in ``rulebooks.txt``, and tests of counts that have no other.

Books are named as there; gipf-fr 1.B.2 is part 1, section B, number 2 of the French rulebook of GIPF.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tengen.engine.play.position import Position
from tests.reference.test_reference import FULL_BOARD
from tests.rules.faces import Face, each_face
from tests.rules.gipf.boards import SPOTS, place

face = each_face
TESTS = Path(__file__).parent.parent
STATEMENTS = [
    [field.strip() for field in line.split(" ; ")]
    for line in (TESTS / "rules" / "rulebooks.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
BOOKS = ("gipf-fr", "gipf-es", "dvonn", "zertz", "go")
DOTS_AND_SPOTS = (
    "a1-b2 a2-b2 a2-b3 a3-b3 a3-b4 a4-b4 a4-b5 a5-b5 b1-b2 b1-c2 b6-b5 b6-c6 c1-c2 c1-d2 c7-c6 c7-d7 d1-d2 "
    "d1-e2 d8-d7 d8-e8 e1-e2 e9-e8 f1-e2 f1-f2 f8-e8 f8-f7 g1-f2 g1-g2 g7-f7 g7-g6 h1-g2 h1-h2 h6-g6 h6-h5 "
    "i1-h2 i2-h2 i2-h3 i3-h3 i3-h4 i4-h4 i4-h5 i5-h5"
)
ENTRIES = [tuple(entry.split("-")) for entry in DOTS_AND_SPOTS.split()]


def names_of_tests(path: str) -> set[str]:
    """Return the names of the tests in a file."""
    tree = ast.parse((TESTS / path).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def first_turn(face: Face, spec: str, text: str, prefix: str) -> str:
    """Return the first turn without a row that begins with `prefix`."""
    return min(turn for turn in face.turns(spec, text) if turn.startswith(prefix) and ";" not in turn)


def test_every_statement_has_its_test_or_says_why_not() -> None:
    """What only a missing picture could tell is listed, too."""
    for part, statement, shown in STATEMENTS:
        assert part.split()[0] in BOOKS
        assert statement
        if shown.startswith(("picture: ", "- ")):
            continue
        for test in shown.split():
            path, name = test.split("::")
            assert name in names_of_tests(path), f"{part}: {test} does not exist"
    assert {part.split()[0] for part, _, _ in STATEMENTS} == {*BOOKS}


def test_gipf_has_24_dots_37_spots_and_21_lines(face: Face) -> None:
    """gipf-fr 1.A and gipf-es: 24 dots, 37 spots, and every line has a dot at both ends."""
    assert len({dot for dot, _ in ENTRIES}) == 24
    assert len(SPOTS) == face.start("gipf:tournament").split()[0].count(".") == 37
    assert len(ENTRIES) == 2 * 21


def test_every_dot_of_gipf_brings_a_piece_in() -> None:
    """gipf-fr 1.D: a piece is put on any of the 24 dots, and moved on along any line from there [G-1]."""
    for dot, spot in ENTRIES:
        position = Position.parse("gipf:basic", place("15 15 w --"))
        position.push(f"{dot}-{spot}")
        assert position.text() == place("14 15 b --", **{spot: "w"})


@pytest.mark.parametrize(("white", "black"), [(15, 15), (16, 16), (17, 17), (18, 18), (18, 15), (15, 16)])
def test_gipf_is_begun_with_15_pieces_and_up_to_three_more(face: Face, white: int, black: int) -> None:
    """gipf-fr 1.B.2 and gipf-es: 1, 2 or 3 more for both, or for the weaker player."""
    start = face.start(f"gipf:basic,white={white},black={black}")
    board, *reserves, _, _ = start.split()
    assert reserves == [str(white - 3), str(black - 3)]
    assert (board.count("w"), board.count("b")) == (3, 3)


def test_the_first_six_pieces_of_gipf_alternate_round_the_corners(face: Face) -> None:
    """gipf-fr 1.B.4 and gipf-es, illustration 1: each on the spot next to a corner."""
    columns = dict(zip("bcdefgh", face.start("gipf:basic").split()[0].split("/"), strict=True))
    corners = ["e2", "b2", "b5", "e8", "h5", "h2"]  # clockwise from White's side
    assert "".join(columns[spot[0]][int(spot[1]) - 2] for spot in corners) == "wbwbwb"


def test_standard_gipf_has_18_pieces_each(face: Face) -> None:
    """gipf-fr 2.A and gipf-es: three GIPF-pieces of two each, and 12 in reserve."""
    board, *reserves, _, _ = face.start("gipf:standard").split()
    for letter, reserve in zip("WB", reserves, strict=True):
        assert 2 * board.count(letter) + int(reserve) == 18


def test_a_player_of_the_tournament_game_may_bring_in_gipf_pieces_only(face: Face) -> None:
    """gipf-fr 3.3: in the second, the third, the fourth turn, and as long as there are two pieces [G-12]."""
    text = face.start("gipf:tournament")
    for _ in range(8):
        text = face.play("gipf:tournament", text, first_turn(face, "gipf:tournament", text, "G"))
    board, *rest = text.split()
    assert (board.count("W"), board.count("B"), rest) == (4, 4, ["10", "10", "w", "gg"])


def test_the_pieces_of_dvonn_fill_the_board(face: Face) -> None:
    """dvonn A, C and D: 3, 23 and 23 pieces on 49 spaces, 9 of them before each player; White goes on."""
    text = face.start("dvonn")
    rows = [row.split(",") for row in text.split()[0].split("/")]
    assert [len(row) for row in rows] == [9, 10, 11, 10, 9]
    placed = ["D", "D", "D", *["B1", "W1"] * 23]
    movers = ["w", "b", "w", "b", "w", "b"]
    for number, piece in enumerate(placed):
        board, side, phase = text.split()
        assert (side, phase) == (movers[number % 2], "p")
        spaces = face.turns("dvonn", text)
        assert len(spaces) == 49 - number
        text = face.play("dvonn", text, spaces[number * 7 % len(spaces)])
        before, after = (
            sorted(position.replace("/", ",").split(",")) for position in (board, text.split()[0])
        )
        assert sorted([*before, piece]) == sorted([*after, "-"])
    board, side, phase = text.split()
    assert (side, phase) == ("w", "m")
    assert [board.count(piece) for piece in ("W1", "B1", "D", "-")] == [23, 23, 3, 0]


def test_of_a_full_board_of_dvonn_24_pieces_can_move(face: Face) -> None:
    """dvonn E.6, scheme 2: those at the edge, each player's own [D-4]."""
    board = FULL_BOARD.split()[0]
    movers = [{turn[:2] for turn in face.turns("dvonn", f"{board} {side} m")} for side in "wb"]
    assert len(movers[0] | movers[1]) == len(movers[0]) + len(movers[1]) == 24


def test_three_potentials_lie_on_the_first_three_basic_pieces(face: Face) -> None:
    """zertz, potentials A.3: the fourth basic piece has none [P-2]."""
    text = face.start("gipf:basic,zertz=3")
    for _ in range(6):
        text = face.play("gipf:basic,zertz=3", text, first_turn(face, "gipf:basic,zertz=3", text, "Z"))
    turns = face.turns("gipf:basic,zertz=3", text)
    assert turns
    assert not any(turn.startswith("Z") for turn in turns)


def test_go_has_361_points_and_as_many_stones(face: Face) -> None:
    """go Material: 19 lines each way; 181 black stones and 180 white ones, as Black begins [O-1]."""
    text = face.start("go")
    board, side, *_ = text.split()
    assert (len(board.split("/")), board.count("."), side) == (19, 361, "b")
    assert len(face.turns("go", text)) == 361 + 1  # and to pass
    assert 181 + 180 == 361
