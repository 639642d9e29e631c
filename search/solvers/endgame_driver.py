"""Driver of the endgame solver: finds the result first, then the exact margin, in time slices."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tengen.engine.jit import StopFlag, specialise
from tengen.engine.play.position import Position
from tengen.engine.play.turns import legal_actions
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.binding import bound

ALPHABETA_LIMIT = 18  # greatest `remaining` at which alpha-beta replaces df-pn
# Positions that may be searched however little time is left, 3 ms each: at first, which solves most
# endings with 20 cells remaining, and for the answers to all replies.
FIRST_LOOK, SECURED = 6_000, 6_000
PROOF_SEARCH_FROM = 29  # least `remaining` from which df-pn finds the winner faster


class EndgameSolver:
    """What is known of the final margin of one position, for the side to move.

    The position is of a game whose rules are `engine.contract.EndgameRules`, with at most ``ENDGAME_LIMIT``
    remaining. The `flag` ends `advance` when set. The `weights` of the evaluation, None for the shipped ones,
    order replies. Df-pn finds the winner where at least `wide` remains; alpha-beta takes over at `small`.

    Attributes
    ----------
    low, high : int
        Bounds of the margin, points.
    action : int
        An action that is proven to reach `low`; -1 while `low` is only the least possible margin.
    proven_margin : int or None
        The margin that the search of the turn before has proven here, whatever the reply; None if it has not.
    nodes : int
        Positions visited.
    """

    def __init__(
        self,
        position: Position,
        table: TranspositionTable,
        flag: StopFlag,
        weights: NDArray[np.int64] | None = None,
        wide: int = PROOF_SEARCH_FROM,
        small: int = ALPHABETA_LIMIT,
    ) -> None:
        self._rules = bound(position.spec.game)
        self._kernels = specialise("tengen.search.solvers.endgame", self._rules)
        self._state = position.state
        self._table, self._flag = table, flag  # the record holds only their addresses
        record = np.zeros(1, self._kernels.ENDGAME)[0]
        record.stop, record.table, record.mask, record.age = (
            flag.address,
            table.address,
            table.mask,
            table.age,
        )
        record.weights = self._rules.TABLE if weights is None else weights
        record.small = small
        self._record = record
        self.high = int(self._rules.MAX_MARGIN)
        self.low, self.action = -self.high, -1
        self._step = 1
        self.proven_margin: int | None = None
        if int(position.state.key) in table.answers:
            self.low, self.action = table.answers[int(position.state.key)]
            self.proven_margin = self.low
        self._ahead = bool(self._rules.evaluate(position.state) >= 0)
        self._wide = bool(self._rules.remaining(position.state) >= wide)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._record.nodes)

    @property
    def sign(self) -> int | None:
        """1 for a proven win, -1 for a proven loss, 0 for a proven draw, None while that is open."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.low == self.high == 0 else None

    @property
    def margin_wanted(self) -> bool:
        """Whether to compute the margin: the result is known, and it is a win or little remains."""
        return self.sign is not None and (self.sign > 0 or not self._wide)

    @property
    def exact(self) -> bool:
        """Whether the margin is known."""
        return self.low == self.high

    def advance(self, nodes: int) -> bool:
        """Search up to `nodes` positions, or until the sign or the margin is known; return whether one is.

        A call ends when it finds the sign. The next call goes on with the margin. The flag is not heeded
        before the first `FIRST_LOOK` positions in all.
        """
        record = self._record
        record.node_limit, record.floor = record.nodes + nodes, FIRST_LOOK
        signed = self.sign is not None
        if not signed and self._recall():
            return True
        while not self.exact:
            bound = self._next_bound()
            answer = self._search_bound(self._state, bound, proof=not signed and self._wide)
            if answer is None:
                return False
            self._narrow_bounds(bound, *answer)
            if self.sign is not None and not signed:
                return True
        return True

    def call_kernels(self) -> None:
        """Call every kernel, so that all are compiled; the solver is of no use afterwards."""
        record = self._record
        self._recall()
        for proof in (False, True):
            record.node_limit = record.nodes + 1
            self._search_bound(self._state, 1, proof=proof)
        self._kernels.recall_hint(record)
        self._kernels.proven_action(record, self._rules.count(self._state))

    def _search_bound(self, state: np.record, bound: int, proof: bool) -> tuple[int, int] | None:
        """Search whether the margin of `state` is `bound` or more, by df-pn if `proof`; None if stopped.

        Else return a bound of the margin, at least `bound` when the margin is, and then an action that
        reaches it.
        """
        record, kernels = self._record, self._kernels
        record.stack[0], record.stopped = state, 0
        if not proof:
            value = int(kernels.solve(record, bound - 1, bound, 0))
            return None if record.stopped else (value, int(record.root_action))
        record.root_action = -1
        numbers = kernels.prove(record, bound, kernels.PN_INFINITY, kernels.PN_INFINITY, 0)
        if min(numbers):
            return None
        if numbers[0]:
            return bound - 1, -1
        by_proof = self._rules.remaining(state) > record.small
        action = kernels.proven_action(record, self._rules.count(state)) if by_proof else record.root_action
        return bound, int(action)

    def _recall(self) -> bool:
        """Take over what the table knows from earlier searches; return whether the sign is known.

        It takes no time, so that nothing proven is forgotten for want of it.
        """
        self._record.stack[0] = self._state
        low, high, action = self._kernels.recall_bounds(self._record)
        if low > self.low and action in legal_actions(self._rules, self._state):
            self.low, self.action = int(low), int(action)
        self.high = min(self.high, int(high))
        if self.sign is None and (known := self._proven_action(self._state, 1)) is not None:
            self._narrow_bounds(1, 1, known)
        return self.sign is not None

    def _next_bound(self) -> int:
        """Return the bound of the next null-window search."""
        sign = self.sign
        if sign is None:
            if self.low > -1 or self.high < 1:  # not lost, or not won
                return 1 if self.low > -1 else 0
            return 1 if self._ahead else 0
        if sign > 0:
            return min(self.low + self._step, self.high)
        return max(self.high - self._step + 1, self.low + 1)

    def _narrow_bounds(self, bound: int, value: int, action: int) -> None:
        """Narrow the bounds; the step doubles while answers move in the same direction."""
        forward = (value >= bound) == (self.low > 0)
        if value >= bound:
            self.low, self.action = value, action
        else:
            self.high = min(self.high, value)
        if self.sign is not None:
            self._step = 2 * self._step if forward else max(1, (self.high - self.low) // 2)

    def line(self, nodes: int) -> tuple[int, ...]:
        """Return the known actions of best play: at least one once the sign is known.

        Every action of a side with a win or a draw to hold is proven to hold it. So many `nodes` may be
        searched to find them.
        """
        rules, record = self._rules, self._record
        state, actions = self._state.copy(), list[int]()
        aim = self.low if self.low > 0 or self.exact else self.high
        record.node_limit = record.nodes + nodes
        while len(actions) <= self._kernels.MAX_PLY and (legal := legal_actions(rules, state)):
            proven = not actions and aim == self.low and self.action in legal
            action = self.action if proven else self._best(state, legal, aim)
            if action is None:
                break
            actions.append(action)
            side = state.side_to_move
            rules.do_move(state, action)
            aim = aim if state.side_to_move == side else -aim
        return tuple(actions)

    def holds(self, action: int, bound: int) -> bool:
        """Return whether the table knows that `action` reaches a margin of `bound`."""
        state = self._state.copy()
        self._rules.do_move(state, action)
        self._record.node_limit = self._record.nodes + 1
        answer = self._search_bound(state, 1 - bound, proof=False)
        return answer is not None and answer[0] < 1 - bound

    def length(self, actions: Sequence[int]) -> int:
        """Return an upper bound of the turns until the game is over, if it goes on with `actions`."""
        state = self._state.copy()
        for action in actions:
            self._rules.do_move(state, action)
        over = not self._rules.count(state)
        return len(actions) + (0 if over else 2 * int(self._rules.remaining(state)) + 1)

    def _holding(self, state: np.record, legal: list[int], aim: int) -> int | None:
        """Return an action that is proven to reach a margin of `aim`; None if none is found in time."""
        if len(legal) == 1:
            return legal[0]
        proven = self._proven_action(state, aim)
        if proven is not None:
            return proven
        answer = self._search_bound(state, aim, proof=self._rules.remaining(state) > self._record.small)
        return answer[1] if answer is not None and answer[0] >= aim else None

    def _best(self, state: np.record, legal: list[int], aim: int) -> int | None:
        """Return an action that reaches a margin of `aim`, or a guess if there is only a loss to hold."""
        action = self._holding(state, legal, aim)
        if action is not None or aim >= 0:
            return action
        self._record.stack[0] = state
        hint = int(self._kernels.recall_hint(self._record))
        return hint if hint in legal else min(legal, key=lambda action: self._reply_value(state, action))

    def secure(self, nodes: int) -> None:
        """Find an answer to every reply to `action` that keeps `low`, and store the answers beside the table.

        The search of the next turn starts from them, so it never loses what this one has proven. So many
        `nodes` may be searched; few are needed while the table still holds the proof. The flag is not heeded
        before the first `SECURED` of them. Nothing is stored unless every reply has an answer.
        """
        record = self._record
        record.node_limit, record.floor = record.nodes + nodes, record.nodes + SECURED
        answers = self._answers()
        record.floor = FIRST_LOOK
        if answers is not None:
            self._table.answers = answers

    def _answers(self) -> dict[int, tuple[int, int]] | None:
        """Return what `secure` stores; None if a reply has no answer in time."""
        rules = self._rules
        answers: dict[int, tuple[int, int]] = {}
        if self.action < 0:
            return answers
        after = self._state.copy()
        rules.do_move(after, self.action)
        for reply in legal_actions(rules, after):
            state = after.copy()
            rules.do_move(state, reply)
            if legal := legal_actions(rules, state):
                action = self._holding(state, legal, self.low)
                if action is None:
                    return None
                answers[int(state.key)] = self.low, action
        return answers

    def _proven_action(self, state: np.record, bound: int) -> int | None:
        """Return an action that reaches a margin of `bound` according to the table; None if it has none."""
        self._record.stack[0] = state
        action = int(self._kernels.recall_proof(self._record, bound))
        return action if action >= 0 else None

    def _reply_value(self, state: np.record, action: int) -> int:
        """Return the static evaluation after `action`, for the opponent."""
        child = state.copy()
        self._rules.do_move(child, action)
        return int(self._rules.evaluate_with(child, self._record.weights))
