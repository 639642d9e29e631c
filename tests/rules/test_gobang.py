"""The rules of Gobang, on the reference and on the engine: captures above all; fives are as in Gomoku."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from tests.reference.lines.five import COLUMNS
from tests.rules import stones
from tests.rules.faces import Face, each_face
from tests.rules.stones import assert_starts_empty, both_sides, swapped

face = each_face


def place(*rows: str, side: str = "b", black: int = 0, white: int = 0) -> str:
    """Set up a position: rows from the top, each on the whole width; pairs by who took them."""
    return stones.place(*rows, side=side, pairs=(black, white))


def spec_of(text: str, **options: object) -> str:
    """Return the game spec for a position text."""
    settings = [f"{key.replace('_', '-')}={value}" for key, value in options.items()]
    return ",".join(["gobang", f"size={text.count('/') + 1}", *settings])


def assert_play(face: Face, text: str, turn: str, expected: str) -> None:
    """Assert what becomes of a position by a turn, and of its image with the colours exchanged."""
    assert turn in face.turns(spec_of(text), text)
    assert face.play(spec_of(text), text, turn) == expected
    assert face.play(spec_of(text), swapped(text), turn) == swapped(expected)


# ---- Games and the start ----


@pytest.mark.parametrize(
    ("spec", "size"),
    [
        ("gobang", 19),
        ("gobang,size=4", 4),
        ("gobang,size=22,capture-win=20", 22),
        ("gobang,size=7,capture-win=0,opening=none", 7),
    ],
)
def test_the_start(face: Face, spec: str, size: int) -> None:
    """The board is empty, 19 points a side unless another size is asked for; Black begins anywhere [B-1]."""
    assert_starts_empty(face, spec, place(*["." * size] * size))


@pytest.mark.parametrize(
    "spec",
    [
        "gobang:pente",
        "gobang,size=3",
        "gobang,size=23",
        "gobang,capture-win=21",
        "gobang,capture-win=-1",
        "gobang,capture-win=",
        "gobang,opening=swap",
        "gobang,opening=pro,size=6",
        "gobang,renju=1",
        "gobang,exactly-five=1",
        "gobang,size=9,size=9",
    ],
)
def test_a_game_that_does_not_exist_is_refused(face: Face, spec: str) -> None:
    """4 to 22 points a side, up to 20 pairs to win; Gobang has no variants."""
    with pytest.raises(ValueError, match=r"\S"):
        face.start(spec)


# ---- The text of a position ----


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (place("XX..", "....", "....", "..O.", side="w"), {}),
        (place("XOOX", "X..X", "O..O", "....", side="w", black=7), {}),
        (place("XXX.", "XXX.", "XXX.", "....", black=12, white=20), {}),
        (place("XXXXX", ".....", ".....", ".....", "....."), {}),
        (place("XXXXX", ".....", ".....", ".....", "....O", side="w", white=5), {"capture_win": 5}),
        (place(".....", ".....", ".....", ".....", "OOOOO", black=3), {"capture_win": 2}),
        (place(*["....."] * 5, black=3, white=1), {"capture_win": 2}),
        (place(*["....."] * 5, black=3, white=2), {"capture_win": 0}),
    ],
)
def test_a_position_is_read_and_written(face: Face, text: str, options: dict[str, int]) -> None:
    """Stones and pairs in any number, enclosed pairs as well; somebody may have won [B-2]."""
    assert face.read(spec_of(text, **options), text) == text


EMPTY = "..../..../..../...."


@pytest.mark.parametrize(
    "text",
    [
        "",
        EMPTY,
        f"{EMPTY} b",
        f"{EMPTY} b 0",
        f"{EMPTY} b 0 0 0",
        f"{EMPTY} 0 0 b",
        f"{EMPTY} x 0 0",
        f"{EMPTY} b - 0",
        f"{EMPTY} b 0 -1",
        f"{EMPTY} b 0 1.5",
        f"{EMPTY} b 01 0",
        f"{EMPTY} b ² 0",
        "..../..../.... b 0 0",
        "..../..../..../..../.... b 0 0",
        "..../.../..../.... b 0 0",
        "..../..#./..../.... b 0 0",
    ],
)
def test_a_malformed_position_is_refused(face: Face, text: str) -> None:
    """Fields missing or too many, another size, marks, sides and numbers that do not exist."""
    with pytest.raises(ValueError, match=r"\S"):
        face.read("gobang,size=4", text)


@pytest.mark.parametrize(
    ("text", "capture_win"),
    [
        (place("XXXXX", ".....", "OOOOO", ".....", "....."), 0),
        (place("XXXXXX", "......", "OOOOO.", "......", "......", "......", side="w"), 5),
        (place(*["....."] * 5, black=2, white=2), 2),
        (place(*["....."] * 5, black=1, white=9), 1),
        (place("XXXXX", ".....", ".....", ".....", ".....", side="w", black=5, white=5), 5),
    ],
)
def test_both_sides_cannot_have_won(face: Face, text: str, capture_win: int) -> None:
    """The first five ended the game, and so did the first side that had pairs enough."""
    with pytest.raises(ValueError, match=r"\S"):
        face.read(spec_of(text, capture_win=capture_win), text)


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
    after = place(*star("X", "..X", directions), side="w", black=len(directions))
    assert_play(face, place(*star(".", "OOX", directions)), "D4", after)


@pytest.mark.parametrize(
    "row",
    [
        ".OX....",
        ".OOOX..",
        ".OOOOX.",
        ".OO....",
        ".OO.X..",
        ".O.OX..",
        "..OOX..",
        ".XOOX..",
        ".OXOX..",
        ".OOOO..",
        ".XXO...",
        ".XX....",
        "....OOX",
        "OX.XO..",
        "OOO.OOO",
        "OO.OO..",
        "XO.OX..",
        "X.OX...",
        "XO.X...",
        "XO.OO..",
        "OXO.OXO",
        "O.OX...",
    ],
)
def test_nothing_is_taken(face: Face, row: str) -> None:
    """One stone, three or more, with a gap, without an own stone behind; nor one's own stones [B-2]."""
    turn = row.index(".") if row.count(".") < 6 else 0
    after = row[:turn] + "X" + row[turn + 1 :]
    others = [".......", "X..O..X", "......."]
    for number in range(4):
        below, above = others[:number], others[number:]
        text = place(*above, row, *below, ".......", ".......", ".......")
        vertex = f"{COLUMNS[turn]}{number + 4}"
        assert_play(face, text, vertex, place(*above, after, *below, *["......."] * 3, side="w"))


