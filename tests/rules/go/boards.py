"""Positions of Go to ask about, and whom to ask."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from tengen.engine.play.position import Position
from tests.reference import reference
from tests.rules.faces import Face

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
KO_RULES = ["simple", "positional", "situational"]
TERRITORY = ["territory", "japanese"]
AREA = ["chinese", "tromp-taylor"]
RULES = TERRITORY + AREA
every_rules = pytest.mark.parametrize("rules", RULES)
every_ko = pytest.mark.parametrize("ko", KO_RULES)
TurnsAfter = Callable[..., set[str]]


def place(*rows: str, side: str = "b", ko: str = "-", black: int = 0, white: int = 0, passes: int = 0) -> str:
    """Set up a position: rows from the top, each on the whole width; prisoners by who took them."""
    assert {len(row) for row in rows} == {len(rows)}
    return f"{'/'.join(rows)} {side} {ko} {black} {white} {passes}"


def empty(size: int, side: str = "b") -> str:
    """Return the text of the empty board."""
    return place(*["." * size] * size, side=side)


def board(text: str) -> list[str]:
    """Return the rows of a position text, the inverse of `place`."""
    return text.split(" ")[0].split("/")


def black_stones(text: str) -> set[str]:
    """Return the points with a black stone."""
    rows = board(text)
    return {
        f"{COLUMNS[column]}{len(rows) - row}"
        for row, column in product(range(len(rows)), repeat=2)
        if rows[row][column] == "X"
    }


def spec_of(text: str, **options: object) -> str:
    """Return the game spec for a position text."""
    return ",".join(["go", f"size={len(board(text))}", *(f"{key}={value}" for key, value in options.items())])


def assert_margin(face: Face, rules: str, text: str, margin: float) -> None:
    """Assert by how much Black is ahead at the end: komi of as much is a draw, and only that."""
    ended = " ".join([*text.split(" ")[:-1], "2"])
    assert not face.turns(spec_of(text, rules=rules), ended)
    for komi, outcome in ((margin - 0.5, "first"), (margin, "draw"), (margin + 0.5, "second")):
        assert face.outcome(spec_of(text, rules=rules, komi=f"{komi:g}"), ended) == outcome, komi


def reference_turns(spec: str, text: str, *turns: str) -> set[str]:
    """Return the legal turns of the reference after some turns, which it remembers."""
    position = reference(spec, text)
    for turn in turns:
        position = position.play(turn)
    return set(position.turns())


def engine_turns(spec: str, text: str, *turns: str) -> set[str]:
    """Return the legal turns of the engine after some turns, which it remembers."""
    position = Position.parse(spec, text)
    for turn in turns:
        position.push(turn)
    return set(position.turns())
