"""A review as annotations of its record: comments, values, marks of mistakes, and what was better.

All are properties of FF[4]: ``C`` tells how it stands, ``V`` has Black's points where they are known, ``DO``
and ``BM`` mark mistakes, variations show the turns that were better. What the record itself says stays.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tengen import __version__
from tengen.engine.errors import TengenError
from tengen.engine.game import Outcome
from tengen.engine.sgf import Properties, Record, Variation
from tengen.protocol.review.assessment import JudgedMove, Review, SideAssessment, summarize, value_for

if TYPE_CHECKING:
    from tengen.engine.game import Game

SGF_MARKS: dict[str, Properties] = {"?!": {"DO": [""]}, "?": {"BM": ["1"]}, "??": {"BM": ["2"]}}
SGF_JUDGEMENTS = {"BM", "DO", "IT", "TE"}  # a node holds one of them at most
MAX_PV_MOVES = 12  # turns of a line that are shown
FIRST_SIDE = 0  # the side from which comments and tables look at the game


def annotated(record: Record, review: Review) -> Record:
    """Return `record` with what `review` has found."""
    comments, details, variations = dict(record.comments), dict(record.details), dict(record.variations)
    for index, step in enumerate(review.moves):
        comments[index] = _joined(comments.get(index, ""), comment(review, step))
        details[index] = _details(details.get(index, {}), review, step)
        if better := variation(review, step):
            variations[index] = [*variations.get(index, []), better]
    said = _joined(*record.properties.get("C", []), overview(review))
    properties = {**record.properties, "C": [said]}
    return replace(record, properties=properties, comments=comments, details=details, variations=variations)


def _joined(*texts: str) -> str:
    """Return `texts`, the original comment first, with an empty line between."""
    return "\n\n".join(text for text in texts if text)


def overview(review: Review) -> str:
    """Return the comment on the record as a whole: by what it was analysed, and how each side has played."""
    lines = [f"Analysed by tengen {__version__}, {review.effort} a position."]
    for side, name in enumerate(review.spec.game.sides):
        played = summarize(side, review.moves)
        marks = ", ".join(f"{count} {mark}" for mark, count in played.mistakes.items())
        agreed = f"{played.agreed} of {played.turns} turns as the engine"
        lines.append(f"{name.capitalize()}: {100 * played.loss:.1f}% lost a turn; {marks}; {agreed}.")
    lines.append(f"Start: {_standing_text(review, review.standings(FIRST_SIDE)[0])}")
    return "\n".join(lines)


def comment(review: Review, step: JudgedMove) -> str:
    """Return the comment on a turn: how it stands after it, what it has lost, what the engine prefers."""
    lines = [_situation(review, step)]
    preferred = " ".join(step.before.pv[:MAX_PV_MOVES])
    if step.mark and step.loss is not None:
        lines.append(f"{step.mark} loses {100 * step.loss:.1f}%; better: {preferred}")
    elif not step.agrees:
        lines.append(f"Engine: {preferred}")
    return "\n".join(lines)


def _situation(review: Review, step: JudgedMove) -> str:
    """Return how it stands after a turn, in words."""
    game, position = review.spec.game, step.after.position
    if step.after.over:
        outcome = position.outcome()
        if outcome == Outcome.DRAW:
            return "A draw"
        return f"{game.sides[outcome - Outcome.FIRST_WINS].capitalize()} wins, {position.result()}"
    said = _standing_text(review, value_for(step.after, step.after_value, FIRST_SIDE))
    return f"{said} in the game of {step.after.other.title}" if step.after.other else said


def _standing_text(review: Review, found: SideAssessment) -> str:
    """Return the win rate and, behind it, points or score, of the first side."""
    game = review.spec.game
    worth = score_text(game, found)
    return f"{game.sides[FIRST_SIDE].capitalize()} {100 * found.rate:.1f}%{worth and f', {worth}'}"


def score_text(game: Game, found: SideAssessment) -> str:
    """Return the points that the first side leads by, as results are written, or else its score."""
    if found.score is not None and (found.lead is None or found.score.end_in is not None):
        return str(found.score)
    if found.lead is None:
        return ""
    lead = tenths(found.lead)
    return (
        f"{game.letters[FIRST_SIDE if lead > 0 else 1 - FIRST_SIDE].upper()}+{abs(lead)}" if lead else "even"
    )


def tenths(points: float) -> float:
    """Return `points` to a tenth, never a negative zero."""
    return round(points, 1) + 0.0


def _details(original: Properties, review: Review, step: JudgedMove) -> Properties:
    """Return the properties at a turn: those of the record, and ours where it has none of the kind."""
    ours: Properties = {}
    if step.mark and not SGF_JUDGEMENTS & original.keys():
        ours |= SGF_MARKS[step.mark]
    black = review.spec.game.letters.index("b")
    lead = value_for(step.after, step.after_value, black).lead
    if lead is not None:
        ours["V"] = [str(tenths(lead))]
    return {**ours, **original}


def variation(review: Review, step: JudgedMove) -> Variation | None:
    """Return what would have been better than a mistake; None for any other turn."""
    if not step.mark:
        return None
    position = step.stage.position.copy()
    turns: list[tuple[int, str]] = []
    for turn in step.before.pv[:MAX_PV_MOVES]:
        mover = position.side_to_move
        try:
            position.play(turn)
        except TengenError:  # a line may go on behind what a challenge decides
            break
        turns.append((mover, turn))
    before = _standing_text(review, value_for(step.stage, step.before, FIRST_SIDE))
    return Variation(turns, before) if turns else None
