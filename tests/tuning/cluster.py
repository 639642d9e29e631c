"""A Dask cluster on this machine: a scheduler and two workers, each a process."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests import ROOT
from tests.processes import eventually

WORKER = ["worker", "--nthreads", "1", "--no-dashboard", "--no-nanny", "--death-timeout", "300"]
COUNT = 2  # of workers
# Options of Dask: a worker that is killed often is no fault of a job, and nobody looks after idle processes,
# which would take four hundredths of a processor each.
SETTINGS = {
    "SCHEDULER__ALLOWED_FAILURES": "5",
    "WORKER__PROFILE__ENABLED": "False",
    "WORKER__MEMORY__MONITOR_INTERVAL": "5s",
    "ADMIN__TICK__INTERVAL": "2s",
    "ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
}
# What a process does: it ends when its parent is no more, as a killed test leaves nobody behind.
LAUNCH = f"""import importlib, os, sys, threading, time

def watch():
    while os.getppid() == {os.getpid()}:
        time.sleep(1)
    os._exit(1)

threading.Thread(target=watch, daemon=True).start()
importlib.import_module(f"distributed.cli.dask_{{sys.argv.pop(1)}}").main()"""


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and wait until it has ended."""
    process.kill()
    process.wait()


class Cluster:
    """A context manager: the scheduler at `address`, and `workers` of the tested version by name.

    The `folder` gets the logs and the address.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self._others: list[subprocess.Popen[bytes]] = []
        self._number = 0  # of the last worker

    def __enter__(self) -> Self:
        self._start_scheduler(0)
        self.complete()
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers.values(), *self._others, self.scheduler):
            kill(process)

    def _start_scheduler(self, port: int) -> None:
        """Start a scheduler and wait until it tells its address; a port of 0 is any free one."""
        self._file.unlink(missing_ok=True)
        options = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(self._file)]
        self.scheduler = self._start("scheduler", "scheduler", "--port", str(port), *options)
        eventually(lambda: self._file.exists() and self._file.read_text().endswith("}"))
        self.address = json.loads(self._file.read_text())["address"]

    def restart_scheduler(self) -> None:
        """Kill the scheduler and start another one at the same address, with new workers."""
        kill(self.scheduler)
        for worker in (*self.workers.values(), *self._others):
            kill(worker)
        self._start_scheduler(int(self.address.rpartition(":")[2]))
        self.complete()

    def kill_worker(self, number: int = 0) -> None:
        """Kill one of the workers; it is replaced by `complete`."""
        kill(list(self.workers.values())[number])

    def add_foreign_worker(self, root: Path) -> None:
        """Start a worker of the sources in `root`, and wait until the scheduler knows it."""
        name, worker = self._start_worker(root)
        self._others.append(worker)
        eventually(lambda: self._know(name))

    def dismiss_foreign_workers(self) -> None:
        """Kill the workers of other sources."""
        while self._others:
            kill(self._others.pop())

    def _start_worker(self, root: Path) -> tuple[str, subprocess.Popen[bytes]]:
        self._number += 1
        name = f"worker-{self._number}"
        options = ["--scheduler-file", str(self._file), "--name", name]
        return name, self._start(name, *WORKER, *options, root=root)

    def _log(self, name: str) -> Path:
        """Return the file of what a process says."""
        return self._folder / f"{name}.log"

    def _start(self, name: str, *words: str, root: Path = ROOT) -> subprocess.Popen[bytes]:
        settings = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(root), str(ROOT))),
            **{f"DASK_DISTRIBUTED__{option}": value for option, value in SETTINGS.items()},
        }
        with self._log(name).open("ab") as log:
            command = [sys.executable, "-c", LAUNCH, *words]
            return subprocess.Popen(command, cwd=self._folder, env=settings, stdout=log, stderr=log)

    def _know(self, *names: str) -> bool:
        """Return whether the scheduler knows these workers; it is asked once all say they have joined."""
        if not all("Registered to" in self._log(name).read_text() for name in names):
            return False
        import distributed

        with distributed.Client(self.address, set_as_default=False) as client:
            return {*names} <= {worker["name"] for worker in client.scheduler_info(-1)["workers"].values()}

    def complete(self) -> None:
        """Start workers in place of those that have died, and wait until the scheduler knows them.

        One that has just died may still seem to live, so that all of them are looked at again and again.
        """
        eventually(self._is_complete)

    def _is_complete(self) -> bool:
        self.workers = {name: worker for name, worker in self.workers.items() if worker.poll() is None}
        while len(self.workers) < COUNT:
            name, worker = self._start_worker(ROOT)
            self.workers[name] = worker
        return self._know(*self.workers)
