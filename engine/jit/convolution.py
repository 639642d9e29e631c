"""Intrinsics for convolutions of 3x3 points, by tiles, in vectors of `FLOATS` float32 numbers.

A plane of numbers is an array of shape (points, channels), row by row with a stride. It is cut into tiles of
`TILE` x `TILE` points. The convolution of a tile is a product, number by number, of its transform with that
of the weights, followed by another transform: 25 products for 9 points instead of 81. The transforms are
those of Cook and Toom for the points 0, 1, -1, 2 and infinity.

In the products, sums stay in registers: a block of some tiles by some vectors of outputs, each number of a
tile times whole vectors of weights. How large a block may be depends on the registers of the processor.
Vectors that are wider than those of the processor are split up.

Source: Lavin and Gray, Fast algorithms for convolutional neural networks (2016).
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.np.arrayobj import populate_array

from tengen.engine.jit.intrinsics import COMPILED

FLOATS = 16  # float32 numbers in a vector; numbers of channels are multiples of this, of outputs of twice it
TILE = 3  # points on a side of a tile
SPAN = TILE + 2  # points on a side of what a tile sees
PARTS = SPAN * SPAN  # numbers of a transform
MAX_BLOCK = 9  # greatest number of tiles that are multiplied together
_WIDE_BLOCK, _NARROW_BLOCK = (9, 2), (5, 1)  # tiles and vectors of a block with AVX-512, without it
_CONTRACT = ("contract",)  # a product and a sum may become one instruction

SEEN = np.array(  # transforms what a tile sees, from both sides
    [[2, -1, -2, 1, 0], [0, -2, -1, 1, 0], [0, 2, -3, 1, 0], [0, -1, 0, 1, 0], [0, 2, -1, -2, 1]], np.float32
)
RESTORED = np.array([[1, 1, 1, 1, 0], [0, 1, -1, 2, 0], [0, 1, 1, 4, 1]], np.float32)  # the products
WEIGHTS = np.array(  # the weights; in float64, as this is done once
    [[1 / 2, 0, 0], [-1 / 2, -1 / 2, -1 / 2], [-1 / 6, 1 / 6, -1 / 6], [1 / 6, 1 / 3, 2 / 3], [0, 0, 1]]
)


def transform_weights(weights: Any) -> Any:
    """Return the transform (float32, shape (`PARTS`, inputs, outputs)) of weights of shape (3, 3, ...)."""
    made = np.einsum("ay,bx,yxio->abio", WEIGHTS, WEIGHTS, weights.astype(np.float64))
    return made.reshape(PARTS, *weights.shape[2:]).astype(np.float32)


if COMPILED:
    from tengen.engine.jit.intrinsics import _INT, _data, _intrinsic, _repeated

    _WORD, _VECTOR = ir.IntType(64), ir.VectorType(ir.FloatType(), FLOATS)

    def _number(value: int) -> Any:
        return ir.Constant(_WORD, value)

    def _extents(context: Any, builder: Any, kind: Any, array: Any) -> list[Any]:
        """Return the lengths of an array's axes."""
        lengths: list[Any] = cgutils.unpack_tuple(
            builder, context.make_array(kind)(context, builder, array).shape
        )
        return lengths

    def _place(builder: Any, data: Any, number: Any) -> Any:
        """Return the pointer to the vector that begins with this number (int64) of an array."""
        return builder.bitcast(builder.gep(data, [number]), _VECTOR.as_pointer())

    def _combined(builder: Any, coefficients: Any, vectors: list[Any]) -> Any:
        """Return the sum of vectors, each times its coefficient."""
        total = None
        for coefficient, vector in zip(coefficients.tolist(), vectors, strict=True):
            if coefficient == 0:
                continue
            part = vector
            if abs(coefficient) != 1:
                factor = ir.Constant(_VECTOR, [abs(coefficient)] * FLOATS)
                part = builder.fmul(vector, factor, flags=_CONTRACT)
            if total is None:
                total = part if coefficient > 0 else builder.fneg(part)
            else:
                join = builder.fadd if coefficient > 0 else builder.fsub
                total = join(total, part, flags=_CONTRACT)
        return total

    def _transformed(builder: Any, matrix: Any, square: list[list[Any]]) -> list[list[Any]]:
        """Return `matrix` times a square of vectors times the transposed matrix."""
        columns = [
            [_combined(builder, row, [line[x] for line in square]) for row in matrix] for x in range(SPAN)
        ]
        return [
            [_combined(builder, row, [column[y] for column in columns]) for row in matrix]
            for y in range(len(matrix))
        ]

    def _each_tile(
        builder: Any, side: Any, channels: Any, work: Callable[[Any, Any, Any, Any], None]
    ) -> None:
        """Generate `work` for every tile and vector: its row, its column, its number, the first channel."""
        vectors = builder.sdiv(channels, _number(FLOATS))
        with (
            cgutils.for_range(builder, side, intp=_WORD) as y,
            cgutils.for_range(builder, side, intp=_WORD) as x,
            cgutils.for_range(builder, vectors, intp=_WORD) as v,
        ):
            tile = builder.add(builder.mul(y.index, side), x.index)
            work(y.index, x.index, tile, builder.mul(v.index, _number(FLOATS)))

    def _corner(builder: Any, first: Any, stride: Any, y: Any, x: Any) -> Any:
        """Return the first point of the tile in this row and column."""
        down = builder.mul(builder.mul(y, _number(TILE)), stride)
        return builder.add(builder.add(first, down), builder.mul(x, _number(TILE)))

    @_intrinsic(
        lambda numbers, first, shape: types.Array(numbers.dtype, shape.count, "C")(
            numbers, types.int64, types.containers.UniTuple(types.int64, shape.count)
        )
    )
    def view(context: Any, builder: Any, signature: Any, numbers: Any, first: Any, shape: Any) -> Any:
        """Return numbers of an array of one dimension, from `first` (int64) on, as one of this shape."""
        kind = signature.return_type
        made = context.make_array(kind)(context, builder)
        size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        lengths = cgutils.unpack_tuple(builder, shape)
        strides = [_number(size)]
        for length in reversed(lengths[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        data = builder.gep(_data(context, builder, signature.args[0], numbers), [first])
        populate_array(made, data, lengths, strides, _number(size), meminfo=None)
        return made._getvalue()

    @_intrinsic(lambda source, first, stride, side, target: types.void(source, _INT, _INT, _INT, target))
    def transform_tiles(
        context: Any,
        builder: Any,
        signature: Any,
        source: Any,
        first: Any,
        stride: Any,
        side: Any,
        target: Any,
    ) -> Any:
        """Write the transforms of what all tiles see.

        Parameters
        ----------
        source : float32 array, shape (points, channels)
        first, stride : int64
            The first point of the first tile, and the points from one row to the next.
        side : int64
            Tiles on a side.
        target : float32 array, shape (`PARTS`, tiles, channels)
        """
        kinds = signature.args
        data, made = _data(context, builder, kinds[0], source), _data(context, builder, kinds[4], target)
        _, tiles, channels = _extents(context, builder, kinds[4], target)

        def work(y: Any, x: Any, tile: Any, channel: Any) -> None:
            corner = builder.sub(_corner(builder, first, stride, y, x), builder.add(stride, _number(1)))
            square = []
            for i in range(SPAN):
                row = builder.add(corner, builder.mul(stride, _number(i)))
                points = [builder.add(row, _number(j)) for j in range(SPAN)]
                places = [builder.add(builder.mul(point, channels), channel) for point in points]
                square.append([builder.load(_place(builder, data, place), align=4) for place in places])
            for i, line in enumerate(_transformed(builder, SEEN, square)):
                for j, vector in enumerate(line):
                    number = builder.add(builder.mul(tiles, _number(SPAN * i + j)), tile)
                    place = builder.add(builder.mul(number, channels), channel)
                    builder.store(vector, _place(builder, made, place), align=4)

        _each_tile(builder, side, channels, work)
        return context.get_dummy_value()

    @_intrinsic(lambda source, weights, count, target: types.void(source, weights, types.int64, target))
    def multiply(
        context: Any, builder: Any, signature: Any, source: Any, weights: Any, count: Any, target: Any
    ) -> Any:
        """Multiply matrices, one for each part: rows of inputs times weights.

        Parameters
        ----------
        source : float32 array, shape (parts, rows, inputs)
        weights : float32 array, shape (parts, inputs, outputs)
        count : int64
            How many rows; up to `MAX_BLOCK` - 1 more are read and written.
        target : float32 array, shape (parts, rows, outputs)
        """
        kinds = signature.args
        given = ((0, source), (1, weights), (3, target))
        data, factors, made = (_data(context, builder, kinds[i], array) for i, array in given)
        parts, inputs, outputs = _extents(context, builder, kinds[1], weights)
        _, rows, _ = _extents(context, builder, kinds[3], target)
        avx512 = "+avx512f" in context.codegen().magic_tuple()[2]
        height, width = _WIDE_BLOCK if avx512 else _NARROW_BLOCK
        sums = [[cgutils.alloca_once(builder, _VECTOR) for _ in range(width)] for _ in range(height)]

        def block(part: Any, row: Any, output: Any) -> None:
            """Calculate a block of sums, from this row and output on."""
            for line in sums:
                for total in line:
                    builder.store(ir.Constant(_VECTOR, None), total)
            begin = builder.add(builder.mul(part, rows), row)
            lines = [builder.add(begin, _number(p)) for p in range(height)]
            origins = [builder.mul(line, inputs) for line in lines]
            table = builder.mul(part, inputs)
            with cgutils.for_range(builder, inputs, intp=_WORD) as of:
                start = builder.add(builder.mul(builder.add(table, of.index), outputs), output)
                vectors = [
                    builder.load(_place(builder, factors, builder.add(start, _number(v * FLOATS))), align=4)
                    for v in range(width)
                ]
                for origin, line in zip(origins, sums, strict=True):
                    place = builder.gep(data, [builder.add(origin, of.index)])
                    value = _repeated(builder, builder.load(place, align=4), FLOATS)
                    for vector, total in zip(vectors, line, strict=True):
                        product = builder.fmul(value, vector, flags=_CONTRACT)
                        builder.store(builder.fadd(builder.load(total), product, flags=_CONTRACT), total)
            for number, line in zip(lines, sums, strict=True):
                start = builder.add(builder.mul(number, outputs), output)
                for v, total in enumerate(line):
                    place = _place(builder, made, builder.add(start, _number(v * FLOATS)))
                    builder.store(builder.load(total), place, align=4)

        blocks = builder.sdiv(builder.add(count, _number(height - 1)), _number(height))
        groups = builder.sdiv(outputs, _number(width * FLOATS))
        with (
            cgutils.for_range(builder, parts, intp=_WORD) as part,
            cgutils.for_range(builder, groups, intp=_WORD) as group,
            cgutils.for_range(builder, blocks, intp=_WORD) as at,
        ):
            output = builder.mul(group.index, _number(width * FLOATS))
            block(part.index, builder.mul(at.index, _number(height)), output)
        return context.get_dummy_value()

    @_intrinsic(
        lambda products, bias, residual, first, stride, side, target: types.void(
            products, bias, residual, _INT, _INT, _INT, target
        )
    )
    def restore_tiles(
        context: Any,
        builder: Any,
        signature: Any,
        products: Any,
        bias: Any,
        residual: Any,
        first: Any,
        stride: Any,
        side: Any,
        target: Any,
    ) -> Any:
        """Write the points of all tiles: bias + residual + transform of the products, or 0 if negative.

        Parameters
        ----------
        products : float32 array, shape (`PARTS`, tiles, channels)
        bias : float32 array, shape (channels,)
        residual, target : float32 arrays, shape (points, channels)
            They may be the same.
        first, stride, side : int64
            See `transform_tiles`.
        """
        kinds = signature.args
        given = ((0, products), (1, bias), (2, residual), (6, target))
        data, begin, old, made = (_data(context, builder, kinds[i], array) for i, array in given)
        _, tiles, channels = _extents(context, builder, kinds[0], products)
        nothing = ir.Constant(_VECTOR, None)

        def work(y: Any, x: Any, tile: Any, channel: Any) -> None:
            square = []
            for i in range(SPAN):
                parts = [builder.mul(tiles, _number(SPAN * i + j)) for j in range(SPAN)]
                places = [
                    builder.add(builder.mul(builder.add(part, tile), channels), channel) for part in parts
                ]
                square.append([builder.load(_place(builder, data, place), align=4) for place in places])
            corner = _corner(builder, first, stride, y, x)
            always = builder.load(_place(builder, begin, channel), align=4)
            for i, line in enumerate(_transformed(builder, RESTORED, square)):
                row = builder.add(corner, builder.mul(stride, _number(i)))
                for j, vector in enumerate(line):
                    point = builder.mul(builder.add(row, _number(j)), channels)
                    place = builder.add(point, channel)
                    before = builder.load(_place(builder, old, place), align=4)
                    total = builder.fadd(vector, builder.fadd(always, before))
                    positive = builder.fcmp_ordered(">", total, nothing)
                    found = builder.select(positive, total, nothing)
                    builder.store(found, _place(builder, made, place), align=4)

        _each_tile(builder, side, channels, work)
        return context.get_dummy_value()

else:

    def view(numbers: Any, first: Any, shape: Any) -> Any:
        """Return numbers of an array of one dimension, from `first` on, as one of this shape."""
        return numbers[first : first + math.prod(shape)].reshape(shape)

    def _squares(first: Any, stride: Any, side: Any, span: int) -> Any:
        """Return the points (int64, shape (tiles, span, span)) of squares that begin where the tiles do."""
        steps = np.arange(side) * TILE
        corners = (first + steps[:, None] * stride + steps).ravel()
        within = np.arange(span)
        return corners[:, None, None] + within[:, None] * stride + within

    def transform_tiles(source: Any, first: Any, stride: Any, side: Any, target: Any) -> None:
        """Write the transforms of what all tiles see."""
        seen = source[_squares(int(first) - int(stride) - 1, int(stride), int(side), SPAN)]
        made = np.einsum("ay,bx,tyxc->abtc", SEEN, SEEN, seen)
        target[:, : side * side] = made.reshape(PARTS, side * side, -1)

    def multiply(source: Any, weights: Any, count: Any, target: Any) -> None:
        """Multiply matrices, one for each part: rows of inputs times weights."""
        target[:, :count] = source[:, :count] @ weights

    def restore_tiles(
        products: Any, bias: Any, residual: Any, first: Any, stride: Any, side: Any, target: Any
    ) -> None:
        """Write the points of all tiles: bias + residual + transform of the products, or 0 if negative."""
        square = products[:, : side * side].reshape(SPAN, SPAN, side * side, -1)
        found = np.einsum("ya,xb,abtc->tyxc", RESTORED, RESTORED, square)
        points = _squares(int(first), int(stride), int(side), TILE)
        target[points] = np.maximum(found + bias + residual[points], 0)
