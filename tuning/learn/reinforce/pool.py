"""Games of self-play on boards of one size, searched together by a net, and the latest positions of them."""

from __future__ import annotations

import itertools
import math
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.jit import specialise
from tengen.engine.spec import GameSpec
from tengen.engine.xorshift import seed_word
from tengen.tuning.learn.nets.boards import BoardSamples
from tengen.tuning.learn.nets.model import CPU

if TYPE_CHECKING:
    from tengen.tuning.learn.reinforce.learner import Player

# By points on a side up to: simulations of a turn, and actions of the root that are tried at first
EFFORTS = {9: (32, 16), 13: (24, 12), 25: (16, 8)}
TURNS = 1.45  # a game ends after so many searches for each point
MAX_KEPT = 100_000  # positions in a file


@dataclass(frozen=True)
class Effort:
    """What searches of one board size do."""

    size: int  # points on a side
    games: int  # that are played at once
    simulations: int  # of a turn
    tried: int  # actions of the root, at first

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


# What `search.mcts.gumbel.Games` has for each game, by type, and the shape of it: A actions, P points,
# T turns, Q numbers about a position
ROWS: dict[Any, dict[str, str]] = {
    np.float32: {"result": "", "margin": "", "about": "TQ", "target": "TA", "rate": "T"},
    np.int32: dict.fromkeys(("opening", "uniform", "streak", "searched"), ""),
    np.int16: {"bits": "TP"},
    np.int8: dict.fromkeys(("may_resign", "ended", "resigned"), "") | {"owners": "P", "mover": "T"},
}
# The same of what is exchanged with the device
EXCHANGED: dict[str, tuple[Any, str]] = {
    "asked_bits": (np.int16, "P"),
    "asked_about": (np.float32, "Q"),
    "answer": (np.float32, "A"),
    "answer_value": (np.float32, ""),
}


