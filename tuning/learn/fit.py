"""Weights of an evaluation, learned from the results of games by logistic regression.

The features are those that the game's ``evaluate.py`` declares, computed by the kernel of the search. A fit
starts from base weights. Rows without data, and features that never occur, keep the base weights.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tengen.engine.spec import GameSpec
from tengen.engine.weights import Evaluation, Weights
from tengen.tuning.learn.features import evaluation_of
from tengen.tuning.learn.logistic import (
    Array,
    Problem,
    inverse_temperature,
    logits_of,
    mean_loss,
    newton,
    round_weights,
    win_rates,
)
from tengen.tuning.learn.samples import Data, LearnData, Samples
from tengen.tuning.version import engine_version, require_setting

BINS = 10  # of the calibration
ORIGIN = "tengen fit"
EPSILON = 1e-9  # smallest win rate
Losses = dict[str, float]  # of games to learn from, and of those held out; see `losses_of`


@dataclass(frozen=True)
class LearnSettings:
    """What the settings of all fits of an evaluation have in common."""

    TOLD: ClassVar[tuple[str, ...]] = ("seed", "held_out", "score_share")  # settings that origins name

    game: GameSpec
    base: Weights  # at which the fit starts
    seed: int = 1  # decides which games are held out
    held_out: float = 0.1  # share of the games
    score_share: float = 0.1  # of the search's score in the targets; the rest is the result of the game

    def __post_init__(self) -> None:
        require_setting(0 < self.held_out < 1, "held-out", "a share between 0 and 1", self.held_out)
        require_setting(0 <= self.score_share <= 1, "score-share", "a share from 0 to 1", self.score_share)

    def origin(self, source: str, data: LearnData[Any]) -> dict[str, Any]:
        """Return what an origin says of settings and data, and nothing else."""
        return {
            "source": source,
            "engine": engine_version(self.game),
            "base": self.base.fingerprint,
            "data": data.sources,
            "positions": data.positions,
            **{name: getattr(self, name) for name in self.TOLD},
        }


@dataclass(frozen=True)
class FitSettings(LearnSettings):
    """The settings of a fit, which is regularised towards the base."""

    TOLD = (*LearnSettings.TOLD, "prior", "proven")

    # The base weight of a feature counts as much as this many games in which the feature always occurs
    prior: float = 1.0
    # Of the new weights, logistic, in centi-points; None for the one that fits the base weights to these
    # positions, so that new values are as large as the base's
    scale: float | None = None
    # Whether to learn from positions with a proven result, with that as the target. Without them the fit sees
    # positions in which a side could win at once only if it did not, and misjudges them
    proven: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require_setting(self.prior > 0, "prior", "more than 0 games", self.prior)
        require_setting(self.scale is None or self.scale > 0, "scale", "more than 0 centi-points", self.scale)

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation that the game declares; OptionError if it cannot be learned."""
        return evaluation_of(self.game.game)


@dataclass(frozen=True, eq=False)
class Fit:
    """What a fit has found."""

    weights: Any  # the new ones; of moves, the game's `Gammas`
    # What the command prints as JSON, but for the file; see docs/tuning.md. Losses are means per position in
    # nats. `course` has them by step, round or epoch
    report: dict[str, Any]


