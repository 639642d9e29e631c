"""The clocks of a GTP game: main time, then byo-yomi of so many turns a period. All times are in seconds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from search.limits import Clock


@dataclass(frozen=True)
class TimeSettings:
    """What both sides were given, as GTP's ``time_settings`` says it.

    Attributes
    ----------
    main : float
        Main time.
    byoyomi : float
        Length of a byo-yomi period; 0 when the main time is all there is.
    stones : int
        Turns to be played in a period.
    """

    main: float
    byoyomi: float
    stones: int

    @property
    def unlimited(self) -> bool:
        """Whether there is no limit: GTP says so by a period in which no turn has to be played."""
        return self.byoyomi > 0 and self.stones == 0


@dataclass(frozen=True)
class Remaining:
    """What one side has left.

    Attributes
    ----------
    seconds : float
        Of the main time, or of the current byo-yomi period.
    stones : int
        Turns still to be played in the current period; 0 in main time.
    """

    seconds: float
    stones: int = 0


class Clocks:
    """Both sides' clocks; without settings there are none."""

    def __init__(self) -> None:
        self._settings: TimeSettings | None = None
        self._remaining: list[Remaining] = []

    def set(self, settings: TimeSettings) -> None:
        """Begin anew with `settings`."""
        self._settings = None if settings.unlimited else settings
        self._remaining = [self._begin(settings.main, settings)] * 2

    def report(self, side: int, remaining: Remaining) -> None:
        """Take over what the controller says that `side` has left."""
        if self._settings:
            self._remaining[side] = remaining

    def restart(self) -> None:
        """Give both sides their full time again."""
        if self._settings:
            self.set(self._settings)

    def spend(self, side: int, seconds: float) -> None:
        """Take off what a turn of `side` has cost: a controller need not report after every turn."""
        if not self._settings:
            return
        left = self._remaining[side]
        used_up = left.seconds - seconds
        if not left.stones:
            self._remaining[side] = self._begin(used_up, self._settings)
        elif left.stones == 1:
            self._remaining[side] = Remaining(self._settings.byoyomi, self._settings.stones)
        else:
            self._remaining[side] = Remaining(max(0.0, used_up), left.stones - 1)

    def _begin(self, main: float, settings: TimeSettings) -> Remaining:
        """Return `main` seconds of main time; without any, the first period less what is overdrawn."""
        if main > 0 or not settings.byoyomi:
            return Remaining(max(0.0, main))
        return Remaining(max(0.0, settings.byoyomi + main), settings.stones)

    def clock(self, side: int) -> Clock | None:
        """Return what the search needs to know of the clock of `side`; None without time settings."""
        if not self._settings:
            return None
        left = self._remaining[side]
        if left.stones:
            return Clock(left.seconds, moves_to_go=left.stones)
        clock = Clock(left.seconds)
        if self._settings.byoyomi:
            clock = replace(clock, byoyomi=self._settings.byoyomi, byoyomi_stones=self._settings.stones)
        return clock