def test_a_pair_is_taken_at_the_edge_and_in_the_corner(face: Face) -> None:
    """The edge protects nobody."""
    before = place("XOO.", "O..O", "O..O", ".OOX")
    assert_play(face, before, "D4", place("X..X", "O...", "O...", ".OOX", side="w", black=2))
    assert_play(face, before, "A1", place("XOO.", "...O", "...O", "X..X", side="w", black=2))


def test_lines_do_not_go_round_the_edge(face: Face) -> None:
    """The end of a row and the beginning of the next are no neighbours."""
    before = place("...O", "OX..", ".XOO", "X...")
    assert_play(face, before, "C4", place("..XO", "OX..", ".XOO", "X...", side="w"))
    assert_play(face, before, "A2", place("...O", "OX..", "XXOO", "X...", side="w"))


@pytest.mark.parametrize(
    ("row", "turn", "after"),
    [
        ("XO.X...", "C4", "XOOX..."),
        ("X.OX...", "B4", "XOOX..."),
        ("XO.OX..", "C4", "XOOOX.."),
        ("X.X....", "B4", "XOX...."),
    ],
)
def test_stones_put_between_two_of_the_other_side_are_safe(
    face: Face, row: str, turn: str, after: str
) -> None:
    """Only the stone that encloses takes, not the one that is put between [B-2]."""
    before = place(*["......."] * 3, row, *["......."] * 3, side="w")
    expected = place(*["......."] * 3, after, *["......."] * 3)
    assert_play(face, before, turn, expected)
    assert face.play(spec_of(before), expected, "A1") == place(
        *["......."] * 3, after, *["......."] * 2, "X......", side="w"
    )


