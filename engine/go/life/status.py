"""The status of every chain at the end of the game.

What can be proven is proven first: unconditional life, then capture and life by local search. Playouts decide
the rest. A chain whose status is neither proven nor clear from the playouts is unsure.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.engine.go.life import solver
from tengen.engine.go.life.benson import NO_CHAIN, find_unconditional_life, forget
from tengen.engine.go.life.region import choose_region
from tengen.engine.go.state import BLACK, EMPTY, STEPS, WALL, WHITE, liberties_of, stone_points
from tengen.engine.jit import StopFlag

MAX_EMPTY = 20  # empty points of a region that is searched
BUDGETS = (1_000, 20_000, 100_000)  # nodes of a question, by round, as each proof helps with the next
# An eye of so many points becomes two if a single chain surrounds it. Enemy stones inside count against it.
# Source: Vilà and Cazenave, When one eye is sufficient: a static classification (2003).
LARGE_EYE, STONE_INSIDE = 8, 3
CERTAIN = 0.9  # mean ownership, -1 to 1, from which the playouts are believed that several chains do as well
CLEARLY_ALIVE, CLEARLY_DEAD = 0.6, -0.4  # ... beyond which they are believed about what is not proven
ALIVE_FROM = -0.1  # ... from which a chain counts as alive if nothing is proven


class Status(enum.IntEnum):
    """Whether a chain can be captured."""

    UNKNOWN = 0
    ALIVE = 1  # not even if the opponent moves first and wins every ko
    DEAD = 2  # even if the owner moves first and wins every ko
    DEAD_IN_KO = 3  # even if the owner moves first, unless the owner has ko threats
    UNSETTLED = 4  # the side that moves first decides


@dataclass
class Chain:
    """A chain of the position."""

    stones: list[int]  # its points
    colour: int
    owned: float  # mean ownership of its points in playouts: 1 always its colour's, -1 always the opponent's
    status: Status = Status.UNKNOWN  # as far as it is proven
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
            return CLEARLY_DEAD < self.owned < CLEARLY_ALIVE
        return self.status in (Status.DEAD_IN_KO, Status.UNSETTLED)


def find_chains(b: Any, owner: Any) -> list[Chain]:
    """Return the chains of a BOARD record; `owner` (float, POINTS) is 1 for points of Black alone."""
    stones: dict[int, list[int]] = {}
    heads, colours = b.chain.tolist(), b.stones.tolist()
    for p in stone_points(b):
        stones.setdefault(heads[p], []).append(p)
    chains = []
    for points in stones.values():
        mean = float(owner[points].mean())
        colour = colours[points[0]]
        chains.append(Chain(points, colour, mean if colour == BLACK else -mean))
    return chains


class Judge:
    """Finds the status of the `chains` of a BOARD record, as `find_chains` has made them.

    All local searches together have a `budget` of nodes. `stop` ends the work when set; then only the status
    `Status.ALIVE` is certain.
    """

    def __init__(self, board: Any, chains: list[Chain], budget: int, stop: StopFlag) -> None:
        self._board, self._chains, self._stop = board, chains, stop
        self._solver = solver.new_solver(stop)[0]
        self._left = budget

    def run(self) -> None:
        """Set the status of all chains that can be proven."""
        self._find_unconditional_life()
        if self._stop:  # large eyes depend on playouts, which may have been cut short
            return
        self._trust_large_eyes()
        order = sorted(self._chains, key=lambda chain: -len(chain.stones))
        for budget in BUDGETS:
            before = [chain.status for chain in order]
            for chain in order:
                if chain.status == Status.UNKNOWN:
                    self._search(chain, budget)
            if self._stop:
                return
            if Status.UNKNOWN not in before:
                break
        self._tell_kos_from_groups()
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

    def is_safe(self, chain: Chain) -> bool:
        """Return whether a chain lives whatever happens around it: unconditionally, or around a large eye."""
        return bool(self._solver.safe[chain.stones[0]])

    def _trust_large_eyes(self) -> None:
        """Treat a chain around a large eye as alive; if there are several, those of which playouts agree."""
        gone = {p for chain in self._chains if chain.owned < 0 for p in chain.stones}
        for eye, border, colour in _eyes(self._board, gone):
            if len(eye) - STONE_INSIDE * len(eye & gone) < LARGE_EYE:
                continue
            owners = [c for c in self._chains if c.colour == colour and border.intersection(c.stones)]
            for chain in owners:
                if len(owners) == 1 or chain.owned >= CERTAIN:
                    self._make_safe(chain)

    def _search(self, chain: Chain, budget: int) -> None:
        """Ask whether the chain lives if the opponent begins, and whether it dies if its owner begins."""
        if self._left <= 0 or self._stop:
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
                    stones = int((self._board.stones[w.points[: int(w.num_points)]] != EMPTY).sum())
                    if stones == len(chain.stones):  # none of other chains, which might be threatened as well
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
            result = self._ask(chain, budget, defends_first=True, claims_capture=True, threats=False)
            if result != solver.UNKNOWN:
                chain.status = Status.DEAD_IN_KO if result == solver.CAPTURED else Status.UNSETTLED

    def _resolve_conflicts(self) -> None:
        """Call chains alive that stand among dead enemy stones within the reach of their own side.

        They may be capturable, as stones that were sacrificed inside a dead group, but the place is theirs.
        """
        alive = {p for chain in self._chains if not chain.dead for p in chain.stones}
        gone = {
            colour: {
                p for chain in self._chains if chain.colour != colour and chain.dead for p in chain.stones
            }
            for colour in (BLACK, WHITE)
        }
        unsure = {p for chain in self._chains if chain.dead and chain.unsure for p in chain.stones}
        colours = self._board.stones.tolist()
        empty = {p for p, colour in enumerate(colours) if colour == EMPTY}
        for chain in [chain for chain in self._chains if chain.status != Status.ALIVE]:
            if self._stop:
                return
            place, border = _flood(chain.stones, empty | gone[chain.colour] | set(chain.stones))
            stones = {p for p in border if colours[p] in (BLACK, WHITE)}
            if (
                place & gone[chain.colour]
                and stones & alive
                and all(colours[p] == chain.colour for p in stones)
            ):
                chain.status = Status.UNSETTLED if place & unsure else Status.ALIVE

    def _tell_kos_from_groups(self) -> None:
        """Call a stone in a ko unsettled, unless it shares a liberty with a chain that dies in that ko."""
        doomed = [chain for chain in self._chains if chain.status == Status.DEAD_IN_KO]
        groups = [chain for chain in doomed if len(chain.stones) > 1]
        for chain in doomed:
            liberties = liberties_of(self._board, chain.stones)
            if len(chain.stones) == 1 and not any(
                chain.colour == group.colour and liberties & liberties_of(self._board, group.stones)
                for group in groups
            ):
                chain.status = Status.UNSETTLED

    def _ask(
        self, chain: Chain, budget: int, defends_first: bool, claims_capture: bool, threats: bool = True
    ) -> int:
        w = self._solver
        w.boards[0] = self._board
        budget = min(budget, self._left)
        result = solver.solve(w, np.uint64(chain.colour), defends_first, claims_capture, threats, budget)
        self._left -= int(w.nodes)
        return int(result)


def _flood(start: Iterable[int], free: set[int]) -> tuple[set[int], set[int]]:
    """Return the points of `free` that are connected with `start`, and the points around them."""
    place, border, pending = set(start), set(), list(start)
    while pending:
        p = pending.pop()
        for step in STEPS:
            q = p + step
            if q not in free:
                border.add(q)
            elif q not in place:
                place.add(q)
                pending.append(q)
    return place, border


def _eyes(b: Any, gone: set[int]) -> list[tuple[set[int], set[int], int]]:
    """Return the regions of empty points and `gone` stones next to one colour: points, border, colour."""
    eyes = []
    stones: list[int] = b.stones.tolist()
    free = left = {p for p, colour in enumerate(stones) if colour == EMPTY} | gone
    while left:
        eye, border = _flood([min(left)], free)
        left = left - eye
        colours = {stones[p] for p in border} - {WALL}
        if len(colours) == 1:
            eyes.append((eye, border, colours.pop()))
    return eyes
