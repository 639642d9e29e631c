"""Nets in floating point, as PyTorch trains them, and their integers, as kernels use them.

PyTorch is imported here only, inside of functions: it is an extra.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError
from tengen.engine.extras import missing
from tengen.engine.nets import patterns
from tengen.engine.nets.correction import (
    DIRECT,
    DIRECT_BITS,
    ONE_ACTIVATION,
    OUTPUT_BITS,
    SECOND,
    SECOND_BITS,
    SHARE_BITS,
    VALUE_BITS,
    WIDTH,
    Numbers,
    Shape,
)

FIRST_SIZE, OUTPUT_SIZE = 0.03, 0.1  # standard deviations of the numbers at the start
Floats = Mapping[str, NDArray[np.float32]]
CPU = "cpu"  # the device without one
# Of pattern nets
BIAS, SHARE = 0.05, 0.7  # at the start
DIVISOR = 40  # of the totals, so that means are about as large as meanings
MEAN = patterns.ONE * DIVISOR >> patterns.MEAN_BITS  # what stands for 1 in means
POLICY_UNIT = patterns.ONE
NEVER = -30.0  # logit of points that are not empty


def torch_or_error(option: str = "--net", device: str = CPU) -> ModuleType:
    """Return PyTorch, which an option needs; raise OptionError if it, or the device, is not there."""
    try:
        import torch
    except ImportError:
        raise missing(f"{option} needs PyTorch", "nets") from None
    if device != CPU and not torch.cuda.is_available():
        raise OptionError(f"--device: expected {CPU}, since PyTorch finds no other, got {device}")
    module: ModuleType = torch
    return module


class NetBatch(NamedTuple):
    """Positions as a model takes them; see `tuning.learn.samples.NetSamples`."""

    inputs: NDArray[Any]
    linear: NDArray[np.float32]  # in logistic units
    buckets: NDArray[np.int64]


class Model(ABC):
    """A net in floating point, in logistic units."""

    batch_size: int = 8192  # positions
    rate: float = 4e-3  # of learning, the highest

    def __init__(self, shape: Shape) -> None:
        self._shape: Any = shape

    @abstractmethod
    def initial(self, seed: int) -> dict[str, NDArray[np.float32]]:
        """Return the numbers at the start of the training, by name."""

    @abstractmethod
    def forward(self, torch: ModuleType, parameters: Mapping[str, Any], batch: NetBatch) -> tuple[Any, Any]:
        """Return the logits of a batch of positions, and the logits of their actions, None without a policy.

        The names of `parameters` are those of `initial`.
        """

    @abstractmethod
    def constrain(self, torch: ModuleType, parameters: Mapping[str, Any], scale: float) -> None:
        """Bring the parameters back to what integers can hold, after a step."""

    def quantise(self, floats: Floats, scale: float) -> Numbers:
        """Return the integers that stand for numbers in logistic units of `scale` centi-points."""
        found = self._packed({name: floats[name] * unit for name, unit in self._units(scale).items()})
        kinds = {name: np.iinfo(kind) for name, (kind, _) in self._shape.numbers.items()}
        return {
            name: np.clip(np.rint(found[name]), kind.min, kind.max).astype(kind.dtype)
            for name, kind in kinds.items()
        }

    def restore(self, numbers: Numbers, scale: float) -> dict[str, NDArray[np.float32]]:
        """Return the numbers in logistic units that the integers stand for: `quantise` undone."""
        units = self._units(scale).items()
        return _singles(self._unpacked({name: numbers[name] / unit for name, unit in units}))

    @abstractmethod
    def _units(self, scale: float) -> dict[str, Any]:
        """Return what stands for 1 in the integers, by name."""

    @abstractmethod
    def _packed(self, found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Return numbers that are scaled already in the arrays that the shape declares."""

    @abstractmethod
    def _unpacked(self, found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Undo `_packed`."""


def _singles(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    return {name: array.astype(np.float32) for name, array in arrays.items()}


class RowModel(Model):
    """A net whose first layer adds up a row for each active input (`NetShape`)."""

    def initial(self, seed: int) -> dict[str, NDArray[np.float32]]:
        """Return the numbers at the start of the training, by name."""
        # `first` has a row of zeros more, for the inputs that fill up a list; `share` is 1, so that the net
        # starts as the linear evaluation with a small disturbance
        shape, generator = self._shape, np.random.default_rng(seed)
        first = generator.normal(0, FIRST_SIZE, (shape.inputs + 1, WIDTH))
        first[-1] = first[:, DIRECT] = 0
        bound = 1 / np.sqrt(WIDTH - 1)
        return _singles(
            {
                "first": first,
                "bias": np.append(generator.uniform(0, 0.5, WIDTH - 1), 0),
                "second": generator.uniform(-bound, bound, (shape.buckets, SECOND, WIDTH)),
                "second_bias": generator.uniform(-bound, bound, (shape.buckets, SECOND)),
                "output": generator.normal(0, OUTPUT_SIZE, (shape.buckets, SECOND)),
                "output_bias": np.zeros(shape.buckets),
                "share": np.ones(shape.buckets),
            }
        )

    def forward(self, torch: ModuleType, parameters: Mapping[str, Any], batch: NetBatch) -> tuple[Any, Any]:
        """Return the logits of a batch of positions, and None."""
        first, bucket = parameters["first"], torch.from_numpy(batch.buckets)
        sums = torch.nn.functional.embedding_bag(
            torch.from_numpy(batch.inputs.astype(np.int32)), first, mode="sum", padding_idx=len(first) - 1
        )
        hidden = torch.clamp(sums[:, :DIRECT] + parameters["bias"][:DIRECT], 0, 1)
        everywhere = torch.einsum("pw,bkw->pbk", hidden, parameters["second"][:, :, :DIRECT])
        rows = torch.arange(len(bucket))
        second = torch.clamp((everywhere + parameters["second_bias"])[rows, bucket], 0, 1)
        output = (second * parameters["output"][bucket]).sum(1) + parameters["output_bias"][bucket]
        logits = torch.from_numpy(batch.linear) * parameters["share"][bucket] + output + sums[:, DIRECT]
        return logits, None

    def constrain(self, torch: ModuleType, parameters: Mapping[str, Any], scale: float) -> None:
        """Bring ``first`` and ``bias`` back to what integers can hold."""
        columns = np.full(WIDTH, self._shape.most_of_a_row / ONE_ACTIVATION, np.float32)
        columns[DIRECT] = self._shape.most_of_a_row / _direct_unit(scale)
        most = torch.from_numpy(columns)
        for name in ("first", "bias"):
            parameters[name].copy_(torch.minimum(torch.maximum(parameters[name], -most), most))

    def _packed(self, found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        most = self._shape.most_of_a_row
        found["first"] = found["first"][:-1]
        for name in ("first", "bias"):
            found[name] = np.clip(np.rint(found[name]), -most, most)
        found["second"][:, :, DIRECT] = 0
        return found

    def _unpacked(self, found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        return found | {"first": np.append(found["first"], np.zeros((1, WIDTH)), axis=0)}

    def _units(self, scale: float) -> dict[str, Any]:
        unit = scale * (1 << VALUE_BITS)
        columns = np.append(np.full(WIDTH - 1, ONE_ACTIVATION), _direct_unit(scale))
        return {
            "first": columns,
            "bias": columns,
            "second": 1 << SECOND_BITS,
            "second_bias": ONE_ACTIVATION << SECOND_BITS,
            "output": unit * (1 << OUTPUT_BITS) / ONE_ACTIVATION,
            "output_bias": unit,
            "share": 1 << SHARE_BITS,
        }


def _direct_unit(scale: float) -> float:
    """Return how many units of a direct number make a logistic unit of `scale` centi-points."""
    return scale * (1 << VALUE_BITS) / (1 << DIRECT_BITS)


class PatternModel(Model):
    """A pattern net (`engine.nets.patterns.PatternShape`)."""

    batch_size = 1024
    rate = 3e-3

    def __init__(self, shape: patterns.PatternShape) -> None:
        super().__init__(shape)
        edges = shape.edge_patterns()
        self._fixed = np.concatenate([edges, edges + shape.patterns])  # rows that stay 0

    def initial(self, seed: int) -> dict[str, NDArray[np.float32]]:
        """Return the numbers at the start of the training, by name."""
        # `rows` has the halves of all patterns one below the other; those that never occur stay 0
        buckets, generator = self._shape.buckets, np.random.default_rng(seed)
        bound = 1 / np.sqrt(patterns.CHANNELS)
        return _singles(
            {
                "rows": np.zeros((2 * self._shape.patterns, patterns.CHANNELS)),
                "bias": np.full(patterns.CHANNELS, BIAS),
                "layer": np.tile(
                    generator.uniform(-bound, bound, (patterns.HIDDEN, patterns.CHANNELS)), (buckets, 1, 1)
                ),
                "layer_bias": np.full((buckets, patterns.HIDDEN), BIAS),
                "output": np.tile(generator.uniform(-bound, bound, patterns.HIDDEN), (buckets, 1)),
                "output_bias": np.zeros(buckets),
                "share": np.full(buckets, SHARE),
                "policy": np.tile(generator.uniform(-bound, bound, patterns.CHANNELS), (buckets, 1)),
            }
        )

    def forward(self, torch: ModuleType, parameters: Mapping[str, Any], batch: NetBatch) -> tuple[Any, Any]:
        """Return the logits of a batch of positions, and the logits of all points."""
        positions, points, listed = self._shape.list_patterns(batch.inputs)
        listed[:, patterns.ROWS_PER_POINT // 2 :] += self._shape.patterns
        bias, rows = parameters["bias"], parameters["rows"]

        def moved(array: NDArray[Any]) -> Any:
            return torch.from_numpy(array).to(rows.device)

        place, bucket = moved(positions), moved(batch.buckets)
        # column by column: the gradients of an embedding_bag take three times as long
        embedding = torch.nn.functional.embedding  # unlike indices, it adds gradients up in one order
        sums = sum(embedding(column, rows) for column in moved(listed.T.copy()))
        most = patterns.MAX_MEANING / patterns.ONE
        meaning, nothing = torch.clamp(sums + bias, 0, most), torch.clamp(bias, 0, most)
        means = torch.zeros(len(batch.inputs), patterns.CHANNELS, device=rows.device)
        means = means.index_add(0, place, meaning - nothing) / DIVISOR
        means = torch.clamp(means, -patterns.MAX_MEAN / MEAN, patterns.MAX_MEAN / MEAN)
        hidden = torch.relu(
            torch.einsum("pc,phc->ph", means, parameters["layer"][bucket]) + parameters["layer_bias"][bucket]
        )
        logits = (hidden * parameters["output"][bucket]).sum(1) + parameters["output_bias"][bucket]
        logits = logits + moved(batch.linear) * parameters["share"][bucket]
        weights, vacant = parameters["policy"][bucket], moved(batch.inputs == patterns.VACANT)
        far = (weights @ nothing)[:, None].expand(batch.inputs.shape)
        near = (meaning * weights[place]).sum(1)
        return logits, torch.where(vacant, far, NEVER).index_put((place, moved(points)), near)

    def constrain(self, torch: ModuleType, parameters: Mapping[str, Any], scale: float) -> None:
        """Bring the rows back to what integers can hold; those of patterns without stones to 0."""
        most = patterns.MAX_ROW / patterns.ONE
        parameters["rows"].clamp_(-most, most)
        parameters["rows"][torch.from_numpy(self._fixed).to(parameters["rows"].device)] = 0
        parameters["bias"].clamp_(-most, most)
        parameters["layer"].clamp_(
            -patterns.MAX_LAYER >> patterns.LAYER_BITS, patterns.MAX_LAYER >> patterns.LAYER_BITS
        )

    def _packed(self, found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        return found | {"rows": np.concatenate(np.split(found["rows"], 2), axis=1)}

    def _unpacked(self, found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        return found | {"rows": np.concatenate(np.split(found["rows"], 2, axis=1))}

    def _units(self, scale: float) -> dict[str, Any]:
        unit = scale * (1 << patterns.OUTPUT_BITS)
        return {
            "rows": patterns.ONE,
            "bias": patterns.ONE,
            "layer": 1 << patterns.LAYER_BITS,
            "layer_bias": MEAN << patterns.LAYER_BITS,
            "output": unit / MEAN,
            "output_bias": unit,
            "share": 1 << patterns.SHARE_BITS,
            "policy": POLICY_UNIT,
        }
