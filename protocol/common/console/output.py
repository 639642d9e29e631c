"""What commands print: notices beside their results, and characters that a console does not have."""

from __future__ import annotations

import codecs
import io
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


def print_notice(*lines: str) -> None:
    """Print a line on standard error, for people, perhaps more below it; foreign text is escaped."""
    if sys.stderr:
        print("tengen: " + "\n".join(map(printable, lines)), file=sys.stderr, flush=True)


def spell(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for the characters that an encoding lacks, for `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    texts = [SPELLED.get(letter) or _plain(letter) for letter in error.object[error.start : error.end]]
    return "".join(texts), error.end


def _plain(letter: str) -> str:
    """Return `letter` without its accents, or a question mark."""
    decomposed = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in decomposed if part.isascii()) or "?"


def accept_any_console() -> None:
    """Let standard output and error print everything, and standard input be any bytes, in any encoding."""
    codecs.register_error(SPELL, spell)
    for stream, errors in ((sys.stdout, SPELL), (sys.stderr, SPELL), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
