"""A worker pool: maps a function over jobs in local processes or on a Dask cluster.

Results arrive in completion order; a caller whose answer must not depend on the number of workers sorts them
by job. A worker that dies, killed or out of memory, is replaced and its jobs are run again. The executors of
`concurrent.futures` do neither: there a dead worker breaks the whole pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Self, TypeVar

from tengen.tuning.workers.cluster import DaskBackend
from tengen.tuning.workers.processes import (
    PREFETCH,
    Initializer,
    ProcessBackend,
    WorkerPoolError,
    defer_sigint,
    run_job,
)

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")

MAX_WORKERS = 256


class WorkerPool:
    """Workers that run functions. A context manager: no worker outlives it or the process that created it.

    Parameters
    ----------
    workers : int
        Processes on this machine, 1 to `MAX_WORKERS`. With one worker the jobs run in this process; more
        processes are started when there is work for them.
    dask : str or None
        Address of a Dask scheduler, such as ``tcp://HOST:8786``, whose workers are used instead.
    initializer : callable, optional
        Called without arguments in every worker before its first job. It must be picklable, and a second
        call must have the same effect as the first.
    prefetch : int
        Jobs that a process has at a time, the running one included.
    pin : bool
        Whether each process keeps to a processor of its own, as far as there are enough of them.

    Raises
    ------
    WorkerPoolError
        If the number of workers is out of range; on entering it, if no cluster answers at the address.
    """

    def __init__(
        self,
        workers: int = 1,
        dask: str | None = None,
        initializer: Initializer | None = None,
        prefetch: int = PREFETCH,
        pin: bool = False,
    ) -> None:
        if not 1 <= workers <= MAX_WORKERS:
            raise WorkerPoolError(f"workers: expected 1 to {MAX_WORKERS}, got {workers}")
        self._dask, self._initializer = dask, initializer
        self._backend: ProcessBackend | DaskBackend | None = None  # none: the jobs run in this process
        if dask is None and workers > 1:
            self._backend = ProcessBackend(workers, initializer, prefetch, pin)

    def __enter__(self) -> Self:
        if self._dask is not None:
            self._backend = DaskBackend(self._dask, self._initializer)
        return self

    def __exit__(self, *error: object) -> None:
        if self._backend:
            self._backend.close()

    def run(
        self, function: Callable[[JobT], ResultT], jobs: Iterable[JobT]
    ) -> Iterator[tuple[JobT, ResultT]]:
        """Yield every job with ``function(job)`` in completion order. Only one run at a time.

        SIGINT is deferred while the caller handles a result.

        Parameters
        ----------
        function : callable
            At the top level of a module, so that other processes can import it.
        jobs : iterable
            Picklable. Jobs are drawn as workers become free, so there may be many. A job whose worker dies
            is run again, but yielded only once.

        Raises
        ------
        WorkerPoolError
            If a job has killed `MAX_WORKER_DEATHS` workers, or the cluster is lost.
        Exception
            Whatever `function` or the initializer raises, with the worker's traceback as a note. Running
            jobs are then abandoned, as they are when the iterator is closed or interrupted.
        """
        if self._backend:
            results = self._backend.run(function, iter(jobs))
        else:
            results = ((job, run_job(self._initializer, function, job)) for job in jobs)
        for result in results:
            with defer_sigint():
                yield result
