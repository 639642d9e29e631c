"""Games of self-play on boards of one size, searched together by a net."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.game import GameSpec
from tengen.engine.jit import specialise
from tengen.engine.xorshift import seed_word
from tengen.tuning.learn.reinforce.replay import Positions

# By points on a side up to: simulations of a turn, and actions of the root that are tried at first
EFFORTS = {9: (32, 16), 13: (24, 12), 25: (16, 8)}
HUNDREDTHS = 100  # of a point, in komis
KOMIS = (5.5, 6.5, 7.0, 7.5)  # played alike
RARE_KOMIS = tuple(range(-8, 24))  # a tenth of the games has one of these
COMMON = 72  # how often the list of komis has those of `KOMIS`, each; of the rare ones each once
TURNS = 1.45  # a game ends after so many searches for each point


@dataclass(frozen=True)
class Effort:
    """What searches of one board size do.

    Attributes
    ----------
    size : int
        Points on a side.
    games : int
        That are played at once.
    simulations, tried : int
        Simulations of a turn; actions of the root that are tried at first.
    """

    size: int
    games: int
    simulations: int
    tried: int

    @classmethod
    def of(cls, size: int, games: int) -> Effort:
        """Return what suits the size."""
        most = min(limit for limit in EFFORTS if limit >= size)
        return cls(size, games, *EFFORTS[most])

    def sequence(self) -> NDArray[np.int32]:
        """Return by simulation how many visits the root's action must have: sequential halving."""
        visits, found, tried = [0] * self.tried, list[int](), self.tried
        halvings = max(1, math.ceil(math.log2(self.tried)))
        while len(found) < self.simulations:
            for _ in range(max(1, self.simulations // (halvings * tried))):
                found += visits[:tried]
                visits[:tried] = [count + 1 for count in visits[:tried]]
            tried = max(2, tried // 2)
        return np.array(found[: self.simulations], np.int32)


class Pool:
    """Games that are played side by side, all on boards of one size, by area and with simple ko.

    Parameters
    ----------
    spec : GameSpec
        Its game, and options other than the size and the komi.
    effort : Effort
    seed : int
    threads : ThreadPoolExecutor
        On which the searches run.
    workers : int
        How many threads it has.
    pinned : callable
        Makes an array for the exchange with the device: pinned(shape, dtype).
    """

    def __init__(
        self,
        spec: GameSpec,
        effort: Effort,
        seed: int,
        threads: ThreadPoolExecutor,
        workers: int,
        pinned: Callable[[tuple[int, ...], Any], NDArray[Any]] = np.zeros,
    ) -> None:
        self.effort = effort
        self.finished = 0  # games
        self._threads = threads
        planes: ModuleType = spec.game.module("planes")
        self._kernels = specialise("tengen.search.mcts.gumbel", planes)
        options = dict(spec.values) | {"size": effort.size, "komi": 7.0, "ko": "simple", "handicap": 0}
        b, n, points = effort.games, effort.simulations + 2, effort.size**2
        turns, actions, about = int(TURNS * points) + 8, points + 1, planes.SHAPE.globals
        komis = np.array([*KOMIS * COMMON, *RARE_KOMIS])
        starts = np.zeros(1, planes.STATE)
        starts[0] = spec.game.rules.start(options)
        f4, i1, i2, i4 = np.float32, np.int8, np.int16, np.int32
        zeros = np.zeros
        self.games = self._kernels.Games(
            starts=starts,
            komis=np.round(HUNDREDTHS * komis).astype(i4),
            sequence=effort.sequence(),
            opening_turns=np.array([effort.size], i4),
            random=np.array([seed_word((seed << 20) + i) for i in range(b)], np.uint64),
            searches=self._kernels.new_searches(starts, b),
            nodes=zeros((b, 1 + n * actions), self._kernels.NODE),
            opening=zeros(b, i4),
            uniform=zeros(b, i4),
            may_resign=zeros(b, i1),
            streak=zeros(b, i4),
            ended=np.ones(b, i1),
            resigned=zeros(b, i1),
            result=zeros(b, f4),
            margin=zeros(b, f4),
            owners=zeros((b, points), i1),
            searched=zeros(b, i4),
            bits=zeros((b, turns, points), i2),
            about=zeros((b, turns, about), f4),
            target=zeros((b, turns, actions), f4),
            rate=zeros((b, turns), f4),
            mover=zeros((b, turns), i1),
            asked_bits=pinned((b, points), i2),
            asked_about=pinned((b, about), f4),
            answer=pinned((b, actions), f4),
            answer_value=pinned((b,), f4),
        )
        parts = min(b, workers)
        self._bounds = [b * part // parts for part in range(parts + 1)]
        self._running: list[Future[None]] = []
        self._kernels.run(self.games, 0, 0)  # compiles it

    def begin(self) -> None:
        """Take the answers of the net, and begin to search until all games ask it again."""
        self._running = [
            self._threads.submit(self._kernels.run, self.games, first, last)
            for first, last in itertools.pairwise(self._bounds)
        ]

    def finish(self) -> None:
        """Wait until all games ask the net."""
        for running in self._running:
            running.result()

    def ended(self) -> Positions | None:
        """Return the positions that were searched in games that ended in the last step; None if none did."""
        g = self.games
        chosen = np.flatnonzero(g.ended)
        self.finished += len(chosen)
        parts = [self._positions(int(game)) for game in chosen if g.searched[game]]
        return Positions.joined(parts) if parts else None

    def _positions(self, game: int) -> Positions:
        """Return the positions of a game, for the side to move."""
        g, n = self.games, int(self.games.searched[game])
        sign = np.where(g.mover[game, :n] == 0, 1, -1).astype(np.float32)
        known = np.float32(not g.resigned[game])
        return Positions(
            g.bits[game, :n],
            g.about[game, :n],
            g.target[game, :n],
            g.rate[game, :n],
            0.5 + sign * (g.result[game] - np.float32(0.5)),
            sign * g.margin[game],
            np.full(n, known, np.float32),
            (sign[:, None] * g.owners[game]).astype(np.int8),
        )
