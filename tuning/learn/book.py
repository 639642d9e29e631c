"""Books by self-play: games are played from where a tree of positions ends, which grows by their results.

It is Monte-Carlo tree search with games of the engine against itself instead of playouts: each game descends
by upper confidence bounds until it comes to a position that few games have passed through, and is played to
its end from there. Positions that are mirror images of each other are one. Games come in rounds, whose lines
are chosen before any of them is played, so that the same settings make the same book for any number of
workers.
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
from tengen.tuning.farm import Farm, defer_sigint
from tengen.tuning.learn.selfplay import SelfplayPlayer, SelfplaySettings, check_version
from tengen.tuning.match.records import settings_diff

ROUND = 256  # games whose lines are chosen together
EXPAND_VISITS = 32  # games through a position before its successors are told apart
EXPLORATION = 0.3  # weight of the confidence bound, in points of 1 for a win
PRIOR_GAMES = 4  # games that the parent's mean counts for, in that of a successor
POINTS = {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0}


@dataclass(frozen=True, eq=False)
class BookBatch:
    """Games to be played by one worker.

    Attributes
    ----------
    settings : Settings
    first : int
        Number of the first game.
    states : ndarray
        The game's STATE, shape (games,): where each goes on.
    """

    settings: SelfplaySettings
    first: int
    states: NDArray[Any]

    def __repr__(self) -> str:
        """Return what an error names it by."""
        return f"games {self.first} to {self.first + len(self.states) - 1} of {self.settings.game}"


def play_book_batch(lines: BookBatch) -> list[int]:
    """Return the points of the first side in each game. This is what workers do.

    Raises
    ------
    SelfPlayError
        When the worker's engine is not the one that is asked for.
    """
    check_version(lines.settings.game, lines.settings.version)
    player = SelfplayPlayer(lines.settings)
    games = (player.play(lines.first + i, state) for i, state in enumerate(lines.states))
    return [POINTS[game.outcome] for game in games]


@dataclass
class BookNode:
    """A position of the tree, and its mirror images.

    Attributes
    ----------
    state : numpy.record
        That of them that is `engine.book.canonical`.
    games, points : int
        Games through it, and what the first side made in them: 2 for a win, 1 for a draw.
    pending : int
        Games through it that have been begun.
    children : list of Node
        Positions after its turns; empty until `EXPAND_VISITS` games.
    """

    state: Any
    games: int = 0
    points: int = 0
    pending: int = 0
    children: list[BookNode] = field(default_factory=list)

    def share(self, prior: float) -> float:
        """Return the first side's share of the points, in [0, 1], `prior` counting for `PRIOR_GAMES` games."""
        return (self.points / 2 + PRIOR_GAMES * prior) / (self.games + PRIOR_GAMES)


class BookBuilder:
    """A book while it grows.

    Parameters
    ----------
    settings : Settings
        How games go on from the tree; their `openings` must be 0.
    plies : int
        Depth of the tree, turns.

    Attributes
    ----------
    settings, plies
        As given.
    games : int
        Played so far.

    Raises
    ------
    OptionError
        For settings with random openings.
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
        """Games played so far."""
        return self._root.games

    def identity(self) -> dict[str, str]:
        """Return in texts what decides how it grows."""
        return self.settings.identity() | {"plies": str(self.plies)}

    def resume(self, path: Path) -> None:
        """Go on from the book in the file at `path`.

        Raises
        ------
        BookError
            When it is none of this game, of other settings, or one that positions were left out of.
        """
        book = load(path, self.settings.game)
        if changed := settings_diff(book.origin, self.identity() | {"least": "1"}):
            raise BookError(f"{path}: expected a book that grows alike, got another: {changed}")
        self._known = book.entries
        self._nodes.clear()
        self._root = self._node(self._root.state)

    def book(self, least: int = 1) -> Book:
        """Return what there is, positions with fewer games than `least` left out."""
        numbers = dict(self._known) | {key: (node.games, node.points) for key, node in self._nodes.items()}
        kept = sorted((key, *both) for key, both in numbers.items() if both[0] >= least)
        return Book(
            str(self.settings.game),
            np.array([key for key, _, _ in kept], ARRAYS["keys"]),
            np.array([games for _, games, _ in kept], ARRAYS["games"]),
            np.array([points for _, _, points in kept], ARRAYS["points"]),
            self.identity() | {"least": str(least)},
        )

    def grow(self, games: int, farm: Farm, on_round: Callable[[int], None] | None = None) -> None:
        """Play until there are so many `games`, or more, in whole rounds.

        Parameters
        ----------
        games : int
        farm : Farm
            Whose workers are prepared by `tuning.learn.selfplay.prepare`.
        on_round : callable, optional
            Called with the number of games after each round, before any SIGINT is heard.
        """
        while self.games < games:
            first = self.games
            paths = [self._select_path() for _ in range(ROUND)]
            results = dict(farm.run(play_book_batch, self._jobs(first, paths)))
            points = [point for lines in sorted(results, key=_number) for point in results[lines]]
            with defer_sigint():
                for path, point in zip(paths, points, strict=True):
                    for node in path:
                        node.pending -= 1
                        node.games += 1
                        node.points += point
                if on_round:
                    on_round(self.games)

    def _jobs(self, first: int, paths: list[list[BookNode]]) -> Iterator[BookBatch]:
        """Yield the games of a round, so many to a worker as there are in a shard."""
        size, kind = self.settings.shard, self.settings.game.game.rules.STATE
        for begin in range(0, len(paths), size):
            states = np.array([path[-1].state for path in paths[begin : begin + size]], kind)
            yield BookBatch(self.settings, first + begin, states)

    def _node(self, state: Any) -> BookNode:
        """Return the node of a canonical position."""
        key = int(state.key)
        if key not in self._nodes:
            self._nodes[key] = BookNode(state, *self._known.get(key, (0, 0)))
        return self._nodes[key]

    def _select_path(self) -> list[BookNode]:
        """Return the nodes from the root to where the next game goes on, which count as begun."""
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
        """Return the successor with the greatest upper confidence bound for the side to move."""
        first = node.state.side_to_move == 0
        prior = node.share(0.5)
        reach = EXPLORATION * math.sqrt(math.log(node.games + node.pending + 1))

        def bound(after: BookNode) -> float:
            share = after.share(prior)
            return (share if first else 1 - share) + reach / math.sqrt(after.games + after.pending + 1)

        return max(node.children, key=bound)


def _number(lines: BookBatch) -> int:
    return lines.first
