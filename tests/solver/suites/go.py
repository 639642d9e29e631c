"""Go's suite of life and death: confirmed, what the engine solves of it, and cases like its own."""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from tqdm import tqdm

from tengen.engine.board.grids import vertex
from tengen.engine.game import Outcome
from tengen.engine.go import board
from tengen.engine.go.agreement import counted, played_out
from tengen.engine.go.life import solver
from tengen.engine.go.life.status import Chain, Judge, Status
from tengen.engine.go.playouts.playout import PLAYOUT, choose_move
from tengen.engine.go.state import EMPTY, HUNDREDTHS, NEIGHBOURS, NOWHERE, coordinates, stone_points
from tengen.engine.go.text import PASS_TEXT
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.engine.xorshift import seed_word
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.openings import random_turn
from tests.reference.go.life import TooLargeError
from tests.solver.go import (
    BRUTE_FORCE,
    LIFE,
    NOBODY,
    RACE,
    Case,
    Reading,
    by_brute_force,
    cases,
    proves,
)

SIZE = 9
KOMI = 7
SPEC = f"go,size={SIZE},komi={KOMI},rules=chinese"  # of self-play
NODES = 30, 150  # simulations of each turn of self-play
OPENING = 2, 6  # random turns before it
FEWEST_TURNS, MOST_TURNS = 30, 54  # before a position is looked at
RANDOM_TURNS = 1, 30  # of a playout after it
TRIES = 60  # playouts from one position
GLANCE = 500  # nodes of each question whether it is worth looking at one of them
JUDGING = 20_000  # nodes of the local searches that judge a position
LEAST_CHAIN = 3  # stones of a chain at stake
MOST_MOVES = 3  # that decide
LEAST_CHOICE = 4  # empty points around the chains at stake, within two steps
MOST_UNSURE = 2  # stones that are neither alive nor dead for sure after the moves that decide
LEAST_SWING = 12  # points between the right move and others
MANY = 5  # liberties
APART = 4  # turns between two positions of a game
PER_GAME = 3
NODES_MEASURED = 1_000, 5_000, 20_000


def play(generator: random.Random, worker: Worker) -> list[Position]:
    """Return the positions of a game of self-play, in order, up to the last one that is looked at."""
    position, positions = Position.start(SPEC), list[Position]()
    opening, limits = generator.randint(*OPENING), Limit(nodes=generator.randint(*NODES))
    worker.new_game()
    while position.outcome() == Outcome.ONGOING and len(positions) < MOST_TURNS:
        positions.append(position.copy())
        by_chance = len(positions) <= opening
        turn = random_turn(position, generator) if by_chance else worker.search(position, limits).turn
        position.push(turn)
    return positions


def played_on(position: Position, playout: Any, turns: int) -> Position:
    """Return the position after some turns of a playout; its game may be over."""
    position = position.copy()
    for _ in range(turns):
        if position.outcome() != Outcome.ONGOING:
            break
        state = position.state
        last, before = (np.uint64(action) for action in state.last_actions)
        colour = np.uint64(position.side_to_move + 1)
        position.make([int(choose_move(playout, state.board, last, before, colour))])
    return position


class Glance:
    """A quick look for chains that may be at stake."""

    def __init__(self) -> None:
        self._stop = StopFlag()
        self._solver = solver.new_solver(self._stop)[0]

    def finds(self, b: Any) -> bool:
        """Return whether a large chain is lost or saved by who moves first.

        Chains with many liberties are taken as alive. Chains in atari are not looked at.
        """
        w = self._solver
        chains: dict[int, list[int]] = {}
        for p in stone_points(b):
            chains.setdefault(int(b.chain[p]), []).append(p)
        found = np.empty(MANY, np.uint64)
        liberties = {head: int(board.liberties(b, np.uint64(head), found)) for head in chains}
        w.safe[:] = 0
        for head, stones in chains.items():
            w.safe[stones] = liberties[head] == MANY
        return any(
            len(stones) >= LEAST_CHAIN
            and 1 < liberties[head] < MANY
            and proves(w, b, head, False, solver.CAPTURED, GLANCE)
            and proves(w, b, head, True, solver.SAVED, GLANCE)
            for head, stones in chains.items()
        )


