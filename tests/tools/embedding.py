"""Speed of the library: importing it, turns, batches on one and more threads, the overhead of an engine.

Rates are per second of processor time, so that they hold on a busy machine. What more threads bring is
measured beside that: of rounds in which one thread and all of them work by turns, those count in which every
thread had a core for itself. To start a thread takes about 35 us more. With OpenSpiel installed, random games
of Go are played there as well, in its C++ from Python.

    python -m tests.tools.embedding [SPEC]...
"""

import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import tengen
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker

SPECS = ["go,size=9", "gomoku", "dvonn", "gipf:basic", "zertz"]
GAMES, SECONDS = 512, 0.5  # in the cache of one core
MANY = 4096  # games of a thread when several are compared
OWN_CORE = 0.9  # share of the time that a thread with a core for itself runs


def rate(work: Callable[[], int]) -> float:
    """Return how much of its work `work` does a second of processor time."""
    work()
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        done += work()
    return done / spent


def together(works: list[Callable[[], int]]) -> float:
    """Return how much `works` do a second, each in a thread; nan if one had no core for itself."""
    start, rates = threading.Barrier(len(works)), list[float]()

    def measure(work: Callable[[], int]) -> None:
        start.wait()
        began, busy = time.perf_counter(), time.thread_time()
        done = work()
        busy = time.thread_time() - busy
        rates.append(done / busy if busy > OWN_CORE * (time.perf_counter() - began) else float("nan"))

    threads = [threading.Thread(target=measure, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


def speed_up(make: Callable[[], Callable[[], int]], threads: int) -> float:
    """Return how many times as fast as one thread so many are, each with games of its own; nan if unknown."""
    works, gains = [make() for _ in range(threads)], list[float]()
    end = time.perf_counter() + 4 * SECONDS
    while time.perf_counter() < end:
        gain = together(works) / together(works[:1])
        gains += [] if np.isnan(gain) else [gain]
    return statistics.median(gains or [float("nan")])


def import_ms() -> float:
    """Return the time of `import tengen`, median of 15 processes."""
    code = "import time; t = time.perf_counter(); import tengen; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(15)]
    return 1000 * statistics.median(float(run.stdout) for run in runs)


def stepping(spec: str, games: int) -> Callable[[], int]:
    """Return what plays an action of each of so many random games, drawing it included."""
    batch = tengen.Batch(spec, games, threads=1)

    def steps() -> int:
        going = int((batch.outcomes == 0).sum())
        if 2 * going < games:
            batch.reset()
            going = games
        batch.step(batch.sample(), check=False)
        return going

    return steps


def playing_out(spec: str, games: int) -> Callable[[], int]:
    """Return what plays so many random games to the end in compiled code."""
    batch = tengen.Batch(spec, games, threads=1)
    return lambda: int(batch.playouts(1)[1].sum())


def random_game(spec: str) -> int:
    """Play a random game action by action in Python; return their number."""
    position, played = tengen.Position(spec), 0
    while played < 300 and (legal := position.legal_actions()):
        position.step(random.choice(legal))
        played += 1
    return played


def openspiel_rate(size: int) -> float:
    """Return actions a second of random games of OpenSpiel's Go, stepped from Python."""
    import pyspiel

    game = pyspiel.load_game(f"go(board_size={size})")

    def play() -> int:
        state, played = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            played += 1
        return played

    return rate(play)


def turn_rates(spec: str) -> tuple[float, float]:
    """Return turns played and taken back a second, and lists of legal turns a second."""
    position, generator = tengen.Position(spec), random.Random(1)
    for _ in range(10):
        position.push(generator.choice(position.legal_turns))
    turn = generator.choice(position.legal_turns)

    def push() -> int:
        position.push(turn)
        position.pop()
        return 1

    return rate(push), rate(lambda: len(position.legal_turns) > 0)


def overhead_ms() -> float:
    """Return what `Engine.play` takes beyond the search of the command line, median of 300 pairs."""
    position, worker, limit = tengen.Position("gomoku"), Worker(), Limit(nodes=1)
    position.push("H8")
    with tengen.Engine() as engine:
        differences = []
        for _ in range(300):
            began = time.perf_counter()
            worker.search(position, limit)
            between = time.perf_counter()
            engine.play(position, tengen.Limit(nodes=1))
            differences.append(time.perf_counter() - between - (between - began))
    return 1000 * float(np.median(differences))


def main(specs: list[str]) -> None:
    """Print all figures."""
    cores = os.cpu_count() or 1
    print(f"import {import_ms():.1f} ms   Engine.play beyond the search {overhead_ms():+.2f} ms")
    for spec in specs:
        push, listed = turn_rates(spec)
        print(f"{spec}: push and pop {push:,.0f}/s   legal turns {listed:,.0f} lists/s")
        python = rate(lambda spec=spec: random_game(spec))  # type: ignore[misc]
        print(f"  actions/s: in Python {python:,.0f}")
        for name, kind, many in (("batch", stepping, MANY), ("playouts", playing_out, GAMES)):
            one, gain = rate(kind(spec, GAMES)), speed_up(partial(kind, spec, many), cores)
            print(f"  {name}: {one:,.0f} actions/s, {cores} threads {gain:.2f} times as many")
    try:
        print(f"OpenSpiel's Go 9x9: {openspiel_rate(9):,.0f} actions/s")
    except ImportError:
        print("OpenSpiel is not installed")


if __name__ == "__main__":
    main(sys.argv[1:] or SPECS)
