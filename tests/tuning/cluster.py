"""A Dask cluster on this machine: a scheduler and two workers, each a process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Self

from tests import ROOT
from tests.processes import eventually

WORKER = ["worker", "--nthreads", "1", "--no-dashboard", "--no-nanny", "--death-timeout", "300"]
LAUNCH = f"""from tests.tuning.cluster import end_with; end_with({os.getpid()})
from dask.cli import run_cli; run_cli()"""


def end_with(parent: int) -> None:
    """End this process when its parent is no more: a killed test leaves nobody behind."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Cluster:
    """A context manager.

    Attributes
    ----------
    address : str
    workers : list of subprocess.Popen
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", self._file]
        self._scheduler = self._start("scheduler", *map(str, options))
        eventually(lambda: self._file.exists() and self._file.read_text().endswith("}"))
        self.complete()
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        settings = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "5",
        }
        with (self._folder / "log").open("ab") as log:
            command = [sys.executable, "-c", LAUNCH, *words]
            return subprocess.Popen(command, cwd=self._folder, env=settings, stdout=log, stderr=log)

    def complete(self) -> None:
        """Start workers in place of those that have died, and wait for them."""
        import distributed

        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < 2:
            self.workers.append(self._start(*WORKER, "--scheduler-file", str(self._file)))
        with distributed.Client(scheduler_file=str(self._file), set_as_default=False) as client:
            self.address = client.scheduler.address
            eventually(lambda: len(client.scheduler_info()["workers"]) == 2)
