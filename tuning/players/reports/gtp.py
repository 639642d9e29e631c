"""Lines of ``lz-analyze`` and ``kata-analyze``: the candidates of a search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tengen.search.info import Info, Score

LEELA_ZERO, KATAGO = "lz-analyze", "kata-analyze"  # commands
UNITS = {LEELA_ZERO: 10_000.0, KATAGO: 1.0}  # of their win rates and priors
OWNERSHIP = "ownership"


def parse_candidates(line: str, command: str, scale: float, points: int = 0) -> list[Info]:
    """Return the candidates that a line reports, the best one first; none if it reports nothing.

    Parameters
    ----------
    line : str
    command : str
        `LEELA_ZERO` or `KATAGO`.
    scale : float
        The logistic scale, by which win rates become scores.
    points : int, optional
        Points of the board, for whose ownership the program was asked.
    """
    words = line.split()
    starts = [n for n, pair in enumerate(pairwise(words)) if pair == ("info", "move")]
    parts = [words[start + 1 : end] for start, end in pairwise([*starts, len(words)])]
    found = [info for part in parts if (info := _candidate(part, UNITS[command], scale))]
    found.sort(key=lambda info: info.rank)
    total = sum(info.visits or 0 for info in found)
    owners = _ownership(words, points)
    return [replace(info, rank=n, nodes=total, ownership=owners) for n, info in enumerate(found, 1)]


def _candidate(words: Sequence[str], unit: float, scale: float) -> Info | None:
    """Return the candidate whose report begins with ``move``; None if it has no win rate."""
    end = words.index("pv") if "pv" in words else len(words)
    fields = dict(zip(words[:end:2], words[1:end:2], strict=False))
    pv = tuple(words[end + 1 :]) or (fields.get("move", ""),)

    def number(name: str) -> float | None:
        try:
            value = float(fields[name])
        except (KeyError, ValueError):
            return None
        return value if math.isfinite(value) else None

    def fraction(name: str) -> float | None:
        value = number(name)
        return None if value is None else min(1.0, max(0.0, value / unit))

    rate = fraction("winrate")
    if rate is None:
        return None
    return Info(
        rank=int(number("order") or 0),
        depth=len(pv),
        seldepth=len(pv),
        score=Score.of_rate(rate, scale),
        bound="",
        nodes=0,
        seconds=0.0,
        hashfull=0,
        pv=pv,
        visits=max(0, int(number("visits") or 0)),
        rate=rate,
        low=fraction("lcb"),
        prior=fraction("prior"),
        lead=number("scoreLead"),
    )


def _ownership(words: Sequence[str], points: int) -> tuple[float, ...]:
    """Return the ownership of all points; empty if it is not reported whole."""
    if OWNERSHIP not in words or not points:
        return ()
    start = words.index(OWNERSHIP) + 1
    try:
        owners = tuple(float(word) for word in words[start : start + points])
    except ValueError:
        return ()
    return owners if len(owners) == points else ()
