"""Training of a net that corrects a linear evaluation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError
from tengen.engine.nets.convolution import ConvolutionShape
from tengen.engine.nets.correction import Net, NetShape, Shape
from tengen.tuning.learn.features import Rows, values_of
from tengen.tuning.learn.fit import (
    Fit,
    LearnSettings,
    Losses,
    calibration,
    losses_of,
    scaled_losses,
    told_losses,
)
from tengen.tuning.learn.logistic import inverse_temperature, mean_loss, win_rates
from tengen.tuning.learn.nets.model import CPU, Model, NetBatch, PatternModel, RowModel, torch_or_error
from tengen.tuning.learn.samples import LearnData, NetData, NetSamples
from tengen.tuning.learn.trainer import Trainer
from tengen.tuning.version import fingerprint, require_setting

Array = NDArray[np.float64]

FURTHER_RATE = 0.3  # of the highest rate, where a net learns further
BETAS, EPSILON = (0.9, 0.999), 1e-8  # of Adam
MAX_LOGIT = 12.0  # of a target
ROUGH_SCALE = 250.0  # of evaluations in centi-points, before theirs is known
POLICY_SHARE = 0.3  # weight of the policy's loss
JUDGED = 1 << 13  # positions that are judged together
UNLESS_CHOSEN = ("further", "teacher", "blocks", "channels")  # settings that an identity has only then


@dataclass(frozen=True)
class NetSettings(LearnSettings):
    """The settings of a training of a net, which corrects the base; a net of its own is replaced.

    The seed also decides the numbers at the start and the order of the positions.
    """

    TOLD = (*LearnSettings.TOLD, "epochs")

    score_share: float = 0.4
    epochs: int = 5  # how often all positions are learned from
    further: bool = False  # whether it begins with the net of the base, at a lower rate, and not at random
    teacher: int = 0  # epochs of a greater net that learns first and then teaches (`distillation`)
    blocks: int = 0  # of a convolutional net; 0: as many as the base's has
    channels: int = 0  # the same

    def __post_init__(self) -> None:
        super().__post_init__()
        require_setting(self.epochs >= 1, "epochs", "at least 1", self.epochs)
        require_setting(not self.further or self.base.net is not None, "further", "a base with a net", "none")

    @property
    def shape(self) -> Shape:
        """The shape of the game's net; OptionError if the game declares none, or it cannot be so large."""
        evaluation = self.game.game.evaluation
        if evaluation is None or evaluation.net is None:
            raise OptionError(f"--net: expected a game whose evaluation has a net, got {self.game.game.name}")
        known: Shape = evaluation.net.fitted(self.base.net.size) if self.base.net else evaluation.net
        if not (self.blocks or self.channels):
            return known
        if not isinstance(known, ConvolutionShape):
            raise OptionError(f"--blocks, --channels: {self.game.game.name} has no convolutional net")
        chosen = known.resized(self.blocks or known.blocks, self.channels or known.channels)
        if self.further and (chosen.blocks < known.blocks or chosen.channels < known.channels):
            least = f"at least {known.blocks} blocks of {known.channels} channels, as the base's net has"
            raise OptionError(f"--further: expected {least}, got {chosen.blocks} of {chosen.channels}")
        return chosen

    def identity(self, sources: Sequence[Mapping[str, Any]]) -> str:
        """Return a hash of everything that decides what is learned."""
        chosen = {name: value for name, value in vars(self).items() if value or name not in UNLESS_CHOSEN}
        chosen |= {"base": self.base.fingerprint, "data": sources, "shape": self.shape}
        return fingerprint({name: str(value) for name, value in chosen.items()})

    def net_origin(self, data: LearnData[Any]) -> dict[str, Any]:
        """Return what the origin of a net says of settings and data."""
        further = {"further": True} if self.further else {}
        return self.origin("tengen fit --net", data) | further


def scale_of(samples: NetSamples) -> float:
    """Return the logistic scale of the linear evaluation in centi-points."""
    linear, results = samples.with_results(samples.linear / ROUGH_SCALE)
    return ROUGH_SCALE / inverse_temperature(linear, results)


def mixed_targets(samples: NetSamples, scale: float, score_share: float) -> NDArray[np.float32]:
    """Return what the win rates learn: results mixed with scores, of logistic `scale`, or one of them."""
    rates = win_rates(np.clip(samples.scores / scale, -MAX_LOGIT, MAX_LOGIT))
    results = np.where(np.isnan(samples.results), rates, samples.results)
    mixed = (1 - score_share) * results + score_share * rates
    found: NDArray[np.float32] = np.where(samples.proven, samples.results, mixed).astype(np.float32)
    return found


