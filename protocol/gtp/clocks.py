"""The clocks of a GTP game: main time, then Canadian or Japanese byo-yomi. All times are in seconds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tengen.search.limits import Clock


@dataclass(frozen=True)
class TimeControl:
    """What both sides were given, as GTP's ``time_settings`` or ``kgs-time_settings`` says it.

    Attributes
    ----------
    main : float
        Main time.
    byoyomi : float
        Length of a byo-yomi period; 0 when the main time is all there is.
    stones : int
        Turns to be played in a period of Canadian byo-yomi.
    periods : int
        Periods of Japanese byo-yomi: a turn that ends within one leaves it whole. 0 when it is Canadian.
    """

    main: float
    byoyomi: float = 0.0
    stones: int = 0
    periods: int = 0

    @property
    def unlimited(self) -> bool:
        """Whether there is no limit: GTP says so by a period in which no turn has to be played."""
        return self.byoyomi > 0 and self.stones == 0 and self.periods == 0


@dataclass(frozen=True)
class Remaining:
    """What one side has left.

    Attributes
    ----------
    seconds : float
        Of the main time, or of the current byo-yomi period.
    stones : int
        Turns still to be played in the current period, or periods left, the current one included, if they are
        Japanese; 0 in main time.
    """

    seconds: float
    stones: int = 0


class Clocks:
    """Both sides' clocks; without settings there are none."""

    def __init__(self) -> None:
        self._settings: TimeControl | None = None
        self._remaining: list[Remaining] = []

    def set(self, settings: TimeControl | None) -> None:
        """Begin anew with `settings`; None for no clocks."""
        self._settings = None if settings is None or settings.unlimited else settings
        self._remaining = [_begin(self._settings.main, self._settings)] * 2 if self._settings else []

    def report(self, side: int, remaining: Remaining) -> None:
        """Take over what the controller says that `side` has left."""
        if self._settings:
            self._remaining[side] = remaining

    def restart(self) -> None:
        """Give both sides their full time again."""
        self.set(self._settings)

    def spend(self, side: int, seconds: float) -> None:
        """Take off what a turn of `side` has cost: a controller need not report after every turn."""
        if self._settings:
            after = _spend_japanese if self._settings.periods else _spend_canadian
            self._remaining[side] = after(self._remaining[side], seconds, self._settings)

    def clock(self, side: int) -> Clock | None:
        """Return what the search needs to know of the clock of `side`; None without time settings.

        Japanese periods beyond the current one are not planned with: they are there for late turns.
        """
        if not self._settings:
            return None
        left = self._remaining[side]
        if left.stones:
            return Clock(left.seconds, moves_to_go=1 if self._settings.periods else left.stones)
        clock = Clock(left.seconds)
        if self._settings.byoyomi:
            stones = 1 if self._settings.periods else self._settings.stones
            clock = replace(clock, byoyomi=self._settings.byoyomi, byoyomi_stones=stones)
        return clock


def _begin(main: float, settings: TimeControl) -> Remaining:
    """Return `main` seconds of main time; without any, the first period less what is overdrawn."""
    if main > 0 or not settings.byoyomi:
        return Remaining(max(0.0, main))
    return Remaining(max(0.0, settings.byoyomi + main), settings.periods or settings.stones)


def _spend_canadian(left: Remaining, seconds: float, settings: TimeControl) -> Remaining:
    """Return what is left after a turn of so many `seconds`: a period is fresh again after its last turn."""
    used_up = left.seconds - seconds
    if not left.stones:
        return _begin(used_up, settings)
    if left.stones == 1:
        return Remaining(settings.byoyomi, settings.stones)
    return Remaining(max(0.0, used_up), left.stones - 1)


def _spend_japanese(left: Remaining, seconds: float, settings: TimeControl) -> Remaining:
    """Return what is left after a turn of so many `seconds`: the period in which it ended is fresh again."""
    overdrawn = seconds - left.seconds
    if not left.stones and (overdrawn < 0 or not settings.byoyomi):
        return Remaining(max(0.0, -overdrawn))
    ended = 1 + int(overdrawn // settings.byoyomi) if overdrawn > 0 and settings.byoyomi else 0
    periods = left.stones - ended if left.stones else settings.periods - max(0, ended - 1)
    return Remaining(settings.byoyomi, max(1, periods))
