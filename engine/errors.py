"""Errors in input; their messages say what was expected, what came, and where.

Foreign text in messages (of files, options, other programs) is shown by `quoted` or `printable` only.
"""

import difflib
import operator
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

Wanted = TypeVar("Wanted")

MAX_QUOTED = 80  # characters of a foreign text that a message shows
MAX_MESSAGE = 2_000  # characters of a message
MAX_WORD = 100  # characters of a word for which `nearest` looks


class TengenError(ValueError):
    """Base of all errors in the caller's input; its text is one line for people (see `printable`).

    Attributes
    ----------
    value : object
        What was refused; None where it is not known.
    position : object
        A copy of the position that has refused it; None elsewhere.
    """

    value: object = None
    position: object = None

    def __str__(self) -> str:
        return printable(Exception.__str__(self))  # OSError and ImportError have other texts

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the text and all attributes, whatever the parameters of the class."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[TengenError], arguments: tuple[Any, ...], attributes: dict[str, Any]) -> TengenError:
    """Return the error that was pickled."""
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(attributes)
    return error


@contextmanager
def located(where: str, besides: tuple[type[TengenError], ...] = ()) -> Iterator[None]:
    """Have errors in the block begin with `where`, such as the name of a file; `besides` stay as they are."""
    try:
        yield
    except besides:
        raise
    except TengenError as error:
        error.args = (f"{where}: {error}",)
        raise


class OptionError(TengenError):
    """An unknown game, variant or option, or a bad value of an option."""


class MissingPackageError(OptionError, ImportError):
    """A package that only some functions need, and that is not installed."""


class NotationError(TengenError):
    """A text that does not follow its notation."""


class FileError(NotationError, OptionError, OSError):
    """A file that cannot be read or written, or a program that cannot be started."""

    __new__ = OSError.__new__  # type: ignore[assignment]  # that of the first base cannot unpickle it


class MissingFileError(FileError, FileNotFoundError):
    """A file or program that does not exist."""


def file_error(message: str, cause: OSError) -> FileError:
    """Return the error of the system `cause` as one of tengen with a text of its own."""
    kind = MissingFileError if isinstance(cause, FileNotFoundError) else FileError
    error: FileError = kind(message)
    error.errno, error.strerror, error.filename = cause.errno, cause.strerror, cause.filename
    return error


@contextmanager
def file_errors(where: str) -> Iterator[None]:
    """Have errors of the system in the block be a `FileError` that begins with `where`."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise file_error(f"{where}: {error.strerror or error}", error) from None


class IllegalTurnError(TengenError):
    """A well-formed turn that the rules refuse.

    Parameters
    ----------
    turn : str
        The turn as it was given.
    reason : str
        Why it is refused, in words.
    rule : str
        The number of the rule that refuses it, such as ``D-3``; empty when none applies.

    Attributes
    ----------
    reason : str
        The reason with the rule.
    """

    def __init__(self, turn: str, reason: str, rule: str = "") -> None:
        self.turn = self.value = turn
        self.rule = rule
        self.reason = f"{reason} [{rule}]" if rule else reason
        super().__init__(f"illegal turn {quoted(turn)}: {self.reason}")


class PositionError(TengenError):
    """A well-formed position text that describes an impossible position.

    Parameters
    ----------
    faults : sequence of str
        All faults found, not only the first.
    state : object, optional
        The state with these faults, good for drawing only; None where it is not known.
    """

    def __init__(self, faults: Sequence[str], state: object = None) -> None:
        self.faults = tuple(faults)
        self.state = state
        super().__init__("impossible position: " + "; ".join(faults))


class ArgumentError(TengenError, TypeError):
    """An argument of the wrong type."""


class EngineError(TengenError):
    """An engine that cannot do what is asked: it is closed, busy, of another process, or it has failed."""


@contextmanager
def refusals(value: object, position: Any = None) -> Iterator[None]:
    """Add what was refused, and a copy of the position, to every `TengenError` raised in the block."""
    try:
        yield
    except TengenError as error:
        error.value = value
        error.position = position.copy() if position is not None else None
        raise


def require(value: object, kind: type[Wanted], name: str, expected: str) -> Wanted:
    """Return `value` if it is of a `kind`.

    Raises ArgumentError, which says in words what was `expected`, if it is not.
    """
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise argument_error(value, name, expected)
    return value


def require_path(value: object, name: str) -> str:
    """Return a path as text; raises ArgumentError if `value` is none."""
    if not isinstance(value, str | os.PathLike):
        raise argument_error(value, name, "a path")
    return os.fspath(value)


def whole_number(value: Any, name: str) -> int:
    """Return a whole number of Python's or NumPy's.

    Raises ArgumentError if it is something else.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise argument_error(value, name, "a whole number") from None


def argument_error(value: Any, name: str, expected: str) -> ArgumentError:
    """Return the error about an argument called `name`."""
    error = ArgumentError(f"{name}: expected {expected}, got {quoted(repr(value))} ({type(value).__name__})")
    error.value = value
    return error


def nearest(word: str, known: Iterable[str]) -> str:
    """Return `` (did you mean X?)`` for the known word nearest to `word`, or an empty text."""
    if len(word) > MAX_WORD:
        return ""
    matches = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f" (did you mean {matches[0]!r}?)" if matches else ""


def quoted(text: str, limit: int = MAX_QUOTED) -> str:
    """Return `text` quoted for a message: escaped as in `printable`, and cut to `limit` characters."""
    shown = repr(text if len(text) <= limit else text[: limit - 3] + "...")
    return shown if len(shown) <= 2 * limit else f"{shown[: 2 * limit - 4]}...{shown[0]}"


def printable(text: str, limit: int = MAX_MESSAGE) -> str:
    r"""Return `text` as a single line that is safe on any terminal, with at most `limit` characters.

    Line ends become spaces. Characters that cannot be seen are escaped as in Python, such as ``\x1b``: those
    that control terminals, marks that change the direction of writing, lone surrogates. The middle of a long
    text is left out.
    """
    if len(text) > limit:
        text = f"{text[: limit // 2]} ... {text[-(limit // 2 - 5) :]}"
    if text.isprintable():
        return text
    line = " ".join(part for part in text.splitlines() if part) if "\n" in text else text
    escaped = "".join(character if character.isprintable() else repr(character)[1:-1] for character in line)
    return escaped if len(escaped) <= limit else f"{escaped[: limit - 4]} ..."
