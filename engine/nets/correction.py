"""Small nets that correct a linear evaluation: their shape, their numbers, and the kernel that runs them.

A net sees a position as a list of active inputs. The first layer adds up one row of numbers for each. Two
small layers follow, whose numbers depend on the phase of the game (the bucket). The last number of each row
passes them by. All numbers are integers::

    sums     = bias + sum of first[input]
    hidden   = clip(sums, 0, ONE_ACTIVATION), but 0 in place of the last
    second_k = clip((second_bias[bucket, k] + second[bucket, k] . hidden) >> SECOND_BITS, 0, ONE_ACTIVATION)
    total    = output_bias[bucket] + ((output[bucket] . second) >> OUTPUT_BITS) + (last sum << DIRECT_BITS)
    value    = ((linear value * share[bucket]) >> SHARE_BITS) + (total >> VALUE_BITS)
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tengen.engine.jit import LANES, dot, kernel, record, sum_rows

WIDTH = LANES  # of the first layer
DIRECT = WIDTH - 1  # the number of a row that passes the other layers by
SECOND = 8  # width of the second layer
ONE_ACTIVATION = 255  # the greatest activation, which stands for 1
SECOND_BITS = 6  # numbers of the second layer are in units of 1 / 64
OUTPUT_BITS, VALUE_BITS = 6, 4  # a sum is in sixteenths of a centi-point
DIRECT_BITS = 2  # direct numbers are in quarters
SHARE_BITS = 8
MAX_SECOND_BIAS, MAX_OUTPUT_BIAS, MAX_SHARE = 1 << 24, 1 << 20, 1 << 10  # no value looks like a proven one

Numbers = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Net:
    """The numbers of a net."""

    numbers: Numbers  # by name; see `Shape.numbers`
    origin: Mapping[str, Any]  # where they come from: data, options, loss, version

    def size(self, name: str) -> tuple[int, ...]:
        """Return the shape of one of the arrays."""
        return self.numbers[name].shape


class Shape(ABC):
    """The declaration of a net, in a game's ``evaluate.py``."""

    inputs: int  # number of inputs, from 0
    most: int  # the greatest number of inputs that are active together
    buckets: int  # number of phases, or rule sets, with numbers of their own
    # The search asks the net where the linear value lies within its window, or this many centi-points outside
    window: int
    input_type: ClassVar[str] = "i2"  # in NumPy's words

    @property
    @abstractmethod
    def numbers(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Type and shape of every array of numbers, by name."""

    @property
    @abstractmethod
    def memory(self) -> list[Any]:
        """Fields of the working memory."""

    @property
    def limits(self) -> Mapping[str, int]:
        """The greatest sizes of numbers, by name; others may have any that their type holds."""
        return {}

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The record that kernels take: the numbers, and working memory. ``window`` is 0 without a net."""
        numbers = ((name, kind, shape) for name, (kind, shape) in self.numbers.items())
        return record([("window", "i8"), *numbers, *self.memory], cache_lines=True)

    def record(self, net: Net | None) -> Any:
        """Return the record of a net; without one, a record that says so."""
        made = np.zeros(1, self.dtype)[0]
        for name, array in (net.numbers if net else {}).items():
            made[name] = array
        made["window"] = self.window if net else 0
        return made

    def fitted(self, size: Callable[[str], tuple[int, ...]]) -> Self:
        """Return the shape of a net whose arrays, by name, have this `size`: this one, if all are alike."""
        return self

    def played(self, before: NDArray[Any], after: NDArray[Any]) -> NDArray[np.int16]:
        """Return the actions that led from positions to the next ones; -1 if unknown, or there is no policy.

        Positions are inputs, shape (positions, `most`).
        """
        return np.full(len(before), -1, np.int16)

    def fault(self, numbers: Numbers) -> str | None:
        """Return in words what is wrong with `numbers`; None if nothing is."""
        for name, (kind, shape) in self.numbers.items():
            found = numbers[name]
            if found.shape != shape or found.dtype != np.dtype(kind):
                return f"{name}: expected {_text(kind, shape)}, got {_text(found.dtype, found.shape)}"
        for name, limit in self.limits.items():
            if np.any(np.abs(numbers[name].astype(np.int64)) > limit):
                return f"{name}: expected numbers up to {limit}, got greater ones"
        return None


@dataclass(frozen=True)
class NetShape(Shape):
    """The declaration of a net whose first layer adds up a row for each active input (see the module)."""

    inputs: int
    most: int
    buckets: int
    window: int
    codes: tuple[str, ...] = ()  # names of arrays of 64 uint8 in the record, for the game's kernels

    @cached_property
    def numbers(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Type and shape of every array of numbers, by name."""
        return {
            "first": ("i2", (self.inputs, WIDTH)),
            "bias": ("i2", (WIDTH,)),
            "second": ("i2", (self.buckets, SECOND, WIDTH)),
            "second_bias": ("i4", (self.buckets, SECOND)),
            "output": ("i2", (self.buckets, SECOND)),
            "output_bias": ("i4", (self.buckets,)),
            "share": ("i4", (self.buckets,)),
        }

    @property
    def memory(self) -> list[Any]:
        """The active inputs, the first layer, and whatever the game's kernels note."""
        codes = ((name, "u1", (64,)) for name in self.codes)
        return [("hidden", "i2", (WIDTH,)), ("active", "i2", (self.most,)), *codes]

    @property
    def limits(self) -> Mapping[str, int]:
        """The greatest sizes of numbers, by name."""
        return {
            "first": self.most_of_a_row,
            "bias": self.most_of_a_row,
            "second_bias": MAX_SECOND_BIAS,
            "output_bias": MAX_OUTPUT_BIAS,
            "share": MAX_SHARE,
        }

    @property
    def most_of_a_row(self) -> int:
        """The greatest size of a number of the first layer, so that no sum leaves int16."""
        return int(np.iinfo(np.int16).max // (self.most + 1))


def _text(kind: Any, shape: tuple[int, ...]) -> str:
    """Return type and shape of an array in words."""
    return f"{np.dtype(kind)} of shape {' x '.join(map(str, shape))}"


@kernel
def net_value(net, count, bucket, linear):
    """Return the value (int64, centi-points) of the position whose inputs are active (see the module).

    Parameters
    ----------
    net : record of `NetShape.dtype`
        Its ``active`` holds the active inputs.
    count, bucket : int64
        Number of active inputs, and the phase.
    linear : int64
        The linear evaluation, in centi-points.
    """
    hidden = net.hidden
    for j in range(WIDTH):
        hidden[j] = net.bias[j]
    sum_rows(net.first, net.active, count, hidden)
    direct = np.int64(hidden[DIRECT])
    for j in range(WIDTH):
        hidden[j] = min(max(hidden[j], np.int16(0)), np.int16(ONE_ACTIVATION))
    hidden[DIRECT] = 0
    total = np.int64(0)
    for k in range(SECOND):
        inner = (np.int64(net.second_bias[bucket, k]) + dot(net.second[bucket, k], hidden)) >> SECOND_BITS
        total += min(max(inner, np.int64(0)), np.int64(ONE_ACTIVATION)) * np.int64(net.output[bucket, k])
    total = np.int64(net.output_bias[bucket]) + (total >> OUTPUT_BITS) + (direct << DIRECT_BITS)
    return ((linear * np.int64(net.share[bucket])) >> SHARE_BITS) + (total >> VALUE_BITS)
