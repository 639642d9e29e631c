"""Numbers in commands: plain decimals within a range."""

from __future__ import annotations

import math
import re

from tengen.engine.errors import NotationError, quoted

MAX_NUMBER = 10**12
MAX_SECONDS = 10**6  # eleven days: anything longer is a mistake


def parse_integer(what: str, text: str, low: int = 0, high: int = MAX_NUMBER) -> int:
    """Parse the whole number `text`.

    Parameters
    ----------
    what : str
        What it means, for the error.
    text : str
    low, high : int
        Inclusive range.

    Raises
    ------
    NotationError
        If `text` is no whole number, or out of range.
    """
    if re.fullmatch(r"[+-]?[0-9]{1,19}", text) and low <= int(text) <= high:
        return int(text)
    raise NotationError(f"{what}: expected a whole number from {low} to {high}, got {quoted(text)}")


def parse_number(what: str, text: str, low: float = 0, high: float = MAX_NUMBER) -> float:
    """Parse the decimal number `text`; like `parse_integer`, with fractions and exponents."""
    if re.fullmatch(r"[+-]?[0-9.]{1,30}(e[+-]?[0-9]{1,3})?", text, re.I):
        try:
            number = float(text)
        except ValueError:  # several decimal points
            number = math.nan
        if low <= number <= high:
            return number
    raise NotationError(f"{what}: expected a number from {low} to {high}, got {quoted(text)}")
