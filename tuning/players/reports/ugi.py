"""Lines of UGI: reports of a search, and declarations of options."""

from __future__ import annotations

import re

from tengen.engine.options import Option
from tengen.search.info import PROVEN, WIN, Info, Score

_NUMBER = r"([+-]?[0-9]{1,15})"
_OPTION = re.compile(r"option name (?P<name>\S.*?) type (?P<type>\w+)(?: (?P<rest>.*))?", re.DOTALL)
_VALUES = re.compile(r"\b(default|min|max|var)\b ?(.*?)(?=\s+(?:default|min|max|var)\b|$)")


def parse_info(line: str) -> Info | None:
    """Return what an ``info`` line says of a line of play; None without a score.

    A ``mate`` counts turns. Without a ``pv`` the line of play is empty.
    """
    text, _, pv = " ".join(line.split()).partition(" pv ")
    found = re.search(r" score (cp|mate) ([+-]?[0-9]{1,9})\b(?: (lower|upper)bound)?", text)
    if text.startswith("info string") or not found:
        return None

    def number(name: str, otherwise: int = 0) -> int:
        match = re.search(rf" {name} {_NUMBER}\b", text)
        return int(match[1]) if match else otherwise

    depth = number("depth")
    return Info(
        rank=max(1, number("multipv", 1)),
        depth=depth,
        seldepth=number("seldepth", depth),
        score=proven(int(found[2])) if found[1] == "mate" else estimated(int(found[2])),
        bound=found[3] or "",
        nodes=number("nodes"),
        seconds=number("time") / 1000,
        hashfull=number("hashfull"),
        pv=tuple(pv.split()),
    )


def estimated(value: int) -> Score:
    """Return the score of a program's estimate, centi-points, which proves nothing."""
    return Score(max(1 - PROVEN, min(PROVEN - 1, value)))


def proven(turns: int) -> Score:
    """Return the score of a win in so many turns; if they are not positive, of a loss."""
    turns = max(PROVEN - WIN, min(WIN - PROVEN, turns))
    return Score(WIN - turns if turns > 0 else -WIN - turns)


def parse_option(line: str) -> Option | None:
    """Return the option that a line declares; None if it declares none that has a value.

    A ``spin`` is a whole number, a ``check`` is true or false, a ``combo`` has choices, all others are texts.
    """
    match = _OPTION.fullmatch(" ".join(line.split()))
    if not match or match["type"] == "button":
        return None
    values = [(name, value) for name, value in _VALUES.findall(match["rest"] or "")]
    given = dict(values)
    default, kind, name = given.get("default", ""), match["type"], match["name"]
    if kind == "check":
        return Option(name, default == "true", "")
    if kind == "combo":
        return Option(name, default, "", choices=tuple(value for key, value in values if key == "var"))
    bounds = [given.get(key, "") for key in ("default", "min", "max")]
    if kind == "spin" and all(re.fullmatch(_NUMBER, bound) for bound in bounds):
        start, low, high = map(int, bounds)
        return Option(name, start, "", low, high)
    return Option(name, default, "")
