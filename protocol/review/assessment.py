"""What the positions of a record are worth, what its turns have cost, and how often each side went wrong.

A turn's value is that of the position it has led to, seen from the side that played it; its loss is the win
rate of the turn that the engine prefers less that value, and 0 for the turn that the engine prefers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.engine.challenge import begin
from tengen.engine.game import Game, GameSpec, Outcome
from tengen.engine.sgf import replay
from tengen.protocol.common.session import as_side_to_move
from tengen.protocol.common.values import final_lead, outcome_value
from tengen.search.info import Info, Score
from tengen.search.limits import Limits

if TYPE_CHECKING:
    from tengen.engine.position import Position
    from tengen.engine.sgf import Record

MISTAKES = {"?!": 0.05, "?": 0.10, "??": 0.20}  # marks, and the loss of win rate from which on they are given


@dataclass(frozen=True)
class ReviewPosition:
    """A position of a record.

    Attributes
    ----------
    number : int
        How many turns of the record lead to it.
    position : Position
        As its mover sees it; its history goes back to the beginning of the record.
    in_turn : bool
        Whether it is the mover's turn by the rules: set-up play lets a side play twice in a row.
    played : str
        The turn that follows, canonical; empty at the end of the record.
    """

    number: int
    position: Position
    in_turn: bool
    played: str

    @property
    def mover(self) -> int:
        """The side that plays the turn, 0 or 1."""
        return self.position.side_to_move

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.position.outcome() != Outcome.ONGOING

    @property
    def other(self) -> Game | None:
        """The game that is played for a challenge; its positions are worth what they are worth in it."""
        active = self.position.active
        return None if active is None or active is self.position else active.spec.game


def stages(record: Record) -> list[ReviewPosition]:
    """Return all positions of `record`, from its first one on.

    Raises
    ------
    TengenError
        When a turn cannot be played; names its number.
    """
    position = begin(record.spec, record.start)
    found = []
    for number, (side, turn) in enumerate(record.turns):
        before, in_turn = position.resumed(), position.side_to_move == side
        if record.spec.game.out_of_turn:
            before = as_side_to_move(before, side)
        replay(position, [(side, turn)], first=number + 1)
        found.append(ReviewPosition(number, before, in_turn, position.turns_played[-1]))
    return [*found, ReviewPosition(len(found), position, True, "")]


@dataclass(frozen=True)
class Assessment:
    """What a position is worth to its mover.

    Attributes
    ----------
    rate : float
        Expected result in [0, 1], a draw counting a half.
    score : Score or None
        What the search said; None when the game is over.
    lead : float or None
        Expected margin at the end of the game, points, where that is known.
    pv : tuple of str
        The expected turns, the best one first; empty when the game is over.
    depth, nodes : int
        Of the search.
    """

    rate: float
    score: Score | None = None
    lead: float | None = None
    pv: tuple[str, ...] = ()
    depth: int = 0
    nodes: int = 0

    @classmethod
    def of_search(cls, info: Info, nodes: int, scale: float) -> Assessment:
        """Return what a search has found: its best line, and the positions it visited.

        `scale` is the logistic scale of the game that was searched.
        """
        return cls(info.win_rate(scale), info.score, info.lead, info.pv, info.depth, nodes)

    @classmethod
    def of_end(cls, position: Position, points: bool) -> Assessment:
        """Return what a finished game is worth to the side to move; with `points`, by how many it is won."""
        value = outcome_value(position.outcome(), position.side_to_move)
        return cls(value, lead=final_lead(position) if points else None)

    @property
    def best(self) -> str:
        """The best turn; empty when the game is over."""
        return self.pv[0] if self.pv else ""


@dataclass(frozen=True)
class SideAssessment:
    """How a position stands, seen from one side whoever is to move.

    Attributes
    ----------
    rate : float
    score : Score or None
    lead : float or None
        As in `Assessment`, for that side.
    """

    rate: float
    score: Score | None
    lead: float | None


def value_for(stage: ReviewPosition, assessment: Assessment, side: int) -> SideAssessment:
    """Return how the position stands for `side`."""
    if stage.mover == side:
        return SideAssessment(assessment.rate, assessment.score, assessment.lead)
    score = None if assessment.score is None else Score(-assessment.score.value)
    lead = None if assessment.lead is None else -assessment.lead
    return SideAssessment(1 - assessment.rate, score, lead)


@dataclass(frozen=True)
class JudgedMove:
    """A turn of a record, judged.

    Attributes
    ----------
    stage, after : Stage
        The positions before and after it.
    before, after_value : Assessment
        What they are worth to their movers.
    value : float or None
        Win rate of the turn for who played it; None when no search has told: the turn begins a game for a
        challenge, or the same side plays again.
    """

    stage: ReviewPosition
    before: Assessment
    after: ReviewPosition
    after_value: Assessment
    value: float | None

    @property
    def number(self) -> int:
        """The number of the turn, from 1."""
        return self.stage.number + 1

    @property
    def agrees(self) -> bool:
        """Whether the engine would have played the same."""
        return self.stage.played == self.before.best

    @property
    def loss(self) -> float | None:
        """Win rate lost, in [0, 1]; None when it is not known."""
        if self.agrees:
            return 0.0
        return None if self.value is None else max(0.0, self.before.rate - self.value)

    @property
    def mark(self) -> str:
        """One of `MISTAKES`, or empty."""
        given = [mark for mark, least in MISTAKES.items() if self.loss is not None and self.loss >= least]
        return given[-1] if given else ""


def judged(
    stage: ReviewPosition, before: Assessment, after: ReviewPosition, after_value: Assessment
) -> JudgedMove:
    """Return the turn between two positions, judged."""
    value: float | None = None
    ended = _end_of_other(stage)
    if ended is not None:
        value = ended
    elif after.in_turn and after.other == stage.other:
        value = value_for(after, after_value, stage.mover).rate
    return JudgedMove(stage, before, after, after_value, value)


def _end_of_other(stage: ReviewPosition) -> float | None:
    """Return what a turn is worth that ends the game played for a challenge; None for any other turn."""
    if stage.other is None or stage.position.active is None:
        return None
    other = stage.position.active.copy()
    side = other.side_to_move
    other.play(stage.played)
    outcome = other.outcome()
    return None if outcome == Outcome.ONGOING else outcome_value(outcome, side)


@dataclass(frozen=True)
class ReviewSummary:
    """How a side has played.

    Attributes
    ----------
    turns : int
    agreed : int
        How many of them the engine would have played.
    judged : int
        Of how many the loss is known.
    loss : float
        Mean win rate lost with a turn, where known.
    mistakes : dict of str to int
        How many turns bear each of the marks.
    """

    turns: int
    agreed: int
    judged: int
    loss: float
    mistakes: dict[str, int]


def summarize(side: int, played: Iterable[JudgedMove]) -> ReviewSummary:
    """Return how `side` has played."""
    own = [step for step in played if step.stage.mover == side]
    losses = [step.loss for step in own if step.loss is not None]
    return ReviewSummary(
        turns=len(own),
        agreed=sum(step.agrees for step in own),
        judged=len(losses),
        loss=sum(losses) / len(losses) if losses else 0.0,
        mistakes={mark: sum(step.mark == mark for step in own) for mark in MISTAKES},
    )


@dataclass(frozen=True)
class Review:
    """A record, assessed as far as `assessments` goes.

    Attributes
    ----------
    spec : GameSpec
    stages : list of Stage
        All of its positions.
    assessments : list of Assessment
        Of the first of them, or of all.
    limits : Limits
        Of the search of each.
    """

    spec: GameSpec
    stages: list[ReviewPosition]
    assessments: list[Assessment]
    limits: Limits

    def step(self, number: int) -> JudgedMove | None:
        """Return turn `number`, judged; None for 0."""
        if number == 0:
            return None
        before, after = number - 1, number
        return judged(
            self.stages[before], self.assessments[before], self.stages[after], self.assessments[after]
        )

    @property
    def moves(self) -> list[JudgedMove]:
        """The turns, judged."""
        found = (self.step(number) for number in range(len(self.assessments)))
        return [step for step in found if step]

    def standings(self, side: int) -> list[SideAssessment]:
        """Return how the assessed positions stand for `side`."""
        return [
            value_for(stage, assessment, side)
            for stage, assessment in zip(self.stages, self.assessments, strict=False)
        ]

    @property
    def effort(self) -> str:
        """How much of a search each position was given at most, in words."""
        parts = {
            "{:g} s": self.limits.movetime,
            "{:,} nodes": self.limits.nodes,
            "depth {}": self.limits.depth,
        }
        return " or ".join(text.format(limit) for text, limit in parts.items() if limit is not None)
