"""Forced wins: suites of positions, brute force that confirms them, and the engine's solver.

`tests.solver.zertz` has ZÈRTZ's suite and brute force, `tests.solver.fives` those of Gomoku, Renju and
Gobang. A suite is a text file, one position a line: game spec, position, and what a win takes. The suite of
`tests.solver.dvonn` has endings, and by how much they are won or lost.
"""

import weakref

from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchThread

NO_WIN = "-"
TABLE = TranspositionTable(1)  # keeps the memory of solvers that are gone for those that come


class Unfinished(Exception):
    """More would have to be tried than was allowed."""


class Solver:
    """The engine's solver on one position: what `SearchThread.prove` does, without its share of the time.

    It may try so many actions as the `limit` says.
    """

    def __init__(self, position: Position, limit: int = 10**9) -> None:
        self._position = position
        self._flag = StopFlag()
        TABLE.clear()
        self._thread = SearchThread(position, TABLE, self._flag)
        weakref.finalize(self, self._thread.release)
        self._record = self._thread._record
        self._record.attacker, self._record.threat_limit = position.side_to_move, limit

    @property
    def tried(self) -> int:
        """Actions tried so far."""
        return int(self._record.threat_nodes)

    def turns(self, threat_budget: int) -> tuple[str, ...]:
        """Return the winning line with up to so many offers, empty when none is found.

        Offers are ZÈRTZ's sacrifices, and the threats of Gomoku and Gobang that are no fours.

        `Unfinished` is raised when the limit is reached.
        """
        kernels = self._thread._kernels
        length = int(kernels.threats.prove(self._record, 0, kernels.MAX_PLY, threat_budget))
        return self._line(length, f"the solver gave up with {threat_budget} offers")

    def by_proof_numbers(self) -> tuple[str, ...]:
        """Return the winning line that proof numbers find, with any number of offers; empty without one.

        `Unfinished` is raised when the limit is reached.
        """
        length = int(self._thread._kernels.proof_numbers.prove(self._record))
        return self._line(length, "the proof-number search gave up")

    def _line(self, length: int, complaint: str) -> tuple[str, ...]:
        """Return the line of a win of this length, empty without one; raise if the search gave up."""
        record = self._record
        if record.gave_up:
            raise Unfinished(f"{self._position.text()}: {complaint}")
        return self._position.whole_turns(record.pv[0][: record.pv_length[0]].tolist()) if length else ()

    def fewest_offers(self, most: int) -> int | None:
        """Return with how many offers it finds a win, None when with `most` it finds none."""
        return next((number for number in range(most + 1) if self.turns(number)), None)
