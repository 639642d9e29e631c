"""The endgame solver beside a search: which share of the positions it gets, and what it proves."""

from typing import Any

from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.engine.weights import Parameters
from tengen.search.alphabeta.line import PvLine
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.binding import bound
from tengen.search.info import WIN, Score
from tengen.search.solvers.endgame_driver import EndgameSolver

START = 20_000  # positions that the solver may visit before a search without a depth limit
SHARE = 2  # positions searched for each position of the solver, later on
LAZY_SHARE = 4  # the same where more remains than `game.EAGER_LIMIT`; the solver gets no start there
SLICE_NODES = 250_000  # positions searched between two slices of the solver within an iteration
MARGIN_FACTOR = 10  # the solver may visit that many times more for the margin than for the result
LINE_NODES = 20_000  # positions that the solver may visit to find the line of play
RESERVE = 8  # a node limit's share (one in 8) that is left to secure a result and find its line

Proof = tuple[Score, str, tuple[int, ...]]  # score, bound and actions of a line


def is_ending(position: Position) -> bool:
    """Return whether a position is an endgame that can be solved."""
    rules = bound(position.spec.game)
    return hasattr(rules, "ENDGAME_LIMIT") and bool(rules.remaining(position.state) <= rules.ENDGAME_LIMIT)


class Ending:
    """An endgame that is solved in slices, while it is searched; the search's `record` counts positions."""

    def __init__(
        self,
        position: Position,
        table: TranspositionTable,
        flag: StopFlag,
        parameters: Parameters | None,
        record: Any,
    ) -> None:
        self.solver = EndgameSolver(position, table, flag, parameters.table if parameters else None)
        self.interleaved = False  # whether the solver gets slices within iterations, too
        rules = bound(position.spec.game)
        self._record = record
        self._eager = bool(rules.remaining(position.state) <= rules.EAGER_LIMIT)  # likely to be solved
        self._reported: tuple[int | None, bool] = (None, False)  # result of the endgame, and if it is exact

    @property
    def solving(self) -> bool:
        """Whether the result is likely to be found soon, and has not been found yet."""
        return self._eager and self.solver.sign is None

    def pause(self, limit: int) -> int:
        """Return the node count at which the solver gets its next slice; 0 if none is due within `limit`."""
        if not self.interleaved or self.solver.exact:
            return 0
        pause = int(self._record["nodes"]) + SLICE_NODES
        return pause if not limit or pause < limit else 0

    def advance(self) -> Proof | None:
        """Go on for a share of the positions searched; return a proof when there is news."""
        solver, record = self.solver, self._record
        if self._reported == (solver.sign, True) or not (self._eager or self.interleaved):
            return None
        before = solver.nodes
        self._search(before)
        news = (solver.sign, solver.exact)
        actions: tuple[int, ...] = ()
        if solver.sign is not None and news != self._reported:
            self._reported = news
            solver.secure(self._affordable(max(LINE_NODES, solver.nodes), before))
            actions = solver.line(self._affordable(LINE_NODES, before))
        record["nodes"] += solver.nodes - before
        if solver.sign is None or not actions:
            return None
        score = Score(solver.sign * (WIN - solver.length(actions)), solver.low if solver.exact else None)
        return score, "", actions

    def _search(self, before: int) -> None:
        """Let the solver, which had visited `before` positions, use its share."""
        solver, searched = self.solver, int(self._record["nodes"]) - before
        reserve = int(self._record["node_limit"]) // RESERVE
        start = START if self._eager and self.interleaved else 0
        share = start + searched // (SHARE if self._eager else LAZY_SHARE) - before
        if solver.margin_wanted:
            share = MARGIN_FACTOR * max(start, share)
        open_before = solver.sign is None
        solver.advance(self._affordable(share, before, reserve))
        if open_before and solver.margin_wanted:  # the margin, too
            solver.advance(self._affordable(MARGIN_FACTOR * max(solver.nodes, start), before, reserve))

    def _affordable(self, nodes: int, before: int, reserve: int = 0) -> int:
        """Return how many of `nodes` the node limit allows, less a reserve; the search needs one more."""
        limit, used = int(self._record["node_limit"]), int(self._record["nodes"]) + self.solver.nodes - before
        return max(0, min(nodes, limit - used - 1 - reserve) if limit else nodes)

    def held(self, best: PvLine | None) -> Proof | None:
        """Return the turn that holds the margin which an earlier search has proven; None if `best` does, too.

        If this search could not prove that margin again, its turn is played only if it is known to hold it.
        """
        solver, margin = self.solver, self.solver.proven_margin
        if margin is None:
            return None
        if best:
            action = best.actions[0]
            known = (best.wins and margin <= 1) or best.score.margin is not None or action == solver.action
            if known or solver.holds(action, margin):
                return None
        actions = (solver.action,)
        if solver.sign is not None:
            return Score(solver.sign * (WIN - solver.length(actions))), "", actions
        return best.score if best else Score(0), "upper", actions
