"""The two seats of a game: who sits there, their clocks, and who acts and may choose what in Swap2."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

from tengen.engine.errors import quoted
from tengen.protocol.archive import ENGINE_NAME, ENGINE_PLAYER, PERSON, level_of_rank, rank_of
from tengen.protocol.errors import CommandError
from tengen.search.limits.limit import MAX_LEVEL, Clock, Limit

ENGINE = "engine"
MAX_NAME = 40  # characters
TURN_SECONDS = 2.0  # of a turn at full strength without a clock
KINDS = (PERSON, ENGINE)
MAX_CLOCK = 86_400.0  # seconds
MAX_PERIODS = 99  # of byo-yomi
COLORS = BLACK, WHITE = ("black", "white")
MORE = "more"  # put two more stones, and leave the choice to the first player
CHOICES = ((*COLORS, MORE), COLORS)  # of the second player, then of the first
OPENING_STONES, MORE_STONES = 3, 5


@dataclass
class Seat:
    """One of the two players."""

    kind: str = PERSON  # one of `KINDS`
    level: int = MAX_LEVEL  # of the engine
    # Of a person, of a player of the record, or of a player of one's own in place of the engine
    name: str = ""

    @classmethod
    def parse(cls, data: object) -> Seat:
        """Return the player that a message describes."""
        fields = data if isinstance(data, dict) else {}
        kind, level, name = fields.get("kind"), fields.get("level", MAX_LEVEL), fields.get("name", "")
        if kind not in KINDS or type(level) is not int or not 1 <= level <= MAX_LEVEL:
            expected = f"expected {' or '.join(KINDS)} with a level from 1 to {MAX_LEVEL}"
            raise CommandError(f"player: {expected}, got {quoted(str(data), 80)}")
        return cls(str(kind), level, str(name)[:MAX_NAME])

    def limits(self, clock: Clock | None = None) -> Limit:
        """Return the limits of a turn of the engine; below full strength its level bounds the effort."""
        seconds = TURN_SECONDS if clock is None and self.level == MAX_LEVEL else None
        return Limit(time=seconds, clock=clock, level=self.level)

    @property
    def title(self) -> str:
        """The name for records."""
        return self.name or (ENGINE_PLAYER if self.kind == ENGINE else PERSON)

    @property
    def rank(self) -> str:
        """The rank for records; empty for a person, and for an engine at full strength."""
        return rank_of(self.level) if self.kind == ENGINE and self.level < MAX_LEVEL else ""

    @classmethod
    def of_record(cls, name: str, rank: str) -> Seat:
        """Return the player that a record of a person's game names."""
        if name.startswith(ENGINE_NAME):
            return cls(ENGINE, level_of_rank(rank) or MAX_LEVEL)
        return cls(name=name[:MAX_NAME])


