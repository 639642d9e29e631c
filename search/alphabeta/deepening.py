"""Iterative deepening: candidates from one depth to the next, and proofs in between."""

from collections.abc import Callable

from tengen.search.alphabeta.challenge import Branches
from tengen.search.alphabeta.line import PvLine, as_proven_loss, keys_of, merged
from tengen.search.alphabeta.thread import SearchThread
from tengen.search.limits.limit import MAX_DEPTH, Limit


class Deepening:
    """A search with increasing depth until a limit is reached, or every candidate is proven.

    Of the `limits` the depth and the number of candidates count; nodes and time are up to the caller.
    `on_line` is called with every new line.
    """

    def __init__(
        self, thread: SearchThread | Branches, limits: Limit, on_line: Callable[[PvLine], None]
    ) -> None:
        self._thread, self._limits, self._on_line = thread, limits, on_line
        self._best: list[PvLine] = []  # candidates, best first
        self._proven: PvLine | None = None  # the best proven line

    def run(self, should_stop: Callable[[int], bool]) -> list[PvLine]:
        """Search, and return the candidates, best first; `should_stop` is called after each whole iteration.

        All are from one finished iteration, and only proven wins are added to them; if one candidate is asked
        for, it is the best so far of the last iteration, finished or not, or what an earlier search has found
        by looking further ahead.
        """
        limits, thread = self._limits, self._thread
        recalled = thread.recall() if _ends_by_itself(limits) and limits.multipv == 1 else None
        if limits.depth is None and (proof := thread.prove(0, None)):
            self._proven = proof
            self._put_first(proof)
            if is_decisive(proof, limits):
                return self._best
        for depth in range(1, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
            self._iterate(depth)
            if self._prove(depth, should_stop):
                break
            ends = [line.score.turns_to_win for line in self._best]  # a deeper search finds no faster ones
            if _ends_by_itself(limits) and all(end is not None and abs(end) <= depth for end in ends):
                break
        best = self._best[0] if self._best else None
        if recalled and not (best and (best.score.is_proven or best.depth >= recalled.depth)):
            self._put_first(recalled)
            best = self._best[0]
        held = thread.hold_margin(best)
        if held and held is not best:
            self._put_first(held)
        return [as_proven_loss(line, self._proven) for line in self._best]

    def _report(self, *lines: PvLine) -> None:
        """Report lines, as lost if the position is."""
        for line in lines:
            self._on_line(as_proven_loss(line, self._proven))

    def _put_first(self, line: PvLine) -> None:
        """Make `line` the best candidate, and report them all."""
        self._best = merged([line], self._best)
        self._report(*self._best)

    def _iterate(self, depth: int) -> None:
        """Search the candidates to one depth, and rank them.

        An iteration that was aborted does not replace several candidates: values of two depths cannot be
        compared. It only adds wins.
        """
        found = self._search_candidates(depth)
        if not self._thread.stopped:  # later candidates may have scored better than earlier ones
            ranked = sorted(found, key=lambda line: -line.score.value)
        elif self._limits.multipv > 1 and self._best:
            ranked = [line for line in found if line.wins]
        else:
            ranked = found
        self._best = merged(ranked, self._best)
        if ranked != found:  # not the order in which they were reported
            self._report(*self._best)
        best, proven = self._best[0] if self._best else None, self._proven
        if best and best.wins and not (proven and proven.score.value >= best.score.value):
            self._proven = best

    def _search_candidates(self, depth: int) -> list[PvLine]:
        """Return the candidates of one depth, in the order in which they were found."""
        found: list[PvLine] = []
        for rank in range(1, self._limits.multipv + 1):
            last = self._best[rank - 1] if rank <= len(self._best) else None
            line = self._thread.search(depth, last, rank, keys_of(found), self._report)
            if line:
                found.append(line)
                self._report(line)
            if self._thread.stopped or not line:
                break
        return found

    def _prove(self, depth: int, should_stop: Callable[[int], bool]) -> bool:
        """Look for a proof after an iteration; return whether the search is over."""
        ended = self._thread.stopped or not self._best or should_stop(depth)
        proof = self._thread.take_interim_proof() if ended else self._thread.prove(depth, self._proven)
        self._proven = proof or self._proven
        if self._proven and (not self._best or self._proven.improves(self._best[0])):
            self._put_first(self._proven)
            return ended or is_decisive(self._proven, self._limits)
        if proof:
            self._report(*self._best)
        return ended


def _ends_by_itself(limits: Limit) -> bool:
    """Return whether a search may end before it has used up its limits."""
    return not limits.infinite and limits.depth is None


def is_decisive(line: PvLine, limits: Limit) -> bool:
    """Return whether this proven line needs no further search."""
    certain = line.wins or line.score.margin is not None
    return certain and _ends_by_itself(limits) and limits.multipv == 1
