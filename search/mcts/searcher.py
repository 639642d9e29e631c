"""Driver of the Monte-Carlo search: the threads that grow a tree, time slices, reports."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tengen.engine.game import Game
from tengen.engine.jit import StopFlag, specialise
from tengen.engine.play.position import Position
from tengen.engine.weights import Parameters
from tengen.engine.xorshift import seed_word
from tengen.search import repetition
from tengen.search.binding import bound
from tengen.search.info import Info
from tengen.search.limits import restrictions
from tengen.search.limits.limit import Limit
from tengen.search.mcts.report import Report
from tengen.search.mcts.tree import Tree, child_range, state_bytes

BATCH = 64  # simulations between two checks of the clock
MIN_SIMULATIONS = 8  # which no flag, time or limit keeps from a turn
REPORT = 0.1  # seconds between two reports
MIN_BLOCKS = 4  # blocks of children that every thread must have room for
DYNAMIC_KOMI_INTERVAL = 2000  # simulations of the first thread between two updates of the dynamic komi
WAIT_SECONDS = 0.05  # seconds between two checks of a waiting thread
RIVAL_SHARE = 0.2  # of the most visited turn's visits, for another turn to dispute its place
NEVER = StopFlag()  # that nobody sets


class MctsSearch:
    """One search by simulations of a position whose game is not over.

    The `flag` ends it when set, but not before `MIN_SIMULATIONS`; `preparation`, or else the same flag, ends
    what the game's rules look into after the first ones. A depth limits the length of a descent. One of the
    `threads` calls `run`, the others `help`; fewer simulate where the tree has no room for all. `elapsed`
    returns the seconds since the start of the search, by default those since now.
    """

    def __init__(
        self,
        position: Position,
        tree: Tree,
        flag: StopFlag,
        limits: Limit,
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
        began = time.monotonic()
        self._elapsed = elapsed or (lambda: time.monotonic() - began)
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
        self.report = Report(position, tree, self._kernels, self._records)
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
        record["stop"], record["threads"] = self._flag.address, len(self._records)
        record["scale"] = self._position.scale
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

        `turns` are what may be played from `state`, that of the node, to the end of the turn. Free nodes of
        the thread of `record` are used.
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
            kernels.layout.init_node(
                nodes[place], action, 0.5, kernels.PRIOR_WEIGHT, int(state["side_to_move"])
            )
        nodes[index].side_to_move = state["side_to_move"]
        nodes[index].block = block | size << 40
        for place in range(block, block + size):
            rests = [rest for rest in after[int(nodes[place].action)] if rest]
            if rests:
                then = state.copy()
                rules.do_move(then, int(nodes[place].action))
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
        return self.report.simulations

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
        """Simulate until a limit is reached, or `should_stop`, which is asked between batches, returns true.

        `on_infos` is called every `REPORT` seconds with the candidates so far, which nobody else works out.
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
                    if self._kernels.HAS_PLAYOUTS:
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
        if self._limits.depth is not None and self.report.deepest >= self._limits.depth:
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
                self._bound.update_dynamic_komi(self._position.state, record.playout, latest)

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
            self._bound.wins_by_passing(self._position.state, self._records[0].playout)
            self._bound.update_dynamic_komi(self._position.state, self._records[0].playout, 0.5)

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

    def infos(self, unvisited: bool = False) -> list[Info]:
        """Return the candidates so far, best first; empty before the root is expanded.

        Turns that were not visited are among them only if `unvisited`.
        """
        return self.report.infos(self._elapsed(), self._limits.multipv, unvisited)
