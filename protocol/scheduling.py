"""The scheduler of the operating system: engines ask to get a processor soon, rather than for long."""

from __future__ import annotations

import ctypes
import os
import platform
import sys

CALLS = {"x86_64": 314, "aarch64": 274, "riscv64": 274}  # numbers of sched_setattr, by machine
SLICE = 100_000  # nanoseconds, the shortest slice that Linux grants
SCHED_OTHER = 0


class Attributes(ctypes.Structure):
    """The first version of Linux's ``struct sched_attr``."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("policy", ctypes.c_uint32),
        ("flags", ctypes.c_uint64),
        ("nice", ctypes.c_int32),
        ("priority", ctypes.c_uint32),
        ("runtime", ctypes.c_uint64),
        ("deadline", ctypes.c_uint64),
        ("period", ctypes.c_uint64),
    )


def ask_for_short_slices() -> None:
    """Let this thread, and those that it starts, have short slices of a processor, which come sooner.

    Its share of the processors stays the same. Linux from 6.12 on grants this; elsewhere nothing happens. An
    unusual scheduling policy is left alone. Nothing is ever raised.
    """
    call = CALLS.get(platform.machine())
    if sys.platform != "linux" or sys.maxsize < 1 << 32 or call is None:
        return
    try:
        if os.sched_getscheduler(0) != SCHED_OTHER:
            return
        nice = os.getpriority(os.PRIO_PROCESS, 0)
        wanted = Attributes(ctypes.sizeof(Attributes), SCHED_OTHER, 0, nice, 0, SLICE, 0, 0)
        ctypes.CDLL(None).syscall(call, 0, ctypes.byref(wanted), 0)
    except (OSError, AttributeError):  # refused, or a system without such a C library
        return
