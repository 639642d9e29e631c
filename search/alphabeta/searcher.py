"""The interface of what iterative deepening can drive."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from tengen.search.alphabeta.line import PvLine


class Searcher(ABC):
    """Searches a position to one depth after another. By default it proves and remembers nothing."""

    @property
    @abstractmethod
    def nodes(self) -> int:
        """Positions visited so far."""

    @property
    @abstractmethod
    def deepest(self) -> int:
        """Greatest number of actions looked ahead."""

    @property
    @abstractmethod
    def stopped(self) -> bool:
        """Whether the last search was aborted."""

    @property
    def solving(self) -> bool:
        """Whether an endgame solver is likely to find the result soon, and has not found it yet."""
        return False

    @abstractmethod
    def search(
        self,
        depth: int,
        last: PvLine | None,
        rank: int,
        excluded: Sequence[int],
        on_bound: Callable[[PvLine], None] | None = None,
    ) -> PvLine | None:
        """Search `depth` actions deep, as `SearchThread.search` does."""

    def prove(self, depth: int, proven: PvLine | None) -> PvLine | None:
        """Look for a proof beside the search, as `SearchThread.prove` does."""
        return None

    def hold_margin(self, best: PvLine | None) -> PvLine | None:
        """Return `best`, or the turn that holds what an earlier search has proven, as `SearchThread` does."""
        return best

    def recall(self) -> PvLine | None:
        """Return the turn that the table has for the root, as `SearchThread.recall` does."""
        return None

    def take_interim_proof(self) -> PvLine | None:
        """Return what was proven in the middle of the last search, once."""
        return None
