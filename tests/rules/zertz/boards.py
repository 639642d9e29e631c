"""Positions of ZÈRTZ to ask about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations

COLUMNS = {"37": "4567654", "48": "56787654", "61": "567898765"}
RINGS = {
    board: [
        f"{letter}{number}"
        for letter, rings in zip("abcdefghi", columns, strict=False)
        for number in range(1, int(rings) + 1)
    ]
    for board, columns in COLUMNS.items()
}
ALL = RINGS["37"]
EDGE = {
    "a1", "a2", "a3", "a4", "b5", "c6", "d7", "e6", "f5",
    "g4", "g3", "g2", "g1", "f1", "e1", "d1", "c1", "b1",
}  # fmt: skip
MARBLES = {"basic": (5, 7, 9), "tournament": (6, 8, 10)}
NOTHING = (0, 0, 0)
AROUND_D4 = ["c3", "c4", "d3", "d5", "e3", "e4"]
# 21 rings of the large board, no two of them neighbours: room for all marbles without a capture.
SPREAD = [
    "a2", "a5", "b1", "b4", "c3", "c6", "d2", "d5", "d8", "e1", "e4",
    "e7", "f2", "f5", "f8", "g3", "g6", "h1", "h4", "i2", "i5",
]  # fmt: skip
Count = tuple[int, int, int]


def place(
    marbles: Mapping[str, str],
    rings: Iterable[str] = ALL,
    *,
    first: Count = NOTHING,
    second: Count = NOTHING,
    player: int = 1,
    passes: int = 0,
    board: str = "37",
    rules: str = "basic",
) -> str:
    """Set up a position: marbles by ring, the rings that are left, captures; other marbles in the pool."""
    left = {*rings}
    assert marbles.keys() <= left <= {*RINGS[board]}
    cells = {ring: marbles.get(ring, ".") if ring in left else "-" for ring in RINGS[board]}
    texts = ("".join(cells[ring] for ring in cells if ring[0] == letter) for letter in "abcdefghi")
    used = Counter(marbles.values())
    pool = [
        total - used[marble] - first[n] - second[n]
        for n, (marble, total) in enumerate(zip("wgb", MARBLES[rules], strict=True))
    ]
    assert min(pool) >= 0
    counts = (",".join(map(str, each)) for each in (pool, first, second))
    return " ".join(["/".join(filter(None, texts)), *counts, str(player), *["pass"] * passes])


def without(*gone: str) -> set[str]:
    """Return the rings of the small board except some."""
    assert {*gone} <= {*ALL}
    return {*ALL} - {*gone}


def columns(letters: str) -> set[str]:
    """Return the rings of some columns of the small board."""
    return {ring for ring in ALL if ring[0] in letters}


def spread(white: int, grey: int, black: int) -> dict[str, str]:
    """Return so many marbles on the large board, none beside another."""
    return dict(zip(SPREAD, "w" * white + "g" * grey + "b" * black, strict=False))


def beginning(turns: Iterable[str], prefix: str) -> set[str]:
    """Return the turns that begin with `prefix`, without it."""
    return {turn.removeprefix(prefix) for turn in turns if turn.startswith(prefix)}


def removable(turns: Iterable[str]) -> set[str]:
    """Return the rings that can be removed after one placement or another."""
    return {turn[4:6] for turn in turns if turn[3:4] == ","}


def choices(*groups: str) -> set[str]:
    """Return the claims of some, all or none of the groups, which are in the order of their rings."""
    chosen = [some for number in range(len(groups) + 1) for some in combinations(groups, number)]
    return {"x" + "".join(some) if some else "" for some in chosen}


START = place({})
