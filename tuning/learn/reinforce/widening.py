"""Nets of a run for other boards and komis than those that they have learned from.

Nothing is learned: what the net makes of the size becomes part of its biases, and it no longer sees how games
are scored. The shipped nets of Go were made so (docs/go-net.md).
"""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import numpy as np

from tengen.engine.nets.correction import Net
from tengen.engine.weights import Weights, WeightsError


def widened(
    weights: Weights, planes: ModuleType, sizes: tuple[int, int], visits: int | None = None
) -> Weights:
    """Return weights whose net serves both scorings and all komis that games of self-play are drawn with.

    Parameters
    ----------
    weights : Weights
        With a net that has learned from boards of one size.
    planes : module
        The game's module ``planes``.
    sizes : tuple of (int, int)
        The smallest and the greatest board that it serves then. If both are the size that it has learned
        from, it still sees the size, and its values the scoring.
    visits : int, optional
        After so many a node of the search is expanded.

    Raises
    ------
    WeightsError
        If there is no such net.
    """
    net = weights.net
    if not isinstance(net, Net) or len({*net.numbers["sizes"].tolist()}) != 1:
        raise WeightsError("weights: expected a net that has learned from boards of one size, got others")
    numbers = {name: array.copy() for name, array in net.numbers.items()}
    origin = {**net.origin, "territory": "its inputs about scoring are 0", "komis": "widened"}
    learned = int(numbers["sizes"][0])
    inputs = {"stem": numbers["stem_globals"], "value": numbers["value"][-planes.SHAPE.globals :]}
    if sizes == (learned, learned):
        del inputs["value"]
    else:
        for layer, rows in inputs.items():
            numbers[f"{layer}_bias"] += np.float32(planes.size_input(learned)) * rows[planes.SIZE_INPUT]
            rows[planes.SIZE_INPUT] = 0
        origin["size"] = "its input is part of the biases"
    for rows in inputs.values():
        rows[[*planes.SCORING_INPUTS]] = 0
    numbers["sizes"][:], numbers["komis"][:] = sizes, planes.ALL_KOMIS
    if visits is not None:
        numbers["search"][2] = visits
    return replace(weights, net=Net(numbers, origin))
