"""Options of games, players and engines: ``name=value`` with a default, a range or choices."""

from dataclasses import dataclass
from functools import cache

from tengen.engine.debug import log
from tengen.engine.errors import OptionError, quoted

Value = bool | int | float | str
BOOKS = "opening books are gone; they made no measurable difference"
RETIRED = {"book": BOOKS, "ownbook": BOOKS}  # options of version 0.1, in lower case, and why they do nothing


@dataclass(frozen=True)
class Option:
    """One option of a game: ``name=value`` in a game spec.

    Attributes
    ----------
    name : str
        As written in a spec.
    default : bool, int, float or str
        Default value; all values have its type.
    help : str
        One line for people.
    low, high : int or float, optional
        Inclusive range of a numeric option.
    choices : tuple of str
        The values of a text option; empty if any text is allowed.
    preset : bool
        Whether only variants set it: a spec names the variant instead.
    several : bool
        Whether the value is one or more of `choices`, joined by ``+``.
    contest : str
        What may be played for a challenge, in words, if the value names that: `GameSpec` reads it.
    usual : bool, int, float or str, optional
        What people are offered who are asked for a game, where most play otherwise than by default.
    """

    name: str
    default: Value
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    preset: bool = False
    several: bool = False
    contest: str = ""
    usual: Value | None = None

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value of a numeric option."""
        assert self.low is not None
        assert self.high is not None
        return self.low, self.high

    @property
    def domain(self) -> str:
        """The allowed values, in words."""
        if self.contest:
            return self.contest
        if self.several:
            return f"{', '.join(self.choices)}, joined by +"
        if isinstance(self.default, bool):
            return "0 or 1"
        if isinstance(self.default, str):
            return " or ".join(self.choices) or "a text"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return f"{kind} from {self.low} to {self.high}"

    def parse(self, text: str, where: str) -> Value:
        """Return the value that `text` names.

        Raises OptionError if `text` is no value of this option; `where` is the spec, for the error message.
        """
        refusal = OptionError(f"option {self.name}: expected {self.domain}, got {quoted(text)} in {where}")
        if self.several:
            named = text.split("+")
            if len(set(named)) < len(named) or not set(named) <= set(self.choices):
                raise refusal
            return "+".join(choice for choice in self.choices if choice in named)
        if isinstance(self.default, bool):
            words = {"1": True, "true": True, "yes": True, "on": True, "": True}
            words |= {"0": False, "false": False, "no": False, "off": False}
            if text.lower() not in words:
                raise refusal
            return words[text.lower()]
        if isinstance(self.default, str):
            if self.choices and text not in self.choices:
                raise refusal
            return text
        try:
            value = type(self.default)(text) + 0  # no zero is negative
        except ValueError:
            raise refusal from None
        if not text.isascii() or "_" in text or not (self.low is not None and self.high is not None):
            raise refusal
        if not self.low <= value <= self.high:
            raise refusal
        return value

    def format(self, value: Value) -> str:
        """Return the text of `value` that `parse` reads back."""
        return str(int(value)) if isinstance(self.default, bool) else str(value)


def is_retired(name: str) -> bool:
    """Return whether an option was retired: it is accepted and ignored, with one warning in a process."""
    if name.lower() not in RETIRED:
        return False
    _warn_of_retired(name.lower())
    return True


@cache
def _warn_of_retired(name: str) -> None:
    log.warning("option %s is ignored: %s", name, RETIRED[name])
