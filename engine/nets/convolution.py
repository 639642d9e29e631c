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

Nets of one game may have different numbers of blocks and channels. Their records are of one type, in which
arrays that depend on them lie one after another: kernels are compiled once.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from tengen.engine.errors import OptionError
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
    view,
)
from tengen.engine.nets.correction import Net, Numbers, Shape

SCORE_UNIT = 10.0  # points
MAX_NUMBER = 1e4  # greatest size of a number
CHANNELS = 32  # numbers of channels are multiples of it
WIN, SCORE = 0, 1  # outputs of the value's head
NO_KOMI = (1, 0)  # lowest and highest komi where there is none
CONVOLUTIONS = ("stem", "first", "second")  # whose weights are transformed for the kernels
USAGE = ("share", "search", "sizes", "komis")  # numbers that tell how a net is used
LAYERS = (  # names of the other numbers that kernels use, in the order in which a record has them
    *("stem", "stem_bias", "stem_globals", "first", "first_bias", "second", "second_bias", "pooled"),
    *("policy", "policy_bias", "policy_pooled", "policy_output", "passing", "passing_bias"),
    *("value", "value_bias", "value_output", "value_output_bias"),
)
STEM, STEM_BIAS, STEM_GLOBALS, FIRST, FIRST_BIAS, SECOND, SECOND_BIAS, POOLED, *_HEADS = range(len(LAYERS))
POLICY, POLICY_BIAS, POLICY_POOLED, POLICY_OUTPUT, PASSING, PASSING_BIAS, *_VALUES = _HEADS
VALUE, VALUE_BIAS, VALUE_OUTPUT, VALUE_OUTPUT_BIAS = _VALUES


