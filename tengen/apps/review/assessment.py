"""The value of every position of a record, what its moves cost, and how often each side went wrong.

The loss of a move is the win rate of the best move minus its own, both found with equal effort by
`apps.review.searches`; it is 0 for the best move.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tengen.engine.errors import NotationError
from tengen.engine.game import Game, Outcome
from tengen.engine.play.position import Position
from tengen.engine.sgf import Node, Record
from tengen.engine.spec import GameSpec
from tengen.protocol.session import as_side_to_move
from tengen.protocol.values import final_lead, outcome_value
from tengen.search.info import Score
from tengen.search.limits.limit import Limit

MISTAKES = {"?!": 0.05, "?": 0.10, "??": 0.20}  # marks, and the least loss of win rate that earns each
ERRORS = 1.25  # errors that the loss of a marked turn exceeds
DOUBT = 0.7  # of the loss that earns a mark, for a turn to be looked at again
PUZZLES = ("?", "??")  # marks of the turns that make puzzles
GOOD_LOSS = 0.05  # of win rate: an answer to a puzzle that loses no more is accepted
BEST, GOOD, MISTAKE = "best", "good", "mistake"


@dataclass(frozen=True)
class ReviewPosition:
    """A position of a record."""

    number: int  # the number of turns that lead to it
    # With its mover to move; its history reaches back to the start of the record
    position: Position = field(hash=False)
    # Whether the rules say that its mover is to move: set-up play lets a side play twice in a row
    in_turn: bool
    # The turn that follows, canonical; empty at the end of the record, or where a position is set up
    played: str

    @property
    def mover(self) -> int:
        """The side that plays the turn, 0 or 1."""
        return self.position.side_to_move

    @property
    def is_final(self) -> bool:
        """Whether the game is over."""
        return self.position.outcome() != Outcome.ONGOING

    @property
    def other(self) -> Game | None:
        """The game played for a challenge, whose evaluation applies; None otherwise."""
        return None if self.position.current is self.position else self.position.game


def record_positions(
    record: Record,
    faults: list[str] | None = None,
    nodes: Iterable[Node] | None = None,
    before: Position | None = None,
    number: int = 0,
) -> list[ReviewPosition]:
    """Return all positions of a line of `record`, in order, up to a turn that cannot be played.

    A position that is set up in the middle begins a new part: the one before it has no turn. The line is that
    of `nodes` after the position `before`, which has a `number`; by default it is the main line. If it ends
    early, `faults` get the reason; without them that raises a TengenError, which names the turn.
    """
    positions: list[ReviewPosition] = []
    found = [] if faults is None else faults
    last = before
    resumed = before.resumed() if before else None
    for node, position in record.walk(nodes, found, before and before.copy(), number):
        if node.colour:
            assert resumed
            side = int(node.side or 0)
            in_turn = resumed.side_to_move == side
            mover = as_side_to_move(resumed, side) if record.spec.game.out_of_turn else resumed
            positions.append(ReviewPosition(number, mover, in_turn, position.turns_played[-1]))
            number += 1
        elif position is not last and positions and last:
            positions.append(ReviewPosition(number, last, True, ""))
        if position is not last or node.colour:
            resumed, last = position.resumed(), position
    if last is None or (found and faults is None):
        raise NotationError(found[0])
    return [*positions, ReviewPosition(number, last, True, "")]


@dataclass(frozen=True)
class Comparison:
    """Win rates of the engine's turn and of the turn played, for the side that plays, with equal effort."""

    best: float
    played: float
    error: float  # half the width of an interval around their difference; 0 if both are proven


@dataclass(frozen=True)
class Estimate:
    """A win rate in [0, 1], and half the width of an interval around it."""

    rate: float
    error: float


@dataclass(frozen=True)
class Assessment:
    """The value of a position for its mover."""

    rate: float  # expected result in [0, 1]; a draw counts one half
    score: Score | None = None  # the score of the search; None if the game is over
    lead: float | None = None  # expected final margin in points, if it is known
    pv: tuple[str, ...] = ()  # the expected turns, the best one first; empty if the game is over
    depth: int = 0
    nodes: int = 0
    # The turn played and the best one, if they differ and can be compared. Only the best one if the search of
    # the next position tells what the turn played is worth
    compared: Comparison | Estimate | None = None
    # Of all simulations, for the mover; `rate` is that of the best turn. None for other searches
    mean: Estimate | None = None
    checked: Comparison | None = None  # of the turn before, if that has been compared with the best one again

    @classmethod
    def of_end(cls, position: Position, points: bool) -> Assessment:
        """Return the assessment of a finished game; with `points`, it has the final lead as well."""
        value = outcome_value(position.outcome(), position.side_to_move)
        return cls(value, lead=final_lead(position) if points else None)

    @property
    def best(self) -> str:
        """The best turn; empty if the game is over."""
        return self.pv[0] if self.pv else ""

    @property
    def turns_to_win(self) -> int:
        """Turns until the mover wins for certain; negative, until it loses; 0 if neither is proven."""
        return (self.score.turns_to_win or 0) if self.score else 0

    @property
    def is_certain(self) -> bool:
        """Whether the result is known: the game is over, or a win or a loss is proven."""
        return self.score is None or self.score.turns_to_win is not None


