"""Ends games by the scores that the players report: resignations and agreed draws."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.engine.errors import OptionError, quoted
from tengen.engine.game import Outcome
from tengen.tuning.players.base import SearchReport

DEFAULT_TURNS = 3  # of a player in a row


@dataclass(frozen=True)
class ScoreRule:
    """When scores end a game."""

    score: int  # centi-points: a loss of at least so many, or a draw within so many
    turns: int = DEFAULT_TURNS  # of a player in a row with such a score
    first: int = 0  # turns of the game before which the rule does not hold

    def __str__(self) -> str:
        return f"{self.score / 100:g},{self.turns},{self.first}"

    @classmethod
    def parse(cls, option: str, text: str) -> ScoreRule:
        """Return the rule ``POINTS[,TURNS[,FIRST]]``; `option` is named in errors.

        Raises OptionError if the text has another form.
        """
        words = text.split(",")
        try:
            points, counts = float(words[0]), [int(word) for word in words[1:]]
        except ValueError:
            points, counts = -1.0, []
        if not (0 <= points <= 10**4 and len(counts) <= 2 and all(0 <= n <= 10**5 for n in counts)):
            expected = "expected points, and perhaps turns in a row and a first turn, such as 8,4"
            raise OptionError(f"{option}: {expected}, got {quoted(text)}")
        return cls(round(100 * points), max(1, *counts[:1]) if counts else DEFAULT_TURNS, *counts[1:])


class ScoreJudge:
    """Follows the scores of one game.

    A side loses after so many scores of its own as `resign` says, unless the other side thinks that it is
    losing, too. The game is a draw after so many scores of both sides as `draw` says.
    """

    def __init__(self, resign: ScoreRule | None, draw: ScoreRule | None) -> None:
        self._resign, self._draw = resign, draw
        self._scores: tuple[list[int | None], list[int | None]] = ([], [])
        self._turns = 0

    def note(self, side: int, report: SearchReport | None) -> None:
        """Take note of what `side` has reported of its turn; None if it has said nothing."""
        self._turns += 1
        self._scores[side].append(None if report is None else report.score)

    def verdict(self, side: int) -> tuple[Outcome, str] | None:
        """Return the outcome and why, after a turn of `side`; None while the game goes on."""
        if (rule := self._resign) and self._turns >= rule.first:
            last, theirs = self._scores[side][-rule.turns :], self._scores[1 - side][-1:]
            hopeless = len(last) == rule.turns and all(s is not None and s <= -rule.score for s in last)
            if hopeless and not any(score is not None and score < 0 for score in theirs):
                outcome = Outcome.SECOND_WINS if side == 0 else Outcome.FIRST_WINS
                return outcome, f"{rule.turns} scores of {-rule.score / 100:g} or less"
        if (rule := self._draw) and self._turns >= rule.first:
            last = [score for scores in self._scores for score in scores[-rule.turns :]]
            if len(last) == 2 * rule.turns and all(s is not None and abs(s) <= rule.score for s in last):
                return Outcome.DRAW, f"{rule.turns} scores of both within {rule.score / 100:g}"
        return None
