"""Driver of the Monte-Carlo search: the threads that grow a tree, time slices, reports."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tengen.engine.game import Game, Outcome
from tengen.engine.jit import StopFlag, specialise
from tengen.engine.play.position import Position
from tengen.engine.play.turns import finish_turn
from tengen.engine.weights import Parameters
from tengen.engine.xorshift import seed_word
from tengen.search import repetition
from tengen.search.binding import bound
from tengen.search.info import PROVEN, WIN, Info, Score
from tengen.search.limits import restrictions
from tengen.search.limits.limit import Limits
from tengen.search.mcts.tree import Tree, child_range, state_bytes

BATCH = 64  # simulations between two checks of the clock
MIN_SIMULATIONS = 8  # which no flag, time or limit keeps from a turn
REPORT = 0.1  # seconds between two reports
MAX_PV_LENGTH = 30  # actions of a reported line
LINE_VISITS = 4  # least visits of a node in a reported line
MIN_UNPROVEN_RATE = 1e-4  # unproven win rates are clamped to [this, 1 - this]
MIN_BLOCKS = 4  # blocks of children that every thread must have room for
DYNAMIC_KOMI_INTERVAL = 2000  # simulations of the first thread between two updates of the dynamic komi
WAIT_SECONDS = 0.05  # seconds between two checks of a waiting thread
LCB_Z = 1.96  # standard deviations between a win rate and its lower bound
RIVAL_SHARE = 0.2  # of the most visited turn's visits, for another turn to dispute its place
PASS_MAX_WINRATE_LOSS = 0.03  # win rate that a pass may cost when it ends a won game
PASS_MAX_POINTS_LOSS = 0.7  # points that it may cost
PASS_MIN_VISITS = 30  # least visits of a pass that is judged by its win rate
PASS_MIN_RATE = 0.9  # least win rate of a pass that is played though others are visited more
NEVER = StopFlag()  # that nobody sets


class MctsSearch:
    """One search of a position by simulations.

    Parameters
    ----------
    position : Position
        The root; its game is not over.
    tree : Tree
    flag : StopFlag
        Ends the search when set, but not before `MIN_SIMULATIONS`.
    limits : Limits
        A depth limits the length of a descent.
    threads : int
        One calls `run`, the others `help`. Fewer simulate where the tree has no room for all.
    elapsed : callable, optional
        Returns the seconds since the start of the search, by default those since now.
    parameters : Parameters or None
        Numbers of the evaluation and of the net; None for the shipped ones.
    preparation : StopFlag or None
        Ends what the game's rules look into after the first simulations; `flag` when not given.
    """

    def __init__(
        self,
        position: Position,
        tree: Tree,
        flag: StopFlag,
        limits: Limits,
        threads: int = 1,
        elapsed: Callable[[], float] | None = None,
        parameters: Parameters | None = None,
        preparation: StopFlag | None = None,
    ) -> None:
        game = position.spec.game
        self._game: Game = game
        self._bound = bound(game)
        self._kernels = specialise("tengen.search.mcts.search", self._bound)
        self._position = position
        self._tree = tree
        self._flag = flag
        self._limits = limits
        self._elapsed = elapsed or _stopwatch()
        self._preparation = flag if preparation is None else preparation
        self._parameters = parameters
        self._active = 0  # helpers that are simulating
        self._paused = self._done = False
        self._change = threading.Condition()
        tree.set_root(position)
        threads = max(1, min(threads, len(tree.nodes) // (MIN_BLOCKS * game.rules.MAX_ACTIONS)))
        net = self._net()
        self._records = tree.records(threads, net)
        self._records[0]["guided"] = net is not None
        self._prepare(self._records[0])
        state_bytes(self._records)[1:] = state_bytes(self._records)[0]
        if self._kernels.HAS_PLAYOUTS:
            self._records["playout"]["random"][1:] = [seed_word(number) for number in range(1, threads)]
        self._share_out()
        self._last_root_stats = float(self._root.weight), float(self._root.value)

    def _net(self) -> Any:
        """Return the net that guides the search; None without one."""
        if not self._kernels.HAS_NET:
            return None
        nets = (self._parameters.net,) if self._parameters else self._bound.LEAF_NETS
        return next((net for net in nets if self._bound.net_knows(self._position.state, net)), None)

    def _prepare(self, record: Any) -> None:
        """Set up the first thread's record, and expand the root."""
        record["states"][0] = self._position.state
        repetition.set_up(record, self._position)
        record["stop"], record["threads"], record["scale"] = (
            self._flag.address,
            len(self._records),
            self._position.scale,
        )
        record["depth"] = self._limits.depth or self._kernels.MAX_PATH
        record["used"], record["end"] = self._tree.used, len(self._tree.nodes)
        if self._kernels.HAS_PLAYOUTS:
            self._bound.prepare(self._position.state, record.playout)
            record["playout"]["dynamic_komi"] = self._tree.dynamic_komi
        else:
            given = self._parameters
            record["evaluation"] = self._bound.TABLE if given is None else given.table
        restrictions.set_up(record, self._position, self._limits.restrictions)
        self._kernels.begin(record, self._tree.nodes)
        if self._limits.searchmoves:
            turns = [self._position.parse_turn(turn) for turn in self._limits.searchmoves]
            self._restrict(record, int(self._kernels.ROOT), self._position.state.copy(), turns)
        self._tree.used = int(record["used"])

    def _restrict(self, record: Any, index: int, state: Any, turns: Sequence[tuple[int, ...]]) -> None:
        """Make the first actions of `turns` the only children of a node, and go on with the actions after.

        Parameters
        ----------
        record : SEARCH record
            Of the thread whose free nodes are used.
        index : int
            The node.
        state : numpy.record
            Its state.
        turns : sequence of tuple of int
            What may be played from there to the end of the turn.
        """
        rules, nodes, kernels = self._game.rules, self._tree.nodes, self._kernels
        if not nodes[index].block:
            kernels.expand(record, nodes, np.int64(index), state, np.int64(0))
        first, count = child_range(nodes, index)
        children = nodes[first : first + count].copy()
        after: dict[int, list[tuple[int, ...]]] = {}
        for action, *rest in turns:
            after.setdefault(action, []).append(tuple(rest))
        kept = children[np.isin(children["action"], list(after))]
        missing = [action for action in after if action not in kept["action"]]  # no candidates
        block, size = int(record["used"]), len(kept) + len(missing)
        record["used"] = block + size
        nodes[block : block + len(kept)] = kept
        for place, action in enumerate(missing, block + len(kept)):
            kernels.layout.init_node(nodes[place], action, 0.5, kernels.PRIOR_WEIGHT, int(state["side_to_move"]))
        nodes[index].side_to_move = state["side_to_move"]
        nodes[index].block = block | size << 40
        for place in range(block, block + size):
            rests = [rest for rest in after[int(nodes[place].action)] if rest]
            if rests:
                then = state.copy()
                rules.do_move(then, nodes[place].action)
                self._restrict(record, place, then, rests)

    def _share_out(self) -> None:
        """Give every thread its share of the free nodes."""
        bounds = np.linspace(self._tree.used, len(self._tree.nodes), len(self._records) + 1).astype(np.int64)
        self._starts = bounds[:-1]
        for record, first, end in zip(self._records, bounds[:-1], bounds[1:], strict=True):
            record["used"], record["end"], record["full"] = first, end, 0

    # ------------------------------------------------------------------------------------------------ growing

    @property
    def simulations(self) -> int:
        """Simulations so far, by all threads."""
        return int(self._records["simulations"].sum())

    @property
    def _root(self) -> Any:
        return self._tree.nodes[self._kernels.ROOT]

    @property
    def _over(self) -> bool:
        """Whether nothing is left to do, once the first simulations are done."""
        return self._done or bool(self._flag) or bool(self._root.proof)

    def help(self, number: int) -> None:
        """Simulate as helper `number` (1, 2, ...) of the thread in `run`, until the search is over."""
        if number >= len(self._records):
            return
        record = self._records[number]
        while True:
            with self._change:
                while (self._paused or record["full"]) and not self._over:
                    self._change.wait(WAIT_SECONDS)
                if self._over:
                    return
                self._active += 1
            try:
                self._kernels.simulate(record, self._tree.nodes, np.int64(BATCH))
            finally:
                with self._change:
                    self._active -= 1
                    self._change.notify_all()

    def run(self, on_infos: Callable[[list[Info]], None] | None, should_stop: Callable[[], bool]) -> None:
        """Simulate until a limit is reached.

        Parameters
        ----------
        on_infos : callable or None
            Called every `REPORT` seconds with the candidates so far, which nobody else works out.
        should_stop : callable
            Polled between batches; returns whether to stop.
        """
        due, komi_updated_at = REPORT, 0
        try:
            self._simulate_least()
            self._find_dead()
            while not self._over and (left := self._next_batch()) > 0:
                self._kernels.simulate(self._records[0], self._tree.nodes, np.int64(left))
                if self._records["full"].any():
                    self._make_room()
                if int(self._records[0]["simulations"]) >= komi_updated_at + DYNAMIC_KOMI_INTERVAL:
                    self._update_dynamic_komi()
                    komi_updated_at += DYNAMIC_KOMI_INTERVAL
                if should_stop():
                    break
                if on_infos and self._elapsed() >= due:
                    on_infos(self.infos())
                    due = self._elapsed() + REPORT
        finally:
            self._done = True

    def _simulate_least(self) -> None:
        """Do the first simulations, whatever the flag says."""
        record = self._records[0]
        record["stop"] = NEVER.address
        while not self._root.proof and (left := MIN_SIMULATIONS - int(record["simulations"])) > 0:
            self._kernels.simulate(record, self._tree.nodes, np.int64(left))
            if record["full"]:
                self._make_room()
        record["stop"] = self._flag.address

    def _find_dead(self) -> None:
        """Let the game find out which stones are dead at the root, and whether a pass wins."""
        if self._kernels.HAS_PLAYOUTS and not self._over:
            playouts = [record.playout for record in self._records]
            self._bound.find_dead(self._position.state, playouts, self._preparation)
            self._kernels.boost_pass(self._records[0], self._tree.nodes)

    def _next_batch(self) -> int:
        """Return the number of simulations of the next batch; 0 when a limit has been reached."""
        if self._limits.depth is not None and self._deepest() >= self._limits.depth:
            return 0
        whole = BATCH - int(self._records[0]["simulations"]) % BATCH
        return whole if self._limits.nodes is None else min(whole, self._limits.nodes - self.simulations)

    def _update_dynamic_komi(self) -> None:
        """Update the dynamic komi; not in multi-PV or infinite searches."""
        weight, value = float(self._root.weight), float(self._root.value)
        before, mean = self._last_root_stats
        self._last_root_stats = weight, value
        guided = bool(self._records[0]["guided"])  # the net knows no other komi than that of the game
        if self._limits.multipv == 1 and not self._limits.infinite and weight > before and not guided:
            latest = (weight * value - before * mean) / (weight - before)
            for record in self._records:
                self._kernels.update_dynamic_komi(record, latest)

    def _make_room(self) -> None:
        """Prune the tree while all other threads are paused."""
        with self._change:
            self._paused = True
            try:
                self._change.wait_for(lambda: self._active == 0)
                parts = zip(self._starts, self._records["used"], strict=True)
                shared = slice(0, int(self._starts[0]))
                self._tree.prune([shared, *(slice(int(first), int(end)) for first, end in parts)])
                self._share_out()
            finally:
                self._paused = False
                self._change.notify_all()

    def finish(self, unvisited: bool = False) -> list[Info]:
        """Return the candidates, best first, when all threads have ended; see `infos`."""
        self._tree.used = int(max(self._records["used"]))
        if self._kernels.HAS_PLAYOUTS:
            self._tree.dynamic_komi = int(self._records[0]["playout"]["dynamic_komi"])
        return self.infos(unvisited)

    def call_kernels(self) -> None:
        """Call the kernels that searches rarely call, so that they are compiled."""
        if self._kernels.HAS_PLAYOUTS:
            self._kernels.wins_by_passing(self._records[0])
            self._kernels.update_dynamic_komi(self._records[0], 0.5)

    def lead(self) -> int:
        """Return by how many visits the most visited child of the root leads."""
        first, count = child_range(self._tree.nodes, self._kernels.ROOT)
        visits = np.sort(self._tree.nodes["visits"][first : first + count])
        return int(visits[-1] - visits[-2]) if count > 1 else 1 << 40

    def disputed(self) -> bool:
        """Return whether some child of the root, visited often enough, wins more than the most visited."""
        first, count = child_range(self._tree.nodes, self._kernels.ROOT)
        children = self._tree.nodes[first : first + count]
        most = int(np.argmax(children["visits"]))
        rates = children["value"] if self._position.side_to_move == 0 else 1.0 - children["value"]
        rivals = children["visits"] >= RIVAL_SHARE * children["visits"][most]
        return bool(np.any(rates[rivals] > rates[most]))

    # ---------------------------------------------------------------------------------------------- reporting

    def _ranked(self, unvisited: bool) -> list[int]:
        """Return the indices of the root's children, best first: proven wins, then by visits.

        Those that were not visited are among them only if `unvisited`, or if none was visited.
        """
        first, count = child_range(self._tree.nodes, self._kernels.ROOT)
        children = self._tree.nodes[first : first + count].copy()  # at one moment, as threads go on
        side = self._position.side_to_move
        won, lost = (
            children["proof"] == Outcome.FIRST_WINS + side,
            children["proof"] == Outcome.SECOND_WINS - side,
        )
        order = np.lexsort((-self._winrate(children), -children["visits"], lost, ~won))
        visited = order[children["visits"][order] > 0]
        ranked = order if unvisited else visited if len(visited) else order[:1]
        return self._order_winning_pass((first + ranked).tolist())

    def _order_winning_pass(self, order: list[int]) -> list[int]:
        """Return `order` with a winning pass moved to the front, or to the back if playing on gains anything.

        The prior of the pass was raised artificially, so its visit count means nothing. But where the game is
        not surely won, the reply to a pass may change the board that it wins on: it stays in its place.
        """
        if not (self._kernels.HAS_PLAYOUTS and self._kernels.wins_by_passing(self._records[0])):
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
        self._game.rules.do_move(state, self._tree.nodes[index].action)
        return bool(self._game.rules.outcome(state))

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

    def infos(self, unvisited: bool = False) -> list[Info]:
        """Return the candidates so far, best first; empty before the root is expanded.

        Turns that were not visited are among them only if `unvisited`.
        """
        if not self._root.block:
            return []
        seconds = self._elapsed()
        ranked = self._ranked(unvisited)[: self._limits.multipv]
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
        lead = None
        if self._kernels.HAS_PLAYOUTS:
            lead = self._margin(node)
        return Info(
            rank,
            len(pv),
            self._deepest(),
            self._score(node, rate, lead, len(whole)),
            "",
            self.simulations,
            seconds,
            min(1000, 1000 * self._in_use() // len(nodes)),
            whole,
            visits,
            rate,
            max(0.0, rate - spread),
            share or None,
            lead,
            ownership,
            pv_visits if len(pv_visits) == len(whole) else (),
        )

    def _deepest(self) -> int:
        """Return the length of the longest descent."""
        return int(self._records["deepest"].max())

    def _in_use(self) -> int:
        """Return how many nodes are in use."""
        free = int((self._records["end"] - self._records["used"]).sum())
        return len(self._tree.nodes) - free

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

        The first turn is always whole. Where it has not been searched to its end, it is finished by priority.
        """
        nodes, rules = self._tree.nodes, self._game.rules
        actions, visits = [int(nodes[index].action)], [int(nodes[index].visits)]
        state = self._position.state.copy()
        rules.do_move(state, np.int32(actions[0]))
        while len(actions) < MAX_PV_LENGTH and not rules.outcome(state):
            first, count = child_range(nodes, index)
            if not count:
                break
            index = self._principal_child(nodes[index], first, count)
            node = nodes[index]
            if node.visits < LINE_VISITS and not (state.partial or node.proof):
                break
            actions.append(int(nodes[index].action))
            visits.append(int(node.visits))
            rules.do_move(state, np.int32(actions[-1]))
        turns = self._position.whole_turns(actions)
        if not turns:
            actions += finish_turn(self._bound, state)
            turns = self._position.whole_turns(actions)
        return actions, turns, tuple(visits)

    def _principal_child(self, node: Any, first: int, count: int) -> int:
        """Return the best of the `count` children from `first` on: one that proves the node, or by visits."""
        children = self._tree.nodes[first : first + count]
        proving = np.flatnonzero(children["proof"] == node.proof) if node.proof else np.array([], np.int64)
        among = proving if len(proving) else np.arange(count)
        return first + int(among[np.argmax(children["visits"][among])])

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


def _stopwatch() -> Callable[[], float]:
    """Return a function that returns the seconds since now."""
    began = time.monotonic()
    return lambda: time.monotonic() - began
