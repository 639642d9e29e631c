"""Brute force about life and death, held against what every beginner knows."""

import pytest

from tests.reference.go.life import Board, Grid, TooLargeError, safe_chains
from tests.reference.go.rules import Go
from tests.reference.words import Stone

TWO_EYES = "....X/XXXX./OOOOX/.O.OX/OOOOX"
ONE_EYE = "XXXXX/X.X.X/OOXXX/.OX.X/OOXXX"


def board(rows: str, *safe: str) -> Board:
    """Return a board to ask."""
    size = rows.count("/") + 1
    return Board(Go.parse(f"{rows} b - 0 0 0", size=size), safe)


def test_two_eyes_are_unconditional_life() -> None:
    position = board(TWO_EYES)
    assert safe_chains(position.grid, position.stones["O"], position.stones["X"]) == position.stones["O"]
    assert not safe_chains(position.grid, position.stones["X"], position.stones["O"])


def test_a_single_eye_is_dead() -> None:
    assert board(ONE_EYE).status("A1") == "dead"


@pytest.mark.parametrize(
    ("eye", "status"),
    [("...", "unsettled"), (".X.", "dead"), ("....", "alive"), ("X..X", "alive"), (".XX.", "dead")],
)
def test_eyes_in_a_row(eye: str, status: str) -> None:
    """Straight three hangs on the middle, straight four does not."""
    size = len(eye) + 4
    ring = f"X{'O' * (len(eye) + 2)}X"
    below = ["X" * size] * (size - 4) + ["." + "X" * (size - 1)]
    position = board("/".join([ring, f"XO{eye}OX", ring, *below]), "A2")
    assert position.status(f"B{size}") == status


def test_who_begins_wins_the_race_of_equal_liberties() -> None:
    rows = ".OX../.OX../.OX../XXOOO/XXOOO"
    position = board(rows, "A1", "E1")
    assert {position.status(key, "B5", "C5") for key in ("B5", "C5")} == {"unsettled"}


@pytest.mark.parametrize("mover", ["X", "O"])
def test_the_middle_of_a_straight_three_decides(mover: Stone) -> None:
    position = board("XOOOOOX/XO...OX/XOOOOOX/XXXXXXX/XXXXXXX/XXXXXXX/.XXXXXX", "A2")
    assert position.decisive("B7", mover) == {"D6"}


@pytest.mark.parametrize("mover", ["X", "O"])
def test_nothing_decides_about_a_straight_four(mover: Stone) -> None:
    below = "/".join(["X" * 8] * 4)
    position = board(f"XOOOOOOX/XO....OX/XOOOOOOX/{below}/.XXXXXXX", "A2")
    assert position.decisive("B8", mover) == set()


def test_a_search_that_grows_too_large_is_given_up() -> None:
    with pytest.raises(TooLargeError, match="at most 100 positions"):
        board("...../.OOO./...../...../XXXXX", "A1").status("B4", limit=100)


def test_bits_and_vertices() -> None:
    grid = Grid(9)
    assert grid.vertices(grid.points(["A1", "J9"])) == {"A1", "J9"}
    assert grid.vertices(grid.around(grid.point("J9"))) == {"H9", "J8"}
    assert len(list(grid.parts(grid.points(["A1", "A2", "C1"])))) == 2
