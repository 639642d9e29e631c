"""ZÈRTZ's suite: made by self-play, and confirmed by brute force."""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from tqdm import tqdm

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.zertz.rules import forced
from tengen.engine.zertz.state import GOAL_OF_EACH, GOALS
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.openings import random_turn
from tests.solver import Solver, Unfinished
from tests.solver.zertz import COLUMNS, MOST, SUITE, Case, cases, fewest_sacrifices
from tests.walks import breadth

SPECS = [
    "zertz,isolation=auto",
    "zertz:tournament,isolation=auto",
    "zertz",
    "zertz,isolation=auto",
    "zertz:tournament,isolation=auto",
    "zertz,rings=48,isolation=auto",
    "zertz:tournament",
]
NODES = 2000, 5000  # of each turn of self-play
OPENING = 2, 8  # random turns before it
BLUNDERS = 0.1  # so many later turns are random
LATE = 14  # turns before the end of a game from which positions are taken
TRIES = 2  # positions looked at of each game, of which at most one is taken
MAX_ELO_DIFFERENCE = 800  # turns of a position, about
HARDEST = 200_000_000  # actions that the brute force may try for one number of sacrifices
EASIEST = 1_000  # ... and has to try where it finds no win or the mover begins with a capture
FAR = 3  # marbles that the mover lacks at most where there is no win


def play(spec: str, generator: random.Random, worker: Worker) -> list[Position]:
    """Return the positions of a game of self-play, in order, without the end."""
    position, positions = Position.start(spec), list[Position]()
    opening, limits = generator.randint(*OPENING), Limit(nodes=generator.randint(*NODES))
    worker.new_game()
    while position.outcome() == Outcome.ONGOING:
        positions.append(position.copy())
        by_chance = len(positions) <= opening or generator.random() < BLUNDERS
        turn = random_turn(position, generator) if by_chance else worker.search(position, limits).turn
        position.push(turn)
    return positions


def missing(position: Position) -> int:
    """Return how many marbles the mover lacks for the nearest goal."""
    state = position.state
    held, each = state.captured[state.side_to_move], GOAL_OF_EACH[state.rules]
    lacking = [goal - int(number) for goal, number in zip(GOALS[state.rules], held, strict=True)]
    return min(*lacking, sum(max(0, each - int(number)) for number in held))


def worth_looking(position: Position) -> bool:
    """Return whether the mover has a choice of turns, of not too many."""
    return 1 < breadth(position) <= MAX_ELO_DIFFERENCE


def found(seed: int) -> Iterator[tuple[Case, tuple[int, ...]]]:
    """Yield a case of each game that has one, with the keys of the position from all sides; for ever."""
    worker = Worker(hash_mb=8)
    for number in range(sys.maxsize):
        generator = random.Random(f"{seed} {number}")
        spec = SPECS[number % len(SPECS)]
        late = [position for position in play(spec, generator, worker)[-LATE:] if worth_looking(position)]
        for position in generator.sample(late, min(TRIES, len(late))):
            try:
                sacrifices, tried = fewest_sacrifices(position, HARDEST)
            except Unfinished:
                continue
            if tried < EASIEST and (sacrifices is None or forced(position.state)):
                continue
            if sacrifices is None and missing(position) > FAR:
                continue
            keys = tuple(int(state.key) for state in position.spec.game.rules.symmetries(position.state))
            yield Case(spec, position.text(), sacrifices), keys
            break


def make(number: int, seed: int) -> None:
    """Write a suite with `number` wins of each number of sacrifices, fewer of none, and positions not won."""
    wanted: dict[int | None, int] = dict.fromkeys(range(1, MOST + 1), number)
    wanted |= {0: number // 3, None: number * 3 // 2}
    left, made, seen = Counter(wanted), list[Case](), set[int]()
    with tqdm(total=left.total(), unit="position", disable=not sys.stderr.isatty()) as bar:
        for case, keys in found(seed):
            if left[case.sacrifices] and not seen.intersection(keys):
                seen.update(keys)
                made.append(case)
                left[case.sacrifices] -= 1
                bar.update()
            if not left.total():
                break
    made.sort(key=lambda case: (case.sacrifices is None, case.sacrifices, case.spec))
    SUITE.write_text("\n".join([COLUMNS, *(case.line() for case in made)]) + "\n", "utf-8")
    sys.stdout.write(f"{SUITE}: {len(made)} positions\n")


def confirm() -> bool:
    """Say what brute force and solver find in the suite; return whether both find what the suite says."""
    actions, seconds = Counter[str](), Counter[str]()
    wrong = []
    suite = cases()
    won = sum(case.sacrifices is not None for case in suite)
    for case in tqdm(suite, unit="position", disable=not sys.stderr.isatty()):
        began = time.perf_counter()
        by_force, tried = fewest_sacrifices(case.position())
        between = time.perf_counter()
        solver = Solver(case.position())
        solved = solver.fewest_offers(MOST)
        seconds += Counter(force=between - began, solver=time.perf_counter() - between)
        actions += Counter(force=tried, solver=solver.tried)
        if not case.sacrifices == by_force == solved:
            wrong.append(f"{case.line()}: brute force {by_force}, solver {solved}\n")
    sys.stdout.write("".join(wrong))
    sys.stdout.write(
        f"{len(suite)} positions, {won} of them won, {len(wrong)} wrong; "
        f"brute force {actions['force']} actions in {seconds['force']:.1f} s, "
        f"solver {actions['solver']} in {seconds['solver']:.1f} s\n"
    )
    return not wrong
