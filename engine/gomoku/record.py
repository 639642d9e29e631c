"""The rules of Gomoku in SGF records: RU (docs/gomoku.md, Records)."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tengen.engine.game import Value
from tengen.engine.spec import GameSpec

TELLING = ("RU",)
RULESETS: dict[str, dict[str, Value]] = {  # by words of their names, the most telling one first
    r"renju|rif|rlif|连珠|連珠": {"renju": True},
    r"exactly|standard|official|1": {"exactly-five": True},
    r"free|freestyle|gomoku|five|omok|五子|0": {},
}
NAMES = {"renju": "Renju", "exactly-five": "Standard"}  # in RU, by option


def options(
    root: Mapping[str, Sequence[str]], size: int, stones: Any, first: int, guess: Callable[[str], None]
) -> dict[str, Value]:
    """Return the options in the root of a record; see `engine.game`."""
    said = root.get("RU", [""])[0].strip()
    for words, found in RULESETS.items():
        if re.search(rf"(?<![a-z0-9])(?:{words})(?![a-z0-9])", said.lower()):
            return found
    if said:
        guess(f"RU[{said}] as freestyle")
    return {}


def properties(spec: GameSpec) -> dict[str, list[str]]:
    """Return the properties for the options of `spec`, which `options` reads back; none for freestyle."""
    names = [name for option, name in NAMES.items() if spec.values[option]]
    return {"RU": names[:1]} if names else {}
