"""Training of a net: Adam on the log loss, epoch by epoch, resumable after each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError
from tengen.engine.game import GameSpec
from tengen.engine.nets.correction import Net, NetShape, Shape
from tengen.engine.nets.patterns import PatternShape
from tengen.engine.weights import Weights
from tengen.search.features import values_of
from tengen.tuning.identity import fingerprint
from tengen.tuning.learn.fit import CalibrationBin, LossPair, calibration
from tengen.tuning.learn.logistic import inverse_temperature, mean_loss, win_rates
from tengen.tuning.learn.nets.checkpoint import read_checkpoint, write_checkpoint
from tengen.tuning.learn.nets.data import NetData, NetSamples
from tengen.tuning.learn.nets.model import CPU, Model, NetBatch, RowModel, torch_or_error
from tengen.tuning.learn.nets.patterns import PatternModel
from tengen.tuning.version import engine_version

Array = NDArray[np.float64]

LAST_RATE = 1e-5  # of learning
WARM_UP = 0.1  # share of the batches in which the rate rises
FURTHER_RATE = 0.3  # of the highest rate, where a net learns further
BETAS, EPSILON = (0.9, 0.999), 1e-8  # of Adam
MAX_LOGIT = 12.0  # of a target
ROUGH_SCALE = 250.0  # of evaluations in centi-points, before theirs is known
POLICY_SHARE = 0.3  # weight of the policy's loss
JUDGED = 1 << 13  # positions that are judged together


@dataclass(frozen=True)
class NetSettings:
    """The settings of a training.

    Attributes
    ----------
    game : GameSpec
    base : Weights
        The linear evaluation that the net corrects; a net of its own is replaced.
    seed : int
        Decides which games are held out, the numbers at the start, and the order of the positions.
    held_out : float
        Share of the games that are held out.
    score_share : float
        Share of the search's score in the targets; the rest is the result of the game.
    epochs : int
        How often all positions are learned from.
    further : bool
        Whether the training begins with the net of the base, at a lower rate, and not at random.
    teacher : int
        How often a greater net learns from all positions first, which then teaches
        (`tuning.learn.distillation`); 0 for none.
    """

    game: GameSpec
    base: Weights
    seed: int = 1
    held_out: float = 0.1
    score_share: float = 0.4
    epochs: int = 5
    further: bool = False
    teacher: int = 0

    def __post_init__(self) -> None:
        self._require(0 < self.held_out < 1, "held-out", "a share between 0 and 1", self.held_out)
        self._require(0 <= self.score_share <= 1, "score-share", "a share from 0 to 1", self.score_share)
        self._require(self.epochs >= 1, "epochs", "at least 1", self.epochs)
        self._require(not self.further or self.base.net is not None, "further", "a base with a net", "none")

    @staticmethod
    def _require(sound: bool, name: str, expected: str, got: object) -> None:
        if not sound:
            raise OptionError(f"{name}: expected {expected}, got {got}")

    @property
    def shape(self) -> Shape:
        """The shape of the game's net.

        Raises
        ------
        OptionError
            If the game declares none.
        """
        evaluation = self.game.game.evaluation
        if evaluation is None or evaluation.net is None:
            raise OptionError(f"--net: expected a game whose evaluation has a net, got {self.game.game.name}")
        shape: Shape = evaluation.net
        return shape

    def identity(self, data: NetData) -> str:
        """Return a hash of everything that decides what is learned."""
        texts = {
            "game": str(self.game),
            "base": self.base.fingerprint,
            "seed": str(self.seed),
            "held_out": str(self.held_out),
            "score_share": str(self.score_share),
            "epochs": str(self.epochs),
            **({"further": "True"} if self.further else {}),
            **({"teacher": str(self.teacher)} if self.teacher else {}),
            "data": str(data.sources),
            "shape": str(self.shape),
        }
        return fingerprint(texts)


@dataclass(frozen=True, eq=False)
class NetFit:
    """A trained net.

    Attributes
    ----------
    settings : NetSettings
    weights : Weights
        Those of the base, with the net.
    losses : mapping of str to LossPair
        Mean log losses by predictor.
    by_bucket : list of (float, float)
        Held-out losses of the net and of the linear evaluation, by bucket, without proven positions.
    history : list of LossPair
        Loss of the targets in training and of the results held out, by epoch.
    calibration : list of CalibrationBin
    rounding : float
        Root mean square of the difference that integers make on the positions held out, in centi-points.
    """

    settings: NetSettings
    weights: Weights
    losses: Mapping[str, LossPair]
    by_bucket: list[tuple[float, float]]
    history: list[LossPair]
    calibration: list[CalibrationBin]
    rounding: float


def model_of(shape: Shape) -> Model:
    """Return the model of a net with this shape."""
    if isinstance(shape, NetShape):
        return RowModel(shape)
    assert isinstance(shape, PatternShape)
    return PatternModel(shape)


def train(
    settings: NetSettings,
    data: NetData,
    checkpoint: Path | None = None,
    on_epoch: Callable[[int, LossPair], None] | None = None,
    on_batch: Callable[[int, int], None] | None = None,
) -> NetFit:
    """Return the net that predicts results and scores of `data` best.

    Parameters
    ----------
    settings : NetSettings
    data : NetData
    checkpoint : Path, optional
        Written after each epoch. An interrupted training goes on from there.
    on_epoch, on_batch : callable, optional
        Called after each epoch with its number and its losses, after each batch with its number and the
        number of all.

    Raises
    ------
    OptionError
        If PyTorch is missing, or the game has no net.
    TrainingError
        If the checkpoint belongs to another training.
    """
    return Trainer(settings, data, checkpoint).run(on_epoch, on_batch)


def learning_rate(top: float, done: float, warm_up: float = WARM_UP) -> float:
    """Return the rate of learning when the share `done` of a training is over.

    It rises to `top` during the share `warm_up`, and then falls as a cosine.
    """
    if done < warm_up:
        return top * (done / warm_up) + LAST_RATE
    return LAST_RATE + (top - LAST_RATE) * (1 + math.cos(math.pi * (done - warm_up) / (1 - warm_up))) / 2


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


class Trainer:
    """One training: parameters, the moments of Adam, and the losses so far.

    Parameters
    ----------
    settings : NetSettings
    data : NetData
    checkpoint : Path or None
        See `train`.
    device : str
        Where the net learns.
    """

    def __init__(
        self, settings: NetSettings, data: NetData, checkpoint: Path | None, device: str = CPU
    ) -> None:
        self._torch = torch_or_error()
        self._settings, self._data, self._checkpoint = settings, data, checkpoint
        self._shape, self._device = settings.shape, device
        self._scale = scale_of(data.train)
        self._model = model_of(self._shape)
        self._top_rate = self._model.rate * (FURTHER_RATE if settings.further else 1)
        if settings.further and settings.base.net:
            start = self._model.restore(settings.base.net.numbers, self._scale)
        else:
            start = self._model.initial(settings.seed)
        self._parameters = {name: self._moved(array).requires_grad_() for name, array in start.items()}
        self._adam = self._torch.optim.Adam(self._parameters.values(), self._top_rate, BETAS, EPSILON)
        self._batch_size = self._model.batch_size
        self.epoch, self.history = 0, list[LossPair]()
        if checkpoint and checkpoint.exists():
            self._restore(checkpoint)

    def run(
        self,
        on_epoch: Callable[[int, LossPair], None] | None = None,
        on_batch: Callable[[int, int], None] | None = None,
    ) -> NetFit:
        """Learn, from where the checkpoint ends on, and return the net; see `train`."""
        while self.epoch < self._settings.epochs:
            self.run_epoch(on_batch)
            if on_epoch:
                on_epoch(self.epoch, self.history[-1])
        return self.result()

    @property
    def _batches(self) -> int:
        """Number of batches in an epoch."""
        return -(-len(self._data.train) // self._batch_size)

    def _moved(self, array: NDArray[Any]) -> Any:
        """Return an array as a tensor of the device."""
        return self._torch.from_numpy(array).to(self._device)

    def run_epoch(self, on_batch: Callable[[int, int], None] | None) -> None:
        """Learn from as many positions as there are, in random order, and write the checkpoint."""
        torch, total, count = self._torch, 0.0, 0
        for number, (loss, policy_loss, size) in enumerate(self._losses_of_batches()):
            for group in self._adam.param_groups:
                done = (self.epoch * self._batches + number) / (self._settings.epochs * self._batches)
                group["lr"] = learning_rate(self._top_rate, done)
            self._adam.zero_grad()
            (loss + POLICY_SHARE * policy_loss).backward()
            self._adam.step()
            with torch.no_grad():
                self._model.constrain(torch, self._parameters, self._scale)
            total += float(loss.detach()) * size
            count += size
            if on_batch:
                on_batch(number + 1, self._batches)
        self.epoch += 1
        held_out = self._data.held_out
        self.history.append(LossPair(total / count, mean_loss(self._predict(held_out), held_out.results)))
        if self._checkpoint:
            history = np.array([(loss.train, loss.held_out) for loss in self.history])
            identity = self._settings.identity(self._data)
            write_checkpoint(self._checkpoint, identity, self.epoch, history, self._parameters, self._adam)

    def _losses_of_batches(self) -> Iterator[tuple[Any, Any, int]]:
        """Yield the losses of values and policies in the batches of an epoch, and their sizes."""
        torch, train = self._torch, self._data.train
        order = np.random.default_rng([self._settings.seed, self.epoch]).permutation(len(train))
        for number in range(self._batches):
            chosen = np.sort(order[number * self._batch_size : (number + 1) * self._batch_size])
            logits, policy = self._logits(train, chosen)
            targets = self._moved(self._targets[chosen])
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, targets)
            yield loss, self._policy_loss(policy, train.actions[chosen]), len(chosen)

    @cached_property
    def _targets(self) -> NDArray[np.float32]:
        return mixed_targets(self._data.train, self._scale, self._settings.score_share)

    def _logits(self, samples: NetSamples, chosen: Any) -> tuple[Any, Any]:
        """Return the logits of the chosen positions, and those of their actions, as tensors."""
        batch = NetBatch(
            samples.inputs[chosen],
            (samples.linear[chosen] / self._scale).astype(np.float32),
            samples.buckets[chosen].astype(np.int64),
        )
        return self._model.forward(self._torch, self._parameters, batch)

    def _policy_loss(self, policy: Any, actions: NDArray[np.int16]) -> Any:
        """Return the loss of the policy on the actions played; 0 without one."""
        known = np.flatnonzero(actions >= 0)
        if policy is None or not len(known):
            return 0.0
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

    def _restore(self, path: Path) -> None:
        """Go on from a checkpoint."""
        identity, losses = self._settings.identity(self._data), (self._settings.epochs, 2)
        self.epoch, history = read_checkpoint(
            path, identity, losses, self._parameters, self._adam, self._torch
        )
        self.history = [LossPair(*map(float, pair)) for pair in history]

    def result(self) -> NetFit:
        """Return the trained net, in integers, and how well it predicts."""
        settings, data = self._settings, self._data
        floats = {name: tensor.detach().cpu().numpy().copy() for name, tensor in self._parameters.items()}
        numbers = self._model.quantise(floats, self._scale)
        weights = replace(settings.base, net=Net(numbers, {}))
        held_out = data.held_out
        values = values_of(settings.game.game, weights, data.held_out_states)
        exact = self._predict(held_out)
        losses = {
            "net": LossPair(self.history[-1].train, mean_loss(values / self._scale, held_out.results)),
            "real": LossPair(self.history[-1].train, mean_loss(exact, held_out.results)),
            **{name: self._losses(name) for name in ("linear", "scores")},
        }
        return NetFit(
            settings,
            replace(settings.base, net=Net(numbers, self._origin(losses))),
            losses,
            self._losses_by_bucket(values),
            self.history,
            calibration(win_rates(values / self._scale), held_out.results),
            float(np.sqrt(np.mean((values - exact * self._scale) ** 2))),
        )

    def _losses_by_bucket(self, values: NDArray[np.int32]) -> list[tuple[float, float]]:
        """Return the held-out losses of the net's `values` and of the linear ones; 0 without positions."""
        held_out, found = self._data.held_out, []
        for bucket in range(self._shape.buckets):
            chosen = (held_out.buckets == bucket) & ~held_out.proven
            net, linear = (
                mean_loss(v[chosen] / self._scale, held_out.results[chosen]) if chosen.any() else 0.0
                for v in (values, held_out.linear)
            )
            found.append((net, linear))
        return found

    def _losses(self, name: str) -> LossPair:
        """Return the losses of predictions by the linear evaluation, or by the scores of the search."""
        train, held_out = self._data.train, self._data.held_out
        learned, judged = (
            np.clip(getattr(part, name) / self._scale, -MAX_LOGIT, MAX_LOGIT) for part in (train, held_out)
        )
        learned, results = train.with_results(learned)
        factor = inverse_temperature(learned, results)
        return LossPair(mean_loss(factor * learned, results), mean_loss(factor * judged, held_out.results))

    def _origin(self, losses: Mapping[str, LossPair]) -> dict[str, Any]:
        """Return the origin of the net, which depends on data and settings only."""
        settings, data = self._settings, self._data
        return {
            "source": "tengen fit --net",
            "engine": engine_version(settings.game),
            "base": settings.base.fingerprint,
            "data": data.sources,
            "positions": {"learned": len(data.train), "held_out": len(data.held_out)},
            "seed": settings.seed,
            "held_out": settings.held_out,
            "score_share": settings.score_share,
            "epochs": settings.epochs,
            **({"further": True} if settings.further else {}),
            "scale": round(self._scale, 2),
            "loss": {
                name: {part: round(value, 5) for part, value in asdict(found).items()}
                for name, found in losses.items()
            },
        }
