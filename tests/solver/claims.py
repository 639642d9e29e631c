"""Claims of the engine, held against its play: ``python -m tests.solver.claims SPEC [--games N] [--seed S]``.

The engine plays games against random turns. One worker plays a whole game, so its table lasts from turn to
turn. Node limits run from one to many, and up to four candidates are asked for. When the engine claims a
result, the turn of its line must keep it, and so must its next turn, whatever the reply. Endgames of DVONN
are judged by the brute force of `tests.solver.dvonn`, other games by playing them out and by a search that
shares no memory with the worker.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from tqdm import tqdm

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.search.info import PROVEN, Info
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tests import command_line
from tests.solver import dvonn

BRUTE_FORCE = 14  # occupied cells of a DVONN endgame, at most, that brute force judges
NODES = (0.0, 4.7)  # node limits: powers of ten between these
SECOND_OPINION = 200_000  # nodes of a search that judges a position of another game


@dataclass
class Report:
    """What was claimed, and what was wrong."""

    claims: int = 0  # results claimed, and claims followed to the next turn
    kept: int = 0
    faults: list[str] = field(default_factory=list)  # claims that were false, or lost on the next turn


class Endgames:
    """Games of DVONN from endgames that brute force can judge."""

    def __init__(self) -> None:
        self._force = dvonn.Force()

    def start(self, generator: random.Random) -> Position:
        """Return a random endgame."""
        remaining = Position.start("dvonn").spec.game.rules.remaining
        while True:
            position = Position.start("dvonn")
            size = generator.randint(4, BRUTE_FORCE)
            while position.outcome() == Outcome.ONGOING:
                if "m" in position.text()[-1] and int(remaining(position.state)) <= size:
                    return position
                position.push(generator.choice(position.turns()))

    def margin(self, position: Position) -> int:
        """Return the margin under best play, for the side to move."""
        return self._force.margin(dvonn.Ending.parse(position.text()))

    def check(self, before: Position, after: Position, info: Info) -> str:
        """Return what is wrong with a claim for `before` and the turn that leads to `after`, or nothing.

        The best line claims a result of the position, others one of their turn.
        """
        sign = 1 if before.side_to_move == after.side_to_move else -1
        reached = sign * self.margin(after)
        best = self.margin(before) if info.rank == 1 else reached
        if info.score.margin is not None and not info.score.margin == best == reached:
            return f"rank {info.rank}, {info.score}: the margin is {best}, {reached} after the turn"
        if info.score.value >= PROVEN and reached <= 0:
            return f"rank {info.rank}, {info.score}: the turn comes to {reached}"
        lost = info.score.value <= -PROVEN
        return f"rank {info.rank}, {info.score}: the margin is {best}" if lost and best >= 0 else ""

    def keeps(self, before: Position, after: Position, info: Info) -> str:
        """Return what is wrong with the turn that follows a claim; empty when nothing is."""
        sign = 1 if before.side_to_move == after.side_to_move else -1
        reached = sign * self.margin(after)
        margin = 1 if info.score.margin is None else info.score.margin
        return f"claimed {info.score}, now {reached}" if reached < margin else ""


class Wins:
    """Games of a spec from random openings: wins are claimed, and must come."""

    def __init__(self, spec: str, opening: int) -> None:
        self._spec, self._opening = spec, opening

    def start(self, generator: random.Random) -> Position:
        """Return a position after some random turns."""
        while True:
            position = Position.start(self._spec)
            for _ in range(generator.randint(2, self._opening)):
                if position.outcome() == Outcome.ONGOING:
                    position.push(generator.choice(position.turns()))
            if position.outcome() == Outcome.ONGOING:
                return position

    def check(self, before: Position, after: Position, info: Info) -> str:
        """Return what is wrong with a claimed win; empty when nothing is."""
        return self.keeps(before, after, info) if info.score.value >= PROVEN else ""

    def keeps(self, before: Position, after: Position, info: Info) -> str:
        """Return what is wrong with the turn between `before` and `after`, which is to keep a win."""
        if after.outcome() != Outcome.ONGOING:
            return "" if after.winner() == before.side else f"claimed {info.score}, then {after.winner()}"
        opinion = Worker().search(after, Limit(nodes=SECOND_OPINION)).lines[0].score.value
        won = opinion >= PROVEN if after.side_to_move == before.side_to_move else opinion <= -PROVEN
        return "" if won else f"claimed {info.score}, but a search finds {opinion / 100:+.2f}"


def games(source: Endgames | Wins, seed: int, threads: int = 1) -> Iterator[Report]:
    """Yield the report of one game after the other, without end."""
    while True:
        generator, report = random.Random(seed), Report()
        position, worker = source.start(generator), Worker(threads, generator.choice((1, 16)))
        promise: Info | None = None
        while position.outcome() == Outcome.ONGOING:
            nodes = int(10 ** generator.uniform(*NODES))
            result = worker.search(position, Limit(nodes=nodes, multipv=generator.choice((1, 1, 4))))
            before = position.copy()
            position.push(result.turn)
            faults = []
            if promise:
                report.kept += 1
                faults.append(source.keeps(before, position, promise))
            for info in filter(is_claim, result.lines):
                after = before.copy()
                after.push(info.pv[0])
                report.claims += 1
                faults.append(source.check(before, after, info))
            promise = result.lines[0] if result.lines and is_claim(result.lines[0]) else None
            if promise and promise.score.value < PROVEN and promise.score.margin is None:
                promise = None  # a loss promises nothing
            report.faults += [
                f"{before.text()}  nodes {nodes}  {result.turn}: {fault}" for fault in faults if fault
            ]
            if position.outcome() == Outcome.ONGOING and position.side_to_move != before.side_to_move:
                position.push(generator.choice(position.turns()))
        yield report
        seed += 1


def is_claim(info: Info) -> bool:
    """Return whether a line claims a result: a bound on the wrong side of it claims nothing."""
    return info.score.is_proven and info.bound != ("upper" if info.score.value > 0 else "lower")


def source_of(spec: str) -> Endgames | Wins:
    """Return what plays the games of a spec."""
    return Endgames() if spec == "dvonn" else Wins(spec, 24 if spec.startswith("zertz") else 10)


def main() -> None:
    """Play games, and print what was claimed and what was wrong."""
    parser = command_line(__doc__)
    parser.add_argument("spec")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    total = Report()
    played = games(source_of(arguments.spec), arguments.seed, arguments.threads)
    for report, _ in zip(played, tqdm(range(arguments.games), disable=None), strict=False):
        total.claims, total.kept = total.claims + report.claims, total.kept + report.kept
        for fault in report.faults:
            tqdm.write(fault)
        total.faults += report.faults
    tqdm.write(f"{arguments.spec}: {total.claims} claims, {total.kept} followed, {len(total.faults)} faults")


if __name__ == "__main__":
    main()
