"""A process that exchanges lines of text with us, and is killed in time.

An external engine is never trusted: it may hang, die, flood us with output or send rubbish. Each of these
raises `PlayerFailure` within the time that it was given. Its process group is killed on closing, and also
when this process ends, for whatever reason.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import IO

from tengen.engine import system
from tengen.engine.errors import OptionError, file_error, quoted
from tengen.tuning.players.base import EndReason, PlayerFailure

SHUTDOWN_GRACE = 1.0  # seconds between asking an engine to quit and killing it
POLL = 0.005  # seconds between two tries to write to an engine whose input is full
MIN_WORK = 1.0  # seconds of processor time, while patience lasts, that show an engine to be alive
MAX_LINE = 1 << 16  # bytes; the rest of a longer line is read as another line
MAX_WAITING = 1_000  # lines read ahead


class Deadline:
    """When to stop waiting for an engine: so many seconds from now on."""

    def __init__(self, seconds: float) -> None:
        self.at = time.perf_counter() + seconds  # in the time of `time.perf_counter`

    def left(self) -> float:
        """Return the seconds that are left."""
        return self.at - time.perf_counter()


class StartDeadline(Deadline):
    """When to stop waiting for an engine that gets ready, which on a busy machine may take long.

    Patience lasts from the last sign of life on. Processor time is one, where it can be told: who compiles or
    loads a net is alive. A bound ends the wait for one that only goes round in a circle.

    `patience` is the time to wait for a sign of life, `work` the processor time that getting ready may take
    beyond that, in seconds.
    """

    def __init__(self, engine: EngineProcess, patience: float, work: float) -> None:
        super().__init__(patience)
        self._engine, self._patience, self._work = engine, patience, work
        self._seen = self._began = engine.work()

    def renew(self) -> None:
        """Begin again: the time until now was not the engine's."""
        self.at = time.perf_counter() + self._patience

    def left(self) -> float:
        """Return the seconds that are left at least."""
        if super().left() <= 0:
            now = self._engine.work()
            if now - self._seen >= MIN_WORK and now - self._began < self._work:
                self.renew()
            self._seen = now
        return super().left()


