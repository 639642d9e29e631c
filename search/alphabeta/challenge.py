"""How the search takes challenges into account: it weighs answers, announcements, and what a lot has drawn.

Accepting an announced turn is worth the position after the turn. Challenging leads to another game or to a
trial. If the challenger does not win it, the turn stands. If he wins it, the value is that of the position
without the turn's stake. The chance to win is known for a lot. Otherwise it is what the engine was told: even
by default, since nobody knows how strong the opponent is there.

Using a challenge costs `COST` win rate, or nothing if the opponent has no more challengeable moves than we
have challenges. The engine challenges when that is worth more. With the cost and an even chance, the stake
must be worth at least `COST` / `CHANCE`, three points of win rate.

A turn that may be challenged is announced as if nobody challenged it, as long as nothing is decided by it:
to put it off avoids no challenge. Weighing every announcement against turns that put it off cost 70 Elo
[29, 112] at 1,500 nodes a turn. A turn that wins, or loses if it is challenged, is worth what the better
answer leaves of it. It is compared with turns that do without a challenge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from tengen.engine.game import Outcome
from tengen.engine.games import CHALLENGER
from tengen.engine.jit import StopFlag
from tengen.engine.play.challenge import ACCEPT, ANSWERS, CHALLENGE, ChallengeGame
from tengen.engine.play.position import Position
from tengen.search.alphabeta.line import PvLine
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchOptions, SearchThread
from tengen.search.info import WIN, Score
from tengen.search.limits.limit import MAX_DEPTH

CHANCE = 0.5  # of winning the other game or an outside trial, unless the engine is told another one
COST = 0.015  # value of an unused challenge, win rate
MIN_UNPROVEN_RATE = 1e-6  # unproven win rates are clamped to [this, 1 - this]
MAX_ALTERNATIVES = 4  # turns that are compared before one is announced
BRANCH_DEPTH = 3  # of the search of what a challenge of the best turn leads to
BRANCH_SHARE = 16  # one in so many positions of a limit is for it


class Branches:
    """Searches of the positions that the next turn may lead to, for turns outside a game.

    It is driven like a `SearchThread`. The games behind the turns are searched, not proven. `ranked_lines`
    returns the lines of all turns after a search to a depth, the best one first.
    """

    def __init__(self, branches: Sequence[Branch], ranked_lines: Callable[[int], list[PvLine]]) -> None:
        self._branches, self._ranked_lines = branches, ranked_lines
        self._lines: list[PvLine] = []
        self.solving = False

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return sum(branch.nodes for branch in self._branches)

    @property
    def deepest(self) -> int:
        """Greatest number of actions looked ahead."""
        return max(branch.deepest for branch in self._branches)

    @property
    def stopped(self) -> bool:
        """Whether the last search was aborted."""
        return any(branch.stopped for branch in self._branches)

    def search(
        self,
        depth: int,
        last: PvLine | None,
        rank: int,
        excluded: Sequence[int],
        on_bound: Callable[[PvLine], None] | None = None,
    ) -> PvLine | None:
        """Return the line of the best turn, searched `depth` actions deep, that is not `excluded`.

        A branch in which our opponent is to move twice in a row is searched one action deeper.
        """
        if rank == 1:
            for branch in self._branches:
                branch.search(min(depth + branch.extra_depth, MAX_DEPTH))
            if self.stopped:
                return None
            self._lines = self._ranked_lines(depth)
        return next((line for line in self._lines if line.key not in excluded), None)

    def prove(self, *_: object) -> PvLine | None:
        """Return None: nothing is proven beside the search, and the table does not know the turns."""
        return None

    recall = take_interim_proof = prove

    def hold_margin(self, best: PvLine | None) -> PvLine | None:
        """Return `best`: no earlier search has proven anything."""
        return best


def answers(
    contest: ChallengeGame,
    table: TranspositionTable,
    flag: StopFlag,
    node_limit: int,
    chance: float,
    searchmoves: Sequence[str],
) -> Branches:
    """Return searches of both answers to the announced turn of `contest`.

    The node limit is for both together. `chance` is the challenger's to win what is played for a challenge,
    if its rules do not determine it. `searchmoves` are the only answers to report; empty for both.
    """
    each, side = -(-node_limit // 2), contest.side_to_move
    accepted = Branch(contest.accepted(), side, table, flag, each)
    denied = Branch(contest.denied(), side, table, flag, each)
    worth = weigher(contest, chance)

    def ranked_lines(depth: int) -> list[PvLine]:  # at equal value, accepting comes first
        scores = {ACCEPT: accepted.score, CHALLENGE: worth(accepted.score, denied.score)}
        turns = {ACCEPT: (ACCEPT, *accepted.turns), CHALLENGE: (CHALLENGE,)}
        best_first = sorted(searchmoves or ANSWERS, key=lambda answer: -scores[answer].value)
        return [
            PvLine(rank, depth, scores[answer], "", (), ANSWERS.index(answer), partial(tuple, turns[answer]))
            for rank, answer in enumerate(best_first, 1)
        ]

    return Branches((accepted, denied), ranked_lines)


def trial_result(
    contest: ChallengeGame, table: TranspositionTable, flag: StopFlag, node_limit: int
) -> Branches:
    """Return the search of what a lot has decided in the trial of `contest`; see `answers`."""
    assert contest.trial
    (turn,) = contest.trial.turns
    won = contest.trial.outcomes[turn] == CHALLENGER
    branch = Branch(contest.judged(won), contest.side_to_move, table, flag, node_limit)

    def ranked_lines(depth: int) -> list[PvLine]:
        return [PvLine(1, depth, branch.score, "", (), 0, partial(tuple, (turn, *branch.turns)))]

    return Branches((branch,), ranked_lines)


class Announcements(SearchThread):
    """A search of a position in which some turns may be challenged, which weighs these turns.

    Such a turn holds no proven margin, and proofs do not know of challenges. `contest` has the side to move
    in the game itself to move; `chance` is as for `answers`.
    """

    def __init__(
        self,
        contest: ChallengeGame,
        table: TranspositionTable,
        flag: StopFlag,
        node_limit: int,
        options: SearchOptions,
        chance: float,
    ) -> None:
        self._reserve = node_limit // BRANCH_SHARE
        super().__init__(contest, table, flag, node_limit - self._reserve, options)
        self._contest = contest
        self._worth = weigher(contest, chance)
        self._denied: dict[int, Branch | None] = {}  # by key after the turn; None if it cannot be challenged
        self._plain: dict[int, PvLine] = {}  # lines by key, as searched without challenges
        self._announced: Score | None = None  # of the best announcement in this iteration

    @property
    def nodes(self) -> int:
        """Positions visited so far, those of the branches included."""
        return super().nodes + self._branch_nodes

    @property
    def _branch_nodes(self) -> int:
        return sum(branch.nodes for branch in self._denied.values() if branch)

    @property
    def _left(self) -> int | None:
        """How many positions the branches may still visit; None without a limit."""
        return max(0, self._reserve - self._branch_nodes) if self._reserve else None

    def search(
        self,
        depth: int,
        last: PvLine | None,
        rank: int,
        excluded: Sequence[int],
        on_bound: Callable[[PvLine], None] | None = None,
    ) -> PvLine | None:
        """Search `depth` actions deep, as `SearchThread.search`.

        If the best turn may be challenged and decides the game, the next best ones are compared with it,
        until one is found that does without a challenge.
        """
        if rank == 1:
            self._announced = None
        best: PvLine | None = None
        tried = [*excluded]
        hint = last and self._plain.get(last.key, last)
        for _ in range(MAX_ALTERNATIVES):
            line = super().search(depth, hint, rank, tried, None if tried else on_bound)
            if line is None or (best and line.score.value <= best.score.value):
                break
            if self.stopped:
                return best or line
            self._plain[line.key] = line
            weighed = self._weighed(line)
            if best is None or weighed.score.value > best.score.value:
                best = weighed
            if weighed is line:
                break
            tried.append(line.key)
            hint = None
        return best and replace(best, rank=rank)

    def _weighed(self, line: PvLine) -> PvLine:
        """Return `line` with the value that the better answer leaves, if its first turn may be challenged.

        It stays the same if nothing is decided, or if the other answer could not be searched.
        """
        denied = self._branch(line)
        if denied is None:  # worth no more than an announcement now if it only puts one off
            limit = self._announced
            puts_off = limit is not None and line.score.value > limit.value and announces(line)
            return replace(line, score=limit) if limit and puts_off else line
        if not denied.searched and self._left != 0:
            denied.search(BRANCH_DEPTH)
        if not denied.searched or not (line.score.is_proven or denied.score.is_proven):
            return line
        accepted = Score(-line.score.value)
        challenged = self._worth(accepted, denied.score)
        if challenged.value > accepted.value:
            turns = (line.turns[0], CHALLENGE)
            line = replace(line, score=Score(-challenged.value), texts=partial(tuple, turns))
        if self._announced is None or line.score.value > self._announced.value:
            self._announced = line.score
        return line

    def _branch(self, line: PvLine) -> Branch | None:
        """Return the search of what a successful challenge leads to; None if none is possible."""
        if line.key not in self._denied:
            announced = self._contest.copy()
            announced.push(line.turns[0])
            branch = None
            if announced.announced:
                limit = 0 if self._left is None else max(1, self._left)
                side = announced.side_to_move
                branch = Branch(announced.denied(), side, self._shared[0], self._flag, limit, needed=False)
            self._denied[line.key] = branch
        return self._denied[line.key]

    def _unchallenged(self, line: PvLine | None) -> PvLine | None:
        """Return `line`, unless it begins with a turn that may be challenged."""
        return line if line and self._branch(line) is None else None

    def prove(self, depth: int, proven: PvLine | None) -> PvLine | None:
        """Return what the search of all turns proves, unless it begins with a turn that may be challenged."""
        return self._unchallenged(super().prove(depth, proven))

    def recall(self) -> PvLine | None:
        """Return what the table has for the root, unless it is a turn that may be challenged."""
        return self._unchallenged(super().recall())

    def hold_margin(self, best: PvLine | None) -> PvLine | None:
        """Return `best`: what an earlier search has proven knows of no challenges."""
        return best

    def take_interim_proof(self) -> PvLine | None:
        """Return what was proven in the middle of the last search, unless it may be challenged."""
        return self._unchallenged(super().take_interim_proof())


class Branch:
    """A position that an answer may lead to, seen from the `side` that answers.

    If `needed`, its first search ends whatever the flag and the limit say. The rest is for `SearchThread`.
    """

    def __init__(
        self,
        position: Position,
        side: int,
        table: TranspositionTable,
        flag: StopFlag,
        node_limit: int,
        needed: bool = True,
    ) -> None:
        self._sign = 1 if position.side_to_move == side else -1
        self.extra_depth = 0 if self._sign > 0 else 1
        self._outcome = position.outcome()
        self._won = self._outcome - Outcome.FIRST_WINS == side
        over = self._outcome != Outcome.ONGOING
        self._thread = None if over else SearchThread(position, table, flag, node_limit)
        if self._thread and not needed:
            self._thread.first_search = 0
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

    @property
    def searched(self) -> bool:
        """Whether its value is known."""
        return self._thread is None or self._line is not None

    def search(self, depth: int) -> None:
        """Search `depth` actions deep; an aborted search changes nothing."""
        if self._thread is None:
            return
        line = self._thread.search(depth, self._line, 1, ())
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
        if score.turns_to_win is None:
            return score
        return Score(score.value - 1 if score.value > 0 else score.value + 1)

    @property
    def turns(self) -> tuple[str, ...]:
        """The expected turns."""
        return self._line.turns if self._line else ()


def announces(line: PvLine) -> bool:
    """Return whether the side to move announces a turn in `line`, which its opponent accepts."""
    ours = announced = True
    for turn in line.turns:
        if turn == ACCEPT:
            if announced:
                return True
        else:
            announced, ours = ours, not ours
    return False


def weigher(contest: ChallengeGame, chance: float) -> Callable[[Score, Score], Score]:
    """Return `challenge_worth` as a function of the two scores, with the terms of `contest`.

    `chance` is that of a contest whose rules do not determine it.
    """
    cost = 0.0 if contest.challenges_left >= contest.stakes else COST
    known = chance if contest.chance is None else contest.chance
    return partial(challenge_worth, scale=contest.scale, cost=cost, chance=known)


def challenge_worth(
    accepted: Score, denied: Score, scale: float, cost: float, chance: float = CHANCE
) -> Score:
    """Return the value of a challenge (see the head of this file) for the side that answers.

    `accepted` and `denied` are its values after the announced turn and without the stake, on the logistic
    `scale`. Using a challenge costs a win rate of `cost`. The challenger wins with a probability of `chance`.
    """
    if (
        accepted.turns_to_win is not None
        and denied.turns_to_win is not None
        and accepted.value * denied.value > 0
    ):
        worse = accepted.value < 0  # lost either way: take the longer loss
        return (max if worse else min)(accepted, denied, key=lambda score: score.value)
    if chance == 0:
        return accepted
    rate = chance * denied.rate_on(scale) + (1 - chance) * accepted.rate_on(scale) - cost
    return Score.of_rate(rate, scale, MIN_UNPROVEN_RATE)
