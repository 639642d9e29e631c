"""Kernel and reference: random games and made positions.

``python -m tests.contract.test_differential N [SPEC...]`` plays N games of each spec.
"""

import collections
import itertools
import random
import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen.engine.errors import TengenError
from tengen.engine.play.position import Position
from tests.reference import reference
from tests.reference.go.rules import AREA_RULES, KO_RULES, TERRITORY_RULES, has_liberty, neighbours
from tests.reference.zertz import COLUMNS, MARBLES
from tests.walks import ALL_SPECS, WIDE, breadth, sampled, scaled, seeds

pytestmark = pytest.mark.interpreted

# Games whose rules ask for more than a position's text tells: no round trips through texts hold for them.
WITH_HISTORY = [
    "go,size=2,ko=positional",
    "go,size=2,ko=situational",
    "go,size=3,ko=positional",
    "go,size=4,ko=situational,rules=chinese",
]
OUTCOMES = {0: None, 1: "first", 2: "second", 3: "draw"}


def set_or_check(position: Position, model) -> list[str]:
    """Assert that kernel and reference say the same of a position; return the legal turns."""
    turns = model.turns()
    assert not sampled(position) or sorted(position.turns()) == sorted(turns), position.text()
    assert position.text() == model.format()
    assert position.side_to_move == model.turn
    decided = position.spec.game.rules.outcome(position.state)  # nobody asked which stones are dead
    assert OUTCOMES[int(decided)] == model.outcome(), position.text()
    return turns


def play_both(spec: str, seed: int) -> int:
    """Play one random game on both; return its length in turns."""
    generator = random.Random(seed)
    position, model = Position.start(spec), reference(spec)
    while turns := set_or_check(position, model):
        turn = generator.choice(turns)
        position.push(turn)
        model = model.play(turn)
    return len(position.turns_played)


@pytest.mark.parametrize("spec", ALL_SPECS + WITH_HISTORY)
def test_random_games_agree(spec):
    slow = spec.startswith("gipf") or Position.start(spec).state.nbytes > 1 << 14
    for seed in seeds(spec, 3 if slow else 9):
        play_both(spec, seed)


dvonn_cell = st.one_of(
    st.just("-"),
    st.tuples(st.sampled_from("WB"), st.integers(1, 6)).map(lambda c: f"{c[0]}{c[1]}"),
)


@st.composite
def dvonn_positions(draw):
    """Boards of random stacks with the three DVONN pieces put among them."""
    cells = draw(st.lists(dvonn_cell, min_size=49, max_size=49))
    for place in draw(st.lists(st.integers(0, 48), min_size=1, max_size=3, unique=True)):
        cells[place] = draw(st.sampled_from(["D", "W2*", "B3*", "W4*2", "B5*3"]))
    rows, first = [], 0
    for width in (9, 10, 11, 10, 9):
        rows.append(",".join(cells[first : first + width]))
        first += width
    return f"{'/'.join(rows)} {draw(st.sampled_from('wb'))} m"


@st.composite
def go_positions(draw):
    """A game spec, and a small board with chains that mostly have liberties; komi about as its count."""
    size = draw(st.integers(2, 7))
    points = list(neighbours(size))
    symbols = draw(st.sampled_from(["..XO", ".XO", "..XXO", "..XOO", "....XO"]))
    marks = draw(st.lists(st.sampled_from(symbols), min_size=len(points), max_size=len(points)))
    cells, side, ko = dict(zip(points, marks, strict=True)), draw(st.sampled_from("bw")), "-"
    kept = set()
    if draw(st.integers(0, 3)) == 3:
        ko, kept = _go_ko(draw, cells, side, size)
    if draw(st.integers(0, 9)) < 9:
        _take_the_breathless(cells, kept, size)
    rows = ("".join(cells[point] for point in points[row : row + size]) for row in range(0, size**2, size))
    prisoners = [str(draw(st.integers(0, 9))) for _ in range(2)]
    passes = draw(st.sampled_from("0012")) if ko == "-" or draw(st.integers(0, 9)) == 9 else "0"
    text = " ".join(["/".join(rows), side, ko, *prisoners, passes])
    rules, superko = draw(st.sampled_from(TERRITORY_RULES + AREA_RULES)), draw(st.sampled_from(KO_RULES))
    spec = f"go,size={size},rules={rules},ko={superko}"
    try:
        komi = reference(spec, text).score() + draw(st.sampled_from([0, 0, -0.5, 0.5]))
    except ValueError:
        komi = 0
    return f"{spec},komi={float(komi):g}", text


