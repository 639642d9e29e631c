"""Root turns and their principal variations, as alpha-beta finds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from tengen.search.info import PROVEN, Score


@dataclass(frozen=True)
class PvLine:
    """A root turn and its principal variation, as one iteration found them.

    Attributes
    ----------
    rank, depth : int
        Rank among the candidates (1 is best), and iteration.
    score : Score
    bound : str
        ``lower``, ``upper`` or empty, as in `search.info.Info`.
    actions : tuple of int
        The line.
    key : int
        Zobrist key after the first turn, in the search that found the line.
    texts : callable
        Returns `turns`; called only when they are needed, since most lines are never shown.
    equivalent : tuple of int
        Keys after other turns that count as the same candidate.
    """

    rank: int
    depth: int
    score: Score
    bound: str
    actions: tuple[int, ...]
    key: int
    texts: Callable[[], tuple[str, ...]]
    equivalent: tuple[int, ...] = ()

    @cached_property
    def turns(self) -> tuple[str, ...]:
        """The whole turns of the line."""
        return self.texts()

    @property
    def wins(self) -> bool:
        """Whether it is a proven win."""
        return self.bound != "upper" and self.score.value >= PROVEN

    def improves(self, other: PvLine) -> bool:
        """Whether this proven line is better than `other`: a faster win, or a known margin."""
        if self.score.margin is not None:
            return self.score != other.score
        return self.score.value > other.score.value


def as_proven_loss(line: PvLine, proven: PvLine | None) -> PvLine:
    """Label `line` as lost if the position is, but keep its moves: they are harder to beat.

    The margin is that of the `proven` line alone: other turns may lose by more.
    """
    if proven is None or proven.score.value > -PROVEN or line.score.is_proven:
        return line
    return replace(line, score=Score(proven.score.value), bound="")


def keys_of(found: list[PvLine]) -> list[int]:
    """Return the keys after all root turns that count as candidates of `found`."""
    return [key for line in found for key in (line.key, *line.equivalent)]


def merged(found: list[PvLine], before: list[PvLine]) -> list[PvLine]:
    """Return the lines of an iteration, filled up from the one before; each candidate appears once."""
    keys = keys_of(found)
    lines = found + [line for line in before if line.key not in keys]
    lines = lines[: max(len(found), len(before))]
    return [replace(line, rank=rank) for rank, line in enumerate(lines, 1)]
