"""Messages between a page and the server: their type, and their fields read with care."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tengen.engine.errors import quoted
from tengen.protocol.errors import CommandError

Fields = dict[str, Any]
Send = Callable[[Fields], None]


def text_of(message: Fields, name: str, default: str | None = None) -> str:
    """Return a text of a message.

    Raises
    ------
    CommandError
        If it has none.
    """
    value = message.get(name, default)
    if not isinstance(value, str):
        raise CommandError(f"{name}: expected a text, got {quoted(str(value)[:60])}")
    return value


def number_in(message: Fields, name: str, default: int, low: int, high: int) -> int:
    """Return a number of a message.

    Raises
    ------
    CommandError
        If it is none in the range.
    """
    value = message.get(name, default)
    if type(value) is not int or not low <= value <= high:
        raise CommandError(
            f"{name}: expected a whole number from {low} to {high}, got {quoted(str(value)[:60])}"
        )
    return value
