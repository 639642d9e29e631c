"""The suites of Gomoku (with Renju) and Gobang: made by self-play, and confirmed by brute force."""

import contextlib
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from tqdm import tqdm

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tests.solver import NO_WIN, Solver, Unfinished
from tests.solver.fives import HEAD, PATIENCE, Board, Case, Force, cases, point, suite

# What share of the number asked for is made of each length of a win, by game spec.
SHARES = {
    "gomoku": {"gomoku:freestyle": 1.0, "gomoku:renju": 0.5, "gomoku:exactly-five": 0.25},
    "gobang": {"gobang": 1.0, "gobang,capture-win=5": 1.0},
}
LENGTHS = 3, 5, 7, 9, 11  # plies; the last one stands for all up to `MOST`
MOST = 15
NODES = 200, 3000  # of each turn of self-play
OPENING = 2, 7  # random turns before it
BLUNDERS = 0.05  # so many later turns are random
NEAR = 2  # points from another stone, or from the middle, at most, in random turns
LATE = 30  # turns before the end of a game from which positions are taken
HARDEST = 200_000  # positions that brute force may look at for one
EASIEST = 12  # ... and has to where it finds no win


def near_turn(position: Position, generator: random.Random) -> str:
    """Return a random turn beside the stones that stand."""
    board = Board.parse(str(position.spec), position.text())
    grid = board.grid()
    middle = board.rules.size // 2
    stones = [(int(y), int(x)) for y, x in zip(*grid.nonzero(), strict=True)] or [(middle, middle)]

    def beside(turn: str) -> bool:
        y, x = divmod(point(turn) - point("A1"), point("A2") - point("A1"))
        return any(max(abs(y - b), abs(x - a)) <= NEAR for b, a in stones)

    turns = position.turns()
    return generator.choice([turn for turn in turns if beside(turn)] or turns)


def play(spec: str, generator: random.Random, worker: Worker) -> list[Board]:
    """Return the positions of a game of self-play, in order, without the end."""
    position, boards = Position.start(spec), list[Board]()
    opening, limits = generator.randint(*OPENING), Limit(nodes=generator.randint(*NODES))
    worker.new_game()
    while position.outcome() == Outcome.ONGOING:
        boards.append(Board.parse(spec, position.text()))
        by_chance = len(boards) <= opening or generator.random() < BLUNDERS
        position.push(near_turn(position, generator) if by_chance else worker.search(position, limits).turn)
    return boards


def length(plies: int | None) -> int | None:
    """Return the one of `LENGTHS` that a win of so many plies counts as; 0 for one that is not wanted."""
    if plies is None:
        return None
    return 0 if plies > MOST else min(plies, LENGTHS[-1])


def found(spec: str, seed: int) -> Iterator[list[Case]]:
    """Yield the cases of each game: the wins of the mover, and near misses; for ever."""
    worker, force = Worker(hash_mb=8), Force(spec, HARDEST)
    for number in range(sys.maxsize):
        generator = random.Random(f"{spec} {seed} {number}")
        made = []
        for board in play(spec, generator, worker)[-LATE:]:
            try:
                verdict = force.shortest_win(board)
            except Unfinished:
                continue
            if verdict.plies or verdict.tried >= EASIEST:
                made.append(Case(spec, board.text(), verdict.plies))
        generator.shuffle(made)
        yield made


def make(game: str, number: int, seed: int) -> None:
    """Write a suite with about `number` wins of each length, and as many positions not won."""
    made, seen = list[Case](), set[str]()
    shares = {spec: max(1, round(number * share)) for spec, share in SHARES[game].items()}
    total = sum(shares.values()) * 2 * len(LENGTHS)
    with tqdm(total=total, unit="position", disable=not sys.stderr.isatty()) as bar:
        for spec, share in shares.items():
            left = Counter[int | None](dict.fromkeys(LENGTHS, share))
            left[None] = share * len(LENGTHS)
            for of_game in found(spec, seed):
                taken = set()  # of a game no more than one win and one near miss, the longest wins first
                for case in sorted(of_game, key=lambda case: -(case.plies or 0)):
                    kind, won = length(case.plies), case.plies is not None
                    alike = set(Board.parse(spec, case.text).alike())
                    if left[kind] > 0 and won not in taken and not seen & alike:
                        seen |= alike
                        taken.add(won)
                        made.append(case)
                        left[kind] -= 1
                        bar.update()
                if not left.total():
                    break
    made.sort(key=lambda case: (case.plies is None, case.plies, case.spec))
    suite(game).write_text("\n".join([HEAD, *(case.line() for case in made)]) + "\n", "utf-8")
    sys.stdout.write(f"{suite(game)}: {len(made)} positions\n")


def solved(case: Case, force: Force) -> tuple[int | None, int]:
    """Return the plies of the win that the engine's solver finds, None for none, and the actions it tried.

    0 for a line that brute force does not confirm.
    """
    solver, turns = Solver(Position.parse(case.spec, case.text), PATIENCE), ()
    with contextlib.suppress(Unfinished):
        turns = solver.turns(0)
    if turns and not force.confirm_line(Board.parse(case.spec, case.text), turns):
        return 0, solver.tried
    return len(turns) or None, solver.tried


def confirm(game: str) -> bool:
    """Say what brute force and solver find in the suite; return whether both find what the suite says."""
    tried, seconds = Counter[str](), Counter[str]()
    wrong, suited = [], cases(game)
    forces = {spec: Force(spec) for spec in {case.spec for case in suited}}
    for case in tqdm(suited, unit="position", disable=not sys.stderr.isatty()):
        force = forces[case.spec]
        began = time.perf_counter()
        verdict = force.shortest_win(Board.parse(case.spec, case.text))
        between = time.perf_counter()
        plies, actions = solved(case, force)
        seconds += Counter(force=between - began, solver=time.perf_counter() - between)
        tried += Counter(force=verdict.tried, solver=actions)
        if verdict.plies != case.plies or (plies or 0) < (case.plies or 0) or bool(plies) != bool(case.plies):
            wrong.append(f"{case.line()}: brute force {verdict.plies}, solver {plies}\n")
    sys.stdout.write("".join(wrong))
    lengths = Counter(NO_WIN if case.plies is None else str(case.plies) for case in suited)
    sys.stdout.write(
        f"{game}: {len(suited)} positions by plies: "
        + ", ".join(f"{plies}: {number}" for plies, number in lengths.items())
        + f"; {len(wrong)} wrong; "
        f"brute force {tried['force']} positions in {seconds['force']:.1f} s, "
        f"solver with its lines confirmed {tried['solver']} actions in {seconds['solver']:.1f} s\n"
    )
    return not wrong
