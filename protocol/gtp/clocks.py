"""The clocks of a GTP game, as its controller sets and reports them. Times are in seconds."""

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from tengen.engine.errors import NotationError
from tengen.protocol.errors import require_known
from tengen.protocol.numbers import NO_LIMIT_SECONDS, parse_integer, parse_number
from tengen.search.limits.limit import Clock
from tengen.tuning.clocks import after_turn, overtime, start_clock

KGS_SYSTEMS = {  # time systems of KGS, and the arguments of each
    "none": (),
    "absolute": ("MAIN",),
    "byoyomi": ("MAIN", "BYOYOMI", "PERIODS"),
    "canadian": ("MAIN", "BYOYOMI", "STONES"),
}
SYSTEMS = KGS_SYSTEMS | {"fischer": ("MAIN", "INCREMENT")}  # those of KataGo
SECONDS = {"MAIN": "remaining", "INCREMENT": "increment", "BYOYOMI": "byoyomi"}  # the fields of a Clock
COUNTS = {"STONES": "byoyomi_stones", "PERIODS": "periods"}


def parse_system(systems: Mapping[str, Collection[str]], name: str, *numbers: str) -> Clock | None:
    """Return the clock at the start, by the system `name` and its numbers; None for no clocks."""
    system = require_known("SYSTEM", name, systems)
    fields = systems[system]
    if len(numbers) != len(fields):
        raise NotationError(f"expected {' '.join([system, *fields])}, got {len(numbers)} numbers")
    given: dict[str, Any] = {}
    for field, text in zip(fields, numbers, strict=True):
        if field in SECONDS:
            given[SECONDS[field]] = parse_number(field, text, 0, math.inf)
        else:
            given[COUNTS[field]] = parse_integer(field, text, 1)
    return Clock(**given) if given else None


class Clocks:
    """Both sides' clocks; without a time control there are none."""

    def __init__(self) -> None:
        self._control: Clock | None = None  # both at the start
        self._clocks: list[Clock] = []

    def set(self, control: Clock | None) -> None:
        """Start both clocks as `control`; None for no clocks.

        There are none either without a time limit: GTP encodes that as byo-yomi with 0 stones, others as a
        huge time.
        """
        if control and control.byoyomi and not control.byoyomi_stones:
            control = None
        if control and max(control.remaining, control.byoyomi, control.increment) >= NO_LIMIT_SECONDS:
            control = None
        self._control = control
        self._clocks = [start_clock(control)] * 2 if control else []

    def report(self, side: int, seconds: float, stones: int) -> None:
        """Set the time of `side` to what the controller reports.

        The `stones` are the turns left in the period, or the periods of Japanese byo-yomi; 0 in main time.
        """
        if self._control and self._control.byoyomi and stones:
            self._clocks[side] = overtime(self._control, seconds, stones)
        elif self._control:
            self._clocks[side] = replace(self._control, remaining=seconds, moves_to_go=stones or None)

    def restart(self) -> None:
        """Reset both clocks."""
        self.set(self._control)

    def spend(self, side: int, seconds: float) -> None:
        """Take the time of a turn off the clock of `side`: not every controller reports after each turn."""
        if self._control:
            self._clocks[side] = after_turn(self._clocks[side], seconds, self._control)

    def clock(self, side: int) -> Clock | None:
        """Return the clock of `side` for the search; None without a time control."""
        if not self._control or self._clocks[side].remaining >= NO_LIMIT_SECONDS:
            return None
        return self._clocks[side]
