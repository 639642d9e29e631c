"""Processes of others: whether they live, and whose they are."""

import contextlib
import sys
import time

import psutil
import pytest

PATIENCE = 300.0  # seconds: only what hangs takes as long, on however busy a machine


def complaints(stderr: str) -> str:
    """Return `stderr` without the notices that kernels are being compiled: whether they are is no fault."""
    return "".join(line for line in stderr.splitlines(keepends=True) if "compiling" not in line)


def eventually(condition, patience: float = PATIENCE) -> None:
    """Wait until `condition()` holds."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def cpu_seconds(pid: int) -> float:
    """Return what a process, with all its threads, has had of the processors so far."""
    return sum(psutil.Process(pid).cpu_times()[:2])


def peak_memory() -> float:
    """Return the greatest memory of this process so far, in MB."""
    resource = pytest.importorskip("resource")  # not on Windows
    unit = 1 if sys.platform == "darwin" else 1 << 10  # bytes in what it counts
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / (1 << 20)


def keeps_busy(pid: int, seconds: float = 1.0) -> None:
    """Wait until a process has computed for so long from now on: what it was asked to do has begun."""
    end = cpu_seconds(pid) + seconds
    eventually(lambda: cpu_seconds(pid) >= end)


def alive(pid: int) -> bool:
    """Return whether a process runs, or waits to be buried by its parent."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def descendants(pid: int, name: object) -> set[int]:
    """Return the processes that `pid` has started, directly or not, with `name` on their command lines."""
    found = set()
    for child in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it has just ended
            if str(name) in " ".join(child.cmdline()):
                found.add(child.pid)
    return found
