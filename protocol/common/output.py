"""What commands print: notices beside their results, and characters that a console does not have."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

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


def print_notice(text: str) -> None:
    """Print a line on standard error, for people."""
    print(f"tengen: {text}", file=sys.stderr, flush=True)


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
    """Let standard output and standard error print everything, whatever their encoding."""
    codecs.register_error(SPELL, spell)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=SPELL)
