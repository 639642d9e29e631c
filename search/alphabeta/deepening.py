"""Iterative deepening: search threads, aspiration windows, multi-PV, proofs beside the search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import StopFlag, specialise
from tengen.engine.play.position import Position
from tengen.engine.play.turns import groups, key_after_turn
from tengen.engine.weights import Parameters
from tengen.search import repetition
from tengen.search.alphabeta.abdada import CurrentlySearching
from tengen.search.alphabeta.numbers import numbers_of
from tengen.search.alphabeta.table import LOWER, TranspositionTable
from tengen.search.binding import bound
from tengen.search.info import INFINITE, PROVEN, WIN, Score
from tengen.search.levels import LEAVES, SOLVERS
from tengen.search.limits.limit import MAX_DEPTH, Limits, Restriction
from tengen.search.limits.restrictions import set_up as set_up_restrictions
from tengen.search.solvers.endgame_driver import EndgameSolver

ASPIRATION_MIN_DEPTH = 4
ASPIRATION_WINDOW = 40  # centi-points around the last value; four times as wide after each miss
MAX_ASPIRATION_WINDOW = 4000
THREAT_SHARE = 4  # positions searched for each action of the threat search, which takes half as long
PROOF_RATE = 7  # actions of the search by proof numbers for each position searched
HELPER_PROOF_RATE = 14  # ... where a helper does it, and the main thread does not
REFUTATION_RATE = 2  # actions of the same search for the opponent, after the best turns of its iterations
LEAST_PROOF = 2_000  # actions that are worth a call of it
THREAT_START = 5_000  # actions that the threat search may try at first; doubled whenever it gives up
ENDGAME_START = 20_000  # positions that the endgame solver may visit before a search without a depth limit
ENDGAME_SHARE = 2  # positions searched for each position of the endgame solver, later on
LAZY_SHARE = 4  # the same where more remains than `game.EAGER_LIMIT`; the solver gets no start there
SLICE_NODES = 250_000  # positions searched between two slices of the endgame solver within an iteration
ENDGAME_MARGIN_FACTOR = 10  # the solver may visit that many times more for the margin than for the result
ENDGAME_LINE_NODES = 20_000  # positions that the solver may visit to find the line of play
ENDGAME_RESERVE = 8  # a node limit's share (one in 8) that is left to secure a result and find its line
FIRST_SEARCH = 10_000  # positions within which the first search of a thread ends, however little time is left
NO_LEAVES = 1 << 48  # actions of the threat search at leaves, after which no leaf gets another
NO_SAMPLE = np.uint64((1 << 64) - 1)  # rank of an empty place in the sample of a search


@dataclass(frozen=True)
class PvLine:
    """A root turn and its principal variation, as one iteration found them.

    Attributes
    ----------
    rank, depth : int
        Rank among the candidates (1 is best), and iteration.
    score : Score
    bound : str
        ``lower``, ``upper`` or empty, as in `search.info.Info`.
    actions : tuple of int
        The line.
    key : int
        Zobrist key after the first turn, in the search that found the line.
    texts : callable
        Returns `turns`; called only when they are needed, since most lines are never shown.
    alike : tuple of int
        Keys after other turns that count as the same candidate.
    """

    rank: int
    depth: int
    score: Score
    bound: str
    actions: tuple[int, ...]
    key: int
    texts: Callable[[], tuple[str, ...]]
    alike: tuple[int, ...] = ()

    @cached_property
    def turns(self) -> tuple[str, ...]:
        """The whole turns of the line."""
        return self.texts()

    @property
    def wins(self) -> bool:
        """Whether it is a proven win."""
        return self.bound != "upper" and self.score.value >= PROVEN

    def improves(self, other: PvLine) -> bool:
        """Whether this proven line is better than `other`: a faster win, or a known margin."""
        if self.score.margin is not None:
            return self.score != other.score
        return self.score.value > other.score.value


class Searcher(Protocol):
    """Interface of anything that iterative deepening can drive."""

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    @property
    def deepest(self) -> int:
        """Greatest number of actions looked ahead."""

    @property
    def stopped(self) -> bool:
        """Whether the last search was aborted."""

    @property
    def solving(self) -> bool:
        """Whether an endgame solver is likely to find the result soon, and has not found it yet."""

    def search(
        self,
        depth: int,
        last: PvLine | None,
        rank: int,
        excluded: Sequence[int],
        on_bound: Callable[[PvLine], None] | None = None,
    ) -> PvLine | None:
        """Search `depth` actions deep, as `SearchThread.search` does."""

    def prove(self, depth: int, proven: PvLine | None) -> PvLine | None:
        """Look for a proof beside the search, as `SearchThread.prove` does."""

    def keep_promise(self, best: PvLine | None) -> PvLine | None:
        """Return `best`, or the turn that keeps what an earlier search has proven, as `SearchThread` does."""

    def recall(self) -> PvLine | None:
        """Return the turn that the table has for the root, as `SearchThread.recall` does."""

    def take_interim_proof(self) -> PvLine | None:
        """Return what was proven in the middle of the last search, once."""


class SearchThread:
    """One search thread: its memory, and searches of fixed depth of one position.

    Parameters
    ----------
    position : Position
        The root.
    table : TranspositionTable
        Shared with other threads.
    flag : StopFlag
        Ends a running search when set.
    node_limit : int
        Positions that this thread may visit; 0 for no limit.
    currently_searching : CurrentlySearching or None
        Shared with the other threads of this search; None when there are none.
    parameters : Parameters or None
        Those of the evaluation; None for the shipped ones.
    insight : int
        Which forced wins it sees beyond its depth (`search.levels.Level`).
    searchmoves : sequence of str
        The only root turns to search; empty for all. The solvers are left out then.
    grouped : bool
        Whether root turns that differ in details only are one candidate.
    restrictions : sequence of Restriction
        Of turns below the root (`search.limits.restrictions`). Where they are heeded, solvers are left out.

    Attributes
    ----------
    proof_rate : int
        Actions of the search by proof numbers for each position searched; 0 if this thread leaves it out.
    refutation_rate : int
        The same of searches for the opponent's win after the best turn.
    floor : int
        Neither the flag nor the node limit ends a search before so many positions have been visited.
    first_search : int
        The same of its first search, which is usually over far sooner: `FIRST_SEARCH`, so that a sound
        turn is found in any case, or 0.
    """

    def __init__(
        self,
        position: Position,
        table: TranspositionTable,
        flag: StopFlag,
        node_limit: int = 0,
        currently_searching: CurrentlySearching | None = None,
        parameters: Parameters | None = None,
        insight: int = SOLVERS,
        searchmoves: Sequence[str] = (),
        grouped: bool = False,
        restrictions: Sequence[Restriction] = (),
    ) -> None:
        self._kernels = specialise("tengen.search.alphabeta.search", bound(position.spec.game))
        self._root = position
        self._flag = flag
        self._shared = table, currently_searching  # keeps them alive: the record holds only addresses
        rules = bound(position.spec.game)
        self._net = rules.NET if parameters is None or parameters.net is None else parameters.net
        self._memory = table.take_record(self._kernels, self._net)
        record = self._memory[0]
        record["stop"], record["table"], record["mask"], record["age"] = (
            flag.address,
            table.address,
            table.mask,
            table.age,
        )
        record["node_limit"] = node_limit
        record["currently_searching"] = currently_searching.address if currently_searching else 0
        record["killers"][:] = -1
        self._salt = repetition.salt_of(position.drawn_keys)
        repetition.set_up(record, position, self._salt)
        record["cycle"] = repetition.NO_CYCLE
        record["stack"][0] = position.state
        record["stack"][0]["key"] ^= np.uint64(
            self._salt
        )  # and so, as keys are incremental, that of every position
        record["numbers"] = numbers_of(position.spec.game)
        record["weights"] = parameters.table if parameters else rules.TABLE
        record["leaf_threat_nodes"] = 0 if insight >= LEAVES else NO_LEAVES
        self._record = record  # fields are read by index: attributes are slower
        named = [position.parse_turn(turn) for turn in searchmoves]
        self._searchmoves = [(actions, self._key_after(actions)) for actions in named]
        record["searchmoves_count"] = len(named)
        record["searchmoves"][: len(named)] = [key for _, key in self._searchmoves]
        self._alike = self._root_groups() if grouped and position.spec.game.has_details else {}
        set_up_restrictions(record, position, restrictions)
        self._solves = insight >= SOLVERS and not (searchmoves or record["restricted"])
        self._threat_budget, self._threat_limit = 0, THREAT_START  # of the next threat search
        self.floor, self.first_search = 0, FIRST_SEARCH
        self.proof_rate = PROOF_RATE
        self.refutation_rate = REFUTATION_RATE
        self._refutations = 0  # actions that have been tried for the opponent
        self._sound: set[int] = set()  # keys after turns that no threats refute
        self._disproved = False  # proof numbers have shown that there is no win by threats
        self._endgame: EndgameSolver | None = None
        self._eager = True  # the endgame is likely to be solved, so the solver gets the larger share
        self._interleaved = False  # the solver gets slices within iterations, too
        self._reported: tuple[int | None, bool] = (None, False)  # result of the endgame, and if it is exact
        self._interim_proof: PvLine | None = None  # found by such a slice, or by a helper
        if (
            self._solves
            and hasattr(rules, "ENDGAME_LIMIT")
            and rules.remaining(position.state) <= rules.ENDGAME_LIMIT
        ):
            self._endgame = EndgameSolver(position, table, flag, parameters.table if parameters else None)
            self._eager = bool(rules.remaining(position.state) <= rules.EAGER_LIMIT)

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
        return self._endgame is not None and self._eager and self._endgame.sign is None

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
        """Search the root `depth` actions deep.

        Parameters
        ----------
        depth : int
        last : PvLine or None
            Line of the previous iteration: tried first, and the centre of the window.
        rank : int
            Of the candidate to find.
        excluded : sequence of int
            Keys after root turns to leave out.
        on_bound : callable, optional
            Called with a bound whenever the search fails high or low and is repeated with a wider window.

        Returns
        -------
        PvLine or None
            None when every turn is excluded, or when the search was aborted before it found anything.
        """
        hint = last.actions[0] if last else -1
        first_search, self.first_search = self.first_search, 0
        self._record["floor"] = max(self.floor, first_search and self.nodes + first_search)
        line = self._search_root(depth, last, hint, rank, excluded, on_bound)
        self._record["floor"] = self.floor
        while line and rank == 1 and not self.stopped and self._is_refuted(line):
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
                on_bound(missed if bound == "lower" else self._relabelled(missed, depth, value))
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
            pause = self._pause(limit)
            record["pv_length"][0], record["node_limit"] = 0, pause or limit
            value = int(self._kernels.search(record, depth, low, high, 0))
            record["node_limit"] = limit
            if not (pause and self.stopped) or self._flag:
                return value
            record["stopped"] = 0
            if record["pv_length"][0]:  # go on with the best turn so far
                record["hint"] = record["pv"][0][0]
            assert self._endgame
            self._interim_proof = self._solve_endgame(self._endgame, depth)
            if self._interim_proof:
                return value

    def _pause(self, limit: int) -> int:
        """Return the node count at which the endgame solver gets its next slice; 0 if none is due."""
        if not (self._interleaved and self._endgame) or self._endgame.exact:
            return 0
        pause = int(self._record["nodes"]) + SLICE_NODES
        return pause if not limit or pause < limit else 0

    def prove(self, depth: int, proven: PvLine | None) -> PvLine | None:
        """Continue the threat search or the endgame solver, for a share of the positions searched.

        Parameters
        ----------
        depth : int
            The iteration just finished; 0 before the first one, where the endgame solver gets a start.
        proven : PvLine or None
            Best proven line so far.

        Returns
        -------
        PvLine or None
            The winning line, or that of a solved endgame; None when the share is used up, or nothing more can
            be found.
        """
        if not self._solves:
            return None
        if depth == 0:
            self._interleaved = True
        if self._endgame:
            proof = self.take_interim_proof() or self._solve_endgame(self._endgame, depth)
            if proof or depth or self._endgame.promise is not None:
                return proof
        threats, record = self._kernels.threats, self._record
        if depth == 0:
            turns = int(self._kernels.proofs.follow_win(record, self._root.side_to_move, 0))
            return self._line(1, depth, WIN - turns, "") if turns else None
        if threats is None or proven:
            return None
        if self._kernels.proof_numbers:
            return self.take_interim_proof() or self.prove_by_numbers(depth)
        record["attacker"] = self._root.side_to_move
        while self._threat_budget < threats.MAX_THREAT_BUDGET:
            limit = record["threat_nodes"] + self._threat_limit
            if limit > max(record["nodes"] // THREAT_SHARE, THREAT_START):
                return None
            record["threat_limit"], record["gave_up"] = limit, 0
            turns = int(threats.prove(record, 0, self._kernels.MAX_PLY, self._threat_budget))
            if turns:
                return self._line(1, depth, WIN - turns, "")
            if record["gave_up"]:  # try again later, with more
                self._threat_limit *= 2
            elif record["budget_limited"]:
                self._threat_budget += 1
            else:
                self._threat_budget = threats.MAX_THREAT_BUDGET
        return None

    def prove_by_numbers(self, depth: int) -> PvLine | None:
        """Go on with the proof-number search for a share of the positions searched; return a win, or None."""
        record = self._record
        if self._disproved or not (self.proof_rate and self._kernels.proof_numbers):
            return None
        limit = max(record["nodes"] * self.proof_rate, THREAT_START)
        if limit - record["threat_nodes"] < LEAST_PROOF:
            return None
        turns, self._disproved = self._search_proof(self._root.side_to_move, limit)
        return self._line(1, depth, WIN - turns, "") if turns else None

    def _search_proof(self, attacker: int, limit: int) -> tuple[int, bool]:
        """Search the first position of the stack by proof numbers, up to a limit of all actions tried.

        Returns
        -------
        turns : int
            Until `attacker` has won by threats; 0 if no win is found.
        disproved : bool
            Whether there is none.
        """
        record = self._record
        record["attacker"], record["threat_limit"], record["gave_up"] = attacker, limit, 0
        turns = int(self._kernels.proof_numbers.prove(record))
        return turns, not (turns or record["gave_up"])

    def _is_refuted(self, line: PvLine) -> bool:
        """Return whether the opponent is found to win by threats after the first turn of `line`.

        It looks for such a win for a share of the positions searched. The win is in the table then, so that
        another search leaves the turn alone.
        """
        record, rules = self._record, bound(self._root.spec.game)
        if not (self._solves and self._kernels.proof_numbers) or line.score.proven or line.key in self._sound:
            return False
        actions = int(record["nodes"]) * self.refutation_rate - self._refutations
        if actions < LEAST_PROOF:
            return False
        root, before = record["stack"][0].copy(), int(record["threat_nodes"])
        rules.do_move(record["stack"][0], line.actions[0])
        turns = 0
        if rules.outcome(record["stack"][0]) == Outcome.ONGOING:
            turns, disproved = self._search_proof(1 - self._root.side_to_move, before + actions)
            if disproved:
                self._sound.add(line.key)
            self._refutations += int(record["threat_nodes"]) - before
        record["threat_nodes"], record["stack"][0] = before, root
        return turns > 0

    def keep_promise(self, best: PvLine | None) -> PvLine | None:
        """Return `best`, or the turn that keeps the margin which an earlier search has proven.

        If this search could not prove that margin again, its turn is played only if it is known to keep it.
        """
        ending = self._endgame
        if ending is None or ending.promise is None or (best and self._keeps(ending, best, ending.promise)):
            return best
        actions = (ending.action,)
        score, bound = (best.score if best else Score(0)), "upper"
        if ending.sign is not None:
            score, bound = Score(ending.sign * (WIN - ending.length(actions))), ""
        return self._pv_line(1, 0, score, bound, actions)

    def recall(self) -> PvLine | None:
        """Return the turn that the table has for the root from an earlier search.

        None if it has none, or a proven one: `prove` finds wins, and of losing turns the longest is wanted.
        """
        depth, value, bound = self._kernels.proofs.recall_turn(self._record)
        if not (depth and self._solves):
            return None
        actions = tuple(self._record["pv"][0][: self._record["pv_length"][0]].tolist())
        return self._pv_line(1, int(depth), Score(int(value)), "lower" if bound == LOWER else "", actions)

    @staticmethod
    def _keeps(ending: EndgameSolver, best: PvLine, margin: int) -> bool:
        """Return whether the turn of `best` is known to reach `margin`."""
        action = best.actions[0]
        if (best.wins and margin <= 1) or best.score.margin is not None or action == ending.action:
            return True
        return ending.holds(action, margin)

    def offer_proof(self, proof: PvLine) -> None:
        """Take over a win that a helper has proven; called by the helper's thread."""
        self._interim_proof = proof

    def take_interim_proof(self) -> PvLine | None:
        """Return what the endgame solver or a helper proved in the middle of the last search, once."""
        proof, self._interim_proof = self._interim_proof, None
        return proof

    def _solve_endgame(self, ending: EndgameSolver, depth: int) -> PvLine | None:
        """Continue to solve the endgame; return the line when its result or its margin has become known."""
        record, before = self._record, ending.nodes
        limit = int(record["node_limit"])

        def affordable(nodes: int, reserve: int = 0) -> int:
            """Return how many of `nodes` the limit allows, less a reserve; the search needs one more."""
            used = int(record["nodes"]) + ending.nodes - before
            return max(0, min(nodes, limit - used - 1 - reserve) if limit else nodes)

        if self._reported == (ending.sign, True) or not (self._eager or self._interleaved):
            return None
        reserve = limit // ENDGAME_RESERVE
        searched = int(record["nodes"]) - before
        start = ENDGAME_START if self._eager and self._interleaved else 0
        share = start + searched // (ENDGAME_SHARE if self._eager else LAZY_SHARE) - before
        if ending.margin_wanted:
            share = ENDGAME_MARGIN_FACTOR * max(start, share)
        open_before = ending.sign is None
        ending.advance(affordable(share, reserve))
        if open_before and ending.margin_wanted:  # the margin, too
            ending.advance(affordable(ENDGAME_MARGIN_FACTOR * max(ending.nodes, start), reserve))
        news = (ending.sign, ending.exact)
        actions: tuple[int, ...] = ()
        if ending.sign is not None and news != self._reported:
            self._reported = news
            ending.secure(affordable(max(ENDGAME_LINE_NODES, ending.nodes)))
            actions = ending.line(affordable(ENDGAME_LINE_NODES))
        record["nodes"] += ending.nodes - before
        if ending.sign is None or not actions:
            return None
        score = Score(ending.sign * (WIN - ending.length(actions)), ending.low if ending.exact else None)
        return self._pv_line(1, depth, score, "", actions)

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
        return PvLine(rank, depth, score, bound, actions, key, texts, self._alike.get(key, ()))

    def _key_after(self, actions: tuple[int, ...]) -> int | None:
        """Return the key in this search after the first turn of `actions`; None if they complete none."""
        key = key_after_turn(self._root.spec.game.rules, self._root.state, actions)
        return None if key is None else key ^ self._salt

    def _root_groups(self) -> dict[int, tuple[int, ...]]:
        """Return by the key after a root turn those after others that are the same candidate."""
        game = self._root.spec.game
        return {
            key ^ self._salt: tuple(other ^ self._salt for other in keys if other != key)
            for key, keys in groups(game.rules, game.text, self._root.state).items()
        }

    @staticmethod
    def _relabelled(line: PvLine, depth: int, value: int) -> PvLine:
        """Return the line of an earlier iteration with the upper bound found by this one."""
        return replace(line, depth=depth, score=Score(value), bound="upper")


