"""Training of nets: Adam on weighted losses, epoch by epoch, resumable after each."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tengen.tuning.learn.checkpoint import read_checkpoint, write_checkpoint

LAST_RATE = 1e-5  # of learning
WARM_UP = 0.1  # share of the batches in which the rate rises

OnEpoch = Callable[[int, float, float], None]
OnBatch = Callable[[int, int], None]


def learning_rate(top: float, done: float, warm_up: float = WARM_UP) -> float:
    """Return the rate of learning when the share `done` of a training is over.

    It rises to `top` during the share `warm_up`, and then falls as a cosine.
    """
    if done < warm_up:
        return top * (done / warm_up) + LAST_RATE
    return LAST_RATE + (top - LAST_RATE) * (1 + math.cos(math.pi * (done - warm_up) / (1 - warm_up))) / 2


class Trainer(ABC):
    """One training. A kind of it says what its batches lose, and how well it does on what is held out.

    Parameters
    ----------
    tensors : mapping of str to torch.Tensor
        By name; those that require a gradient are learned.
    optimiser : torch.optim.Optimizer
        Adam, or a kind of it.
    top_rate : float
        Highest rate of learning.
    epochs : int
        How often it learns from as many positions as there are.
    identity : str
        Hash of everything that decides what is learned.
    checkpoint : Path or None
        Written after each epoch. An interrupted training goes on from there.

    Attributes
    ----------
    LOSS_WEIGHTS : tuple of float
        Of the losses of a batch, in what is minimised.
    JUDGED : int
        Number of losses on what is held out.
    epoch : int
        Epochs done.
    history : ndarray
        float64, by epoch: the mean losses of its positions, then those on what is held out.

    Raises
    ------
    TrainingError
        If the checkpoint belongs to another training.
    """

    LOSS_WEIGHTS: ClassVar[tuple[float, ...]]
    JUDGED: ClassVar[int] = 0

    def __init__(
        self,
        tensors: Mapping[str, Any],
        optimiser: Any,
        top_rate: float,
        epochs: int,
        identity: str,
        checkpoint: Path | None,
    ) -> None:
        self._tensors, self._optimiser, self._top_rate = tensors, optimiser, top_rate
        self._epochs, self._identity, self._checkpoint = epochs, identity, checkpoint
        self.epoch, self.history = 0, np.zeros((0, len(self.LOSS_WEIGHTS) + self.JUDGED))
        if checkpoint and checkpoint.exists():
            shape = epochs, self.history.shape[1]
            self.epoch, self.history = read_checkpoint(checkpoint, identity, shape, tensors, optimiser)

    @property
    @abstractmethod
    def _batches(self) -> int:
        """Number of batches in an epoch."""

    @abstractmethod
    def _losses_of_batches(self) -> Iterator[tuple[Any, int]]:
        """Yield the mean losses of each batch of the epoch, a tensor, and its number of positions."""

    def _constrain(self) -> None:  # noqa: B027  most trainings have no need
        """Bring the tensors back to what is allowed, after a step."""

    def _judge(self) -> list[float]:
        """Return the losses on what is held out."""
        return []

    def _rate(self, step: int, steps: int) -> float:
        """Return the rate of learning of a step, out of so many."""
        return learning_rate(self._top_rate, step / steps)

    @staticmethod
    def _reported(row: NDArray[np.float64]) -> tuple[float, float]:
        """Return what `on_epoch` is told of a row of the history: a loss in training, and one held out."""
        return float(row[0]), float(row[-1])

    def learn(self, on_epoch: OnEpoch | None = None, on_batch: OnBatch | None = None) -> None:
        """Learn, from where the checkpoint ends on.

        Parameters
        ----------
        on_epoch, on_batch : callable, optional
            Called after each epoch with its number and its losses in training and held out; after each batch
            with its number and the number of all.
        """
        while self.epoch < self._epochs:
            losses = self._learn_epoch(on_batch)
            self.epoch += 1
            self.history = np.vstack([self.history, [*losses, *self._judge()]])
            if self._checkpoint:
                state = self.epoch, self.history, self._tensors, self._optimiser
                write_checkpoint(self._checkpoint, self._identity, *state)
            if on_epoch:
                on_epoch(self.epoch, *self._reported(self.history[-1]))

    def _learn_epoch(self, on_batch: OnBatch | None) -> list[float]:
        """Learn from all batches of an epoch; return the mean losses of its positions."""
        sums, weights, count, batches = 0.0, None, 0, self._batches
        for number, (losses, size) in enumerate(self._losses_of_batches()):
            if weights is None:
                weights = losses.new_tensor(self.LOSS_WEIGHTS)
            for group in self._optimiser.param_groups:
                group["lr"] = self._rate(self.epoch * batches + number, self._epochs * batches)
            self._optimiser.zero_grad()
            (losses * weights).sum().backward()
            self._optimiser.step()
            self._constrain()
            sums = sums + losses.detach().double() * size
            count += size
            if on_batch:
                on_batch(number + 1, batches)
        means: list[float] = (sums / count).tolist()  # type: ignore[attr-defined]
        return means