@dataclass
class GameClock:
    """Two clocks, of which one may run."""

    main: float  # seconds at the start
    increment: float = 0.0  # seconds after every turn
    # Seconds of each of the periods that follow the main time; a turn within one renews it
    byoyomi: float = 0.0
    periods: int = 0
    # Seconds until the time is up, by seat, when the running clock was started: all periods are in it
    left: list[float] = field(default_factory=list)
    running: int | None = None  # the seat whose clock runs
    _since: float = 0.0

    def __post_init__(self) -> None:
        self.left = self.left or self.start_times

    @property
    def start_times(self) -> list[float]:
        """The seconds that both seats begin with."""
        return [self.main + self.byoyomi * self.periods] * 2

    @classmethod
    def parse(cls, data: object) -> GameClock | None:
        """Return the clock that a message describes; None without one."""
        if data is None:
            return None
        fields = data if isinstance(data, dict) else {}
        main, increment, byoyomi = (fields.get(name, 0) for name in ("main", "increment", "byoyomi"))
        periods, left = fields.get("periods", 0), fields.get("left") or []
        numbers = [main, increment, byoyomi, periods, *left] if isinstance(left, list) else [None]
        sound = all(isinstance(number, int | float) and 0 <= number <= 2 * MAX_CLOCK for number in numbers)
        if sound and type(periods) is int and periods <= MAX_PERIODS and len(left) in (0, 2):
            found = cls(
                float(main), float(increment), float(byoyomi), periods, [float(each) for each in left]
            )
            if 0 < found.start_times[0] <= 2 * MAX_CLOCK:
                return found
        expected = f"expected seconds, an increment and up to {MAX_PERIODS} periods"
        raise CommandError(f"clock: {expected}, got {quoted(str(data), 80)}")

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

    def end_turn(self, seat: int) -> None:
        """Stop the clock of a seat after its turn; what is left of a period becomes a whole one."""
        self.stop()
        self.left[seat] += self.increment
        if self.left[seat] < self.byoyomi * self.periods:
            self.left[seat] = self.byoyomi * math.ceil(self.left[seat] / self.byoyomi)

    def for_search(self, seat: int) -> Clock:
        """Return the clock of a seat for the engine, which plans for one period."""
        left, reserve = self.seconds(seat), self.byoyomi * self.periods
        if reserve and left <= reserve:
            return Clock(left % self.byoyomi or self.byoyomi, moves_to_go=1, expires=True)
        return Clock(left - reserve, self.increment, byoyomi=self.byoyomi if reserve else 0.0)

    def report(self) -> dict[str, Any]:
        """Return the clock for messages and records."""
        left = [round(self.seconds(seat), 2) for seat in (0, 1)]
        times = {"main": self.main, "increment": self.increment, "byoyomi": self.byoyomi}
        return {**times, "periods": self.periods, "left": left, "running": self.running}


class Swap2:
    """The choices of a game that begins with Swap2 [M-5], of `CHOICES`: those made so far."""

    def __init__(self) -> None:
        self.choices: list[str] = []

    @classmethod
    def of_record(cls, choices: object) -> Swap2:
        """Return the opening with the choices that a record names, as far as they make sense."""
        made = cls()
        for choice, stones in zip(
            choices if isinstance(choices, list) else (), (OPENING_STONES, MORE_STONES), strict=False
        ):
            if choice not in made.question(stones):
                break
            made.choices.append(choice)
        return made

    def question(self, stones: int) -> tuple[str, ...]:
        """Return what may be chosen after `stones`; empty if it is a turn that is asked for."""
        asked = {OPENING_STONES: 0, MORE_STONES: 1 if self.choices[:1] == [MORE] else None}
        number = asked.get(stones)
        if number is None or len(self.choices) > number:
            return ()
        return CHOICES[number]

    def stones_to_put(self, stones: int) -> int:
        """Return how many more stones the seat to act puts after `stones`, before there is a question."""
        goal = MORE_STONES if self.choices == [MORE] else 0 if self.choices else OPENING_STONES
        return max(0, goal - stones)

    def just_decided(self, stones: int) -> bool:
        """Return whether the sides have been chosen, and at most one stone of the game put since."""
        decided = (OPENING_STONES, MORE_STONES)[len(self.choices) - 1]
        return self.choices[-1:] not in ([], [MORE]) and stones < decided + 2

    def choose(self, choice: str, stones: int) -> None:
        """Answer the question after `stones`."""
        question = self.question(stones)
        if choice not in question:
            raise CommandError(f"swap2: expected {', '.join(question) or 'a turn'}, got {quoted(choice)}")
        self.choices.append(choice)

    def forget_after(self, stones: int) -> None:
        """Forget the choices that come later than the position with `stones`."""
        kept = 0 if stones < OPENING_STONES else 1 if stones < MORE_STONES else 2
        self.choices = self.choices[:kept]

    def seat_of(self, side: int) -> int:
        """Return the seat that plays `side`."""
        last = self.choices[-1] if self.choices else ""
        if last not in COLORS:
            return side
        chooser = 2 - len(self.choices)  # the second player chooses first
        black = chooser if last == BLACK else 1 - chooser
        return black if side == 0 else 1 - black

    def seat(self, stones: int) -> int | None:
        """Return the seat that has to act after `stones`; None if that depends on the side to move alone."""
        if stones < OPENING_STONES:
            return 0
        if not self.choices or (self.choices == [MORE] and stones < MORE_STONES):
            return 1
        return 0 if self.choices == [MORE] else None
