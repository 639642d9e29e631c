"""How many long wins a short search proves: ``python -m tests.tools.wins GAME``.

The positions are from games between searches of many positions, which begin with balanced openings; all of
them follow from the seed. Of each game it is the earliest position that the winner is known to win: the first
in which the win was announced, or one before it that a longer search proves. Only wins of some length count,
by the line that was proven; there may be a shorter one.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tqdm import tqdm

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import positive_int, positive_seconds
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.openings import BalancedDraw
from tests import command_line

LONGER = 10  # times the positions of a turn, to look for an earlier win
LENGTHS = 15, 31  # turns of both sides, at least and at most
STEPS = 15, 20, 25, 32  # of the table


@dataclass(frozen=True)
class Win:
    """A position that the side to move has been proven to win, in so many turns of both sides."""

    position: Position
    turns: int


def win_of(worker: Worker, position: Position, limits: Limit) -> int:
    """Return in how many turns a search from nothing proves a win of the side to move; 0 if it does not."""
    worker.new_game()
    return max(0, worker.search(position, limits).lines[0].score.turns_to_win or 0)


def play(position: Position, nodes: int) -> tuple[list[Position], int]:
    """Play a game on until a win is announced; return its positions, and the turns to that win, or 0."""
    worker, seen = Worker(), list[Position]()
    while position.outcome() == Outcome.ONGOING:
        seen.append(position.copy())
        found = worker.search(position, Limit(nodes=nodes))
        turns = found.lines[0].score.turns_to_win or 0
        if turns > 0:
            return seen, turns
        position.push(str(found.turn))
    return seen, 0


def earliest(seen: Sequence[Position], turns: int, nodes: int) -> Win:
    """Return the earliest won position that a longer search finds, going back from the last of a game."""
    worker, win = Worker(), Win(seen[-1], turns)
    for position in seen[-3::-2]:
        turns = win_of(worker, position, Limit(nodes=LONGER * nodes))
        if not turns:
            break
        win = Win(position, turns)
    return win


def wins(spec: GameSpec, count: int, nodes: int, seed: int) -> Iterator[Win]:
    """Yield `count` wins of games of their own."""
    rng, draw = random.Random(seed), BalancedDraw(spec)
    while count:
        seen, turns = play(draw.position(rng), nodes)
        if turns and (win := earliest(seen, turns, nodes)) and LENGTHS[0] <= win.turns <= LENGTHS[1]:
            count -= 1
            yield win


def table_of(trials: Sequence[tuple[Win, int]]) -> Iterator[str]:
    """Yield lines: how many wins were proven again, all and by length."""
    for low, high in ((STEPS[0], STEPS[-1]), *itertools.pairwise(STEPS)):
        chosen = [found for win, found in trials if low <= win.turns < high]
        if chosen:
            proven = sum(found > 0 for found in chosen)
            share = f"{proven:3} of {len(chosen):3} proven, {proven / len(chosen):.0%}"
            yield f"wins in {low:2} to {high - 1:2} turns   {share}"


def main() -> None:
    """Find wins, search them, and print how many were proven."""
    parser = command_line(__doc__)
    add = parser.add_argument
    add("game", metavar="GAME", type=GameSpec.parse, help="a game that is searched by alpha-beta")
    add("--count", metavar="N", type=positive_int, default=200, help="wins (default: 200)")
    add("--nodes", metavar="N", type=positive_int, default=100_000, help="positions a turn of the games")
    add("--seconds", metavar="S", type=positive_seconds, default=0.5, help="processor time (default: 0.5)")
    add("--seed", metavar="N", type=int, default=1)
    arguments = parser.parse_args()
    trials, worker = list[tuple[Win, int]](), Worker(processor_time=True)
    found = wins(arguments.game, arguments.count, arguments.nodes, arguments.seed)
    for win in tqdm(found, total=arguments.count, disable=None):
        trials.append((win, win_of(worker, win.position, Limit(time=arguments.seconds))))
    for line in table_of(trials):
        print(line)


if __name__ == "__main__":
    main()
