"""Words of position texts that the references read alike."""

import re
from typing import Literal, TypeVar, cast

T = TypeVar("T", bound=str)
Side = Literal["b", "w"]
Stone = Literal["X", "O"]

# Column letters of GTP, which leaves out I.
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
STONES: dict[Side, Stone] = {"b": "X", "w": "O"}


def one_of(what: str, text: str, *choices: T) -> T:
    """Read a word of which there are few; `what` it is is said where it is none of them."""
    for choice in choices:
        if text == choice:
            return choice
    raise ValueError(f"expected {what} {' or '.join(map(repr, choices))}, got {text!r}")


def number(what: str, text: str) -> int:
    """Read a number, without a sign or zeros before it; `what` it is is said where there is none."""
    if not re.fullmatch("0|[1-9][0-9]*", text):
        raise ValueError(f"expected {what}, got {text!r}")
    return int(text)


def board(text: str, size: int | None) -> tuple[dict[tuple[int, int], Stone], int]:
    """Read the rows of a square board, the top one first; return stones by column and row, and the size."""
    rows = text.split("/")
    if size is not None and len(rows) != size:
        raise ValueError(f"expected {size} rows, got {len(rows)} in {text!r}")
    stones: dict[tuple[int, int], Stone] = {}
    for row, marks in zip(range(len(rows), 0, -1), rows, strict=True):
        if len(marks) != len(rows):
            raise ValueError(f"expected {len(rows)} points in row {row}, got {len(marks)} in {marks!r}")
        for column, mark in enumerate(marks, start=1):
            if mark != ".":
                if mark not in STONES.values():
                    point = f"{COLUMNS[column - 1]}{row}"
                    raise ValueError(f"expected 'X', 'O' or '.' at {point}, got {mark!r}")
                stones[column, row] = cast(Stone, mark)
    return stones, len(rows)
