"""Kernels first called after warm-up, game by game: ``python -m tests.tools.timing.latecomers SPEC``.

On a new machine these would be compiled in the middle of a game, while a clock runs. The engine plays against
itself, after random turns. Prints a line for each kernel that Python calls too late; there should be none.
"""

import argparse
import itertools
import random
from typing import Any
from unittest.mock import patch

from numba.core.dispatcher import Dispatcher

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.limits.limit import Clock, Limit
from tengen.search.worker import Worker

RANDOM_TURNS = 4
LONGEST = 300  # turns
SECONDS = 0.3  # on the clock, of each turn: soon only the fallback has time
NODES = 400


def play(spec: GameSpec, seed: int) -> None:
    """Play a game: most turns are searched, some in no time at all."""
    rng, worker, position = random.Random(seed), Worker(hash_mb=4), Position.start(spec)
    for number in itertools.count():
        if position.outcome() != Outcome.ONGOING or number == LONGEST:
            return
        limits = Limit(nodes=NODES, clock=Clock(SECONDS if number % 5 else 0.0))
        turn = worker.search(position, limits).turn
        position.push(turn if number >= RANDOM_TURNS else rng.choice(position.turns()))


def late_kernels(spec: GameSpec) -> list[str]:
    """Return the names of the kernels that are compiled, or loaded, during a game."""
    Worker(hash_mb=4).warm_up(spec.game)
    late: list[str] = []
    depth = 0

    def compile_or_load(dispatcher: Any, signature: Any) -> Any:
        nonlocal depth
        if not depth and dispatcher.py_func.__module__.startswith("tengen."):
            late.append(f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__name__}")
        depth += 1
        try:
            return original(dispatcher, signature)
        finally:
            depth -= 1

    original = Dispatcher.compile
    with patch.object(Dispatcher, "compile", compile_or_load):
        play(spec, seed=1)
    return sorted(set(late))


def main() -> None:
    """Print the kernels of the games on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="+", type=GameSpec.parse, metavar="SPEC")
    for spec in parser.parse_args().specs:
        for name in late_kernels(spec):
            print(f"{spec}: {name}")


if __name__ == "__main__":
    main()