def value_for(entry: ReviewPosition, assessment: Assessment, side: int) -> Assessment:
    """Return an assessment with rate, score and lead for `side`, whichever is to move."""
    if entry.mover == side:
        return assessment
    score = None if assessment.score is None else -assessment.score
    lead = None if assessment.lead is None else -assessment.lead
    return replace(assessment, rate=1 - assessment.rate, score=score, lead=lead)


@dataclass(frozen=True)
class JudgedMove:
    """A turn of a record, the positions before and after it, and their values, each for its mover."""

    before: ReviewPosition
    before_value: Assessment
    after: ReviewPosition
    after_value: Assessment
    # Win rate of the turn for the side that played it; None if unknown, because the turn starts a game for a
    # challenge, or the same side plays again; or because the turn tells how a trial has ended
    value: float | None

    @property
    def number(self) -> int:
        """The number of the turn, from 1."""
        return self.before.number + 1

    @property
    def agrees(self) -> bool:
        """Whether the engine would have played the same."""
        return self.before.played == self.before_value.best

    @property
    def loss(self) -> float | None:
        """Win rate lost, in [0, 1]; None if unknown. Rates are as compared, unless they are certain."""
        if self.agrees:
            return 0.0
        best, played, compared = self.before_value.rate, self.value, self.comparison
        if compared and not self._is_certain:
            if not self.before_value.is_certain:
                best = compared.best
            if played is None or not self.after_value.is_certain:
                played = compared.played
        return None if played is None else max(0.0, best - played)

    @property
    def error(self) -> float | None:
        """Half the width of an interval around the loss; None if nothing is known about it."""
        if self.agrees or self._is_certain:
            return 0.0
        compared = self.comparison
        return compared.error if compared else None

    @property
    def is_doubtful(self) -> bool:
        """Whether more simulations could tell if the turn deserves its mark, or one."""
        by_simulations = isinstance(self.before_value.compared, Estimate)
        loss, error = self.loss or 0.0, self.error or 0.0
        doubted = DOUBT * max(ERRORS * error, min(MISTAKES.values()))
        return by_simulations and not self.after_value.is_certain and loss >= doubted

    @property
    def comparison(self) -> Comparison | None:
        """The best turn and this one, as far as they are compared."""
        compared = self.after_value.checked or self.before_value.compared
        if not isinstance(compared, Estimate):
            return compared
        if mean := self.after_value.mean:
            return Comparison(compared.rate, 1 - mean.rate, min(1.0, math.hypot(compared.error, mean.error)))
        if self.value is None or not self.after_value.is_certain:
            return None
        return Comparison(compared.rate, self.value, compared.error)  # the turn has ended the game

    @property
    def _is_certain(self) -> bool:
        """Whether the results before and after the turn are known."""
        return self.value is not None and self.before_value.is_certain and self.after_value.is_certain

    @property
    def mark(self) -> str:
        """One of `MISTAKES`, or empty; the loss must be well outside of its error, and that must be known."""
        loss, error = self.loss or 0.0, self.error
        if error is None or loss < ERRORS * error:
            return ""
        earned = [mark for mark, least in MISTAKES.items() if loss >= least]
        return earned[-1] if earned else ""


def judge_move(
    before: ReviewPosition, before_value: Assessment, after: ReviewPosition, after_value: Assessment
) -> JudgedMove:
    """Return the turn between two positions, judged."""
    value = None
    if before.other is not None and not before.position.awaits_answer:
        other = before.position.current.copy()
        side = other.side_to_move
        other.push(before.played)
        if other.outcome() != Outcome.ONGOING:
            value = outcome_value(other.outcome(), side)
    if value is None and tells_value(before, after):
        value = value_for(after, after_value, before.mover).rate
    return JudgedMove(before, before_value, after, after_value, value)


def tells_value(before: ReviewPosition, after: ReviewPosition) -> bool:
    """Return whether the value of a position is that of the turn before it."""
    return after.in_turn and after.other == before.other and not before.position.in_trial


@dataclass(frozen=True)
class ReviewSummary:
    """How a side has played."""

    turns: int
    agreed: int  # turns that the engine would have played
    judged: int  # turns whose loss is known
    loss: float  # mean win rate lost with a turn, over those that are judged
    mistakes: dict[str, int]  # the number of turns with each mark

    @property
    def cells(self) -> list[str]:
        """The cells of a table: turns, mean loss in per cent, mistakes, and turns as the engine's."""
        agreed = f"{100 * self.agreed / self.turns:.0f}%" if self.turns else "-"
        return [str(self.turns), f"{100 * self.loss:.1f}", *map(str, self.mistakes.values()), agreed]


