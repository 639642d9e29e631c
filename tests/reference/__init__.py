"""Slow, literal reference implementations of the games, written from the numbered rules alone.

They exist to be read beside the rulebooks and to be compared with the engine's kernels, which they never
import: plain dictionaries keyed by coordinates, no incremental state, every question answered from the
whole board.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Literal, Protocol, Self, TypeVar

from tests.reference.dvonn import Dvonn
from tests.reference.gipf import Gipf
from tests.reference.go.rules import AREA_RULES, KO_RULES, TERRITORY_RULES, Go
from tests.reference.lines.five import OPENINGS
from tests.reference.lines.gobang import Gobang
from tests.reference.lines.gomoku import Gomoku
from tests.reference.repetition import Remembering
from tests.reference.zertz import COLUMNS, ISOLATIONS, MARBLES, Zertz

__all__ = ["Dvonn", "Gipf", "Go", "Gobang", "Gomoku", "Reference", "Zertz", "reference"]

_T = TypeVar("_T")


class Reference(Protocol):
    """What every reference offers: an immutable position that knows its turns and its outcome."""

    @property
    def turn(self) -> int:
        """Side to move: 0 the first player, 1 the second."""
        ...

    def format(self) -> str:
        """Return the canonical position text."""
        ...

    def turns(self) -> list[str]:
        """Return the canonical texts of all legal turns, empty only when the game is over."""
        ...

    def play(self, turn: str) -> Self:
        """Return the position after `turn`; raise `ValueError` if it is not one of `turns()`."""
        ...

    def outcome(self) -> Literal["first", "second", "draw"] | None:
        """Return who won, ``"draw"``, or None while the game goes on."""
        ...


@dataclass(frozen=True)
class _Game:
    """How to build one game: its two constructors, its variants as option texts, and its options' readers."""

    start: Callable[..., Reference]
    parse: Callable[..., Reference]
    variants: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    options: Mapping[str, Callable[[str], object]] = field(default_factory=dict)


def _flag(text: str) -> bool:
    """Read ``0`` or ``1``."""
    if text not in ("0", "1"):
        raise ValueError(f"expected 0 or 1, got {text!r}")
    return text == "1"


def _number(text: str) -> int:
    """Read a decimal number without a sign."""
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(f"expected a number, got {text!r}")
    return int(text)


def _hundredths(text: str) -> Fraction:
    """Read a decimal number with two places at most."""
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]{1,2})?", text):
        raise ValueError(f"expected a number to a hundredth, got {text!r}")
    return Fraction(text)


def _one_of(*choices: str) -> Callable[[str], str]:
    """Return the reader of an option that has a few values."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected {' or '.join(map(repr, choices))}, got {text!r}")
        return text

    return read


def _contest(text: str) -> str:
    """Read what is played for a challenge: a game whose parts colons divide, or a trial."""
    name, *parts = text.split(":")
    if name in _TRIALS:
        for part in parts:
            key, _, value = part.partition("=")
            _number(value)
            if key not in _TRIALS[name]:
                raise ValueError(f"expected one of {_TRIALS[name]}, got {key!r}")
    else:
        head = f"{name}:{parts.pop(0)}" if parts and "=" not in parts[0] else name
        reference(",".join([head, *parts]))
    return text


def _kinds(text: str) -> str:
    """Read which kinds of potentials may be challenged."""
    for kind in text.split("+"):
        _one_of("zertz", "tamsk", "dvonn", "yinsh", "punct")(kind)
    return text


_TRIALS = {"outside": (), "coin": ("seed",), "die": ("seed", "least")}

# Options that say how challenges are decided: no position of the game itself depends on them.
_CHALLENGES: Mapping[str, Callable[[str], object]] = {
    "challenge-of": _kinds,
    "challenge-uses": _one_of("all", "first"),
    "challenge-game": _contest,
}


_repetition = _one_of("threefold", "none")

_GAMES: Mapping[str, _Game] = {
    "dvonn": _Game(Dvonn.start, Dvonn.parse),
    "gipf": _Game(
        Gipf.start,
        Gipf.parse,
        variants={rules: {"rules": rules} for rules in ("basic", "standard", "tournament")},
        options={
            "rules": str,
            "white": _number,
            "black": _number,
            "zertz": _number,
            "tamsk": _number,
            "dvonn": _number,
            "yinsh": _number,
            "punct": _number,
            "extra": _number,
            "challenges": _number,
            **_CHALLENGES,
            "repetition": _repetition,
        },
    ),
    "go": _Game(
        Go.start,
        Go.parse,
        options={
            "size": _number,
            "komi": _hundredths,
            "rules": _one_of(*TERRITORY_RULES, *AREA_RULES),
            "ko": _one_of(*KO_RULES),
            "handicap": _number,
        },
    ),
    "gobang": _Game(
        Gobang.start,
        Gobang.parse,
        options={"size": _number, "capture-win": _number, "opening": _one_of(*OPENINGS)},
    ),
    "gomoku": _Game(
        Gomoku.start,
        Gomoku.parse,
        variants={"freestyle": {}, "exactly-five": {"exactly-five": "1"}, "renju": {"renju": "1"}},
        options={
            "size": _number,
            "exactly-five": _flag,
            "renju": _flag,
            "opening": _one_of(*OPENINGS),
        },
    ),
    "zertz": _Game(
        Zertz.start,
        Zertz.parse,
        variants={rules: {"rules": rules} for rules in MARBLES},
        options={
            "rules": _one_of(*MARBLES),
            "rings": _one_of(*COLUMNS),
            "isolation": _one_of(*ISOLATIONS),
            "repetition": _repetition,
        },
    ),
}


def _known(kind: str, name: str, table: Mapping[str, _T], spec: str) -> _T:
    """Return ``table[name]``; raise `ValueError` that lists the names and the nearest if there is none."""
    if name in table:
        return table[name]
    near = get_close_matches(name, table, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"unknown {kind} {name!r} in {spec!r}: expected one of {sorted(table)}{hint}")


def reference(spec: str, position: str | None = None) -> Reference:
    """Build the reference of a game spec, at the beginning or in a `position`, given as its canonical text.

    The spec is ``NAME[:VARIANT][,key=value]...``, for example ``dvonn``, ``gipf:tournament,zertz=3`` or
    ``gomoku:exactly-five,size=7``. `ValueError` is raised for a name, variant or key that does not exist, an
    option given twice or of a wrong value, and a position that the game refuses.
    """
    head, *settings = spec.split(",")
    name, colon, variant = head.partition(":")
    game = _known("game", name, _GAMES, spec)
    texts = dict(_known(f"variant of {name}", variant, game.variants, spec)) if colon else {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        _known(f"option of {name}", key, game.options, spec)
        if not equals:
            raise ValueError(f"expected key=value, got {setting!r} in {spec!r}")
        if key in texts:
            raise ValueError(f"option {key!r} is given twice in {spec!r}")
        texts[key] = text
    options: dict[str, Any] = {}
    for key, text in texts.items():
        try:
            value = game.options[key](text)
        except ValueError as error:
            raise ValueError(f"option {key!r} in {spec!r}: {error}") from error
        if key not in _CHALLENGES:
            options[key.replace("-", "_")] = value
    remembering = options.pop("repetition", "threefold") == "threefold" and "repetition" in game.options
    plain = game.start(**options) if position is None else game.parse(position, **options)
    return Remembering(plain) if remembering else plain
