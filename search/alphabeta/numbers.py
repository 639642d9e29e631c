"""The numbers of the search that games may tune: what is pruned, and what is searched less deep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from tengen.engine.game import Game
from tengen.engine.jit import record
from tengen.search.binding import bound
from tengen.search.info import INFINITE

LATE_DEPTHS = 12  # depths with a late-move count of their own, at most
REDUCTION_SIZE = 64  # depths and places in the ordering that reductions tell apart
LATE_MOVES = "late-moves-"  # before the depth, in names

RECORD = record(
    [
        ("late_moves", "i8", (LATE_DEPTHS + 1,)),  # by depth: quiet actions before late-move pruning
        ("horizon_moves", "i8"),  # the same at the horizon, within a turn
        ("futility_margin", "i8"),
        ("reductions", "i1", (REDUCTION_SIZE, REDUCTION_SIZE)),  # by depth and by place in the ordering
    ]
)


@dataclass(frozen=True)
class Numbers:
    """Numbers of the search that may be tuned.

    Attributes
    ----------
    late_moves : tuple of int
        Late-move pruning: quiet actions searched, by depth, where the game says so; all at greater depths.
    horizon_moves : int
        Late-move pruning at the horizon, where a turn is only being completed: all tactical actions are
        searched, but quiet ones only among the first few. In ZÈRTZ worth +45 [15, 76] Elo (basic), +45 [6,
        86] (tournament); 3 was worth half.
    futility_margin : int
        Of reverse futility pruning, centi-points per ply of depth.
    reduction_base, reduction_divisor : int
        Late-move reductions, in hundredths: a late action is searched ``base + log(depth) log(place) /
        divisor`` plies less deep.
    """

    late_moves: tuple[int, ...]
    horizon_moves: int = 6
    futility_margin: int = 90
    reduction_base: int = 60
    reduction_divisor: int = 220

    def named(self) -> dict[str, int]:
        """Return the numbers by the names that people use; nothing is pruned at depth 0."""
        late = {f"{LATE_MOVES}{depth}": count for depth, count in enumerate(self.late_moves) if depth}
        return late | {
            "horizon-moves": self.horizon_moves,
            "futility-margin": self.futility_margin,
            "reduction-base": self.reduction_base,
            "reduction-divisor": self.reduction_divisor,
        }

    def changed(self, named: Mapping[str, int]) -> Numbers:
        """Return the numbers with some changed, by the names that people use."""
        late = tuple(named.get(f"{LATE_MOVES}{depth}", count) for depth, count in enumerate(self.late_moves))
        others = {
            name.replace("-", "_"): value for name, value in named.items() if not name.startswith(LATE_MOVES)
        }
        return replace(self, late_moves=late, **others)


def shipped(game: Game) -> Numbers:
    """Return the numbers that `game` is searched with."""
    return Numbers(tuple(bound(game).LATE_MOVE_COUNTS))


@cache
def as_record(numbers: Numbers) -> Any:
    """Return the numbers as kernels take them, a record of ``RECORD``."""
    made = np.zeros(1, RECORD)[0]
    made["late_moves"] = INFINITE
    made["late_moves"][: len(numbers.late_moves)] = numbers.late_moves
    made["horizon_moves"], made["futility_margin"] = numbers.horizon_moves, numbers.futility_margin
    logs = np.log(np.maximum(1, np.arange(REDUCTION_SIZE)))
    plies = numbers.reduction_base / 100 + logs[:, None] * logs / (numbers.reduction_divisor / 100)
    made["reductions"] = np.clip(plies, 0, 100).astype(np.int8)
    return made
