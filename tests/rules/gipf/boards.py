"""Positions of GIPF to ask about."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

COLUMNS = {"b": 4, "c": 5, "d": 6, "e": 7, "f": 6, "g": 5, "h": 4}
SPOTS = [f"{column}{row}" for column, spots in COLUMNS.items() for row in range(2, spots + 2)]
# The spots of three lines through the centre, from their smaller dots.
FROM_A1 = "b2 c3 d4 e5 f5 g5 h5"
FROM_A5 = "b5 c5 d5 e5 f4 g3 h2"
FROM_E1 = "e2 e3 e4 e5 e6 e7 e8"
EDGE_PUSHES = {
    "a1-b2", "a2-b3", "a3-b4", "a4-b5", "b1-c2", "b6-c6", "c1-d2", "c7-d7", "d1-e2",
    "d8-e8", "f1-f2", "f8-f7", "g1-g2", "g7-g6", "h1-h2", "i2-h3", "i3-h4", "h6-h5",
}  # fmt: skip
EMPTY = "..../...../....../......./....../...../...."


def place(tail: str, lines: Iterable[tuple[str, str]] = (), **pieces: str) -> str:
    """Set up a position: spots and their pieces along lines (`.` for none), more pieces by spot, the rest."""
    board = {}
    for spots, codes in lines:
        board.update(zip(spots.split(), codes.split(), strict=False))
    board.update(pieces)
    assert board.keys() <= {*SPOTS}
    columns = ("".join(board.get(spot, ".") for spot in SPOTS if spot[0] == column) for column in COLUMNS)
    return f"{'/'.join(columns)} {tail}"


def beginning(turns: Iterable[str], prefix: str) -> set[str]:
    """Return the turns that begin with `prefix`, without it."""
    return {turn.removeprefix(prefix) for turn in turns if turn.startswith(prefix)}


def openings(turns: Iterable[str]) -> set[str]:
    """Return the rows taken before the push or jump, as the turns name them."""
    found = set()
    for turn in turns:
        parts = turn.split(";")
        count = next((i for i, part in enumerate(parts) if not part.startswith("x")), len(parts))
        found.add(";".join(parts[:count]))
    return found


def groups(always: str, optional: str) -> set[str]:
    """Return the removals of `always` and any of `optional`, of spots that both list in line order."""
    found = set()
    for size in range(len(optional.split()) + 1):
        for some in combinations(optional.split(), size):
            taken = sorted([*always.split(), *some])
            found.add("x" + ",".join(taken))
    return found


POTENTIALS = "gipf,zertz=2,tamsk=1,challenges=1"
TOURNAMENT = "gipf:tournament,zertz=2,tamsk=1,challenges=1"
GIPFS = {"b5": "W", "b2": "B"}
CROSSING = [("b2 c3 d4 e5", "b b b b"), ("d2 d3 d4 d5 d6", "b b b b b")]
TAMSK = "gipf:basic,tamsk=2"
NONE_LEFT = "-- 0 0 0 0 0 0"
