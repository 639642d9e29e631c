"""Commands that the user may interrupt and resume later."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from tengen.engine.errors import printable
from tengen.protocol.common.options.arguments import command_line


def print_resume_command(command: str, values: Mapping[str, object], *files: object) -> None:
    """Print the command line that resumes an interrupted `command` to stderr."""
    print(f"interrupted; to go on:\n  {printable(command_line(command, values, *files))}", file=sys.stderr)
