"""Input and output of lines: input is read by its own thread, any thread may write whole lines."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from tengen.engine.debug import internal_error, log

MAX_LINE = 1 << 20  # bytes kept of a line; a longer one is truncated
CHUNK = 1 << 16  # bytes of one read
MAX_WAITING, MAX_WAITING_LENGTH = 10_000, 4 << 20  # lines read ahead, and their characters together
SIGNAL_SECONDS = 1.0  # longest wait: a signal that arrives just before one begins is handled when it ends

# Control characters mean nothing in any protocol; a tab is a space.
CLEAN = {code: None for code in (*range(32), 127)} | {ord("\t"): " "}


class InputSource(Protocol):
    """An unbuffered stream, whose `read` returns what is available."""

    def read(self, size: int, /) -> bytes | None:
        """Return up to `size` bytes; none at the end."""


class ByteSink(Protocol):
    """A stream to write to."""

    def write(self, data: bytes, /) -> object:
        """Write `data`."""

    def flush(self) -> None:
        """Send what has been written."""


@dataclass(frozen=True)
class InputLine:
    """A line of input.

    Attributes
    ----------
    text : str
        Without its end and without control characters; undecodable bytes become U+FFFD.
    truncated : bool
        Whether it was longer than `MAX_LINE` bytes.
    """

    text: str
    truncated: bool = False


class Reader:
    """Reads lines ahead on a thread, so that a running command can see that one has arrived.

    Parameters
    ----------
    source : InputSource
    """

    def __init__(self, source: InputSource) -> None:
        self._source = source
        self._lines: deque[InputLine] = deque()
        self._length = 0  # of all waiting lines
        self._ended = False
        self._change = threading.Condition()
        self._on_line: Callable[[InputLine], None] | None = None

    def start(self, on_line: Callable[[InputLine], None] | None = None) -> None:
        """Start reading; `on_line` is called on the reader thread as soon as a line arrives."""
        self._on_line = on_line
        threading.Thread(target=self._run, name="tengen reader", daemon=True).start()

    def __iter__(self) -> Iterator[InputLine]:
        """Yield the lines until the end of input."""
        while True:
            while not self.wait(SIGNAL_SECONDS):
                pass
            with self._change:
                if not self._lines:
                    return
                line = self._lines.popleft()
                self._length -= len(line.text)
                self._change.notify_all()
            yield line

    def wait(self, seconds: float | None = None) -> bool:
        """Wait up to `seconds` for a line or the end of input; return whether it has arrived."""
        with self._change:
            return self._change.wait_for(lambda: bool(self._lines) or self._ended, seconds)

    def _run(self) -> None:
        """Read until the end of input."""
        try:
            for line in self._split():
                self._announce(line)
                with self._change:
                    self._change.wait_for(self._has_room)
                    self._lines.append(line)
                    self._length += len(line.text)
                    self._change.notify_all()
        finally:
            with self._change:
                self._ended = True
                self._change.notify_all()

    def _has_room(self) -> bool:
        """Return whether one more line may wait."""
        return len(self._lines) < MAX_WAITING and self._length < MAX_WAITING_LENGTH

    def _announce(self, line: InputLine) -> None:
        """Call `on_line`; a bug there must not end the input."""
        try:
            if self._on_line:
                self._on_line(line)
        except Exception as error:
            log.error(internal_error(error))

    def _split(self) -> Iterator[InputLine]:
        """Yield the lines of the source; the last one may lack its end."""
        kept, truncated = bytearray(), False
        while chunk := self._read():
            first, *others = chunk.split(b"\n")
            for number, piece in enumerate((first, *others)):
                if number:
                    yield _line(kept, truncated)
                    kept, truncated = bytearray(), False
                room = MAX_LINE - len(kept)
                kept += piece[:room]
                truncated = truncated or len(piece) > room
        if kept:
            yield _line(kept, truncated)

    def _read(self) -> bytes:
        """Return the next bytes; none at the end of input, or if it can no longer be read."""
        try:
            return self._source.read(CHUNK) or b""
        except OSError:  # the terminal is gone, or there never was an input
            return b""


def _line(data: bytearray, truncated: bool) -> InputLine:
    return InputLine(data.decode("utf-8", "replace").translate(CLEAN), truncated)


class Writer:
    """Writes whole lines from any thread, and flushes them.

    Parameters
    ----------
    sink : ByteSink
    on_closed : callable
        Called when the reader of the output is gone.
    """

    def __init__(self, sink: ByteSink, on_closed: Callable[[], None]) -> None:
        self._sink = sink
        self._on_closed = on_closed
        self._lock = threading.Lock()

    def write(self, *lines: str) -> None:
        """Write `lines` together: no line of another thread comes between them."""
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        try:
            with self._lock:
                self._sink.write(data)
                self._sink.flush()
        except (OSError, ValueError):  # ValueError: closed by this process
            self._on_closed()

    def block_writes(self, seconds: float) -> None:
        """Block all further writes for good; a write in progress gets `seconds` to finish."""
        self._lock.acquire(timeout=seconds)
