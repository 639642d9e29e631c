"""Limits of a search, as the library takes them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tengen.api.arguments import whole_number
from tengen.api.errors import argument_error
from tengen.engine.errors import OptionError
from tengen.search.limits.limit import MAX_DEPTH, MAX_MULTIPV, Clock, Limits

MAX_NODES = 10**12


@dataclass(frozen=True)
class Limit:
    """A search ends at the first limit that it reaches.

    Attributes
    ----------
    time : float or None
        Seconds for this turn.
    nodes : int or None
        Positions, or simulations of a Monte-Carlo search.
    depth : int or None
        Depth in actions.
    clock : Clock, or tuple of Clock, or None
        The clock of the side to move, or both, the first side's first. The engine shares its time out.

    Raises
    ------
    ArgumentError, OptionError
        For a value of the wrong type, or out of range.
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: Clock | tuple[Clock, Clock] | None = None

    def __post_init__(self) -> None:
        if self.time is not None:
            _check_seconds(self.time, "time")
        for name, most in (("nodes", MAX_NODES), ("depth", MAX_DEPTH)):
            value = getattr(self, name)
            if value is not None and not 1 <= whole_number(value, name) <= most:
                raise OptionError(f"{name}: expected 1 to {most}, got {value}")
        for clock in self.clocks:
            if not isinstance(clock, Clock):
                raise argument_error(clock, "clock", "a Clock, or one for each side")
            for name in ("remaining", "increment", "byoyomi"):
                _check_seconds(getattr(clock, name), f"clock, {name}")
        if isinstance(self.clock, tuple) and len(self.clock) != 2:
            raise OptionError(f"clock: expected one for each side, got {len(self.clock)}")

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """The clocks that are given: none, that of the side to move, or both."""
        if self.clock is None:
            return ()
        return tuple(self.clock) if isinstance(self.clock, tuple | list) else (self.clock,)

    def limits(self, side: int, multipv: int = 1) -> Limits:
        """Return the limits of a search for `side` that reports `multipv` turns."""
        if not 1 <= whole_number(multipv, "multipv") <= MAX_MULTIPV:
            raise OptionError(f"multipv: expected 1 to {MAX_MULTIPV}, got {multipv}")
        own = self.clocks[side % len(self.clocks)] if self.clocks else None
        return Limits(depth=self.depth, nodes=self.nodes, movetime=self.time, clock=own, multipv=multipv)

    @property
    def bounded(self) -> bool:
        """Whether there is any limit."""
        return (self.time, self.nodes, self.depth, self.clock) != (None, None, None, None)


def _check_seconds(value: object, name: str) -> None:
    """Raise OptionError unless `value` is a number of seconds, at least 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise argument_error(value, name, "seconds")
    if not (math.isfinite(value) and value >= 0):
        raise OptionError(f"{name}: expected seconds, at least 0, got {value}")
