"""The evaluation of Gobang: that of Gomoku, with weights and a net of its own."""

from dataclasses import replace
from pathlib import Path

from tengen.engine.gomoku import evaluate as gomoku
from tengen.engine.gomoku.evaluate import *  # noqa: F403 - all of it is the same, but for the weights
from tengen.engine.gomoku.net import SHAPE

EVALUATION = replace(gomoku.EVALUATION, game="gobang", folder=Path(__file__).parent)
WEIGHTS = EVALUATION.shipped()
TABLE = EVALUATION.expand(WEIGHTS)
NET = SHAPE.record(WEIGHTS.net)
