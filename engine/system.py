"""What operating systems do differently: locks, command lines, pipes, groups of processes, processors.

Both sides of each difference are here. Elsewhere than on Linux, psutil tells about other processes; it is
installed there together with tengen.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # imported where they are needed: protocols must introduce themselves at once
    import subprocess
    from multiprocessing.connection import Connection

Item = TypeVar("Item")

is_command = False  # whether this process is the command tengen, which may start others to help it
WINDOWS = os.name == "nt"
LINUX = sys.platform.startswith("linux")

_WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP)  # errors of locks on disks that have none
_LOCKED_BYTE = 1 << 30  # far behind the end of any file: on Windows nobody can read what is locked
_POLL = 0.02  # seconds between two tries
GLANCE = 0.1 if WINDOWS else None  # seconds to wait at a time: on Windows SIGINT does not end a wait
_PATIENCE = 2.0  # seconds until a file that another program has open, such as a virus scanner, is free
_WATCHDOG = 'read -r line; kill -s KILL -- "-$0"'  # for sh: stdin ends when its writer, our process, dies
_WATCHDOG_PYTHON = """import sys
sys.path[:] = {path}
from tengen.engine.system import kill_group
sys.stdin.readline()
kill_group({group})"""


# ------------------------------------------------------------------------------------------------- files


def lock_file(file: int, wait: bool = False) -> None:
    """Lock an open file, by its descriptor, against other processes until it is closed.

    Perhaps `wait` for them. On disks that have no locks nothing is done. Raises BlockingIOError if another
    process holds it; OSError if it cannot be locked for another reason.
    """
    try:
        if WINDOWS:
            _lock_byte(file, wait)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _WITHOUT_LOCKS:
            raise


def _lock_byte(file: int, wait: bool) -> None:
    """Lock `_LOCKED_BYTE` of a file; its position stays."""
    import msvcrt

    locking: Any = msvcrt  # its functions are unknown to type checkers on other systems
    place = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
    try:
        while True:
            try:
                locking.locking(file, locking.LK_NBLCK, 1)
                return
            except OSError as error:
                if error.errno not in (errno.EACCES, errno.EDEADLK):
                    raise
                if not wait:
                    raise BlockingIOError(errno.EAGAIN, "locked by another process") from None
            time.sleep(_POLL)
    finally:
        os.lseek(file, place, os.SEEK_SET)


def replace(source: Path, target: Path) -> None:
    """Rename a file to another one, which it replaces; on Windows wait until nobody has that open.

    Raises OSError if it cannot be replaced.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            os.replace(source, target)
            return
        except PermissionError:
            if not WINDOWS or time.monotonic() > deadline:
                raise
        time.sleep(_POLL)


# ------------------------------------------------------------------------------------- command lines, pipes


