"""Base of the built-in players. Their kernels release the GIL, so that several games run at once."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping

from tengen.engine.game import GameSpec, Option, Value
from tengen.tuning.players.base import Notice, Player
from tengen.tuning.version import engine_version


class BuiltinPlayer(Player):
    """A player that runs in this process.

    Parameters
    ----------
    spec : GameSpec
        The game to play.
    values : mapping of str to bool, int, float or str
        The options that were given.
    on_notice : callable, optional
        Called with a line that tells what `start` is waiting for.
    """

    OPTIONS: tuple[Option, ...] = ()

    def __init__(self, spec: GameSpec, values: Mapping[str, Value], on_notice: Notice | None = None) -> None:
        self._spec = spec
        self._values = values
        self._on_notice = on_notice

    def _number(self, name: str) -> int | None:
        """Return the value of a numeric option, None if it was not given."""
        value = self._values.get(name)
        return None if value is None else int(value)

    @property
    def version(self) -> str:
        """The version of the engine that it is part of (see `engine_version`)."""
        return engine_version(self._spec)

    def start(self) -> str:
        """Return `version`."""
        return self.version

    def count_processor_time(self) -> None:
        """Do nothing: the player measures no time."""

    def processor_time(self) -> float:
        """Return the processor time of this process, in which nothing else runs during a turn."""
        return time.process_time()

    def interrupt(self) -> None:
        """Do nothing: turns take no time."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class SeededPlayer(BuiltinPlayer):
    """A player with random numbers, seeded by its own seed and the seed of the game."""

    OPTIONS: tuple[Option, ...] = (Option("seed", 0, "seed of the random numbers", 0, 10**9),)

    def new_game(self, seed: int) -> None:
        """Start the random numbers of `seed`."""
        self._random = random.Random(f"{self._number('seed') or 0}/{seed}")
