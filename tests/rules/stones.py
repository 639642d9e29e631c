"""Positions of stones for rule tests."""

from tests.reference.words import COLUMNS


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
