"""How deep alpha-beta goes, and how well it orders turns: ``python -m tests.tools.depth GAME``.

The positions are from games between searches of few positions, which begin with balanced openings; all of
them follow from the seed. Each is searched with one thread and an empty table. Printed are the depth reached,
the positions searched in a second of processor time, the effective branching factor (the ratio of the
positions that two successive iterations take, as a geometric mean), how many results were proven, and at
which place of the ordering, before any search, the best action of the root stands.
"""

import itertools
import math
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tqdm import tqdm

from tengen.engine.game import Outcome
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import positive_int, positive_seconds
from tengen.search.alphabeta.deepening import Deepening
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchThread
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.openings import BalancedDraw
from tests import command_line

PLAYED = 4, 12  # turns after the opening, at least and at most
QUICK = 1_000  # positions of each of these turns' searches
FIRST_DEPTH = 4  # of the iterations that the branching factor counts
PLACES = 1, 5, 10  # of the ordering


@dataclass(frozen=True)
class Look:
    """What one search has done."""

    depth: int  # the last complete iteration, and positions visited
    nodes: int
    seconds: float  # processor time
    branching: float | None  # effective branching factor; None where too few iterations were complete
    proven: bool  # whether the result is proven
    place: int  # place of the best action in the ordering, from 1


def positions(spec: GameSpec, count: int, seed: int) -> Iterator[Position]:
    """Yield `count` positions of games that are still open."""
    rng, draw, worker = random.Random(seed), BalancedDraw(spec), Worker(hash_mb=4)
    while count:
        position = draw.position(rng)
        worker.new_game()
        for _ in range(rng.randint(*PLAYED)):
            if position.outcome() == Outcome.ONGOING:
                position.push(str(worker.search(position, Limit(nodes=QUICK)).turn))
        if position.outcome() == Outcome.ONGOING:
            count -= 1
            yield position


def place_of(thread: SearchThread, action: int) -> int:
    """Return the place of a root action in the ordering without a hash move, from 1."""
    record, picking = thread._record, thread._kernels.picking
    count = int(picking.generate(record, 0, -1))
    order = {int(record["actions"][0][i]): int(record["order"][0][i]) for i in range(count)}
    return 1 + sum(other > order[action] for other in order.values()) if action in order else count + 1


def look(position: Position, seconds: float, megabytes: int) -> Look:
    """Search a position for so much processor time; return what the search has done."""
    thread = SearchThread(position, TranspositionTable(megabytes), StopFlag())
    ends, begun = [0], time.process_time()

    def should_stop(depth: int) -> bool:
        """Note the end of an iteration; return whether the time is up."""
        ends.append(thread.nodes)
        return time.process_time() - begun >= seconds

    lines = Deepening(thread, Limit(), lambda line: None).run(should_stop)
    used = time.process_time() - begun
    taken = [after - before for before, after in itertools.pairwise(ends)][FIRST_DEPTH - 1 :]
    growth = (taken[-1] / taken[0]) ** (1 / (len(taken) - 1)) if len(taken) > 1 and taken[0] > 0 else None
    best = lines[0]
    place = place_of(SearchThread(position, TranspositionTable(1), StopFlag()), best.actions[0])
    return Look(len(ends) - 1, thread.nodes, used, growth, best.score.is_proven, place)


def table_of(looks: Sequence[Look]) -> Iterator[str]:
    """Yield lines: means and shares over all searches."""
    open_ones = [one for one in looks if not one.proven]
    factors = [one.branching for one in open_ones if one.branching]
    yield f"positions                   {len(looks)}, {len(looks) - len(open_ones)} of them proven"
    if open_ones:
        depth = statistics.mean(one.depth for one in open_ones)
        yield f"depth                       {depth:.1f} where not proven"
    if factors:
        yield f"effective branching factor  {math.exp(statistics.mean(map(math.log, factors))):.2f}"
    nodes, seconds = sum(one.nodes for one in looks), sum(one.seconds for one in looks)
    yield f"positions a second          {nodes / max(seconds, 1e-9):,.0f}"
    for place in PLACES:
        share = sum(one.place <= place for one in open_ones) / max(1, len(open_ones))
        yield f"best action among {place:<2}        {share:.0%}"


def main() -> None:
    """Search positions, and print how deep the searches were."""
    parser = command_line(__doc__)
    add = parser.add_argument
    add("game", metavar="GAME", type=GameSpec.parse, help="a game that is searched by alpha-beta")
    add("--count", metavar="N", type=positive_int, default=100, help="positions (default: 100)")
    add("--seconds", metavar="S", type=positive_seconds, default=0.5, help="processor time (default: 0.5)")
    add("--hash", metavar="MB", type=positive_int, default=64)
    add("--seed", metavar="N", type=int, default=1)
    arguments = parser.parse_args()
    looks = list[Look]()
    for position in tqdm(positions(arguments.game, arguments.count, arguments.seed), disable=None):
        if not looks:
            look(position, 0.01, 1)  # compiles
        looks.append(look(position, arguments.seconds, arguments.hash))
    for line in table_of(looks):
        print(line)


if __name__ == "__main__":
    main()
