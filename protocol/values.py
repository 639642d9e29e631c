"""What a position is worth, as several commands report it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tengen.engine.game import Outcome
from tengen.search.info import Score

if TYPE_CHECKING:
    from tengen.engine.play.position import Position


def score_report(score: Score) -> dict[str, int]:
    """Return a score for JSON: hundredths of a point, or turns until a proven end, and the margin."""
    margin = {} if score.margin is None else {"margin": score.margin}
    if score.turns_to_win is None:
        return {"cp": score.value, **margin}
    return {"win" if score.value > 0 else "loss": abs(score.turns_to_win), **margin}


def outcome_value(outcome: Outcome, side: int) -> float:
    """Return the value of a finished game for `side`: 1 for a win, 0.5 for a draw, 0 for a loss."""
    if outcome == Outcome.DRAW:
        return 0.5
    return float(outcome - Outcome.FIRST_WINS == side)


def final_lead(position: Position) -> float | None:
    """Return the final lead of the side to move, in points; None if the result has no margin."""
    value = outcome_value(position.outcome(), position.side_to_move)
    if value == 0.5:
        return 0.0
    margin = re.fullmatch(r"[A-Z]\+([0-9.]+)", position.result())
    return (2 * value - 1) * float(margin[1]) if margin else None
