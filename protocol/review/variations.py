"""The variations of a record: each is reviewed from the position before its first turn on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tengen.engine.errors import located
from tengen.engine.sgf import Record, Variation
from tengen.protocol.review.assessment import Review, record_positions
from tengen.search.timing.limits import Limits

Line = list[tuple[int, str]]


@dataclass(frozen=True)
class ReviewedVariation:
    """A variation and its review, as far as it has come.

    Attributes
    ----------
    number : int
        From 1, in the order of the record: a variation, then those within it.
    parent : int
        The variation that it leaves; 0 for the main line.
    source : Variation
    review : Review
        Its first position is that before the first turn of the variation.
    """

    number: int
    parent: int
    source: Variation
    review: Review

    @property
    def title(self) -> str:
        """What it is, in words."""
        left = f" of variation {self.parent}" if self.parent else ""
        return f"variation {self.number}, instead of turn {self.review.positions[0].number + 1}{left}"


def variations_of(record: Record, limits: Limits) -> list[ReviewedVariation]:
    """Return all variations of a record, none of their positions assessed yet.

    Raises
    ------
    TengenError
        If a turn cannot be played; the message names the variation and the number of the turn.
    """
    found: list[ReviewedVariation] = []
    for number, (parent, before, source) in enumerate(_walk(record), 1):
        line = replace(record, turns=[*before, *source.turns], variations={})
        with located(f"variation {number}"):
            positions = record_positions(line)[len(before) :]
        found.append(ReviewedVariation(number, parent, source, Review(record.spec, positions, [], limits)))
    return found


def _walk(record: Record) -> Iterator[tuple[int, Line, Variation]]:
    """Yield the number of the parent of each variation, the turns before it, and itself."""
    numbers = itertools.count(1)
    pending = [(0, record.turns, index, each) for index, each in _backwards(record.variations)]
    while pending:
        parent, turns, at, variation = pending.pop()
        yield parent, turns[:at], variation
        number, line = next(numbers), [*turns[:at], *variation.turns]
        pending += [(number, line, at + index, each) for index, each in _backwards(variation.variations)]


def _backwards(variations: Mapping[int, list[Variation]]) -> list[tuple[int, Variation]]:
    """Return variations with their indices, the last one first."""
    listed = [(index, each) for index in sorted(variations) for each in variations[index]]
    return listed[::-1]
