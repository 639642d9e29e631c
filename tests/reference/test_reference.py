"""The references against the rulebooks' statements and published counts.

What `tests.rules.faces` asks of the reference and the engine alike is not repeated.
"""

import random
from pathlib import Path
from typing import TypeVar

import pytest

from tests import rows
from tests.reference import Dvonn, Go, Gomoku, Reference, reference
from tests.reference.dvonn import DVONN_PIECES, SPACES
from tests.rules.examples import position

Position = TypeVar("Position", bound=Reference)

FULL_BOARD = (
    "W1,B1,W1,B1,W1,B1,W1,B1,W1/B1,D,W1,B1,W1,B1,W1,B1,W1,B1/W1,B1,W1,B1,W1,D,B1,W1,B1,W1,B1"
    "/W1,B1,W1,B1,W1,B1,W1,B1,D,W1/B1,W1,B1,W1,B1,W1,B1,W1,B1 w m"
)
LATE_BOARD = (
    "W2*,-,-,-,W1,-,-,W3,-/-,B2*,B2,W3,W1,W1,-,W2*,B2,-/-,-,W1,-,-,B3,B2,-,-,-,-"
    "/-,-,-,B2,B6,B4,-,-,-,-/-,-,-,-,-,-,-,-,- w m"
)
SPECS = [
    "dvonn",
    "go,size=5",
    "go,size=4,ko=positional,rules=chinese,komi=0.5",
    "go,size=9,ko=situational,rules=tromp-taylor,handicap=4",
    "gobang,size=5,capture-win=2",
    "gobang,size=9,opening=pro",
    "gomoku",
    "gomoku,size=5",
    "gomoku:exactly-five,size=7",
    "gomoku:renju,size=7,opening=pro",
    "gomoku,size=22",
]


def perft(position: Reference, depth: int) -> int:
    """Count the sequences of `depth` turns."""
    if depth == 1:
        return len(position.turns())
    return sum(perft(position.play(turn), depth - 1) for turn in position.turns())


def play(position: Position, *turns: str) -> Position:
    """Play the turns in order."""
    for turn in turns:
        position = position.play(turn)
    return position


@pytest.mark.parametrize(
    ("spec", "position", "counts"),
    [
        ("dvonn", None, [49, 2352, 110544]),
        ("dvonn", FULL_BOARD, [45, 2026, 95057]),
        ("dvonn", LATE_BOARD, [15, 83, 563]),
        ("go,size=2,ko=positional", None, [5, 21, 68, 156, 316]),
        ("go,size=3,ko=positional", None, [10, 91, 738]),
        ("gobang,size=4", None, [16, 240, 3360]),
        ("gobang,size=4,capture-win=1", "XOO./..../.O../X.X. b 0 0", [10, 81, 648]),
        ("gomoku,size=5", None, [25, 600, 13800]),
    ],
)
def test_perft(spec: str, position: str | None, counts: list[int]) -> None:
    """The number of turn sequences is the published one."""
    assert [perft(reference(spec, position), depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("spec", SPECS)
def test_texts_round_trip_through_random_games(spec: str) -> None:
    """Every position of a random game survives formatting and parsing, and only its end has no turns."""
    choose = random.Random(spec).choice
    position = reference(spec)
    while turns := position.turns():
        assert position.outcome() is None
        assert len(set(turns)) == len(turns)
        position = position.play(choose(turns))
        assert reference(spec, position.format()) == position
    assert position.outcome() is not None


@pytest.mark.parametrize("spec", SPECS)
def test_a_turn_leaves_the_old_position_alone(spec: str) -> None:
    """Playing makes a new position."""
    start = reference(spec)
    text = start.format()
    assert start.play(start.turns()[0]) != start
    assert start.format() == text


@pytest.mark.parametrize(("spec", "text", "message"), rows(Path(__file__).parent / "refused.txt"))
def test_what_is_no_game_and_no_position_is_refused(spec: str, text: str, message: str) -> None:
    """And it is said what is wrong with it."""
    with pytest.raises(ValueError, match=message):
        reference(spec, None if text == "-" else text)


def test_variant_and_option_spell_the_same_game() -> None:
    """`exactly-five` is a variant, and an option that may be switched off."""
    assert reference("gomoku:exactly-five,size=7") == reference("gomoku,exactly-five=1,size=7")
    assert reference("gomoku,exactly-five=0") == reference("gomoku") == Gomoku.start(size=15)
    assert reference("gomoku:exactly-five") != reference("gomoku")


@pytest.mark.parametrize(
    ("stacks", "score"),
    [
        ("a1=W5*2 b1=B4 c1=D", (5, 4)),
        ("a1=W3 b1=B4* b2=D c1=D", (3, 4)),
        ("a1=W4*2 b1=B4*", (4, 4)),
        ("a1=W4 b1=D c1=D d1=D", (4, 0)),
        ("a1=D c1=D e1=D", (0, 0)),
        ("c3=W4 d3=W5 e3=W1 f3=D f1=D h1=D", (10, 0)),
    ],
)
@pytest.mark.parametrize("side", ["w", "b"])
def test_dvonn_score_counts_controlled_pieces(side: str, stacks: str, score: tuple[int, int]) -> None:
    """Red and enemy pieces in a stack count for its owner, lone DVONN pieces for nobody [D-8]."""
    assert Dvonn.parse(position("dvonn", f"{stacks} {side} m")).score() == score


def test_dvonn_pieces_stay_through_random_games() -> None:
    """All three DVONN pieces are there at every ply of the second phase [D-9], and the pieces never grow."""
    choose = random.Random(9).choice
    for _ in range(10):
        position = Dvonn.start()
        while position.turns():
            position = position.play(choose(position.turns()))
            reds = sum(stack.reds for stack in position.stacks.values())
            pieces = sum(stack.height for stack in position.stacks.values())
            assert reds == DVONN_PIECES or position.phase == "p"
            assert pieces <= len(SPACES)


def test_go_remembers_its_boards_and_a_text_does_not() -> None:
    """Equal positions may differ in what superko forbids [O-4]."""
    played = play(Go.start(size=3, ko="positional"), "B2", "pass", "A1")
    read = Go.parse(played.format(), size=3, ko="positional")
    assert read == played
    assert [len(board) for board, _ in played.history] == [0, 1, 1, 2]
    assert [len(board) for board, _ in read.history] == [2]
