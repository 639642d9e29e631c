"""The time of an engine: what it counts, alarms, and how late its answers come. All times are in seconds."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.search.limits.clock import Budget, Lag, time_budget
from tengen.search.limits.limit import Clock, Limit
from tengen.search.threads import run_in_thread

MIN_WAIT = 0.0005  # between two looks at the processor time


class Alarm:
    """Calls `action` from another thread once `now` has advanced by `seconds`, unless it is cancelled.

    The time that `now` tells may advance `rate` times as fast as the wall clock.
    """

    def __init__(
        self, now: Callable[[], float], seconds: float, rate: int, action: Callable[[], None]
    ) -> None:
        self._now, self._due, self._rate, self._action = now, now() + seconds, rate, action
        self._cancelled = threading.Event()

    def start(self) -> None:
        """Begin to wait; return at once."""
        run_in_thread(self.wait)

    def wait(self) -> None:
        """Wait, and call `action`."""
        while (left := self._due - self._now()) > 0:
            if self._cancelled.wait(max(left / self._rate, MIN_WAIT)):
                return
        self._action()

    def cancel(self) -> None:
        """Do not call `action` any more; it may be running."""
        self._cancelled.set()


@dataclass(frozen=True)
class Answer:
    """The answer to a search with a clock, as far as the next search of the same side needs it."""

    turns: tuple[str, ...]  # of the game, with the answer
    side: int
    clock: Clock  # before the answer
    spent: float  # from the start of the search until it was over, or should have been
    late: float  # from then to the answer


class Timekeeper:
    """Tells the time to the searches of one engine, plans it, and learns how late their answers come.

    A manager's clock shows what it has charged for the last turn. What exceeds the time of the search is lag:
    communication, and waiting for a processor. With `processor_time` the processor time of this process
    counts, of all threads together, in place of the wall clock.
    """

    def __init__(self, processor_time: bool = False) -> None:
        self.now = time.process_time if processor_time else time.monotonic
        self.processor_time = processor_time
        self.lag = Lag()
        self._answer: Answer | None = None

    def alarm(self, seconds: float, threads: int, action: Callable[[], None]) -> Alarm:
        """Return a started alarm for a search by so many threads."""
        alarm = Alarm(self.now, seconds, threads if self.processor_time else 1, action)
        alarm.start()
        return alarm

    def set_deadline(self, flag: StopFlag, seconds: float) -> None:
        """Let kernels stop by themselves after so many seconds, if they can read the clock that counts."""
        if self.now in (time.monotonic, time.process_time):
            flag.set_after(seconds, self.processor_time)

    def beginning(self, asked: float | None) -> float:
        """Return when a search begins that starts now: when it was `asked` for, if this clock can tell."""
        return asked if asked is not None and self.now is time.monotonic else self.now()

    def budget(self, limits: Limit, position: Position) -> Budget:
        """Return the budget of the next turn; see `search.limits.clock.time_budget`."""
        if self._answer:
            charged = self._charged(self._answer, limits.clock, position)
            late = self._answer.late if charged is None else charged - self._answer.spent
            self.lag = self.lag.after(max(0.0, late))
            self._answer = None
        return time_budget(limits, position, self.lag)

    @staticmethod
    def _charged(last: Answer, clock: Clock | None, position: Position) -> float | None:
        """Return what the manager has charged for the last answer; None if its clock does not tell.

        It tells if the game has gone on with that answer, and if it does not count in whole seconds only.
        """
        turns = position.turns_played
        follows = tuple(turns[: len(last.turns)]) == last.turns and len(turns) > len(last.turns)
        before = last.clock
        if clock is None or not follows or position.side_to_move != last.side or clock.byoyomi:
            return None
        if clock.moves_to_go is not None or clock.increment != before.increment:
            return None
        if float(before.remaining).is_integer() and float(clock.remaining).is_integer():
            return None
        charged = before.remaining - clock.remaining + before.increment
        return charged if charged >= 0 else None

    def note_answer(
        self, position: Position, clock: Clock | None, turn: str | None, elapsed: float, due: float
    ) -> None:
        """Take note of how late the answer in `position` has been; without a `clock` nothing more is learned.

        It was given after `elapsed` seconds. The search was over, or should have been, after `due` seconds.
        """
        late = max(0.0, elapsed - due)
        if clock is None or turn is None:
            self.lag = self.lag.after(late)
        else:
            turns = (*position.turns_played, turn)
            self._answer = Answer(turns, position.side_to_move, clock, min(elapsed, due), late)
