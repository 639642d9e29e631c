"""Opening books by self-play: Monte-Carlo tree search whose playouts are games of the engine against itself.

Each game descends the tree by upper confidence bounds to a position with few games, and is played to its end
from there. Mirror images are one position. Games come in rounds. The lines of a round are chosen before any
of them is played, so the book does not depend on the number of workers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.book import ARRAYS, Book, BookError, canonical, load, successors
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.tuning.identity import settings_diff
from tengen.tuning.learn.selfplay import SelfplayPlayer, SelfplaySettings, check_version
from tengen.tuning.workers.interrupts import defer_sigint
from tengen.tuning.workers.pool import WorkerPool

ROUND = 256  # games whose lines are chosen together
EXPAND_VISITS = 32  # games through a position before it is expanded
EXPLORATION = 0.3  # weight of the confidence bound; a win is 1
PRIOR_GAMES = 4  # games that the prior, the mean of the parent, counts for
POINTS = {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0}


@dataclass(frozen=True, eq=False)
class BookBatch:
    """Games to be played by one worker.

    Attributes
    ----------
    settings : SelfplaySettings
    first : int
        Number of the first game.
    states : ndarray
        The game's STATE, shape (games,): where each game starts.
    """

    settings: SelfplaySettings
    first: int
    states: NDArray[Any]

    def __repr__(self) -> str:
        """Return its name in error messages."""
        return f"games {self.first} to {self.first + len(self.states) - 1} of {self.settings.game}"


def play_book_batch(batch: BookBatch) -> list[int]:
    """Play the games of a batch, in a worker; return the points of the first side in each.

    Raises
    ------
    SelfPlayError
        If the worker has another version of the engine.
    """
    check_version(batch.settings.game, batch.settings.version)
    player = SelfplayPlayer(batch.settings)
    games = (player.play(batch.first + i, state) for i, state in enumerate(batch.states))
    return [POINTS[game.outcome] for game in games]


@dataclass
class BookNode:
    """A position of the tree, which stands for its mirror images too.

    Attributes
    ----------
    state : numpy.record
        The canonical one of the mirror images (see `engine.book.canonical`).
    games, points : int
        Games through it, and the points of the first side in them: 2 for a win, 1 for a draw.
    pending : int
        Games through it that are being played.
    children : list of BookNode
        Positions after its turns; empty until `EXPAND_VISITS` games.
    """

    state: Any
    games: int = 0
    points: int = 0
    pending: int = 0
    children: list[BookNode] = field(default_factory=list)

    def share(self, prior: float) -> float:
        """Return the first side's mean score in [0, 1]; `prior` counts for `PRIOR_GAMES` games."""
        return (self.points / 2 + PRIOR_GAMES * prior) / (self.games + PRIOR_GAMES)


class BookBuilder:
    """A book that grows.

    Parameters
    ----------
    settings : SelfplaySettings
        Settings of the games; their `openings` must be 0.
    plies : int
        Depth of the tree in turns.

    Attributes
    ----------
    settings, plies
        As given.
    games : int
        Number of games played so far.

    Raises
    ------
    OptionError
        If the settings have random openings.
    """

    def __init__(self, settings: SelfplaySettings, plies: int) -> None:
        if settings.openings:
            raise OptionError(f"openings: expected 0, since the book is one, got {settings.openings}")
        self.settings, self.plies = settings, plies
        rules = settings.game.game.rules
        state = rules.start(settings.game.values)
        self._nodes: dict[int, BookNode] = {}
        self._known: Mapping[int, tuple[int, int]] = {}
        self._root = self._node(canonical(rules, state))

    @property
    def games(self) -> int:
        """Number of games played so far."""
        return self._root.games

    def identity(self) -> dict[str, str]:
        """Return as text the settings that decide how the book grows."""
        return self.settings.identity() | {"plies": str(self.plies)}

    def resume(self, path: Path) -> None:
        """Continue the book in the file at `path`.

        Raises
        ------
        BookError
            If it is of another game or of other settings, or if positions were left out of it.
        """
        book = load(path, self.settings.game)
        if changed := settings_diff(book.origin, self.identity() | {"least": "1"}):
            raise BookError(f"{path}: expected a book that grows alike, got another: {changed}")
        self._known = book.entries
        self._nodes.clear()
        self._root = self._node(self._root.state)

    def book(self, least: int = 1) -> Book:
        """Return the book without the positions that have fewer games than `least`."""
        numbers = dict(self._known) | {key: (node.games, node.points) for key, node in self._nodes.items()}
        kept = sorted((key, *both) for key, both in numbers.items() if both[0] >= least)
        return Book(
            str(self.settings.game),
            np.array([key for key, _, _ in kept], ARRAYS["keys"]),
            np.array([games for _, games, _ in kept], ARRAYS["games"]),
            np.array([points for _, _, points in kept], ARRAYS["points"]),
            self.identity() | {"least": str(least)},
        )

    def grow(self, games: int, pool: WorkerPool, on_round: Callable[[int], None] | None = None) -> None:
        """Play whole rounds until the book has at least this number of games.

        Parameters
        ----------
        games : int
        pool : WorkerPool
            Its initializer is `tuning.learn.selfplay.prepare`.
        on_round : callable, optional
            Called with the number of games after each round; SIGINT is deferred meanwhile.
        """
        while self.games < games:
            first = self.games
            paths = [self._select_path() for _ in range(ROUND)]
            results = dict(pool.run(play_book_batch, self._jobs(first, paths)))
            points = [point for batch in sorted(results, key=_number) for point in results[batch]]
            with defer_sigint():
                for path, point in zip(paths, points, strict=True):
                    for node in path:
                        node.pending -= 1
                        node.games += 1
                        node.points += point
                if on_round:
                    on_round(self.games)

    def _jobs(self, first: int, paths: list[list[BookNode]]) -> Iterator[BookBatch]:
        """Yield the games of a round in batches of the size of a shard."""
        size, kind = self.settings.shard, self.settings.game.game.rules.STATE
        for begin in range(0, len(paths), size):
            states = np.array([path[-1].state for path in paths[begin : begin + size]], kind)
            yield BookBatch(self.settings, first + begin, states)

    def _node(self, state: Any) -> BookNode:
        """Return the node of a canonical position; create it if necessary."""
        key = int(state.key)
        if key not in self._nodes:
            self._nodes[key] = BookNode(state, *self._known.get(key, (0, 0)))
        return self._nodes[key]

    def _select_path(self) -> list[BookNode]:
        """Return the nodes from the root to the start of the next game, which becomes pending in them."""
        rules, node = self.settings.game.game.rules, self._root
        path = [node]
        while node.games >= EXPAND_VISITS and len(path) <= self.plies:
            if not node.children:
                node.children = [self._node(after) for after in successors(rules, node.state)]
            if not node.children:
                break
            node = self._select_child(node)
            path.append(node)
        for node in path:
            node.pending += 1
        return path

    def _select_child(self, node: BookNode) -> BookNode:
        """Return the child with the greatest upper confidence bound for the side to move."""
        first = node.state.side_to_move == 0
        prior = node.share(0.5)
        reach = EXPLORATION * math.sqrt(math.log(node.games + node.pending + 1))

        def bound(after: BookNode) -> float:
            share = after.share(prior)
            return (share if first else 1 - share) + reach / math.sqrt(after.games + after.pending + 1)

        return max(node.children, key=bound)


def _number(batch: BookBatch) -> int:
    return batch.first
