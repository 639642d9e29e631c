"""How promptly the engine answers over UGI: ``python -m tests.tools.latency GAME...``.

An engine process is driven as a manager would drive it.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from tqdm import tqdm

OPENING_TURNS = 6
STOPS, MOVES = 200, 500


@dataclass(frozen=True)
class Latencies:
    """Delays of one kind, in milliseconds.

    Attributes
    ----------
    what : str
        From what to what.
    values : tuple of float
    """

    what: str
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle value (the upper one of two)."""
        return sorted(self.values)[len(self.values) // 2]

    @property
    def worst(self) -> float:
        """The greatest value."""
        return max(self.values)


class Engine:
    """A ``tengen ugi`` process, with lines in and out; use it in a ``with`` statement."""

    def __init__(self, game: str) -> None:
        command = [sys.executable, "-m", "tengen", "ugi", "--game", game]
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

        Raises
        ------
        ConnectionError
            When the engine ends before.
        """
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith(start):
                return line.rstrip("\n")
        raise ConnectionError(f"the engine ended before a line {start!r}")


def first_reply(game: str) -> float:
    """Return milliseconds from the start of a process to its answer to ``ugi``."""
    began = time.perf_counter()
    with Engine(game) as engine:
        engine.send("ugi")
        engine.await_line("id name")
        return 1000 * (time.perf_counter() - began)


def first_move(game: str) -> float:
    """Return milliseconds from the start of a process to the end of its ``go movetime 100``."""
    began = time.perf_counter()
    with Engine(game) as engine:
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
    given = rng.choice([20, 50, 100])
    began = time.perf_counter()
    engine.send(f"go movetime {given}")
    engine.await_line("bestmove")
    return 1000 * (time.perf_counter() - began) - given


def openings(game: str, seed: int = 1) -> Iterator[str]:
    """Yield ``position`` lines of random openings."""
    from tengen.engine.game import GameSpec
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
        Latencies("process start to first reply", repeated(5, lambda: first_reply(game))),
        Latencies("process start to end of movetime 100", repeated(5, lambda: first_move(game))),
    ]
    rng, lines = random.Random(1), openings(game)
    with Engine(game) as engine:
        engine.send("isready")
        engine.await_line("readyok")

        def in_opening(question: Callable[[Engine, random.Random], float]) -> float:
            engine.send(next(lines))
            return question(engine, rng)

        results.append(Latencies("stop to bestmove", repeated(stops, lambda: in_opening(after_stop))))
        results.append(
            Latencies("bestmove after movetime", repeated(moves, lambda: in_opening(beyond_movetime)))
        )
    return results


def main() -> None:
    """Print a line for each kind of delay of each game on the command line."""
    for name in sys.argv[1:]:
        with tqdm(total=10 + STOPS + MOVES, desc=name, disable=None, leave=False) as bar:
            measured = measure(name, STOPS, MOVES, bar.update)
        for delays in measured:
            figures = f"median {delays.median:>7.1f} ms, worst {delays.worst:>7.1f} ms"
            print(f"{name:<10} {delays.what:<38} {len(delays.values):>4} times, {figures}")


if __name__ == "__main__":
    main()
