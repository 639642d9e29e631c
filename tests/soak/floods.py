"""Floods: 16 MB of the worst input into every protocol, and how much memory and time each takes."""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import IO

from tests import ROOT
from tests.soak.parts import Report

SIZE = 16 << 20  # bytes of a flood
LINE = 1 << 20  # bytes of a long line
MOST_MEMORY = 256.0  # MB more than without input
MOST_SECONDS = 10.0  # of processor time more than without input
WORTHLESS = (
    "\n",
    " \n",
    "\0\n",
    "x\n",
    "#\n",
    "1\n",
    "{}\n",
    "\\\n",
    "x x x x x x x x x x x x x x x x\n",
    "\udcff\n",
)
PLAY = "play --game go,size=5 --time 0.01"
ENDLESS = ("x", " ", "[", "1", "\0", "\udcff", "\\", '"', "x ", "1,", "€")


@dataclass(frozen=True)
class Flood:
    """Input for a command."""

    command: str  # words of the command line, after ``tengen``
    piece: str  # what is repeated
    before: str = ""  # around the pieces of a long line, or before all pieces if they are lines themselves
    after: str = ""

    @property
    def name(self) -> str:
        """What it is called in the table."""
        return ascii(f"{self.command}: {self.before}{self.piece}{self.after}"[:70])[1:-1]

    def parts(self) -> Iterator[bytes]:
        """Yield the input, about a megabyte at a time."""
        before, piece, after = (
            text.encode("utf-8", "surrogateescape") for text in (self.before, self.piece, self.after)
        )
        line = before + piece * ((LINE - len(before + after)) // len(piece)) + after
        if not after:
            line = line[len(before) :]
            yield before
        for _ in range(SIZE // LINE):
            yield line


def long_lines(command: str) -> Callable[..., Flood]:
    """Return what makes floods of lines of a megabyte for a command."""

    def make(piece: str, before: str = "", after: str = "\n") -> Flood:
        return Flood(command, piece, before, after)

    return make


def floods() -> list[Flood]:
    """Return all floods."""
    commands = ("gtp --game go", "ugi", "gomocup", "analysis", PLAY)
    found = [Flood(command, piece) for command in commands for piece in (*WORTHLESS, *ENDLESS)]
    gtp, ugi, gomocup, analysis = map(long_lines, ("gtp --game go", "ugi --game go", "gomocup", "analysis"))
    found += [
        gtp("a1 ", "play b "),
        gtp("A1 ", "set_free_handicap "),
        gtp("a1,", "kata-analyze b 1 avoid b "),
        gtp(",size=9", "tengen-game go"),
        gtp("x/", "tengen-position "),
        gtp("1", "komi "),
        gtp("1"),
        gtp("x", "loadsgf "),
        gtp("1", "tengen-options Level "),
        ugi(" pass", "position startpos moves"),
        ugi(" a1", "position startpos moves"),
        ugi("x/", "position fen "),
        ugi("x ", "position fen "),
        ugi(" a1", "go depth 1 searchmoves"),
        ugi("x", "setoption name Level value "),
        long_lines("ugi --game gipf:basic")("a1-b2;", "position startpos moves "),
        long_lines("ugi --game zertz")("Wd4,", "position startpos moves "),
        long_lines("ugi --game dvonn")(" a1", "position startpos moves"),
        gomocup("1", "INFO timeout_turn "),
        gomocup(",", "TURN 1,"),
        Flood("gomocup", "1,1,1\n", "START 15\nBOARD\n"),
        analysis(',["W","pass"],["B","pass"]', '{"id":"q","moves":[["B","pass"]', "]}\n"),
        analysis("[", '{"id":'),
        analysis("1", '{"id":"q","moves":[],"maxVisits":', "}\n"),
        analysis(",1e-9", '{"id":"q","moves":[],"x":[1', "]}\n"),
        analysis(',"a":1', '{"id":"q","moves":[]', "}\n"),
        analysis(",0", '{"id":"q","moves":[],"maxDepth":1,"analyzeTurns":[0', "]}\n"),
        analysis("x", '{"moves":[],"maxDepth":1,"id":"', '"}\n'),
        analysis(',["B","A1"]', '{"id":"q","moves":[],"initialStones":[["B","A1"]', "]}\n"),
        analysis(',"B1"', '{"id":"q","moves":[],"avoidMoves":[{"moves":["A1"', "]}]}\n"),
        analysis("\\ud800", '{"action":"query_version","id":"', '"}\n'),
    ]
    return found


def measured(
    command: str, source: IO[bytes], limit: float, answers: IO[bytes] | int = subprocess.DEVNULL
) -> tuple[str, float, float]:
    """Return what is wrong with how a command takes its input, its peak of memory in MB, and its seconds.

    The output goes to `answers`.
    """
    words = [sys.executable, "-m", "tengen", *command.split()]
    with tempfile.TemporaryFile() as errors:
        running = subprocess.Popen(
            ["/bin/sh", "-c", f'ulimit -t {limit:.0f}; exec "$@"', "sh", *words],
            cwd=ROOT,
            stdin=source,
            stdout=answers,
            stderr=errors,
        )
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read(1 << 20).decode("utf-8", "replace")
    fault = ""
    if "Traceback" in said or "internal error" in said:
        fault = said[-300:]
    elif running.returncode not in (0, 2, 130):
        fault = f"exit code {running.returncode}"
    return fault, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


@cache
def without_input(command: str) -> tuple[float, float]:
    """Return the memory and the time that a command takes with an empty input."""
    with tempfile.TemporaryFile() as empty:
        return measured(command, empty, 600.0)[1:]


def send(flood: Flood) -> tuple[str, float, float]:
    """Send a flood; return what is wrong, and the memory and time that it takes beyond an empty input."""
    memory_before, seconds_before = without_input(flood.command)
    with tempfile.TemporaryFile() as source:
        source.writelines(flood.parts())
        source.seek(0)
        fault, memory, seconds = measured(flood.command, source, 600.0)
    memory, seconds = memory - memory_before, seconds - seconds_before
    if not fault and (memory > MOST_MEMORY or seconds > MOST_SECONDS):
        fault = f"{memory:.0f} MB, {seconds:.1f} s"
    return fault and f"{flood.name}: {fault}", memory, seconds


def round_of(seed: int, share: float) -> Report:
    """Send a share of 20 floods."""
    report = Report()
    for flood in random.Random(seed).sample(floods(), max(2, round(20 * share))):
        fault, memory, seconds = send(flood)
        report.add(Report(1, [f"floods, seed {seed}: {fault}"] if fault else [], memory, seconds))
    return report
