"""Principal variations: the triangular table of a search, and the lines of root turns that it finds."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from tengen.engine.jit import kernel
from tengen.search.info import PROVEN, Score


@kernel
def update_pv(t, ply, action):
    """Set the PV at `ply` to this action followed by the PV of the next ply.

    Parameters
    ----------
    t : record
        With the fields `pv`, shape (plies, plies), and `pv_length`, shape (plies,).
    ply : int64
    action : int32 or int64
    """
    length = t.pv_length[ply + 1]
    t.pv[ply, 0] = action
    for k in range(length):
        t.pv[ply, k + 1] = t.pv[ply + 1, k]
    t.pv_length[ply] = length + 1


@dataclass(frozen=True)
class PvLine:
    """A root turn and its principal variation, as one iteration found them."""

    rank: int  # among the candidates, 1 for the best
    depth: int  # iteration
    score: Score
    bound: str  # ``lower``, ``upper`` or empty, as in `search.info.Info`
    actions: tuple[int, ...]  # the line
    key: int  # Zobrist key after the first turn, in the search that found the line
    texts: Callable[[], tuple[str, ...]]  # returns `turns`; most lines are never shown, and do without
    equivalent: tuple[int, ...] = ()  # keys after other turns that count as the same candidate

    @cached_property
    def turns(self) -> tuple[str, ...]:
        """The whole turns of the line."""
        return self.texts()

    @property
    def wins(self) -> bool:
        """Whether it is a proven win."""
        return self.bound != "upper" and self.score.value >= PROVEN

    def improves(self, other: Self) -> bool:
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
