"""The processor time of another program, on Linux."""

from __future__ import annotations

import ctypes
import sys
import time
from pathlib import Path

from tengen.engine.errors import OptionError


def check_available() -> None:
    """Raise OptionError where the processor time of a program cannot be told."""
    if not sys.platform.startswith("linux"):
        raise OptionError(f"cpu-time: expected Linux, which tells the time of a program, got {sys.platform}")


def processor_time(pid: int) -> float:
    """Return the seconds of processor time of a process and of the processes that it has started.

    Those that have ended no longer count.

    Parameters
    ----------
    pid : int

    Raises
    ------
    ProcessLookupError
        If there is no such process.
    """
    seconds = _own_time(pid)
    for child in _children(pid):
        try:
            seconds += processor_time(child)
        except ProcessLookupError:  # it has just ended
            continue
    return seconds


def _own_time(pid: int) -> float:
    """Return the seconds of processor time of all threads of a process, exact to the microsecond."""
    clock = ctypes.c_int()
    if ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock)):
        raise ProcessLookupError(pid)
    try:
        return time.clock_gettime(clock.value)
    except OSError:
        raise ProcessLookupError(pid) from None


def _children(pid: int) -> list[int]:
    """Return the processes that the threads of a process have started and that still run."""
    found = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(word) for word in listed.read_text().split()]
        except OSError:  # the thread has just ended
            continue
    return found
