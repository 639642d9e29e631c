"""What a run of learning by self-play does on boards of one size: games, their replay, a smaller net."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.tuning.learn.nets.model import CPU
from tengen.tuning.learn.reinforce.learner import Learner, Player
from tengen.tuning.learn.reinforce.pool import Effort, Pool
from tengen.tuning.learn.reinforce.replay import Replay
from tengen.tuning.learn.reinforce.settings import RunSettings
from tengen.tuning.learn.visits.data import BoardSamples
from tengen.tuning.learn.visits.training import HEADS

GROUPS = 2  # of games for each size
SUMS = (*HEADS, "entropy")  # parts of the loss
REUSE = 2.5  # how often a position is learned from


@dataclass
class SizeCounts:
    """What was done on boards of one size, and the mean losses of late.

    Attributes
    ----------
    simulations, games, positions : int
        `positions` were searched and can be learned from.
    steps : int
        Batches that the net that plays has learned from.
    playing, student : mapping of str to float
        By the names in `SUMS`: losses of the net that plays and of the smaller one, as
        `tuning.learn.visits.training.HEADS` says; `entropy` is that of the policies learned from.
    """

    simulations: int = 0
    games: int = 0
    positions: int = 0
    steps: int = 0
    playing: dict[str, float] = field(default_factory=dict)
    student: dict[str, float] = field(default_factory=dict)


class Group:
    """Games that ask the net together.

    Parameters
    ----------
    torch : module
    settings : RunSettings
    size : int
        Points on a side.
    number : int
    threads : ThreadPoolExecutor
    """

    def __init__(
        self, torch: ModuleType, settings: RunSettings, size: int, number: int, threads: ThreadPoolExecutor
    ) -> None:
        self._device, cuda = settings.device, settings.device != CPU
        self._event = torch.cuda.Event() if cuda else None
        games = max(settings.threads, settings.points // size**2)
        exchanged: list[Any] = []

        def pinned(shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
            tensor = torch.from_numpy(np.zeros(shape, kind))
            exchanged.append(tensor.pin_memory() if cuda else tensor)
            array: NDArray[Any] = exchanged[-1].numpy()
            return array

        seed = (settings.seed * GROUPS + number) * settings.student.max_size + size
        self.pool = Pool(settings.game, Effort.of(size, games), seed, threads, settings.threads, pinned)
        self._bits, self._about, self._answer, self._value = exchanged

    def begin(self) -> None:
        """Wait for the answers, and begin to search."""
        if self._event:
            self._event.synchronize()
        self.pool.begin()

    def ask(self, player: Player, image: int) -> None:
        """Ask the net, which sees the positions under the symmetry `image`; the answers come later."""
        bits, about = (t.to(self._device, non_blocking=True) for t in (self._bits, self._about))
        policy, value = player.answer(bits, about, image)
        self._answer.copy_(policy, non_blocking=True)
        self._value.copy_(value, non_blocking=True)
        if self._event:
            self._event.record()


@dataclass(eq=False)
class SizeRun:
    """What a run does on boards of one size.

    Attributes
    ----------
    size : int
        Points on a side.
    share : float
        Of the work.
    student : Learner
        The smaller net.
    player : Player
        The net that plays.
    replay : Replay
    given : int
        Positions in the replay that were given, until they have done their part.
    groups : list of Group
        Games, searched in turn.
    ended : list of BoardSamples
        Of finished games; they are not in the replay yet.
    begun : int
        Searches that were begun.
    asked, learned : float
        Points of boards that the net was asked about, and has learned from.
    due : float
        Positions to be learned from.
    counts : SizeCounts
    """

    size: int
    share: float
    student: Learner
    player: Player
    replay: Replay
    given: int = 0
    groups: list[Group] = field(default_factory=list)
    ended: list[BoardSamples] = field(default_factory=list)
    begun: int = 0
    asked: float = 0.0
    learned: float = 0.0
    due: float = 0.0
    counts: SizeCounts = field(default_factory=SizeCounts)

    def begin_search(self) -> Group:
        """Begin the next search of a group of games, and return the group."""
        group = self.groups[self.begun % len(self.groups)]
        self.begun += 1
        games = group.pool.effort.games
        self.asked += games * self.size**2
        self.counts.simulations += games
        group.begin()
        return group

    def keep(self, positions: BoardSamples | None, least: float) -> None:
        """Put positions of games that have ended into the replay, as soon as there are `least` of them."""
        if positions:
            self.ended.append(positions)
        if not self.ended or sum(map(len, self.ended)) < least:
            return
        positions = BoardSamples.joined(self.ended)
        self.ended.clear()
        self.replay.add(positions)
        self.due += len(positions) * REUSE
        if self.given and self.replay.seen > 3 * self.given:
            self.replay.forget(self.given)  # they have done their part
            self.given = 0
