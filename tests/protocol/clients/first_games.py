"""First games after an installation, as c-gomoku-cli plays them: no game may be lost on time.

Every game begins with an empty cache of compiled code. The referee does what c-gomoku-cli does: ABOUT as soon
as the process exists, START, then INFO, and BEGIN or TURN. An answer that takes longer than its time and the
tolerance forfeits the game. Busy processes compute beside it. Prints the longest answers and what was lost.
"""

import argparse
import itertools
import sys
import tempfile
import time
from contextlib import ExitStack

from tests.processes import busy
from tests.protocol.conversation import Outside

SIZE = 15
PATIENCE = 120.0  # seconds until an answer that is late is given up


class Referee:
    """A game against the engine, which moves first in games of even number."""

    def __init__(self, engine: Outside, turn_ms: int, tolerance: float) -> None:
        self._engine = engine
        self._turn_ms = turn_ms
        self._tolerance = tolerance
        self._free = ((x, y) for y, x in itertools.product(range(SIZE), range(SIZE)) if (x + y) % 3 == 0)
        self._taken: set[str] = set()
        self.seconds: dict[str, float] = {}  # the longest answer to each command
        self.forfeits: list[str] = []

    def ask(self, command: str, allowed: float = 0.0, after: tuple[str, ...] = ()) -> str:
        """Send a command, with lines before it; return the first reply that is no message."""
        begun = time.monotonic()
        self._engine.send(*after, command)
        while (line := self._engine.line(PATIENCE)) and line.startswith("MESSAGE"):
            pass
        seconds, name = time.monotonic() - begun, command.split()[0]
        self.seconds[name] = max(seconds, self.seconds.get(name, 0.0))
        if seconds > allowed + self._tolerance or line is None:
            self.forfeits.append(f"{command}: {seconds:.2f} s")
        return line or ""

    def play(self, turns: int, begins: bool) -> None:
        """Play `turns` turns of the engine."""
        self.ask("ABOUT")
        self.ask(f"START {SIZE}")
        self._engine.send("INFO rule 0", f"INFO timeout_turn {self._turn_ms}")
        for number in range(turns):
            command = "BEGIN" if begins and number == 0 else f"TURN {self._point()}"
            left = ("INFO time_left 4611686018427387903",)  # c-gomoku-cli's number for no limit
            self._taken.add(self.ask(command, self._turn_ms / 1000, after=left))

    def _point(self) -> str:
        """Return a free point, far enough from our others to make no five."""
        point = next(text for x, y in self._free if (text := f"{x},{y}") not in self._taken)
        self._taken.add(point)
        return point


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--turns", type=int, default=8, help="of the engine, in each game")
    parser.add_argument("--turn", type=int, default=3000, metavar="MS", help="time of a turn")
    parser.add_argument("--tolerance", type=float, default=3.0, metavar="S")
    parser.add_argument("--busy", type=int, default=8, metavar="N", help="processes that compute beside it")
    arguments = parser.parse_args()
    lost = 0
    with busy(arguments.busy):
        for number in range(arguments.games):
            with ExitStack() as stack:
                folder = stack.enter_context(tempfile.TemporaryDirectory())
                engine = stack.enter_context(Outside("gomocup", environment={"TENGEN_CACHE_DIR": folder}))
                referee = Referee(engine, arguments.turn, arguments.tolerance)
                referee.play(arguments.turns, begins=number % 2 == 0)
                engine.send("END")
            longest = "  ".join(f"{name} {seconds:.2f} s" for name, seconds in referee.seconds.items())
            print(
                f"game {number + 1}: {longest}  {', '.join(referee.forfeits) or 'nothing lost'}", flush=True
            )
            lost += bool(referee.forfeits)
    print(f"{lost} of {arguments.games} games lost on time")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
