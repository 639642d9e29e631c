"""Random games for tests: the same for a seed, of any registered game."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine import game as games
from engine.jit import COMPILED
from engine.position import Position

# One small and one ordinary spec of every game, so that walks reach ends and edges.
SPECS = {
    "dvonn": ["dvonn"],
    "gipf": ["gipf:tournament,zertz=3,tamsk=2", "gipf:basic", "gipf", "gipf:tournament"],
    "zertz": ["zertz", "zertz:tournament,isolation=auto", "zertz:tournament,rings=48", "zertz,rings=61"],
    "gomoku": ["gomoku,size=5", "gomoku:exactly-five,size=7", "gomoku", "gomoku,size=22"],
}
ALL_SPECS = [spec for name in games.names() for spec in SPECS.get(name, [name])]


def scaled(number: int) -> int:
    """Return `number` for compiled kernels, a twentieth of it (at least 1) for interpreted ones."""
    return number if COMPILED else max(1, number // 20)


def walk(spec: str, seed: int) -> Iterator[Position]:
    """Yield the positions of one random game, from the start to its end; always the same object, moved on."""
    generator = random.Random(seed)
    position = Position.start(spec)
    yield position
    while turns := list(position.turn_actions()):
        position.play(position.format(generator.choice(turns)))
        yield position
