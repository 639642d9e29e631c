"""What commands print beside their results: notices, on standard error."""

from __future__ import annotations

import sys


def print_notice(text: str) -> None:
    """Print a line on standard error, for people."""
    print(f"tengen: {text}", file=sys.stderr, flush=True)
