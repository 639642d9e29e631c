"""What a terminal can show: Unicode, colours, its width."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

DUMB = ("", "dumb", "linux")  # values of TERM: no lines, no discs
RESET = "\x1b[0m"
MAX_WIDTH = 100  # of running text
NARROWEST = 40


@dataclass(frozen=True)
class Style:
    """What is used for output.

    Attributes
    ----------
    unicode : bool
        Whether boards are drawn with lines and discs.
    colour : bool
        Whether colours are used: 256 of them.
    width : int
        Characters of a line of text.
    """

    unicode: bool = False
    colour: bool = False
    width: int = 80

    def paint(self, text: str, *codes: str) -> str:
        """Return `text` with these SGR codes, if there are colours."""
        return f"\x1b[{';'.join(codes)}m{text}{RESET}" if self.colour and text else text

    def bold(self, text: str) -> str:
        """Return `text` in bold, if there are colours."""
        return self.paint(text, "1")

    def faint(self, text: str) -> str:
        """Return `text` for what matters less, if there are colours."""
        return self.paint(text, "2")


def style_of(stream: TextIO | None = None, environment: Mapping[str, str] | None = None) -> Style:
    """Return what can be shown on `stream` (default: standard output).

    Anything but a terminal gets plain text, and so does one without UTF-8. ``NO_COLOR`` in the environment
    turns colours off (no-color.org).
    """
    stream = sys.stdout if stream is None else stream
    environment = os.environ if environment is None else environment
    width = max(NARROWEST, min(MAX_WIDTH, shutil.get_terminal_size().columns - 1))
    term = environment.get("TERM", "")
    if not stream.isatty() or term in DUMB:
        return Style(width=width)
    encoding = (getattr(stream, "encoding", "") or "").lower().replace("-", "")
    colours = "256color" in term or environment.get("COLORTERM", "") in ("truecolor", "24bit")
    return Style(encoding == "utf8", colours and not environment.get("NO_COLOR"), width)
