"""SIGINT (Ctrl-C): it stops the search first, and ends the process the second time."""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from tengen.engine.system import take

if TYPE_CHECKING:
    from tengen.protocol.session import Session

Item = TypeVar("Item")

EXIT_INTERRUPTED = 130  # the exit code of a process that SIGINT has ended, as shells have it


def in_background(items: Iterable[Item]) -> Iterator[Item]:
    """Yield `items`, which another thread makes: SIGINT ends a command even while one of its kernels runs."""
    made: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()

    def make() -> None:
        try:
            for item in items:
                made.put((True, item))
            made.put((False, None))
        except BaseException as error:
            made.put((False, error))

    threading.Thread(target=make, name="tengen work", daemon=True).start()
    while True:
        more, item = take(made)
        if not more:
            break
        yield item
    if item is not None:
        raise item


@contextmanager
def on_sigint(act: Callable[[], object]) -> Iterator[None]:
    """Let SIGINT call a function while the block runs."""
    previous = signal.signal(signal.SIGINT, lambda *_: act())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


def stop_on_sigint(session: Session) -> AbstractContextManager[None]:
    """Let the first SIGINT stop the search of `session`; a second one acts as usual."""
    usual = signal.getsignal(signal.SIGINT)

    def interrupt() -> None:
        signal.signal(signal.SIGINT, usual)
        interrupt_search(session)

    return on_sigint(interrupt)


def interrupt_search(session: Session) -> None:
    """Mark `session` as interrupted and stop its search.

    This runs in a separate thread: a signal handler may run while the main thread holds a lock.
    """
    session.interrupted = True
    threading.Thread(target=session.stop, daemon=True).start()
