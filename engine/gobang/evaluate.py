"""The evaluation of Gobang: that of Gomoku, with weights and a net of its own."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from tengen.engine.gomoku import evaluate as gomoku
from tengen.engine.gomoku.evaluate import *  # noqa: F403 - all of it is the same, but for the weights
from tengen.engine.gomoku.net import SHAPE

EVALUATION = replace(gomoku.EVALUATION, game="gobang", folder=Path(__file__).parent)
WEIGHTS = EVALUATION.shipped()
TABLE = EVALUATION.expand(WEIGHTS)
NET = SHAPE.record(WEIGHTS.net)


def evaluate(s: Any) -> int:  # type: ignore[no-redef]
    """Return the value of `s` in centi-points, positive when the side to move is better."""
    return int(gomoku.evaluate_with(s, TABLE))
