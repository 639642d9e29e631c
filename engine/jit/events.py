"""Compilation events: who waits for the kernels of a game learns when they are really compiled.

Python collects no garbage meanwhile: numba keeps most of what it makes, and looking through that takes a
tenth of the time.
"""

import contextlib
import gc
import threading
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import event

_listeners: list[tuple[str, Callable[[], None]]] = []  # the game's package, and what to call
_compiling: list[str] = []  # the games' packages, of kernels within kernels too
_listeners_guard = threading.Lock()


@contextlib.contextmanager
def on_compile(package: str, callback: Callable[[], None]) -> Iterator[None]:
    """Call `callback` for every kernel of a game that any thread compiles, not loads, in this context.

    It is called at once if such a kernel is being compiled already. Other calls come from the thread that
    compiles, which holds numba's lock: `callback` must neither block nor compile.
    """
    listener = (package, callback)
    with _listeners_guard:
        _listeners.append(listener)
        under_way = package in _compiling
    try:
        if under_way:
            callback()
        yield
    finally:
        with _listeners_guard:
            _listeners.remove(listener)


class _CompileListener(event.Listener):  # type: ignore[misc]
    """Hears from numba when a kernel is compiled; one that is found on disk makes no event.

    Numba compiles in one thread at a time.
    """

    _collects = False  # whether Python collects garbage between compilations

    def on_start(self, event: Any) -> None:
        package = self._package(event)
        if not _compiling:
            self._collects = gc.isenabled()
            gc.disable()
        with _listeners_guard:
            _compiling.append(package)
            callbacks = [callback for listening, callback in _listeners if listening == package]
        for callback in callbacks:
            callback()

    def on_end(self, event: Any) -> None:
        with _listeners_guard:
            _compiling.remove(self._package(event))
        if not _compiling and self._collects:
            gc.enable()

    @staticmethod
    def _package(event: Any) -> str:
        """Return the package of the game that a kernel is compiled for; empty for shared helpers."""
        return getattr(getattr(event.data["dispatcher"], "py_func", None), "__game__", "")


event.register("numba:compile", _CompileListener())
