"""A worker pool: maps a function over jobs in local processes or on a Dask cluster.

Results arrive in completion order; a caller whose answer must not depend on the number of workers sorts them
by job. A worker that dies, killed or out of memory, is replaced and its jobs are run again. The executors of
`concurrent.futures` do neither: there a dead worker breaks the whole pool.
"""

import asyncio
import concurrent.futures
import contextlib
import itertools
import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self, TypeVar

from tengen.engine.errors import quoted
from tengen.engine.extras import install_command
from tengen.tuning.version import package_version
from tengen.tuning.workers.processes import (
    MAX_WORKER_DEATHS,
    PREFETCH,
    SHUTDOWN_GRACE,
    Initializer,
    ProcessBackend,
    WorkerPoolError,
    check_deaths,
    defer_sigint,
    run_job,
)

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")

MAX_WORKERS = 256
CONNECT_TIMEOUT = 5.0  # seconds to wait for the scheduler's answer
IMPORT = f"import {run_job.__module__}"


class DaskBackend:
    """The workers of a Dask scheduler, which must know this package, and one worker must have our version.

    The scheduler reschedules the jobs of lost workers. If no worker is left it waits for new ones. Workers of
    another version of this package, or without it, get no jobs.
    """

    def __init__(self, address: str, initializer: Initializer | None) -> None:
        self._address, self._initializer = address, initializer
        try:
            import distributed
        except ImportError:
            raise WorkerPoolError(f"dask needs distributed: {install_command('cluster')}") from None
        for logger in "distributed", "distributed.client":  # the child has its own level
            logging.getLogger(logger).setLevel(logging.CRITICAL)  # failures are raised here
        # Ask before creating a client: one that fails to connect delays the exit of the process by seconds.
        identity = self._connected(lambda: asyncio.run(_identity(self._address)))
        if not identity.get("workers"):
            raise WorkerPoolError(
                f"dask: expected workers at {quoted(self._address)}, got a scheduler without any"
            )
        self._client = self._connected(
            lambda: distributed.Client(self._address, timeout=CONNECT_TIMEOUT, set_as_default=False)
        )
        try:
            self._client.run_on_scheduler(exec, IMPORT)  # it unpickles the jobs
            self._admit_workers()
        except WorkerPoolError:
            self.close()
            raise
        except Exception as error:
            self.close()
            where = f"on the scheduler at {quoted(self._address)}"
            reason = str(error).partition("\n")[0]
            raise WorkerPoolError(f"dask: expected tengen {where}, got none ({reason})") from None

    def _admit_workers(self) -> None:
        """Mark the workers that have our version, those that join later as well; jobs go to no others.

        A worker may die meanwhile: whoever is there then counts. Raises WorkerPoolError if no worker has our
        version.
        """
        wanted = package_version()
        for _ in range(MAX_WORKER_DEATHS):
            with contextlib.suppress(OSError):
                self._client.register_plugin(_admission(wanted), wanted)
                break

        def ask() -> str:
            from tengen.tuning.version import package_version

            return package_version()

        found = self._client.run(ask, on_error="return")
        if wanted not in found.values():
            got = quoted(", ".join(sorted({str(version) for version in found.values()})))
            where = f"on the workers at {quoted(self._address)}"
            raise WorkerPoolError(f"dask: expected {wanted} {where}, got {got}")
        self._resources = {wanted: 1}  # that a job takes: the right version, see `_admission`

    def _connected(self, connect: Callable[[], Any]) -> Any:
        """Return ``connect()``; report its failure as one line."""
        try:
            return connect()
        except Exception as error:  # of any kind: another program may listen there
            reason = str(error) or f"no answer within {CONNECT_TIMEOUT:g} s"
            where = f"dask: expected a scheduler at {quoted(self._address)}, got none"
            raise WorkerPoolError(f"{where} ({reason.splitlines()[0]})") from None

    def run(self, function: Callable[[Any], Any], jobs: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        """Keep `PREFETCH` jobs per thread of the cluster in flight."""
        import distributed

        pending: dict[Any, Any] = {}
        arrivals = distributed.as_completed(loop=self._client.loop)
        try:
            while True:
                with self._held():
                    room = max(1, PREFETCH * sum(self._client.nthreads().values())) - len(pending)
                for job in itertools.islice(jobs, max(0, room)):
                    with self._held():
                        work = self._initializer, function, job
                        future = self._client.submit(run_job, *work, pure=False, resources=self._resources)
                    pending[future] = job
                    arrivals.add(future)
                if not pending:
                    return
                future = next(arrivals)
                job = pending.pop(future)
                yield job, self._result(future, job)
        finally:
            if pending:
                with contextlib.suppress(Exception):  # the cluster may be gone
                    self._client.cancel(list(pending), force=True)

    def _result(self, future: Any, job: object) -> Any:
        """Return the result of a finished job."""
        import distributed
        from distributed.comm import CommClosedError

        try:
            return future.result()
        except distributed.KilledWorker:
            check_deaths(MAX_WORKER_DEATHS, job, "killed")
        except (concurrent.futures.CancelledError, CommClosedError):
            raise self._loss() from None

    @contextlib.contextmanager
    def _held(self) -> Iterator[None]:
        """Report a connection that breaks inside the block as the loss of the scheduler."""
        try:
            yield
        except OSError:
            raise self._loss() from None

    def _loss(self) -> WorkerPoolError:
        return WorkerPoolError(f"dask: lost the scheduler at {quoted(self._address)}")

    def close(self) -> None:
        """Disconnect from the cluster, which keeps running."""
        with contextlib.suppress(Exception):  # the cluster may be gone
            self._client.close(timeout=SHUTDOWN_GRACE)


# Workers without this package, or with another version, must be able to load the next one as well, and what
# `_admit_workers` asks them. What is defined inside a function is sent to them by value.


def _admission(version: str) -> Any:
    """Return a plug-in that gives every worker with this version of the package a resource of that name.

    Dask sends it to all workers, also to those that join later.
    """
    from distributed import Status, WorkerPlugin

    class Admission(WorkerPlugin):  # type: ignore[misc]
        async def setup(self, worker: Any) -> None:
            try:
                from tengen.tuning.version import package_version
            except ImportError:
                return
            if package_version() == version and version not in worker.state.total_resources:
                await worker.set_resources(**{version: 1e9})  # no limit but its threads
                # Jobs that wait for want of workers are offered to one that joins, which has no resources
                # yet, and to one that was paused.
                worker.status = Status.paused
                worker.status = Status.running

    return Admission()


async def _identity(address: str) -> dict[str, Any]:
    """Return the scheduler's own description of itself."""
    from distributed.core import rpc

    async with asyncio.timeout(CONNECT_TIMEOUT), rpc(address, timeout=CONNECT_TIMEOUT) as scheduler:
        identity: dict[str, Any] = await scheduler.identity()
        return identity


class WorkerPool:
    """Workers that run functions. A context manager: no worker outlives it or the process that created it.

    There are 1 to `MAX_WORKERS` processes on this machine. With one, the jobs run in this process; more are
    started when there is work for them. `dask` is the address of a Dask scheduler, such as
    ``tcp://HOST:8786``, whose workers are used instead. The `initializer` is called in every worker before
    its first job. It must be picklable, and a second call must have the same effect as the first. A process
    has `prefetch` jobs at a time, the running one included. With `pin`, each keeps to a processor of its own,
    as far as there are enough of them. Raises WorkerPoolError if the number of workers is out of range; on
    entering it, if no cluster answers at the address.
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

        SIGINT is deferred while the caller handles a result. The function is at the top level of a module, so
        that other processes can import it. Jobs are picklable, and drawn as workers become free, so there may
        be many. A job whose worker dies is run again, but yielded only once.

        Raises WorkerPoolError if a job has killed `MAX_WORKER_DEATHS` workers, or the cluster is lost; and
        whatever the function or the initializer raises, with the worker's traceback as a note. Running jobs
        are then abandoned, as they are when the iterator is closed or interrupted.
        """
        if self._backend:
            results = self._backend.run(function, iter(jobs))
        else:
            results = ((job, run_job(self._initializer, function, job)) for job in jobs)
        for result in results:
            with defer_sigint():
                yield result
