"""Errors of commands, and words that must be among known ones."""

from collections.abc import Collection

from tengen.engine.errors import NotationError, TengenError, nearest, quoted


class CommandError(TengenError):
    """A command cannot be executed; the text is all that the protocol replies."""


def require_known(what: str, word: str, known: Collection[str]) -> str:
    """Return the one of `known` that `word` is in upper or lower case.

    Raises NotationError if there is none; the message says `what` it means, lists all and the nearest match.
    """
    by_lower = {name.lower(): name for name in known}
    if word.lower() not in by_lower:
        names = ", ".join(known)
        raise NotationError(f"{what}: expected one of {names}, got {quoted(word)}{nearest(word, known)}")
    return by_lower[word.lower()]
