"""A dialogue in lines of text: a table of commands, the loop that obeys them, how it ends."""

from __future__ import annotations

import argparse
import io
import os
import re
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from tengen.engine.errors import NotationError
from tengen.engine.game import Game
from tengen.protocol.common.engine_options import set_engine_options
from tengen.protocol.common.interrupts import EXIT_INTERRUPTED, interrupt_search
from tengen.protocol.common.lines import MAX_LINE, InputLine, Reader, Writer
from tengen.protocol.common.session import Session

AUTHOR = "the tengen authors"
QUIT_GRACE = 0.1  # seconds that a dialogue waits for an answer that is on its way, before it quits

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True)
class Command:
    """A command of a protocol.

    Attributes
    ----------
    usage : str
        Its name and its arguments: ``[]`` around what may be left out, ``...`` behind what may be repeated.
    handler : callable
        The method of the dialogue that obeys it; takes the list of argument words.
    available : callable
        Takes a game and returns whether the command exists there.
    """

    usage: str
    handler: Callable[..., Any]
    available: Callable[[Game], bool]

    def accepts(self, count: int) -> bool:
        """Return whether `count` arguments fit the usage."""
        required = re.sub(r"\[[^\]]*\]", "", self.usage).replace("...", "").split()[1:]
        most = sys.maxsize if "..." in self.usage else len(self.usage.split()) - 1
        return len(required) <= count <= most


class Commands:
    """The commands of a protocol by name, in the order in which they were added."""

    def __init__(self) -> None:
        self.by_name: dict[str, Command] = {}

    def add(
        self, usage: str, *synonyms: str, available: Callable[[Game], bool] = lambda game: True
    ) -> Callable[[Handler], Handler]:
        """Return a decorator that enters a method as a command, under the name in `usage` and `synonyms`."""

        def enter(handler: Handler) -> Handler:
            for name in (usage.split()[0], *synonyms):
                self.by_name[name] = Command(usage, handler, available)
            return handler

        return enter

    def include(self, others: Commands) -> None:
        """Enter all of `others` as well."""
        self.by_name |= others.by_name

    def names(self, game: Game) -> list[str]:
        """Return the names of the commands that exist in `game`."""
        return [name for name, command in self.by_name.items() if command.available(game)]


class CommandLoop(ABC):
    """One side of a conversation in lines, about a session.

    Parameters
    ----------
    session : Session
    reader : Reader
        Not yet started.
    writer : Writer
    leave : callable
        Ends the process at once with an exit code.
    """

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
        """Obey lines of input until their end, or until a command ends the dialogue; return the exit code."""
        self.reader.start(self.on_line)
        for line in self.reader:
            self.session.interrupted = False
            self.execute(line)
            if self.quit_requested:
                return 0
        self.on_eof()
        return 0

    def on_eof(self) -> None:
        """See to the end of what is under way when the input has ended."""
        self.session.wait_or_stop()

    def on_line(self, line: InputLine) -> None:  # noqa: B027 - most protocols need not listen
        """Look at a line of input as soon as it has come in, on the reading thread, before its turn."""

    @abstractmethod
    def execute(self, line: InputLine) -> None:
        """Obey one line of input and reply to it."""

    def interrupt(self) -> None:
        """End the search; the second time without a command between, end the process."""
        if self.session.interrupted:
            self.exit_process(EXIT_INTERRUPTED)
        interrupt_search(self.session)

    def command(self, name: str, arguments: list[str]) -> Command | None:
        """Return the command called `name`; None when this game has none of that name.

        Raises
        ------
        NotationError
            When the number of arguments is not what it takes.
        """
        command = self.commands.by_name.get(name)
        if command is None or not command.available(self.session.spec.game):
            return None
        if not command.accepts(len(arguments)):
            raise NotationError(f"expected {command.usage}, got {len(arguments)} arguments")
        return command

    @staticmethod
    def reject_truncated(line: InputLine) -> None:
        """Raise NotationError for a line that is too long to be kept."""
        if line.truncated:
            raise NotationError(f"expected a line of at most {MAX_LINE} bytes")


def run_protocol(
    protocol: Callable[[Session, Reader, Writer], CommandLoop],
    session: Session,
    arguments: argparse.Namespace,
) -> int:
    """Hold a dialogue in `protocol` on standard input and output until it ends, and the process with it.

    The process ends at once, whatever a search still does: nothing is left behind but its memory.
    """
    set_engine_options(session, arguments)
    if sys.stdout is None:  # closed before we began: there is nobody to talk to
        os._exit(0)
    # Unbuffered: a thread that waits for input holds no lock that the end of the process would wait for.
    source = io.FileIO(0, closefd=False) if sys.stdin else io.BytesIO()
    dialogue = protocol(session, Reader(source), Writer(sys.stdout.buffer, lambda: os._exit(0)))
    signal.signal(signal.SIGINT, lambda *_: dialogue.interrupt())
    code = dialogue.serve()
    sys.stderr.flush()
    os._exit(code)
