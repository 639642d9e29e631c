"""Training of nets: Adam on weighted losses, epoch by epoch, resumable after each."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.engine.storage.files import replace_file
from tengen.engine.storage.npz import ONE_NUMBER, ONE_TEXT, ArchiveError, Limit, pack, unpack

LAST_RATE = 1e-5  # of learning
WARM_UP = 0.1  # share of the batches in which the rate rises

OnEpoch = Callable[[int, float, float], None]
OnBatch = Callable[[int, int], None]
MOMENTS = ("exp_avg", "exp_avg_sq")  # of the shape of their tensor; beside them is the number of steps
STEP = "step"


def learning_rate(top: float, done: float, warm_up: float = WARM_UP) -> float:
    """Return the rate of learning when the share `done` of a training is over.

    It rises to `top` during the share `warm_up`, and then falls as a cosine.
    """
    if done < warm_up:
        return top * (done / warm_up) + LAST_RATE
    return LAST_RATE + (top - LAST_RATE) * (1 + math.cos(math.pi * (done - warm_up) / (1 - warm_up))) / 2


class Trainer(ABC):
    """One training. A kind of it says what its batches lose, and how well it does on what is held out.

    Of the tensors, by name, those that require a gradient are learned. The optimiser is Adam, or a kind of
    it. In each epoch it learns from as many positions as there are, with a rate up to `top_rate`. The
    identity is a hash of everything that decides what is learned. The checkpoint is written after each epoch;
    an interrupted training goes on from there. Raises TrainingError if the checkpoint belongs to another
    training.
    """

    LOSS_WEIGHTS: ClassVar[tuple[float, ...]]  # of the losses of a batch, in what is minimised
    JUDGED: ClassVar[int] = 0  # number of losses on what is held out
    _torch: ModuleType
    _device: str

    def __init__(
        self,
        tensors: Mapping[str, Any],
        optimiser: Any,
        top_rate: float,
        batches: int,
        epochs: int,
        identity: str,
        checkpoint: Path | None,
    ) -> None:
        self._tensors, self._optimiser, self._top_rate = tensors, optimiser, top_rate
        self._batches, self._epochs, self._identity, self._checkpoint = batches, epochs, identity, checkpoint
        # Epochs done, and by epoch the mean losses of its positions, then those on what is held out
        self.epoch, self.history = 0, np.zeros((0, len(self.LOSS_WEIGHTS) + self.JUDGED))
        if checkpoint and checkpoint.exists():
            shape = epochs, self.history.shape[1]
            self.epoch, self.history = read_checkpoint(checkpoint, identity, shape, tensors, optimiser)

    def _moved(self, array: NDArray[Any]) -> Any:
        """Return an array as a tensor of the device."""
        return self._torch.from_numpy(array).to(self._device)

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

    def learn(self, on_epoch: OnEpoch | None = None, on_batch: OnBatch | None = None) -> Self:
        """Learn, from where the checkpoint ends on, and return itself.

        `on_epoch` is called after each epoch with its number and its losses in training and held out;
        `on_batch` after each batch with its number and the number of all.
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
        return self

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


class TrainingError(TengenError):
    """A checkpoint that belongs to another training."""


def write_checkpoint(
    path: Path, identity: str, epoch: int, history: NDArray[np.float64], tensors: Mapping[str, Any], adam: Any
) -> None:
    """Write everything that a later run needs to go on; for the arguments see `Trainer`."""
    state = {"identity": np.array(identity), "epoch": np.array(epoch), "history": history}
    for name, tensor in tensors.items():
        state[f"parameter_{name}"] = tensor.detach().cpu().numpy()
        if tensor.requires_grad:
            moments = adam.state[tensor]
            state |= {f"{kind}_{name}": moments[kind].cpu().numpy() for kind in (STEP, *MOMENTS)}
    replace_file(path, pack(state))


def read_checkpoint(
    path: Path, identity: str | None, losses: tuple[int, int], tensors: Mapping[str, Any], adam: Any
) -> tuple[int, NDArray[np.float64]]:
    """Take over tensors and moments from a checkpoint, in place; return the epochs done and the history.

    `losses` are the greatest number of rows of the history, and their length. Without an identity, that of
    the checkpoint does not matter. Raises TrainingError if the checkpoint is damaged, or belongs to another
    training.
    """
    limits = {"identity": ONE_TEXT, "epoch": ONE_NUMBER, "history": Limit("f8", losses)}
    for name, tensor in tensors.items():
        array = tensor.detach().cpu().numpy()
        limits |= {f"{kind}_{name}": Limit(array.dtype, array.shape) for kind in ("parameter", *MOMENTS)}
        limits[f"{STEP}_{name}"] = Limit("f4", ())
    try:
        state = unpack(path, limits)
        if identity is not None and str(state["identity"]) != identity:
            raise TrainingError(
                f"{path}: expected a checkpoint of the same data and options, got another; remove it"
            )
        if (length := state["history"].shape[1]) != losses[1]:
            raise ArchiveError(f"history: expected {losses[1]} losses a row, got {length}")
        for name, tensor in tensors.items():
            for kind in ("parameter", *(MOMENTS if tensor.requires_grad else ())):
                if (shape := state[f"{kind}_{name}"].shape) != tuple(tensor.shape):
                    raise ArchiveError(f"{name}: expected shape {tuple(tensor.shape)}, got {shape}")
            tensor.data.copy_(tensor.new_tensor(state[f"parameter_{name}"]))
            if tensor.requires_grad:
                kinds = (STEP, *MOMENTS)
                adam.state[tensor] = {kind: tensor.new_tensor(state[f"{kind}_{name}"]) for kind in kinds}
        return int(state["epoch"]), state["history"]
    except (ArchiveError, KeyError) as error:
        raise TrainingError(f"{path}: expected a checkpoint, got something else ({error})") from None
