"""Analysing some turns only: each by a search of the position after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.api.errors import argument_error, refusals, require
from tengen.api.position import Position
from tengen.api.score import Info, Score
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.search.info import WIN
from tengen.search.limits import MAX_LEVEL, Limits

if TYPE_CHECKING:
    from tengen.engine.position import Position as GamePosition
    from tengen.search.info import Result


def after_turns(position: Position, turns: Sequence[str]) -> dict[str, GamePosition]:
    """Return the positions after some turns, by their canonical texts.

    Raises
    ------
    NotationError, IllegalTurnError, OptionError
        If one of them cannot be played, or there is none.
    """
    if isinstance(turns, str) or not isinstance(turns, Sequence):
        raise argument_error(turns, "root_turns", "a list of turns")
    found: dict[str, GamePosition] = {}
    for turn in turns:
        after = position._inner.copy()
        with refusals(turn, position):
            found[after.play(require(turn, str, "root_turns", "turns as texts"))] = after
    if not found:
        raise OptionError("root_turns: expected at least one turn, got none")
    return found


def share_of(limits: Limits, count: int) -> Limits:
    """Return the limits of one of `count` searches that follow each other, each one turn deeper."""
    if limits.clock is not None:
        raise OptionError("limit: expected a time, nodes or a depth for root_turns, got a clock")
    return replace(
        limits,
        nodes=limits.nodes and max(1, limits.nodes // count),
        movetime=None if limits.movetime is None else limits.movetime / count,
        depth=limits.depth and max(1, limits.depth - 1),
        multipv=1,
        level=MAX_LEVEL,
    )


def line_of(turn: str, position: GamePosition, after: GamePosition, result: Result | None) -> Info:
    """Return the line that begins with `turn`, for the side to move in `position`.

    Parameters
    ----------
    turn : str
    position, after : Position
        Before and after it.
    result : Result or None
        Of a search of `after`; None if the game is over there.
    """
    side, game = position.side_to_move, position.spec.game
    if result is None or not result.lines:
        outcome = after.outcome()
        won, drawn = outcome - Outcome.FIRST_WINS == side, outcome in (Outcome.DRAW, Outcome.ONGOING)
        value, rate = (0, 0.5) if drawn else (WIN - 1, 1.0) if won else (1 - WIN, 0.0)
        margin = 0 if outcome == Outcome.DRAW else None
        return Info(1, 1, 1, Score(value, rate, margin, side, game), "", 0, 0.0, (turn,))
    line = Info.of(result.lines[0], after)
    score = line.score.pov(side)
    if (ends := score.turns_to_win) is not None:  # one turn further away
        score = replace(score, value=score.value - 1 if ends > 0 else score.value + 1)
    sign = 1 if line.score.side == side else -1
    return replace(
        line,
        score=score,
        bound=line.bound and {"lower": "upper", "upper": "lower"}[line.bound],
        pv=(turn, *line.pv),
        nodes=result.nodes,
        seconds=result.seconds,
        lead=None if line.lead is None else sign * line.lead,
        ownership=tuple(sign * owned for owned in line.ownership),
        visits=None,
        prior=None,
    )
