"""How many endings of DVONN are solved: ``python -m tests.tools.endings SHARD...``.

The positions are from shards of self-play (``tengen selfplay --game dvonn``): one of each game, either with a
given number of occupied cells or so many turns before the end, picked by the seed. Each is solved with a new
table. Printed are the shares whose winner, and whose margin, is known after so many positions or seconds of
processor time.
"""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

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
SHARES = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)  # of the limit, by which solved positions are counted


@dataclass(frozen=True)
class Trial:
    """What became of one ending."""

    nodes: int  # positions visited
    seconds: float  # processor time
    winner: float | None  # what it took until they were known, in units of the limit; None if they are not
    margin: float | None
    sign: int | None  # who wins: 1 the side to move, -1 the other one


def choose(shard: PositionShard, occupied: int | None, before: int | None) -> Iterator[str]:
    """Yield the texts of the first positions of the shard's games that are as asked for."""
    rules = SPEC.game.rules
    to_go = shard.turns[shard.games - shard.first] - shard.plies
    seen = set[int]()
    for state, game, turns in zip(shard.states, shard.games, to_go, strict=True):
        wanted = rules.remaining(state) == occupied if occupied else turns == before
        if wanted and int(game) not in seen:
            seen.add(int(game))
            yield SPEC.game.text.format_position(state)


def positions(
    paths: Sequence[Path], occupied: int | None, before: int | None, count: int, seed: int
) -> list[str]:
    """Return up to `count` positions, one a game, in an order that the seed decides."""
    texts = [text for path in paths for text in choose(PositionShard.read(path, SPEC), occupied, before)]
    random.Random(seed).shuffle(texts)
    return texts[:count]


def solve(text: str, nodes: int | None, seconds: float | None, megabytes: int, margin: bool) -> Trial:
    """Return how far an ending is solved within a limit of positions or of processor time."""
    solver = EndgameSolver(Position.parse("dvonn", text), TranspositionTable(megabytes), StopFlag())
    begun = time.process_time()

    def used() -> float:
        """Return how much of the limit is used up."""
        return solver.nodes / nodes if nodes else (time.process_time() - begun) / (seconds or 1)

    winner = known = None
    while used() < 1:
        before = solver.nodes
        solver.advance(min(SLICE, nodes - before) if nodes else SLICE)
        if winner is None and solver.sign is not None:
            winner = used()
        if solver.exact:
            known = used()
        if solver.exact or (winner is not None and not margin) or solver.nodes == before:
            break
    return Trial(solver.nodes, time.process_time() - begun, winner, known, solver.sign)


def table_of(trials: Sequence[Trial], limit: float, unit: str) -> Iterator[str]:
    """Yield lines: what share of the trials is solved within parts of the limit."""
    for what in ("winner", "margin"):
        taken = [getattr(trial, what) for trial in trials]
        for share in SHARES:
            solved = sum(part is not None and part <= share for part in taken)
            yield f"{what} within {limit * share:,.6g} {unit}: {solved} of {len(trials)}"
    nodes, seconds = (sum(getattr(trial, name) for trial in trials) for name in ("nodes", "seconds"))
    yield f"{nodes:,} positions in {seconds:.0f} s, {nodes / max(seconds, 1e-9):,.0f} a second"


def main() -> None:
    """Solve endings, and print how many."""
    parser = command_line(__doc__)
    add = parser.add_argument
    add("shards", metavar="SHARD", type=Path, nargs="+")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--occupied", metavar="N", type=positive_int, help="occupied cells (default 30)")
    where.add_argument("--before", metavar="N", type=positive_int, help="turns before the end, instead")
    add("--count", metavar="N", type=positive_int, default=200, help="positions")
    add("--seed", metavar="N", type=int, default=1)
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", metavar="N", type=positive_int, help="limit of positions visited")
    limit.add_argument("--seconds", metavar="N", type=positive_seconds, default=10.0, help="processor time")
    add("--hash", metavar="MB", type=positive_int, default=64)
    add("--margin", action="store_true", help="look for the margin, too")
    add("--list", action="store_true", help="print each position and who wins")
    arguments = parser.parse_args()
    occupied = arguments.occupied or (None if arguments.before else 30)
    texts = positions(arguments.shards, occupied, arguments.before, arguments.count, arguments.seed)
    if texts:
        Worker().search(Position.parse("dvonn", texts[0]), Limit(nodes=1))  # compiles
    nodes, trials = arguments.nodes, list[Trial]()
    for text in tqdm(texts, disable=None):
        trials.append(solve(text, nodes, arguments.seconds, arguments.hash, arguments.margin))
        if arguments.list:
            tqdm.write(f"{text} ; {trials[-1].sign} ; {trials[-1].nodes}")
    unit = "positions" if nodes else "s"
    for line in table_of(trials, nodes or arguments.seconds, unit):
        print(line)


if __name__ == "__main__":
    main()
