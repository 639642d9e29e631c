"""The search threads of one engine: go, stop, ponder, live info. (API; implementation follows.)"""

from __future__ import annotations

from collections.abc import Callable

from engine.position import Position
from search.info import Info, Result
from search.limits import Limits


class Worker:
    """One searcher: a table and as many threads as asked for, searching one position at a time.

    Parameters
    ----------
    threads : int
    hash_mb : int
        Size of the transposition table.
    """

    def __init__(self, threads: int = 1, hash_mb: int = 64) -> None: ...

    def configure(self, threads: int | None = None, hash_mb: int | None = None) -> None:
        """Change options; takes effect with the next search. Raises OptionError for absurd values."""

    def new_game(self) -> None:
        """Forget everything learned from earlier searches (table cleared)."""

    def go(
        self,
        position: Position,
        limits: Limits,
        on_info: Callable[[Info], None] | None = None,
        on_done: Callable[[Result], None] | None = None,
        on_notice: Callable[[str], None] | None = None,
    ) -> None:
        """Start searching a copy of `position` and return at once; callbacks run on the search thread.

        `on_done` is called exactly once per go. `on_notice` gets lines such as "compiling ..." that say what is waited for.
        A search that is under way is stopped first (its on_done comes before).
        """

    def stop(self) -> None:
        """Ask the search to end; its result comes through `on_done`. Does nothing when idle."""

    def ponderhit(self) -> None:
        """Turn pondering into an ordinary search: its clock starts now."""

    def wait(self, timeout: float | None = None) -> Result | None:
        """Wait until the search is done and return its result; None when `timeout` seconds pass before, or idle and never searched."""

    @property
    def searching(self) -> bool:
        """Whether a search is under way."""

    def search(self, position: Position, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """go and wait: the blocking form, for tools."""
