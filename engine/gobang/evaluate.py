"""What a Gobang position is worth: as in Gomoku, and the pairs."""

from engine.gomoku.evaluate import (
    evaluate as evaluate,
)
from engine.gomoku.evaluate import (
    point_value as point_value,
)
