"""Errors of the library beyond those of the engine (`engine.errors`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from tengen.engine.errors import TengenError, quoted

if TYPE_CHECKING:
    from tengen.api.position import Position

Wanted = TypeVar("Wanted")


class ArgumentError(TengenError, TypeError):
    """An argument of the wrong type."""


class EngineError(TengenError):
    """An engine that cannot do what is asked: it is closed, busy, of another process, or it has failed."""


@contextmanager
def refusals(value: object, position: Position | None = None) -> Iterator[None]:
    """Add what was refused, and the position, to every `TengenError` that is raised in the block."""
    try:
        yield
    except TengenError as error:
        error.value = value
        error.position = position.copy() if position is not None else None
        raise


def require(value: object, kind: type[Wanted], name: str, expected: str) -> Wanted:
    """Return `value` if it is of a `kind`.

    Raises
    ------
    ArgumentError
        If it is not; says what was `expected`, in words.
    """
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise argument_error(value, name, expected)
    return value


def argument_error(value: Any, name: str, expected: str) -> ArgumentError:
    """Return the error about an argument called `name`."""
    error = ArgumentError(f"{name}: expected {expected}, got {quoted(repr(value))} ({type(value).__name__})")
    error.value = value
    return error
