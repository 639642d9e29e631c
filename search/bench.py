"""The bench: searches fixed positions of all games to fixed limits, with one thread and an empty memory.

The node counts change only if a change to rules, evaluation or search changes what is searched. They stand in
each game's ``bench.txt``, where a test compares them; their sum is the signature that commits quote.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tengen.engine import games
from tengen.engine.errors import NotationError
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.search.limits.limit import Limit
from tengen.search.mcts.searcher import MctsSearch
from tengen.search.mcts.tree import Tree
from tengen.search.worker import Worker

HASH_MB = 16
FILE = "bench.txt"  # in a game's folder


@dataclass(frozen=True)
class Measurement:
    """One position's search."""

    game: str
    nodes: int  # positions visited, or simulations
    signature: int  # the same, or the nodes of the tree
    turn: str  # the best one
    seconds: float


@dataclass(frozen=True)
class Task:
    """A line of a game's ``bench.txt``: ``SPEC ; POSITION or startpos ; LIMIT ; SIGNATURE ; TURN``."""

    game: str
    position: Position
    limit: int  # a depth, or simulations
    signature: int | None = None  # of its `Measurement`; missing, like the turn, if a game is not built in
    turn: str | None = None


def tasks(names: Iterable[str]) -> Iterator[Task]:
    """Yield the fixed positions of the games called `names`.

    Raise NotationError for a line that does not have the form of `Task`, OSError for a game without such.
    """
    for name in names:
        path = games.find(name).folder / FILE
        for line in path.read_text("utf-8").splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            fields = [field.strip() for field in line.split(";", 4)]
            if len(fields) not in (3, 5):
                expected = "expected SPEC ; POSITION ; LIMIT ; SIGNATURE ; TURN"
                raise NotationError(f"{path.name} of {name}: {expected}, got {line!r}")
            spec, text, limit, *pinned = fields
            position = Position.start(spec) if text == "startpos" else Position.parse(spec, text)
            signature, turn = (int(pinned[0]), pinned[1]) if pinned else (None, None)
            yield Task(name, position, int(limit), signature, turn)


def measure(task: Task) -> Measurement:
    """Search one position to its limit with the game's own method and an empty table or tree."""
    if task.position.spec.game.search != "mcts":
        result = Worker(threads=1, hash_mb=HASH_MB).search(task.position, Limit(depth=task.limit))
        return Measurement(task.game, result.nodes, result.nodes, result.choice or "", result.seconds)
    tree = Tree(HASH_MB)
    began = time.perf_counter()
    search = MctsSearch(task.position, tree, StopFlag(), Limit(nodes=task.limit))
    search.run(None, lambda: False)
    best = search.finish()[0]
    return Measurement(task.game, search.simulations, tree.used, best.pv[0], time.perf_counter() - began)
