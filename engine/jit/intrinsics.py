"""Intrinsics that kernels call: bits, and memory words that threads share."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

COMPILED: bool = not numba.config.DISABLE_JIT
ONE = np.uint64(1)


def _intrinsic(function: Callable[..., Any]) -> Any:
    """Make a code generator callable from kernels."""
    return intrinsic(function)


if COMPILED:

    @_intrinsic
    def popcount(typingctx: Any, x: Any) -> Any:
        """Return the number of set bits of a uint64, as int64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @_intrinsic
    def lsb(typingctx: Any, x: Any) -> Any:
        """Return the index of the lowest set bit of a non-zero uint64, as uint64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], cgutils.true_bit)

        return types.uint64(types.uint64), codegen

    @_intrinsic
    def msb(typingctx: Any, x: Any) -> Any:
        """Return the index of the highest set bit of a non-zero uint64, as uint64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(args[0], cgutils.true_bit))

        return types.uint64(types.uint64), codegen

    def _address(builder: Any, address: Any) -> Any:
        return builder.inttoptr(address, ir.IntType(64).as_pointer())

    @_intrinsic
    def load_word(typingctx: Any, address: Any) -> Any:
        """Return the uint64 at a memory address; the atomic load is never hoisted out of a loop."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load_atomic(_address(builder, args[0]), ordering="monotonic", align=8)

        return types.uint64(types.uint64), codegen

    @_intrinsic
    def store_word(typingctx: Any, address: Any, value: Any) -> Any:
        """Write a uint64 to a memory address, atomically (relaxed)."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store_atomic(args[1], _address(builder, args[0]), ordering="monotonic", align=8)
            return context.get_dummy_value()

        return types.void(types.uint64, types.uint64), codegen

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


class StopFlag:
    """A memory word that a running kernel polls with ``load_word(address)`` and any thread may set.

    Attributes
    ----------
    address : numpy.uint64
        Address of the word; 0 in the word means go on.
    """

    def __init__(self) -> None:
        self._word = np.zeros(1, np.uint64)
        self.address = np.uint64(self._word.ctypes.data)

    def __bool__(self) -> bool:
        """Return whether the flag is set."""
        return bool(self._word[0])

    def set(self) -> None:
        """Request a stop."""
        self._word[0] = ONE

    def clear(self) -> None:
        """Withdraw the request."""
        self._word[0] = 0
