"""Whether to challenge an announced turn: searches both answers and compares their values.

Accepting is worth the position after the turn. Challenging leads to another game. If we do not win it, the
turn stands. If we win it, the value is that of the position without the turn's stake. We take the chance to
win the other game as even, since the opponent's strength there is unknown.

Using a challenge costs `COST` win rate, or nothing if the opponent has no more challengeable moves than we
have challenges. The engine challenges when that is worth more. With the cost, the stake must be worth at
least `COST` / `CHANCE`, three points of win rate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tengen.engine.challenge import ACCEPT, ANSWERS, CHALLENGE, ChallengeGame
from tengen.engine.game import Outcome
from tengen.engine.jit import StopFlag
from tengen.engine.position import Position
from tengen.search.alphabeta.deepening import PvLine, SearchThread
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.info import WIN, Score
from tengen.search.limits import MAX_DEPTH

CHANCE = 0.5  # of winning the other game
COST = 0.015  # value of an unused challenge, win rate
MIN_UNPROVEN_RATE = 1e-6  # unproven win rates are clamped to [this, 1 - this]


class Answers:
    """Searches of both answers to an announced turn: a `Searcher` whose turns are the answers.

    Attributes and methods are those of `search.alphabeta.deepening.SearchThread`.

    Parameters
    ----------
    contest : ChallengeGame
        With an announced turn, to be answered.
    table : TranspositionTable
    flag : StopFlag
        Ends a running search when set.
    node_limit : int
        Positions that may be visited, by both searches together; 0 for no limit.
    """

    def __init__(
        self, contest: ChallengeGame, table: TranspositionTable, flag: StopFlag, node_limit: int = 0
    ) -> None:
        each = -(-node_limit // 2)
        side = contest.side_to_move
        self._accepted = Branch(contest.accepted(), side, table, flag, each)
        self._denied = Branch(contest.denied(), side, table, flag, each)
        self._cost = 0.0 if contest.challenges_left >= contest.stakes else COST
        self._scale = contest.scale
        self._lines: list[PvLine] = []

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return self._accepted.nodes + self._denied.nodes

    @property
    def deepest(self) -> int:
        """Greatest number of actions looked ahead."""
        return max(self._accepted.deepest, self._denied.deepest)

    @property
    def stopped(self) -> bool:
        """Whether the last search was aborted."""
        return self._accepted.stopped or self._denied.stopped

    def search(
        self,
        depth: int,
        last: PvLine | None,
        excluded: Sequence[int],
        on_bound: Callable[[PvLine], None] | None = None,
    ) -> PvLine | None:
        """Return the line of the better answer, searched `depth` actions deep, that is not `excluded`.

        The position without the stake is searched one action deeper, since the opponent is to move there.
        """
        if not excluded:
            self._accepted.search(depth)
            self._denied.search(min(depth + 1, MAX_DEPTH))
            if self.stopped:
                return None
            self._lines = self._ranked_answers(depth)
        return next((line for line in self._lines if line.key not in excluded), None)

    def prove(self, depth: int, proven: PvLine | None) -> None:
        """Return None: the games behind the answers are searched, not proven."""

    def keep_promise(self, best: PvLine | None) -> PvLine | None:
        """Return `best`, for the same reason."""
        return best

    def take_interim_proof(self) -> None:
        """Return None, for the same reason."""

    def _ranked_answers(self, depth: int) -> list[PvLine]:
        """Return both answers, the better one first; at equal value, accepting comes first."""
        accepted = self._accepted.score
        worth = challenge_worth(accepted, self._denied.score, self._scale, self._cost)
        scores = {ACCEPT: accepted, CHALLENGE: worth}
        turns = {ACCEPT: (ACCEPT, *self._accepted.turns), CHALLENGE: (CHALLENGE,)}
        best_first = sorted(ANSWERS, key=lambda answer: -scores[answer].value)
        return [
            PvLine(rank, depth, scores[answer], "", (), ANSWERS.index(answer), partial(tuple, turns[answer]))
            for rank, answer in enumerate(best_first, 1)
        ]


class Branch:
    """A position that an answer may lead to, seen from the side that answers.

    Parameters
    ----------
    position : Position
    side : int
        The side that answers.
    table, flag, node_limit
        As for `search.alphabeta.deepening.SearchThread`.
    """

    def __init__(
        self, position: Position, side: int, table: TranspositionTable, flag: StopFlag, node_limit: int
    ) -> None:
        self._sign = 1 if position.side_to_move == side else -1
        self._outcome = position.outcome()
        self._won = self._outcome - Outcome.FIRST_WINS == side
        over = self._outcome != Outcome.ONGOING
        self._thread = None if over else SearchThread(position, table, flag, node_limit)
        self._line: PvLine | None = None

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return self._thread.nodes if self._thread else 0

    @property
    def deepest(self) -> int:
        """Greatest number of actions looked ahead."""
        return self._thread.deepest if self._thread else 0

    @property
    def stopped(self) -> bool:
        """Whether the last search was aborted."""
        return bool(self._thread and self._thread.stopped)

    def search(self, depth: int) -> None:
        """Search `depth` actions deep; an aborted search changes nothing."""
        if self._thread is None:
            return
        line = self._thread.search(depth, self._line, ())
        if not self._thread.stopped:
            self._line = line

    @property
    def score(self) -> Score:
        """The value for the side that answers; its answer counts as a turn."""
        if self._outcome == Outcome.DRAW:
            return Score(0)
        if self._line is None:
            return Score(WIN - 1 if self._won else 1 - WIN)
        score = Score(self._sign * self._line.score.value)
        if score.end_in is None:
            return score
        return Score(score.value - 1 if score.value > 0 else score.value + 1)

    @property
    def turns(self) -> tuple[str, ...]:
        """The expected turns."""
        return self._line.turns if self._line else ()


def challenge_worth(accepted: Score, denied: Score, scale: float, cost: float) -> Score:
    """Return the value of a challenge (see the head of this file).

    Parameters
    ----------
    accepted, denied : Score
        Values for the side that answers: after the announced turn, and without the stake.
    scale : float
        Logistic scale of both.
    cost : float
        Win rate lost by using a challenge.
    """
    if accepted.end_in is not None and denied.end_in is not None and accepted.value * denied.value > 0:
        worse = accepted.value < 0  # lost either way: take the longer loss
        return (max if worse else min)(accepted, denied, key=lambda score: score.value)
    rate = CHANCE * denied.win_rate(scale) + (1 - CHANCE) * accepted.win_rate(scale) - cost
    return Score.of_rate(rate, scale, MIN_UNPROVEN_RATE)
