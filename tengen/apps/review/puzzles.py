"""Mistakes of a reviewed game as puzzles: find a better turn."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.apps.review.assessment import JudgedMove, Review

MARKS = ("?", "??")  # of the turns that make puzzles
GOOD_LOSS = 0.05  # of win rate: an answer that loses no more is accepted
BEST, GOOD, MISTAKE = "best", "good", "mistake"


@dataclass(frozen=True)
class Verdict:
    """What an answer to a puzzle is worth.

    Attributes
    ----------
    turn, best : str
        The answer and the engine's turn, canonical.
    loss : float
        Win rate lost by the answer, at least 0.
    """

    turn: str
    best: str
    loss: float

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
    return [move for move in review.moves if move.mark in MARKS]
