"""What is reported of a tree of simulations: candidates with their scores, lines and ownership."""

import math
from types import ModuleType
from typing import Any

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.play.turns import finish_turn
from tengen.search.binding import bound
from tengen.search.info import PROVEN, WIN, Info, Score
from tengen.search.mcts.tree import Tree, child_range

MAX_PV_LENGTH = 30  # actions of a reported line
LINE_VISITS = 4  # least visits of a node in a reported line
MIN_UNPROVEN_RATE = 1e-4  # unproven win rates are clamped to [this, 1 - this]
LCB_Z = 1.96  # standard deviations between a win rate and its lower bound
PASS_MAX_WINRATE_LOSS = 0.03  # win rate that a pass may cost when it ends a won game
PASS_MAX_POINTS_LOSS = 0.7  # points that it may cost
PASS_MIN_VISITS = 30  # least visits of a pass that is judged by its win rate
PASS_MIN_RATE = 0.9  # least win rate of a pass that is played though others are visited more


class Report:
    """What the tree of a search says about its root, `position`; the `records` are those of all threads."""

    def __init__(self, position: Position, tree: Tree, kernels: ModuleType, records: Any) -> None:
        self._position, self._tree, self._kernels, self._records = position, tree, kernels, records
        self._bound = bound(position.spec.game)

    @property
    def simulations(self) -> int:
        """Simulations so far, by all threads."""
        return int(self._records["simulations"].sum())

    def ranked(self, unvisited: bool) -> list[int]:
        """Return the indices of the root's children, best first: proven wins, then by visits.

        Those that were not visited are among them only if `unvisited`, or if none was visited.
        """
        first, count = child_range(self._tree.nodes, self._kernels.ROOT)
        children = self._tree.nodes[first : first + count].copy()  # at one moment, as threads go on
        side = self._position.side_to_move
        won = children["proof"] == Outcome.FIRST_WINS + side
        lost = children["proof"] == Outcome.SECOND_WINS - side
        order = np.lexsort((-self._winrate(children), -children["visits"], lost, ~won))
        visited = order[children["visits"][order] > 0]
        ranked = order if unvisited else visited if len(visited) else order[:1]
        return self._order_winning_pass((first + ranked).tolist())

    def _order_winning_pass(self, order: list[int]) -> list[int]:
        """Return `order` with a winning pass moved to the front, or to the back if playing on gains anything.

        The prior of the pass was raised artificially, so its visit count means nothing. But where the game is
        not surely won, the reply to a pass may change the board that it wins on: it stays in its place.
        """
        if not self._kernels.HAS_PLAYOUTS:
            return order
        if not self._bound.wins_by_passing(self._position.state, self._records[0].playout):
            return order
        nodes = self._tree.nodes
        passing = next((index for index in order if nodes[index].action == self._bound.PASS), None)
        if passing is None or nodes[passing].proof:
            return order
        if self._winrate(nodes[passing]) < PASS_MIN_RATE and not self._ends_game(passing):
            return order
        others = [index for index in order if index != passing]
        if not others:
            first, count = child_range(nodes, self._kernels.ROOT)
            others = [index for index in range(first, first + count) if index != passing][:1]
        return [passing, *others] if self._may_pass(passing, others) else [*others, passing]

    def without_idle_pass(self, infos: list[Info]) -> list[Info]:
        """Return `infos` without a pass that is not the best turn; only the pass if that is the best."""
        if not self._kernels.HAS_PLAYOUTS:
            return infos
        passing = self._position.format((int(self._bound.PASS),))
        if infos and infos[0].pv[0] == passing:
            return infos[:1]
        return [info for info in infos if info.pv[0] != passing]

    def _may_pass(self, passing: int, others: list[int]) -> bool:
        """Return whether none of the `others` is better than the winning pass at `passing`."""
        nodes = self._tree.nodes
        seen = [index for index in others if nodes[index].visits >= PASS_MIN_VISITS]
        if not others or (not seen and self._ends_game(passing)):
            return True
        if not seen or nodes[passing].visits < PASS_MIN_VISITS:
            return False
        value, best = self._winrate(nodes[[passing, seen[0]]])
        if best - value > PASS_MAX_WINRATE_LOSS or (nodes[seen[0]].proof and best > value):
            return False
        gain = max(self._margin(nodes[index]) for index in seen) - self._margin(nodes[passing])
        return gain <= PASS_MAX_POINTS_LOSS

    def _ends_game(self, index: int) -> bool:
        """Return whether the action of this child of the root ends the game."""
        state = self._position.state.copy()
        self._position.spec.game.rules.do_move(state, int(self._tree.nodes[index].action))
        return bool(self._position.spec.game.rules.outcome(state))

    def _margin(self, node: Any) -> float:
        """Return the mean margin of a node, in points, for the side to move at the root."""
        return float(node.margin) / 100 * (1 if self._position.side_to_move == 0 else -1)

    def _winrate(self, nodes: Any) -> Any:
        """Return the win rate (float64) of a node, or of several, without priors, for the side to move.

        With a net, which has its share in values and weights, the first-play urgency counts as well.
        """
        weight, value = nodes["weight"].astype(np.float64), nodes["value"].astype(np.float64)
        visits = nodes["visits"]
        before = weight - visits  # weight of the prior
        first = nodes["prior"] if self._position.side_to_move == 0 else before - nodes["prior"]
        played = np.clip((value * weight - first) / np.maximum(visits, 1), 0.0, 1.0)
        if not self._records[0]["guided"]:
            value = np.where(visits > 0, played, value)
        return value if self._position.side_to_move == 0 else 1.0 - value

    def infos(self, seconds: float, most: int, unvisited: bool) -> list[Info]:
        """Return at most so many candidates, best first; empty before the root is expanded.

        Turns that were not visited are among them only if `unvisited`. `seconds` have passed since the start.
        """
        if not self._tree.nodes[self._kernels.ROOT].block:
            return []
        ranked = self.ranked(unvisited)[:most]
        ownership = self._ownership()
        first, count = child_range(self._tree.nodes, self._kernels.ROOT)
        name = "policy" if self._records[0]["guided"] else "prior"
        priors = self._tree.nodes[name][first : first + count]
        shares = priors / (priors.sum() or 1.0)
        return [
            self._info(rank, index, seconds, ownership, float(shares[index - first]))
            for rank, index in enumerate(ranked, 1)
        ]

    def _info(
        self, rank: int, index: int, seconds: float, ownership: tuple[float, ...], share: float
    ) -> Info:
        """Return the report on the child at `index`, which has this `share` of all children's priors."""
        nodes = self._tree.nodes
        node = nodes[index]
        pv, whole, pv_visits = self._line(index)
        visits = int(node.visits)
        rate = min(max(float(self._winrate(node)), 0.0), 1.0)
        spread = LCB_Z * math.sqrt(max(rate * (1.0 - rate), 0.01) / max(visits, 1))
        lead = self._margin(node) if self._kernels.HAS_PLAYOUTS else None
        free = int((self._records["end"] - self._records["used"]).sum())
        return Info(
            rank,
            len(pv),
            self.deepest,
            self._score(node, rate, lead, len(whole)),
            "",
            self.simulations,
            seconds,
            min(1000, 1000 * (len(nodes) - free) // len(nodes)),
            whole,
            visits,
            rate,
            max(0.0, rate - spread),
            share or None,
            lead,
            ownership,
            pv_visits if len(pv_visits) == len(whole) else (),
        )

    @property
    def deepest(self) -> int:
        """The length of the longest descent."""
        return int(self._records["deepest"].max())

    def _score(self, node: Any, rate: float, lead: float | None, turns: int) -> Score:
        """Return the score of a candidate: proven, or by its lead, or by its win rate."""
        if node.proof in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
            won = node.proof - Outcome.FIRST_WINS == self._position.side_to_move
            return Score(WIN - turns if won else turns - WIN)
        if lead is None:
            return Score.of_rate(rate, self._position.scale, MIN_UNPROVEN_RATE)
        return Score(max(1 - PROVEN, min(PROVEN - 1, round(100 * lead))))

    def _line(self, index: int) -> tuple[list[int], tuple[str, ...], tuple[int, ...]]:
        """Return the principal variation from the child at `index` on: actions, turns, visits of the actions.

        It goes on with a child that proves the node, or else with the one of most visits. The first turn is
        always whole. Where it has not been searched to its end, it is finished by priority.
        """
        nodes, rules = self._tree.nodes, self._position.spec.game.rules
        actions, visits = [int(nodes[index].action)], [int(nodes[index].visits)]
        state = self._position.state.copy()
        rules.do_move(state, actions[0])
        while len(actions) < MAX_PV_LENGTH and not rules.outcome(state):
            first, count = child_range(nodes, index)
            if not count:
                break
            children, proof = nodes[first : first + count], nodes[index].proof
            proving = np.flatnonzero(children["proof"] == proof) if proof else np.arange(0)
            among = proving if len(proving) else np.arange(count)
            index = first + int(among[np.argmax(children["visits"][among])])
            node = nodes[index]
            if node.visits < LINE_VISITS and not (state.partial or node.proof):
                break
            actions.append(int(node.action))
            visits.append(int(node.visits))
            rules.do_move(state, actions[-1])
        turns = self._position.whole_turns(actions)
        if not turns:
            actions += finish_turn(self._bound, state)
            turns = self._position.whole_turns(actions)
        return actions, turns, tuple(visits)

    def _ownership(self) -> tuple[float, ...]:
        """Return the ownership of each point, rows from the top, for the side to move; empty if unknown."""
        if not self._kernels.HAS_PLAYOUTS:
            return ()
        playouts = int(self._records["playout"]["playouts"].sum())
        if not playouts:
            return ()
        total = self._records["playout"]["owner"].sum(axis=0)
        sign = 1 if self._position.side_to_move == 0 else -1
        owned = sign * total[self._bound.points(self._position.state)] / playouts
        return tuple(np.round(owned, 3).tolist())
