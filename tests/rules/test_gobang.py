"""Rules of Gobang that are no examples: captures and fives in every direction."""

from itertools import combinations, product

import pytest

from tests.reference.words import COLUMNS
from tests.rules.faces import Face, each_face
from tests.rules.stones import place, swapped

face = each_face
SPEC = "gobang,size=7"
NOTHING = (  # is taken in these rows
    ".OX.... .OOOX.. .OOOOX. .OO.... .OO.X.. .O.OX.. ..OOX.. .XOOX.. .OXOX.. .OOOO.. .XXO... "
    ".XX.... ....OOX OX.XO.. OOO.OOO OO.OO.. XO.OX.. X.OX... XO.X... XO.OO.. OXO.OXO O.OX..."
)


def assert_play(face: Face, text: str, turn: str, expected: str) -> None:
    """Assert what becomes of a position by a turn, and of its image with the colours exchanged."""
    assert turn in face.turns(SPEC, text)
    assert face.play(SPEC, text, turn) == expected
    assert face.play(SPEC, swapped(text), turn) == swapped(expected)


# ---- Captures [B-2] ----

EIGHT = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
SETS = [*(each for number in range(3) for each in combinations(EIGHT, number)), tuple(EIGHT)]


def star(middle: str, ray: str, directions: tuple[tuple[int, int], ...]) -> list[str]:
    """Return the rows of a board of seven: a mark in the middle, three more from there in some directions."""
    cells = dict.fromkeys(product(range(7), repeat=2), ".")
    cells[3, 3] = middle
    for (dx, dy), (distance, mark) in product(directions, enumerate(ray, 1)):
        cells[3 + dx * distance, 3 + dy * distance] = mark
    return ["".join(cells[column, row] for column in range(7)) for row in range(6, -1, -1)]


@pytest.mark.parametrize("directions", SETS)
def test_pairs_are_taken_in_every_direction(face: Face, directions: tuple[tuple[int, int], ...]) -> None:
    """Any of the eight, any two of them, and all at once; one pair for each [B-2]."""
    after = place(*star("X", "..X", directions), side="w", pairs=(len(directions), 0))
    assert_play(face, place(*star(".", "OOX", directions), pairs=(0, 0)), "D4", after)


@pytest.mark.parametrize("row", NOTHING.split())
def test_nothing_is_taken(face: Face, row: str) -> None:
    """One stone, three or more, with a gap, without an own stone behind; nor one's own stones [B-2]."""
    turn = row.index(".") if row.count(".") < 6 else 0
    after = row[:turn] + "X" + row[turn + 1 :]
    others = [".......", "X..O..X", "......."]
    for number in range(4):
        below, above = others[:number], others[number:]
        text = place(*above, row, *below, *["......."] * 3, pairs=(0, 0))
        expected = place(*above, after, *below, *["......."] * 3, side="w", pairs=(0, 0))
        assert_play(face, text, f"{COLUMNS[turn]}{number + 4}", expected)


# ---- The end ----


@pytest.mark.parametrize(("stones", "outcome"), [(4, None), (5, "first"), (6, "first"), (7, "first")])
@pytest.mark.parametrize("step", [(1, 0), (0, 1), (1, 1), (1, -1)])
def test_five_or_more_in_a_row_win(
    face: Face, step: tuple[int, int], stones: int, outcome: str | None
) -> None:
    """In any direction, whoever is to move [M-2] [B-1]."""
    cells = dict.fromkeys(product(range(7), repeat=2), ".")
    for number in range(stones):
        cells[3 + step[0] * (number - 3), 3 + step[1] * (number - 3)] = "X"
    for side in "bw":
        rows = ("".join(cells[column, row] for column in range(7)) for row in range(7))
        text = place(*rows, side=side, pairs=(0, 0))
        assert face.outcome(SPEC, text) == outcome
        assert face.outcome(SPEC, swapped(text)) == ("second" if outcome else None)
        assert bool(face.turns(SPEC, text)) == (outcome is None)
