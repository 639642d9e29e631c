"""Strict reading of untrusted JSON: field types are checked, unknown fields reported."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from tengen.engine.errors import NotationError, TengenError, nearest, quoted
from tengen.engine.storage.parsing import parse_json

MAX_COUNT = 1 << 50  # KataGo's upper bound
T = TypeVar("T")


class FieldError(TengenError):
    """The field of this name has a wrong value."""

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

    Raises NotationError if `text` is no JSON, has an infinite number, or is nested too deeply.
    """
    try:
        return parse_json(text, parse_float=_finite, parse_constant=_finite)
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


class Fields:
    """The fields of a JSON object, unchecked in `values`. The methods raise FieldError for a wrong type."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self._asked: set[str] = set()

    def __contains__(self, name: str) -> bool:
        self._asked.add(name)
        return name in self.values

    def unused(self) -> dict[str, str]:
        """Return the fields that were not read, each with a "did you mean" suggestion."""
        return {name: nearest(name, self._asked) for name in self.values if name not in self._asked}

    def value(
        self,
        name: str,
        expected: str,
        kinds: type[T] | tuple[type[T], ...],
        fits: Callable[[T], bool] = lambda value: True,
    ) -> T | None:
        """Return the value of a field, exactly of one of these kinds, that `fits`; None if it is missing."""
        if name not in self:
            return None
        value: T = self.values[name]
        if type(value) not in (kinds if isinstance(kinds, tuple) else (kinds,)) or not fits(value):
            self.reject(name, expected)
        return value

    def reject(self, name: str, expected: str) -> NoReturn:
        """Raise FieldError: something else was `expected`."""
        got = quoted(json.dumps(self.values[name], ensure_ascii=False)) if name in self else "none"
        raise FieldError(name, f"{name}: expected {expected}, got {got}")

    def text(self, name: str) -> str | None:
        """Return a text."""
        return self.value(name, "a text", str)

    def required_text(self, name: str) -> str:
        """Return a text that must be there."""
        text = self.text(name)
        if text is None:
            self.reject(name, "a text")
        return text

    def boolean(self, name: str) -> bool:
        """Return a boolean; false if it is missing."""
        return bool(self.value(name, "true or false", bool))

    def integer(self, name: str, low: int = 1, high: int = MAX_COUNT) -> int | None:
        """Return a whole number."""
        return self.value(
            name, f"a whole number from {low} to {high}", int, lambda value: low <= value <= high
        )

    def number(self, name: str, low: float, high: float) -> float | None:
        """Return a number."""
        expected = f"a number from {low} to {high}"
        return self.value(name, expected, (int, float), lambda value: low <= value <= high)

    def integers(self, name: str, low: int, high: int, most: int = sys.maxsize) -> list[int] | None:
        """Return a list of whole numbers, of so many at most."""
        expected = f"a list of whole numbers from {low} to {high}"
        return self._all(name, expected, int, lambda item: low <= item <= high, most)

    def texts(self, name: str, most: int = sys.maxsize) -> list[str] | None:
        """Return a list of texts, of so many at most."""
        return self._all(name, "a list of texts", str, most=most)

    def pairs(self, name: str) -> list[tuple[str, str]] | None:
        """Return a list of pairs of texts."""
        pairs = self._all(
            name,
            'a list of pairs such as ["B","D4"]',
            list,
            lambda pair: [type(text) for text in pair] == [str, str],
        )
        return None if pairs is None else [(first, second) for first, second in pairs]

    def objects(self, name: str) -> list[Fields] | None:
        """Return a list of objects."""
        value = self._all(name, "a list of objects", dict)
        return None if value is None else [Fields(item) for item in value]

    def _all(
        self,
        name: str,
        expected: str,
        kind: type[T],
        fits: Callable[[T], bool] = lambda item: True,
        most: int = sys.maxsize,
    ) -> list[T] | None:
        """Return a list of values of one type."""

        def sound(items: list[T]) -> bool:
            return len(items) <= most and all(type(item) is kind and fits(item) for item in items)

        return self.value(name, expected, list, sound)
