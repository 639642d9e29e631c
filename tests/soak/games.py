"""Many games in one process, whose clock jumps: ``python -m tests.soak.games SEED COUNT``."""

import gc
import json
import random
import sys
import time
from pathlib import Path

from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tests.soak.parts import Report, in_process

SPECS = ("dvonn", "gipf:basic", "gomoku,size=9", "gobang,size=9", "go,size=7", "zertz")
TURNS = 60  # of a game at most
NODES = 40
FIRST = 2 * len(SPECS)  # games in which whatever is loaded once has been loaded
GROWTH = 1.02  # of memory, from the first half of the games to the second
SLACK = 2.0  # MB: pages that the allocator keeps


def memory() -> float:
    """Return the memory of this process in MB, without what nobody refers to."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / (1 << 20)


def play(spec: GameSpec, worker: Worker) -> None:
    """Play one game against itself."""
    position = Position.start(spec)
    for _ in range(TURNS):
        if position.outcome():
            return
        turn = worker.search(position, Limit(nodes=NODES)).choice
        if turn is None:
            return
        position.push(turn)


def attack(seed: int, count: int) -> Report:
    """Play `count` games of all kinds, more than `FIRST`; in the second half memory must not grow."""
    chance, report = random.Random(seed), Report(count)
    true_time = time.time
    time.time = lambda: true_time() + chance.choice((0, -86_400, 86_400, 3.2e7))
    worker = Worker(hash_mb=1)
    half = 0.0
    for number in range(count):
        name = SPECS[number % len(SPECS)]
        play(GameSpec.parse(name), worker)
        if number + 1 == max(FIRST, count // 2):
            half = memory()
    report.peak = memory()
    if report.peak > half * GROWTH + SLACK:
        report.faults.append(f"games, seed {seed}: {half:.1f} MB after half, {report.peak:.1f} MB after all")
    return report


def round_of(seed: int, share: float) -> Report:
    """Play a share of 120 games in a process of its own."""
    return in_process("tests.soak.games", seed, max(2 * FIRST, round(120 * share)))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(vars(attack(int(sys.argv[1]), int(sys.argv[2])))) + "\n")
