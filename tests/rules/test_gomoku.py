"""The rules of Gomoku and Renju, on the reference and on the engine; Renju's boards are in ``renju.txt``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.reference.lines.five import COLUMNS, empty_points, parse_rows
from tests.reference.lines.renju import reason_against
from tests.rules.faces import Face, each_face
from tests.rules.stones import assert_starts_empty, both_sides, place, points, swapped

face = each_face
SPECS = ["gomoku", "gomoku:exactly-five", "gomoku:renju", "gomoku:renju,exactly-five=1"]

every_spec = pytest.mark.parametrize("spec", SPECS)


# ---- Games and the start ----


@pytest.mark.parametrize(
    ("spec", "size"),
    [
        ("gomoku", 15),
        ("gomoku:freestyle", 15),
        ("gomoku:exactly-five,size=5", 5),
        ("gomoku:renju,size=6", 6),
        ("gomoku,renju=1,exactly-five=1,size=22", 22),
        ("gomoku,renju=0,exactly-five=0,opening=none,size=7", 7),
    ],
)
def test_the_start(face: Face, spec: str, size: int) -> None:
    """The board is empty, 15 points a side unless another size is asked for; Black begins anywhere [M-1]."""
    assert_starts_empty(face, spec, place(*["." * size] * size))


@pytest.mark.parametrize(
    "spec",
    [
        "gomoku:pente",
        "gomoku:swap2",
        "gomoku,size=4",
        "gomoku,size=23",
        "gomoku,size=",
        "gomoku,renju=2",
        "gomoku,exactly-five=2",
        "gomoku,opening=swap2",
        "gomoku,opening=pro,size=6",
        "gomoku,opening=pro,size=5",
        "gomoku,capture-win=5",
        "gomoku,renju=1,renju=1",
        "gomoku:renju,color=b",
    ],
)
def test_a_game_that_does_not_exist_is_refused(face: Face, spec: str) -> None:
    """5 to 22 points a side, three variants, two openings."""
    with pytest.raises(ValueError, match=r"\S"):
        face.start(spec)


@every_spec
def test_vertices_leave_out_i_and_count_from_the_bottom(face: Face, spec: str) -> None:
    """A stone goes on any empty point, Black and White in turn [M-1]."""
    spec = f"{spec},size=9"
    assert {*face.turns(spec, face.start(spec))} == {f"{c}{r}" for c in "ABCDEFGHJ" for r in range(1, 10)}
    text = face.play(spec, face.start(spec), "A1", "J9", "H2")
    assert text == place("........O", *["........."] * 6, ".......X.", "X........", side="w")
    assert {*face.turns(spec, text)} == points(9) - {"A1", "J9", "H2"}
    for turn in ("H2", "J9", "K1", "A10", "I1", "pass"):
        with pytest.raises(ValueError, match=r"\S"):
            face.play(spec, text, turn)


# ---- The text of a position ----


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("gomoku,size=5", place(*["....."] * 5, side="w")),
        ("gomoku,size=5", place("XXXX.", "XXXX.", "XXXX.", ".....", ".....", side="w")),
        ("gomoku,size=5", place("OOOO.", "OOOO.", ".....", ".....", ".....")),
        ("gomoku,size=5", place("XXXXX", "XXXXX", ".....", ".....", ".....", side="w")),
        ("gomoku,size=5", place("XXXXX", "XXXXX", "OOOO.", ".....", "....O")),
        ("gomoku:exactly-five,size=6", place("XXXXXX", "......", "OOOOO.", "......", "......", "......")),
        ("gomoku:renju,size=6", place("XXXXXX", "......", "OOOOOO", "......", "......", "......")),
        ("gomoku:renju,size=7", place(*["......."] * 3, "XXXXXXX", *["......."] * 3, side="w")),
    ],
)
def test_a_position_is_read_and_written(face: Face, spec: str, text: str) -> None:
    """Stones in any number and on any point, also where they were forbidden [R-7]."""
    assert face.read(spec, text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "...../...../...../...../.....",
        "...../...../...../...../..... b 0 0",
        "...../...../...../...../..... x",
        "...../...../...../...../..... X",
        "...../...../...../..... b",
        "...../...../...../...../...../..... b",
        "...../...../..../...../..... b",
        "...../...../....../...../..... b",
        "...../...../..#../...../..... b",
        "...../...../..x../...../..... b",
    ],
)
def test_a_malformed_position_is_refused(face: Face, text: str) -> None:
    """Fields missing or too many, another size, marks and sides that do not exist."""
    with pytest.raises(ValueError, match=r"\S"):
        face.read("gomoku,size=5", text)


@pytest.mark.parametrize(
    ("spec", "rows"),
    [
        ("gomoku,size=6", ["XXXXX.", "OOOOO."]),
        ("gomoku,size=6", ["XXXXXX", "OOOOO."]),
        ("gomoku,size=6", ["XXXXXX", "OOOOOO"]),
        ("gomoku:exactly-five,size=6", ["XXXXX.", "OOOOO."]),
        ("gomoku:renju,size=6", ["XXXXX.", "OOOOO."]),
        ("gomoku:renju,size=6", ["XXXXX.", "OOOOOO"]),
    ],
)
@both_sides
def test_a_five_of_either_side_is_refused(face: Face, side: str, spec: str, rows: list[str]) -> None:
    """The first of them ended the game [M-2]."""
    with pytest.raises(ValueError, match=r"\S"):
        face.read(spec, place(*rows, *["......"] * 4, side=side))


# ---- The end ----


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
@every_spec
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


@pytest.mark.parametrize(
    ("row", "freestyle", "exactly_five", "renju", "renju_exactly_five"),
    [
        ("XXXX....", None, None, None, None),
        ("XXXXX...", "first", "first", "first", "first"),
        ("OXXXXXO.", "first", "first", "first", "first"),
        ("XXXXXX..", "first", None, None, None),
        ("XXXXXXXX", "first", None, None, None),
        ("XXXX.XXX", None, None, None, None),
        ("XXOXXXX.", None, None, None, None),
        ("OOOO....", None, None, None, None),
        ("..OOOOO.", "second", "second", "second", "second"),
        ("XOOOOOX.", "second", "second", "second", "second"),
        ("OOOOOO..", "second", None, "second", None),
        ("OOOOOOOO", "second", None, "second", None),
    ],
)
@both_sides
def test_who_wins_with_more_than_five(
    face: Face,
    side: str,
    row: str,
    freestyle: str | None,
    exactly_five: str | None,
    renju: str | None,
    renju_exactly_five: str | None,
) -> None:
    """Both sides, neither, or White alone [M-2] [R-1] [R-2]; whoever is to move."""
    text = place(*["........"] * 3, row, *["........"] * 4, side=side)
    expected = (freestyle, exactly_five, renju, renju_exactly_five)
    for spec, outcome in zip(SPECS, expected, strict=True):
        spec = f"{spec},size=8"
        assert face.outcome(spec, text) == outcome, spec
        assert bool(face.turns(spec, text)) == (outcome is None)


@pytest.mark.parametrize(
    ("spec", "side", "outcome"),
    [
        ("gomoku", "b", "first"),
        ("gomoku", "w", "second"),
        ("gomoku:exactly-five", "b", None),
        ("gomoku:exactly-five", "w", None),
        ("gomoku:renju", "w", "second"),
        ("gomoku:renju,exactly-five=1", "w", None),
    ],
)
def test_a_stone_that_makes_six(face: Face, spec: str, side: str, outcome: str | None) -> None:
    """It wins, or is a stone like any other; forbidden for Black in Renju alone [M-2] [R-2]."""
    text = place(*["......."] * 6, "XXX.XX.")
    text = face.play(f"{spec},size=7", text if side == "b" else swapped(text), "D1")
    assert face.outcome(f"{spec},size=7", text) == outcome


@every_spec
@both_sides
def test_a_stone_that_makes_six_and_five_wins(face: Face, side: str, spec: str) -> None:
    """The five counts [M-2] [R-1]."""
    text = place(".......", ".......", "...X...", "...X...", "...X...", "...X...", "XXX.XX.")
    text = face.play(f"{spec},size=7", text if side == "b" else swapped(text), "D1")
    assert face.outcome(f"{spec},size=7", text) == ("first" if side == "b" else "second")


@every_spec
def test_a_line_does_not_go_round_the_edge(face: Face, spec: str) -> None:
    """Stones at the end of a row and at the beginning of the next are no line [M-2]."""
    assert face.outcome(f"{spec},size=5", place(".....", "..XXX", "XX...", ".....", ".....")) is None
    assert (
        face.outcome(f"{spec},size=6", place("...X..", "....X.", ".....X", "X.....", ".X....", "......"))
        is None
    )


@every_spec
def test_a_full_board_is_a_draw(face: Face, spec: str) -> None:
    """When the last stone makes no five [M-2]."""
    spec = f"{spec},size=5"
    text = place("XOXOX", "OXOXO", "OXOXO", "XOXOX", "XOXO.")
    assert face.outcome(spec, text) is None
    assert face.turns(spec, text) == ["E1"]
    text = face.play(spec, text, "E1")
    assert (face.outcome(spec, text), face.turns(spec, text)) == ("draw", [])


@every_spec
def test_the_last_stone_can_win(face: Face, spec: str) -> None:
    """A five on a full board is a win, no draw [M-2]."""
    text = place("XOXOX", "OXOXX", "OXOXX", "XOXOX", "OOXO.")
    assert face.outcome(f"{spec},size=5", face.play(f"{spec},size=5", text, "E1")) == "first"


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


def test_a_forbidden_point_becomes_allowed_and_another_forbidden(face: Face) -> None:
    """White takes a three's room, then Black adds to it elsewhere [R-5] [R-6]."""
    spec = "gomoku:renju,size=9"
    text = place(
        ".........",
        ".........",
        ".........",
        "....XX...",
        "...X.....",
        "...X.....",
        ".........",
        ".........",
        ".........",
    )
    assert "D6" not in face.turns(spec, text)
    assert "D6" in face.turns(spec, face.play(spec, text, "A1", "G6"))
    assert "D6" in face.turns(spec, face.play(spec, text, "D3", "A1"))
    assert "D6" not in face.turns(spec, face.play(spec, text, "A1", "A2"))


