"""Parameters of the search that games may set: what is pruned, and what is searched less deep."""

from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any

import numpy as np

from tengen.engine.game import Game
from tengen.engine.jit import record
from tengen.search.binding import bound
from tengen.search.info import INFINITE

LATE_DEPTHS = 12  # depths with a late-move count of their own, at most
REDUCTION_SIZE = 64  # depths and places in the ordering that reductions tell apart


@dataclass(frozen=True)
class SearchParams:
    """Parameters of the search that a game may set by its ``SELECTIVITY``, where names have dashes."""

    # Late-move pruning at the horizon, where a turn is only being completed: all tactical actions are
    # searched, but quiet ones only among the first few. In ZÈRTZ worth +45 [15, 76] Elo (basic), +45 [6, 86]
    # (tournament); 3 was worth half
    horizon_moves: int = 6
    # Reverse futility pruning: centi-points per ply of depth, and the greatest depth
    futility_margin: int = 90
    futility_depth: int = 4
    # Futility pruning of quiet actions after the first, likewise, counted from the position after them
    quiet_futility_margin: int = 100
    quiet_futility_depth: int = 0
    # Quiet actions are pruned whose policy and history lie further below the best ones: in units of 1/256 of
    # a logit, how many more per ply of depth, and the greatest depth
    policy_gap: int = 600
    policy_gap_per_ply: int = 120
    policy_depth: int = 0
    policy_reduction: int = 0  # hundredths of a ply by which reductions grow for each logit of that distance
    # Singular extensions: the least depth, 0 for none, and by how many centi-points per ply of depth the best
    # action has to beat all others
    singular_depth: int = 0
    singular_margin: int = 8
    # Late-move reductions, in hundredths: a late action is searched
    # ``base + log(depth) log(place) / divisor`` plies less deep
    reduction_base: int = 60
    reduction_divisor: int = 220


RECORD = record(
    [
        ("late_moves", "i8", (LATE_DEPTHS + 1,)),  # by depth: quiet actions before late-move pruning
        *((field.name, "i8") for field in fields(SearchParams)),
        # By depth and by place in the ordering, in hundredths of a ply
        ("reductions", "i2", (REDUCTION_SIZE, REDUCTION_SIZE)),
    ]
)


@cache
def params_of(game: Game) -> Any:
    """Return the parameters that `game` is searched with, as kernels take them: a record of ``RECORD``."""
    rules = bound(game)
    params = SearchParams(**{name.replace("-", "_"): value for name, value in rules.SELECTIVITY.items()})
    made = np.zeros(1, RECORD)[0]
    made["late_moves"] = INFINITE
    made["late_moves"][: len(rules.LATE_MOVE_COUNTS)] = rules.LATE_MOVE_COUNTS
    for name, value in asdict(params).items():
        made[name] = value
    logs = np.log(np.maximum(1, np.arange(REDUCTION_SIZE)))
    plies = params.reduction_base / 100 + logs[:, None] * logs / (params.reduction_divisor / 100)
    made["reductions"] = (np.clip(plies, 0, 100) * 100).astype(np.int16)
    return made