def iterative_deepening(
    thread: Searcher,
    limits: Limits,
    on_line: Callable[[PvLine], None],
    should_stop: Callable[[int], bool],
) -> list[PvLine]:
    """Search with increasing depth until a limit is reached, or every candidate is proven.

    Parameters
    ----------
    thread : Searcher
    limits : Limits
        The depth and the number of candidates count; nodes and time are up to the caller.
    on_line : callable
        Called with every new line.
    should_stop : callable
        Called with the depth after each complete iteration; returns whether to stop.

    Returns
    -------
    list of PvLine
        The candidates, best first. All are from one finished iteration, and only proven wins are added to
        them; if one candidate is asked for, it is the best so far of the last iteration, finished or not, or
        what an earlier search has found by looking further ahead.
    """
    recalled = thread.recall() if _ends_by_itself(limits) and limits.multipv == 1 else None
    proven = thread.prove(0, None) if limits.depth is None else None  # best proven line so far
    best = [proven] if proven else []

    def tell(*lines: PvLine) -> None:
        for line in lines:
            on_line(_as_proven_loss(line, proven))

    if proven:
        tell(*best)
        if is_decisive(proven, limits):
            return best
    depth = 0
    while depth < min(limits.depth or MAX_DEPTH, MAX_DEPTH):
        depth += 1
        found: list[PvLine] = []
        for rank in range(1, limits.multipv + 1):
            last = best[rank - 1] if rank <= len(best) else None
            line = thread.search(depth, last, rank, _searched(found), tell)
            if line:
                found.append(line)
                tell(line)
            if thread.stopped or not line:
                break
        ranked = found
        if not thread.stopped:  # later candidates may have scored better than earlier ones
            ranked = sorted(found, key=lambda line: -line.score.value)
        unfinished = thread.stopped and limits.multipv > 1 and bool(best)
        if unfinished:  # values of two depths cannot be compared
            ranked = [line for line in found if line.wins]
        best = _merged(ranked, best)
        if ranked != found:  # not the order in which they were reported
            tell(*best)
        if best and best[0].wins and not (proven and proven.score.value >= best[0].score.value):
            proven = best[0]
        ended = thread.stopped or not best or should_stop(depth)
        found_proof = thread.take_interim_proof() if ended else thread.prove(depth, proven)
        proven = found_proof or proven
        if proven and (not best or proven.improves(best[0])):
            best = _merged([proven], best)
            tell(*best)
            ended = ended or is_decisive(proven, limits)
        elif found_proof:
            tell(*best)
        if ended or _all_proven(best, depth, limits):
            break
    if recalled and not (best and (best[0].score.proven or best[0].depth >= recalled.depth)):
        best = _merged([recalled], best)
        tell(*best)
    kept = thread.keep_promise(best[0] if best else None)
    if kept and (not best or kept is not best[0]):
        best = _merged([kept], best)
        tell(*best)
    return [_as_proven_loss(line, proven) for line in best]


