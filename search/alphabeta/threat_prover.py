"""Wins by threats, looked for beside a search: for a share of the positions that it visits."""

from types import ModuleType
from typing import Any

from tengen.engine.contract import Rules
from tengen.engine.game import Outcome
from tengen.search.alphabeta.line import PvLine

THREAT_SHARE = 4  # positions searched for each action of the threat search, which takes half as long
PROOF_RATE = 7  # actions of the search by proof numbers for each position searched
HELPER_PROOF_RATE = 14  # ... where a helper does it, and the main thread does not
REFUTATION_RATE = 2  # actions of the same search for the opponent, after the best turns of its iterations
LEAST_PROOF = 2_000  # actions that are worth a call of it
THREAT_START = 5_000  # actions that the threat search may try at first; doubled whenever it gives up


class ThreatProver:
    """The search for wins by threats from the root of a search, where `side` is to move.

    A line that has been found is in the ``pv`` of the search's `record`.
    """

    def __init__(self, kernels: ModuleType, record: Any, rules: Rules, side: int) -> None:
        self._kernels, self._record, self._rules, self._side = kernels, record, rules, side
        self.proof_rate = PROOF_RATE  # 0 if this thread leaves the search by proof numbers out
        self.refutation_rate = REFUTATION_RATE  # likewise, for the opponent's win after the best turn
        self._budget, self._limit = 0, THREAT_START  # of the next threat search
        self._refutations = 0  # actions that have been tried for the opponent
        self._sound: set[int] = set()  # keys after turns that no threats refute
        self._disproved = False  # proof numbers have shown that there is no win by threats

    def prove(self) -> int:
        """Go on with the threat search; return the turns of a win, 0 if none is found."""
        threats, record = self._kernels.threats, self._record
        if threats is None:
            return 0
        record["attacker"] = self._side
        while self._budget < threats.MAX_THREAT_BUDGET:
            limit = record["threat_nodes"] + self._limit
            if limit > max(record["nodes"] // THREAT_SHARE, THREAT_START):
                return 0
            record["threat_limit"], record["gave_up"] = limit, 0
            turns = int(threats.prove(record, 0, self._kernels.MAX_PLY, self._budget))
            if turns:
                return turns
            if record["gave_up"]:  # try again later, with more
                self._limit *= 2
            elif record["budget_limited"]:
                self._budget += 1
            else:
                self._budget = threats.MAX_THREAT_BUDGET
        return 0

    def prove_by_numbers(self) -> int:
        """Go on with the search by proof numbers; return the turns of a win, 0 if none is found."""
        record = self._record
        if self._disproved or not (self.proof_rate and self._kernels.proof_numbers):
            return 0
        limit = max(record["nodes"] * self.proof_rate, THREAT_START)
        if limit - record["threat_nodes"] < LEAST_PROOF:
            return 0
        turns, self._disproved = self._search_proof(self._side, limit)
        return turns

    def _search_proof(self, attacker: int, limit: int) -> tuple[int, bool]:
        """Search the first position of the stack by proof numbers, up to a limit of all actions tried.

        Return the turns until `attacker` has won by threats, 0 if no win is found, and whether there is none.
        """
        record = self._record
        record["attacker"], record["threat_limit"], record["gave_up"] = attacker, limit, 0
        turns = int(self._kernels.proof_numbers.prove(record))
        return turns, not (turns or record["gave_up"])

    def refutes(self, line: PvLine) -> bool:
        """Return whether the opponent is found to win by threats after the first turn of `line`.

        The win is in the table then, so that another search leaves the turn alone.
        """
        record = self._record
        if not self._kernels.proof_numbers or line.score.is_proven or line.key in self._sound:
            return False
        actions = int(record["nodes"]) * self.refutation_rate - self._refutations
        if actions < LEAST_PROOF:
            return False
        root, before = record["stack"][0].copy(), int(record["threat_nodes"])
        self._rules.do_move(record["stack"][0], line.actions[0])
        turns = 0
        if self._rules.outcome(record["stack"][0]) == Outcome.ONGOING:
            turns, disproved = self._search_proof(1 - self._side, before + actions)
            if disproved:
                self._sound.add(line.key)
            self._refutations += int(record["threat_nodes"]) - before
        record["threat_nodes"], record["stack"][0] = before, root
        return turns > 0
