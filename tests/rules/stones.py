"""Positions of five in a row for rule tests, and what its games have in common."""

from __future__ import annotations

import pytest

from tests.reference.lines.five import COLUMNS
from tests.rules.faces import Face

both_sides = pytest.mark.parametrize("side", ["b", "w"])


def place(*rows: str, side: str = "b", pairs: tuple[int, ...] = ()) -> str:
    """Set up a position: rows from the top, each on the whole width; in Gobang pairs by who took them."""
    assert {len(row) for row in rows} == {len(rows)}
    return " ".join(["/".join(rows), side, *map(str, pairs)])


def swapped(text: str) -> str:
    """Return the position with the colours exchanged: stones, the side to move, and the pairs."""
    rows, side, *pairs = text.translate(str.maketrans("XObw", "OXwb")).split(" ")
    return " ".join([rows, side, *reversed(pairs)])


def points(size: int, marks: str = ".", rows: list[str] | None = None) -> set[str]:
    """Return the vertices of a board, or those of some rows that bear one of the marks."""
    rows = rows or ["." * size] * size
    return {
        f"{COLUMNS[column]}{size - top}"
        for top in range(size)
        for column in range(size)
        if rows[top][column] in marks
    }


def assert_starts_empty(face: Face, spec: str, text: str) -> None:
    """Assert that a game starts with the empty board of this text, on any point of it."""
    assert face.start(spec) == face.read(spec, text) == text
    assert face.outcome(spec, text) is None
    assert {*face.turns(spec, text)} == points(text.count("/") + 1)
