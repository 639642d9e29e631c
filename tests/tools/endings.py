"""How many endings of DVONN are solved: ``python -m tests.tools.endings SHARD...``.

The positions are from shards of self-play (``tengen selfplay --game dvonn``): one of each game, so many turns
before the end, picked by the seed. Each is solved with a new table. Printed is of how many the winner is
known after so many seconds of processor time.
"""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tqdm import tqdm

from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import positive_int, positive_seconds
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.limits.limit import Limit
from tengen.search.solvers.endgame_driver import EndgameSolver
from tengen.search.worker import Worker
from tengen.tuning.learn.shards import PositionShard
from tests import command_line

SPEC = GameSpec.parse("dvonn")
SLICE = 20_000  # positions between two looks at the clock
SHARES = (1 / 8, 1 / 4, 1 / 2, 1)  # of the limit, by which solved positions are counted


@dataclass(frozen=True)
class Trial:
    """What became of one ending."""

    nodes: int  # positions visited
    seconds: float  # processor time
    winner: float | None  # seconds until the winner was known; None if it is not
    sign: int | None  # who wins: 1 the side to move, -1 the other one


def choose(shard: PositionShard, before: int) -> Iterator[str]:
    """Yield the text of the first position of each of the shard's games that is so far before its end."""
    (found,) = np.nonzero(shard.turns[shard.games - shard.first] - shard.plies == before)
    for state in shard.states[found[np.unique(shard.games[found], return_index=True)[1]]]:
        yield SPEC.game.text.format_position(state)


def positions(paths: Sequence[Path], before: int, count: int, seed: int) -> list[str]:
    """Return up to `count` positions, one a game, in an order that the seed decides."""
    texts = [text for path in paths for text in choose(PositionShard.read(path, SPEC), before)]
    random.Random(seed).shuffle(texts)
    return texts[:count]


def solve(text: str, seconds: float, megabytes: int) -> Trial:
    """Return how an ending is solved within a limit of processor time."""
    solver = EndgameSolver(Position.parse("dvonn", text), TranspositionTable(megabytes), StopFlag())
    begun, used, before = time.process_time(), 0.0, -1
    while solver.sign is None and used < seconds and solver.nodes > before:
        before = solver.nodes
        solver.advance(SLICE)
        used = time.process_time() - begun
    return Trial(solver.nodes, used, None if solver.sign is None else used, solver.sign)


def table_of(trials: Sequence[Trial], limit: float) -> Iterator[str]:
    """Yield lines: how many of the trials are solved within parts of the limit."""
    for share in SHARES:
        solved = sum(trial.winner is not None and trial.winner <= share * limit for trial in trials)
        yield f"winner within {limit * share:.6g} s: {solved} of {len(trials)}"
    nodes, seconds = (sum(getattr(trial, name) for trial in trials) for name in ("nodes", "seconds"))
    yield f"{nodes:,} positions in {seconds:.0f} s, {nodes / max(seconds, 1e-9):,.0f} a second"


def main() -> None:
    """Solve endings, and print how many."""
    parser = command_line(__doc__)
    add = parser.add_argument
    add("shards", metavar="SHARD", type=Path, nargs="+")
    add("--before", metavar="N", type=positive_int, default=12, help="turns before the end")
    add("--count", metavar="N", type=positive_int, default=200, help="positions")
    add("--seed", metavar="N", type=int, default=1)
    add("--seconds", metavar="N", type=positive_seconds, default=2.0, help="processor time")
    add("--hash", metavar="MB", type=positive_int, default=64)
    arguments = parser.parse_args()
    texts = positions(arguments.shards, arguments.before, arguments.count, arguments.seed)
    if texts:
        Worker().search(Position.parse("dvonn", texts[0]), Limit(nodes=1))  # compiles
    trials = [solve(text, arguments.seconds, arguments.hash) for text in tqdm(texts, disable=None)]
    for line in table_of(trials, arguments.seconds):
        print(line)


if __name__ == "__main__":
    main()
