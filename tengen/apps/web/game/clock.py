"""The clocks of a game."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tengen.engine.errors import quoted
from tengen.protocol.errors import CommandError

MAX_CLOCK = 86_400.0  # seconds


@dataclass
class GameClock:
    """Two clocks, of which one may run.

    Attributes
    ----------
    main, increment : float
        Seconds at the start, and added after every turn.
    left : list of float
        Seconds left, by seat, when the running clock was started.
    running : int or None
        The seat whose clock runs.
    """

    main: float
    increment: float
    left: list[float] = field(default_factory=list)
    running: int | None = None
    _since: float = 0.0

    def __post_init__(self) -> None:
        self.left = self.left or [self.main, self.main]

    @classmethod
    def parse(cls, data: object) -> GameClock | None:
        """Return the clock that a message describes; None without one.

        Raises
        ------
        CommandError
            If it is malformed.
        """
        if data is None:
            return None
        fields = data if isinstance(data, dict) else {}
        main, increment, left = fields.get("main"), fields.get("increment", 0), fields.get("left") or []
        numbers = [main, increment, *left] if isinstance(left, list) else [None]
        sound = all(isinstance(number, int | float) and 0 <= number <= 2 * MAX_CLOCK for number in numbers)
        if not sound or not main or len(left) not in (0, 2):
            raise CommandError(f"clock: expected seconds and an increment, got {quoted(str(data), 80)}")
        return cls(float(main), float(increment), [float(number) for number in left])

    def seconds(self, seat: int) -> float:
        """Return the seconds that a seat has left now."""
        spent = time.monotonic() - self._since if self.running == seat else 0.0
        return max(0.0, self.left[seat] - spent)

    def start(self, seat: int) -> None:
        """Let the clock of a seat run, and no other."""
        self.stop()
        self.running, self._since = seat, time.monotonic()

    def stop(self) -> None:
        """Let no clock run."""
        if self.running is not None:
            self.left[self.running] = self.seconds(self.running)
        self.running = None

    def report(self) -> dict[str, Any]:
        """Return the clock for messages and records."""
        left = [round(self.seconds(seat), 2) for seat in (0, 1)]
        return {"main": self.main, "increment": self.increment, "left": left, "running": self.running}
