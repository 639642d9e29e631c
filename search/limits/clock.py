"""Time management: how long one turn may take. All times are in seconds.

A turn's plan is the time left divided by the turns to plan for, which each game's module ``pace`` knows
(`engine.contract`). `Iterations` tells when a search has had enough.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tengen.engine.play.position import Position
from tengen.search.limits.limit import Clock, Limit

OVERHEAD = 0.015  # move overhead: reserve for communication and thread wake-up
MIN_TIME = 0.002
MAX_RESERVE = 0.5  # of a time for one turn, for answers that are expected to be late
DEVIATIONS = 4.0  # of the lag, added to the mean for the reserve
MEAN_GAIN, DEVIATION_GAIN = 1 / 8, 1 / 4  # least weight of the last answer in the mean lag, its deviation
MAX_TIME_SHARE = 0.4  # of the remaining time, for one turn
EXPIRING_SHARE = 0.97  # of a time that is lost unless this turn uses it
MIN_TURNS = 12  # least number of turns to plan for in games that say nothing else
LAST_MOMENTS = 0.5  # s: 1 s before the end plan for half a turn more, 0.1 s before it for 5 more
STRETCH = 2.5  # how much longer than planned an unfinished iteration may take

SETTLED = 0.7  # factor of the plan when the best turn stays the same from iteration to iteration
CHANGED = 0.5  # added when it has just changed; half of that one iteration later, and so on
FALL = 4.0  # added for each unit of win rate that is lost within two iterations
MIN_FACTOR, MAX_FACTOR = 0.5, 2.0
USUAL_GROWTH, MAX_GROWTH = 3.0, 8.0
MIN_ITERATIONS = 4  # no plan ends a search before; only the end of its time does


@dataclass(frozen=True)
class Budget:
    """Seconds for one turn; None for both: no limit."""

    soft: float | None = None  # the plan: an ordinary turn takes about so long
    hard: float | None = None  # stop at once after this


@dataclass(frozen=True)
class Lag:
    """How late answers come: from the planned end of a search to the time that the manager charges.

    The smoothed mean and deviation are those of TCP's retransmission timer. Source: RFC 6298. The first
    answers count alike, and one prompt answer before them.
    """

    mean: float = 0.0  # s, of the answers so far, the latest weighing most
    deviation: float = 0.0  # likewise
    answers: int = 0  # their number

    def after(self, late: float) -> Lag:
        """Return the lag after another answer, which was so many seconds late."""
        weight, error = 1 / (self.answers + 2), late - self.mean
        mean = self.mean + max(MEAN_GAIN, weight) * error
        deviation = self.deviation + max(DEVIATION_GAIN, weight) * (abs(error) - self.deviation)
        return Lag(mean, deviation, self.answers + 1)

    @property
    def usual(self) -> float:
        """Seconds that most answers are late."""
        return self.mean + self.deviation

    @property
    def reserve(self) -> float:
        """Seconds that an answer may be late, in all likelihood."""
        return self.mean + DEVIATIONS * self.deviation


class Iterations:
    """What the iterations of a search tell about the time that its turn deserves."""

    def __init__(self) -> None:
        self._best: object = None
        self._unrest = 0.0  # changes of the best turn, each counting half as much after another iteration
        self._rates: list[float] = []  # win rates, iteration by iteration
        self._elapsed = 0.0
        # How much longer than planned the turn may take: more when the best turn changes or its score falls
        self.factor = 1.0
        # How many times as long as so far the search is likely to have taken after another iteration
        self.growth = USUAL_GROWTH

    def add(self, best: object, rate: float, elapsed: float) -> None:
        """Take note of an iteration: its best turn, the win rate in [0, 1], the seconds of the search so far.

        Win rates are compared with those of two iterations before, since searches of even and of odd depth
        tend to differ.
        """
        changed = self._best is not None and best != self._best
        self._unrest = self._unrest / 2 + changed
        self._best = best
        self._rates.append(rate)
        fall = max(0.0, self._rates[-3] - rate) if len(self._rates) > 2 else 0.0
        factor = SETTLED + CHANGED * self._unrest + FALL * fall
        self.factor = min(MAX_FACTOR, max(MIN_FACTOR, factor))
        if self._elapsed > 0:
            grown = min(MAX_GROWTH, max(1.0, elapsed / self._elapsed))
            self.growth = math.sqrt(self.growth * grown)
        self._elapsed = elapsed

    def enough(self, planned: float, solving: bool = False) -> bool:
        """Return whether another iteration would end further from the time planned, as a ratio, than now.

        While a solver is about to find the result of the game, `solving`, the search may take as long as any:
        turns with a known result take no time.
        """
        if len(self._rates) < MIN_ITERATIONS:
            return False
        factor = MAX_FACTOR if solving else self.factor
        return self._elapsed * math.sqrt(self.growth) >= factor * planned


def time_budget(limits: Limit, position: Position, lag: Lag | None = None) -> Budget:
    """Return the budget for the next turn in `position`, or in the game played for a challenge there.

    `lag` tells how late the answers have been so far.
    """
    lag = lag or Lag()
    if limits.infinite:
        return Budget()
    if limits.time is not None:
        reserve = min(OVERHEAD, limits.time / 5) + min(lag.reserve, MAX_RESERVE * limits.time)
        hard = max(MIN_TIME, limits.time - reserve)
        return Budget(hard, hard)
    return _share(limits.clock, position, lag) if limits.clock else Budget()


def turns_to_plan(position: Position) -> float:
    """Return by how many turns the side to move should divide its time, for clocks that do not say.

    While another game is played for a challenge, the turns of both games count.
    """
    game = position.spec.game
    if game.offers("pace"):
        pace = game.module("pace")
        progress, turns = np.array(pace.TURNS, np.float64).T
        left = float(np.interp(pace.progress(position.state), progress, turns))
    else:
        left = turns_to_go(position)
    other = position.current
    return left if other is position else left + turns_to_plan(other)


def turns_to_go(position: Position) -> int:
    """Return how many turns the side to move still has, played at once or not, in a game of usual length."""
    return max(MIN_TURNS, position.spec.game.expected_moves - position.own_turns // 2)


def _share(clock: Clock, position: Position, lag: Lag) -> Budget:
    """Return the budget for the next turn in `position`. Lag that no increment makes up for is set aside."""
    if clock.expires:
        late = OVERHEAD + min(lag.reserve, MAX_RESERVE * clock.remaining)
        hard = max(MIN_TIME, EXPIRING_SHARE * clock.remaining - late)
        return Budget(hard, hard)
    period = clock.byoyomi / max(1, clock.byoyomi_stones)
    gain = 0.8 * clock.increment + period - lag.usual  # of a turn that takes no time itself
    to_go = turns_to_go(position) if clock.moves_to_go is None else clock.moves_to_go
    left = max(0.0, clock.remaining - OVERHEAD - lag.reserve - max(0.0, -gain) * to_go)
    turns = max(1.0, turns_to_plan(position) + LAST_MOMENTS / max(left, MIN_TIME))
    if clock.moves_to_go is not None:
        turns = max(1.0, min(turns, clock.moves_to_go))
    planned = left / turns + max(0.0, gain)
    late = OVERHEAD + min(lag.reserve, MAX_RESERVE * period)
    most = max(MAX_TIME_SHARE * left if turns > 1 else 0.9 * left, 0.9 * period - late, MIN_TIME)
    if clock.increment and clock.moves_to_go is None:
        most = max(most, min(left, clock.increment) * 0.8)
    hard = max(MIN_TIME, min(STRETCH * planned, most, left + 0.9 * clock.byoyomi))
    return Budget(max(MIN_TIME, min(planned, hard)), hard)
