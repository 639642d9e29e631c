"""The memory of Monte-Carlo searches: the nodes of a tree, kept from turn to turn."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from tengen.engine.errors import TengenError
from tengen.engine.jit import specialise
from tengen.engine.position import Position
from tengen.search.binding import bound

KEEP_SHARE = 0.5  # share of the room that is filled again after unimportant nodes have been dropped


def child_range(nodes: Any, index: int) -> tuple[int, int]:
    """Return the index of a node's first child, and the number of its children."""
    packed = int(nodes[index].block)
    return packed & (1 << 40) - 1, packed >> 40


class Tree:
    """The nodes of one search after another, kept as far as the next position has been searched already.

    Parameters
    ----------
    megabytes : int
        What the tree may use; half of it at a time, the other half to copy into.

    Attributes
    ----------
    used : int
        Nodes up to here are in use, or have been.
    dynamic_komi : int
        What the game shifted the values in the tree by (``update_dynamic_komi`` of
        `engine.contract.PLAYOUT_RULES`).
    """

    def __init__(self, megabytes: int) -> None:
        self._bytes = megabytes << 20
        self._nodes: list[Any] = []
        self._position: Position | None = None  # what the root stands for
        self._kernels: ModuleType | None = None
        self.used = 0
        self.dynamic_komi = 0

    @property
    def nodes(self) -> Any:
        """The array of nodes: those in use first, with the root as the very first."""
        return self._nodes[0]

    def clear(self) -> None:
        """Forget everything."""
        self._position = None

    def set_root(self, position: Position) -> None:
        """Make the root stand for `position`, with what is known of it."""
        kernels = specialise("tengen.search.mcts.search", bound(position.spec.game))
        if self._kernels is not kernels:
            count = max(self._bytes // 2 // kernels.NODE_BYTES, 2 * position.spec.game.rules.MAX_ACTIONS)
            self._nodes = [np.zeros(count, kernels.NODE) for _ in range(2)]
            self._kernels, self._position = kernels, None
        index = self._index_of(position)
        self._position = position.copy()
        if index is None:
            self.nodes[kernels.ROOT] = np.zeros(1, kernels.NODE)[0]
            self.nodes[kernels.ROOT].value = 0.5
            self.used, self.dynamic_komi = 1, 0
        else:
            self._copy(index, 0)

    def _index_of(self, position: Position) -> int | None:
        """Return the index of the node that stands for `position`, a successor of the last one searched."""
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
            walker.play(turn)
        same = walker.text() == position.text()  # set-up play, and games from other positions, differ
        return index if same and self.nodes[index].block else None

    def prune(self, parts: list[slice]) -> None:
        """Drop what has been visited least, until enough is free; `parts` of the array are in use."""
        visits = np.concatenate([self.nodes["visits"][part] for part in parts])
        children = np.concatenate([self.nodes["block"][part] for part in parts]) >> np.uint64(40)
        min_visits = 2
        while children[visits >= min_visits].sum() > KEEP_SHARE * len(self.nodes):
            min_visits *= 2
        self._copy(0, min_visits)

    def _copy(self, root: int, min_visits: int) -> None:
        """Keep what is below `root`; nodes with fewer visits than `min_visits` lose their children."""
        assert self._kernels
        source, target = self._nodes
        self.used = int(self._kernels.reuse_subtree(source, np.int64(root), target, np.int64(min_visits)))
        self._nodes = [target, source]
