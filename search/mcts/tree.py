"""The memory of Monte-Carlo searches: the nodes of a tree, kept from turn to turn."""

import threading
from types import ModuleType
from typing import Any

import numpy as np

from tengen.engine.errors import TengenError
from tengen.engine.game import Game
from tengen.engine.jit import specialise
from tengen.engine.play.position import Position
from tengen.search.binding import bound

WIN_SHARE = 0.85  # of the result in the utilities of `gumbel`; the rest is the margin's
KEEP_SHARE = 0.5  # share of the array that may stay in use when the tree is pruned


def child_range(nodes: Any, index: int) -> tuple[int, int]:
    """Return the index of a node's first child, and the number of its children."""
    packed = int(nodes[index].block)
    return packed & (1 << 40) - 1, packed >> 40


def state_bytes(records: Any) -> Any:
    """Return an array of bytes (threads, bytes) of the records of search threads, without their nets."""
    end = records.dtype.fields.get("net", (None, records.itemsize))[1]
    return records.view(np.uint8).reshape(len(records), -1)[:, :end]


class Tree:
    """The nodes of one search after another; the subtree of the next position is reused.

    Parameters
    ----------
    megabytes : int
        Memory limit in MB. The tree uses one half; pruning copies it into the other.

    Attributes
    ----------
    used : int
        Nodes from here on are free.
    dynamic_komi : int
        Dynamic komi under which the values in the tree were obtained (``update_dynamic_komi`` in
        `engine.contract.PLAYOUT_RULES`).
    """

    def __init__(self, megabytes: int) -> None:
        self._bytes = megabytes << 20
        self._nodes: list[Any] = []
        self._records: Any = ()
        self._net: Any = None  # in the records
        self._position: Position | None = None  # the position of the root
        self._kernels: ModuleType | None = None
        self._allocation = threading.Lock()  # a warm-up and a search may both ask for memory
        self.used = 0
        self.dynamic_komi = 0

    @property
    def nodes(self) -> Any:
        """The array of nodes: the root, the other used nodes, the free ones."""
        return self._nodes[0]

    def clear(self) -> None:
        """Clear the tree."""
        self._position = None

    def allocate(self, game: Game, touch: bool = True) -> None:
        """Make room for nodes of `game`, unless there is.

        All new memory is touched if that is wanted, so that no search has to; a gigabyte may take seconds.
        """
        kernels = specialise("tengen.search.mcts.search", bound(game))
        with self._allocation:
            if self._kernels is kernels:
                return
            count = max(self._bytes // 2 // kernels.NODE.itemsize, 2 * game.rules.MAX_ACTIONS)
            self._nodes = [np.zeros(count, kernels.NODE) for _ in range(2)]
            for nodes in self._nodes if touch else ():
                nodes.view(np.uint8).fill(0)
            self._kernels, self._position, self._records = kernels, None, ()

    def records(self, threads: int, net: Any) -> Any:
        """Return the records of so many threads for a new search: zeros, but for the `net` if there is one.

        To make them takes longer than many a search, so they are kept, with the net and its memory.
        """
        assert self._kernels
        if len(self._records) < threads:
            self._records, self._net = np.zeros(threads, self._kernels.search_record()), None
        if net is not None and self._net is not net:
            self._records["net"], self._net = net, net
        records = self._records[:threads]
        state_bytes(records)[:] = 0
        return records

    def set_root(self, position: Position) -> None:
        """Make `position` the root, with its subtree if it has been searched."""
        self.allocate(position.spec.game, touch=False)
        kernels = self._kernels
        assert kernels
        index = self._index_of(position)
        self._position = position.copy()
        if index is None:
            self.nodes[kernels.ROOT] = np.zeros(1, kernels.NODE)[0]
            self.nodes[kernels.ROOT].value = 0.5
            self.used, self.dynamic_komi = 1, 0
        else:
            self._copy(index, 0)

    def _index_of(self, position: Position) -> int | None:
        """Return the index of the node of `position`, if it follows the last root and has been expanded."""
        last, kernels = self._position, self._kernels
        if last is None or kernels is None or last.spec != position.spec:
            return None
        before = len(last.turns_played)
        if position.turns_played[:before] != last.turns_played:
            return None
        walker, index = last.copy(), int(kernels.ROOT)
        for turn in position.turns_played[before:]:
            try:
                actions = walker.parse_turn(turn)
            except TengenError:
                return None  # the two games do not begin alike
            for action in actions:
                first, count = child_range(self.nodes, index)
                found = np.flatnonzero(self.nodes["action"][first : first + count] == action)
                if not len(found):
                    return None
                index = first + int(found[0])
            walker.push(turn)
        same = walker.text() == position.text()  # set-up play, and games from other positions, differ
        return index if same and self.nodes[index].block else None

    def prune(self, parts: list[slice]) -> None:
        """Prune the least visited subtrees until enough nodes are free; `parts` of the array are in use."""
        visits = np.concatenate([self.nodes["visits"][part] for part in parts])
        children = np.concatenate([self.nodes["block"][part] for part in parts]) >> np.uint64(40)
        min_visits = 2
        while children[visits >= min_visits].sum() > KEEP_SHARE * len(self.nodes):
            min_visits *= 2
        self._copy(0, min_visits)

    def _copy(self, root: int, min_visits: int) -> None:
        """Keep the subtree of `root`; nodes with fewer visits than `min_visits` lose their children."""
        assert self._kernels
        source, target = self._nodes
        reuse = self._kernels.layout.reuse_subtree
        self.used = int(reuse(source, np.int64(root), target, np.int64(min_visits)))
        self._nodes = [target, source]
