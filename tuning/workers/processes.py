"""Worker processes of this machine, replaced when they die; and what a cluster has in common with them."""

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

from tengen.engine import system
from tengen.engine.debug import configure_logging
from tengen.engine.errors import TengenError, quoted

Initializer = Callable[[], object]

PREFETCH = 2  # jobs in flight per worker: one that runs, and one so that the worker never waits for the next
MAX_WORKER_DEATHS = 3  # workers that one job may kill before it is given up
SHUTDOWN_GRACE = 2.0  # seconds that a running job gets to clean up when its worker is told to end
MAX_NAME_LENGTH = 200  # characters of a job in an error


class WorkerPoolError(TengenError):
    """A pool without workers: the cluster cannot be reached, or a job kills every worker that runs it."""


def check_deaths(deaths: int, job: object, how: str) -> None:
    """Raise WorkerPoolError if `job` has killed too many workers."""
    if deaths >= MAX_WORKER_DEATHS:
        name = quoted(repr(job), MAX_NAME_LENGTH)
        raise WorkerPoolError(f"job {name}: expected a result, got {deaths} dead workers ({how})")


# ----------------------------------------------------------------------------------------------------------
# In every worker

_initialized: set[bytes] = set()  # pickled initializers that this process has called
_initializing = threading.Lock()


def initialize_once(initializer: Initializer | None) -> None:
    """Call `initializer` unless this process has done so; other threads wait until it returns."""
    if initializer is None:
        return
    name = pickle.dumps(initializer)
    with _initializing:
        if name not in _initialized:
            initializer()
            _initialized.add(name)


def run_job(initializer: Initializer | None, function: Callable[[Any], Any], job: Any) -> Any:
    """Run one job."""
    initialize_once(initializer)
    return function(job)


@contextlib.contextmanager
def defer_sigint() -> Iterator[None]:
    """Defer SIGINT until the block ends; drop it if the block raises. Main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        signal.raise_signal(signal.SIGINT)


# ----------------------------------------------------------------------------------------------------------
# In the process that has the pool


@dataclass
class _Task:
    """An unfinished job."""

    job: Any
    deaths: int = 0  # workers that died while running it


class _Process:
    """One worker process and the jobs sent to it; it runs the first of them."""

    def __init__(self, initializer: Initializer | None) -> None:
        self.pipe, theirs = Pipe()
        self.tasks: deque[_Task] = deque()
        self.ready = False
        self.processor: int | None = None  # that it is pinned to
        start = f"from {main.__module__} import main; main({theirs.fileno()})"
        code = f"import sys; sys.path[:] = {sys.path}; {start}"
        # a terminal interrupts the whole group; the parent stops its workers itself
        with system.sigint_blocked():
            self._process = system.start_with_pipe([sys.executable, "-c", code], theirs)
        theirs.close()
        self.send(initializer)

    def pin(self, taken: Set[int | None]) -> None:
        """Keep the process, and what it starts, to a processor that is not among those `taken`."""
        usable = system.processors()
        free = [number for number in usable if number not in taken]
        self.processor = free[0] if free else usable[len(taken) % len(usable)]
        system.pin(self._process.pid, self.processor)

    def send(self, message: Any) -> None:
        """Send the initializer or one more job, with its function."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # dead: `receive` will raise
            self.pipe.send(message)

    def receive(self) -> tuple[bool, Any]:
        """Return the next report of the worker's `main`; raise EOFError if the process has died."""
        try:
            report: tuple[bool, Any] = pickle.loads(self.pipe.recv_bytes())  # noqa: S301 - of our own process
        except OSError:  # died in the middle of a report
            raise EOFError from None
        return report

    def join_or_kill(self, timeout: float) -> int:
        """Wait `timeout` seconds for the process to end, then kill it; return its exit code."""
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


