"""Pattern nets: nets that see every empty point by patterns of the lines through it.

The calculation is told in `engine.gomoku.net`. Here is what it shares with its training: the sizes, the
units, and the shape.
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.engine.jit import LANES
from tengen.engine.nets.correction import Shape

CHANNELS = LANES
HIDDEN = 16
ONE = 256  # what stands for 1 in rows, sums and meanings
MAX_MEANING = 4 * ONE
MEAN_BITS, MAX_MEAN = 3, (1 << 15) - 1
LAYER_BITS, SHARE_BITS, OUTPUT_BITS, POLICY_BITS = 8, 8, 12, 8
ROWS_PER_POINT = 8  # two sides, four lines
MAX_ROW = (np.iinfo(np.int16).max - 1) // (ROWS_PER_POINT + 1)  # so that no sum leaves int16
MAX_LAYER = 1 << 11  # so that no inner product leaves int32
MAX_BIAS, MAX_SHARE = 1 << 28, 1 << 10
MAX_VALUE = 100_000  # centi-points; below the scores of proven wins
VACANT, OWN, OTHER, OUTSIDE = range(4)  # contents of a point, as the side to move sees them


class Windows(NamedTuple):
    """How contents become patterns: digits are added up along a line, each with the weight of its place."""

    digits: NDArray[np.int64]  # shape (2, contents): as the side to move and as the other side sees them
    weights: NDArray[np.int64]  # shape (4, rows, columns): by direction; the point itself is in the middle
    patterns: NDArray[np.uint16]  # by sum


@dataclass(frozen=True)
class PatternShape(Shape):
    """The declaration of a pattern net; inputs are the contents of all points, `most` is their number."""

    patterns: int  # their number
    most: int
    buckets: int
    window: int
    inputs: int = OUTSIDE + 1
    input_type: ClassVar[str] = "i1"

    @property
    @abstractmethod
    def windows(self) -> Windows:
        """How the contents of the lines through a point become its patterns."""

    @abstractmethod
    def list_patterns(self, contents: NDArray[np.int8]) -> tuple[NDArray[np.int64], ...]:
        """Return where the empty points are that have a stone on one of their lines, and their patterns.

        Parameters
        ----------
        contents : ndarray
            Shape (positions, `most`).

        Returns
        -------
        positions, points : ndarray
            Shape (found,).
        patterns : ndarray
            Shape (found, `ROWS_PER_POINT`): those of the side to move by direction, then of the other side.
        """

    @abstractmethod
    def edge_patterns(self) -> NDArray[np.int64]:
        """Return the patterns of lines without stones, whose rows are 0."""

    @cached_property
    def numbers(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Type and shape of every array of numbers, by name."""
        return {
            "rows": ("i2", (self.patterns, 2 * CHANNELS)),
            "bias": ("i2", (CHANNELS,)),
            "layer": ("i2", (self.buckets, HIDDEN, CHANNELS)),
            "layer_bias": ("i4", (self.buckets, HIDDEN)),
            "output": ("i2", (self.buckets, HIDDEN)),
            "output_bias": ("i4", (self.buckets,)),
            "share": ("i4", (self.buckets,)),
            "policy": ("i2", (self.buckets, CHANNELS)),
        }

    @property
    def limits(self) -> dict[str, int]:
        """The greatest sizes of numbers, by name."""
        return {
            "rows": MAX_ROW,
            "bias": MAX_ROW,
            "layer": MAX_LAYER,
            "layer_bias": MAX_BIAS,
            "output_bias": MAX_BIAS,
            "share": MAX_SHARE,
        }

    def played(self, before: NDArray[Any], after: NDArray[Any]) -> NDArray[np.int16]:
        """Return the points where the side to move put a stone."""
        new = (before == VACANT) & (after == OTHER)
        found: NDArray[np.int16] = np.where(new.sum(1) == 1, new.argmax(1), -1).astype(np.int16)
        return found
