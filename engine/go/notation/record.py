"""Options of Go in SGF records: komi KM, ruleset RU and handicap HA (docs/go.md, Records)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tengen.engine.board.goban import BLACK, Stones
from tengen.engine.errors import NotationError, quoted
from tengen.engine.game import GameSpec, Value
from tengen.engine.go.state import HUNDREDTHS, star_points

# Rulesets by words in their names; all others score territory.
RULESETS = {
    "japanese": "japanese",
    "jp": "japanese",
    "korean": "japanese",
    "chinese": "chinese",
    "cn": "chinese",
    "aga": "chinese",
    "bga": "chinese",
    "french": "chinese",
    "goe": "chinese",
    "ing": "chinese",
    "nz": "chinese",
    "zealand": "chinese",
    "area": "chinese",
    "tromp": "tromp-taylor",
}
NAMES = {
    "territory": "Japanese",
    "japanese": "Japanese",
    "chinese": "Chinese",
    "tromp-taylor": "Tromp-Taylor",
}  # in RU


def options(root: Mapping[str, Sequence[str]], size: int, stones: Stones, first: int) -> dict[str, Value]:
    """Return the options in the root of a record.

    Parameters
    ----------
    root : mapping of str to sequence of str
        Its properties.
    size : int
        Points on a side.
    stones : mapping of (int, int) to int
        The stones set up.
    first : int
        The side of the first turn, or the side to move.

    Raises
    ------
    NotationError
        When KM or HA is not a number.
    """
    words = re.findall("[a-z]+", _value(root, "RU").lower())
    known = [RULESETS[word] for word in words if word in RULESETS]
    rules = known[0] if known else "territory"
    komi = _number(root, "KM", r"[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)")
    if komi >= HUNDREDTHS:  # Fox: hundredths of a point, or of two with area scoring
        komi /= HUNDREDTHS / 2 if rules == "chinese" else HUNDREDTHS
    return {
        "komi": komi,
        "rules": rules,
        "handicap": _handicap(int(_number(root, "HA", "[0-9]{1,3}")), size, stones, first),
    }


def _handicap(number: int, size: int, stones: Stones, first: int) -> int:
    """Return the fixed handicap of a record with `number` stones; 0 if they were placed freely."""
    fixed = dict.fromkeys(star_points(size, number), BLACK)
    return number if fixed and first == 1 and stones in ({}, fixed) else 0


def _value(root: Mapping[str, Sequence[str]], name: str) -> str:
    """Return the value of a property; empty without one."""
    return root.get(name, [""])[0].strip()


def _number(root: Mapping[str, Sequence[str]], name: str, form: str) -> float:
    """Return the numeric value of a property, 0 without one."""
    text = _value(root, name)
    if not text:
        return 0.0
    if not re.fullmatch(form, text):
        raise NotationError(f"record: expected a number in {name}, got {quoted(text)}")
    return float(text.replace(",", "."))


def properties(spec: GameSpec) -> dict[str, list[str]]:
    """Return the properties for the options of `spec`, which `options` reads back."""
    values = spec.values
    told = {"KM": [f"{values['komi']:.10g}"], "RU": [NAMES[str(values["rules"])]]}
    return {**told, "HA": [str(values["handicap"])]} if values["handicap"] else told
