"""The command in a process of its own, perhaps in a terminal."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests import ROOT
from tests.protocol.conversation import COMMAND


@contextmanager
def process(*arguments: str, **options) -> Iterator[subprocess.Popen]:
    """Run the command in a process of its own, which does not outlive the test."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    with subprocess.Popen([*COMMAND, *arguments], cwd=ROOT, **options) as running:
        try:
            yield running
        finally:
            running.kill()


def read_terminal(terminal: int) -> bytes:
    """Return what has come, nothing when the other end is closed: Linux calls that an error."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""
