"""The status of every chain at the end of the game.

What can be proven is proven first: unconditional life, then capture and life by local search. Playouts decide
the rest. A chain whose status is neither proven nor clear from the playouts is unsure.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.engine.go.life import solver
from tengen.engine.go.life.benson import NO_CHAIN, find_unconditional_life, forget
from tengen.engine.go.life.region import choose_region
from tengen.engine.go.state import BLACK, EMPTY, NEIGHBOURS, WALL, WHITE, stone_points

MAX_EMPTY = 20  # empty points of a region that is searched
BUDGETS = (1_000, 20_000, 20_000)  # nodes of a question, by round, as each proof helps with the next
TOTAL_BUDGET = 200_000  # nodes of all questions
# An eye of so many points becomes two if a single chain surrounds it. Enemy stones inside count against it.
# Source: Vilà and Cazenave, When one eye is sufficient: a static classification (2003).
LARGE_EYE, STONE_INSIDE = 8, 3
CERTAIN = 0.9  # mean ownership, -1 to 1, from which the playouts are believed that several chains do as well
CLEAR = 0.6  # ... from which they are believed about what is not proven
ALIVE_FROM = -0.1  # ... from which a chain counts as alive if nothing is proven


class Status(enum.IntEnum):
    """Whether a chain can be captured."""

    UNKNOWN = 0
    ALIVE = 1  # not even if the opponent moves first and wins every ko
    DEAD = 2  # even if the owner moves first and wins every ko
    DEAD_IN_KO = 3  # even if the owner moves first, but the opponent may have to win a ko
    UNSETTLED = 4  # the side that moves first decides


@dataclass
class Chain:
    """A chain of the position.

    Attributes
    ----------
    stones : list of int
        Its points.
    colour : int
    owned : float
        Mean ownership of its points in playouts: 1 always its colour's, -1 always the opponent's.
    status : Status
        As far as it is proven.
    """

    stones: list[int]
    colour: int
    owned: float
    status: Status = Status.UNKNOWN
    asked: bytes = b""  # the region and the budget of the last questions

    @property
    def dead(self) -> bool:
        """Whether it counts as dead."""
        if self.status == Status.UNKNOWN:
            return self.owned < ALIVE_FROM
        return self.status in (Status.DEAD, Status.DEAD_IN_KO)

    @property
    def unsure(self) -> bool:
        """Whether that is neither proven nor clear."""
        if self.status == Status.UNKNOWN:
            return abs(self.owned) < CLEAR
        return self.status in (Status.DEAD_IN_KO, Status.UNSETTLED)


def find_chains(b: Any, owner: Any) -> list[Chain]:
    """Return the chains of a BOARD record; `owner` (float, POINTS) is 1 for points of Black alone."""
    stones: dict[int, list[int]] = {}
    for p in stone_points(b):
        stones.setdefault(int(b.chain[p]), []).append(p)
    chains = []
    for points in stones.values():
        mean = float(owner[points].mean())
        colour = int(b.stones[points[0]])
        chains.append(Chain(points, colour, mean if colour == BLACK else -mean))
    return chains


class Judge:
    """Finds the status of the chains of a position.

    Parameters
    ----------
    board : BOARD record
        Not changed.
    chains : list of Chain
        As `find_chains` has made them. Their status is set.
    """

    def __init__(self, board: Any, chains: list[Chain]) -> None:
        self._board, self._chains = board, chains
        self._solver = solver.new_solver()[0]
        self._left = TOTAL_BUDGET

    def run(self) -> None:
        """Set the status of all chains that can be proven."""
        self._find_unconditional_life()
        self._trust_large_eyes()
        order = sorted(self._chains, key=lambda chain: -len(chain.stones))
        for budget in BUDGETS:
            before = [chain.status for chain in order]
            for chain in order:
                if chain.status in (Status.UNKNOWN, Status.UNSETTLED):
                    self._search(chain, budget)
            settled = [chain.status for chain in order]
            if Status.UNKNOWN not in settled and settled == before:
                break
        self._resolve_conflicts()

    def _find_unconditional_life(self) -> None:
        b, w = self._board, self._solver.benson
        points = np.flatnonzero(b.stones != WALL).astype(np.uint16)
        inside = (b.stones != WALL).astype(np.uint8)
        for colour in (BLACK, WHITE):
            found = find_unconditional_life(b, w, np.uint64(colour), points, np.int64(len(points)), inside)
            for chain in self._chains if found else []:
                number = int(w.chain[int(b.chain[chain.stones[0]])])
                if chain.colour == colour and number != NO_CHAIN and w.alive[number]:
                    self._make_safe(chain)
            forget(w)

    def _make_safe(self, chain: Chain) -> None:
        """Mark a chain as alive whatever happens around it."""
        chain.status = Status.ALIVE
        self._solver.safe[chain.stones] = 1

    def _trust_large_eyes(self) -> None:
        """Treat a chain around a large eye as alive; if there are several, those of which playouts agree."""
        gone = {p for chain in self._chains if chain.owned < 0 for p in chain.stones}
        for eye, colour in _eyes(self._board, gone):
            if len(eye) - STONE_INSIDE * len(eye & gone) < LARGE_EYE:
                continue
            around = {p + int(step) for p in eye for step in NEIGHBOURS.view(np.int64)}
            owners = [c for c in self._chains if c.colour == colour and around.intersection(c.stones)]
            for chain in owners:
                if len(owners) == 1 or chain.owned >= CERTAIN:
                    self._make_safe(chain)

    def _search(self, chain: Chain, budget: int) -> None:
        """Ask whether the chain lives if the opponent begins, and whether it dies if its owner begins."""
        if self._left <= 0:
            return
        w = self._solver
        choose_region(self._board, w, np.uint64(chain.stones[0]), MAX_EMPTY)
        asked = w.points[: int(w.num_points)].tobytes() + budget.to_bytes(4, "little")
        if asked == chain.asked:
            return
        chain.asked = asked
        captured = saved = False
        for life in (True, False) if chain.owned > 0 else (False, True):
            if life and not w.truncated:
                result = self._ask(chain, budget, defends_first=False, claims_capture=False)
                if result == solver.SAVED:
                    chain.status = Status.ALIVE
                    if not self._fights():
                        self._make_safe(chain)
                    return
                captured = result == solver.CAPTURED
            elif not life:
                result = self._ask(chain, budget, defends_first=True, claims_capture=True)
                if result == solver.CAPTURED:
                    chain.status = Status.DEAD
                    return
                saved = result == solver.SAVED
        if captured and saved:
            result = self._ask(chain, budget, defends_first=True, claims_capture=False)
            if result == solver.CAPTURED and len(chain.stones) > 1:
                chain.status = Status.DEAD_IN_KO
            elif result != solver.UNKNOWN:
                chain.status = Status.UNSETTLED

    def _resolve_conflicts(self) -> None:
        """Call stones alive in the midst of dead ones, and chains unsettled that would both be dead.

        Stones that were sacrificed inside a dead group can be captured, and yet the group is dead.
        """
        enemies = self._find_enemies()
        for chain, around in zip(self._chains, enemies, strict=True):
            if around and all(self._chains[i].dead for i in around) and chain.status != Status.ALIVE:
                held = any(not self._chains[j].dead for i in around for j in enemies[i])
                clear = held and not any(self._chains[i].unsure for i in around)
                chain.status = Status.ALIVE if clear else Status.UNSETTLED

    def _find_enemies(self) -> list[set[int]]:
        """Return, by chain, the indices of the adjacent chains of the other colour."""
        owner = {p: i for i, chain in enumerate(self._chains) for p in chain.stones}
        return [
            {
                owner[q]
                for p in chain.stones
                for q in (p + NEIGHBOURS.view(np.int64)).tolist()
                if q in owner and self._chains[owner[q]].colour != chain.colour
            }
            for chain in self._chains
        ]

    def _fights(self) -> bool:
        """Return whether the region has stones of both colours: one side may live by capturing the other."""
        w = self._solver
        stones = self._board.stones[w.points[: int(w.num_points)]]
        return bool((stones == BLACK).any() and (stones == WHITE).any())

    def _ask(self, chain: Chain, budget: int, defends_first: bool, claims_capture: bool) -> int:
        w = self._solver
        w.boards[0] = self._board
        result = solver.solve(w, np.uint64(chain.colour), defends_first, claims_capture, budget)
        self._left -= int(w.nodes)
        return int(result)


def _eyes(b: Any, gone: set[int]) -> list[tuple[set[int], int]]:
    """Return the regions of empty points and `gone` stones next to one colour, with the colour."""
    eyes, seen = [], set()
    free = {int(p) for p in np.flatnonzero(b.stones == EMPTY)} | gone
    for first in sorted(free):
        if first in seen:
            continue
        eye, pending, beside = {first}, [first], set()
        while pending:
            p = pending.pop()
            for step in NEIGHBOURS.view(np.int64):
                q = p + int(step)
                if q in free:
                    if q not in eye:
                        eye.add(q)
                        pending.append(q)
                elif b.stones[q] != WALL:
                    beside.add(int(b.stones[q]))
        seen |= eye
        if len(beside) == 1:
            eyes.append((eye, beside.pop()))
    return eyes
