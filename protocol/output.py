"""What commands print: notices beside their results, and characters that a console does not have."""

import codecs
import contextlib
import io
import os
import sys
import unicodedata

from tengen.engine.errors import printable

SPELLED = {  # characters without a decomposition into ASCII, and what is printed in their place
    "∞": "inf",
    "×": "x",
    "–": "-",
    "—": "-",
    "−": "-",
    "’": "'",
    "“": '"',
    "”": '"',
    "…": "...",
    "●": "X",
    "○": "O",
    "·": ".",
    "±": "+-",
    "→": "->",
    "½": ".5",
}
SPELL = "tengen-spell"  # the name of `spell` as an error handler of codecs


class Notices(io.TextIOWrapper):
    """Standard error: what cannot be written there is lost, since nobody can be told of it."""

    def write(self, text: str, /) -> int:
        """Write `text` if possible."""
        with contextlib.suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Write what has been kept back, if possible."""
        with contextlib.suppress(OSError):
            super().flush()


def open_standard_streams() -> None:
    """Make sure that there are standard streams: those that are closed become the null device.

    Otherwise the next files to be opened would take their places, and get what is written to them.
    """
    for name in ("stdin", "stdout", "stderr"):  # each takes the lowest free number: its own
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(null, True)
            setattr(sys, name, os.fdopen(null, "r" if name == "stdin" else "w", encoding="utf-8"))
    if type(sys.stderr) is io.TextIOWrapper:
        encoding, errors = sys.stderr.encoding, sys.stderr.errors
        sys.stderr = Notices(sys.stderr.detach(), encoding, errors, line_buffering=True)


def print_notice(*lines: str) -> None:
    """Print a line on standard error, for people, perhaps more below it; foreign text is escaped."""
    print("tengen: " + "\n".join(map(printable, lines)), file=sys.stderr, flush=True)


def spell(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for the characters that an encoding lacks, for `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    texts = [SPELLED.get(letter) or plain(letter) or "?" for letter in error.object[error.start : error.end]]
    return "".join(texts), error.end


def plain(text: str) -> str:
    """Return `text` in ASCII, without accents."""
    return "".join(part for part in unicodedata.normalize("NFKD", text) if part.isascii())


def accept_any_console() -> None:
    """Let standard output and error print everything, and standard input be any bytes, in any encoding."""
    codecs.register_error(SPELL, spell)
    for stream, errors in ((sys.stdout, SPELL), (sys.stderr, SPELL), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