class EngineProcess:
    """A running process whose standard input and output are lines of text.

    It runs in the folder, with these variables of the environment besides those of this process. `log` is
    called with every line that is sent, after ``> ``, or received, after ``< ``. Raises OptionError if there
    is no such program.
    """

    def __init__(
        self,
        command: tuple[str, ...],
        folder: str | None = None,
        environment: Mapping[str, str] | None = None,
        log: Callable[[str], object] | None = None,
    ) -> None:
        self._log = log
        if folder is not None and not os.path.isdir(folder):
            raise OptionError(f"player: expected a folder to run in, got {quoted(folder)}")
        try:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                **system.in_new_group(),  # killed as a whole, unaffected by our SIGINT
            )
        except OSError as error:
            reason = error.strerror or error
            message = f"player: expected a program, got {quoted(command[0])} ({reason})"
            raise file_error(message, error) from None
        assert self._process.stdin
        system.never_block(self._process.stdin.fileno())
        self._writing = threading.Lock()
        self._watchdog = system.watchdog(self._process.pid)
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_WAITING)
        self._stderr_tail: deque[str] = deque(maxlen=1)
        self._closing = False
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read_output(self) -> None:
        """Queue the lines of stdout, then None for its end."""
        assert self._process.stdout
        for line in chain(_lines(self._process.stdout), [None]):
            while True:
                try:
                    self._lines.put(line, timeout=0.1)
                    break
                except queue.Full:
                    if self._closing:  # no one will read it
                        return

    def _read_errors(self) -> None:
        """Keep the last line of stderr that is not blank."""
        assert self._process.stderr
        for line in _lines(self._process.stderr):
            if line.strip():
                self._stderr_tail.append(line.strip())

    def send(self, line: str, deadline: Deadline) -> None:
        """Write one line; an engine that does not read for long has its input full.

        Raises PlayerFailure if the engine has closed its input, or the deadline passes.
        """
        assert self._process.stdin
        self._note(">", line)
        data = memoryview(line.encode() + b"\n")
        if not self._writing.acquire(timeout=min(max(0.0, deadline.left()), threading.TIMEOUT_MAX)):
            raise self._late("its input is full")
        try:
            while data:
                if written := system.write_available(self._process.stdin.fileno(), data):
                    data = data[written:]
                    continue
                if deadline.left() <= 0:
                    raise self._late("its input is full")
                time.sleep(POLL)
        except (OSError, ValueError):
            raise self._exit_failure() from None
        finally:
            self._writing.release()

    def receive(self, deadline: Deadline) -> str:
        """Return the next line of output, without its end.

        Raises PlayerFailure if the engine has died, or the deadline passes.
        """
        detail = "no answer among what it prints"
        while (left := deadline.left()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                detail = "no answer"
                continue
            if line is None:
                raise self._exit_failure()
            self._note("<", line)
            return line
        raise self._late(detail)

    def _note(self, mark: str, lines: str) -> None:
        """Log what is sent or has been received."""
        if self._log:
            try:
                for line in lines.split("\n"):
                    self._log(f"{mark} {line}")
            except BaseException:
                self._log = None  # it must not keep the engine from being closed
                raise

    def _late(self, detail: str) -> PlayerFailure:
        """Return the failure of an engine that is too late."""
        return PlayerFailure(EndReason.TIME, detail + self._stderr_suffix())

    def _exit_failure(self) -> PlayerFailure:
        """Return a failure with the exit code or signal of the engine."""
        try:
            code = self._process.wait(SHUTDOWN_GRACE)
        except subprocess.TimeoutExpired:
            return PlayerFailure(EndReason.CRASH, "its output has ended" + self._stderr_suffix())
        self._readers[1].join(SHUTDOWN_GRACE)
        how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        return PlayerFailure(EndReason.CRASH, how + self._stderr_suffix())

    def _stderr_suffix(self) -> str:
        """Return the last line of stderr as a clause for an error text; empty without any."""
        return f"; stderr ends with {quoted(self._stderr_tail[-1], 200)}" if self._stderr_tail else ""

    def processor_time(self) -> float:
        """Return the seconds of processor time that the engine has used so far.

        Raises PlayerFailure if the engine has died.
        """
        try:
            return system.processor_time(self._process.pid)
        except ProcessLookupError:
            raise self._exit_failure() from None

    def work(self) -> float:
        """Return the seconds of processor time so far; 0 if the engine has died."""
        with contextlib.suppress(ProcessLookupError):
            return system.processor_time(self._process.pid)
        return 0.0

    def kill(self) -> None:
        """Kill the process group at once."""
        self._closing = True
        system.kill_group(self._process.pid)
        self._process.kill()

    def close(self, quit_command: str = "") -> None:
        """Send `quit_command`, if any, and kill the process group if it does not end by itself."""
        self._closing = True
        if quit_command:
            with contextlib.suppress(PlayerFailure, subprocess.TimeoutExpired):
                self.send(quit_command, Deadline(SHUTDOWN_GRACE))
                self._process.wait(SHUTDOWN_GRACE)
        self.kill()
        self._watchdog.kill()  # before `wait` frees the process id, which another group may then get
        self._watchdog.communicate()
        self._process.wait()
        with contextlib.suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()
        streams = self._process.stdout, self._process.stderr
        for reader, stream in zip(self._readers, streams, strict=True):
            reader.join(SHUTDOWN_GRACE)
            # Closing a stream blocks on its reader thread, which may wait for a child that left the group.
            if stream and not reader.is_alive():
                stream.close()


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a stream without line ends; invalid UTF-8 is replaced."""
    while line := stream.readline(MAX_LINE):
        yield line.decode("utf-8", "replace").rstrip("\r\n")
