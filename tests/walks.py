"""Random games for tests: the same for a seed, of any registered game."""

import random
from collections.abc import Iterable, Iterator
from itertools import islice

from tengen.engine import games
from tengen.engine.game import Outcome
from tengen.engine.jit import COMPILED
from tengen.engine.play.position import Position
from tengen.engine.play.turns import legal_actions
from tengen.search import bench
from tengen.tuning.openings import random_turn

# One small and one ordinary spec of every built-in game, so that walks reach ends and edges. Of a game of
# another package it is the specs of its bench that are walked.
SPECS = {
    "dvonn": ["dvonn"],
    "gipf": [
        "gipf:tournament,zertz=3,tamsk=2",
        "gipf:basic,zertz=1,tamsk=1,dvonn=2,yinsh=1,punct=2",
        "gipf:basic",
        "gipf",
        "gipf:tournament",
        "gipf:tournament,dvonn=2,yinsh=1,extra=2",
    ],
    "zertz": ["zertz", "zertz:tournament,isolation=auto", "zertz:tournament,rings=48", "zertz,rings=61"],
    "go": ["go,size=3", "go,size=5,rules=chinese,komi=0.5", "go,size=7,rules=tromp-taylor"],
    "gobang": ["gobang,size=5,capture-win=2", "gobang,size=7", "gobang,size=13,capture-win=5,opening=pro"],
    "gomoku": [
        "gomoku,size=5",
        "gomoku:exactly-five,size=7",
        "gomoku:renju,size=7",
        "gomoku",
        "gomoku,size=22",
    ],
}
# What interpreted kernels leave out: large boards, and specs whose rules are among those of others.
COMPILED_ONLY = [
    "gipf:tournament",
    "zertz:tournament,rings=48",
    "zertz,rings=61",
    "gobang,size=7",
    "gobang,size=13,capture-win=5,opening=pro",
    "gomoku",
    "gomoku,size=22",
]


def specs(name: str) -> list[str]:
    """Return the specs by which the game called `name` is tested."""
    return SPECS.get(name) or list(dict.fromkeys(str(task.position.spec) for task in bench.tasks([name])))


ALL_SPECS = [spec for name in games.names() for spec in specs(name) if COMPILED or spec not in COMPILED_ONLY]
FIRST_SEED = 0 if COMPILED else 2  # of random games; interpreted, one of few turns in every spec
WIDE = 400  # turns; tests that look at all turns of a position leave out most positions with more


def scaled(number: int) -> int:
    """Return `number` for compiled kernels, a twentieth of it (at least 1) for interpreted ones."""
    return number if COMPILED else max(1, number // 20)


def walk(spec: str, seed: int) -> Iterator[Position]:
    """Yield the positions of one random game, from the start to its end; always the same object, moved on."""
    generator = random.Random(seed)
    position = Position.start(spec)
    yield position
    while position.outcome() == Outcome.ONGOING:
        merged = position.spec.game.rules.MERGES_TRANSPOSITIONS
        position.push(generator.choice(position.turns()) if merged else random_turn(position, generator))
        yield position


def position_after(spec: str, turns: str | Iterable[str], text: str | None = None) -> Position:
    """Return the position after `turns`, in one text or one by one, from the start or from `text`."""
    position = Position(spec, text)
    for turn in turns.split() if isinstance(turns, str) else turns:
        position.push(turn)
    return position


def some_of(spec: str, seed: int, which: slice) -> list[Position]:
    """Return copies of some positions of `walk`, by their turns from the start."""
    return [position.copy() for position in islice(walk(spec, seed), which.start, which.stop, which.step)]


def breadth(position: Position) -> int:
    """Return about how many turns a position has, from the numbers of actions along one of them."""
    rules, state, number = position.spec.game.rules, position.state.copy(), 1
    while actions := legal_actions(rules, state):
        number *= len(actions)
        rules.do_move(state, actions[0])
        if not state.partial:
            break
    return number


def seeds(spec: str, number: int) -> range:
    """Return the seeds for `number` random games, `scaled`; a quarter where they begin with many turns."""
    wide = breadth(Position.start(spec)) > WIDE
    return range(FIRST_SEED, FIRST_SEED + max(1, scaled(number) // (4 if wide else 1)))


def sampled(position: Position) -> bool:
    """Return whether a test should look at all turns of this position: at one in five where they are many."""
    return breadth(position) <= WIDE or len(position.turns_played) % 5 == 0