class NetTrainer(Trainer):
    """A training of a net, of values and, where it has one, of its policy.

    Raises OptionError if PyTorch is missing, or the game has no net; TrainingError if the checkpoint belongs
    to another training.
    """

    LOSS_WEIGHTS = (1.0, POLICY_SHARE)
    JUDGED = 1
    BATCH_SIZE: ClassVar[int] = 0  # positions; 0: as many as suit the net

    def __init__(
        self, settings: NetSettings, data: NetData, checkpoint: Path | None = None, device: str = CPU
    ) -> None:
        self._torch = torch_or_error()
        self._settings, self._data = settings, data
        self._shape, self._device = settings.shape, device
        self._scale = scale_of(data.train)
        kind: type[Model] = RowModel if isinstance(self._shape, NetShape) else PatternModel
        self._model = kind(self._shape)
        self._batch_size = self.BATCH_SIZE or self._model.batch_size
        rate = self._model.rate * (FURTHER_RATE if settings.further else 1)
        if settings.further and settings.base.net:
            start = self._model.restore(settings.base.net.numbers, self._scale)
        else:
            start = self._model.initial(settings.seed)
        tensors = {name: self._moved(array).requires_grad_() for name, array in start.items()}
        adam = self._torch.optim.Adam(tensors.values(), rate, BETAS, EPSILON)
        batches, identity = -(-len(data.train) // self._batch_size), settings.identity(data.sources)
        super().__init__(tensors, adam, rate, batches, settings.epochs, identity, checkpoint)

    def _constrain(self) -> None:
        with self._torch.no_grad():
            self._model.constrain(self._torch, self._tensors, self._scale)

    def _judge(self) -> list[float]:
        held_out = self._data.held_out
        return [mean_loss(self._predict(held_out), held_out.results)]

    def _losses_of_batches(self) -> Iterator[tuple[Any, int]]:
        torch, train = self._torch, self._data.train
        order = np.random.default_rng([self._settings.seed, self.epoch]).permutation(len(train))
        for number in range(self._batches):
            chosen = np.sort(order[number * self._batch_size : (number + 1) * self._batch_size])
            logits, policy = self._logits(train, chosen)
            targets = self._moved(self._targets[chosen])
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, targets)
            policy_loss = self._policy_loss(policy, train.actions[chosen])
            yield torch.stack([loss, policy_loss]), len(chosen)

    @cached_property
    def _targets(self) -> NDArray[np.float32]:
        return mixed_targets(self._data.train, self._scale, self._settings.score_share)

    def _batch(self, rows: NetSamples | Rows, chosen: Any) -> NetBatch:
        """Return the chosen positions as the model takes them."""
        linear = (rows.linear[chosen] / self._scale).astype(np.float32)
        return NetBatch(rows.inputs[chosen], linear, rows.buckets[chosen].astype(np.int64))

    def _logits(self, samples: NetSamples, chosen: Any) -> tuple[Any, Any]:
        """Return the logits of the chosen positions, and those of their actions, as tensors."""
        return self._model.forward(self._torch, self._tensors, self._batch(samples, chosen))

    def _policy_loss(self, policy: Any, actions: NDArray[np.int16]) -> Any:
        """Return the loss of the policy on the actions played; 0 without one."""
        known = np.flatnonzero(actions >= 0)
        if policy is None or not len(known):
            return self._torch.zeros((), device=self._device)
        played = self._moved(actions[known].astype(np.int64))
        return self._torch.nn.functional.cross_entropy(policy[known], played)

    def _predict(self, samples: NetSamples) -> Array:
        """Return the logits of all positions."""
        with self._torch.no_grad():
            parts = [
                self._logits(samples, slice(first, first + JUDGED))[0].cpu().numpy()
                for first in range(0, len(samples), JUDGED)
            ]
        return np.concatenate(parts).astype(np.float64)

    def result(self) -> Fit:
        """Return the trained net, in integers, and how well it predicts.

        The report has the root mean square of the difference that integers make, in centi-points, as
        ``rounding``, and the losses of positions that are not proven by bucket.
        """
        settings, data, scale = self._settings, self._data, self._scale
        floats = {name: tensor.detach().cpu().numpy().copy() for name, tensor in self._tensors.items()}
        numbers = self._model.quantise(floats, scale)
        weights = replace(settings.base, net=Net(numbers, {}))
        held_out = data.held_out
        values = values_of(settings.game.game, weights, data.held_out_states)
        exact, learned = self._predict(held_out), float(self.history[-1, 0])
        losses = {
            "net": losses_of(learned, mean_loss(values / scale, held_out.results)),
            "real": losses_of(learned, mean_loss(exact, held_out.results)),
            **{name: self._losses(name) for name in ("linear", "scores")},
        }
        origin = self._origin(losses)
        weights = replace(settings.base, net=Net(numbers, origin))
        report = {
            "game": str(settings.game),
            "fingerprint": weights.fingerprint,
            "base": settings.base.fingerprint,
            "data": data.sources,
            "positions": data.positions,
            **({"teacher": origin["teacher"]} if "teacher" in origin else {}),
            "losses": losses,
            "buckets": self._losses_by_bucket(values),
            "course": [losses_of(*self._reported(row)) for row in self.history],
            "calibration": calibration(win_rates(values / scale), held_out.results),
            "rounding": float(np.sqrt(np.mean((values - exact * scale) ** 2))),
        }
        return Fit(weights, report)

    def _losses_by_bucket(self, values: NDArray[np.int32]) -> list[dict[str, float]]:
        """Return the held-out losses of the net's `values` and of the linear ones; 0 without positions."""
        held_out, found = self._data.held_out, []
        for bucket in range(self._shape.buckets):
            chosen = (held_out.buckets == bucket) & ~held_out.proven
            net, linear = (
                mean_loss(v[chosen] / self._scale, held_out.results[chosen]) if chosen.any() else 0.0
                for v in (values, held_out.linear)
            )
            found.append({"net": net, "linear": linear})
        return found

    def _losses(self, name: str) -> Losses:
        """Return the losses of predictions by the linear evaluation, or by the scores of the search."""
        train, held_out = self._data.train, self._data.held_out
        learned, judged = (
            np.clip(getattr(part, name) / self._scale, -MAX_LOGIT, MAX_LOGIT) for part in (train, held_out)
        )
        learned, results = train.with_results(learned)
        return scaled_losses(learned, results, judged, held_out.results)

    def _origin(self, losses: Mapping[str, Losses]) -> dict[str, Any]:
        """Return the origin of the net, which depends on data and settings only."""
        return {
            **self._settings.net_origin(self._data),
            "scale": round(self._scale, 2),
            "loss": told_losses(losses),
        }
