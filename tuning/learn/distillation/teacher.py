"""The teacher: a convolutional net that learns from games what a pattern net then learns from it.

It sees the stones of both sides, the points of the board, and the bucket; it says who wins and which point is
played. It is too slow for a search, but sees the board as a whole, so it tells more from the same games than
a pattern net. It learns positions under all symmetries of the board.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.nets.convolution import ConvolutionShape
from tengen.engine.nets.patterns import OTHER, OUTSIDE, OWN, VACANT, PatternShape
from tengen.tuning.identity import fingerprint
from tengen.tuning.learn.logistic import mean_loss
from tengen.tuning.learn.nets.checkpoint import read_checkpoint, write_checkpoint
from tengen.tuning.learn.nets.data import NetData
from tengen.tuning.learn.nets.model import CPU
from tengen.tuning.learn.nets.patterns import NEVER
from tengen.tuning.learn.nets.training import (
    POLICY_SHARE,
    NetSettings,
    learning_rate,
    mixed_targets,
    scale_of,
)
from tengen.tuning.learn.visits.model import Module, initial, is_learned, points_turned, turned

BLOCKS, CHANNELS = 6, 96
BATCH_SIZE = 1024
RATE, DECAY = 2e-3, 3e-2  # highest rate of learning; decay of weights
PLANES = 3
IDLE = ("passing", "passing_bias", "ownership", "ownership_bias")  # numbers that say nothing here
LOSSES = (
    "learned",
    "policy",
    "held_out",
)  # mean losses of an epoch: of values, of policies, of values held out


class Teacher:
    """A net that learns, and teaches.

    Parameters
    ----------
    torch : module
    settings : NetSettings
        Those of the net that is taught. ``teacher`` is the number of epochs.
    data : NetData
    device : str
    checkpoint : Path or None
        Written after each epoch. An interrupted training goes on from there.

    Attributes
    ----------
    epoch : int
        How often it has learned from all positions.
    history : ndarray
        `LOSSES` of each epoch.

    Raises
    ------
    TrainingError
        If the checkpoint belongs to another training.
    """

    def __init__(
        self, torch: ModuleType, settings: NetSettings, data: NetData, device: str, checkpoint: Path | None
    ) -> None:
        shape = settings.shape
        assert isinstance(shape, PatternShape)
        self._torch, self._settings, self._data = torch, settings, data
        self._device, self._checkpoint = device, checkpoint
        self._buckets, side = shape.buckets, math.isqrt(shape.most)
        seen = (data.train.inputs != OUTSIDE).any(0).reshape(side, side)
        self._size = int(np.flatnonzero(seen.any(0) | seen.any(1)).max()) + 1
        #: int64 array, shape (points,): where the points that it sees are among those of the pattern net
        self.points = np.arange(side * side).reshape(side, side)[: self._size, : self._size].ravel()
        net = ConvolutionShape(PLANES, self._buckets, BLOCKS, CHANNELS, self._size)
        start = {
            name: torch.from_numpy(array).to(device) for name, array in initial(net, settings.seed).items()
        }
        self._learned = [
            tensor.requires_grad_() for name, tensor in start.items() if is_learned(name) and name not in IDLE
        ]
        self._tensors, self._module = start, Module(torch, start)
        self._adam = torch.optim.AdamW(self._learned, RATE, weight_decay=DECAY)
        self.epoch, self.history = 0, np.zeros((0, len(LOSSES)))
        if checkpoint and checkpoint.exists():
            limits = settings.teacher, len(LOSSES)
            self.epoch, self.history = read_checkpoint(
                checkpoint, self._identity, limits, start, self._adam, torch
            )

    @property
    def _identity(self) -> str:
        """Return a hash of everything that decides what is learned."""
        own = (BLOCKS, CHANNELS, BATCH_SIZE, self._settings.teacher)
        return fingerprint({"net": self._settings.identity(self._data), "teacher": str(own)})

    def learn(self, on_batch: Callable[[int, int], None] | None = None) -> None:
        """Learn from all positions, `NetSettings.teacher` times.

        Parameters
        ----------
        on_batch : callable, optional
            Called after each batch with its number and the number of all.
        """
        torch, train, settings = self._torch, self._data.train, self._settings
        targets = self._moved(mixed_targets(train, scale_of(train), settings.score_share))
        contents, buckets = self._seen(train.inputs), self._moved(train.buckets.astype(np.int64))
        numbers = np.full(train.inputs.shape[1] + 1, -1)
        numbers[self.points] = np.arange(len(self.points))
        played = self._moved(numbers[train.actions])  # -1, the last number, stays
        batches = -(-len(train) // BATCH_SIZE)
        for epoch in range(self.epoch, settings.teacher):
            generator = np.random.default_rng([settings.seed, epoch])
            order = self._moved(generator.permutation(len(train)))
            sums = torch.zeros(2, device=self._device)
            for number, chosen in enumerate(order.tensor_split(batches)):
                done = (epoch * batches + number) / (settings.teacher * batches)
                for group in self._adam.param_groups:
                    group["lr"] = learning_rate(RATE, done)
                image = int(generator.integers(8))
                win, policy = self._says(contents[chosen], buckets[chosen], image, True)
                losses = torch.stack(
                    [
                        torch.nn.functional.binary_cross_entropy_with_logits(win, targets[chosen]),
                        self._policy_loss(policy, played[chosen], image),
                    ]
                )
                self._adam.zero_grad()
                (losses[0] + POLICY_SHARE * losses[1]).backward()
                self._adam.step()
                sums += losses.detach()
                if on_batch:
                    on_batch(number + 1, batches)
            self.epoch = epoch + 1
            self.history = np.vstack([self.history, [*(sums / batches).tolist(), self._loss_held_out()]])
            if self._checkpoint:
                arguments = self.epoch, self.history, self._tensors, self._adam
                write_checkpoint(self._checkpoint, self._identity, *arguments)

    def say(self, inputs: NDArray[np.int8], buckets: NDArray[np.int64]) -> tuple[Any, Any]:
        """Return win rates of the side to move, shape (positions,), and policies, shape (positions, points).

        Parameters
        ----------
        inputs, buckets : ndarray
            As in `tuning.learn.nets.model.NetBatch`.
        """
        torch = self._torch
        with torch.no_grad():
            win, policy = self._says(self._seen(inputs), self._moved(buckets), 0, False)
            return torch.sigmoid(win), torch.softmax(policy, 1)

    def _moved(self, array: NDArray[Any]) -> Any:
        """Return an array as a tensor of the device."""
        return self._torch.from_numpy(array).to(self._device)

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

    def _loss_held_out(self) -> float:
        """Return the mean loss of the win rates on the games held out."""
        held_out = self._data.held_out
        with self._torch.no_grad():
            parts = [
                self._says(
                    self._seen(held_out.inputs[i : i + BATCH_SIZE]),
                    self._moved(held_out.buckets[i : i + BATCH_SIZE].astype(np.int64)),
                    0,
                    False,
                )[0]
                for i in range(0, len(held_out), BATCH_SIZE)
            ]
        return mean_loss(self._torch.cat(parts).cpu().numpy().astype(np.float64), held_out.results)
