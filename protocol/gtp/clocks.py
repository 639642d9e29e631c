"""The clocks of a GTP game: main time, then Canadian or Japanese byo-yomi. Times are in seconds."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from tengen.engine.errors import NotationError
from tengen.protocol.errors import require_known
from tengen.protocol.numbers import NO_LIMIT_SECONDS, parse_integer, parse_number
from tengen.search.limits.limit import Clock

KGS_SYSTEMS = {  # time systems of KGS, and the arguments of each
    "none": (),
    "absolute": ("MAIN",),
    "byoyomi": ("MAIN", "BYOYOMI", "PERIODS"),
    "canadian": ("MAIN", "BYOYOMI", "STONES"),
}
SYSTEMS = KGS_SYSTEMS | {"fischer": ("MAIN", "INCREMENT")}  # those of KataGo


@dataclass(frozen=True)
class TimeControl:
    """The time control of both sides, as set by ``time_settings`` or ``kgs-time_settings``."""

    main: float
    byoyomi: float = 0.0  # length of a byo-yomi period; 0 without byo-yomi
    stones: int = 0  # turns in a period of Canadian byo-yomi
    # periods of Japanese byo-yomi, of which a turn within one uses up nothing; 0 for Canadian byo-yomi
    periods: int = 0
    increment: float = 0.0  # added to the main time after every turn, as Fischer's clock does

    @property
    def unlimited(self) -> bool:
        """Whether there is no time limit: GTP encodes it as byo-yomi with 0 stones, others as a huge time."""
        encoded = self.byoyomi > 0 and self.stones == 0 and self.periods == 0
        return encoded or max(self.main, self.byoyomi, self.increment) >= NO_LIMIT_SECONDS


@dataclass(frozen=True)
class Remaining:
    """The time one side has left."""

    seconds: float  # of the main time, or of the current byo-yomi period
    # turns left in the current period or, with Japanese byo-yomi, periods left including the current one; 0
    # in main time
    stones: int = 0


def parse_system(systems: Mapping[str, Collection[str]], name: str, *numbers: str) -> TimeControl | None:
    """Return the time control of the system `name` and its numbers; None for no clocks."""
    system = require_known("SYSTEM", name, systems)
    fields = systems[system]
    if len(numbers) != len(fields):
        raise NotationError(f"expected {' '.join([system, *fields])}, got {len(numbers)} numbers")
    given = dict(zip(fields, numbers, strict=True))
    seconds = {
        field: parse_number(field, given[field], 0, math.inf)
        for field in ("MAIN", "BYOYOMI", "INCREMENT")
        if field in given
    }
    turns = {
        field: parse_integer(field, given[field], 1) for field in ("PERIODS", "STONES") if field in given
    }
    if not given:
        return None
    return TimeControl(
        seconds["MAIN"],
        seconds.get("BYOYOMI", 0.0),
        turns.get("STONES", 0),
        turns.get("PERIODS", 0),
        seconds.get("INCREMENT", 0.0),
    )


class Clocks:
    """Both sides' clocks; without a time control there are none."""

    def __init__(self) -> None:
        self._settings: TimeControl | None = None
        self._remaining: list[Remaining] = []

    def set(self, settings: TimeControl | None) -> None:
        """Start both clocks with `settings`; None for no clocks."""
        self._settings = None if settings is None or settings.unlimited else settings
        self._remaining = [_begin(self._settings.main, self._settings)] * 2 if self._settings else []

    def report(self, side: int, remaining: Remaining) -> None:
        """Set the time of `side` to what the controller reports."""
        if self._settings:
            self._remaining[side] = remaining

    def restart(self) -> None:
        """Reset both clocks."""
        self.set(self._settings)

    def spend(self, side: int, seconds: float) -> None:
        """Take the time of a turn off the clock of `side`: not every controller reports after each turn."""
        if self._settings:
            self._remaining[side] = _spend(self._remaining[side], seconds, self._settings)

    def clock(self, side: int) -> Clock | None:
        """Return the clock of `side` for the search; None without a time control.

        Only the current Japanese period is available to it; the others are a reserve for late turns.
        """
        if not self._settings or self._remaining[side].seconds >= NO_LIMIT_SECONDS:
            return None
        left = self._remaining[side]
        if left.stones:
            stones = 1 if self._settings.periods else left.stones
            return Clock(left.seconds, moves_to_go=stones, expires=stones == 1)
        clock = Clock(left.seconds, self._settings.increment)
        if self._settings.byoyomi:
            stones = 1 if self._settings.periods else self._settings.stones
            clock = replace(clock, byoyomi=self._settings.byoyomi, byoyomi_stones=stones)
        return clock


def _begin(main: float, settings: TimeControl) -> Remaining:
    """Return `main` seconds of main time, or the first byo-yomi period minus the overrun."""
    if main > 0 or not settings.byoyomi:
        return Remaining(max(0.0, main))
    return Remaining(max(0.0, settings.byoyomi + main), settings.periods or settings.stones)


def _spend(left: Remaining, seconds: float, settings: TimeControl) -> Remaining:
    """Return the time left after a turn of `seconds`."""
    rest, byoyomi = left.seconds - seconds, settings.byoyomi
    if settings.increment:
        return Remaining(max(0.0, rest) + settings.increment)
    if not left.stones and (rest > 0 or not byoyomi):
        return Remaining(max(0.0, rest))
    if settings.periods:  # the one in which the turn ended restarts
        ended = 1 + int(-rest // byoyomi) if rest < 0 and byoyomi else 0
        periods = left.stones - ended if left.stones else settings.periods - max(0, ended - 1)
        return Remaining(byoyomi, max(1, periods))
    if not left.stones:
        return _begin(rest, settings)
    if left.stones == 1:  # the last turn of a period, which restarts
        return Remaining(byoyomi, settings.stones)
    return Remaining(max(0.0, rest), left.stones - 1)
