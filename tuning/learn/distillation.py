"""Training of a pattern net by a teacher: it learns what that says of positions like those of searches.

Such a position follows from one of the games by up to `features.MOST_ADDED` turns, most of which the
policy of the base draws. There is no end of them, and what the teacher says has no luck in it.
"""

import math
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError
from tengen.engine.nets.convolution import ConvolutionShape
from tengen.engine.nets.patterns import OTHER, OUTSIDE, OWN, VACANT, PatternShape
from tengen.tuning.learn.features import varied_inputs
from tengen.tuning.learn.logistic import mean_loss
from tengen.tuning.learn.nets.convolution import Module, initial, is_learned, points_turned, turned
from tengen.tuning.learn.nets.model import CPU, NEVER, NetBatch
from tengen.tuning.learn.nets.training import POLICY_SHARE, NetSettings, NetTrainer, mixed_targets, scale_of
from tengen.tuning.learn.samples import NetData
from tengen.tuning.learn.trainer import OnBatch, OnEpoch, Trainer
from tengen.tuning.version import fingerprint

TEACHER = ".teacher"  # behind the name of the checkpoint
BLOCKS, CHANNELS = 6, 96  # of the teacher
TEACHER_BATCH, PUPIL_BATCH = 1024, 4096  # positions
RATE, DECAY = 2e-3, 3e-2  # of the teacher: highest rate of learning; decay of weights
PLANES = 3
IDLE = ("passing", "passing_bias", "ownership", "ownership_bias")  # numbers that say nothing here
LOSSES = ("learned", "policy", "held_out")  # of the teacher: of values, of policies, of values held out
AHEAD = 2  # batches that each processor makes ready


def require_pattern_net(settings: NetSettings) -> None:
    """Raise OptionError if the game has no pattern net."""
    if not isinstance(settings.shape, PatternShape):
        raise OptionError(f"--teacher: expected a game with a pattern net, got {settings.game.game.name}")


def teacher_checkpoint(checkpoint: Path) -> Path:
    """Return the path of the teacher's checkpoint."""
    return checkpoint.with_name(checkpoint.name + TEACHER)