def split_command(line: str) -> tuple[str, ...]:
    r"""Return the words of a command line; on Windows only double quotes mean something else than themselves.

    Raises ValueError if a quotation does not end.
    """
    import shlex

    words = shlex.shlex(line, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters = True, ""
    if WINDOWS:
        words.escape, words.quotes = "", '"'
    return tuple(words)


def join_command(words: Sequence[str]) -> str:
    """Return the command line that has these words, as a shell takes it."""
    import shlex
    import subprocess

    if not WINDOWS:
        return shlex.join(words)
    plain = (subprocess.list2cmdline([word]) for word in words)
    return " ".join(f'"{word}"' if word[:1] != '"' and set(word) & set("<>|&^") else word for word in plain)


def never_block(pipe: int) -> None:
    """Let `write_available` write to a pipe whose reader does not read."""
    if hasattr(os, "set_blocking") and not (WINDOWS and sys.version_info < (3, 12)):
        os.set_blocking(pipe, False)
        return
    import ctypes
    import msvcrt

    windows: Any = msvcrt
    kernel: Any = ctypes.windll.kernel32  # type: ignore[attr-defined]
    no_wait = ctypes.c_ulong(1)  # PIPE_NOWAIT
    kernel.SetNamedPipeHandleState(windows.get_osfhandle(pipe), ctypes.byref(no_wait), None, None)


def write_available(pipe: int, data: bytes | memoryview) -> int:
    """Write what there is room for to a pipe that never blocks; return the number of bytes.

    Raises OSError if nobody can read it any more.
    """
    while data:
        try:
            return os.write(pipe, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            if not (WINDOWS and error.errno == errno.ENOSPC):  # no room for all of it, before Python 3.12
                raise
            data = data[: len(data) // 2]
    return 0


# ------------------------------------------------------------------------------------------------ processes


def in_new_group() -> dict[str, Any]:
    """Return options of `subprocess.Popen` for a group of its own, which a terminal does not interrupt."""
    if WINDOWS:
        return {"creationflags": 0x200}  # CREATE_NEW_PROCESS_GROUP
    return {"start_new_session": True}


def kill_group(group: int) -> None:
    """Kill the process that was started `in_new_group` with this id, and what it has started."""
    if not WINDOWS:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        return
    import psutil

    with contextlib.suppress(psutil.Error):
        first = psutil.Process(group)
        for process in [*first.children(recursive=True), first]:
            with contextlib.suppress(psutil.Error):
                process.kill()


def watchdog(group: int) -> subprocess.Popen[bytes]:
    """Start a process that kills a group (see `kill_group`) when this process ends."""
    import subprocess

    code = _WATCHDOG_PYTHON.format(path=sys.path, group=group)
    command = [sys.executable, "-c", code] if WINDOWS else ["/bin/sh", "-c", _WATCHDOG, str(group)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **in_new_group(),
    )


def take(queue: SimpleQueue[Item]) -> Item:
    """Return the next item of a queue; whoever waits for it hears SIGINT."""
    while True:
        with contextlib.suppress(Empty):
            return queue.get(timeout=GLANCE)


def await_event(event: threading.Event) -> None:
    """Wait for an event; whoever waits hears SIGINT."""
    while not event.wait(GLANCE):
        pass


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


def interrupt(process: subprocess.Popen[Any]) -> None:
    """Let a process end as Ctrl-C would; on Windows it is ended at once."""
    if WINDOWS:
        process.terminate()
    else:
        process.send_signal(signal.SIGINT)


def start_with_pipe(command: Sequence[str], end: Connection) -> subprocess.Popen[bytes]:
    """Start a process that inherits an end of a pipe, which it opens by `inherited_pipe`.

    The `command` tells it the number ``end.fileno()``.
    """
    import subprocess

    number = end.fileno()
    if not WINDOWS:
        return subprocess.Popen(command, pass_fds=[number])
    windows: Any = os
    windows.set_handle_inheritable(number, True)
    startup: Any = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [number]})  # type: ignore[attr-defined]
    return subprocess.Popen(command, startupinfo=startup, **in_new_group())


def inherited_pipe(number: int) -> Connection:
    """Return the end of a pipe that this process was started with; what it starts does not inherit it."""
    from multiprocessing import connection

    windows: Any = os
    if WINDOWS:
        windows.set_handle_inheritable(number, False)
        end: Connection = connection.PipeConnection(number)  # type: ignore[attr-defined]
        return end
    os.set_inheritable(number, False)
    return connection.Connection(number)


# ----------------------------------------------------------------------------------------------- processors


def processors() -> list[int]:
    """Return the numbers of the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def can_pin() -> bool:
    """Return whether `pin` is possible here."""
    return WINDOWS or hasattr(os, "sched_setaffinity")


def pin(pid: int, processor: int) -> None:
    """Keep a process, and what it starts from now on, to one processor; see `can_pin`."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(pid, {processor})
        return
    import psutil

    psutil.Process(pid).cpu_affinity([processor])


def processor_time(pid: int) -> float:
    """Return the seconds of processor time of a process and of the processes that it has started.

    Those that have ended no longer count. On Linux it is exact to the microsecond. Raises ProcessLookupError
    if there is no such process.
    """
    if not LINUX:
        return _told_time(pid)
    import ctypes

    clock = ctypes.c_int()
    if ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock)):
        raise ProcessLookupError(pid)
    try:
        seconds = time.clock_gettime(clock.value)
    except OSError:
        raise ProcessLookupError(pid) from None
    children: list[str] = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has just ended
            children += listed.read_text().split()
    for child in children:
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            seconds += processor_time(int(child))
    return seconds


def _told_time(pid: int) -> float:
    """Return what `processor_time` does, as psutil tells it."""
    import psutil

    try:
        process = psutil.Process(pid)
        seconds = sum(process.cpu_times()[:2])
        for child in process.children(recursive=True):
            with contextlib.suppress(psutil.Error):
                seconds += sum(child.cpu_times()[:2])
    except psutil.Error:
        raise ProcessLookupError(pid) from None
    return float(seconds)
