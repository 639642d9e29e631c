"""Limits of a search: depth, nodes, time, a clock. All times are in seconds."""

from __future__ import annotations

import math
import os
import warnings
from dataclasses import dataclass, replace

from tengen.engine.errors import OptionError, argument_error, whole_number

MAX_NODES = 10**12
MAX_DEPTH = 64  # greatest depth of iterative deepening, in actions
MAX_THREADS = 256
MAX_MULTIPV = 256  # turns that people may ask for
MAX_LINES = 512  # ... and that weak levels of play choose from
MAX_SEARCHMOVES = 8192  # root turns that a search can be restricted to
MAX_PLIES = 10**9  # greatest depth of a restriction of turns
MAX_LEVEL = 20  # full strength; weaker levels are in `search.levels`
MAX_SAMPLE = 8  # positions that a search can keep (see `alphabeta.node.evaluate`)
MOST = {"nodes": MAX_NODES, "depth": MAX_DEPTH, "multipv": MAX_LINES, "level": MAX_LEVEL}  # from 1
AUTO = "auto"  # the method that the game prefers
METHODS = (AUTO, "alphabeta", "mcts")


def max_hash_mb() -> int:
    """Return the size in MB of the largest table that leaves this machine a quarter of its memory."""
    if not hasattr(os, "sysconf"):
        return 1 << 16
    return max(1, (os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20) * 3 // 4)


@dataclass(frozen=True)
class Clock:
    """The clock of the side to move.

    Attributes
    ----------
    remaining : float
        Main time left, seconds.
    increment : float
        Added after every turn, seconds.
    moves_to_go : int or None
        Turns until the next time control; None when the time left is for the rest of the game.
    byoyomi : float
        Length of a byo-yomi period, seconds; 0 for none. A period is fresh again once `byoyomi_stones` turns
        are played in it.
    byoyomi_stones : int
        Turns to be played in a period (1 for Japanese byo-yomi).
    periods : int
        Periods of Japanese byo-yomi that are left, of which the search plans for one; 0 for other clocks.
    expires : bool
        Whether what this turn leaves of the time is lost: the last turn of a byo-yomi period.
    """

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None
    byoyomi: float = 0.0
    byoyomi_stones: int = 1
    periods: int = 0
    expires: bool = False


@dataclass(frozen=True)
class Restriction:
    """Turns that a side may not play in the first turns of all lines, or the only ones that it may.

    Attributes
    ----------
    side : int
    turns : tuple of str
        They need not be legal at the root.
    only_these : bool
        Whether all other turns are excluded instead.
    depth : int
        How many turns from the root on are restricted, those of the other side included.
    """

    side: int
    turns: tuple[str, ...]
    only_these: bool
    depth: int


@dataclass(frozen=True)
class Limit:
    """A search ends at the first limit that it reaches; without limits it goes on until it is stopped.

    Attributes
    ----------
    time : float or None
        Seconds for this turn, all of its actions together.
    nodes : int or None
        Positions visited, by all threads, or simulations of a Monte-Carlo search.
    depth : int or None
        Iterations, in actions.
    clock : Clock or None
        The clock of the side to move: its time is shared out over the rest of the game.
    clocks : tuple of Clock or None
        The clocks of both sides in place of `clock`, the first side's first; see `for_side`.
    infinite : bool
        Report the result only after ``stop``, even when nothing is left to search.
    ponder : bool
        Search on the opponent's time: no time limit runs before ``ponderhit``.
    multipv : int
        Number of different root turns to report.
    level : int or None
        Level of play (`search.levels`), 1 to `MAX_LEVEL`, in place of the worker's own; None for that one. An
        infinite search is always one of full strength.
    grouped : bool
        Whether turns that differ in details only (`engine.play.turns.groups`) are one candidate, the best of
        them. It matters to alpha-beta with `multipv` above 1, in games whose turns have details.
    searchmoves : tuple of str
        The only root turns to search, canonical; empty for all. Such a search leaves out the solvers beside
        it, and one by Monte-Carlo simulations neither uses nor leaves a tree.
    restrictions : tuple of Restriction
        What they say about turns after the first is heeded in games whose turns are one action. The first
        turns are restricted by `searchmoves` only. The solvers are left out.
    asked : float or None
        When the turn was asked for, by `time.monotonic`: its time begins there. None if that is now. A search
        that counts processor time begins when it starts.

    Raises
    ------
    ArgumentError, OptionError
        For a value of the wrong type, or out of range.
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: Clock | None = None
    clocks: tuple[Clock, Clock] | None = None
    infinite: bool = False
    ponder: bool = False
    multipv: int = 1
    level: int | None = None
    grouped: bool = False
    searchmoves: tuple[str, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    asked: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.clock, tuple | list):  # as before version 0.2
            warnings.warn("Limit(clock=(a, b)): use clocks=(a, b)", DeprecationWarning, stacklevel=3)
            object.__setattr__(self, "clocks", tuple(self.clock))
            object.__setattr__(self, "clock", None)
        if self.time is not None:
            _check_seconds(self.time, "time")
        for name, most in MOST.items():
            value = getattr(self, name)
            if value is not None and not 1 <= whole_number(value, name) <= most:
                raise OptionError(f"{name}: expected 1 to {most}, got {value}")
        if self.asked is not None and not isinstance(self.asked, int | float):
            raise argument_error(self.asked, "asked", "seconds")
        named = self.searchmoves
        if not (isinstance(named, tuple | list) and all(isinstance(turn, str) for turn in named)):
            raise argument_error(named, "searchmoves", "turns as texts")
        if self.clocks is not None and not isinstance(self.clocks, tuple | list):
            raise argument_error(self.clocks, "clocks", "two clocks")
        if self.clocks and len(self.clocks) != 2:
            raise OptionError(f"clock: expected one for each side, got {len(self.clocks)}")
        for clock in self.clocks or ((self.clock,) if self.clock is not None else ()):
            if not isinstance(clock, Clock):
                raise argument_error(clock, "clock", "a Clock, or one for each side")
            for name in ("remaining", "increment", "byoyomi"):
                _check_seconds(getattr(clock, name), f"clock, {name}")
            for name in ("moves_to_go", "byoyomi_stones", "periods"):
                number = getattr(clock, name)
                if number is not None and whole_number(number, f"clock, {name}") < 0:
                    raise OptionError(f"clock, {name}: expected at least 0, got {number}")

    def for_side(self, side: int) -> Limit:
        """Return the limits of a search for one side: of two clocks its own.

        Parameters
        ----------
        side : int
            The side to move, 0 or 1.
        """
        return replace(self, clock=self.clocks[side], clocks=None) if self.clocks else self

    @property
    def bounded(self) -> bool:
        """Whether there is a limit that ends a search."""
        return any(each is not None for each in (self.time, self.nodes, self.depth, self.clock, self.clocks))

    @property
    def saves_time(self) -> bool:
        """Whether later turns get the time that this one leaves."""
        return self.clock is not None and not self.clock.expires

    @property
    def restricted(self) -> bool:
        """Whether the search leaves out turns, so that what it finds holds for no other search."""
        return bool(self.searchmoves or self.restrictions)


def _check_seconds(value: object, name: str) -> None:
    """Raise OptionError unless `value` is a number of seconds, at least 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise argument_error(value, name, "seconds")
    if not (math.isfinite(value) and value >= 0):
        raise OptionError(f"{name}: expected seconds, at least 0, got {value}")
