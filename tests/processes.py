"""Processes of others: whether they live, and whose they are."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path


def eventually(condition, patience: float = 120.0) -> None:
    """Wait until `condition()` holds."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


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
