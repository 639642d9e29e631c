"""The base of all text protocols: a table of commands, the loop that executes lines, and its end."""

import contextlib
import ctypes
import os
import platform
import re
import signal
import struct
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from tengen.engine.debug import internal_error
from tengen.engine.errors import NotationError, TengenError
from tengen.engine.game import Game
from tengen.protocol.engine_options import SearchOptions, set_engine_options
from tengen.protocol.errors import CommandError
from tengen.protocol.interrupts import EXIT_INTERRUPTED, interrupt_search
from tengen.protocol.lines import MAX_LINE, InputLine, Reader, Writer, standard_input
from tengen.protocol.output import print_notice
from tengen.protocol.session import Session

AUTHOR = "the tengen authors"
MAX_FUTILE = 100_000  # lines in a row that are no commands or refused: no controller sends them
EXIT_FAILURE = 2
QUIT_GRACE = 0.1  # seconds to wait for a pending answer before the process exits
CALLS = {"x86_64": 314, "aarch64": 274, "riscv64": 274}  # numbers of sched_setattr, by machine
SLICE = 100_000  # nanoseconds, the shortest slice that Linux grants
SCHED_OTHER = 0
# Linux's first ``struct sched_attr``: size, policy, flags, nice, priority, runtime, deadline, period
ATTRIBUTES = struct.Struct("=IIQiIQQQ")

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True)
class Command:
    """A command of a protocol."""

    # its name and its arguments: ``[]`` around optional ones, ``...`` after one that may be repeated
    usage: str
    handler: Callable[..., Any]  # the method that executes it; takes the list of arguments
    available: Callable[[Game], bool]  # takes a game and returns whether the command exists there

    @cached_property
    def counts(self) -> range:
        """The numbers of arguments that fit the usage."""
        required = re.sub(r"\[[^\]]*\]", "", self.usage).replace("...", "").split()[1:]
        maximum = sys.maxsize - 1 if "..." in self.usage else len(self.usage.split()) - 1
        return range(len(required), maximum + 1)


class Commands:
    """The commands of a protocol by name, in the order they were added."""

    def __init__(self) -> None:
        self.by_name: dict[str, Command] = {}

    def add(
        self, usage: str, *synonyms: str, available: Callable[[Game], bool] = lambda game: True
    ) -> Callable[[Handler], Handler]:
        """Return a decorator that adds a method as a command, named as in `usage` and by its `synonyms`."""

        def enter(handler: Handler) -> Handler:
            for name in (usage.split()[0], *synonyms):
                self.by_name[name] = Command(usage, handler, available)
            return handler

        return enter

    def names(self, game: Game) -> list[str]:
        """Return the names of the commands that exist in `game`."""
        return [name for name, command in self.by_name.items() if command.available(game)]


class CommandLoop(ABC):
    """Reads lines, executes the commands in them, and writes the replies; `exit_process` ends it at once."""

    commands: ClassVar[Commands]

    def __init__(
        self, session: Session, reader: Reader, writer: Writer, exit_process: Callable[[int], None] = os._exit
    ) -> None:
        self.session = session
        self.reader = reader
        self.writer = writer
        self.exit_process = exit_process
        self.quit_requested = False

    def serve(self) -> int:
        """Execute lines until the input ends or a command quits; return the exit code."""
        self.reader.start(self.on_line)
        futile = 0
        for line in self.reader:
            self.session.interrupted = False
            futile = 0 if self.execute(line) else futile + 1
            if self.quit_requested:
                return 0
            if futile >= MAX_FUTILE:
                print_notice(
                    f"expected commands, got {futile:,} lines in a row that are none or were refused"
                )
                return EXIT_FAILURE
        self.on_eof()
        return 0

    def on_eof(self) -> None:
        """Finish the running search when the input has ended; stop it first if it has no limit."""
        limits = self.session.limits
        if limits.infinite or limits.ponder or not limits.bounded:
            self.session.stop()
        self.session.wait()

    def on_line(self, line: InputLine) -> None:  # noqa: B027 - optional
        """Look at a line as soon as it arrives, before it is executed; called on the reader thread."""

    def execute(self, line: InputLine) -> bool:
        """Execute one line and reply to it; return whether it was a command, and was obeyed."""
        with self.refusing():
            return self.obey(line)
        return False

    @contextlib.contextmanager
    def refusing(self) -> Iterator[None]:
        """Reply to errors inside the block, bugs among them: they must not end the game."""
        try:
            yield
        except TengenError as error:
            self.refuse(error)
        except Exception as error:
            self.refuse(CommandError(internal_error(error)))

    @abstractmethod
    def obey(self, line: InputLine) -> bool:
        """Do as `execute`, but raise what is refused."""

    @abstractmethod
    def refuse(self, error: TengenError) -> None:
        """Reply that a line is refused."""

    def interrupt(self) -> None:
        """Stop the search on SIGINT; exit on the second one if no command came in between."""
        if self.session.interrupted:
            self.exit_process(EXIT_INTERRUPTED)
        interrupt_search(self.session)

    def command(self, name: str, arguments: list[str]) -> Command | None:
        """Return the command called `name`, if it takes so many arguments; None if this game has none."""
        command = self.commands.by_name.get(name)
        if command is None or not command.available(self.session.spec.game):
            return None
        if len(arguments) not in command.counts:
            raise NotationError(f"expected {command.usage}, got {len(arguments)} arguments")
        return command

    @staticmethod
    def reject_truncated(line: InputLine) -> None:
        """Raise NotationError for a line that was truncated."""
        if line.truncated:
            raise NotationError(f"expected a line of at most {MAX_LINE} bytes")


def run_protocol(
    protocol: Callable[[Session, Reader, Writer], CommandLoop],
    session: Session,
    options: SearchOptions,
) -> int:
    """Speak `protocol` on standard input and output until it ends; then end the process.

    The process exits immediately, even while a search runs.
    """
    ask_for_short_slices()
    set_engine_options(session, options)
    loop = protocol(session, Reader(standard_input()), Writer(sys.stdout.buffer, _end_without_output))
    signal.signal(signal.SIGINT, lambda *_: loop.interrupt())
    code = loop.serve()
    sys.stderr.flush()
    os._exit(code)


def _end_without_output(error: Exception) -> None:
    """End the process, since nothing can be written any more; say why, unless the reader has just gone."""
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        print_notice(f"standard output: {error.strerror or error}")
        os._exit(EXIT_FAILURE)
    os._exit(0)


# --------------------------------------------------------------- engines want a processor soon, not for long


def ask_for_short_slices() -> None:
    """Let this thread, and those that it starts, have short slices of a processor, which come sooner.

    Its share of the processors stays the same. Linux from 6.12 on grants this; elsewhere nothing happens, nor
    under an unusual scheduling policy.
    """
    call = CALLS.get(platform.machine())
    if sys.platform != "linux" or sys.maxsize < 1 << 32 or call is None:
        return
    try:
        if os.sched_getscheduler(0) != SCHED_OTHER:
            return
        nice = os.getpriority(os.PRIO_PROCESS, 0)
        wanted = ATTRIBUTES.pack(ATTRIBUTES.size, SCHED_OTHER, 0, nice, 0, SLICE, 0, 0)
        ctypes.CDLL(None).syscall(call, 0, wanted, 0)
    except (OSError, AttributeError):  # refused, or a system without such a C library
        return
