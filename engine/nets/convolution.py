"""Convolutional nets: the shape, and the kernel that runs them on boards of any size.

A net sees planes of numbers, one number of each plane for every point, and some numbers about the whole
position. All numbers are float32; ``relu(x)`` is the greater of x and 0. ``conv`` is a convolution of 3x3
points, with zeros beyond the edge, and ``pool`` the mean and the maximum of every channel over the board::

    x = relu(conv(planes, stem) + stem_bias + globals . stem_globals)
    for each block b:
        h = relu(conv(x, first[b]) + first_bias[b])
        if b is odd: h = h + pool(h) . pooled[b // 2]
        x = relu(x + conv(h, second[b]) + second_bias[b])
    summary        = pool(x)
    p              = relu(x . policy + policy_bias + summary . policy_pooled), for each point
    logit          = p . policy_output, for each point; for a pass summary . passing + passing_bias
    v              = relu((summary, globals) . value + value_bias)
    win, score     = v . value_output + value_output_bias
    owner          = tanh(x . ownership + ownership_bias), for each point

``win`` is the logit of the win rate and ``score`` the margin in units of `SCORE_UNIT` points, both for the
side to move, and so is ``owner``, from -1 to 1, which only learning needs.

Convolutions are calculated by tiles (`engine.jit.convolution`), so points lie in rows with a stride that
leaves room for whole tiles and a column of zeros.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tengen.engine.jit import (
    MAX_BLOCK,
    PARTS,
    TILE,
    kernel,
    multiply,
    record,
    restore_tiles,
    transform_tiles,
    transform_weights,
)
from tengen.engine.nets.correction import Net, Numbers, Shape

SCORE_UNIT = 10.0  # points
MAX_NUMBER = 1e4  # greatest size of a number
WIN = 0  # an output of the value's head; the other one is the score
NO_KOMI = (1, 0)  # lowest and highest komi where there is none
CONVOLUTIONS = ("stem", "first", "second")  # whose weights are transformed for the kernels


@dataclass(frozen=True)
class ConvolutionShape(Shape):
    """The declaration of a convolutional net.

    In its record ``window`` is 1 with a net and 0 without one.
    """

    planes: int  # a multiple of 16
    globals: int  # numbers about the whole position
    blocks: int  # residual blocks
    channels: int  # a multiple of 32
    max_size: int  # points on a side of the largest board
    inputs: int = field(default=0, init=False)  # alpha-beta does not ask it
    most: int = field(default=0, init=False)
    buckets: int = field(default=1, init=False)
    window: int = field(default=1, init=False)

    @cached_property
    def numbers(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Type and shape of every array of numbers, by name.

        Besides those of the calculation, ``sizes`` are the smallest and the greatest board that the net has
        learned from, ``komis`` the lowest and the highest komi with area scoring, and those with territory
        scoring, in hundredths of a point (1 and 0: none). ``share`` is the net's share in the value of a
        leaf, and ``search`` has the numbers of the search that suit the net (see `search.mcts.search`).
        """
        b, c, g = self.blocks, self.channels, self.globals
        shapes: dict[str, tuple[int, ...]] = {
            "stem": (3, 3, self.planes, c),
            "stem_bias": (c,),
            "stem_globals": (g, c),
            "first": (b, 3, 3, c, c),
            "first_bias": (b, c),
            "second": (b, 3, 3, c, c),
            "second_bias": (b, c),
            "pooled": (b // 2, 2 * c, c),
            "policy": (1, c, c),
            "policy_bias": (c,),
            "policy_pooled": (2 * c, c),
            "policy_output": (c,),
            "passing": (2 * c,),
            "passing_bias": (1,),
            "value": (2 * c + g, c),
            "value_bias": (c,),
            "value_output": (c, 2),
            "value_output_bias": (2,),
            "ownership": (c,),
            "ownership_bias": (1,),
            "share": (1,),
            "search": (4,),
        }
        return {name: ("f4", shape) for name, shape in shapes.items()} | {
            "sizes": ("i4", (2,)),
            "komis": ("i4", (2, 2)),
        }

    @property
    def stride(self) -> int:
        """Points from one row of the largest board to the next."""
        return stride_of(self.max_size)

    @property
    def memory(self) -> list[Any]:
        """Planes, layers, transforms and heads."""
        side = -(-self.max_size // TILE)
        points = (TILE * side + 3) * self.stride + MAX_BLOCK
        tiles, c = side * side + MAX_BLOCK, self.channels
        return [
            ("board", "f4", (points, self.planes)),
            ("about", "f4", (self.globals,)),
            ("nothing", "f4", (points, c)),  # zeros
            ("start", "f4", (c,)),  # bias of the stem
            ("trunk", "f4", (1, points, c)),
            ("hidden", "f4", (1, points, c)),
            ("policies", "f4", (1, points, c)),
            ("seen", "f4", (PARTS, tiles, self.planes)),
            ("transforms", "f4", (PARTS, tiles, c)),
            ("products", "f4", (PARTS, tiles, c)),
            ("summary", "f4", (2 * c,)),
            ("head", "f4", (c,)),
            ("values", "f4", (2,)),  # WIN, and the score
            ("logits", "f4", (points + 1,)),  # of all points, by their places; at last that of a pass
            ("board_size", "i8"),  # of the board in the planes
        ]

    @property
    def limits(self) -> dict[str, int]:
        """Nothing: `fault` checks sizes."""
        return {}

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The record that kernels take: convolutions transformed, the other numbers, working memory."""
        fields: list[Any] = [("window", "i8")]
        for name, (kind, shape) in self.numbers.items():
            if name in CONVOLUTIONS:
                shape = (*shape[:-4], PARTS, *shape[-2:])
            fields.append((name, kind, shape))
        return record([*fields, *self.memory])

    def record(self, net: Net | None) -> Any:
        """Return the record of a net; without one, a record that says so."""
        made = np.zeros(1, self.dtype)[0]
        for name, array in (net.numbers if net else {}).items():
            if name not in CONVOLUTIONS:
                made[name] = array
            elif array.ndim == 4:
                made[name] = transform_weights(array)
            else:
                made[name] = np.stack([transform_weights(weights) for weights in array])
        made["window"] = self.window if net else 0
        return made

    def fault(self, numbers: Numbers) -> str | None:
        """Return in words what is wrong with `numbers`; None if nothing is."""
        if fault := super().fault(numbers):
            return fault
        for name, array in numbers.items():
            if not np.all(np.abs(array) <= MAX_NUMBER):
                return f"{name}: expected numbers up to {MAX_NUMBER:g}, got others"
        low, high = numbers["sizes"].tolist()
        if not 2 <= low <= high <= self.max_size:
            return f"sizes: expected two from 2 to {self.max_size} in ascending order, got {low} and {high}"
        for low, high in numbers["komis"].tolist():
            if low > high and (low, high) != NO_KOMI:
                return f"komis: expected two in ascending order, or 1 and 0, got {low} and {high}"
        share = float(numbers["share"][0])
        if not 0 <= share < 1:
            return f"share: expected a number from 0 to less than 1, got {share:g}"
        return None


def stride_of(size: int) -> int:
    """Return the points from one row of a board to the next."""
    return TILE * -(-size // TILE) + 1


# ------------------------------------------------------------------------------------------------------------
# Kernels. `net` is a record of `ConvolutionShape.dtype`, `size` (int64) the points on a side of the board.


@kernel
def place(size, x, y):
    """Return the place (int64) of column `x`, row `y`, both from 0, in the planes of a board."""
    stride = (size + TILE - 1) // TILE * TILE + 1
    return (y + 1) * stride + x + 1


@kernel
def clear_outside(plane, size):
    """Set the points of the tiles that lie beyond a board to 0; `plane` is float32 (points, channels)."""
    side = (size + TILE - 1) // TILE * TILE
    for y in range(side):
        for x in range(size if y < size else 0, side):
            p = place(size, x, y)
            for c in range(plane.shape[1]):
                plane[p, c] = np.float32(0.0)


@kernel
def pool(plane, size, summary):
    """Write the means of all channels over the board, then their maxima, into `summary` (float32)."""
    channels = plane.shape[1]
    for c in range(channels):
        summary[c] = np.float32(0.0)
        summary[channels + c] = plane[place(size, 0, 0), c]
    for y in range(size):
        for x in range(size):
            p = place(size, x, y)
            for c in range(channels):
                number = plane[p, c]
                summary[c] += number
                summary[channels + c] = max(summary[channels + c], number)
    area = np.float32(size * size)
    for c in range(channels):
        summary[c] /= area


@kernel
def add_product(numbers, weights, first, sums):
    """Add `numbers` times the rows of `weights` from `first` on to `sums`; all are float32."""
    for i in range(numbers.size):
        for c in range(sums.size):
            sums[c] += numbers[i] * weights[first + i, c]


@kernel
def convolve(net, source, weights, transforms, bias, residual, target, size):
    """Write the convolution of a plane plus bias and residual, or 0 if negative, to `target`.

    Parameters
    ----------
    net : record
        Its ``products`` are scratch.
    source, residual, target : float32 arrays, shape (points, channels)
        The last two may be the same.
    weights : float32 array, shape (`PARTS`, inputs, outputs)
        Transformed.
    transforms : float32 array, shape (`PARTS`, tiles, inputs)
        Scratch.
    bias : float32 array, shape (outputs,)
    size : int64
    """
    side = (size + TILE - 1) // TILE
    stride, first = side * TILE + 1, place(size, 0, 0)
    transform_tiles(source, first, stride, side, transforms)
    multiply(transforms, weights, side * side, net.products)
    restore_tiles(net.products, bias, residual, first, stride, side, target)
    clear_outside(target, size)


@kernel
def run_stem(net, size):
    """Calculate ``net.trunk`` from the planes and the numbers about the position."""
    for c in range(net.start.size):
        net.start[c] = net.stem_bias[c]
    add_product(net.about, net.stem_globals, np.int64(0), net.start)
    convolve(net, net.board, net.stem, net.seen, net.start, net.nothing, net.trunk[0], size)


@kernel
def run_blocks(net, size):
    """Calculate all residual blocks."""
    trunk, hidden, scratch = net.trunk[0], net.hidden[0], net.transforms
    for b in range(net.first_bias.shape[0]):
        convolve(net, trunk, net.first[b], scratch, net.first_bias[b], net.nothing, hidden, size)
        if b & 1:
            pool(hidden, size, net.summary)
            for c in range(net.head.size):
                net.head[c] = np.float32(0.0)
            add_product(net.summary, net.pooled[b >> 1], np.int64(0), net.head)
            for y in range(size):
                for x in range(size):
                    p = place(size, x, y)
                    for c in range(net.head.size):
                        hidden[p, c] += net.head[c]
        convolve(net, hidden, net.second[b], scratch, net.second_bias[b], trunk, trunk, size)


@kernel
def run_value(net):
    """Calculate ``net.values`` from the summary of the trunk."""
    head = net.head
    for c in range(head.size):
        head[c] = net.value_bias[c]
    add_product(net.summary, net.value, np.int64(0), head)
    add_product(net.about, net.value, np.int64(net.summary.size), head)
    for k in range(2):
        total = net.value_output_bias[k]
        for c in range(head.size):
            total += max(head[c], np.float32(0.0)) * net.value_output[c, k]
        net.values[k] = total


@kernel
def run_policy(net, size):
    """Calculate ``net.logits`` from the trunk and its summary."""
    head, policies = net.head, net.policies[0]
    for c in range(head.size):
        head[c] = net.policy_bias[c]
    add_product(net.summary, net.policy_pooled, np.int64(0), head)
    multiply(net.trunk, net.policy, place(size, size, size - 1), net.policies)
    for y in range(size):
        for x in range(size):
            p = place(size, x, y)
            total = np.float32(0.0)
            for c in range(head.size):
                total += max(policies[p, c] + head[c], np.float32(0.0)) * net.policy_output[c]
            net.logits[p] = total
    total = net.passing_bias[0]
    for c in range(net.summary.size):
        total += net.summary[c] * net.passing[c]
    net.logits[net.logits.size - 1] = total


@kernel
def set_size(net, size):
    """Prepare ``net`` for boards of `size`: all that lies around the board is 0."""
    if net.board_size != size:
        net.board_size = size
        net.board[:] = np.float32(0.0)
        net.trunk[:] = np.float32(0.0)
        net.hidden[:] = np.float32(0.0)


@kernel
def run(net, size):
    """Calculate ``net.values`` and ``net.logits`` of the position in ``net.board`` and ``net.about``.

    Before the planes are written, `set_size` clears them if the size has changed.
    """
    run_stem(net, size)
    run_blocks(net, size)
    pool(net.trunk[0], size, net.summary)
    run_value(net)
    run_policy(net, size)
