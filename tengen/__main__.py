"""The command ``tengen``, also ``python -m tengen``: Ctrl-C ends it quietly from the first moment on."""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # what would take time is imported by `main`, when SIGINT is handled

if TYPE_CHECKING:
    from types import FrameType


def end_process(number: int, frame: FrameType | None) -> None:
    """End the process because of a signal, with the code that shells have for that."""
    try:
        os.write(2, b"tengen: interrupted\n")
    finally:
        os._exit(128 + number)


def interrupt(number: int, frame: FrameType | None) -> None:
    """Handle SIGINT as usual; but end the process while it imports a module: few take exceptions well."""
    inner = frame
    while inner:
        if inner.f_code.co_filename.startswith("<frozen importlib"):
            end_process(number, frame)
        inner = inner.f_back
    raise KeyboardInterrupt


def main() -> int:
    """Run the command line of this process and return its exit code."""
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else it is ignored: so it stays
    if handled:
        signal.signal(signal.SIGINT, end_process)
    from tengen.apps.cli.main import main as run
    from tengen.engine import system

    system.is_command = True
    if handled:
        signal.signal(signal.SIGINT, interrupt)
    try:
        return run()
    finally:
        if handled:
            signal.signal(signal.SIGINT, end_process)  # nothing is left to do


def gomocup() -> int:
    """Speak Gomocup's protocol, for the manager of a tournament, which starts programs without arguments."""
    sys.argv[1:1] = ["gomocup"]
    return main()


if __name__ == "__main__":
    sys.exit(main())