def _go_ko(draw, cells, side, size):
    """Put a ko on the board where the side to move may not retake, seldom none; return point and stones."""
    around = neighbours(size)
    ko = draw(st.sampled_from(list(around)))
    if draw(st.integers(0, 9)) == 9:
        return ko, set()
    own, enemy = "XO" if side == "b" else "OX"
    taker = draw(st.sampled_from(around[ko]))
    cells.update(dict.fromkeys(around[ko], enemy))
    cells.update(dict.fromkeys(around[taker], own))
    cells[ko] = "."
    return ko, {*around[ko], *around[taker]}


def _take_the_breathless(cells, kept, size):
    """Empty points until every chain has a liberty, those to be kept last."""
    for point in sorted(cells, key=kept.__contains__):
        stones = {each: mark for each, mark in cells.items() if mark != "."}
        if point in stones and not has_liberty(stones, point, size):
            cells[point] = "."


# Specs of Gomoku and Gobang, and the marks of their points: many of one colour, so that rows come about.
FIVE_SPECS = {
    "gomoku": ["", ":exactly-five"],
    "renju": [":renju", ":renju", ":renju", ":renju,exactly-five=1"],
    "gobang": ["", ",capture-win=2"],
}
FIVE_MARKS = {
    "gomoku": [".XO", "..XXO", ".XXXX", "...O"],
    "renju": ["..X", "...X", "...XXO", ".XXXXO", "....X", "..XO"],
    "gobang": ["..XO", ".XO", ".XOOO", "..XXO", "...XO"],
}


@st.composite
def five_positions(draw, kind):
    """A game spec, and a board of random stones; in Gobang, pairs in any number."""
    size = draw(st.integers(7, 9) if kind == "renju" else st.integers(5, 7))
    marks = draw(st.sampled_from(FIVE_MARKS[kind]))
    rows = draw(st.lists(st.text(marks, min_size=size, max_size=size), min_size=size, max_size=size))
    game = kind if kind == "gobang" else "gomoku"
    pairs = [str(draw(st.integers(0, 3))) for _ in range(2)] if kind == "gobang" else []
    text = " ".join(["/".join(rows), draw(st.sampled_from("bw" if kind != "renju" else "bbw")), *pairs])
    return f"{game}{draw(st.sampled_from(FIVE_SPECS[kind]))},size={size}", text


# By spec: pieces of its boards, and how many basic pieces a side has.
GIPF_BOARDS = {
    "gipf:basic": (["w", "b"], 15),
    "gipf": (["w", "b", "W", "B"], 18),
    "gipf:tournament": (["w", "W", "B", "W", "B"], 18),
    "gipf:tournament,zertz=3,tamsk=3": (["w", "b", "W", "B", "w+", "b+", "w*", "b*", "w^", "b^"], 18),
    "gipf:basic,zertz=6": (["w", "b", "w+", "b+", "w^"], 15),
    "gipf:basic,dvonn=6": (["w", "b", "wd", "bd", "w1", "b1", "w2", "b2", "wd1", "bd1", "wd3"], 15),
    "gipf:basic,dvonn=3,punct=3": (["w", "b", "wu", "bu", "wd", "bu1", "wu1", "b1", "w1", "wu2"], 15),
    "gipf,zertz=3,dvonn=3,yinsh=3": (["w", "b", "W", "B", "wd", "bd", "w1", "b1", "wy", "b+", "w^"], 18),
    "gipf:tournament,dvonn=3,extra=3": (["w", "W", "B", "wd", "bd", "w1", "b1", "wd1", "W", "B"], 21),
}
GIPF_MARKS = {"zertz": "+", "tamsk": "*", "dvonn": "d", "yinsh": "y", "punct": "u"}