class _Fitter:
    """The parts of a fit that do not depend on the weights.

    By row there are the number of training positions, whether it is `learned`, which it is with any, and the
    logistic scale in centi-points. For `row_weights` see `tuning.learn.logistic`. `base` are the base weights
    in the new scales.
    """

    def __init__(self, settings: FitSettings, data: Data) -> None:
        self._data = data
        self._settings = settings
        self._unit = settings.evaluation.unit
        self._blend = settings.evaluation.blend
        base_scales = np.array(settings.base.scales)
        logits = self.logits(data.train, settings.base.table, base_scales)
        fitted_scales = base_scales / inverse_temperature(logits, data.train.results)
        self.positions: Array = self._blend[data.train.phases].sum(axis=0)
        self.learned = self.positions > 0
        self.scales = np.where(self.learned, settings.scale or fitted_scales, base_scales)
        self.row_weights = self._blend / (self._blend @ self.scales)[:, None] / self._unit
        larger = np.where(self.learned, self.scales / fitted_scales, 1.0)
        self.base: Array = settings.base.table.astype(np.float64) * larger[:, None]

    def logits(self, samples: Samples, table: NDArray[np.int64], scales: Array) -> Array:
        """Return the logits of positions by integer weights, mixed and rounded as in the kernels."""
        expanded = np.rint(self._blend @ table) / self._unit / (self._blend @ scales)[:, None]
        return logits_of(samples, np.eye(len(expanded)), expanded)

    def search_logits(self, samples: Samples) -> Array:
        """Return the scores of the search as logits."""
        found: Array = samples.scores / (self._blend @ self.scales)[samples.phases]
        return found

    def problem(self) -> Problem:
        """Return the regression problem."""
        train, share = self._data.train, self._settings.score_share
        targets = train.results
        if share:
            from_search = self.search_logits(train)
            factor = inverse_temperature(from_search, targets)
            targets = (1 - share) * targets + share * win_rates(factor * from_search)
        squares, counts = np.zeros(self.base.shape), np.zeros(self.base.shape)
        for phase, features in self._chunks():
            mixed = self.row_weights[phase][:, None]
            squares += mixed**2 * (features**2).sum(axis=0)
            counts += (mixed > 0) * (features != 0).sum(axis=0)
        # the curvature of the `prior` number of games
        ridge = self._settings.prior * len(train) / train.games * squares / np.maximum(counts, 1)
        return Problem(train, targets, self.row_weights, self.base, ridge)

    def sizes(self) -> Array:
        """Return the root mean square of every feature, by row."""
        squares = np.zeros(self.base.shape)
        for phase, features in self._chunks():
            squares += self._blend[phase][:, None] * (features**2).sum(axis=0)
        found: Array = np.sqrt(squares / np.maximum(self.positions, 1)[:, None])
        return found

    def _chunks(self) -> Iterator[tuple[int, Array]]:
        """Yield phases, each with the features of some of its positions."""
        train = self._data.train
        return ((phase, train.features[part].astype(np.float64)) for phase, part in train.groups())

    def final_scales(self, table: NDArray[np.int64]) -> Array:
        """Return the logistic scales that fit integer weights to the games held out."""
        held_out = self._data.held_out
        factor = inverse_temperature(self.logits(held_out, table, self.scales), held_out.results)
        return np.where(self.learned, np.round(self.scales / factor, 2), self.scales)

    def measured(self, table: NDArray[np.int64], real: Losses) -> dict[str, Losses]:
        """Return the losses of integer weights, which were `real` ones before, and others to compare."""
        data, base = self._data, self._settings.base
        rate = min(max(float(data.train.results.mean()), EPSILON), 1 - EPSILON)
        constant = np.log(rate / (1 - rate))
        parts = data.train, data.held_out
        return {
            "new": self.losses(lambda samples: self.logits(samples, table, self.scales)),
            "real": real,
            "base": self.losses(lambda samples: self.logits(samples, base.table, np.array(base.scales))),
            "constant": losses_of(*(mean_loss(np.full(len(s), constant), s.results) for s in parts)),
            "search": self.losses(self.search_logits),
        }

    def losses(self, predict: Callable[[Samples], Array]) -> Losses:
        """Return the losses of predicted logits, scaled (`scaled_losses`)."""
        train, held_out = self._data.train, self._data.held_out
        return scaled_losses(predict(train), train.results, predict(held_out), held_out.results)


def losses_of(train: float, held_out: float) -> Losses:
    """Return the losses of games to learn from and of those held out, as reports have them."""
    return {"train": train, "held_out": held_out}


