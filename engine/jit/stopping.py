"""How a running kernel is stopped: by a flag that any thread may set, or by the clock."""

import time
from typing import Any

import numpy as np

from tengen.engine.jit.intrinsics import CLOCK, ONE, PROCESSOR_CLOCK, clock_time, load_word, store_word
from tengen.engine.jit.kernels import kernel

CLOCK_STEPS = 256  # steps of a kernel between two looks at the clock, about 0.1 ms
_WORD, _CLOCK_WORD = np.uint64(8), np.uint64(16)  # offsets of the deadline and of its clock


@kernel
def is_stopped(address: Any, before: Any, after: Any) -> Any:
    """Return whether the `StopFlag` at `address` is set, or its time is up.

    The clock is looked at by the kernel itself: on a busy machine a thread that does it may wait long for a
    processor.

    Parameters
    ----------
    address : uint64
    before, after : int64
        The kernel's count of its steps, at the last call and now. The clock is looked at whenever the count
        passes a multiple of `CLOCK_STEPS`.
    """
    if load_word(address):
        return True
    if (before ^ after) < CLOCK_STEPS:
        return False
    due = load_word(address + _WORD)
    if due == 0 or clock_time(load_word(address + _CLOCK_WORD)) < due:
        return False
    store_word(address, ONE)
    return True


class StopFlag:
    """A memory word that any thread may set, and a deadline; a running kernel polls both by `is_stopped`.

    Whoever asks in Python whether the flag is set looks at the clock as well.

    Attributes
    ----------
    address : numpy.uint64
        Address of the word; 0 in the word means go on. The next word is the time at which kernels set the
        first, in nanoseconds, 0 for none; the third is the clock of the system that counts them.
    """

    def __init__(self) -> None:
        self._words = np.zeros(3, np.uint64)
        self.address = np.uint64(self._words.ctypes.data)

    def __bool__(self) -> bool:
        """Return whether the flag is set, or its time is up."""
        flag, due, clock = self._words.tolist()
        if not flag and due and time.clock_gettime_ns(clock) % (1 << 64) >= due:
            self.set()
            return True
        return bool(flag)

    def set(self) -> None:
        """Request a stop."""
        self._words[0] = ONE

    def set_after(self, seconds: float, processor_time: bool = False) -> None:
        """Let kernels stop by themselves after so many seconds, on systems where they can.

        With `processor_time` those count that this process, with all of its threads, has had of processors.
        """
        clock = PROCESSOR_CLOCK if processor_time else CLOCK
        if clock is not None:
            self._words[2] = clock
            due = time.clock_gettime_ns(clock) + round(1e9 * seconds)
            self._words[1] = due % (1 << 64)  # clocks below zero count up to it as two's complements do

    def clear(self) -> None:
        """Withdraw the requests."""
        self._words[:] = 0