@dataclass(frozen=True)
class ConvolutionShape(Shape):
    """The declaration of a convolutional net.

    In its record ``window`` is 1 with a net and 0 without one.
    """

    planes: int  # a multiple of 16
    globals: int  # numbers about the whole position
    blocks: int  # residual blocks
    channels: int  # a multiple of `CHANNELS`
    max_size: int  # points on a side of the largest board
    max_blocks: int = 0  # that a record has room for
    max_channels: int = 0
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
        return TILE * -(-self.max_size // TILE) + 1

    def fitted(self, size: Callable[[str], tuple[int, ...]]) -> Self:
        """Return the shape of a net whose arrays, by name, have this `size`; this one where no net has it."""
        first = size("first")
        try:
            return self.resized(first[0], first[-1]) if len(first) == 5 else self
        except OptionError:
            return self

    def resized(self, blocks: int, channels: int) -> Self:
        """Return the shape with so many blocks and channels; OptionError where there is no room for them."""
        if not 1 <= blocks <= self.max_blocks:
            raise OptionError(f"blocks: expected 1 to {self.max_blocks}, got {blocks}")
        if channels not in range(CHANNELS, self.max_channels + 1, CHANNELS):
            limit = f"a multiple of {CHANNELS} up to {self.max_channels}"
            raise OptionError(f"channels: expected {limit}, got {channels}")
        return replace(self, blocks=blocks, channels=channels)

    @property
    def memory(self) -> list[Any]:
        """Planes, layers, transforms and heads; with room for the greatest number of channels."""
        side = -(-self.max_size // TILE)
        points = (TILE * side + 3) * self.stride + MAX_BLOCK
        tiles, c = side * side + MAX_BLOCK, self.max_channels
        return [
            ("board", "f4", (points, self.planes)),
            ("about", "f4", (self.globals,)),
            ("nothing", "f4", (points * c,)),  # zeros
            ("start", "f4", (c,)),  # bias of the stem
            ("trunk", "f4", (points * c,)),
            ("hidden", "f4", (points * c,)),
            ("policies", "f4", (points * c,)),
            ("seen", "f4", (PARTS, tiles, self.planes)),
            ("transforms", "f4", (PARTS * tiles * c,)),
            ("products", "f4", (PARTS * tiles * c,)),
            ("summary", "f4", (2 * c,)),
            ("head", "f4", (c,)),
            ("values", "f4", (2,)),  # WIN, and the score
            ("logits", "f4", (points + 1,)),  # of all points, by their places; at last that of a pass
            ("board_size", "i8"),  # of the board in the planes
        ]

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The record that kernels take, for nets of all sizes: see the class, and `LAYERS`."""
        largest = replace(self, blocks=self.max_blocks, channels=self.max_channels)
        fields: list[Any] = [("window", "i8"), ("blocks", "i8"), ("channels", "i8")]
        fields += [(name, *self.numbers[name]) for name in USAGE]
        fields += [("places", "i8", (len(LAYERS),)), ("layers", "f4", (sum(largest.lengths),))]
        return record([*fields, *self.memory])

    @property
    def lengths(self) -> list[int]:
        """How many numbers each of `LAYERS` has, those of convolutions transformed."""
        found = []
        for name in LAYERS:
            size = self.numbers[name][1]
            found.append(math.prod((*size[:-4], PARTS, *size[-2:]) if name in CONVOLUTIONS else size))
        return found

    def record(self, net: Net | None) -> Any:
        """Return the record of a net of any size; without one, a record that says so."""
        made = np.zeros(1, self.dtype)[0]
        if net is None:
            return made
        shape = self.fitted(net.size)
        for name in USAGE:
            made[name] = net.numbers[name]
        begin = 0
        for i, (name, length) in enumerate(zip(LAYERS, shape.lengths, strict=True)):
            array = net.numbers[name]
            if name in CONVOLUTIONS:
                every = array.reshape(-1, *array.shape[-4:])
                array = np.stack([transform_weights(weights) for weights in every])
            made["places"][i] = begin
            made["layers"][begin : begin + length] = array.ravel()
            begin += length
        made["window"], made["blocks"], made["channels"] = self.window, shape.blocks, shape.channels
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


# ------------------------------------------------------------------------------------------------------------
# Kernels. `net` is a record of `ConvolutionShape.dtype`, `size` (int64) the points on a side of the board.


@kernel
def place(size, x, y):
    """Return the place (int64) of column `x`, row `y`, both from 0, in the planes of a board."""
    stride = (size + TILE - 1) // TILE * TILE + 1
    return (y + 1) * stride + x + 1


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
def part_of(net, layer, number, shape):
    """Return one of the arrays (float32) of this shape that a layer has."""
    size = np.int64(1)
    for length in shape:
        size *= length
    return view(net.layers, net.places[layer] + number * size, shape)


@kernel
def plane_of(net, memory):
    """Return a part of the memory of ``net`` as a plane (float32, shape (points, channels))."""
    return view(memory, np.int64(0), (np.int64(net.board.shape[0]), np.int64(net.channels)))


@kernel
def tiles_of(net, memory):
    """Return a part of the memory of ``net`` as transforms (float32, shape (`PARTS`, tiles, channels))."""
    return view(memory, np.int64(0), (np.int64(PARTS), np.int64(net.seen.shape[1]), np.int64(net.channels)))


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
    products = tiles_of(net, net.products)
    transform_tiles(source, first, stride, side, transforms)
    multiply(transforms, weights, side * side, products)
    restore_tiles(products, bias, residual, first, stride, side, target)
    for y in range(side * TILE):  # the points of the tiles that lie beyond the board are 0
        for x in range(size if y < size else 0, side * TILE):
            p = place(size, x, y)
            for c in range(target.shape[1]):
                target[p, c] = np.float32(0.0)


@kernel
def run_stem(net, size):
    """Calculate the trunk from the planes and the numbers about the position."""
    channels = np.int64(net.channels)
    start, bias = view(net.start, np.int64(0), (channels,)), part_of(net, STEM_BIAS, 0, (channels,))
    for c in range(start.size):
        start[c] = bias[c]
    told = part_of(net, STEM_GLOBALS, 0, (np.int64(net.about.size), channels))
    add_product(net.about, told, np.int64(0), start)
    weights = part_of(net, STEM, 0, (np.int64(PARTS), np.int64(net.board.shape[1]), channels))
    trunk = plane_of(net, net.trunk)
    convolve(net, net.board, weights, net.seen, start, plane_of(net, net.nothing), trunk, size)


@kernel
def run_blocks(net, size):
    """Calculate all residual blocks."""
    channels = np.int64(net.channels)
    trunk, hidden, nothing = plane_of(net, net.trunk), plane_of(net, net.hidden), plane_of(net, net.nothing)
    scratch, head = tiles_of(net, net.transforms), view(net.head, np.int64(0), (channels,))
    summary = view(net.summary, np.int64(0), (2 * channels,))
    for b in range(np.int64(net.blocks)):
        weights = part_of(net, FIRST, b, (np.int64(PARTS), channels, channels))
        bias = part_of(net, FIRST_BIAS, b, (channels,))
        convolve(net, trunk, weights, scratch, bias, nothing, hidden, size)
        if b & 1:
            pool(hidden, size, summary)
            for c in range(channels):
                head[c] = np.float32(0.0)
            add_product(summary, part_of(net, POOLED, b >> 1, (2 * channels, channels)), np.int64(0), head)
            for y in range(size):
                for x in range(size):
                    p = place(size, x, y)
                    for c in range(channels):
                        hidden[p, c] += head[c]
        weights = part_of(net, SECOND, b, (np.int64(PARTS), channels, channels))
        bias = part_of(net, SECOND_BIAS, b, (channels,))
        convolve(net, hidden, weights, scratch, bias, trunk, trunk, size)


@kernel
def run_value(net):
    """Calculate ``net.values`` from the summary of the trunk."""
    channels, count = np.int64(net.channels), np.int64(net.values.size)
    head, summary = view(net.head, np.int64(0), (channels,)), view(net.summary, np.int64(0), (2 * channels,))
    bias, inputs = part_of(net, VALUE_BIAS, 0, (channels,)), 2 * channels + np.int64(net.about.size)
    weights = part_of(net, VALUE, 0, (inputs, channels))
    for c in range(channels):
        head[c] = bias[c]
    add_product(summary, weights, np.int64(0), head)
    add_product(net.about, weights, 2 * channels, head)
    output = part_of(net, VALUE_OUTPUT, 0, (channels, count))
    for k in range(count):
        total = net.layers[net.places[VALUE_OUTPUT_BIAS] + k]
        for c in range(channels):
            total += max(head[c], np.float32(0.0)) * output[c, k]
        net.values[k] = total


@kernel
def run_policy(net, size):
    """Calculate ``net.logits`` from the trunk and its summary."""
    channels, points = np.int64(net.channels), np.int64(net.board.shape[0])
    head, summary = view(net.head, np.int64(0), (channels,)), view(net.summary, np.int64(0), (2 * channels,))
    bias, output = part_of(net, POLICY_BIAS, 0, (channels,)), part_of(net, POLICY_OUTPUT, 0, (channels,))
    for c in range(channels):
        head[c] = bias[c]
    add_product(summary, part_of(net, POLICY_POOLED, 0, (2 * channels, channels)), np.int64(0), head)
    trunk = view(net.trunk, np.int64(0), (np.int64(1), points, channels))
    found = view(net.policies, np.int64(0), (np.int64(1), points, channels))
    weights = part_of(net, POLICY, 0, (np.int64(1), channels, channels))
    multiply(trunk, weights, place(size, size, size - 1), found)
    policies = plane_of(net, net.policies)
    for y in range(size):
        for x in range(size):
            p = place(size, x, y)
            total = np.float32(0.0)
            for c in range(channels):
                total += max(policies[p, c] + head[c], np.float32(0.0)) * output[c]
            net.logits[p] = total
    passing = part_of(net, PASSING, 0, (2 * channels,))
    total = net.layers[net.places[PASSING_BIAS]]
    for c in range(summary.size):
        total += summary[c] * passing[c]
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
    pool(plane_of(net, net.trunk), size, view(net.summary, np.int64(0), (2 * np.int64(net.channels),)))
    run_value(net)
    run_policy(net, size)