class Teacher(Trainer):
    """A convolutional net that learns from games what a pattern net then learns from it.

    It sees the stones of both sides, the points of the board, and the bucket; it says who wins and which
    point is played. It is too slow for a search, but sees the board as a whole, so it tells more from the
    same games than a pattern net. It learns positions under all symmetries of the board. The settings are
    those of the net that is taught.
    """

    LOSS_WEIGHTS = (1.0, POLICY_SHARE)
    JUDGED = 1

    def __init__(
        self, torch: ModuleType, settings: NetSettings, data: NetData, device: str, checkpoint: Path | None
    ) -> None:
        shape = settings.shape
        assert isinstance(shape, PatternShape)
        self._torch, self._settings, self._data = torch, settings, data
        self._device, self._buckets, side = device, shape.buckets, math.isqrt(shape.most)
        seen = (data.train.inputs != OUTSIDE).any(0).reshape(side, side)
        self._size = int(np.flatnonzero(seen.any(0) | seen.any(1)).max()) + 1
        #: int64 array, shape (points,): where the points that it sees are among those of the pattern net
        self.points = np.arange(side * side).reshape(side, side)[: self._size, : self._size].ravel()
        net = ConvolutionShape(PLANES, self._buckets, BLOCKS, CHANNELS, self._size)
        start = {
            name: torch.from_numpy(array).to(device) for name, array in initial(net, settings.seed).items()
        }
        learned = [
            tensor.requires_grad_() for name, tensor in start.items() if is_learned(name) and name not in IDLE
        ]
        self._module = Module(torch, start)
        adam = torch.optim.AdamW(learned, RATE, weight_decay=DECAY)
        own = (BLOCKS, CHANNELS, TEACHER_BATCH, settings.teacher)
        identity = fingerprint({"net": settings.identity(data.sources), "teacher": str(own)})
        batches = -(-len(data.train) // TEACHER_BATCH)
        super().__init__(start, adam, RATE, batches, settings.teacher, identity, checkpoint)

    @cached_property
    def _wanted(self) -> tuple[Any, Any, Any, Any]:
        """What it sees of all positions to learn from, their buckets, and what it learns of them."""
        train, settings = self._data.train, self._settings
        targets = mixed_targets(train, scale_of(train), settings.score_share)
        numbers = np.full(train.inputs.shape[1] + 1, -1)
        numbers[self.points] = np.arange(len(self.points))
        played = numbers[train.actions]  # -1, the last number, stays
        buckets = self._moved(train.buckets.astype(np.int64))
        return self._seen(train.inputs), buckets, self._moved(targets), self._moved(played)

    def _losses_of_batches(self) -> Iterator[tuple[Any, int]]:
        torch, (contents, buckets, targets, played) = self._torch, self._wanted
        generator = np.random.default_rng([self._settings.seed, self.epoch])
        order = self._moved(generator.permutation(len(self._data.train)))
        for chosen in order.tensor_split(self._batches):
            image = int(generator.integers(8))
            win, policy = self._says(contents[chosen], buckets[chosen], image, True)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(win, targets[chosen])
            policy_loss = self._policy_loss(policy, played[chosen], image)
            yield torch.stack([loss, policy_loss]), len(chosen)

    def say(self, inputs: NDArray[np.int8], buckets: NDArray[np.int64]) -> tuple[Any, Any]:
        """Return win rates of the side to move, shape (positions,), and policies, shape (positions, points).

        Inputs and buckets are those of a `tuning.learn.nets.model.NetBatch`.
        """
        torch = self._torch
        with torch.no_grad():
            win, policy = self._says(self._seen(inputs), self._moved(buckets), 0, False)
            return torch.sigmoid(win), torch.softmax(policy, 1)

    def _seen(self, inputs: NDArray[np.int8]) -> Any:
        """Return the contents of the points that it sees, shape (positions, points)."""
        return self._moved(np.ascontiguousarray(inputs[:, self.points]))

    def _says(self, contents: Any, buckets: Any, image: int, learning: bool) -> tuple[Any, Any]:
        """Return logits of win rates and of points, under one of the symmetries."""
        torch = self._torch
        board = turned(torch, contents.view(-1, self._size, self._size), image)
        planes = torch.stack([board == OWN, board == OTHER, board != OUTSIDE], 1).float()
        about = torch.nn.functional.one_hot(buckets, self._buckets).float()
        with torch.autocast(self._device, torch.bfloat16, enabled=self._device != CPU):
            says = self._module.forward(planes, about, learning)
        policy = says["policy"].float()[:, :-1]
        return says["win"].float(), policy.masked_fill(board.flatten(1) != VACANT, NEVER)

    def _policy_loss(self, policy: Any, played: Any, image: int) -> Any:
        """Return the loss of the policy on the points that were played; 0 where none is known."""
        torch, known = self._torch, played >= 0
        targets = torch.nn.functional.one_hot(played.clamp(min=0), len(self.points)).float()
        targets = points_turned(torch, targets, self._size, image)
        losses = torch.nn.functional.cross_entropy(policy, targets, reduction="none")
        return (losses * known).sum() / known.sum().clamp(min=1)

    def _judge(self) -> list[float]:
        held_out, parts = self._data.held_out, []
        with self._torch.no_grad():
            for first in range(0, len(held_out), TEACHER_BATCH):
                chosen = slice(first, first + TEACHER_BATCH)
                buckets = self._moved(held_out.buckets[chosen].astype(np.int64))
                parts.append(self._says(self._seen(held_out.inputs[chosen]), buckets, 0, False)[0])
        logits = self._torch.cat(parts).cpu().numpy().astype(np.float64)
        return [mean_loss(logits, held_out.results)]


class Pupil(NetTrainer):
    """A training of a pattern net by a teacher, which learns first; its checkpoint lies beside the net's.

    The settings have a ``teacher``, the data ``bases``. Raises what `NetTrainer` does, and OptionError if the
    game has no pattern net.
    """

    BATCH_SIZE = PUPIL_BATCH

    def __init__(
        self, settings: NetSettings, data: NetData, checkpoint: Path | None = None, device: str = CPU
    ) -> None:
        require_pattern_net(settings)
        super().__init__(settings, data, checkpoint, device)
        beside = teacher_checkpoint(checkpoint) if checkpoint else None
        self._teacher = Teacher(self._torch, settings, data, device, beside)

    def learn(self, on_epoch: OnEpoch | None = None, on_batch: OnBatch | None = None) -> Self:
        """Let the teacher learn, then learn from it; see `Trainer`."""
        self._teacher.learn(None, on_batch)
        return super().learn(on_epoch, on_batch)

    def _losses_of_batches(self) -> Iterator[tuple[Any, int]]:
        functional = self._torch.nn.functional
        points = self._moved(self._teacher.points)
        for batch in self._varied():
            rates, wanted = self._teacher.say(batch.inputs, batch.buckets)
            logits, policy = self._model.forward(self._torch, self._tensors, batch)
            loss = functional.binary_cross_entropy_with_logits(logits, rates)
            policy_loss = functional.cross_entropy(policy[:, points], wanted)
            yield self._torch.stack([loss, policy_loss]), len(batch.linear)

    def _varied(self) -> Iterator[NetBatch]:
        """Yield the positions of an epoch, made by threads beside the training."""
        pending: deque[Future[NetBatch]] = deque()
        workers = os.cpu_count() or 1
        with ThreadPoolExecutor(workers) as pool:
            for number in range(self._batches):
                pending.append(pool.submit(self._make, number))
                if len(pending) > AHEAD * workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()

    def _make(self, number: int) -> NetBatch:
        """Return the batch with this number: positions without a threat, which the net is for."""
        settings, bases = self._settings, self._data.bases
        generator = np.random.default_rng([settings.seed, self.epoch, number])
        states = bases[generator.integers(len(bases), size=self._batch_size)]
        rows = varied_inputs(settings.game.game, settings.base, states, generator)
        return self._batch(rows, rows.buckets >= 0)

    def _origin(self, losses: Any) -> dict[str, Any]:
        last = dict(zip(LOSSES, np.round(self._teacher.history[-1], 5).tolist(), strict=True))
        told = {"epochs": self._teacher.epoch, "blocks": BLOCKS, "channels": CHANNELS, "loss": last}
        return {**super()._origin(losses), "teacher": told}
