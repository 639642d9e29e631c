"""Input and output of lines: input is read by its own thread, any thread may write whole lines."""

import io
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from tengen.engine.debug import internal_error, log
from tengen.search.threads import SIGNAL_SECONDS

MAX_LINE = 1 << 20  # bytes kept of a line; a longer one is truncated
CHUNK = 1 << 14  # bytes of one read
MAX_WAITING, MAX_WAITING_LENGTH = 10_000, 4 << 20  # lines and characters read ahead, before one more read

# Control characters mean nothing in any protocol; a tab is a space.
SPACED = bytes.maketrans(b"\t", b" ")
CONTROLS = bytes({*range(32), 127} - {*b"\t\n"})
BLANK_LINES = re.compile(rb"\n[ \n]*\n")


def standard_input() -> BinaryIO:
    """Return standard input.

    It is unbuffered: a thread blocked on buffered input holds a lock that would delay the exit.
    """
    buffer: io.BytesIO = getattr(sys.stdin, "buffer", None) or io.BytesIO()
    try:
        return io.FileIO(buffer.fileno(), closefd=False)
    except (OSError, ValueError):  # it is no file
        return buffer


@dataclass(slots=True)
class InputLine:
    """A line of input."""

    text: str  # without its end and without control characters; undecodable bytes become U+FFFD
    truncated: bool = False  # whether it was longer than `MAX_LINE` bytes
    # when it was read, by `time.monotonic`
    arrived: float = field(default_factory=time.monotonic, compare=False)


class Reader:
    """Reads lines ahead on a thread, so that a running command can see that one has arrived.

    Blank lines that follow each other, in what one read brings, count as one. The source must be unbuffered:
    its `read` returns what is available.
    """

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._lines: deque[InputLine] = deque()
        self._length_read = 0  # of all lines so far; changed by the reader thread only
        self._length_taken = 0  # of those taken; changed by the iterating thread only
        self._ended = False
        self._blocked = False  # whether the reader thread waits for room
        self._change = threading.Condition()

    def start(self, on_line: Callable[[InputLine], object] = lambda line: None) -> None:
        """Start reading; `on_line` is called on the reader thread as soon as a line arrives."""
        threading.Thread(target=self._run, args=(on_line,), name="tengen reader", daemon=True).start()

    def __iter__(self) -> Iterator[InputLine]:
        """Yield the lines until the end of input; one thread may do so."""
        while True:
            while not self._lines:
                if self.wait(SIGNAL_SECONDS) and not self._lines:
                    return
            line = self._lines.popleft()
            self._length_taken += len(line.text)
            if self._blocked and self._has_room(0.5):  # the lock is left alone as long as nobody waits
                with self._change:
                    self._change.notify_all()
            yield line

    def wait(self, seconds: float | None = None) -> bool:
        """Wait up to `seconds` for a line or the end of input; return whether it has arrived."""
        with self._change:
            return self._change.wait_for(lambda: bool(self._lines) or self._ended, seconds)

    def _run(self, on_line: Callable[[InputLine], object]) -> None:
        """Read until the end of input."""
        try:
            for lines in self._split():
                for line in lines:
                    try:
                        on_line(line)
                    except Exception as error:  # a bug there must not end the input
                        log.error(internal_error(error))
                with self._change:
                    if not self._has_room(1.0):
                        self._blocked = True
                        self._change.wait_for(lambda: self._has_room(0.5))
                        self._blocked = False
                    self._lines.extend(lines)
                    self._length_read += sum(len(line.text) for line in lines)
                    self._change.notify_all()
        finally:
            with self._change:
                self._ended = True
                self._change.notify_all()

    def _has_room(self, share: float) -> bool:
        """Return whether less waits than this share of what may wait."""
        waiting = self._length_read - self._length_taken
        return len(self._lines) <= share * MAX_WAITING and waiting <= share * MAX_WAITING_LENGTH

    def _split(self) -> Iterator[list[InputLine]]:
        """Yield the lines that each read has completed; the last one may lack its end."""
        kept, truncated = bytearray(), False
        while chunk := self._read():
            first, *others = BLANK_LINES.sub(b"\n\n", chunk.translate(SPACED, CONTROLS)).split(b"\n")
            room = MAX_LINE - len(kept)
            kept += first[:room]
            truncated = truncated or len(first) > room
            if others:
                *whole, last = others
                yield [_line(kept, truncated), *map(_line, whole)]
                kept, truncated = bytearray(last), False
        if kept:
            yield [_line(kept, truncated)]

    def _read(self) -> bytes:
        """Return the next bytes; none at the end of input, or if it can no longer be read."""
        try:
            return self._source.read(CHUNK) or b""
        except OSError:  # the terminal is gone, or there never was an input
            return b""


def _line(data: bytes | bytearray, truncated: bool = False) -> InputLine:
    return InputLine(data.decode("utf-8", "replace"), truncated)


class Writer:
    """Writes whole lines from any thread, and flushes them.

    `on_failure` is called with the error when nothing can be written any more: the reader is gone, or the
    disk is full.
    """

    def __init__(self, sink: BinaryIO, on_failure: Callable[[Exception], None]) -> None:
        self._sink = sink
        self._on_failure = on_failure
        self._lock = threading.Lock()

    def write(self, *lines: str) -> None:
        """Write `lines` together: no line of another thread comes between them."""
        data = "\n".join((*lines, "")).encode("utf-8", "replace")
        try:
            with self._lock:
                self._sink.write(data)
                self._sink.flush()
        except (OSError, ValueError) as error:  # ValueError: closed by this process
            self._on_failure(error)

    def block_writes(self, seconds: float) -> None:
        """Block all further writes for good; a write in progress gets `seconds` to finish."""
        self._lock.acquire(timeout=seconds)
