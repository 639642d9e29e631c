"""Time management: how long one turn may take. All times are in seconds."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.engine.position import Position
from tengen.search.limits import Clock, Limits

OVERHEAD = 0.015  # kept back for the way to the client and for waking up
LEAST = 0.002
SOFT_SHARE = 0.6  # no new iteration is begun after this share of a turn's time: it would hardly end
MOST_SHARE = 0.4  # of all time left, for one turn
FEWEST_TURNS_LEFT = 12  # planned for, however long the game has been going on
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


def allot(limits: Limits, position: Position) -> Budget:
    """Return the budget for the next turn in `position`, or in the game played for a challenge there."""
    if limits.infinite:
        return Budget()
    if limits.movetime is not None:
        hard = max(LEAST, limits.movetime - min(OVERHEAD, limits.movetime / 5))
        return Budget(hard, hard)
    return _share(limits.clock, turns_left(position)) if limits.clock else Budget()


def turns_left(position: Position) -> int:
    """Return how many turns the side to move may still have to play, for clocks that do not say.

    While another game is played for a challenge, its turns and those of the game that waits.
    """
    game = position.spec.game
    if hasattr(game.rules, "turns_left"):
        left = max(FEWEST_TURNS_LEFT, int(game.rules.turns_left(position.foreground.state)))
    else:
        left = max(FEWEST_TURNS_LEFT, game.turns - position.own_turns // 2)
    other = position.active
    return left if other is None or other is position else left + turns_left(other)


def _share(clock: Clock, turns: int) -> Budget:
    """Return the share of a clock that one of so many `turns` may take."""
    period = clock.byoyomi / max(1, clock.byoyomi_stones)
    left = max(0.0, clock.remaining - OVERHEAD)
    turns = max(1, clock.moves_to_go or turns)
    planned = left / turns + 0.8 * clock.increment + period
    most = max(MOST_SHARE * left if turns > 1 else 0.9 * left, 0.9 * period - OVERHEAD, LEAST)
    if clock.increment and clock.moves_to_go is None:
        most = max(most, min(left, clock.increment) * 0.8)
    hard = max(LEAST, min(STRETCH * planned, most, left + 0.9 * clock.byoyomi))
    return Budget(max(LEAST, min(SOFT_SHARE * planned, hard)), hard)
