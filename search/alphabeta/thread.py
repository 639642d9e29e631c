"""One search thread of alpha-beta: its memory, aspiration windows, what it proves beside the search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from tengen.engine.jit import StopFlag, specialise
from tengen.engine.play.position import Position
from tengen.engine.play.turns import first_turn, groups
from tengen.engine.weights import Parameters
from tengen.search import repetition
from tengen.search.alphabeta.abdada import CurrentlySearching
from tengen.search.alphabeta.ending import Ending, is_ending
from tengen.search.alphabeta.line import PvLine
from tengen.search.alphabeta.params import params_of
from tengen.search.alphabeta.table import LOWER, TranspositionTable
from tengen.search.alphabeta.threat_prover import ThreatProver
from tengen.search.binding import bound
from tengen.search.info import INFINITE, PROVEN, WIN, Score
from tengen.search.levels import ALL_SOLVERS, LEAF_SOLVER
from tengen.search.limits import restrictions
from tengen.search.limits.limit import Restriction

ASPIRATION_MIN_DEPTH = 4
ASPIRATION_WINDOW = 40  # centi-points around the last value; four times as wide after each miss
MAX_ASPIRATION_WINDOW = 4000
FIRST_SEARCH = 10_000  # positions within which the first search of a thread ends, however little time is left
NO_LEAVES = 1 << 48  # actions of the threat search at leaves, after which no leaf gets another
NO_SAMPLE = np.uint64((1 << 64) - 1)  # rank of an empty place in the sample of a search


@dataclass(frozen=True)
class SearchOptions:
    """What a search thread looks at, and with what.

    The solvers are left out with `searchmoves`, and where `restrictions` are heeded.
    """

    parameters: Parameters | None = None  # those of the evaluation; None for the shipped ones
    solvers: int = ALL_SOLVERS  # which forced wins it sees beyond its depth (`search.levels.Level`)
    searchmoves: Sequence[str] = ()  # the only root turns to search; empty for all
    grouped: bool = False  # whether root turns that differ in details only are one candidate
    restrictions: Sequence[Restriction] = ()  # of turns below the root (`search.limits.restrictions`)
    currently_searching: CurrentlySearching | None = None  # shared with the other threads, if there are any


class SearchThread:
    """One search thread: its memory, and searches of fixed depth of one position.

    Threads share the `table`. The `flag` ends a running search when set, and so do so many positions visited
    by this thread; a limit of 0 is none.
    """

    def __init__(
        self,
        position: Position,
        table: TranspositionTable,
        flag: StopFlag,
        node_limit: int = 0,
        options: SearchOptions = SearchOptions(),
    ) -> None:
        rules, parameters = bound(position.spec.game), options.parameters
        self._kernels = specialise("tengen.search.alphabeta.search", rules)
        self._root, self._flag = position, flag
        self._shared = table, options.currently_searching  # kept alive: the record holds only addresses
        self._net = rules.NET if parameters is None or parameters.net is None else parameters.net
        self._memory = table.take_record(self._kernels, self._net)
        self._record = self._memory[0]  # fields are read by index: attributes are slower
        self._salt = repetition.set_up(self._record, position, salted=True)
        self._record["node_limit"] = node_limit
        self._set_up_record(options)
        self._searchmoves = self._named(options.searchmoves)
        self._equivalent = self._root_groups() if options.grouped and position.spec.game.has_details else {}
        restricted = options.searchmoves or self._record["restricted"]
        self._solves = options.solvers >= ALL_SOLVERS and not restricted
        self.floor = 0  # neither the flag nor the node limit ends a search before so many positions
        self.first_search = FIRST_SEARCH  # the same of the first search, so that a sound turn is found; or 0
        self.threats = ThreatProver(self._kernels, self._record, rules, position.side_to_move)
        self._ending: Ending | None = None
        if self._solves and is_ending(position):
            self._ending = Ending(position, table, flag, parameters, self._record)
        self._interim_proof: PvLine | None = None  # by the endgame solver or a helper

    def _set_up_record(self, options: SearchOptions) -> None:
        """Write what kernels have to know into the record, which is zeros."""
        record, position, parameters = self._record, self._root, options.parameters
        table, currently_searching = self._shared
        record["stop"], record["table"] = self._flag.address, table.address
        record["mask"], record["age"] = table.mask, table.age
        record["currently_searching"] = currently_searching.address if currently_searching else 0
        record["killers"][:] = -1
        record["cycle"] = repetition.NO_CYCLE
        record["stack"][0] = position.state
        # And so, as keys are incremental, that of every position
        record["stack"][0]["key"] ^= np.uint64(self._salt)
        record["params"] = params_of(position.spec.game)
        record["weights"] = parameters.table if parameters else bound(position.spec.game).TABLE
        record["leaf_threat_nodes"] = 0 if options.solvers >= LEAF_SOLVER else NO_LEAVES
        restrictions.set_up(record, position, options.restrictions)

    def _named(self, searchmoves: Sequence[str]) -> list[tuple[tuple[int, ...], int | None]]:
        """Make these turns the only ones to search; return their actions and the keys after them."""
        turns = [self._root.parse_turn(turn) for turn in searchmoves]
        named = [(actions, self._key_after(actions)) for actions in turns]
        self._record["searchmoves_count"] = len(named)
        self._record["searchmoves"][: len(named)] = [key for _, key in named]
        return named

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._record["nodes"])

    @property
    def deepest(self) -> int:
        """Greatest number of actions looked ahead."""
        return int(self._record["deepest"])

    @property
    def stopped(self) -> bool:
        """Whether the last search was aborted."""
        return bool(self._record["stopped"])

    @property
    def solving(self) -> bool:
        """Whether an endgame solver is likely to find the result soon, and has not found it yet."""
        return self._ending is not None and self._ending.solving

    def release(self) -> None:
        """Let the next search have the memory. What has been counted can still be read until it begins."""
        self._shared[0].give_back(self._kernels, self._memory, self._net)

    def keep_sample(self, size: int) -> None:
        """Begin to keep up to `size` of the positions that are evaluated, at most `MAX_SAMPLE`."""
        self._record["sample_size"], self._record["sample_ranks"] = size, NO_SAMPLE

    def sample(self) -> list[Any]:
        """Return the positions that were kept; they are other positions than the root."""
        size, state_type = self._record["sample_size"], bound(self._root.spec.game).STATE
        found = self._record["sample_ranks"][:size] < NO_SAMPLE
        kept = self._record["sample"][:size][found].view(state_type)
        kept["key"] ^= np.uint64(self._salt)
        return [state for state in kept if state["key"] != self._root.state["key"]]

    def search(
        self,
        depth: int,
        last: PvLine | None,
        rank: int,
        excluded: Sequence[int],
        on_bound: Callable[[PvLine], None] | None = None,
    ) -> PvLine | None:
        """Search the root `depth` actions deep for the candidate of this `rank`; return its line.

        The line `last` of the previous iteration is tried first, and is the centre of the window. Root turns
        are left out after which the position has one of the keys `excluded`. `on_bound` is called with a
        bound whenever the search fails high or low and is repeated with a wider window. It is None when every
        turn is excluded, or when the search was aborted before it found anything.
        """
        hint = last.actions[0] if last else -1
        first_search, self.first_search = self.first_search, 0
        self._record["floor"] = max(self.floor, first_search and self.nodes + first_search)
        line = self._search_root(depth, last, hint, rank, excluded, on_bound)
        self._record["floor"] = self.floor
        while line and rank == 1 and self._solves and not self.stopped and self.threats.refutes(line):
            line = self._search_root(depth, last, hint, rank, excluded, on_bound)
        if line or self.stopped:
            return line
        left = (actions for actions, key in self._searchmoves if key not in excluded)
        for actions in left:  # those that cannot help are no candidates: they are searched as the hint
            line = self._search_root(depth, None, actions[0], rank, excluded)
            if line or self.stopped:
                return line
        return None

    def _search_root(
        self,
        depth: int,
        last: PvLine | None,
        hint: int,
        rank: int,
        excluded: Sequence[int],
        on_bound: Callable[[PvLine], None] | None = None,
    ) -> PvLine | None:
        """Search as `search` does, with the action `hint` among the candidates; -1 for none."""
        record, infinite = self._record, INFINITE
        record["hint"] = hint
        record["excluded_count"] = len(excluded)
        record["excluded"][: len(excluded)] = excluded
        low, high = -infinite, infinite
        margin = ASPIRATION_WINDOW
        if last and depth >= ASPIRATION_MIN_DEPTH and abs(last.score.value) < PROVEN:
            low, high = last.score.value - margin, last.score.value + margin
        while True:
            value = self._search_window(depth, low, high)
            if self._interim_proof:
                return None
            if self.stopped:  # the best so far; other turns may be better
                return self._line(rank, depth, int(record["root_value"]), "lower")
            if low < value < high or (low == -infinite and high == infinite):
                return self._line(rank, depth, value, "")
            bound = "lower" if value >= high else "upper"
            before = last if last and last.key not in excluded else None
            if on_bound and (missed := self._line(rank, depth, value, bound) or before):
                failed_low = replace(missed, depth=depth, score=Score(value), bound="upper")
                on_bound(missed if bound == "lower" else failed_low)
            margin *= 4
            wide = margin > MAX_ASPIRATION_WINDOW or abs(value) >= PROVEN
            if bound == "lower":
                high = infinite if wide else value + margin
            else:
                low = -infinite if wide else value - margin

    def _search_window(self, depth: int, low: int, high: int) -> int:
        """Search the root; return its value, which is invalid if the search was aborted.

        The search pauses for slices of the endgame solver, and ends if one of them sets `_interim_proof`.
        """
        record, limit = self._record, int(self._record["node_limit"])
        while True:
            pause = self._ending.pause(limit) if self._ending else 0
            record["pv_length"][0], record["node_limit"] = 0, pause or limit
            value = int(self._kernels.search(record, depth, low, high, 0))
            record["node_limit"] = limit
            if not (pause and self.stopped) or self._flag:
                return value
            record["stopped"] = 0
            if record["pv_length"][0]:  # go on with the best turn so far
                record["hint"] = record["pv"][0][0]
            self._interim_proof = self._solve_ending(depth)
            if self._interim_proof:
                return value

    def prove(self, depth: int, proven: PvLine | None) -> PvLine | None:
        """Continue the threat search or the endgame solver, for a share of the positions searched.

        The iteration of `depth` has just finished; before the first one it is 0, and the endgame solver gets
        a start. `proven` is the best proven line so far. The winning line is returned, or that of a solved
        endgame; None when the share is used up, or nothing more can be found.
        """
        if not self._solves:
            return None
        if self._ending:
            self._ending.interleaved |= depth == 0
            proof = self.take_interim_proof() or self._solve_ending(depth)
            if proof or depth or self._ending.solver.proven_margin is not None:
                return proof
        if depth == 0:
            return self._won_in(
                self._kernels.proofs.follow_win(self._record, self._root.side_to_move, 0), depth
            )
        if proven:
            return None
        if self._kernels.proof_numbers:
            return self.take_interim_proof() or self.prove_by_numbers(depth)
        return self._won_in(self.threats.prove(), depth)

    def prove_by_numbers(self, depth: int) -> PvLine | None:
        """Go on with the proof-number search for a share of the positions searched; return a win, or None."""
        return self._won_in(self.threats.prove_by_numbers(), depth) if self._solves else None

    def _won_in(self, turns: int, depth: int) -> PvLine | None:
        """Return the line that has been found to win in so many turns; None for 0."""
        return self._line(1, depth, WIN - int(turns), "") if turns else None

    def hold_margin(self, best: PvLine | None) -> PvLine | None:
        """Return `best`, or the turn that holds the margin which an earlier search has proven."""
        held = self._ending.held(best) if self._ending else None
        return self._pv_line(1, 0, *held) if held else best

    def recall(self) -> PvLine | None:
        """Return the turn that the table has for the root from an earlier search.

        None if it has none, or a proven one: `prove` finds wins, and of losing turns the longest is wanted.
        """
        depth, value, bound = self._kernels.proofs.recall_turn(self._record)
        if not (depth and self._solves):
            return None
        actions = tuple(self._record["pv"][0][: self._record["pv_length"][0]].tolist())
        return self._pv_line(1, int(depth), Score(int(value)), "lower" if bound == LOWER else "", actions)

    def offer_proof(self, proof: PvLine) -> None:
        """Take over a win that a helper has proven; called by the helper's thread."""
        self._interim_proof = proof

    def take_interim_proof(self) -> PvLine | None:
        """Return what the endgame solver or a helper proved in the middle of the last search, once."""
        proof, self._interim_proof = self._interim_proof, None
        return proof

    def _solve_ending(self, depth: int) -> PvLine | None:
        """Continue to solve the endgame; return the line when its result or its margin has become known."""
        proof = self._ending.advance() if self._ending else None
        return self._pv_line(1, depth, *proof) if proof else None

    def _line(self, rank: int, depth: int, value: int, bound: str) -> PvLine | None:
        """Return the best line of the last search; None when it has found none.

        That of a proven result goes on to the end, as far as the table knows it.
        """
        proven = (value >= PROVEN and bound != "upper") or (value <= -PROVEN and bound != "lower")
        if proven and self._record["pv_length"][0] and not self._record["restricted"]:
            side = self._root.side_to_move
            self._kernels.proofs.follow_win(self._record, side if value > 0 else 1 - side, WIN - abs(value))
        actions = tuple(self._record["pv"][0][: self._record["pv_length"][0]].tolist())
        return self._pv_line(rank, depth, Score(value), bound, actions)

    def _pv_line(
        self, rank: int, depth: int, score: Score, bound: str, actions: tuple[int, ...]
    ) -> PvLine | None:
        """Return the line of `actions` from the root; None when they complete no turn."""
        key = self._key_after(actions)
        if key is None:
            return None
        texts = partial(self._root.whole_turns, actions)
        return PvLine(rank, depth, score, bound, actions, key, texts, self._equivalent.get(key, ()))

    def _key_after(self, actions: tuple[int, ...]) -> int | None:
        """Return the key in this search after the first turn of `actions`; None if they complete none."""
        _, key = first_turn(self._root.spec.game.rules, self._root.state, actions)
        return None if key is None else key ^ self._salt

    def _root_groups(self) -> dict[int, tuple[int, ...]]:
        """Return by the key after a root turn those after others that are the same candidate."""
        game = self._root.spec.game
        return {
            key ^ self._salt: tuple(other ^ self._salt for other in keys if other != key)
            for key, keys in groups(game.rules, game.text, self._root.state).items()
        }
