"""Turns with little time: ``python -m tests.tools.timing.hurry SPEC [--turns N] [--games N] [--threads N]``.

Turns are given 1 to 20 ms, clocks of 20 to 300 ms, or are stopped at once. Every one has to be searched.

Games begin where a search has proven a win for the side to move, and go on by sudden death: both sides have
the same clock. None may be lost or drawn, nor a clock be overrun. Clocks count processor time, so that the
machine may be busy.
"""

import random
import time
from collections import Counter
from collections.abc import Iterator

from tqdm import trange

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.search.info import PROVEN
from tengen.search.limits.limit import Clock, Limit
from tengen.search.worker import Worker
from tests import command_line

MOVETIMES, CLOCKS = (0.001, 0.002, 0.005, 0.01, 0.02), (0.02, 0.06, 0.1, 0.3)  # seconds
STOPPED = "stopped at once"
OPENING_TURNS = 6  # random ones
SEARCHED = 20_000  # positions, to find a won position
LEAST_TURNS = 5  # of a proven win
CARELESS = 0.5  # share of random turns before it


def hurried_turns(spec: str, count: int, threads: int) -> None:
    """Play that many turns of games against itself, and print how many were played without a search."""
    worker, generator = Worker(threads, processor_time=True), random.Random(1)
    limits = [(f"movetime {1000 * each:g} ms", Limit(time=each)) for each in MOVETIMES]
    limits += [(f"clock {1000 * each:g} ms", Limit(clock=Clock(each))) for each in CLOCKS]
    limits += [(STOPPED, Limit(infinite=True))]
    asked, unsearched, slowest = Counter[str](), Counter[str](), Counter[str]()
    position = Position.start(spec)
    worker.warm_up(position.spec.game)
    for _ in trange(count, disable=None):
        if position.outcome() != Outcome.ONGOING:
            position = Position.start(spec)
            worker.new_game()
        if len(position.turns_played) < OPENING_TURNS:
            position.push(generator.choice(position.turns()))
            continue
        name, limit = generator.choice(limits)
        before = time.process_time()
        worker.go(position, limit)
        if name == STOPPED:
            worker.stop()
        result = worker.wait()
        assert result
        assert result.turn
        asked[name] += 1
        unsearched[name] += not result.lines or bool(result.notice)
        slowest[name] = max(slowest[name], round(1e6 * (time.process_time() - before)))
        position.push(result.turn)
    for name, _ in limits:
        took = f"{slowest[name] / 1000:.1f} ms at most"
        print(f"{name:16} {asked[name]:6} turns, {unsearched[name]} without a search, {took}")


def won_positions(spec: str, seed: int) -> Iterator[Position]:
    """Yield positions in which the side to move has a proven win that takes some turns, one of a game."""
    generator, worker = random.Random(seed), Worker()
    while True:
        position = Position.start(spec)
        worker.new_game()
        while position.outcome() == Outcome.ONGOING:
            result = worker.search(position, Limit(nodes=SEARCHED))
            score = result.lines[0].score
            if score.value >= PROVEN and abs(score.turns_to_win or 0) >= LEAST_TURNS:
                yield position
                break
            careless = generator.random() < CARELESS
            position.push(generator.choice(position.turns()) if careless else result.turn or "")


def games_from_wins(spec: str, count: int, seconds: float, threads: int) -> None:
    """Play that many games from won positions, and print how they ended and what was left on the clocks."""
    results, left = Counter[str](), []
    for _, start in zip(trange(count, disable=None), won_positions(spec, seed=1), strict=False):
        position, winner = start.copy(), start.side
        workers = [Worker(threads, processor_time=True) for _ in range(2)]
        clocks = [seconds, seconds]
        while position.outcome() == Outcome.ONGOING and min(clocks) >= 0:
            side = position.side_to_move
            before = time.process_time()
            result = workers[side].search(position, Limit(clock=Clock(clocks[side])))
            clocks[side] -= time.process_time() - before
            position.push(result.turn or "")
        late = position.outcome() == Outcome.ONGOING
        ending = "late" if late else "won" if position.winner() == winner else f"not won: {position.winner()}"
        results[ending] += 1
        if ending.startswith("not"):
            print(start.text(), position.turns_played[len(start.turns_played) :])
        left.append(min(clocks) / seconds)
    print(f"{spec}, {seconds:g} s a game: {dict(results)}, least left {min(left):.1%}")


def main() -> None:
    """Play, and print."""
    parser = command_line(__doc__)
    parser.add_argument("spec")
    parser.add_argument("--turns", type=int, default=2_000)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=3.0, help="the clock of the games (default: 3)")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    hurried_turns(arguments.spec, arguments.turns, arguments.threads)
    if arguments.games:  # 0 in Go, which proves no wins
        games_from_wins(arguments.spec, arguments.games, arguments.seconds, arguments.threads)


if __name__ == "__main__":
    main()
