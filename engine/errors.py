"""What can be wrong with what a caller hands in: messages say what was expected, what came, where."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class TengenError(ValueError):
    """Base of all errors that are the caller's to mend; its text is one line for people."""


class OptionError(TengenError):
    """An unknown game, variant or option, or a value that the option does not take."""


class NotationError(TengenError):
    """A text that is not of the form its notation asks for."""


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
        self.turn = turn
        self.rule = rule
        self.reason = f"{reason} [{rule}]" if rule else reason
        super().__init__(f"illegal turn {quoted(turn)}: {self.reason}")


class PositionError(TengenError):
    """A position text that is well-formed but describes no possible position.

    Parameters
    ----------
    faults : sequence of str
        All faults that were found, not only the first.
    """

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("impossible position: " + "; ".join(faults))


def nearest(word: str, known: Iterable[str]) -> str:
    """Return `` (did you mean X?)`` for the known word nearest to `word`, or an empty text."""
    matches = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f" (did you mean {matches[0]!r}?)" if matches else ""


def quoted(text: str, limit: int = 40) -> str:
    """Return `text` in quotes, fit for one line of an error: control characters escaped, long texts cut."""
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")
