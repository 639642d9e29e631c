"""The farm: one function run for many jobs by worker processes of this machine, or by a Dask cluster.

Results come in the order in which they are finished, so that whoever wants the same answer for any number of
workers keeps them by job. A worker that dies, by a kill or for want of memory, costs only time.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import itertools
import logging
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Self, TypeVar

from tengen.engine.debug import configure_logging
from tengen.engine.errors import TengenError, quoted

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")
Initializer = Callable[[], object]

MAX_WORKERS = 256
PREFETCH = 2  # jobs at a worker: one under way, and one so that it need not wait for the next
MAX_WORKER_DEATHS = 3  # workers lost to one job until that is taken for the job's fault
SHUTDOWN_GRACE = 2.0  # seconds that a job gets to wind up when its worker is to end
CONNECT_TIMEOUT = 5.0  # seconds in which a scheduler answers, or is taken for gone
IMPORT = f"import {__name__}"
MAX_NAME_LENGTH = 200  # characters of a job in an error


class FarmError(TengenError):
    """A farm without workers: a cluster that cannot be reached, or a job that kills whoever takes it."""


class Farm:
    """Workers that run functions. A context manager: no worker outlives it, nor the process that made it.

    Parameters
    ----------
    workers : int
        Processes on this machine, 1 to `MAX_WORKERS`. One is this process itself; more are started when
        there is work for them.
    dask : str or None
        Address of a Dask scheduler, such as ``tcp://HOST:8786``, whose workers are taken instead.
    prepare : callable, optional
        Called without arguments in every worker before its first job; picklable, and the same whenever it is
        called again.

    Raises
    ------
    FarmError
        For a number of workers out of range; by entering it, when no cluster answers at the address.
    """

    def __init__(self, workers: int = 1, dask: str | None = None, prepare: Initializer | None = None) -> None:
        if not 1 <= workers <= MAX_WORKERS:
            raise FarmError(f"workers: expected 1 to {MAX_WORKERS}, got {workers}")
        if dask is not None:
            self._backend: _Backend = _DaskBackend(dask, prepare)
        else:
            self._backend = _InProcessBackend(prepare) if workers == 1 else _ProcessBackend(workers, prepare)

    def __enter__(self) -> Self:
        self._backend.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._backend.close()

    def run(
        self, function: Callable[[JobT], ResultT], jobs: Iterable[JobT]
    ) -> Iterator[tuple[JobT, ResultT]]:
        """Yield every job with ``function(job)``, as they are finished; one run at a time.

        SIGINT is heard between the results: what is done about one is done as a whole.

        Parameters
        ----------
        function : callable
            At the top level of a module, so that other processes find it.
        jobs : iterable
            Picklable; drawn as workers become free, so that it may be long. A job may be run more than once,
            when its worker is lost, but is yielded once.

        Raises
        ------
        FarmError
            When a job has killed `MAX_WORKER_DEATHS` workers, or the cluster is lost.
        Exception
            Whatever `function` or ``prepare`` raises, with the worker's traceback as a note. Other jobs under
            way are given up then, as they are when the iterator is closed or interrupted.
        """
        for result in self._backend.run(function, iter(jobs)):
            with defer_sigint():
                yield result


class _Backend(ABC):
    """Those who do the work."""

    @abstractmethod
    def open(self) -> None:
        """Get hold of them."""

    @abstractmethod
    def close(self) -> None:
        """Let them go, whatever they are doing."""

    @abstractmethod
    def run(self, function: Callable[[Any], Any], jobs: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        """Do what `Farm.run` does."""


# ----------------------------------------------------------------------------------------------------------
# In every worker

_prepared: set[bytes] = set()  # what has been called here to get ready, pickled
_preparing = threading.Lock()


def _prepare_once(prepare: Initializer | None) -> None:
    """Call `prepare`, unless that has been done in this process; others wait until it has."""
    if prepare is None:
        return
    name = pickle.dumps(prepare)
    with _preparing:
        if name not in _prepared:
            prepare()
            _prepared.add(name)


def _run_job(prepare: Initializer | None, function: Callable[[Any], Any], job: Any) -> Any:
    """Run one job."""
    _prepare_once(prepare)
    return function(job)


class _InProcessBackend(_Backend):
    """The process that asks, alone."""

    def __init__(self, prepare: Initializer | None) -> None:
        self._prepare = prepare

    def open(self) -> None:
        """Do nothing: it is here."""

    def close(self) -> None:
        """Do nothing: it stays."""

    def run(self, function: Callable[[Any], Any], jobs: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        for job in jobs:
            yield job, _run_job(self._prepare, function, job)


# ----------------------------------------------------------------------------------------------------------
# Processes of this machine


@dataclass
class _Task:
    """A job that is not done yet.

    Attributes
    ----------
    job : object
    deaths : int
        Workers that died of it.
    """

    job: Any
    deaths: int = 0


class _Process:
    """One worker process and the jobs it has been given, the first of them under way."""

    def __init__(self, prepare: Initializer | None) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.tasks: deque[_Task] = deque()
        self.ready = False
        self._process = context.Process(target=_worker_main, args=(theirs, prepare), daemon=True)
        with _sigint_blocked():  # a terminal sends its interrupt to all; the parent sees to the others
            self._process.start()
        theirs.close()

    def send_job(self, function: Callable[[Any], Any], task: _Task) -> None:
        """Have it run one more job."""
        self.tasks.append(task)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it is dead, as `receive` will tell
            self.pipe.send((function, task.job))

    def receive(self) -> tuple[bool, Any]:
        """Return the next of what `_worker_main` reports.

        Raises
        ------
        EOFError
            When it has died.
        """
        try:
            report: tuple[bool, Any] = pickle.loads(self.pipe.recv_bytes())
        except OSError:  # in the middle of a report
            raise EOFError from None
        return report

    def request_stop(self) -> None:
        """Ask it to end."""
        self.pipe.close()

    def join_or_kill(self, patience: float) -> int:
        """Make sure that it has ended within so many seconds; return its exit code."""
        self._process.join(patience)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        code = self._process.exitcode
        assert code is not None
        self._process.close()
        return code


@contextlib.contextmanager
def defer_sigint() -> Iterator[None]:
    """Let SIGINT wait until what is inside is done; if that fails, drop it. For the main thread alone."""
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
def _sigint_blocked() -> Iterator[None]:
    """Keep SIGINT from processes that are started inside; here it arrives afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _worker_main(pipe: Connection, prepare: Initializer | None) -> None:
    """Run the jobs that come through `pipe`, and report: (True, result), or (False, error), of each.

    The first report is that the worker is ready, whose result is None.
    """
    configure_logging()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # a job under way winds up
    work: queue.SimpleQueue[tuple[Callable[[Any], Any], Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, work), daemon=True).start()
    reply = _pickled_outcome(_prepare_once, prepare)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # nobody wants it any more
        while True:
            pipe.send_bytes(reply)
            function, job = work.get()
            reply = _pickled_outcome(function, job)