def test_a_safe_pair_is_taken_in_another_direction_or_later(face: Face) -> None:
    """It is safe from the stones that stood there, not for ever [B-2]."""
    safe = place("....", "XOOX", ".O..", ".X..")
    assert_play(face, safe, "B4", place(".X..", "X.OX", "....", ".X..", side="w", black=1))
    again = place(".....", ".OOX.", ".....", ".....", ".....")
    assert_play(face, again, "A4", place(".....", "X..X.", ".....", ".....", ".....", side="w", black=1))


def test_the_points_of_a_pair_are_free_again(face: Face) -> None:
    """Either side may play there [M-1] [B-2]."""
    text = face.play("gobang,size=4", place(".OOX", "....", "....", "...."), "A4")
    assert {"B4", "C4"} <= {*face.turns("gobang,size=4", text)}
    text = face.play("gobang,size=4", text, "B4", "C4")
    assert text == place("XOXX", "....", "....", "....", side="w", black=1)


def test_both_sides_count_their_own_pairs(face: Face) -> None:
    """A game in which each takes, Black twice [B-2]."""
    first = ["A5", "B5", "E1", "C5", "D5"]
    then = ["A4", "B4", "E2", "C4", "D4"]
    last = ["B1", "D3", "D2"]
    text = face.play("gobang,size=5", face.start("gobang,size=5"), *first)
    assert text == place("X..X.", ".....", ".....", ".....", "....X", side="w", black=1)
    text = face.play("gobang,size=5", text, *then)
    assert text == place("X..X.", "O..O.", ".....", "....O", "....X", black=1, white=1)
    text = face.play("gobang,size=5", text, *last)
    assert text == place("X..X.", "O....", ".....", "...XO", ".X..X", side="w", black=2, white=1)


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
        text = place(*rows, side=side)
        assert face.outcome("gobang,size=7", text) == outcome
        assert face.outcome("gobang,size=7", swapped(text)) == ("second" if outcome else None)
        assert bool(face.turns("gobang,size=7", text)) == (outcome is None)


def test_a_five_stands_after_the_stones_are_taken(face: Face) -> None:
    """The stone that completes it may take as well [B-2]."""
    text = place("...X...", "...O...", "...O...", "XXX.XOO", ".......", ".......", "......O")
    text = face.play("gobang,size=7", text, "D4")
    assert text == place(
        "...X...",
        ".......",
        ".......",
        "XXXXXOO",
        ".......",
        ".......",
        "......O",
        side="w",
        black=1,
    )
    assert face.outcome("gobang,size=7", text) == "first"


def test_a_capture_breaks_four_stones_in_a_row(face: Face) -> None:
    """What would have been a five is none without the stones that were taken [B-2]."""
    rest = ["......."] * 3
    text = place("..X....", "..O....", "OOOO...", ".......", *rest)
    assert face.outcome("gobang,size=7", face.play("gobang,size=7", text, "A1", "E5")) == "second"
    text = face.play("gobang,size=7", text, "C4")
    assert text == place("..X....", ".......", "OO.O...", "..X....", *rest, side="w", black=1)
    text = face.play("gobang,size=7", text, "E5")
    assert face.outcome("gobang,size=7", text) is None
    assert face.outcome("gobang,size=7", face.play("gobang,size=7", text, "A1", "C5")) == "second"


