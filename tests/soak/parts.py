"""What a part of the soak reports, and the measuring of processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests import ROOT

VOCABULARY: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parent / "vocabulary.toml").read_text("utf-8")
)
PATIENCE = 600.0  # seconds: only what hangs takes as long


@dataclass
class Report:
    """What one round of a part has found."""

    cases: int = 0  # lines, files, commands, kills
    faults: list[str] = field(default_factory=list)  # what was wrong, in one line each
    # the greatest growth of memory by one case, or peak of a process, in MB; 0 if it was not measured
    peak: float = 0.0
    slowest: float = 0.0  # processor time of the slowest case, in seconds; 0 if it was not measured

    def add(self, other: Report) -> None:
        """Add the findings of another round."""
        self.cases += other.cases
        self.faults += other.faults
        self.peak = max(self.peak, other.peak)
        self.slowest = max(self.slowest, other.slowest)


def in_process(module: str, *words: object) -> Report:
    """Return the report that ``python -m MODULE WORDS`` prints: memory is measured from a fresh start."""
    command = [sys.executable, "-m", module, *map(str, words)]
    try:
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return Report(1, [f"{module} {words}: no end within {PATIENCE:g} s"])
    if ran.returncode:
        return Report(1, [f"{module} {words}: exit code {ran.returncode}: {ran.stderr[-500:]!r}"])
    return Report(**json.loads(ran.stdout.splitlines()[-1]))


def tengen(*words: object, **options: object) -> list[str]:
    """Return a command line of this checkout; options are written with two hyphens."""
    named = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return [sys.executable, "-m", "tengen", *map(str, words), *named]


def limited(limit: int | None) -> Callable[[], None]:
    """Return what a new process calls first so that none of its files exceeds `limit` bytes."""

    def fill_disk() -> None:
        import resource

        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return fill_disk


def run(command: Sequence[str], limit: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; none of its files may exceed `limit` bytes, as on a full disk."""
    # Python 3.11 keeps the half of a compiled module that a full disk had room for.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        preexec_fn=limited(limit),
        check=False,
    )


def complaint(ran: subprocess.CompletedProcess[str]) -> str:
    """Return in words what is wrong with how a command ended; empty if nothing is."""
    if "Traceback" in ran.stderr or "internal error" in ran.stderr:
        return f"{ran.args}: {ran.stderr[-500:]!r}"
    return f"{ran.args}: exit code {ran.returncode}" if ran.returncode not in (0, 2, 130) else ""


def contents(folder: Path, pattern: str) -> dict[str, bytes]:
    """Return the files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.glob(pattern)}
