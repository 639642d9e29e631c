"""The bench: fixed positions of all games searched to fixed depths, one thread, an empty table each.

Its node counts change only when a change to rules, evaluation or search changes what is searched: their sum
is the signature that commits quote.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine import game as games
from engine.errors import NotationError
from engine.position import Position
from search.limits import Limits
from search.worker import Worker

HASH_MB = 16


@dataclass(frozen=True)
class Measurement:
    """One position's search.

    Attributes
    ----------
    game : str
    nodes : int
        Positions visited.
    seconds : float
    """

    game: str
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Task:
    """A line of a game's ``bench.txt``: ``SPEC ; POSITION or startpos ; DEPTH``."""

    game: str
    position: Position
    depth: int


def tasks(names: tuple[str, ...] = ()) -> Iterator[Task]:
    """Yield the fixed positions of the games called `names`, or of all games.

    Raises
    ------
    NotationError
        For a line that is not of the form of `Task`.
    """
    for name in names or games.names():
        path = Path(games.__file__).parent / name / "bench.txt"
        for line in path.read_text("utf-8").splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            fields = [field.strip() for field in line.split(";")]
            if len(fields) != 3:
                raise NotationError(f"{path.name} of {name}: expected SPEC ; POSITION ; DEPTH, got {line!r}")
            spec, text, depth = fields
            position = Position.start(spec) if text == "startpos" else Position.parse(spec, text)
            yield Task(name, position, int(depth))


def measure(task: Task) -> Measurement:
    """Search one position to its depth with an empty table."""
    result = Worker(threads=1, hash_mb=HASH_MB).search(task.position, Limits(depth=task.depth))
    return Measurement(task.game, result.nodes, result.seconds)
