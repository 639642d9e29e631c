"""The workers of a Dask cluster."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import itertools
import logging
from collections.abc import Callable, Iterator
from typing import Any

from tengen.engine.errors import quoted
from tengen.tuning.workers.backend import (
    MAX_WORKER_DEATHS,
    PREFETCH,
    SHUTDOWN_GRACE,
    Backend,
    Initializer,
    WorkerPoolError,
    check_deaths,
    run_job,
)

CONNECT_TIMEOUT = 5.0  # seconds to wait for the scheduler's answer
IMPORT = f"import {run_job.__module__}"


class DaskBackend(Backend):
    """The workers of a Dask scheduler.

    The scheduler reschedules the jobs of lost workers. If no worker is left it waits for new ones.
    """

    def __init__(self, address: str, initializer: Initializer | None) -> None:
        self._address = address
        self._initializer = initializer
        self._client: Any = None

    def open(self) -> None:
        """Connect to the scheduler and import this package on it and its workers."""
        try:
            import distributed
        except ImportError:
            raise WorkerPoolError(
                "dask: expected the package distributed, got none; pip install 'tengen[cluster]'"
            ) from None
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
        try:  # a worker that cannot import our code would die silently
            self._client.run_on_scheduler(exec, IMPORT)
            self._client.run(exec, IMPORT)
        except Exception as error:
            self.close()
            where = f"on the scheduler and the workers at {quoted(self._address)}"
            raise WorkerPoolError(f"dask: expected tengen {where}, got none ({error})") from None

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

        client = self._client
        pending: dict[Any, Any] = {}
        arrivals = distributed.as_completed(loop=client.loop)
        try:
            while True:
                room = max(1, PREFETCH * sum(client.nthreads().values())) - len(pending)
                for job in itertools.islice(jobs, max(0, room)):
                    future = client.submit(run_job, self._initializer, function, job, pure=False)
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
                    client.cancel(list(pending), force=True)

    def _result(self, future: Any, job: object) -> Any:
        """Return the result of a finished job."""
        import distributed

        try:
            return future.result()
        except distributed.KilledWorker:
            check_deaths(MAX_WORKER_DEATHS, job, "killed")
        except concurrent.futures.CancelledError:
            expected = f"dask: expected the scheduler at {quoted(self._address)} to stay"
            raise WorkerPoolError(f"{expected}, lost it") from None

    def close(self) -> None:
        """Disconnect from the cluster, which keeps running."""
        if self._client:
            with contextlib.suppress(Exception):  # the cluster may be gone
                self._client.close(timeout=SHUTDOWN_GRACE)
        self._client = None


async def _identity(address: str) -> dict[str, Any]:
    """Return the scheduler's own description of itself."""
    from distributed.core import rpc

    async with asyncio.timeout(CONNECT_TIMEOUT), rpc(address, timeout=CONNECT_TIMEOUT) as scheduler:
        identity: dict[str, Any] = await scheduler.identity()
        return identity
