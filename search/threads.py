"""Threads that are kept for the next search: a new one, with memory of its own, costs half a millisecond."""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue

NAME = "tengen search"
SIGNAL_SECONDS = 1.0  # longest wait: a signal that arrives just before one begins is handled when it ends

_idle: list[SimpleQueue[Callable[[], object]]] = []  # where threads without work wait for it


def run_in_thread(work: Callable[[], object]) -> None:
    """Call `work` in a thread that is kept afterwards, unless `work` raises; return at once."""

    def serve(queue: SimpleQueue[Callable[[], object]]) -> None:
        while True:
            queue.get()()
            _idle.append(queue)

    try:
        queue = _idle.pop()
    except IndexError:
        queue = SimpleQueue()
        threading.Thread(target=serve, args=(queue,), name=NAME, daemon=True).start()
    queue.put(work)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # threads of the parent do not run there