def scaled_losses(learned: Array, results: Array, judged: Array, held_out: Array) -> Losses:
    """Return the losses of logits, those `learned` from and those `judged`, by the results of both.

    The logits are multiplied by the factor that fits the games to learn from best.
    """
    factor = inverse_temperature(learned, results)
    return losses_of(mean_loss(factor * learned, results), mean_loss(factor * judged, held_out))


def fit(settings: FitSettings, data: Data, on_step: Callable[[Losses], None] | None = None) -> Fit:
    """Return the weights that predict the results of `data`, games of ``settings.game``, best.

    `on_step` is called with the losses before the first step and after each. Raises OptionError if the game's
    evaluation cannot be learned; FitError if the fit does not converge.
    """
    fitter, base, held_out = _Fitter(settings, data), settings.base, data.held_out
    history: list[Losses] = []

    def note(table: Array) -> None:
        history.append(fitter.losses(lambda samples: logits_of(samples, fitter.row_weights, table)))
        if on_step:
            on_step(history[-1])

    problem = fitter.problem()
    rounded = round_weights(problem, newton(problem, note))
    table = np.where(fitter.learned[:, None], rounded, base.table).astype(np.int64)
    measured = fitter.measured(table, history[-1])
    games = {"learned": data.train.games, "held_out": held_out.games}
    positions = np.rint(fitter.positions).astype(int).tolist()
    origin = {**settings.origin(ORIGIN, data), "games": games, "loss": told_losses(measured)}
    origins = tuple(
        {**origin, "row_positions": count} if learned else old
        for count, learned, old in zip(positions, fitter.learned.tolist(), base.origins, strict=True)
    )
    scales = fitter.final_scales(table)
    weights = Weights(base.game, base.features, base.rows, table, tuple(scales.tolist()), origins)
    bins = calibration(win_rates(fitter.logits(held_out, table, scales)), held_out.results)
    sizes = fitter.sizes()
    report = {
        "game": str(settings.game),
        "fingerprint": weights.fingerprint,
        "base": base.fingerprint,
        "data": data.sources,
        "games": games,
        "positions": {name: data.positions[name] for name in ("learned", "held_out")},
        "left_out": {name: data.positions[name] for name in ("tense", "proven", "even")},
        "steps": len(history) - 1,
        "losses": measured,
        "course": history,
        "calibration": bins,
        "calibration_error": calibration_error(bins),
        "rows": {
            row: {"positions": positions[i], **_row_report(weights, base, i, sizes[i])}
            for i, row in enumerate(base.rows)
            if fitter.learned[i]
        },
    }
    return Fit(weights, report)


def _row_report(weights: Weights, base: Weights, row: int, sizes: Array) -> dict[str, Any]:
    """Return what a report says of a row of weights and its features, whose root mean squares are `sizes`."""
    columns = base.features, weights.table[row].tolist(), base.table[row].tolist(), sizes.tolist()
    return {
        "scale": weights.scales[row],
        "base_scale": base.scales[row],
        "features": {
            name: {"weight": weight, "base": before, "size": size}
            for name, weight, before, size in zip(*columns, strict=True)
        },
    }


def calibration(predicted: Array, results: Array) -> list[dict[str, float]]:
    """Return predicted and actual win rates in `BINS` equal parts of the range, without empty ones."""
    places = np.minimum((predicted * BINS).astype(np.int64), BINS - 1)
    return [
        {
            "predicted": float(predicted[chosen].mean()),
            "actual": float(results[chosen].mean()),
            "count": int(chosen.sum()),
        }
        for chosen in (places == place for place in range(BINS))
        if chosen.any()
    ]


def calibration_error(bins: Sequence[Mapping[str, float]]) -> float:
    """Return the mean distance between predicted and actual win rates over the bins."""
    total = sum(found["count"] for found in bins)
    return sum(abs(b["predicted"] - b["actual"]) * b["count"] for b in bins) / total


def told_losses(losses: Mapping[str, Losses]) -> dict[str, dict[str, float]]:
    """Return losses as origins name them."""
    return {name: {part: round(value, 5) for part, value in pair.items()} for name, pair in losses.items()}
