"""Life and death in Go: the cases of its suite, and what proves them.

In each case the side to move wins the game by a first move that saves a chain of its own, captures one of
the other side, or, in a race between two, does both. The local search of the engine proves what becomes of
the chains after every legal move, the pass included, whoever wins the kos. Where the fight is small, the
brute force of `tests.reference.go.life` says the same.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tengen.engine.board.goban import find_vertex
from tengen.engine.go import board
from tengen.engine.go.life import solver
from tengen.engine.go.life.region import choose_region
from tengen.engine.go.state import NOWHERE, point
from tengen.engine.go.text import PASS_TEXT
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tests import rows
from tests.reference.go.life import Board
from tests.reference.go.rules import Go

SUITE = Path(__file__).parent / "suites" / "go.txt"
MAX_EMPTY = 24  # empty points of a region that is searched
BUDGET = 100_000  # nodes of a question
LARGEST = 10_000  # positions of a fight that brute force may look at
BRUTE_FORCE, NOBODY = "brute force", "-"

RACE, LIFE = "race", "life"


class Case(NamedTuple):
    """A position that is won by the right first move."""

    spec: str
    text: str
    kind: str  # `RACE` when one chain of each side is at stake, else `LIFE`
    chains: tuple[str, ...]  # a vertex of each of them
    moves: frozenset[str]  # the first moves that save the own chain and capture the other
    safe: frozenset[str]  # a vertex of each chain that is taken as alive
    by: str  # `BRUTE_FORCE` if it agrees, `NOBODY` if the fight is too large for it

    def position(self) -> Position:
        """Return the position."""
        return Position.parse(self.spec, self.text)

    def line(self) -> str:
        """Return the case as a line of the suite."""
        chains, moves, safe = (
            " ".join(vertices) for vertices in (self.chains, sorted(self.moves), sorted(self.safe))
        )
        return " ; ".join([self.spec, self.text, self.kind, chains, moves, safe, self.by])


def cases() -> list[Case]:
    """Return the cases of the suite."""
    return [
        Case(spec, text, kind, tuple(chains.split()), frozenset(moves.split()), frozenset(safe.split()), by)
        for spec, text, kind, chains, moves, safe, by in rows(SUITE)
    ]


class Reading:
    """What the local search proves about the chains of a position.

    Chains with one of the vertices `safe` are taken as alive, whatever happens around them.
    """

    def __init__(self, position: Position, safe: Iterable[str]) -> None:
        self._position = position
        self._stop = StopFlag()
        self._solver = solver.new_solver(self._stop)[0]
        b = position.state.board
        for text in safe:
            first = p = point_of(text, int(b.width))
            while not self._solver.safe[p]:
                self._solver.safe[p] = 1
                p = int(b.next_in_chain[p])
            assert p == first

    def decisive(self, chain: str, most: int) -> frozenset[str] | None:
        """Return the first moves that decide about `chain` as the side to move wants.

        It is None if a pass does as well, there is no such move, there are more than `most`, or something is
        not proven: after all other moves the other side must win the chain whatever happens in kos.
        """
        state = self._position.state
        stone, mover = point_of(chain, int(state.board.width)), int(state.side_to_move) + 1
        owner = int(state.board.stones[stone])
        wanted = solver.SAVED if owner == mover else solver.CAPTURED
        found = set[str]()
        others = [turn for turn in self._position.turns() if turn != PASS_TEXT]
        for turn in (PASS_TEXT, *others):
            after = state.board.copy()
            after.ko = NOWHERE
            if turn != PASS_TEXT:
                board.play(after, np.uint64(point_of(turn, int(after.width))), np.uint64(mover))
            fate = self._fate(after, stone, owner, defends_first=owner != mover)
            if fate == solver.UNKNOWN or (fate == wanted and turn == PASS_TEXT):
                return None
            if fate == wanted:
                found.add(turn)
                if len(found) > most:
                    return None
        return frozenset(found) or None

    def _fate(self, b: Any, stone: int, owner: int, defends_first: bool) -> int:
        """Return CAPTURED or SAVED if that is proven whoever wins the kos, else UNKNOWN."""
        if b.stones[stone] != owner:
            return solver.CAPTURED
        for claim in (solver.SAVED, solver.CAPTURED):
            if proves(self._solver, b, stone, defends_first, claim):
                return claim
        return solver.UNKNOWN


def proves(w: Any, b: Any, stone: int, defends_first: bool, claim: int, budget: int = BUDGET) -> bool:
    """Return whether the local search proves a claim about the chain of a stone, in `budget` nodes.

    The claim is what becomes of the chain though the other side wins every ko: `solver.SAVED` or
    `solver.CAPTURED`. The ``safe`` stones of the SOLVER record `w` are taken as alive on the board `b`. The
    owner of the chain moves first if `defends_first`.
    """
    choose_region(b, w, np.uint64(stone), MAX_EMPTY)
    if claim == solver.SAVED and w.truncated:
        return False
    w.boards[0] = b
    captures = claim == solver.CAPTURED
    return int(solver.solve(w, np.uint64(b.stones[stone]), defends_first, captures, True, budget)) == claim


def point_of(text: str, size: int) -> int:
    """Return the point of a vertex.

    `ValueError` is raised if the board has no such vertex.
    """
    place = find_vertex(text, size)
    if place is None:
        raise ValueError(f"expected a vertex of a board of {size} points a side, got {text!r}")
    return point(*place)


def by_brute_force(
    position: Position, chains: Iterable[str], safe: Iterable[str]
) -> list[frozenset[str] | None]:
    """Return for each chain what `Board.decisive` says.

    `TooLargeError` is raised if more than `LARGEST` positions can come about.
    """
    text = position.text()
    force = Board(Go.parse(text, size=int(position.state.board.width)), safe)
    mover = "X" if position.state.side_to_move == 0 else "O"
    return [force.decisive(chain, mover, LARGEST) for chain in chains]
