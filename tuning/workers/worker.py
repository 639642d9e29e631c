"""What runs in a worker process of this machine: the jobs that come through a pipe, one after another."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from tengen.engine.debug import configure_logging
from tengen.engine.errors import TengenError
from tengen.tuning.workers.backend import SHUTDOWN_GRACE, initialize_once


def main(descriptor: int) -> None:
    """Receive an initializer and jobs; send a report of each: (True, result) or (False, error).

    The first report says that the worker is ready; its result is None. The process ends when the parent
    closes the pipe or dies, and says nothing then.

    Parameters
    ----------
    descriptor : int
        Of this end of a pipe of `multiprocessing.connection`.
    """
    pipe: Connection = Connection(descriptor)
    os.set_inheritable(descriptor, False)  # no program that a job starts holds it
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
