"""Mistakes of a reviewed game as puzzles: find a better turn."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.apps.review.assessment import Assessment, JudgedMove, Review

MARKS = ("?", "??")  # of the turns that make puzzles
GOOD_LOSS = 0.05  # of win rate: an answer that loses no more is accepted
BEST, GOOD, MISTAKE = "best", "good", "mistake"


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth.

    Attributes
    ----------
    kind : str
        `BEST`, `GOOD` or `MISTAKE`.
    turn, best : str
        The answer and the engine's turn, canonical.
    loss : float
        Win rate lost, in [0, 1].
    """

    kind: str
    turn: str
    best: str
    loss: float

    @property
    def right(self) -> bool:
        """Whether the answer is accepted."""
        return self.kind != MISTAKE


def puzzles(review: Review) -> list[JudgedMove]:
    """Return the turns of a review, as far as it has come, that make puzzles."""
    return [move for move in review.moves if move.mark in MARKS]


def verdict(known: Assessment, turn: str, loss: float) -> Verdict:
    """Return the verdict on an answer.

    Parameters
    ----------
    known : Assessment
        Of the position of the puzzle.
    turn : str
        The answer, canonical.
    loss : float
        The win rate that it loses; not looked at for the best turn.
    """
    if turn == known.best:
        return Verdict(BEST, turn, known.best, 0.0)
    lost = max(0.0, loss)
    return Verdict(GOOD if lost < GOOD_LOSS else MISTAKE, turn, known.best, lost)
