"""Ko and superko."""

from __future__ import annotations

import pytest

from tests.rules.faces import Face
from tests.rules.go.boards import (
    TurnsAfter,
    every_ko,
    place,
    spec_of,
)

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
