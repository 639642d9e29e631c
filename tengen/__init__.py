"""tengen: AI opponent and analysis engine for GIPF, ZÈRTZ, DVONN, Go, Gomoku and Gobang.

Importing it is light: neither NumPy nor numba is loaded before something computes.
"""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["__version__", "games"]


def games() -> tuple[str, ...]:
    """Return the names of all games that can be played, sorted."""
    from tengen.engine.game import names

    return names()
