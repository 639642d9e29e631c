"""Pattern nets (`engine.nets.patterns`) in floating point, and their integers."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.nets.patterns import (
    CHANNELS,
    HIDDEN,
    LAYER_BITS,
    MAX_LAYER,
    MAX_MEAN,
    MAX_MEANING,
    MAX_ROW,
    MEAN_BITS,
    ONE,
    OUTPUT_BITS,
    ROWS_PER_POINT,
    SHARE_BITS,
    VACANT,
    PatternShape,
)
from tengen.tuning.learn.nets.model import Model, NetBatch

BIAS, SHARE = 0.05, 0.7  # at the start
DIVISOR = 40  # of the totals, so that means are about as large as meanings
MEAN = ONE * DIVISOR >> MEAN_BITS  # what stands for 1 in means
POLICY_UNIT = ONE
NEVER = -30.0  # logit of points that are not empty


class PatternModel(Model):
    """A pattern net (`PatternShape`)."""

    batch_size = 1024
    rate = 3e-3

    def __init__(self, shape: PatternShape) -> None:
        super().__init__(shape)
        edges = shape.edge_patterns()
        self._fixed = np.concatenate([edges, edges + shape.patterns])  # rows that stay 0

    def _initial(self, generator: np.random.Generator) -> dict[str, NDArray[Any]]:
        # `rows` has the halves of all patterns one below the other; those that never occur stay 0
        buckets = self._shape.buckets
        bound = 1 / np.sqrt(CHANNELS)
        return {
            "rows": np.zeros((2 * self._shape.patterns, CHANNELS)),
            "bias": np.full(CHANNELS, BIAS),
            "layer": np.tile(generator.uniform(-bound, bound, (HIDDEN, CHANNELS)), (buckets, 1, 1)),
            "layer_bias": np.full((buckets, HIDDEN), BIAS),
            "output": np.tile(generator.uniform(-bound, bound, HIDDEN), (buckets, 1)),
            "output_bias": np.zeros(buckets),
            "share": np.full(buckets, SHARE),
            "policy": np.tile(generator.uniform(-bound, bound, CHANNELS), (buckets, 1)),
        }

    def forward(self, torch: ModuleType, parameters: Mapping[str, Any], batch: NetBatch) -> tuple[Any, Any]:
        """Return the logits of a batch of positions, and the logits of all points."""
        positions, points, patterns = self._shape.list_patterns(batch.inputs)
        patterns[:, ROWS_PER_POINT // 2 :] += self._shape.patterns
        bias, rows = parameters["bias"], parameters["rows"]

        def moved(array: NDArray[Any]) -> Any:
            return torch.from_numpy(array).to(rows.device)

        place, bucket = moved(positions), moved(batch.buckets)
        # column by column: the gradients of an embedding_bag take three times as long
        embedding = torch.nn.functional.embedding  # unlike indices, it adds gradients up in one order
        sums = sum(embedding(column, rows) for column in moved(patterns.T.copy()))
        most = MAX_MEANING / ONE
        meaning, nothing = torch.clamp(sums + bias, 0, most), torch.clamp(bias, 0, most)
        means = torch.zeros(len(batch.inputs), CHANNELS, device=rows.device)
        means = means.index_add(0, place, meaning - nothing) / DIVISOR
        means = torch.clamp(means, -MAX_MEAN / MEAN, MAX_MEAN / MEAN)
        hidden = torch.relu(
            torch.einsum("pc,phc->ph", means, parameters["layer"][bucket]) + parameters["layer_bias"][bucket]
        )
        logits = (hidden * parameters["output"][bucket]).sum(1) + parameters["output_bias"][bucket]
        logits = logits + moved(batch.linear) * parameters["share"][bucket]
        weights, vacant = parameters["policy"][bucket], moved(batch.inputs == VACANT)
        far = (weights @ nothing)[:, None].expand(batch.inputs.shape)
        near = (meaning * weights[place]).sum(1)
        return logits, torch.where(vacant, far, NEVER).index_put((place, moved(points)), near)

    def constrain(self, torch: ModuleType, parameters: Mapping[str, Any], scale: float) -> None:
        """Bring the rows back to what integers can hold; those of patterns without stones to 0."""
        most = MAX_ROW / ONE
        parameters["rows"].clamp_(-most, most)
        parameters["rows"][torch.from_numpy(self._fixed).to(parameters["rows"].device)] = 0
        parameters["bias"].clamp_(-most, most)
        parameters["layer"].clamp_(-MAX_LAYER >> LAYER_BITS, MAX_LAYER >> LAYER_BITS)

    def _packed(self, found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        return found | {"rows": np.concatenate(np.split(found["rows"], 2), axis=1)}

    def _unpacked(self, found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        return found | {"rows": np.concatenate(np.split(found["rows"], 2, axis=1))}

    def _units(self, scale: float) -> dict[str, Any]:
        unit = scale * (1 << OUTPUT_BITS)
        return {
            "rows": ONE,
            "bias": ONE,
            "layer": 1 << LAYER_BITS,
            "layer_bias": MEAN << LAYER_BITS,
            "output": unit / MEAN,
            "output_bias": unit,
            "share": 1 << SHARE_BITS,
            "policy": POLICY_UNIT,
        }