class Judged:
    """The chains of a position, and what the engine's judge of finished games proves about them."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = position.state.board.copy()
        self.board.ko = NOWHERE
        self.chains = played_out(self.board, StopFlag())
        judge = Judge(self.board, self.chains, JUDGING, StopFlag())
        judge.run()
        self.safe = [chain for chain in self.chains if judge.is_safe(chain)]

    def at_stake(self) -> list[Chain]:
        """Return the chains that whoever moves first decides about, large ones first.

        There are none if one of them is in atari: that would be too easy.
        """
        found = [
            chain
            for chain in self.chains
            if chain.status == Status.UNSETTLED and len(chain.stones) >= LEAST_CHAIN
        ]
        if any(self.liberties(chain) == 1 for chain in found):
            return []
        return sorted(found, key=lambda chain: -len(chain.stones))

    def is_settled(self) -> bool:
        """Return whether no more than a few stones are unsure."""
        return sum(len(chain.stones) for chain in self.chains if chain.unsure) <= MOST_UNSURE

    def liberties(self, chain: Chain) -> int:
        """Return the number of liberties of a chain."""
        return len(self._beside(chain.stones))

    def places(self, chain: Chain) -> list[int]:
        """Return the empty points around a chain, within two steps."""
        near = self._beside(chain.stones)
        return sorted(near | self._beside(near))

    def _beside(self, points: Any) -> set[int]:
        around = {p + int(step) for p in points for step in NEIGHBOURS.view(np.int64)}
        return {p for p in around if self.board.stones[p] == EMPTY}


def name(chain: Chain) -> str:
    """Return the vertex of a stone of a chain."""
    return vertex(*coordinates(min(chain.stones)))


def find_case(position: Position) -> Case | None:
    """Return what the suite says about a position; None if it is none for it."""
    if position.state.board.ko != NOWHERE or position.state.passes:
        return None
    judged = Judged(position)
    at_stake = judged.at_stake()
    mover = int(position.state.side_to_move) + 1
    safe = frozenset(name(chain) for chain in judged.safe)
    reading = Reading(position, safe)
    decisive = [(chain, reading.decisive(name(chain), MOST_MOVES)) for chain in at_stake]
    if any(moves is None for _, moves in decisive) or len({moves for _, moves in decisive}) != 1:
        return None  # nothing or several things are at stake
    moves = decisive[0][1]
    sides = {chain.colour: chain for chain, _ in reversed(decisive)}
    own, other = sides.get(mover), sides.get(3 - mover)
    chains = [chain for chain in (own, other) if chain]
    if max(len(judged.places(chain)) for chain in chains) < LEAST_CHOICE:
        return None
    spec = fair_spec(position, chains, moves, safe)
    if spec is None:
        return None
    names = tuple(name(chain) for chain in chains)
    case = Case(spec, position.text(), RACE if own and other else LIFE, names, moves, safe, BRUTE_FORCE)
    try:
        found = by_brute_force(position, names, safe)
    except TooLargeError:
        return case._replace(by=NOBODY)
    if set(found) != {moves}:
        sys.stderr.write(f"{case.line()}: brute force finds {found}\n")
        return None
    return case


def fair_spec(
    position: Position, chains: list[Chain], moves: frozenset[str], safe: frozenset[str]
) -> str | None:
    """Return the spec whose komi lies between the score after a right move and that after another one.

    The other one is a pass, and then the reply that decides. None if the scores are not certain, or too near
    to each other.
    """
    right, wrong = position.copy(), position.copy()
    right.push(min(moves))
    wrong.push(PASS_TEXT)
    reading = Reading(wrong, safe)
    replies = reading.decisive(name(chains[0]), SIZE * SIZE)
    if not replies:
        return None
    wrong.push(min(replies))
    margins = []
    for after in (right, wrong):
        judged = Judged(after)
        if not judged.is_settled():
            return None
        dead = [vertex(*coordinates(p)) for chain in judged.chains if chain.dead for p in chain.stones]
        margins.append(counted(after.state, dead).margin // HUNDREDTHS + KOMI)
    gain = margins[0] - margins[1] if position.state.side_to_move == 0 else margins[1] - margins[0]
    if gain < LEAST_SWING:
        return None
    return f"go,size={SIZE},komi={sum(margins) // 2 + 0.5},rules=chinese"


def found(seed: int) -> Iterator[tuple[Case, tuple[int, ...]]]:
    """Yield the cases of games, with the keys of the position from all sides; for ever."""
    worker, playout, glance = Worker(hash_mb=8), np.zeros(1, PLAYOUT)[0], Glance()
    for number in range(sys.maxsize):
        generator = random.Random(f"{seed} {number}")
        playout.random = seed_word(generator.randrange(1 << 30))
        decided = set[frozenset[str]]()  # by the same moves: the same fight
        for start in play(generator, worker)[FEWEST_TURNS::APART]:
            if len(decided) == PER_GAME:
                break
            for _ in range(TRIES):
                position = played_on(start, playout, generator.randint(*RANDOM_TURNS))
                case = find_case(position) if glance.finds(position.state.board) else None
                if case and case.moves not in decided:
                    decided.add(case.moves)
                    images = case.position().spec.game.rules.symmetries(case.position().state)
                    yield case, tuple(int(state.key) for state in images)
                    break


def confirm() -> bool:
    """Say what local search and brute force find in the suite; return whether both find what it says."""
    wrong, seconds, by = [], Counter[str](), Counter[str]()
    suite = cases()
    for case in tqdm(suite, unit="position", disable=not sys.stderr.isatty()):
        position = case.position()
        began = time.perf_counter()
        reading = Reading(position, case.safe)
        found = {reading.decisive(chain, MOST_MOVES) for chain in case.chains}
        between = time.perf_counter()
        if case.by == BRUTE_FORCE:
            found.update(by_brute_force(position, case.chains, case.safe))
        seconds += Counter(reading=between - began, force=time.perf_counter() - between)
        by[case.by] += 1
        if found != {case.moves}:
            wrong.append(f"{case.line()}: found {found}\n")
    sys.stdout.write("".join(wrong))
    sys.stdout.write(
        f"go: {len(suite)} positions, {by[BRUTE_FORCE]} of them for brute force, {len(wrong)} wrong; "
        f"local search {seconds['reading']:.1f} s, brute force {seconds['force']:.1f} s\n"
    )
    return not wrong


def measure(limits: Sequence[int], unsolved: bool) -> None:
    """Say how many positions the engine solves with so many simulations, each in a search of its own.

    If `unsolved`, the positions are drawn that are not solved with the last of these `limits`.
    """
    suite, worker = cases(), Worker()
    numbers = Counter(case.kind for case in suite)
    for limit in limits:
        solved = Counter[str]()
        for case in tqdm(suite, unit="position", disable=not sys.stderr.isatty()):
            worker.new_game()
            position = case.position()
            result = worker.search(position, Limit(nodes=limit))
            solved[case.kind] += result.turn in case.moves
            if unsolved and limit == limits[-1] and result.turn not in case.moves:
                sys.stdout.write(f"{case.line()}\n{position.board()}\nplays {result.turn}\n\n")
        shares = ", ".join(f"{solved[kind]} of {number} {kind}" for kind, number in numbers.items())
        sys.stdout.write(f"go: {limit} simulations: {shares}\n")