class Pool:
    """Games that are played side by side on boards of one size, and ask a net together.

    The `spec` has their game, and options other than the size and the komi. The searches run on the
    `threads`, of which there are so many `workers`. Without `torch` no net can be asked; it is on the
    `device`.
    """

    def __init__(
        self,
        spec: GameSpec,
        effort: Effort,
        seed: int,
        threads: ThreadPoolExecutor,
        workers: int,
        torch: ModuleType | None = None,
        device: str = CPU,
    ) -> None:
        self.effort = effort
        self.finished = 0  # games
        self._threads, self._device = threads, device
        planes: ModuleType = spec.game.module("planes")
        self._kernels = specialise("tengen.search.mcts.gumbel", planes)
        self._event = torch.cuda.Event() if torch and device != CPU else None
        self.games = self._new_games(planes, spec, seed, torch)
        parts = min(effort.games, workers)
        self._bounds = [effort.games * part // parts for part in range(parts + 1)]
        self._running: list[Future[None]] = []
        self._kernels.run(self.games, 0, 0)  # compiles it

    def _new_games(self, planes: ModuleType, spec: GameSpec, seed: int, torch: ModuleType | None) -> Any:
        """Return games that have ended, so that all of them begin anew."""
        count, size = self.effort.games, self.effort.size
        actions, turns = size**2 + 1, int(TURNS * size**2) + 8
        lengths = {"A": actions, "P": size**2, "T": turns, "Q": planes.SHAPE.globals}

        def shape(letters: str) -> tuple[int, ...]:
            return (count, *(lengths[letter] for letter in letters))

        rows = {name: np.zeros(shape(of), kind) for kind, names in ROWS.items() for name, of in names.items()}
        rows["ended"][:] = 1
        exchanged = {name: np.zeros(shape(of), kind) for name, (kind, of) in EXCHANGED.items()}
        if torch:
            tensors = {name: torch.from_numpy(array) for name, array in exchanged.items()}
            self._exchanged = {n: t.pin_memory() if self._event else t for n, t in tensors.items()}
            exchanged = {name: tensor.numpy() for name, tensor in self._exchanged.items()}
        starts = np.zeros(1, planes.STATE)
        starts[0] = planes.batch_start(spec.values, size)
        return self._kernels.Games(
            starts=starts,
            komis=planes.KOMIS,
            sequence=self.effort.sequence(),
            opening_turns=np.array([size], np.int32),
            random=np.array([seed_word((seed << 20) + i) for i in range(count)], np.uint64),
            searches=self._kernels.new_searches(starts, count),
            nodes=np.zeros((count, 1 + (self.effort.simulations + 2) * actions), self._kernels.NODE),
            **rows,
            **exchanged,
        )

    def begin(self) -> None:
        """Take the answers of the net when they are there, and search until all games ask it again."""
        if self._event:
            self._event.synchronize()
        self._running = [
            self._threads.submit(self._kernels.run, self.games, first, last)
            for first, last in itertools.pairwise(self._bounds)
        ]

    def finish(self) -> None:
        """Wait until all games ask the net."""
        for running in self._running:
            running.result()

    def ask(self, player: Player, image: int) -> None:
        """Ask the net, which sees the positions under the symmetry `image`; the answers come later."""
        asked_bits, asked_about, *answers = self._exchanged.values()
        bits, about = (tensor.to(self._device, non_blocking=True) for tensor in (asked_bits, asked_about))
        for tensor, said in zip(answers, player.answer(bits, about, image), strict=True):
            tensor.copy_(said, non_blocking=True)
        if self._event:
            self._event.record()

    def ended(self) -> BoardSamples | None:
        """Return the positions that were searched in games that ended in the last step; None if none did."""
        g = self.games
        chosen = np.flatnonzero(g.ended)
        self.finished += len(chosen)
        parts = [self._positions(int(game)) for game in chosen if g.searched[game]]
        return BoardSamples.joined(parts) if parts else None

    def _positions(self, game: int) -> BoardSamples:
        """Return the positions of a game, for the side to move."""
        g, n = self.games, int(self.games.searched[game])
        sign = np.where(g.mover[game, :n] == 0, 1, -1).astype(np.float32)
        return BoardSamples(
            bits=g.bits[game, :n],
            about=g.about[game, :n],
            policy=g.target[game, :n],
            rates=g.rate[game, :n],
            results=0.5 + sign * (g.result[game] - np.float32(0.5)),
            margins=sign * g.margin[game],
            known=np.full(n, not g.resigned[game], np.float32),
            owners=sign[:, None] * g.owners[game],
            playouts=np.zeros(n, np.float32),
        )


class Replay:
    """A ring of the latest `capacity` positions on one board size, in tensors of the device.

    `globals` is the number of numbers about a position.
    """

    def __init__(self, torch: ModuleType, device: str, size: int, globals: int, capacity: int) -> None:
        self.size, self.capacity = size, capacity
        self.seen = 0  # positions that were ever added
        self._torch, self._device = torch, device
        widths = {"bits": size**2, "about": globals, "policy": size**2 + 1, "owners": size**2}
        self._tensors = {}
        for name, column in BoardSamples.columns().items():
            if not column.optional:
                shape = (capacity, widths[name]) if column.table else (capacity,)
                self._tensors[name] = torch.from_numpy(np.zeros(shape, column.kind)).to(device)

    def __len__(self) -> int:
        return min(self.seen, self.capacity)

    def forget(self, count: int) -> None:
        """Forget the first `count` positions, if none of them has been replaced yet."""
        if self.seen <= self.capacity:
            for tensor in self._tensors.values():
                tensor[: self.seen - count] = tensor[count : self.seen].clone()
            self.seen -= count

    def add(self, positions: BoardSamples) -> None:
        """Add positions; the oldest ones are forgotten."""
        count = min(len(positions), self.capacity)
        at = self._moved(np.arange(self.seen, self.seen + count) % self.capacity)
        for name, tensor in self._tensors.items():
            array = getattr(positions, name)[:count]
            tensor[at] = self._moved(np.round(array) if name == "owners" else array).to(tensor.dtype)
        self.seen += count

    def _moved(self, array: NDArray[Any]) -> Any:
        """Return an array as a tensor of the device, without waiting for what the device does."""
        tensor = self._torch.from_numpy(np.ascontiguousarray(array))
        return tensor if self._device == CPU else tensor.pin_memory().to(self._device, non_blocking=True)

    def some(self, count: int) -> BoardSamples:
        """Return at most `count` random positions."""
        arrays = {name: tensor.cpu().numpy() for name, tensor in self.sample(min(count, len(self))).items()}
        floats = {name: arrays[name].astype(np.float32) for name in ("policy", "owners")}
        return BoardSamples(**{**arrays, **floats, "playouts": np.zeros(len(arrays["rates"]), np.float32)})

    def sample(self, count: int) -> dict[str, Any]:
        """Return random positions as tensors, by the names of `BoardSamples`."""
        chosen = self._torch.randint(len(self), (count,), device=self._device)
        return {name: tensor[chosen] for name, tensor in self._tensors.items()}
