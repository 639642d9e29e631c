"""The references against the rulebooks' statements and published counts.

What `tests.rules.faces` asks of the reference and the engine alike is not repeated.
"""

import random
from typing import TypeVar

import pytest

from tests.reference import Dvonn, Go, Gobang, Gomoku, Reference, reference
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


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("dvon", "unknown game 'dvon'.*did you mean 'dvonn'"),
        ("dvonn:fast", "unknown variant of dvonn 'fast'"),
        ("dvonn,size=5", "unknown option of dvonn 'size'"),
        ("go,size=1", "expected a size from 2 to 25, got 1"),
        ("go,size=26", "expected a size from 2 to 25, got 26"),
        ("go,komi=much", "expected a number to a hundredth, got 'much'"),
        ("go,komi=0.125", "expected a number to a hundredth, got '0.125'"),
        ("go,komi=-1000.01", "expected komi from -1000 to 1000"),
        ("go,rules=aga", "expected 'territory' or 'japanese' or 'chinese' or 'tromp-taylor', got 'aga'"),
        ("go,ko=none", "expected 'simple' or 'positional' or 'situational', got 'none'"),
        ("go,handicap=1", "expected handicap 0 or from 2 to 9 on size 19, got 1"),
        ("go,size=10,handicap=5", "expected handicap 0 or from 2 to 4 on size 10, got 5"),
        ("go,size=6,handicap=2", "expected handicap 0 on size 6, got 2"),
        ("gobang:pente", "unknown variant of gobang 'pente'"),
        ("gobang,size=3", "expected a size from 4 to 22, got 3"),
        ("gobang,capture-win=21", "expected from 0 to 20 pairs to win, got 21"),
        ("gobang,opening=pro,size=6", "expected a size from 7 for the opening 'pro', got 6"),
        ("gomoku:", "unknown variant of gomoku ''"),
        ("gomoku,opening=swap2", "expected 'none' or 'pro', got 'swap2'"),
        ("gomoku:exactly-fiv", "did you mean 'exactly-five'"),
        ("gomoku,sise=7", "did you mean 'size'"),
        ("gomoku,size", "expected key=value, got 'size'"),
        ("gomoku,size=-7", "expected a number, got '-7'"),
        ("gomoku,size=4", "expected a size from 5 to 22, got 4"),
        ("gomoku,size=23", "expected a size from 5 to 22, got 23"),
        ("gomoku,exactly-five=yes", "expected 0 or 1, got 'yes'"),
        ("gomoku,size=7,size=7", "'size' is given twice"),
        ("gomoku:exactly-five,exactly-five=1", "'exactly-five' is given twice"),
    ],
)
def test_spec_is_refused(spec: str, message: str) -> None:
    """A spec that names no game says what is wrong with it."""
    with pytest.raises(ValueError, match=message):
        reference(spec)


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


EMPTY = Dvonn.start().format()
ONE_RED = EMPTY.replace("-", "D", 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected board, side and phase"),
        (EMPTY + " ", "expected board, side and phase"),
        (EMPTY.removesuffix("p") + "x", "expected phase 'p' or 'm', got 'x'"),
        (EMPTY.replace("w", "1"), "expected side 'w' or 'b', got '1'"),
        (EMPTY.replace("/", ","), "expected 5 rows, got 1"),
        (EMPTY.replace("-,", "", 1), "expected 9 spaces in row 1, got 8"),
        (EMPTY.replace("w", "b"), "expected side 'w' after 0 placements, got 'b'"),
        (ONE_RED, "expected side 'b' after 1 placements, got 'w'"),
        (EMPTY.replace("-", "W1", 1).replace("w", "b"), "expected 1 of D after 1 placements, got 0"),
        (ONE_RED.replace("-", "W2*", 1), "expected 2 of D after 2 placements, got 1"),
        (FULL_BOARD.removesuffix("m") + "p", "got a full board"),
        (FULL_BOARD.replace("D", "W1", 1), "expected 3 DVONN pieces, got 2"),
        (FULL_BOARD.replace("W1", "W2", 1), "expected at most 49 pieces, got 50"),
        (FULL_BOARD.replace("W1", "B1", 1), "expected at most 23 stacks of 'b', got 24"),
        (LATE_BOARD.replace("-/", "-,-/", 1), "expected 9 spaces in row 1, got 10"),
        (LATE_BOARD.replace("/-,-,W1", "/W1,-,W1"), "expected contact to a DVONN piece, got none at a3"),
        (FULL_BOARD.replace("W1", "D*", 1), "at a1, got 'D"),
        (FULL_BOARD.replace("W1", "w1", 1), "at a1, got 'w1'"),
        (FULL_BOARD.replace("W1", "W0", 1), "at a1, got 'W0'"),
        (FULL_BOARD.replace("W1", "W3*1", 1), "at a1, got 'W3"),
        (FULL_BOARD.replace("W1", "W1*", 1), "expected fewer than 1 DVONN pieces at a1"),
    ],
)
def test_dvonn_position_is_refused(text: str, message: str) -> None:
    """A text that shows no position of a game says what is wrong with it."""
    with pytest.raises(ValueError, match=message):
        Dvonn.parse(text)


