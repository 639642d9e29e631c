"""An empty pool, passing, and how games end."""

from __future__ import annotations

import pytest

from tests.rules.faces import Face
from tests.rules.zertz.boards import (
    AROUND_D4,
    RINGS,
    SPREAD,
    Count,
    beginning,
    place,
    spread,
)

# ---- An empty pool [Z-6] ----


@pytest.mark.parametrize(
    ("first", "second", "player", "placed"),
    [
        ((1, 2, 1), (0, 0, 0), 1, "WGB"),
        ((0, 2, 0), (1, 1, 1), 1, "G"),
        ((0, 2, 0), (1, 0, 1), 2, "WB"),
    ],
)
def test_own_captures_are_placed_when_the_pool_is_empty(
    face: Face, first: Count, second: Count, player: int, placed: str
) -> None:
    """Any colour that the player to move holds, none of the opponent's [Z-6]."""
    spec, rings = "zertz,rings=61", RINGS["61"]
    on_board = tuple(5 + 2 * n - first[n] - second[n] for n in range(3))
    text = place(spread(*on_board), rings, first=first, second=second, player=player, board="61")
    assert text.split(" ")[1] == "0,0,0"
    turns = face.turns(spec, text)
    assert {turn[0] for turn in turns} == {*placed}
    vacant = [ring for ring in SPREAD if ring not in spread(*on_board)]
    after = face.play(spec, text, f"{placed[0]}{vacant[-1]},a1").split(" ")
    held = list((first, second)[player - 1])
    held["WGB".index(placed[0])] -= 1
    assert after[1 + player] == ",".join(map(str, held))
    assert after[1] == "0,0,0"


def test_a_marble_from_the_captures_may_come_back_by_isolation(face: Face) -> None:
    """Placed on a lone ring it is claimed again [Z-5] [Z-6], and the hand is what it was."""
    spec = "zertz,rings=61"
    rings = {*RINGS["61"]} - {"a2", "b1", "b2"}
    marbles = dict(zip(SPREAD[3:], "w" * 2 + "g" * 7 + "b" * 9, strict=True))
    text = place(marbles, rings, first=(2, 0, 0), second=(1, 0, 0), board="61")
    assert beginning(face.turns(spec, text), "Wa1,i1") == {"", "xWa1"}
    after = face.play(spec, text, "Wa1,i1xWa1")
    assert after.split(" ")[1:] == ["0,0,0", "2,0,0", "1,0,0", "2"]
    assert face.outcome(spec, after) is None


# ---- Passing ----


def test_who_has_nothing_passes(face: Face) -> None:
    """The pool is empty and so is the hand; the other plays on, and the position forgets the pass."""
    spec, rings = "zertz,rings=61", RINGS["61"]
    text = place(spread(4, 4, 5), rings, second=(1, 3, 4), board="61")
    assert face.turns(spec, text) == ["pass"]
    passed = face.play(spec, text, "pass")
    assert passed == place(spread(4, 4, 5), rings, second=(1, 3, 4), player=2, passes=1, board="61")
    assert face.read(spec, passed) == passed
    assert face.outcome(spec, passed) is None
    assert "pass" not in face.turns(spec, passed)
    after = face.play(spec, passed, "Wi5,a1")
    assert after.endswith(" 0,0,0 0,0,0 0,3,4 1")
    assert face.turns(spec, after) == ["pass"]


def test_who_has_nothing_but_can_capture_does(face: Face) -> None:
    """Passing is for who can neither place nor capture [Z-1]."""
    spec, rings = "zertz,rings=61", RINGS["61"]
    marbles = {**spread(4, 4, 4), "a1": "b"}  # beside a2
    text = place(marbles, rings, second=(1, 3, 4), board="61")
    turns = face.turns(spec, text)
    assert turns
    assert {turn[0] for turn in turns} == {"x"}


def test_two_passes_draw(face: Face) -> None:
    """All marbles are on the board, none can be captured: nobody can ever play again."""
    spec, rings = "zertz,rings=61", RINGS["61"]
    *placed, last = spread(5, 7, 9).items()
    text = place(dict(placed), rings, first=(0, 0, 1), board="61")
    text = face.play(spec, text, f"B{last[0]},a1")
    assert face.turns(spec, text) == ["pass"]
    once = face.play(spec, text, "pass")
    assert once.endswith(" 1 pass")
    assert face.turns(spec, once) == ["pass"]
    assert face.outcome(spec, once) is None
    twice = face.play(spec, once, "pass")
    assert twice == f"{once.removesuffix(' 1 pass')} 2 pass pass"
    assert face.read(spec, twice) == twice
    assert face.turns(spec, twice) == []
    assert face.outcome(spec, twice) == "draw"


# ---- The end [Z-7] [Z-8] ----


