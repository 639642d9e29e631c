"""Talking to a protocol in tests: line by line, in this process or another, never waiting for ever."""

from __future__ import annotations

import io
import json
import os
import queue
import re
import subprocess
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tengen.engine.spec import GameSpec
from tengen.protocol.dialogue import CommandLoop
from tengen.protocol.gomocup.commands import Gomocup
from tengen.protocol.gtp.commands import Gtp
from tengen.protocol.katago.analysis import AnalysisEngine
from tengen.protocol.lines import Reader, Writer
from tengen.protocol.session import Session
from tengen.protocol.ugi import Ugi
from tengen.search.limits.limit import Limit
from tests import ROOT
from tests.processes import PATIENCE

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

PROTOCOLS: dict[str, type[CommandLoop]] = {
    "gtp": Gtp,
    "ugi": Ugi,
    "gomocup": Gomocup,
    "analysis": AnalysisEngine,
}
HEAVY = ("numpy", "numba", "tengen.engine.play.position", "tengen.engine.jit", "tengen.search.worker")
COMMAND = [sys.executable, "-c", "import sys; from tengen.apps.cli.main import main; sys.exit(main())"]


def run(*command: str, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, beside the sources, with this input and in this environment."""
    return subprocess.run(
        command,
        input=said,
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def run_session(*command: str) -> Any:
    """Return what a session of a client prints in its last line, which is JSON."""
    done = run(*command)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


class Conversation:
    """The other end of a dialogue: files that take what the engine reads, and have what it writes."""

    def __init__(self, to_engine, from_engine) -> None:
        self._input = to_engine
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, args=(from_engine,), daemon=True).start()

    def _listen(self, stream) -> None:
        for line in stream:
            self._lines.put(line.decode().rstrip("\n"))
        self._lines.put(None)

    def send(self, *lines: str | bytes) -> None:
        """Send lines; an end of line is added to each."""
        for line in lines:
            self._input.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self._input.flush()

    def close_input(self) -> None:
        self._input.close()

    def line(self, patience: float = PATIENCE) -> str | None:
        """Return the next line of output; None at its end."""
        return self._lines.get(timeout=patience)

    def until(self, pattern: str) -> list[str]:
        """Return the lines up to the first that `pattern` matches from its beginning, which is the last."""
        lines: list[str] = []
        while not (lines and re.match(pattern, lines[-1])):
            line = self.line()
            assert line is not None, f"expected /{pattern}/, got the end of output after {lines}"
            lines.append(line)
        return lines

    def rest(self) -> list[str]:
        """Return all lines up to the end of output."""
        return [line for line in iter(self.line, None)]

    def ask(self, command: str) -> str:
        """Send a GTP command and return its response without the final blank line."""
        self.send(command)
        return "\n".join(self.until(r"$")[:-1])


class QuickSession(Session):
    """A session whose searches end after so many nodes where they would after `movetime`.

    What they find is the same on any machine, however busy.
    """

    def __init__(self, spec: GameSpec, nodes: int) -> None:
        super().__init__(spec)
        self._nodes = nodes

    def go(self, position: Position, limits: Limit, *callbacks: Any, **named: Any) -> None:
        if limits.time == self.movetime:
            limits = replace(limits, time=None, nodes=self._nodes)
        super().go(position, limits, *callbacks, **named)


class Inside(Conversation):
    """A conversation with a dialogue on a thread of this process; `code` is its exit code in the end.

    A search whose end the other side does not set ends after so many `nodes`; with 0 it takes a quarter of an
    hour.
    """

    def __init__(self, protocol: str, game: str, nodes: int = 1000) -> None:
        engine_in, to_engine = os.pipe()
        from_engine, engine_out = os.pipe()
        spec = GameSpec.parse(game)
        self.session = QuickSession(spec, nodes) if nodes else Session(spec)
        self.session.movetime = 901.0
        self.code: int | None = None
        self._out = os.fdopen(engine_out, "wb")
        self.dialogue = PROTOCOLS[protocol](
            self.session,
            Reader(io.FileIO(engine_in)),
            Writer(self._out, lambda error: None),
            exit_process=self._exit_process,
        )
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        super().__init__(os.fdopen(to_engine, "wb"), os.fdopen(from_engine, "rb"))

    def _serve(self) -> None:
        self.code = self.dialogue.serve()
        self.session.stop_and_wait()
        self._out.close()

    def _exit_process(self, code: int) -> None:
        self.code = code

    def finish(self) -> int | None:
        """End the input and return the exit code."""
        if not self._input.closed:
            self.close_input()
        self._thread.join(PATIENCE)
        return self.code


class Outside(Conversation):
    """A conversation with ``tengen ARGUMENTS`` in a process of its own."""

    def __init__(self, *arguments: str, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        super().__init__(self.process.stdin, self.process.stdout)

    def finish(self) -> int:
        """End the input and return the exit code."""
        if not self._input.closed:
            self.close_input()
        return self.process.wait(PATIENCE)

    def complaints(self) -> str:
        """Return what has been written to stderr by a process that has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def __enter__(self) -> Outside:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stderr):
            if stream:
                stream.close()
