"""Rules of Go that are no examples: star points, the number of positions, dead stones, turns out of turn."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import pytest

from tengen.engine.play.position import Position
from tests.reference import Go, reference
from tests.rules.faces import Face, each_face
from tests.rules.stones import place, points

face = each_face


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
    for stones, where in expected.items():
        spec = f"go,size={size},handicap={stones}"
        text = face.start(spec)
        assert points(size, "X", text.split(" ")[0].split("/")) == {*where}
        assert text.split(" ")[1:] == ["w", "-", "0", "0", "0"]
        assert face.read(spec, text) == text
    with pytest.raises(ValueError, match=r"\S"):
        face.start(f"go,size={size},handicap={max(expected) + 1}")


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
            face.read(f"go,size={size}", f"{'/'.join(rows)} b - 0 0 0")
        except ValueError:
            continue
        found += len(images)
    assert found == number


# ---- Dead stones, told to the reference: the engine decides by play-out ----


# The end of the rulebook's example, but for White's stone 4 on B3.
FIGURE_10 = (
    "...O.X...",
    "...OXX...",
    "....OX.X.",
    "OOOOOXX.X",
    "XXXXXXXXX",
    "X..XOOOOO",
    "XO.XO...O",
    ".XXXXO...",
    "..XXXOOOO",
)


def score(text: str, dead: Iterable[str], **options: object) -> Fraction:
    """Return Black's points less White's."""
    size = text.count("/") + 1
    position = reference(
        ",".join([f"go,size={size}", *(f"{key}={each}" for key, each in options.items())]), text
    )
    assert isinstance(position, Go)
    return position.score(frozenset(dead))


@pytest.mark.parametrize("rules", ["territory", "japanese"])
def test_figure_10_a_dead_stone_is_a_prisoner(rules: str) -> None:
    """Black captures stone 4 without having to play on A [O-5]."""
    text = f"{place(*FIGURE_10)} - 0 2 2"
    assert score(text, {"B3"}, rules=rules) == 14 - 15
    assert score(text, (), rules=rules) == (9 + 3) - (10 + 6 + 2)


@pytest.mark.parametrize(
    ("rules", "komi", "expected"),
    [
        ("territory", "0.5", 10 + 2 - Fraction(1, 2)),
        ("japanese", "0.5", 10 + 2 - Fraction(1, 2)),
        ("chinese", "0.5", 15 - 6 - Fraction(1, 2)),
        ("tromp-taylor", "0.5", 5 - 7 - Fraction(1, 2)),
        ("chinese", "0.25", 15 - 6 - Fraction(1, 4)),
    ],
)
def test_dead_stones_leave_the_board_before_the_count(rules: str, komi: str, expected: Fraction) -> None:
    """Under all rules but Tromp-Taylor's, which ask nobody [O-5]."""
    text = "O.X.O/..X.O/..X.O/..X.O/..XOO b - 1 0 0"
    assert score(text, {"A5"}, rules=rules, komi=komi) == expected


def test_what_is_neutral_or_seki_shows_when_the_dead_have_gone() -> None:
    """White's corner is Black's, and Black's eye beside it is no longer in seki [O-5]."""
    text = "O.XX./.OXX./XXXXX/OOOOO/..... b - 0 0 2"
    assert score(text, ()) == -5
    assert score(text, {"A5", "B4"}) == 4 + 2 + 2 - 5


def test_only_stones_can_be_dead() -> None:
    """An empty point is none."""
    with pytest.raises(ValueError, match="expected dead stones, got 'A1'"):
        score("...../...../...../...../..... b - 0 0 0", {"A1"})


def test_turns_out_of_turn_and_after_the_end_can_be_taken_back():
    position, before = Position.start("go,size=5"), []
    for turn, side in [("C3", 0), ("D3", 0), ("C4", 1), ("pass", 0), ("pass", 1), ("B2", 1), ("A1", None)]:
        before.append((position.text(), position.state.copy()))
        position.push(turn, side)
    for text, state in reversed(before):
        position.pop()
        assert position.text() == text
        assert position.state == state