def _listen(pipe: Connection, work: queue.SimpleQueue[Any]) -> None:
    """Put what comes through `pipe` into `work`; when the parent lets go of it, or is no more, end all."""
    while True:
        try:
            work.put(pipe.recv())
        except (EOFError, OSError):
            break
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(SHUTDOWN_GRACE)
    os._exit(1)


def _pickled_outcome(function: Callable[[Any], Any], argument: Any) -> bytes:
    """Return what `_worker_main` reports of a call, pickled."""
    try:
        return pickle.dumps((True, function(argument)))
    except Exception as error:
        if not isinstance(error, TengenError):
            error.add_note("".join(traceback.format_exception(error)))
        try:
            report = pickle.dumps((False, error))
            pickle.loads(report)  # errors that take more than their text do not always come back
        except Exception:
            kind = TengenError if isinstance(error, TengenError) else RuntimeError
            report = pickle.dumps((False, kind(str(error))))
        return report


class _ProcessBackend(_Backend):
    """Processes of this machine, started anew when they die."""

    def __init__(self, count: int, prepare: Initializer | None) -> None:
        self._count = count
        self._prepare = prepare
        self._workers: list[_Process] = []
        self._failed_starts = 0  # workers in a row that died before they were ready

    def open(self) -> None:
        """Do nothing: they are started when there is work."""

    def run(self, function: Callable[[Any], Any], jobs: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        returned: deque[_Task] = deque()  # by workers that died
        tasks = map(_Task, jobs)
        finished = False
        try:
            while True:
                self._dispatch(function, itertools.chain(_drain(returned), tasks))
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
                self.close()  # what they are doing is of no use to anyone

    def _dispatch(self, function: Callable[[Any], Any], tasks: Iterator[_Task]) -> None:
        """Give every worker as many jobs as it may have, to those with the fewest first."""
        while True:
            worker = min(self._workers, key=lambda worker: len(worker.tasks), default=None)
            wanting = worker is None or (worker.tasks and len(self._workers) < self._count)
            if worker and not wanting and len(worker.tasks) >= PREFETCH:
                return
            task = next(tasks, None)
            if task is None:
                return
            if wanting or worker is None:
                worker = _Process(self._prepare)
                self._workers.append(worker)
            worker.send_job(function, task)

    def _reap(self, worker: _Process) -> list[_Task]:
        """Remove a worker that has died, and return its jobs, which are to be done by others.

        Raises
        ------
        FarmError
            When too many have died of the same.
        """
        self._workers.remove(worker)
        worker.request_stop()
        code = worker.join_or_kill(SHUTDOWN_GRACE)
        if not worker.ready:
            self._failed_starts += 1
            if self._failed_starts >= MAX_WORKER_DEATHS:
                raise FarmError(f"worker processes: expected to start, ended with exit code {code}")
        elif worker.tasks:
            worker.tasks[0].deaths += 1
            _check_deaths(worker.tasks[0].deaths, worker.tasks[0].job, f"exit code {code}")
        return list(worker.tasks)

    def close(self) -> None:
        for worker in self._workers:
            worker.request_stop()
        for worker in self._workers:
            worker.join_or_kill(2 * SHUTDOWN_GRACE)
        self._workers = []


def _drain(tasks: deque[_Task]) -> Iterator[_Task]:
    """Yield what is in `tasks`, which is emptied."""
    while tasks:
        yield tasks.popleft()


def _check_deaths(deaths: int, job: object, how: str) -> None:
    """Raise an error when a job has cost too many workers."""
    if deaths >= MAX_WORKER_DEATHS:
        name = quoted(repr(job), MAX_NAME_LENGTH)
        raise FarmError(f"job {name}: expected a result, got {deaths} dead workers ({how})")


# ----------------------------------------------------------------------------------------------------------
# A Dask cluster


class _DaskBackend(_Backend):
    """The workers of a Dask scheduler, which gives the jobs of those that are lost to others.

    When none is left it waits for new ones.
    """

    def __init__(self, address: str, prepare: Initializer | None) -> None:
        self._address = address
        self._prepare = prepare
        self._client: Any = None

    def open(self) -> None:
        try:
            import distributed
        except ImportError:
            raise FarmError(
                "dask: expected the package distributed, got none; pip install 'tengen[cluster]'"
            ) from None
        for logger in "distributed", "distributed.client":  # each has a level of its own
            logging.getLogger(logger).setLevel(logging.CRITICAL)  # what matters is raised here
        # Asked before a client is made: one that fails hangs for seconds when the process ends.
        identity = self._connected(lambda: asyncio.run(_identity(self._address)))
        if not identity.get("workers"):
            raise FarmError(f"dask: expected workers at {quoted(self._address)}, got a scheduler without any")
        self._client = self._connected(
            lambda: distributed.Client(self._address, timeout=CONNECT_TIMEOUT, set_as_default=False)
        )
        try:  # a worker that cannot import what it is to run ends without a word
            self._client.run_on_scheduler(exec, IMPORT)
            self._client.run(exec, IMPORT)
        except Exception as error:
            self.close()
            where = f"on the scheduler and the workers at {quoted(self._address)}"
            raise FarmError(f"dask: expected tengen {where}, got none ({error})") from None

    def _connected(self, connect: Callable[[], Any]) -> Any:
        """Return what `connect` does, its failures in one line."""
        try:
            return connect()
        except Exception as error:  # all sorts: whatever listens there may send anything
            reason = str(error) or f"no answer within {CONNECT_TIMEOUT:g} s"
            where = f"dask: expected a scheduler at {quoted(self._address)}, got none"
            raise FarmError(f"{where} ({reason.splitlines()[0]})") from None

    def run(self, function: Callable[[Any], Any], jobs: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        import distributed

        client = self._client
        pending: dict[Any, Any] = {}
        arrivals = distributed.as_completed(loop=client.loop)
        try:
            while True:
                room = max(1, PREFETCH * sum(client.nthreads().values())) - len(pending)
                for job in itertools.islice(jobs, max(0, room)):
                    future = client.submit(_run_job, self._prepare, function, job, pure=False)
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
        """Return the result of a job that has ended."""
        import distributed

        try:
            return future.result()
        except distributed.KilledWorker:
            _check_deaths(MAX_WORKER_DEATHS, job, "killed")
        except concurrent.futures.CancelledError:
            expected = f"dask: expected the scheduler at {quoted(self._address)} to stay"
            raise FarmError(f"{expected}, lost it") from None

    def close(self) -> None:
        if self._client:
            with contextlib.suppress(Exception):  # the cluster may be gone
                self._client.close(timeout=SHUTDOWN_GRACE)
        self._client = None


async def _identity(address: str) -> dict[str, Any]:
    """Return what the scheduler at `address` says of itself."""
    from distributed.core import rpc

    async with asyncio.timeout(CONNECT_TIMEOUT), rpc(address, timeout=CONNECT_TIMEOUT) as scheduler:
        identity: dict[str, Any] = await scheduler.identity()
        return identity
