"""Kernel and reference: random games and made positions; ``python -m tests.test_differential N`` plays N."""

from __future__ import annotations

import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import TengenError
from engine.position import Position
from tests.reference import reference
from tests.walks import ALL_SPECS, scaled

pytestmark = pytest.mark.kernels

OUTCOMES = {0: None, 1: "first", 2: "second", 3: "draw"}


def agree(position: Position, model) -> list[str]:
    """Assert that kernel and reference say the same of a position; return the legal turns."""
    turns = position.turns()
    assert sorted(turns) == sorted(model.turns()), position.text()
    assert position.text() == model.format()
    assert position.turn == model.turn
    assert OUTCOMES[position.outcome()] == model.outcome(), position.text()
    return turns


def play_both(spec: str, seed: int) -> int:
    """Play one random game on both; return its length in turns."""
    generator = random.Random(seed)
    position, model = Position.start(spec), reference(spec)
    while turns := agree(position, model):
        turn = generator.choice(turns)
        position.play(turn)
        model = model.play(turn)
    return len(position.turns_played)


@pytest.mark.parametrize("spec", ALL_SPECS)
def test_random_games_agree(spec):
    for seed in range(scaled(20)):
        play_both(spec, seed)


@settings(max_examples=scaled(60), deadline=None)
@given(st.sampled_from(ALL_SPECS), st.lists(st.integers(0, 10_000), max_size=90))
def test_games_made_by_hypothesis_agree(spec, choices):
    position, model = Position.start(spec), reference(spec)
    for choice in choices:
        turns = position.turns()
        if not turns:
            break
        turn = turns[choice % len(turns)]
        position.play(turn)
        model = model.play(turn)
    agree(position, model)


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
def gomoku_positions(draw):
    """Boards of random stones, mostly of one colour so that lines come about."""
    symbols = draw(st.sampled_from([".XO", "..XXO", ".XXXX", "...O"]))
    rows = draw(st.lists(st.text(symbols, min_size=7, max_size=7), min_size=7, max_size=7))
    return f"{'/'.join(rows)} {draw(st.sampled_from('bw'))}"


GIPF_PIECES = {  # by spec: pieces that come up often on its boards
    "gipf:basic": "...wwb",
    "gipf": "...wwbbWB",
    "gipf:tournament": "..wbWWB",
    "gipf:tournament,zertz=3,tamsk=3,challenges=1": [
        "",
        ".",
        "w",
        "b",
        "W",
        "B",
        "w+",
        "b*",
        "w^",
        "b^",
        "w*",
    ],
    "gipf:basic,zertz=6": [".", ".", "w", "b", "w+", "w+", "b^"],
}


@st.composite
def gipf_positions(draw):
    """A game spec, and a board of random pieces with rows among them; numbers that often fit."""
    spec = draw(st.sampled_from(sorted(GIPF_PIECES)))
    cells = draw(st.lists(st.sampled_from(list(GIPF_PIECES[spec])), min_size=37, max_size=37))
    for _ in range(draw(st.integers(0, 2))):  # rows along columns come about by luck alone otherwise
        first = draw(st.integers(0, 33))
        cells[first : first + 4] = [draw(st.sampled_from("wbWB" if "basic" not in spec else "wb"))] * 4
    columns, first = [], 0
    for length in (4, 5, 6, 7, 6, 5, 4):
        columns.append("".join(cells[first : first + length]))
        first += length
    rights = draw(st.sampled_from(["gg", "--", "g-"])) if "tournament" in spec else "--"
    white, black = draw(st.tuples(st.integers(0, 4), st.integers(0, 4)))
    words = ["/".join(columns), str(white), str(black), draw(st.sampled_from("wb")), rights]
    if "zertz" in spec:
        left = draw(st.integers(0, 1))
        words[4] = "z" + rights[1] if left and rights[0] == "-" else rights
        words += [str(left), "0", "0", "0"]
    return spec, " ".join([*words, "0", "0"] if "tamsk" in spec else words)


def with_spec(specs, texts):
    return st.tuples(st.sampled_from(specs), texts)


@pytest.mark.parametrize(
    "positions",
    [
        with_spec(["dvonn"], dvonn_positions()),
        with_spec(["gomoku,size=7", "gomoku:exactly-five,size=7"], gomoku_positions()),
        gipf_positions(),
    ],
    ids=["dvonn", "gomoku", "gipf"],
)
def test_positions_made_by_hypothesis_agree(positions):
    @settings(max_examples=scaled(150), deadline=None)
    @given(positions)
    def compare(made):
        spec, text = made
        try:
            model = reference(spec, text)
        except ValueError:
            with pytest.raises(TengenError):
                Position.parse(spec, text)
            return
        for turn in agree(Position.parse(spec, text), model):
            position = Position.parse(spec, text)
            position.play(turn)
            agree(position, model.play(turn))

    compare()


if __name__ == "__main__":
    from tqdm import tqdm

    for each in ALL_SPECS:
        lengths = [play_both(each, seed) for seed in tqdm(range(int(sys.argv[1])), desc=each)]
        sys.stdout.write(f"{each}: {len(lengths)} games, {sum(lengths)} turns, all equal\n")
