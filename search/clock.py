"""Time management: how long one turn may take. All times are in seconds."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.engine.position import Position
from tengen.search.limits import Clock, Limits

OVERHEAD = 0.015  # move overhead: reserve for communication and thread wake-up
MIN_TIME = 0.002
SOFT_SHARE = 0.6  # no new iteration after this share of a turn's time: it would hardly finish
MAX_TIME_SHARE = 0.4  # of the remaining time, for one turn
MIN_MOVES_LEFT = 12  # least number of turns to plan for
STRETCH = 2.5  # how much longer than planned an unfinished iteration may take


@dataclass(frozen=True)
class Budget:
    """Seconds for one turn.

    Attributes
    ----------
    soft : float or None
        Begin no new iteration after this.
    hard : float or None
        Stop at once after this. None for both: no limit.
    """

    soft: float | None = None
    hard: float | None = None


def time_budget(limits: Limits, position: Position) -> Budget:
    """Return the budget for the next turn in `position`, or in the game played for a challenge there."""
    if limits.infinite:
        return Budget()
    if limits.movetime is not None:
        hard = max(MIN_TIME, limits.movetime - min(OVERHEAD, limits.movetime / 5))
        return Budget(hard, hard)
    return _share(limits.clock, expected_moves_left(position)) if limits.clock else Budget()


def expected_moves_left(position: Position) -> int:
    """Return the estimated turns to go of the side to move, for clocks that do not give them.

    While another game is played for a challenge, the turns of both games count.
    """
    game = position.spec.game
    if hasattr(game.rules, "expected_moves_left"):
        left = max(MIN_MOVES_LEFT, int(game.rules.expected_moves_left(position.foreground.state)))
    else:
        left = max(MIN_MOVES_LEFT, game.expected_moves - position.own_turns // 2)
    other = position.active
    return left if other is None or other is position else left + expected_moves_left(other)


def _share(clock: Clock, turns: int) -> Budget:
    """Return the budget for the next turn when the clock has to last for `turns` turns."""
    period = clock.byoyomi / max(1, clock.byoyomi_stones)
    left = max(0.0, clock.remaining - OVERHEAD)
    turns = max(1, clock.moves_to_go or turns)
    planned = left / turns + 0.8 * clock.increment + period
    most = max(MAX_TIME_SHARE * left if turns > 1 else 0.9 * left, 0.9 * period - OVERHEAD, MIN_TIME)
    if clock.increment and clock.moves_to_go is None:
        most = max(most, min(left, clock.increment) * 0.8)
    hard = max(MIN_TIME, min(STRETCH * planned, most, left + 0.9 * clock.byoyomi))
    return Budget(max(MIN_TIME, min(SOFT_SHARE * planned, hard)), hard)
