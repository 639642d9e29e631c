"""Strict reading of untrusted JSON: field types are checked, unknown fields reported."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from tengen.engine.errors import NotationError, TengenError, nearest, quoted
from tengen.engine.storage.parsing import parse_json

MAX_COUNT = 1 << 50  # KataGo's upper bound


class FieldError(TengenError):
    """A field of an object has a wrong value.

    Attributes
    ----------
    field : str
        Its name.
    """

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        super().__init__(message)


@contextmanager
def field_errors(field: str) -> Iterator[None]:
    """Turn errors inside the block into a `FieldError` of `field`."""
    try:
        yield
    except TengenError as error:
        raise FieldError(field, str(error)) from error


def parse_finite(text: str) -> Any:
    """Parse JSON whose numbers are all finite.

    Raises
    ------
    NotationError
        If `text` is no JSON, has an infinite number, or is nested too deeply.
    """
    try:
        return parse_json(text, parse_float=_finite, parse_constant=_refused)
    except json.JSONDecodeError as error:
        got = quoted(text[max(0, error.pos - 10) :])
        reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
        raise NotationError(f"expected JSON, got {got}: {reason} at character {error.pos + 1}") from None
    except ValueError as error:
        expected = "expected JSON of finite numbers and moderate depth"
        raise NotationError(f"{expected}, got {quoted(str(error))}") from None


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number


def _refused(text: str) -> NoReturn:
    raise ValueError(text)


class Fields:
    """The fields of a JSON object. The methods raise FieldError for a value of the wrong type.

    Parameters
    ----------
    values : mapping

    Attributes
    ----------
    values : mapping
        All of them, unchecked.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self._asked: set[str] = set()

    def __contains__(self, name: str) -> bool:
        self._asked.add(name)
        return name in self.values

    def unused(self) -> dict[str, str]:
        """Return the fields that were not read, each with a "did you mean" suggestion."""
        return {name: nearest(name, self._asked) for name in self.values if name not in self._asked}

    def value(self, name: str, expected: str, fits: Callable[[Any], bool]) -> Any:
        """Return the value of a field; None if it is missing.

        Parameters
        ----------
        name : str
        expected : str
            What is accepted, in words.
        fits : callable
            Returns whether a value is accepted.
        """
        if name not in self:
            return None
        if not fits(value := self.values[name]):
            self.reject(name, expected)
        return value

    def reject(self, name: str, expected: str) -> NoReturn:
        """Raise FieldError: something else was `expected`."""
        got = quoted(json.dumps(self.values[name], ensure_ascii=False)) if name in self else "none"
        raise FieldError(name, f"{name}: expected {expected}, got {got}")

    def text(self, name: str) -> str | None:
        """Return a text."""
        value: str | None = self.value(name, "a text", lambda value: isinstance(value, str))
        return value

    def boolean(self, name: str) -> bool:
        """Return a boolean; false if it is missing."""
        return bool(self.value(name, "true or false", lambda value: isinstance(value, bool)))

    def integer(self, name: str, low: int = 1, high: int = MAX_COUNT) -> int | None:
        """Return a whole number."""
        expected = f"a whole number from {low} to {high}"
        value: int | None = self.value(name, expected, lambda value: _whole(value) and low <= value <= high)
        return value

    def number(self, name: str, low: float, high: float) -> float | None:
        """Return a number."""
        expected = f"a number from {low} to {high}"
        value: float | None = self.value(
            name, expected, lambda value: (_whole(value) or isinstance(value, float)) and low <= value <= high
        )
        return value

    def integers(self, name: str, low: int, high: int) -> list[int] | None:
        """Return a list of whole numbers."""
        expected = f"a list of whole numbers from {low} to {high}"
        value: list[int] | None = self.value(
            name, expected, lambda value: _all(value, lambda item: _whole(item) and low <= item <= high)
        )
        return value

    def texts(self, name: str) -> list[str] | None:
        """Return a list of texts."""
        value: list[str] | None = self.value(name, "a list of texts", _texts)
        return value

    def pairs(self, name: str) -> list[tuple[str, str]] | None:
        """Return a list of pairs of texts."""
        pairs: list[list[str]] | None = self.value(
            name,
            'a list of pairs such as ["B","D4"]',
            lambda value: _all(value, lambda item: _texts(item) and len(item) == 2),
        )
        return None if pairs is None else [(first, second) for first, second in pairs]

    def object(self, name: str) -> Fields | None:
        """Return an object."""
        value = self.value(name, "an object", lambda value: isinstance(value, dict))
        return None if value is None else Fields(value)

    def objects(self, name: str) -> list[Fields] | None:
        """Return a list of objects."""
        value = self.value(
            name, "a list of objects", lambda value: _all(value, lambda item: isinstance(item, dict))
        )
        return None if value is None else [Fields(item) for item in value]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _texts(value: Any) -> bool:
    return _all(value, lambda item: isinstance(item, str))


def _all(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))
