"""Messages of brains. The protocol leaves their form to the brain: common forms are understood."""

from __future__ import annotations

import re

from tengen.engine.board.grids import vertex
from tengen.search.info import Info, Score
from tengen.tuning.players.reports.ugi import estimated, proven

_SCORE = re.compile(
    r"\b(?:score|eval|ev|value)[\s:=]+"
    r"(?:(?P<end>win|loss) in (?P<turns>\d{1,3})|(?P<sign>[+-]?)M(?P<mate>\d{1,3})"
    r"|(?P<number>[+-]?\d{1,9}(?P<decimals>\.\d+)?)\b)",
    re.IGNORECASE,
)
_DEPTH = re.compile(r"\b(?:depth|d)[\s:=]+(\d{1,3})(?:[-/](\d{1,3}))?", re.IGNORECASE)
_NODES = re.compile(r"\b(?:nodes?|n)[\s:=]+(\d{1,15}(?:\.\d+)?)([KMG]?)\b", re.IGNORECASE)
_TIME = re.compile(r"\b(?:time|tm)[\s:=]+(\d{1,12}) ?(?:ms)?\b", re.IGNORECASE)
_LINE = re.compile(r"\bpv[\s:=]+((?:\d{1,2},\d{1,2}\s*)+)", re.IGNORECASE)
_THOUSANDS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


def parse_message(line: str, size: int) -> Info | None:
    """Return what a line says of the brain's line of play; None without a depth and a score.

    A score with decimals is in points, one without in centi-points; ``win in 3`` and ``+M3`` are proven. The
    line of play is read if it consists of points ``x,y``, otherwise it is empty.
    """
    depth, score = _DEPTH.search(line), _SCORE.search(line)
    if not (depth and score and line[:7].upper() == "MESSAGE"):
        return None
    nodes, time, points = _NODES.search(line), _TIME.search(line), _LINE.search(line)
    places = re.findall(r"(\d+),(\d+)", points[1]) if points else []
    return Info(
        rank=1,
        depth=int(depth[1]),
        seldepth=int(depth[2] or depth[1]),
        score=_score(score),
        bound="",
        nodes=int(float(nodes[1]) * _THOUSANDS[nodes[2].upper()]) if nodes else 0,
        seconds=int(time[1]) / 1000 if time else 0.0,
        hashfull=0,
        pv=tuple(vertex(int(x), size - 1 - int(y)) for x, y in places if int(x) < size and int(y) < size),
    )


def _score(found: re.Match[str]) -> Score:
    """Return the score that `_SCORE` has found."""
    if found["number"]:
        value = float(found["number"])
        return estimated(round(100 * value) if found["decimals"] else int(value))
    turns = int(found["turns"] or found["mate"])
    lost = (found["end"] or "").lower() == "loss" or found["sign"] == "-"
    return proven(-turns if lost else turns)