@st.composite
def gipf_positions(draw):
    """A game spec, and a board of random pieces with rows among them that mostly could have come about."""
    spec = draw(st.sampled_from(sorted(GIPF_BOARDS)))
    pieces, most = GIPF_BOARDS[spec]
    agreed = {
        GIPF_MARKS[kind]: int(n) for kind, n in re.findall(r"(zertz|tamsk|dvonn|yinsh|punct)=(.)", spec)
    }
    cells = draw(st.lists(st.sampled_from([*"." * 3 * len(pieces), *pieces]), min_size=37, max_size=37))
    for _ in range(
        draw(st.integers(0, 1 if agreed else 2))
    ):  # rows along columns come about by luck alone otherwise
        first = draw(st.sampled_from([0, 4, 5, 9, 10, 11, 15, 16, 17, 18, 22, 23, 24, 28, 29, 33]))
        cells[first : first + 4] = [draw(st.sampled_from(pieces))] * 4
    room = collections.Counter({"w": most, "b": most})
    for side in "wb":
        room.update({(side, mark): number for mark, number in agreed.items()})
        room[side, "^"] = sum(number for mark, number in agreed.items() if mark in "+*y")
        room[side, "G"] = most if "tournament" in spec else 3
    for place, piece in enumerate(cells):
        parts = _gipf_parts(piece)
        if any(room[part] < number for part, number in parts.items()):
            cells[place] = "."
        else:
            room.subtract(parts)
    columns, first = [], 0
    for length in (4, 5, 6, 7, 6, 5, 4):
        columns.append("".join(cells[first : first + length]))
        first += length
    reserves = [str(draw(st.integers(0, min(4, room[side])))) for side in "wb"]
    rights = draw(st.sampled_from(["--", "--", "-g", "g-", "gg"])) if "tournament" in spec else "--"
    words = ["/".join(columns), *reserves, draw(st.sampled_from("wb")), rights]
    words += ["0"] * (4 if agreed else 0) + ["0"] * 2 * len(agreed.keys() - {"+"})
    return spec, " ".join(words)


def _gipf_parts(piece):
    """Count what a piece of a position text is made of: basic pieces by side, potentials by side and kind."""
    parts = collections.Counter()
    if piece == ".":
        return parts
    side, other = ("w", "b") if piece[0] in "wW" else ("b", "w")
    mark = piece[1:].rstrip("0123456789")
    height = int(piece[1 + len(mark) :] or 0)
    parts[side, "u" if mark == "u" else "d"] += (height + 1) // 2
    parts[other, "u" if mark == "u" else "d"] += height // 2
    owner = other if height % 2 else side
    parts[owner] += 0 if mark == "^" else 2 if piece.isupper() else 1
    parts[owner, mark] += mark not in ("", "^")
    parts[owner, "^"] += mark in ("+", "*", "y", "^")  # one limit for all that can be used ones
    parts[owner, "G"] += piece.isupper()
    return parts


ZERTZ_SPECS = [
    (rules, rings, isolation) for rules in MARBLES for rings in COLUMNS for isolation in ("choice", "auto")
]
ZERTZ_LIMITS = {"basic": ((2, 3, 4), 1), "tournament": ((3, 4, 5), 2)}  # of a colour, of one of them: no goal


@st.composite
def zertz_positions(draw):
    """A game spec, and a few rings close together, many of them occupied, so that groups are cut off."""
    rules, rings, isolation = draw(st.sampled_from(ZERTZ_SPECS))
    columns = COLUMNS[rings]
    places = [(x, y) for x, length in enumerate(columns) for y in range(length)]
    left, low = draw(st.integers(0, len(columns) - 2)), draw(st.integers(0, 2))
    near = [(x, y) for x, y in places if 0 <= x - left < 4 and 0 <= y - low < 4]
    symbols = draw(st.sampled_from(["-.wgb", "-...wgb", "--.......wgb", "...wgb"]))
    drawn = draw(st.lists(st.sampled_from(symbols), min_size=len(near), max_size=len(near)))
    cells, stock = dict.fromkeys(places, "-"), dict(MARBLES[rules])
    for place, marble in zip(near, drawn, strict=True):
        cells[place] = marble if stock.get(marble, 1) else "."
        if marble in stock:
            stock[marble] -= cells[place] == marble
    emptied = draw(st.booleans())
    captures = [_zertz_captures(draw, rules, stock, emptied) for _ in range(2)]
    if emptied:
        apart = [place for place in places if place not in near][::2]
        for marble in stock:
            while stock[marble] and apart:
                cells[apart.pop()] = marble
                stock[marble] -= 1
    counts = [",".join(map(str, numbers)) for numbers in (stock.values(), *captures)]
    words = [*counts, draw(st.sampled_from("12")), *draw(st.sampled_from([[], [], [], [], [], ["pass"]]))]
    spec = f"zertz:{rules},rings={rings},isolation={isolation}"
    return spec, _zertz_text(spec, cells, words, quiet=draw(st.booleans()))