def summarize(side: int, moves: Iterable[JudgedMove]) -> ReviewSummary:
    """Return how `side` has played."""
    own = [move for move in moves if move.before.mover == side and not move.before.position.in_trial]
    losses = [move.loss for move in own if move.loss is not None]
    return ReviewSummary(
        turns=len(own),
        agreed=sum(move.agrees for move in own),
        judged=len(losses),
        loss=sum(losses) / len(losses) if losses else 0.0,
        mistakes={mark: sum(move.mark == mark for move in own) for mark in MISTAKES},
    )


@dataclass(frozen=True)
class Review:
    """A record and the assessments made so far."""

    spec: GameSpec
    positions: list[ReviewPosition]  # all positions of the record
    assessments: list[Assessment]  # of its first positions, or of all
    limits: Limit  # of each search

    @property
    def searched(self) -> int:
        """The number of positions to search: all, but for that of a finished game."""
        return sum(not entry.is_final for entry in self.positions)

    def move(self, number: int) -> JudgedMove | None:
        """Return the turn that leads to position `number`, judged; None where a part begins."""
        if number == 0 or not self.positions[number - 1].played:
            return None
        before, after = number - 1, number
        return judge_move(
            self.positions[before], self.assessments[before], self.positions[after], self.assessments[after]
        )

    @property
    def moves(self) -> list[JudgedMove]:
        """The turns, judged."""
        found = (self.move(number) for number in range(len(self.assessments)))
        return [move for move in found if move]

    @property
    def shown(self) -> list[tuple[ReviewPosition, Assessment]]:
        """The assessed positions, one for each number of turns: without those set up in the middle."""
        found = zip(self.positions, self.assessments, strict=False)
        return [each for number, each in enumerate(found) if not number or self.positions[number - 1].played]

    def values_for(self, side: int) -> list[Assessment]:
        """Return the values of the positions `shown` for `side`."""
        return [value_for(entry, assessment, side) for entry, assessment in self.shown]

    @property
    def effort(self) -> str:
        """The limits of each search, in words."""
        parts = {
            "{:g} s": self.limits.time,
            "{:,} nodes": self.limits.nodes,
            "depth {}": self.limits.depth,
        }
        return " or ".join(text.format(limit) for text, limit in parts.items() if limit is not None)


# ------------------------------------------------------------------------------------------------- variations


@dataclass(frozen=True)
class ReviewedVariation:
    """A variation and its review, as far as it has come."""

    number: int  # from 1, in the order of the record: a variation, then those within it
    parent: int  # the variation that it leaves; 0 for the main line
    source: Node  # its first node
    review: Review  # its first position is that before the first turn of the variation

    @property
    def title(self) -> str:
        """What it is, in words."""
        left = f" of variation {self.parent}" if self.parent else ""
        return f"variation {self.number}, instead of turn {self.review.positions[0].number + 1}{left}"


def variations_of(record: Record, limits: Limit, faults: list[str] | None = None) -> list[ReviewedVariation]:
    """Return all variations of a record, none of their positions assessed yet.

    A turn that cannot be played ends a variation; `faults`, if given, gets the reasons.
    """
    found: list[ReviewedVariation] = []
    places: dict[Node | None, tuple[int, int]] = {None: (0, 0)}  # number of its line, and of its turn
    forks: dict[Node, Position] = {}
    for node, position in record.explore():
        if len(node.children) > 1:
            forks[node] = position.copy()
    pending = [record.root]
    while pending:
        node = pending.pop()
        line, number = places[node.parent]
        if node.parent and node.parent in forks and node is not node.parent.next:
            said: list[str] = []
            positions = record_positions(record, said, [node, *node.main_line()], forks[node.parent], number)
            if len(positions) > 1:
                found.append(
                    ReviewedVariation(len(found) + 1, line, node, Review(record.spec, positions, [], limits))
                )
                line = len(found)
            if faults is not None:
                faults += [f"variation instead of turn {number + 1}: {reason}" for reason in said]
        places[node] = line, number + bool(node.colour)
        pending += reversed(node.children)
    return found


# ---------------------------------------------------------------------------------------- mistakes as puzzles


@dataclass(frozen=True)
class Verdict:
    """What an answer to a puzzle is worth."""

    turn: str  # canonical
    best: str  # the engine's turn
    loss: float  # win rate lost by the answer, at least 0

    @property
    def kind(self) -> str:
        """One of `BEST`, `GOOD` and `MISTAKE`."""
        return BEST if self.turn == self.best else GOOD if self.loss < GOOD_LOSS else MISTAKE

    @property
    def right(self) -> bool:
        """Whether the answer is accepted."""
        return self.kind != MISTAKE


def puzzles(review: Review) -> list[JudgedMove]:
    """Return the turns of a review, as far as it has come, that make puzzles."""
    return [move for move in review.moves if move.mark in PUZZLES]
