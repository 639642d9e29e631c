"""The rules by examples: a file a game, whose lines ``test_examples.py`` explains and checks."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from tests.reference.dvonn import BOARD

FOLDER = Path(__file__).parent
COLUMNS = {"gipf": "4567654", "37": "4567654", "48": "56787654", "61": "567898765"}


class Example(NamedTuple):
    """A block of a file of examples."""

    game: str
    title: str
    lines: tuple[str, ...]


def examples() -> Iterator[Example]:
    """Read the files."""
    for path in sorted(FOLDER.glob("*.txt")):
        for block in path.read_text("utf-8").split("\n\n"):
            lines = [line.rstrip() for line in block.splitlines() if not line.startswith("#")]
            if lines:
                yield Example(path.stem, lines[0].partition(":")[0].replace(" ", "_"), tuple(lines[1:]))


def expand(text: str) -> list[str]:
    """Return what the braces of a spec, or the parentheses of a turn, stand for."""
    parts = re.split(r"\{(.*?)\}|\((.*?)\),?", text)
    choices = [[parts[i]] for i in range(0, len(parts), 3)]
    for i in range(len(parts) // 3):
        one_of, optional = parts[3 * i + 1 : 3 * i + 3]
        choices.insert(2 * i + 1, one_of.split("|") if one_of is not None else [f"{optional},", ""])
    return ["".join(each) for each in product(*choices)]


def turns_of(words: list[str]) -> set[str]:
    """Return the turns that a line names."""
    named, _, excepted = " ".join(words).partition(" but ")
    found = {re.sub(r",(?=;|$)", "", turn) for word in named.split() for turn in expand(word)}
    taking_nothing = {turn for turn in found if re.search(r"x(;|$)", turn)}
    return {"" if turn == "-" else turn for turn in found - taking_nothing} - {*excepted.split()}


def board_of(spec: str) -> tuple[list[list[str]], str, str]:
    """Return the spots of a board in the order of its text, the mark of an empty one, what divides them."""
    if spec.startswith("dvonn"):
        return [[space.name for space in row] for row in BOARD], "-", ","
    rings = re.search(r"rings=(\d+)", spec)
    heights = COLUMNS["gipf" if spec.startswith("gipf") else rings[1] if rings else "37"]
    letters, first = ("bcdefgh", 2) if spec.startswith("gipf") else ("abcdefghi", 1)
    columns = zip(letters, map(int, heights), strict=False)
    return [[f"{letter}{number + first}" for number in range(height)] for letter, height in columns], ".", ""


def position(spec: str, text: str) -> str:
    """Return the full text of a position."""
    words = text.split()
    if not words or "/" in words[0]:
        return text
    rows, empty, between = board_of(spec)
    pieces = dict(word.split("=") for word in words if "=" in word)
    empty = pieces.pop("else", empty)
    assert pieces.keys() <= {spot for row in rows for spot in row}
    board = "/".join(between.join(pieces.get(spot, empty) for spot in row) for row in rows)
    return " ".join([board, *(word for word in words if "=" not in word)])
