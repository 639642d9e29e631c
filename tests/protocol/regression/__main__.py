"""Run regression files of GTP commands.

    python -m tests.protocol.regression [--send COMMAND] FILE.tst... [-- PROGRAM]

A line ``#? [PATTERN]`` says what the command before should have answered: a regular expression for the whole
answer, with ``!`` before it for any other answer; what stands behind the bracket is ignored.
That is the format of the suites in GNU Go's source, whose folder ``regression`` the files have to stay in:
they load records from there. The program that is asked is ``tengen gtp --game go --time 5``, or PROGRAM. It
gets the GTP command of ``--send`` first: with ``kata-set-param maxVisits 3000``, say, and a long ``--time``,
the answers of tengen do not depend on the load.
"""

import argparse
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from tests.protocol.conversation import Conversation

TENGEN = [sys.executable, "-m", "tengen", "gtp", "--game", "go", "--time", "5"]


@dataclass(frozen=True)
class Test:
    """A command, its number, and what its answer should be."""

    number: str
    command: str
    pattern: str

    def passed(self, answer: str) -> bool:
        """Return whether `answer` is as it should be."""
        negated = self.pattern.startswith("!")
        matches = re.fullmatch(self.pattern.removeprefix("!"), answer, re.IGNORECASE) is not None
        return matches != negated


class Program(Conversation):
    """A running GTP program, in the folder of a regression file."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        super().__init__(self._process.stdin, self._process.stdout)

    def ask(self, command: str) -> str:
        """Send a command and return the text of its answer; an error as it stands."""
        return re.sub(r"^=\d* ?", "", super().ask(command)).strip()

    def close(self) -> None:
        """Ask the program to quit, and wait for it."""
        self.send("quit")
        self._process.wait()


def read(path: Path) -> list[Test | str]:
    """Return what a regression file asks for: tests, and commands without an expected answer."""
    entries: list[Test | str] = []
    for line in path.read_text("latin-1").splitlines():
        if expected := re.match(r"#\?\s*\[(.*)\]", line):
            command = entries.pop()
            assert isinstance(command, str), f"{path}: two expectations for one command"
            number, _, rest = command.partition(" ")
            entries.append(Test(number, rest, expected[1]))
        elif command := line.partition("#")[0].strip():
            entries.append(command)
    return entries


def run(path: Path, command: list[str], send: str | None = None) -> tuple[int, int]:
    """Run one file, after the GTP command `send`; print what failed.

    Return how many tests passed, and how many there are.
    """
    program = Program(command, path.parent.resolve())
    if send:
        program.ask(send)
    passed = total = 0
    for entry in tqdm(read(path), desc=path.name, disable=None):
        if isinstance(entry, str):
            program.ask(entry)
            continue
        answer = program.ask(entry.command)
        total += 1
        passed += entry.passed(answer)
        if not entry.passed(answer):
            sys.stdout.write(f"{path.name} {entry.number}: expected {entry.pattern}, got {answer}\n")
    program.close()
    sys.stdout.write(f"{path.name}: {passed} of {total} passed\n")
    return passed, total


if __name__ == "__main__":
    mine, _, command = " ".join(map(shlex.quote, sys.argv[1:])).partition(" -- ")
    parser = argparse.ArgumentParser(prog="python -m tests.protocol.regression")
    parser.add_argument("--send", metavar="COMMAND", help="GTP command to send first")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.tst")
    arguments = parser.parse_args(shlex.split(mine))
    for file in arguments.files:
        run(file, shlex.split(command) or TENGEN, arguments.send)
