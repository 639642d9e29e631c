"""Messages between a page and the server: their type, and their fields read with care."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tengen.apps.language import LANGUAGES
from tengen.engine.errors import quoted
from tengen.protocol.errors import CommandError

Fields = dict[str, Any]
Send = Callable[[Fields], None]
MAX_LENGTH = 100  # of a list: steps of a turn, turns of a line


def text_of(message: Fields, name: str, default: str | None = None) -> str:
    """Return a text of a message."""
    value = message.get(name, default)
    if not isinstance(value, str):
        raise CommandError(f"{name}: expected a text, got {quoted(str(value)[:60])}")
    return value


def language_of(message: Fields) -> str:
    """Return the language of a page: English, unless its message names another one."""
    language = text_of(message, "language", LANGUAGES[0])
    if language not in LANGUAGES:
        raise CommandError(f"language: expected {', '.join(LANGUAGES)}, got {quoted(language[:60])}")
    return language


def number_in(message: Fields, name: str, default: int, low: int, high: int) -> int:
    """Return a number of a message."""
    value = message.get(name, default)
    if type(value) is not int or not low <= value <= high:
        raise CommandError(
            f"{name}: expected a whole number from {low} to {high}, got {quoted(str(value)[:60])}"
        )
    return value


def list_of(message: Fields, name: str, items: str, kind: type = object, least: int = 0) -> list[Any]:
    """Return a list of a message, or raise CommandError if it has none, or a long one."""
    value = message.get(name)
    if (
        isinstance(value, list)
        and least <= len(value) <= MAX_LENGTH
        and all(kind is object or type(item) is kind for item in value)
    ):
        return value
    raise CommandError(f"{name}: expected a list of {items}, got {quoted(str(value)[:60])}")