@pytest.mark.parametrize(
    ("rules", "held"),
    [
        *(("basic", held) for held in [(2, 2, 2), (3, 0, 0), (0, 4, 0), (0, 0, 5), (3, 1, 2), (2, 3, 2)]),
        *(("tournament", held) for held in [(3, 3, 3), (4, 0, 0), (0, 5, 0), (0, 0, 6), (3, 4, 3)]),
    ],
)
def test_a_goal_wins(face: Face, rules: str, held: Count) -> None:
    """So many of each colour, or more of one: who holds it has won, and nothing can be played [Z-7]."""
    spec = f"zertz:{rules}"
    second = place({}, second=held, player=1, rules=rules)
    assert face.outcome(spec, second) == "second"
    assert face.turns(spec, second) == []
    first = place({}, first=held, player=2, rules=rules)
    assert face.outcome(spec, first) == "first"
    assert face.turns(spec, first) == []


@pytest.mark.parametrize(
    ("rules", "held"),
    [
        *(("basic", held) for held in [(2, 3, 1), (2, 1, 4), (1, 3, 4)]),
        *(("tournament", held) for held in [(3, 4, 2), (3, 2, 5), (2, 4, 5), (3, 2, 2)]),
    ],
)
def test_one_marble_less_wins_nothing(face: Face, rules: str, held: Count) -> None:
    """The goals of the tournament are higher by one of each colour [Z-7]."""
    spec = f"zertz:{rules}"
    for player in (1, 2):
        text = place({}, first=held, player=player, rules=rules)
        assert face.outcome(spec, text) is None
        assert face.turns(spec, text)


@pytest.mark.parametrize("player", [1, 2])
def test_a_capture_wins_at_its_end(face: Face, player: int) -> None:
    """Who makes the turn wins by it [Z-7]."""
    held = {"first": (2, 0, 0)} if player == 1 else {"second": (2, 0, 0)}
    text = place({"d4": "g", "d5": "w"}, player=player, **held)
    won = face.play("zertz", text, "xd4Wd6")
    assert face.outcome("zertz", won) == ("first", "second")[player - 1]
    other = face.play("zertz", text, "xd5Gd3")
    assert face.outcome("zertz", other) is None


def test_a_goal_in_mid_sequence_is_no_end_of_the_turn(face: Face) -> None:
    """The third white marble wins, but the marble jumps on first [Z-4] [Z-7]."""
    text = place({"d4": "g", "d5": "w", "e5": "b"}, first=(2, 0, 0))
    assert beginning(face.turns("zertz", text), "xd4W") == {"d6Bf4"}
    with pytest.raises(ValueError, match=r"\S"):
        face.play("zertz", text, "xd4Wd6")
    won = face.play("zertz", text, "xd4Wd6Bf4")
    assert won == place({"f4": "g"}, first=(3, 0, 1), player=2)
    assert face.outcome("zertz", won) == "first"


@pytest.mark.parametrize("isolation", ["choice", "auto"])
@pytest.mark.parametrize("player", [1, 2])
def test_who_fills_the_last_ring_takes_all_and_wins(face: Face, player: int, isolation: str) -> None:
    """No ring is removed, nothing can be declined, no ring is left; an old group goes with the rest [Z-8]."""
    spec = f"zertz,isolation={isolation}"
    marbles = {"a1": "g", "c3": "b", "c4": "b", "d3": "g", "d5": "b", "e3": "g", "e4": "w"}
    text = place(marbles, [*AROUND_D4, "d4", "a1"], player=player)
    claims = "xGa1Bc3Bc4Gd3Wd4Bd5Ge3We4"
    assert {*face.turns(spec, text)} == {
        f"{marble}d4{claims.replace('Wd4', f'{marble}d4')}" for marble in "WGB"
    }
    won = face.play(spec, text, f"Wd4{claims}")
    held = (2, 3, 3)
    captures = {"first": held} if player == 1 else {"second": held}
    assert won == place({}, [], player=3 - player, **captures)
    assert face.read(spec, won) == won
    assert face.outcome(spec, won) == ("first", "second")[player - 1]
    assert face.turns(spec, won) == []


def test_all_rings_win_without_a_goal(face: Face) -> None:
    """Two marbles win when they are on the last two rings [Z-8]."""
    text = place({"d4": "b"}, ["d4", "d5"], second=(2, 3, 1))
    assert {*face.turns("zertz", text)} == {f"{marble}d5xBd4{marble}d5" for marble in "WGB"}
    won = face.play("zertz", text, "Gd5xBd4Gd5")
    assert won == place({}, [], first=(0, 1, 1), second=(2, 3, 1), player=2)
    assert face.outcome("zertz", won) == "first"


def test_who_removes_the_last_vacant_ring_takes_all_and_wins(face: Face) -> None:
    """Every ring left is occupied then too [Z-8], also those of a group that was declined."""
    marbles = {"a1": "g", "d4": "b"}
    text = place(marbles, ["a1", "d4", "d5", "d6"])
    assert beginning(face.turns("zertz", text), "Wd5,") == {"d6xGa1Bd4Wd5"}
    assert beginning(face.turns("zertz", text), "Wd6,") == {"d5xGa1Bd4Wd6"}
    won = face.play("zertz", text, "Wd6,d5xGa1Bd4Wd6")
    assert won == place({}, [], first=(1, 1, 1), player=2)
    assert face.outcome("zertz", won) == "first"
