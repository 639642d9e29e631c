"""Numbers in commands: plain decimal, in a range, refused with what was expected and what came."""

from __future__ import annotations

import math
import re

from tengen.engine.errors import NotationError, quoted

MAX_NUMBER = 10**12
MAX_SECONDS = 10**6  # eleven days: more is a mistake


def parse_integer(what: str, text: str, low: int = 0, high: int = MAX_NUMBER) -> int:
    """Return the whole number `text`.

    Parameters
    ----------
    what : str
        What it stands for, for the error.
    text : str
    low, high : int
        Inclusive range.

    Raises
    ------
    NotationError
        When `text` is none, or out of range.
    """
    if re.fullmatch(r"[+-]?[0-9]{1,18}", text) and low <= int(text) <= high:
        return int(text)
    raise NotationError(f"{what}: expected a whole number from {low} to {high}, got {quoted(text)}")


def parse_number(what: str, text: str, low: float = 0, high: float = MAX_NUMBER) -> float:
    """Return the decimal number `text`; as `parse_integer`, fractions and exponents allowed."""
    if re.fullmatch(r"[+-]?[0-9.]{1,30}(e[+-]?[0-9]{1,3})?", text, re.I):
        try:
            number = float(text)
        except ValueError:  # points astray
            number = math.nan
        if low <= number <= high:
            return number
    raise NotationError(f"{what}: expected a number from {low} to {high}, got {quoted(text)}")