class ProcessBackend:
    """Processes of this machine, replaced when they die."""

    def __init__(
        self, count: int, initializer: Initializer | None, prefetch: int = PREFETCH, pin: bool = False
    ) -> None:
        self._count, self._initializer, self._prefetch, self._pin = count, initializer, prefetch, pin
        self._workers: list[_Process] = []
        self._failed_starts = 0  # consecutive workers that died before they were ready

    def run(self, function: Callable[[Any], Any], jobs: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        """Run the jobs as `WorkerPool.run` describes, those of dead workers again."""
        returned: deque[_Task] = deque()  # tasks of workers that died
        tasks = map(_Task, jobs)
        finished = False
        try:
            while True:
                self._dispatch(function, returned, tasks)
                busy = {worker.pipe: worker for worker in self._workers if worker.tasks}
                if not busy:
                    break
                for pipe in wait(busy):
                    worker = busy[pipe]  # type: ignore[index]
                    try:
                        done, value = worker.receive()
                    except EOFError:
                        returned.extend(self._reap(worker))
                        continue
                    if not done:
                        raise value
                    if worker.ready:
                        yield worker.tasks.popleft().job, value
                    worker.ready, self._failed_starts = True, 0
            finished = True
        finally:
            if not finished:
                self.close()  # no one will ask for the results of running jobs

    def _dispatch(
        self, function: Callable[[Any], Any], returned: deque[_Task], tasks: Iterator[_Task]
    ) -> None:
        """Send jobs to the workers, least busy first, until each has `prefetch` of them."""
        while True:
            worker = min(self._workers, key=lambda worker: len(worker.tasks), default=None)
            start_one = worker is None or (worker.tasks and len(self._workers) < self._count)
            if worker and not start_one and len(worker.tasks) >= self._prefetch:
                return
            task = returned.popleft() if returned else next(tasks, None)
            if task is None:
                return
            if start_one or worker is None:
                worker = _Process(self._initializer)
                if self._pin:
                    worker.pin({other.processor for other in self._workers})
                self._workers.append(worker)
            worker.tasks.append(task)
            worker.send((function, task.job))

    def _reap(self, worker: _Process) -> list[_Task]:
        """Remove a dead worker and return its unfinished tasks.

        Raises WorkerPoolError if its first job has killed too many workers, or too many died while starting.
        """
        self._workers.remove(worker)
        worker.pipe.close()
        code = worker.join_or_kill(SHUTDOWN_GRACE)
        if not worker.ready:
            self._failed_starts += 1
            if self._failed_starts >= MAX_WORKER_DEATHS:
                raise WorkerPoolError(f"worker processes: expected to start, ended with exit code {code}")
        elif worker.tasks:
            worker.tasks[0].deaths += 1
            check_deaths(worker.tasks[0].deaths, worker.tasks[0].job, f"exit code {code}")
        return list(worker.tasks)

    def close(self) -> None:
        """End all processes, by force if they do not end in time."""
        for worker in self._workers:
            worker.pipe.close()  # asks it to end
        for worker in self._workers:
            worker.join_or_kill(2 * SHUTDOWN_GRACE)
        self._workers = []


def main(descriptor: int) -> None:
    """Receive an initializer and jobs; send a report of each: (True, result) or (False, error).

    The first report says that the worker is ready; its result is None. The process ends when the parent
    closes the pipe or dies, and says nothing then. The `descriptor` is that of this end of a pipe of
    `multiprocessing.connection`.
    """
    pipe = system.inherited_pipe(descriptor)
    configure_logging()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # lets a running job clean up
    try:
        initializer = pipe.recv()
    except (EOFError, OSError):  # the parent was killed while it started this process
        sys.exit(1)
    work: queue.SimpleQueue[tuple[Callable[[Any], Any], Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, work), daemon=True).start()
    reply = _pickled_outcome(initialize_once, initializer)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the parent has closed the pipe
        while True:
            pipe.send_bytes(reply)
            function, job = work.get()
            reply = _pickled_outcome(function, job)


def _listen(pipe: Connection, work: queue.SimpleQueue[Any]) -> None:
    """Move jobs from `pipe` to `work`. End the process when the parent closes the pipe or dies."""
    while True:
        try:
            work.put(pipe.recv())
        except (EOFError, OSError):
            break
    # Torn out of its job, anything may complain, such as a lock that is not held; nobody is there to read it.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(SHUTDOWN_GRACE)
    os._exit(1)


def _pickled_outcome(function: Callable[[Any], Any], argument: Any) -> bytes:
    """Call the function and return the pickled report (see `main`)."""
    try:
        return pickle.dumps((True, function(argument)))
    except Exception as error:
        if not isinstance(error, TengenError):
            error.add_note("".join(traceback.format_exception(error)))
        try:
            report = pickle.dumps((False, error))
            pickle.loads(report)  # noqa: S301 - fails for exceptions whose constructor takes more than a message
        except Exception:
            kind = TengenError if isinstance(error, TengenError) else RuntimeError
            report = pickle.dumps((False, kind(str(error))))
        return report
