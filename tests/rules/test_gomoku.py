"""Rules of Gomoku and Renju that are no examples; Renju's boards are in ``renju.txt``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.reference.lines.five import empty_points, parse_rows
from tests.reference.lines.renju import reason_against
from tests.reference.words import COLUMNS
from tests.rules.faces import Face, each_face
from tests.rules.stones import place, points, swapped

face = each_face
SPECS = ["gomoku", "gomoku:exactly-five", "gomoku:renju", "gomoku:renju,exactly-five=1"]


@pytest.mark.parametrize(
    "line",
    [
        ["A3", "B3", "C3", "D3", "E3"],
        ["C3", "C4", "C5", "C6", "C7"],
        ["C1", "D2", "E3", "F4", "G5"],
        ["A7", "B6", "C5", "D4", "E3"],
    ],
)
@pytest.mark.parametrize("last", range(5))
@pytest.mark.parametrize(
    "spec", ["gomoku", "gomoku:exactly-five", "gomoku:renju", "gomoku:renju,exactly-five=1"]
)
def test_five_in_a_line_wins(face: Face, spec: str, last: int, line: list[str]) -> None:
    """In any direction, whichever stone came last, for Black and for White; the game is over [M-2]."""
    spec, elsewhere = f"{spec},size=7", ["A1", "G1", "A2", "G7", "F7"]
    own = [*line[:last], *line[last + 1 :], line[last]]
    turns = [turn for pair in zip(own, elsewhere, strict=True) for turn in pair][:-1]
    before = face.play(spec, face.start(spec), *turns[:-1])
    assert face.outcome(spec, before) is None
    text = face.play(spec, before, turns[-1])
    assert (face.outcome(spec, text), face.turns(spec, text)) == ("first", [])
    text = swapped(before)
    assert face.outcome(spec, text) is None
    text = face.play(spec, text, turns[-1])
    assert (face.outcome(spec, text), face.turns(spec, text)) == ("second", [])
    with pytest.raises(ValueError, match=r"\S"):
        face.play(spec, text, "G4")


# ---- Renju ----


class Board(NamedTuple):
    """One board of ``renju.txt``."""

    title: str
    rows: list[str]

    @property
    def size(self) -> int:
        return len(self.rows)

    @property
    def stones(self) -> list[str]:
        """The rows without the marks on empty points."""
        return ["".join(mark if mark in "XO" else "." for mark in row) for row in self.rows]

    def marked(self, marks: str) -> set[str]:
        """Return the vertices of the points with one of the marks."""
        return points(self.size, marks, self.rows)

    def turned(self, times: int) -> Board:
        """Return the board turned by quarters, and mirrored from the fourth on."""
        rows = self.rows if times < 4 else self.rows[::-1]
        for _ in range(times % 4):
            rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        return Board(self.title, rows)


def boards() -> Iterator[Board]:
    for block in (Path(__file__).parent / "renju.txt").read_text("utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if lines:
            yield Board(lines[0], lines[1:])


BOARDS = list(boards())

every_board = pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.title)


@every_board
def test_black_may_not_play_on_a_forbidden_point(face: Face, board: Board) -> None:
    """Overlines, double-fours, double-threes, and nothing else; nor do they depend on the direction [R-7]."""
    spec = f"gomoku:renju,size={board.size}"
    for times in (0, 1 + BOARDS.index(board) % 7):
        turned = board.turned(times)
        text = place(*turned.stones)
        assert {*face.turns(spec, text)} == points(board.size, ".+5", turned.rows)
    for forbidden in turned.marked("246"):
        with pytest.raises(ValueError, match=r"\S"):
            face.play(spec, text, forbidden)
    for five in turned.marked("5"):
        assert face.outcome(spec, face.play(spec, text, five)) == "first"


@every_board
def test_white_may_play_everywhere(face: Face, board: Board) -> None:
    """Where Black may not, and what Black may not [R-7]."""
    spec = f"gomoku:renju,size={board.size}"
    for text in (place(*board.stones, side="w"), swapped(place(*board.stones))):
        assert {*face.turns(spec, text)} == board.marked(".+2465")
    for winning in board.marked("25"):
        assert face.outcome(spec, face.play(spec, text, winning)) == "second"


@every_board
@pytest.mark.parametrize("spec", ["gomoku", "gomoku:exactly-five"])
def test_nothing_is_forbidden_without_renju(face: Face, spec: str, board: Board) -> None:
    """A black stone goes on any empty point [M-1]."""
    assert {*face.turns(f"{spec},size={board.size}", place(*board.stones))} == board.marked(".+2465")


@every_board
def test_why_a_point_is_forbidden(board: Board) -> None:
    """The mark is the number of the rule; a five goes before all [R-1]."""
    stones, size = parse_rows("/".join(board.stones), board.size)
    reasons = {point.name: reason_against(stones, point, size) for point in empty_points(stones, size)}
    for mark, reason in (("2", "R-2"), ("4", "R-4"), ("6", "R-6"), (".+5", None)):
        assert {name for name in reasons if reasons[name] == reason} == board.marked(mark), reason


def test_the_boards_show_every_reason() -> None:
    """At least forty boards, each with a title of its own, and marks of each kind."""
    assert len({board.title for board in BOARDS}) == len(BOARDS) >= 40
    assert {mark for board in BOARDS for row in board.rows for mark in row} == {*"XO.+2465"}


# ---- The opening "pro" ----


@pytest.mark.parametrize(("size", "middle"), [(7, "D4"), (8, "E5"), (15, "H8"), (19, "K10"), (22, "M12")])
@pytest.mark.parametrize("game", ["gomoku", "gomoku:renju", "gobang"])
def test_opening_pro(face: Face, game: str, size: int, middle: str) -> None:
    """The first stone stands in the middle, the third outside of five by five points around it."""
    spec = f"{game},size={size},opening=pro"
    text = face.start(spec)
    assert face.turns(spec, text) == [middle]
    with pytest.raises(ValueError, match=r"\S"):
        face.play(spec, text, "A1")
    column, row = COLUMNS.index(middle[0]), int(middle[1:])
    inside = {f"{COLUMNS[column + x]}{row + y}" for x in range(-2, 3) for y in range(-2, 3)}
    everywhere = points(size)
    text = face.play(spec, text, middle)
    assert {*face.turns(spec, text)} == everywhere - {middle}
    for second in (f"{COLUMNS[column + 2]}{row - 2}", "A1"):
        after = face.play(spec, text, second)
        assert {*face.turns(spec, after)} == everywhere - inside - {second}
        with pytest.raises(ValueError, match=r"\S"):
            face.play(spec, after, f"{COLUMNS[column]}{row + 2}")
        third = f"{COLUMNS[column + 3]}{row}"
        after = face.play(spec, after, third)
        assert {*face.turns(spec, after)} == everywhere - {middle, second, third}
        after = face.play(spec, after, "A2")
        assert {*face.turns(spec, after)} == everywhere - {middle, second, third, "A2"}
