"""Processes of others: whether they live, and whose they are."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

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
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def keeps_busy(pid: int, seconds: float = 1.0) -> None:
    """Wait until a process has computed for so long from now on: what it was asked to do has begun."""
    end = cpu_seconds(pid) + seconds
    eventually(lambda: cpu_seconds(pid) >= end)


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    """Let `count` processes compute beside the block."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def alive(pid: int) -> bool:
    """Return whether a process runs, or waits to be buried by its parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def descendants(pid: int, name: object) -> set[int]:
    """Return the processes that `pid` has started, directly or not, with `name` on their command lines."""
    listed = subprocess.run(["ps", "-wweo", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(maxsplit=2) for line in listed.stdout.splitlines()]
    family, size = {pid}, 0
    while size < len(family):
        size = len(family)
        family |= {int(child) for child, parent, _ in rows if int(parent) in family}
    return {int(child) for child, _, words in rows if int(child) in family - {pid} and str(name) in words}