NO_STONES = Go.start(size=5).format()
KO = "...../.XO../XO.O./.XO../..... b C3 0 1 0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected board, side, ko, two numbers of prisoners and passes, got 1 fields"),
        (NO_STONES + " ", "and passes, got 7 fields"),
        (NO_STONES.replace("/", "", 1), "expected 5 rows, got 4"),
        (NO_STONES.replace(".", "", 1), "expected 5 points in row 5, got 4"),
        (NO_STONES.replace(".", "x", 1), "expected 'X', 'O' or '.' at A5, got 'x'"),
        (NO_STONES.replace("b", "B"), "expected side 'b' or 'w', got 'B'"),
        (NO_STONES.replace("-", "I5"), "expected a point of ko or '-', got 'I5'"),
        (NO_STONES.replace("-", "c3"), "expected a point of ko or '-', got 'c3'"),
        (NO_STONES.replace("- 0", "- 01"), "expected a number of prisoners, got '01'"),
        (NO_STONES.removesuffix("0") + "3", "expected 0, 1 or 2 passes, got '3'"),
        ("OX.../XX.../...../...../..... b - 0 0 0", "expected a liberty of the chain at A5, got none"),
        (KO.replace("C3", "B3"), "expected an empty point of ko, got a stone at B3"),
        (KO.replace("C3", "A1"), "expected one stone to retake at A1, got 0"),
        (KO.replace("O.O.", "O..."), "expected a stone alone and in atari to retake at C3"),
        (KO.removesuffix("0") + "1", "expected no ban of ko after a pass, got C3"),
    ],
)
def test_go_position_is_refused(text: str, message: str) -> None:
    """A text that shows no position says what is wrong with it."""
    with pytest.raises(ValueError, match=message):
        Go.parse(text, size=5)


def test_go_position_of_another_size_is_refused() -> None:
    """The size is the game's, 19 unless it says another."""
    with pytest.raises(ValueError, match="expected 19 rows, got 5"):
        Go.parse(NO_STONES)


def test_go_remembers_its_boards_and_a_text_does_not() -> None:
    """Equal positions may differ in what superko forbids [O-4]."""
    played = play(Go.start(size=3, ko="positional"), "B2", "pass", "A1")
    read = Go.parse(played.format(), size=3, ko="positional")
    assert read == played
    assert [len(board) for board, _ in played.history] == [0, 1, 1, 2]
    assert [len(board) for board, _ in read.history] == [2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected board and side"),
        ("...../...../...../...../.....", "expected board and side"),
        ("...../...../...../...../..... x", "expected side 'b' or 'w', got 'x'"),
        ("...../...../..../...../..... b", "expected 5 points in row 3, got 4"),
        ("...../...../..x../...../..... b", "expected 'X', 'O' or '.' in row 3, got 'x'"),
        ("..../..../..../.... b", "expected a size from 5 to 22, got 4"),
        ("XXXXX/...../OOOOO/...../..... b", "expected a winning line of one colour"),
    ],
)
def test_gomoku_position_is_refused(text: str, message: str) -> None:
    """A text that shows no position says what is wrong with it."""
    with pytest.raises(ValueError, match=message):
        Gomoku.parse(text)


def test_gomoku_position_of_another_size_is_refused() -> None:
    """A size that is asked for must be the text's."""
    with pytest.raises(ValueError, match="expected 7 rows, got 5"):
        reference("gomoku,size=7", Gomoku.start(size=5).format())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected board, side and two numbers of pairs, got 1 fields"),
        ("..../..../..../.... b", "two numbers of pairs, got 2 fields"),
        ("..../..../..../.... x 0 0", "expected side 'b' or 'w', got 'x'"),
        ("..../..../..../.... b 0 -1", "expected a number of pairs, got '-1'"),
        ("..../..../..../.... b 00 0", "expected a number of pairs, got '00'"),
        ("..../..../.../.... b 0 0", "expected 4 points in row 2, got 3"),
        (".../.../... b 0 0", "expected a size from 4 to 22, got 3"),
        ("XXXXX/...../OOOOO/...../..... b 0 0", "expected a five of one colour"),
        ("..../..../..../.... b 5 6", "expected enough pairs of one side, got 5 and 6"),
    ],
)
def test_gobang_position_is_refused(text: str, message: str) -> None:
    """A text that shows no position says what is wrong with it."""
    with pytest.raises(ValueError, match=message):
        Gobang.parse(text, capture_win=5)
