"""Training of a pattern net by a teacher: it learns what that says of positions like those of searches.

Such a position follows from one of the games by up to `search.features.MOST_ADDED` turns, most of which the
policy of the base draws. There is no end of them, and what the teacher says has no luck in it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from tengen.engine.errors import OptionError
from tengen.engine.nets.patterns import PatternShape
from tengen.search.features import varied_inputs
from tengen.tuning.learn.distillation import teacher as teachers
from tengen.tuning.learn.distillation.teacher import Teacher
from tengen.tuning.learn.fit import LossPair
from tengen.tuning.learn.nets.data import NetData
from tengen.tuning.learn.nets.model import NetBatch, check_device, torch_or_error
from tengen.tuning.learn.nets.training import NetFit, NetSettings, Trainer

BATCH_SIZE = 4096
AHEAD = 2  # batches that each processor makes ready
TEACHER = ".teacher"  # behind the name of the checkpoint


def train(
    settings: NetSettings,
    data: NetData,
    device: str,
    checkpoint: Path | None = None,
    on_epoch: Callable[[int, LossPair], None] | None = None,
    on_batch: Callable[[int, int], None] | None = None,
) -> NetFit:
    """Return the net that says what a teacher says, which has learned from `data`.

    Parameters
    ----------
    settings : NetSettings
        With ``teacher``.
    data : NetData
        With ``bases``.
    device : str
    checkpoint, on_epoch, on_batch
        As for `tuning.learn.nets.training.train`; a checkpoint of the teacher lies beside it.

    Raises
    ------
    OptionError
        If PyTorch or the device is missing, or the game has no pattern net.
    TrainingError
        If a checkpoint belongs to another training.
    """
    torch = torch_or_error()
    check_device(torch, device)
    require_pattern_net(settings)
    beside = teacher_checkpoint(checkpoint) if checkpoint else None
    teacher = Teacher(torch, settings, data, device, beside)
    teacher.learn(on_batch)
    return _Pupil(settings, data, checkpoint, device, teacher).run(on_epoch, on_batch)


def require_pattern_net(settings: NetSettings) -> None:
    """Raise OptionError if the game has no pattern net."""
    if not isinstance(settings.shape, PatternShape):
        raise OptionError(f"--teacher: expected a game with a pattern net, got {settings.game.game.name}")


def teacher_checkpoint(checkpoint: Path) -> Path:
    """Return the path of the teacher's checkpoint."""
    return checkpoint.with_name(checkpoint.name + TEACHER)


class _Pupil(Trainer):
    """A training by a teacher."""

    def __init__(
        self, settings: NetSettings, data: NetData, checkpoint: Path | None, device: str, teacher: Teacher
    ) -> None:
        super().__init__(settings, data, checkpoint, device)
        self._teacher, self._batch_size = teacher, BATCH_SIZE

    def _losses_of_batches(self) -> Iterator[tuple[Any, Any, int]]:
        functional = self._torch.nn.functional
        points = self._torch.from_numpy(self._teacher.points).to(self._device)
        for batch in self._varied():
            rates, wanted = self._teacher.say(batch.inputs, batch.buckets)
            logits, policy = self._model.forward(self._torch, self._parameters, batch)
            loss = functional.binary_cross_entropy_with_logits(logits, rates)
            yield loss, functional.cross_entropy(policy[:, points], wanted), len(batch.linear)

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
        inputs, linear, buckets = varied_inputs(settings.game.game, settings.base, states, generator)
        quiet = buckets >= 0
        return NetBatch(
            inputs[quiet], (linear[quiet] / self._scale).astype(np.float32), buckets[quiet].astype(np.int64)
        )

    def _origin(self, losses: Any) -> dict[str, Any]:
        blocks, channels = teachers.BLOCKS, teachers.CHANNELS
        last = dict(zip(teachers.LOSSES, np.round(self._teacher.history[-1], 5).tolist(), strict=True))
        told = {"epochs": self._teacher.epoch, "blocks": blocks, "channels": channels, "loss": last}
        return {**super()._origin(losses), "teacher": told}
