"""What the backends of a worker pool have in common, and the code that runs in every worker."""

from __future__ import annotations

import contextlib
import pickle
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from tengen.engine.errors import TengenError, quoted

Initializer = Callable[[], object]

PREFETCH = 2  # jobs in flight per worker: one that runs, and one so that the worker never waits for the next
MAX_WORKER_DEATHS = 3  # workers that one job may kill before it is given up
SHUTDOWN_GRACE = 2.0  # seconds that a running job gets to clean up when its worker is told to end
MAX_NAME_LENGTH = 200  # characters of a job in an error


class WorkerPoolError(TengenError):
    """A pool without workers: the cluster cannot be reached, or a job kills every worker that runs it."""


class Backend(ABC):
    """Where the jobs of a pool run."""

    def open(self) -> None:  # noqa: B027 - most have nothing to do
        """Connect to the workers."""

    @abstractmethod
    def close(self) -> None:
        """Release the workers, even if they are busy."""

    @abstractmethod
    def run(self, function: Callable[[Any], Any], jobs: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        """Run the jobs as `WorkerPool.run` describes."""


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


@contextlib.contextmanager
def sigint_blocked() -> Iterator[None]:
    """Block SIGINT in processes that are started inside the block; this one receives it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
