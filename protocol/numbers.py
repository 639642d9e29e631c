"""Numbers in commands: plain decimals within a range, and times as managers send them."""

import math
import re

from tengen.engine.errors import NotationError, quoted

MAX_NUMBER = 10**12
MILLISECOND = 0.001
MAX_SECONDS = 10**6  # eleven days: anything longer is a mistake
NO_LIMIT_SECONDS = 86_400.0  # a clock with a day or more means none: some interfaces know only numbers


def parse_integer(what: str, text: str, low: int = 0, high: int = MAX_NUMBER) -> int:
    """Return the whole number `text`, from `low` to `high`; `what` says for the error what it means.

    Raises NotationError if `text` is no whole number, or out of range.
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


def parse_time(what: str, text: str, unit: float = 1.0, least: float = 0.0) -> float:
    """Return the seconds of a time on a clock, given in `unit`; `what` says for the error what it means.

    Every number is one: managers send what their own clocks show. Less than the `least` is that, since below
    zero nothing is left; more than `MAX_SECONDS` is that. Raises NotationError if `text` is no number.
    """
    if not re.fullmatch(r"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity)", text, re.I | re.A):
        raise NotationError(f"{what}: expected a number, got {quoted(text)}")
    return min(max(least, float(text) * unit), float(MAX_SECONDS))