@pytest.mark.parametrize("capture_win", [1, 2, 3, 5, 20])
@both_sides
def test_pairs_win(face: Face, side: str, capture_win: int) -> None:
    """As soon as so many have been taken over the whole game, by one turn or by many."""
    one, two = ["XOO.", "....", "....", "...."], ["XOO.", "...O", "...O", "...X"]
    for rows, taken, wins in (
        (one, capture_win - 1, True),
        (two, capture_win - 1, True),
        (two, max(0, capture_win - 2), True),
        (one, max(0, capture_win - 2), capture_win == 1),
    ):
        text = place(*rows, black=taken)
        spec = spec_of(text, capture_win=capture_win)
        text = text if side == "b" else swapped(text)
        assert face.outcome(spec, text) is None
        text = face.play(spec, text, "D4")
        assert face.outcome(spec, text) == (("first" if side == "b" else "second") if wins else None)
        assert bool(face.turns(spec, text)) == (not wins)


def test_pairs_win_nothing_unless_they_are_to(face: Face) -> None:
    """The rulebook names no number of pairs."""
    text = place("XOO.", "....", "....", "....", black=40, white=60)
    text = face.play("gobang,size=4", text, "D4")
    assert text.endswith("w 41 60")
    assert face.outcome("gobang,size=4", text) is None


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (place("XXXXX", ".....", ".....", ".....", ".....", black=5), "first"),
        (place("XXXXX", ".....", ".....", ".....", ".....", white=5), "first"),
        (place("OOOOO", ".....", ".....", ".....", ".....", side="w", black=9), "second"),
        (place("OOOOO", ".....", ".....", ".....", ".....", white=2), "second"),
        (place("XXXX.", ".....", ".....", ".....", ".....", white=5), "second"),
        (place(*["....."] * 5, side="w", black=5, white=4), "first"),
    ],
)
def test_a_five_goes_before_pairs(face: Face, text: str, outcome: str) -> None:
    """Where a position shows both."""
    assert face.outcome("gobang,size=5,capture-win=5", text) == outcome
    assert face.turns("gobang,size=5,capture-win=5", text) == []


def test_a_full_board_is_a_draw(face: Face) -> None:
    """When the last stone neither makes five nor takes anything [M-2] [B-1]."""
    text = place("XOXOX", "OOOXO", "OXOXO", "XOXOX", "XOXO.")
    text = face.play("gobang,size=5", text, "E1")
    assert (face.outcome("gobang,size=5", text), face.turns("gobang,size=5", text)) == ("draw", [])


def test_the_last_stone_makes_room(face: Face) -> None:
    """A board that was full but for one point is not, after a capture [B-2]."""
    text = face.play("gobang,size=4", place("XOOX", "OXOO", "OXXO", "XOO."), "D1")
    assert text == place("XOOX", "OXO.", "OXX.", "X..X", side="w", black=2)
    assert (face.outcome("gobang,size=4", text), len(face.turns("gobang,size=4", text))) == (None, 4)


# ---- What holds everywhere ----


@pytest.mark.parametrize("spec", ["gobang,size=4", "gobang,size=5,capture-win=2", "gobang,size=6"])
@pytest.mark.parametrize("seed", range(3))
def test_random_games_keep_what_the_rules_keep(face: Face, spec: str, seed: int) -> None:
    """A stone comes with every turn; it stands on the board, or a pair that has been counted had it."""
    generator = random.Random(seed)
    text, placed = face.start(spec), {"b": 0, "w": 0}
    for _ in range(60):
        turns = face.turns(spec, text)
        assert bool(turns) == (face.outcome(spec, text) is None)
        if not turns:
            break
        rows, side, by_black, by_white = text.split(" ")
        assert placed["b"] == rows.count("X") + 2 * int(by_white)
        assert placed["w"] == rows.count("O") + 2 * int(by_black)
        assert len({*turns}) == len(turns) == rows.count(".")
        placed[side] += 1
        text = face.play(spec, text, generator.choice(turns))
        assert face.read(spec, text) == text
