"""The clocks of both sides while a game is played."""

from __future__ import annotations

import time

from tengen.tuning.clocks import after_turn, seconds_left, start_clock
from tengen.tuning.match.settings import MatchSettings
from tengen.tuning.players.base import EndReason, Player, PlayerFailure, TurnTime

UNTIMED_TIMEOUT = 600.0  # seconds for a turn without a limit of wall-clock time


class GameClock:
    """The clocks of both sides in one game.

    Parameters
    ----------
    settings : MatchSettings
    players : tuple of int
        Numbers of the players of the first side and of the second.
    """

    def __init__(self, settings: MatchSettings, players: tuple[int, int]) -> None:
        self._settings = settings
        self._players = players
        self._controls = [settings.clock_of(player) for player in players]
        self._clocks = [control and start_clock(control) for control in self._controls]

    def turn_time(self, side: int) -> TurnTime:
        """Return the time and effort that `side` may use for its next turn."""
        first, second = self._clocks
        clocks = (first, second) if first and second else None
        timeout = UNTIMED_TIMEOUT if self._settings.cpu_time else self._deadline_seconds(side)
        limits = self._settings.turn_limits(self._players[side], self._clocks[side])
        return TurnTime(limits, clocks, timeout)

    def now(self, player: Player) -> float:
        """Return the time that the clock of `player` counts."""
        return player.processor_time() if self._settings.cpu_time else time.perf_counter()

    def _deadline_seconds(self, side: int) -> float:
        """Return the seconds after which a turn of `side` is late."""
        clock = self._clocks[side]
        movetime = self._settings.turn_limits(self._players[side], clock).time
        bounds = [seconds_left(clock) if clock else None, movetime]
        return min(
            (bound + self._settings.margin for bound in bounds if bound is not None), default=UNTIMED_TIMEOUT
        )

    def spend(self, side: int, seconds: float) -> None:
        """Subtract the time of a turn from the clock of `side`.

        Raises
        ------
        PlayerFailure
            If the turn came too late.
        """
        due = self._deadline_seconds(side)
        if seconds > due:
            counted = " of processor time" if self._settings.cpu_time else ""
            detail = f"a turn after {seconds:.3f} s{counted}, due after {due:.3f} s"
            raise PlayerFailure(EndReason.TIME, detail)
        clock, control = self._clocks[side], self._controls[side]
        if clock and control:
            self._clocks[side] = after_turn(clock, seconds, control)
