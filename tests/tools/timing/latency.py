"""How promptly the engine answers: ``python -m tests.tools.timing.latency GAME...``.

An engine process is driven over UGI as a manager would drive it. ``--busy 8`` lets as many processes compute
beside it; the same sleeps without an engine then show what the machine itself adds.
"""

import functools
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from tqdm import tqdm

from tests import command_line
from tests.processes import busy

OPENING_TURNS = 6
REPLIES, STOPS, MOVES = 5, 200, 500
MOVETIMES = (20, 50, 100)  # milliseconds
FIRST_LINES = {  # by protocol: the words of the command, what is sent first, how the answer begins
    "GTP": ("gtp --game {game}", "name", "="),
    "UGI": ("ugi --game {game}", "ugi", "id name"),
    "Gomocup": ("gomocup", "ABOUT", "name="),
}


@dataclass(frozen=True)
class Latencies:
    """Delays of one kind, in milliseconds."""

    what: str  # from what to what
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle value (the upper one of two)."""
        return sorted(self.values)[len(self.values) // 2]

    @property
    def late(self) -> float:
        """The value that 99 of 100 do not exceed."""
        return sorted(self.values)[99 * (len(self.values) - 1) // 100]

    @property
    def worst(self) -> float:
        """The greatest value."""
        return max(self.values)


class Engine:
    """A ``tengen`` process that speaks a protocol, with lines in and out; use it in a ``with`` statement."""

    def __init__(self, *words: str) -> None:
        command = [sys.executable, "-m", "tengen", *words]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def send(self, line: str) -> None:
        """Send one line."""
        assert self._process.stdin
        self._process.stdin.write(line + "\n")

    def await_line(self, start: str) -> str:
        """Return the next line that begins with `start`.

        `ConnectionError` is raised when the engine ends before.
        """
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith(start):
                return line.rstrip("\n")
        code = self._process.wait()
        raise ConnectionError(f"the engine ended with exit code {code} before a line {start!r}")


def first_reply(protocol: str, game: str) -> float:
    """Return milliseconds from the start of a process to its first answer."""
    words, question, answer = FIRST_LINES[protocol]
    began = time.perf_counter()
    with Engine(*words.format(game=game).split()) as engine:
        engine.send(question)
        engine.await_line(answer)
        return 1000 * (time.perf_counter() - began)


def first_move(game: str) -> float:
    """Return milliseconds from the start of a process to the end of its ``go movetime 100``."""
    began = time.perf_counter()
    with Engine("ugi", "--game", game) as engine:
        for line in ("ugi", "position startpos", "go movetime 100"):
            engine.send(line)
        engine.await_line("bestmove")
        return 1000 * (time.perf_counter() - began)


def after_stop(engine: Engine, rng: random.Random) -> float:
    """Return milliseconds from ``stop`` to ``bestmove``."""
    engine.send("go infinite")
    time.sleep(rng.uniform(0.0, 0.2))
    began = time.perf_counter()
    engine.send("stop")
    engine.await_line("bestmove")
    return 1000 * (time.perf_counter() - began)


def beyond_movetime(engine: Engine, rng: random.Random) -> float:
    """Return milliseconds by which ``bestmove`` comes later than the time that was given."""
    given = rng.choice(MOVETIMES)
    began = time.perf_counter()
    engine.send(f"go movetime {given}")
    engine.await_line("bestmove")
    return 1000 * (time.perf_counter() - began) - given


def beyond_sleep(rng: random.Random) -> float:
    """Return milliseconds by which a sleep of the same length as a move takes longer."""
    given = rng.choice(MOVETIMES)
    began = time.perf_counter()
    time.sleep(given / 1000)
    return 1000 * (time.perf_counter() - began) - given


def openings(game: str, seed: int = 1) -> Iterator[str]:
    """Yield ``position`` lines of random openings."""
    from tengen.engine.spec import GameSpec
    from tengen.tuning.openings import random_position

    rng = random.Random(seed)
    while True:
        position = random_position(GameSpec.parse(game), OPENING_TURNS, rng)
        yield f"position startpos moves {' '.join(position.turns_played)}"


def measure(game: str, stops: int, moves: int, tick: Callable[[], object]) -> list[Latencies]:
    """Return the delays of `game`: first replies and moves, so many stops and timed moves; `tick` counts."""

    def repeated(count: int, once: Callable[[], float]) -> tuple[float, ...]:
        values = []
        for _ in range(count):
            values.append(once())
            tick()
        return tuple(values)

    results = [
        Latencies(
            f"process start to first line of {protocol}",
            repeated(REPLIES, functools.partial(first_reply, protocol, game)),
        )
        for protocol in FIRST_LINES
    ]
    moves_made = repeated(REPLIES, lambda: first_move(game))
    results.append(Latencies("process start to end of movetime 100", moves_made))
    rng, lines = random.Random(1), openings(game)
    with Engine("ugi", "--game", game) as engine:
        engine.send("isready")
        engine.await_line("readyok")

        def in_opening(question: Callable[[Engine, random.Random], float]) -> float:
            engine.send(next(lines))
            return question(engine, rng)

        results.append(Latencies("stop to bestmove", repeated(stops, lambda: in_opening(after_stop))))
        results.append(
            Latencies("bestmove after movetime", repeated(moves, lambda: in_opening(beyond_movetime)))
        )
    results.append(
        Latencies("the same, a sleep without an engine", repeated(moves, lambda: beyond_sleep(rng)))
    )
    return results


def main() -> None:
    """Print a line for each kind of delay of each game on the command line."""
    parser = command_line(__doc__)
    parser.add_argument("games", metavar="GAME", nargs="+")
    parser.add_argument("--stops", type=int, default=STOPS, help=f"searches to stop (default {STOPS})")
    parser.add_argument("--moves", type=int, default=MOVES, help=f"moves in a given time (default {MOVES})")
    parser.add_argument("--busy", type=int, default=0, help="processes that compute beside (default 0)")
    arguments = parser.parse_args()
    total = (len(FIRST_LINES) + 1) * REPLIES + arguments.stops + 2 * arguments.moves
    with busy(arguments.busy):
        for name in arguments.games:
            with tqdm(total=total, desc=name, disable=None, leave=False) as bar:
                measured = measure(name, arguments.stops, arguments.moves, bar.update)
            for delays in measured:
                figures = f"median {delays.median:7.1f}, 99% {delays.late:7.1f}, worst {delays.worst:7.1f} ms"
                print(f"{name:<10} {delays.what:<38} {len(delays.values):>4} times, {figures}", flush=True)


if __name__ == "__main__":
    main()