FULL_BUT_FOR_ONE = ["XOXOXO", "OXOXOX", "OXOXOX", "XOXOXO", "XOXOXO", "XXX.XX"]


def test_only_forbidden_points_left_are_a_draw(face: Face) -> None:
    """When it is Black's turn; White may still play there [R-7]."""
    spec, text = "gomoku:renju,size=6", place(*FULL_BUT_FOR_ONE)
    assert (face.outcome(spec, text), face.turns(spec, text)) == ("draw", [])
    with pytest.raises(ValueError, match=r"\S"):
        face.play(spec, text, "D1")
    text = place(*FULL_BUT_FOR_ONE, side="w")
    assert (face.outcome(spec, text), face.turns(spec, text)) == (None, ["D1"])
    assert face.outcome(spec, face.play(spec, text, "D1")) == "draw"
    for other in ("gomoku", "gomoku:exactly-five"):
        assert face.turns(f"{other},size=6", place(*FULL_BUT_FOR_ONE)) == ["D1"]


def test_white_leaves_only_a_forbidden_point(face: Face) -> None:
    """The game is over with White's stone, before the board is full [R-7]."""
    spec, text = "gomoku:renju,size=6", place("XO.OXO", *FULL_BUT_FOR_ONE[1:], side="w")
    assert {*face.turns(spec, text)} == {"C6", "D1"}
    text = face.play(spec, text, "C6")
    assert (face.outcome(spec, text), face.turns(spec, text)) == ("draw", [])


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


@pytest.mark.parametrize(
    ("rows", "side", "number"),
    [
        (["......."] * 7, "w", 1),
        (["X......", *["......."] * 6], "b", 48),
        (["X......", *["......."] * 6], "w", 48),
        (["X.....X", *["......."] * 6], "w", 47),
        (["X.....X", *["......."] * 6], "b", 22),
        (["X.....X", ".......", "...X...", *["......."] * 4], "b", 46),
    ],
)
def test_opening_pro_of_a_position_that_is_set_up(
    face: Face, rows: list[str], side: str, number: int
) -> None:
    """Nothing but the number of stones and who is to move decides where they may be put."""
    assert len(face.turns("gomoku,size=7,opening=pro", place(*rows, side=side))) == number
