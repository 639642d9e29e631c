"""Intrinsics that kernels call: bits, and memory words that threads share."""

import ctypes
import inspect
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

COMPILED: bool = not numba.config.DISABLE_JIT
ONE = np.uint64(1)
LANES = 16  # int16 numbers in a vector
CLOCK: int | None = getattr(time, "CLOCK_MONOTONIC", None)  # that kernels can read; some systems have none
PROCESSOR_CLOCK: int | None = getattr(time, "CLOCK_PROCESS_CPUTIME_ID", None)

_INT = types.int64
_Function = Callable[..., Any]


def _intrinsic(types_of: _Function) -> Callable[[_Function], Any]:
    """Make a code generator callable from kernels; `types_of` the arguments returns its signature."""

    def decorated(codegen: _Function) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return codegen(context, builder, signature, *args)

        def typed(typingctx: Any, *kinds: Any) -> Any:
            return types_of(*kinds), generate

        of_numba = inspect.Parameter("typingctx", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        typed.__name__, typed.__doc__ = codegen.__name__, codegen.__doc__
        typed.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [of_numba, *inspect.signature(types_of).parameters.values()]
        )
        return intrinsic(typed)

    return decorated


if COMPILED:

    @_intrinsic(lambda x: types.int64(types.uint64))
    def popcount(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Return the number of set bits of a uint64, as int64."""
        return builder.ctpop(args[0])

    @_intrinsic(lambda x: types.uint64(types.uint64))
    def lsb(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Return the index of the lowest set bit of a non-zero uint64, as uint64."""
        return builder.cttz(args[0], cgutils.true_bit)

    @_intrinsic(lambda x: types.uint64(types.uint64))
    def msb(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Return the index of the highest set bit of a non-zero uint64, as uint64."""
        return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(args[0], cgutils.true_bit))

    def _address(builder: Any, address: Any) -> Any:
        return builder.inttoptr(address, ir.IntType(64).as_pointer())

    @_intrinsic(lambda address: types.uint64(types.uint64))
    def load_word(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Return the uint64 at a memory address; the atomic load is never hoisted out of a loop."""
        return builder.load_atomic(_address(builder, args[0]), ordering="monotonic", align=8)

    @_intrinsic(lambda clock: types.uint64(types.uint64))
    def clock_time(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Return the nanoseconds of a clock such as `CLOCK` as uint64; 0 on systems without clocks."""
        word, number = ir.IntType(64), ir.IntType(32)
        if CLOCK is None:
            return ir.Constant(word, 0)
        reading = cgutils.alloca_once(builder, ir.ArrayType(word, 2))  # struct timespec
        kind = ir.FunctionType(number, [number, reading.type])
        read = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(read, [builder.trunc(args[0], number), reading])
        seconds, rest = (builder.extract_value(builder.load(reading), place) for place in range(2))
        return builder.add(builder.mul(seconds, ir.Constant(word, 1_000_000_000)), rest)

    @_intrinsic(lambda address, value: types.void(types.uint64, types.uint64))
    def store_word(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Write a uint64 to a memory address, atomically (relaxed)."""
        builder.store_atomic(args[1], _address(builder, args[0]), ordering="monotonic", align=8)
        return context.get_dummy_value()

    @_intrinsic(lambda address: types.void(types.uint64))
    def prefetch(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Fetch the cache line at a memory address, which is to be read soon."""
        number = ir.IntType(32)
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        reading, all_caches, data = number(0), number(3), number(1)
        builder.call(function, [pointer, reading, all_caches, data])
        return context.get_dummy_value()

    def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
        """Return the pointer to the data of an array."""
        return context.make_array(kind)(context, builder, array).data

    def _vector(builder: Any, data: Any, first: Any = None) -> Any:
        """Return the pointer to the vector at `data`, or at the number `first` from there."""
        place = data if first is None else builder.gep(data, [first])
        return builder.bitcast(place, ir.VectorType(ir.IntType(16), LANES).as_pointer())

    def _load(builder: Any, data: Any, first: Any = None) -> Any:
        """Return the vector at `data`, or at the number `first` from there."""
        return builder.load(_vector(builder, data, first), align=2)

    @_intrinsic(lambda rows, indices, count, total: types.void(rows, indices, types.int64, total))
    def sum_rows(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Add the rows of int16 numbers that the first `count` indices name to the vector `total`."""
        table, places, _, result = (
            _data(context, builder, kind, array) if isinstance(kind, types.Array) else array
            for kind, array in zip(signature.args, args, strict=True)
        )
        word = ir.IntType(64)
        partial = cgutils.alloca_once_value(builder, _load(builder, result))
        with cgutils.for_range(builder, args[2], intp=word) as loop:
            row = builder.zext(builder.load(builder.gep(places, [loop.index]), align=2), word)
            first = builder.mul(row, ir.Constant(word, LANES))
            numbers = _load(builder, table, first)
            builder.store(builder.add(builder.load(partial), numbers), partial)
        builder.store(builder.load(partial), _vector(builder, result), align=2)
        return context.get_dummy_value()

    def _inner_product(builder: Any, left: Any, right: Any) -> Any:
        """Return the inner product (int64) of two vectors."""
        half = ir.VectorType(ir.IntType(32), LANES // 2)
        products = []
        for odd in (0, 1):  # in this form it compiles to one instruction
            places = ir.Constant(ir.VectorType(ir.IntType(32), LANES // 2), list(range(odd, LANES, 2)))
            parts = [
                builder.sext(builder.shuffle_vector(v, ir.Constant(v.type, ir.Undefined), places), half)
                for v in (left, right)
            ]
            products.append(builder.mul(*parts))
        name = f"llvm.vector.reduce.add.v{LANES // 2}i32"
        kind = ir.FunctionType(ir.IntType(32), [half])
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        return builder.sext(builder.call(function, [builder.add(*products)]), ir.IntType(64))

    @_intrinsic(lambda a, b: types.int64(a, b))
    def dot(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Return the inner product (int64) of two vectors of int16 numbers, which must fit into an int32."""
        left, right = (
            _load(builder, _data(context, builder, kind, array))
            for kind, array in zip(signature.args, args, strict=True)
        )
        return _inner_product(builder, left, right)

    @_intrinsic(lambda a, first, limit, b: types.int64(a, types.int64, types.int64, b))
    def dot_clipped(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Return the same for the vector at ``a[first]``, clipped between 0 and `limit` (int64), and `b`."""
        left = _load(builder, _data(context, builder, signature.args[0], args[0]), args[1])
        right = _load(builder, _data(context, builder, signature.args[3], args[3]))
        return _inner_product(builder, _clipped(builder, left, args[2], LANES), right)

    def _repeated(builder: Any, number: Any, lanes: int) -> Any:
        """Return a vector of `lanes` times the same number."""
        word = ir.IntType(32)
        nothing = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined)
        first = builder.insert_element(nothing, number, ir.Constant(word, 0))
        return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(word, lanes), None))

    def _clipped(builder: Any, numbers: Any, limit: Any, lanes: int) -> Any:
        """Return a vector of int16 numbers clipped between 0 and `limit` (int64)."""
        most, none = (
            _repeated(builder, builder.trunc(limit, ir.IntType(16)), lanes),
            ir.Constant(numbers.type, None),
        )
        positive = builder.select(builder.icmp_signed(">", numbers, none), numbers, none)
        return builder.select(builder.icmp_signed("<", positive, most), positive, most)

    @_intrinsic(
        lambda rows, new, old, new_swapped, old_swapped, sums, totals, limit, saved: types.void(
            rows, _INT, _INT, _INT, _INT, sums, totals, _INT, saved
        )
    )
    def replace_rows(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Replace two rows in `sums`, the second one with its halves swapped, and update the totals.

        Rows and sums are two vectors of int16 numbers each, the totals int32; they change by as much as the
        sums, clipped between 0 and `limit`. The sums before are written into `saved`. The other arguments are
        the numbers (int64) of the rows.
        """
        lanes, kinds = 2 * LANES, signature.args
        vector, wide = (ir.VectorType(ir.IntType(bits), lanes) for bits in (16, 32))
        table, place, total, saved = (
            builder.bitcast(_data(context, builder, kinds[i], args[i]), kind.as_pointer())
            for i, kind in ((0, vector), (5, vector), (6, wide), (8, vector))
        )
        added, removed, other_added, other_removed = (
            builder.load(builder.gep(table, [args[i]]), align=2) for i in range(1, 5)
        )
        halves = [*range(LANES, lanes), *range(LANES)]
        swapped = builder.shuffle_vector(
            builder.sub(other_added, other_removed),
            ir.Constant(vector, ir.Undefined),
            ir.Constant(ir.VectorType(ir.IntType(32), lanes), halves),
        )
        before = builder.load(place, align=2)
        builder.store(before, saved, align=2)
        after = builder.add(before, builder.add(builder.sub(added, removed), swapped))
        builder.store(after, place, align=2)
        change = builder.sext(
            builder.sub(*(_clipped(builder, numbers, args[7], lanes) for numbers in (after, before))),
            wide,
        )
        builder.store(builder.add(builder.load(total, align=4), change), total, align=4)
        return context.get_dummy_value()

    @_intrinsic(lambda target, source: types.void(target, source))
    def copy_vectors(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Copy two vectors of int16 numbers to the beginning of the array `target`."""
        vectors = ir.VectorType(ir.IntType(16), 2 * LANES).as_pointer()
        to, place = (
            builder.bitcast(_data(context, builder, kind, array), vectors)
            for kind, array in zip(signature.args, args, strict=True)
        )
        builder.store(builder.load(place, align=2), to, align=2)
        return context.get_dummy_value()

    def _bytes(context: Any, builder: Any, kind: Any, array: Any) -> Any:
        """Return the pointer to the 64 bytes at the beginning of an array, as a vector."""
        data = _data(context, builder, kind, array)
        return builder.bitcast(data, ir.VectorType(ir.IntType(8), 64).as_pointer())

    def _bits(builder: Any, plane: Any) -> Any:
        """Return the bits of a uint64 as a vector."""
        return builder.bitcast(plane, ir.VectorType(ir.IntType(1), 64))

    @_intrinsic(lambda numbers, plane: types.int64(numbers, types.uint64))
    def sum_at_bits(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Return the sum (int64) of those bytes whose bits are set in `plane` (uint64), modulo 256.

        64 bytes are read from the beginning of the array, even if it is shorter.
        """
        place = _bytes(context, builder, signature.args[0], args[0])
        none = ir.Constant(place.type.pointee, None)
        chosen = builder.select(_bits(builder, args[1]), builder.load(place, align=1), none)
        kind = ir.FunctionType(ir.IntType(8), [none.type])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.vector.reduce.add.v64i8")
        return builder.zext(builder.call(function, [chosen]), ir.IntType(64))

    @_intrinsic(lambda codes, plane, amount: types.void(codes, types.uint64, types.uint8))
    def add_at_bits(context: Any, builder: Any, signature: Any, *args: Any) -> Any:
        """Add `amount` (uint8) to those of the 64 codes (uint8) whose bits are set in `plane` (uint64)."""
        place = _bytes(context, builder, signature.args[0], args[0])
        vector = place.type.pointee
        everywhere = _repeated(builder, args[2], 64)
        added = builder.select(_bits(builder, args[1]), everywhere, ir.Constant(vector, None))
        builder.store(builder.add(builder.load(place, align=1), added), place, align=1)
        return context.get_dummy_value()

else:

    def popcount(x: Any) -> Any:
        """Return the number of set bits of a uint64."""
        return int(x).bit_count()

    def lsb(x: Any) -> Any:
        """Return the index of the lowest set bit of a non-zero uint64."""
        return np.uint64((int(x) & -int(x)).bit_length() - 1)

    def msb(x: Any) -> Any:
        """Return the index of the highest set bit of a non-zero uint64."""
        return np.uint64(int(x).bit_length() - 1)

    def load_word(address: Any) -> Any:
        """Return the uint64 at a memory address."""
        return np.uint64(ctypes.c_uint64.from_address(int(address)).value)

    def store_word(address: Any, value: Any) -> Any:
        """Write a uint64 to a memory address."""
        ctypes.c_uint64.from_address(int(address)).value = int(value)

    def clock_time(clock: Any) -> Any:
        """Return the nanoseconds of a clock such as `CLOCK`; 0 on systems without clocks."""
        return np.uint64(0 if CLOCK is None else time.clock_gettime_ns(int(clock)) % (1 << 64))

    def prefetch(address: Any) -> None:
        """Do nothing: interpreted, there is nothing to gain."""

    def sum_rows(rows: Any, indices: Any, count: Any, total: Any) -> None:
        """Add the rows of int16 numbers that the first `count` indices name to the vector `total`."""
        total += rows[indices[:count]].sum(axis=0, dtype=np.int16)

    def replace_rows(
        rows: Any,
        new: Any,
        old: Any,
        new_swapped: Any,
        old_swapped: Any,
        sums: Any,
        totals: Any,
        limit: Any,
        saved: Any,
    ) -> None:
        """Replace two rows in `sums`, the second one with its halves swapped, and update the totals."""
        saved[:] = sums
        before = np.clip(sums, 0, limit)
        sums += rows[new] - rows[old] + np.roll(rows[new_swapped] - rows[old_swapped], LANES)
        totals += np.clip(sums, 0, limit) - before

    def copy_vectors(target: Any, source: Any) -> None:
        """Copy two vectors of int16 numbers to the beginning of the array `target`."""
        target[: 2 * LANES] = source[: 2 * LANES]

    def dot(a: Any, b: Any) -> Any:
        """Return the inner product (int64) of two vectors of int16 numbers, which must fit into an int32."""
        return a.astype(np.int64) @ b.astype(np.int64)

    def dot_clipped(a: Any, first: Any, limit: Any, b: Any) -> Any:
        """Return the same for the vector at ``a[first]``, clipped between 0 and `limit` (int64), and `b`."""
        return dot(np.clip(a[first : first + LANES], 0, limit), b)

    def sum_at_bits(numbers: Any, plane: Any) -> Any:
        """Return the sum (int64) of those bytes whose bits are set in `plane` (uint64), modulo 256."""
        return np.int64(sum(int(numbers[bit]) for bit in range(64) if int(plane) >> bit & 1) & 255)

    def add_at_bits(codes: Any, plane: Any, amount: Any) -> None:
        """Add `amount` (uint8) to those of the 64 codes (uint8) whose bits are set in `plane` (uint64)."""
        for bit in range(64):
            codes[bit] += amount * (int(plane) >> bit & 1)