def _zertz_captures(draw, rules, stock, all_of_them):
    """Take captures without a goal, seldom with one, out of what is in stock."""
    most, fewer = ZERTZ_LIMITS[rules]
    of_few, captures = draw(st.sampled_from("wgbwgbwgb-")), []
    for marble, limit in zip("wgb", most, strict=True):
        limit = min(stock[marble], fewer if marble == of_few else limit)
        captures.append(limit if all_of_them else draw(st.integers(0, limit)))
        stock[marble] -= captures[-1]
    return captures


def _zertz_text(spec, cells, words, quiet):
    """Write a position; when `quiet`, without the rings on which jumps would end."""
    columns = [list(column) for _, column in itertools.groupby(cells, key=lambda place: place[0])]
    text = " ".join(["/".join("".join(cells[place] for place in column) for column in columns), *words])
    if quiet:
        try:
            turn, *_ = reference(spec, text).turns()
        except ValueError:
            return text
        if turn[0] == "x":
            cells[ord(turn[4]) - ord("a"), int(turn[5]) - 1] = "-"
            return _zertz_text(spec, cells, words, quiet)
    return text


def some(turns):
    """Some of the turns in which nothing leaves the board, and some of the others."""
    taking = [turn for turn in turns if "x" in turn]
    placing = [turn for turn in turns if "x" not in turn]
    number = 6 if len(turns) <= WIDE else 1
    return [*placing[:: 1 + len(placing) // number], *taking[:: 1 + len(taking) // number]]


def wide(position: Position) -> bool:
    """Return whether a position has so many turns that to list them would take minutes somewhere."""
    most = scaled(4 * WIDE)
    return (
        breadth(position) > most or sum(1 for _ in itertools.islice(position.turn_actions(), most + 1)) > most
    )


def with_spec(specs, texts):
    return st.tuples(st.sampled_from(specs), texts)


@pytest.mark.parametrize(
    "positions",
    [
        with_spec(["dvonn"], dvonn_positions()),
        go_positions(),
        five_positions("gomoku"),
        five_positions("renju"),
        five_positions("gobang"),
        gipf_positions(),
        zertz_positions(),
    ],
    ids=["dvonn", "go", "gomoku", "renju", "gobang", "gipf", "zertz"],
)
def test_positions_made_by_hypothesis_agree(positions):
    @settings(max_examples=scaled(50))
    @given(positions)
    def compare(made):
        spec, text = made
        try:
            model = reference(spec, text)
        except ValueError:
            with pytest.raises(TengenError):
                Position.parse(spec, text)
            return
        position = Position.parse(spec, text)
        if wide(position):
            return
        turns = set_or_check(position, model)
        few = len(turns) > WIDE or spec.startswith(("gipf", "zertz", "gomoku:renju"))
        for turn in some(turns) if few else turns:
            position = Position.parse(spec, text)
            position.push(turn)
            if not wide(position):
                set_or_check(position, model.play(turn))

    compare()


if __name__ == "__main__":
    from tqdm import tqdm

    for each in sys.argv[2:] or ALL_SPECS + WITH_HISTORY:
        lengths = [play_both(each, seed) for seed in tqdm(range(int(sys.argv[1])), desc=each)]
        sys.stdout.write(f"{each}: {len(lengths)} games, {sum(lengths)} turns, all equal\n")