def _as_proven_loss(line: PvLine, proven: PvLine | None) -> PvLine:
    """Label `line` as lost if the position is, but keep its moves: they are harder to beat.

    The margin is that of the `proven` line alone: other turns may lose by more.
    """
    if proven is None or proven.score.value > -PROVEN or line.score.proven:
        return line
    return replace(line, score=Score(proven.score.value), bound="")


def _searched(found: list[PvLine]) -> list[int]:
    """Return the keys after all root turns that count as candidates of `found`."""
    return [key for line in found for key in (line.key, *line.alike)]


def _merged(found: list[PvLine], before: list[PvLine]) -> list[PvLine]:
    """Return the lines of an iteration, filled up from the one before; each candidate appears once."""
    keys = _searched(found)
    merged = found + [line for line in before if line.key not in keys]
    merged = merged[: max(len(found), len(before))]
    return [replace(line, rank=rank) for rank, line in enumerate(merged, 1)]


def _ends_by_itself(limits: Limits) -> bool:
    """Return whether a search may end before it has used up its limits."""
    return not limits.infinite and limits.depth is None


def is_decisive(line: PvLine, limits: Limits) -> bool:
    """Return whether this proven line needs no further search."""
    certain = line.wins or line.score.margin is not None
    return certain and _ends_by_itself(limits) and limits.multipv == 1


def _all_proven(lines: list[PvLine], depth: int, limits: Limits) -> bool:
    """Return whether every candidate is proven, and a deeper search cannot find a faster end."""
    return _ends_by_itself(limits) and all(
        line.score.end_in is not None and abs(line.score.end_in) <= depth for line in lines
    )
