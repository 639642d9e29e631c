"""Rules of GIPF that are no examples: the dots, and what the engine keeps besides."""

import pytest

from tengen.engine.errors import IllegalTurnError
from tengen.engine.play.position import Position
from tests.rules.examples import position
from tests.rules.faces import Face, each_face

face = each_face
DOTS_AND_SPOTS = (
    "a1-b2 a2-b2 a2-b3 a3-b3 a3-b4 a4-b4 a4-b5 a5-b5 b1-b2 b1-c2 b6-b5 b6-c6 c1-c2 c1-d2 c7-c6 c7-d7 d1-d2 "
    "d1-e2 d8-d7 d8-e8 e1-e2 e9-e8 f1-e2 f1-f2 f8-e8 f8-f7 g1-f2 g1-g2 g7-f7 g7-g6 h1-g2 h1-h2 h6-g6 h6-h5 "
    "i1-h2 i2-h2 i2-h3 i3-h3 i3-h4 i4-h4 i4-h5 i5-h5"
)
ENTRIES = [tuple(entry.split("-")) for entry in DOTS_AND_SPOTS.split()]


def test_gipf_has_24_dots_37_spots_and_21_lines(face: Face) -> None:
    """gipf-fr 1.A and gipf-es: 24 dots, 37 spots, and every line has a dot at both ends."""
    assert len({dot for dot, _ in ENTRIES}) == 24
    assert face.start("gipf:tournament").split()[0].count(".") == 37
    assert len(ENTRIES) == 2 * 21


@pytest.mark.parametrize(("dot", "spot"), ENTRIES)
def test_every_dot_of_gipf_brings_a_piece_in(dot: str, spot: str) -> None:
    """gipf-fr 1.D: a piece is put on any of the 24 dots, and moved on along any line from there [G-1]."""
    game = Position.parse("gipf:basic", position("gipf:basic", "15 15 w --"))
    game.push(f"{dot}-{spot}")
    assert game.text() == position("gipf:basic", f"{spot}=w 14 15 b --")


@pytest.mark.parametrize(
    ("pieces", "turns"),
    [
        ("e5=wd e6=b f6=bd e7=wd", ["je5-e6", "jf6-e6", "je7-e6"]),
        ("c3=w1 d4=w e5=w2 f5=bd1 g5=b", ["a1-b2;xb2,c3,d4,e5,f5,g5"]),
    ],
)
def test_a_stack_of_any_height_has_the_key_of_its_text(pieces: str, turns: list[str]) -> None:
    """The key that jumps and removals carry along is that of the position read anew."""
    spec = "gipf:basic,dvonn=3"
    game = Position(spec, position(spec, f"{pieces} 5 5 w -- 0 0 0 0 0 0"))
    for turn in turns:
        game.push(turn)
        assert game == Position(spec, game.text())


def test_a_full_line_is_refused_by_its_rule() -> None:
    """The refusal cites the rule [G-2]."""
    full = position("gipf:basic", "b2=b c3=w d4=b e5=w f5=b g5=w h5=b 8 9 w --")
    with pytest.raises(IllegalTurnError, match=r"G-2"):
        Position.parse("gipf:basic", full).push("a1-b2")
