"""What is no position and no turn, and what holds everywhere."""

from __future__ import annotations

import random

import pytest

from tests.rules.faces import Face
from tests.rules.zertz.boards import (
    MARBLES,
    RINGS,
    START,
    Count,
    beginning,
    place,
    spread,
    without,
)

# ---- What is refused ----


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        (START, ""),
        (START, "pass"),
        (START, "Wd4"),  # a ring must be removed
        (START, "Wd4,d4"),
        (START, "Wd4,d2"),  # not free
        (START, "Wd8,d1"),
        (START, "Wh1,d1"),
        (START, "Wd4,d1xWd4"),  # not isolated
        (START, "xd4Gd6"),
        (START, "Xd4,d1"),
        (place({"d4": "w"}), "Wd4,d1"),  # occupied
        (place({"d1": "w"}), "Wd4,d1"),
        (place({"d4": "w"}, without("d1")), "Wd1,a1"),  # no ring
        (place({"d4": "w"}, without("d1")), "Wd3,d1"),
        (place({"d4": "w", "d5": "g"}), "Wa1,g4"),  # a capture is compulsory
        (place({"d4": "w", "d5": "g"}), "xd4Wd6"),
        (place({"d4": "w", "d5": "g"}), "xd4Gd7"),
        (place({"d4": "w", "d5": "g"}), "pass"),
        (place({"a1": "g"}, without("a2", "b1", "b3")), "Wd4,b2xWa1"),
        (place({"a1": "g"}, without("a2", "b1", "b3")), "Wd4,c1xGa1"),
        (place({}, second=(3, 0, 0)), "Wd4,d1"),  # the game is over
        (place({}, [], second=(1, 0, 0)), "pass"),
    ],
)
def test_a_turn_that_breaks_a_rule_is_refused(face: Face, text: str, turn: str) -> None:
    """It is none of the legal turns."""
    assert turn not in face.turns("zertz", text)
    with pytest.raises(ValueError, match=r"\S"):
        face.play("zertz", text, turn)


@pytest.mark.parametrize(
    "text",
    [
        "",
        START.removesuffix(" 1"),
        f"{START} 1",
        f"{START} pass pass pass",
        START.removesuffix("1") + "3",
        START.removesuffix("1") + "0",
        START.replace(".", "x", 1),
        START.replace(".", "W", 1),
        START.removeprefix("."),
        f".{START}",
        START.replace("/", "", 1),
        START.replace("5,7,9", "5,7"),
        START.replace("5,7,9", "5,7,9,0"),
        START.replace("5,7,9", "5,7,x"),
        START.replace("5,7,9", "5,7,8"),
        START.replace("5,7,9", "5,7,10"),
        START.replace("5,7,9", "6,8,10"),
        START.replace("5,7,9 0,0,0", "6,7,9 -1,0,0"),
        START.replace(".", "w", 1),  # a sixth white marble
        place({"d4": "w"}).replace("w", "."),  # a lost one
        place({}, rules="tournament"),
        place({}, RINGS["48"], board="48"),
        place({}, first=(3, 0, 0)),  # the player to move has won before
        place({}, second=(2, 2, 2), player=2),
        place({}, first=(3, 0, 0), second=(0, 4, 0)),
        place({}, [], first=(0, 0, 5)),
        place({"d4": "w"}, ["d4"]),  # who filled the last ring has taken it [Z-8]
        place({"d4": "w", "a1": "g"}, ["a1", "d4"], second=(1, 1, 1)),
        f"{START} pass",  # the pool is not empty
        f"{START} pass pass",
    ],
)
def test_an_impossible_position_is_refused(face: Face, text: str) -> None:
    """Wrong shapes, marbles too many or lost, a goal of who is to move, a full board, a pass at choice."""
    with pytest.raises(ValueError, match=r"\S"):
        face.read("zertz", text)


@pytest.mark.parametrize(
    ("marbles", "first", "second", "passes"),
    [
        (spread(5, 7, 8), (0, 0, 0), (0, 0, 1), 1),  # player 2 held a marble and could not pass
        (spread(5, 7, 8), (0, 0, 1), (0, 0, 0), 2),
        (spread(5, 7, 8), (0, 0, 0), (0, 0, 1), 2),
        ({**spread(5, 7, 8), "a1": "b"}, (0, 0, 0), (0, 0, 0), 1),  # a1 and a2 can be captured
        (spread(5, 7, 8), (0, 0, 0), (0, 0, 0), 1),  # a black marble is in the pool
    ],
)
def test_a_pass_of_who_could_play_is_refused(
    face: Face, marbles: dict[str, str], first: Count, second: Count, passes: int
) -> None:
    """A pass says that pool and hand are empty and nothing can be captured."""
    text = place(marbles, RINGS["61"], first=first, second=second, passes=passes, board="61")
    with pytest.raises(ValueError, match=r"\S"):
        face.read("zertz,rings=61", text)


# ---- What holds everywhere ----


@pytest.mark.parametrize("spec", ["zertz", "zertz:tournament,isolation=auto", "zertz:tournament,rings=48"])
def test_random_games_keep_what_the_rules_keep(face: Face, spec: str) -> None:
    """Marbles are moved, never made or lost; rings only go; a game ends, and not before its end."""
    generator = random.Random(spec)
    text = face.start(spec)
    totals = MARBLES["tournament" if "tournament" in spec else "basic"]
    rings = len(text.split(" ")[0].replace("/", ""))
    while turns := face.turns(spec, text):
        assert face.outcome(spec, text) is None
        assert len({*turns}) == len(turns)
        captures = beginning(turns, "x")
        assert len(captures) in (0, len(turns))  # [Z-1]
        text = face.play(spec, text, generator.choice(turns))
        assert face.read(spec, text) == text
        board, *counts = text.split(" ")[:4]
        off_board = [sum(int(count.split(",")[colour]) for count in counts) for colour in range(3)]
        assert tuple(board.count("wgb"[n]) + off_board[n] for n in range(3)) == totals
        left = len(board.replace("/", "").replace("-", ""))
        assert left == rings if captures else left <= rings
        rings = left
    assert face.outcome(spec, text) is not None


def test_isolation_auto_leaves_out_only_what_declines(face: Face) -> None:
    """Every placement is there once, with the longest of its claims."""
    generator = random.Random("zertz")
    text = face.start("zertz")
    while turns := face.turns("zertz", text):
        longest: dict[str, str] = {}
        for turn in turns:
            head = turn if turn.startswith("x") else turn.partition("x")[0]
            longest[head] = max(longest.get(head, ""), turn, key=len)
        assert {*face.turns("zertz,isolation=auto", text)} == {*longest.values()}
        text = face.play("zertz", text, generator.choice(turns))
