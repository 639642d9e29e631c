"""Weights of an evaluation, learned from the results of games by logistic regression.

The features are those that the game's ``evaluate.py`` declares, computed by the kernel of the search. A fit
starts from base weights. Rows without data, and features that never occur, keep the base weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tengen.engine.spec import GameSpec
from tengen.engine.weights import Evaluation, Weights
from tengen.tuning.identity import require_setting
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
from tengen.tuning.version import engine_version

BINS = 10  # of the calibration
ORIGIN = "tengen fit"
EPSILON = 1e-9  # smallest win rate


@dataclass(frozen=True)
class LearnSettings:
    """What the settings of all fits of an evaluation have in common.

    Attributes
    ----------
    TOLD : tuple of str
        Settings that origins name.
    game : GameSpec
    base : Weights
        The weights at which the fit starts.
    seed : int
        Decides which games are held out.
    held_out : float
        Share of the games that are held out.
    score_share : float
        Share of the search's score in the targets; the rest is the result of the game.
    """

    TOLD: ClassVar[tuple[str, ...]] = ("seed", "held_out", "score_share")

    game: GameSpec
    base: Weights
    seed: int = 1
    held_out: float = 0.1
    score_share: float = 0.1

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
    """The settings of a fit, which is regularised towards the base.

    Attributes
    ----------
    prior : float
        Strength of the prior: the base weight of a feature counts as much as this many games in which the
        feature always occurs.
    scale : float or None
        Logistic scale of the new weights in centi-points; None for the scale that fits the base weights to
        these positions, so that new values are as large as the base's.
    proven : bool
        Whether to learn from positions with a proven result, with that result as the target. Without them
        the fit sees positions in which a side could win at once only if it did not, and misjudges them.
    """

    TOLD = (*LearnSettings.TOLD, "prior", "proven")

    prior: float = 1.0
    scale: float | None = None
    proven: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require_setting(self.prior > 0, "prior", "more than 0 games", self.prior)
        require_setting(self.scale is None or self.scale > 0, "scale", "more than 0 centi-points", self.scale)

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation that the game declares.

        Raises
        ------
        OptionError
            If it cannot be learned.
        """
        return evaluation_of(self.game.game)


@dataclass(frozen=True)
class CalibrationBin:
    """Positions whose predicted win rates lie in the same part of the range.

    Attributes
    ----------
    predicted, actual : float
        Mean predicted win rate, and mean result.
    count : int
    """

    predicted: float
    actual: float
    count: int


@dataclass(frozen=True)
class LossPair:
    """Mean log losses per position in nats, after fitting the logistic scale to the training games.

    Attributes
    ----------
    train, held_out : float
    """

    train: float
    held_out: float


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of a fit.

    Attributes
    ----------
    settings : FitSettings
    weights : Weights
        The new weights.
    rows : tuple of str
        The rows that were learned.
    positions : dict of str to int
        Number of training positions by row; a mixture of two rows counts partly for each.
    losses : dict of str to LossPair
        Losses of the ``new`` weights, of the ``real`` ones before rounding, of the ``base``, of a
        ``constant`` win rate, and of the ``search`` that played the games.
    history : list of LossPair
        Losses of the real weights before the first step and after each.
    calibration : list of CalibrationBin
        Calibration of the new weights on the held-out games.
    sizes : ndarray
        float64, shape (rows, features): root mean square of each feature; 0 if it never occurs.
    """

    settings: FitSettings
    weights: Weights
    rows: tuple[str, ...]
    positions: dict[str, int]
    losses: dict[str, LossPair]
    history: list[LossPair]
    calibration: list[CalibrationBin]
    sizes: Array

    @property
    def calibration_error(self) -> float:
        """Mean distance between predicted and actual win rates over the bins."""
        return calibration_error(self.calibration)


class _Fitter:
    """The parts of a fit that do not depend on the weights.

    Attributes
    ----------
    positions : ndarray
        float64, by row: number of training positions.
    learned : ndarray
        bool, by row: whether there are any.
    scales : ndarray
        float64, by row: logistic scale in centi-points.
    row_weights : ndarray
        float64, shape (phases, rows): see `tuning.learn.logistic`.
    base : ndarray
        float64, shape (rows, features): the base weights in the new scales.
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
        return Problem(train, targets, self.row_weights, self.base, self._ridge())

    def _ridge(self) -> Array:
        """Return the ridge strength of every weight: the curvature of the `prior` number of games."""
        train = self._data.train
        squares, counts = np.zeros(self.base.shape), np.zeros(self.base.shape)
        for phase, features in self._chunks():
            mixed = self.row_weights[phase][:, None]
            squares += mixed**2 * (features**2).sum(axis=0)
            counts += (mixed > 0) * (features != 0).sum(axis=0)
        return self._settings.prior * len(train) / train.games * squares / np.maximum(counts, 1)

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

    def losses(self, predict: Callable[[Samples], Array]) -> LossPair:
        """Return the losses of predicted logits, scaled (`scaled_losses`)."""
        train, held_out = self._data.train, self._data.held_out
        return scaled_losses(predict(train), train.results, predict(held_out), held_out.results)


def scaled_losses(learned: Array, results: Array, judged: Array, held_out: Array) -> LossPair:
    """Return the losses of logits, those `learned` from and those `judged`, by the results of both.

    The logits are multiplied by the factor that fits the games to learn from best.
    """
    factor = inverse_temperature(learned, results)
    return LossPair(mean_loss(factor * learned, results), mean_loss(factor * judged, held_out))


def fit(settings: FitSettings, data: Data, on_step: Callable[[LossPair], None] | None = None) -> Fit:
    """Return the weights that predict the results of `data` best.

    Parameters
    ----------
    settings : FitSettings
    data : Data
        Games of ``settings.game``.
    on_step : callable, optional
        Called with the losses before the first step and after each.

    Raises
    ------
    OptionError
        If the game's evaluation cannot be learned.
    FitError
        If the fit does not converge.
    """
    fitter, base, held_out = _Fitter(settings, data), settings.base, data.held_out
    learned, scales = fitter.learned, fitter.scales
    history: list[LossPair] = []

    def note(table: Array) -> None:
        history.append(fitter.losses(lambda samples: logits_of(samples, fitter.row_weights, table)))
        if on_step:
            on_step(history[-1])

    problem = fitter.problem()
    rounded = round_weights(problem, newton(problem, note))
    table = np.where(learned[:, None], rounded, base.table).astype(np.int64)
    factor = inverse_temperature(fitter.logits(held_out, table, scales), held_out.results)
    final = np.where(learned, np.round(scales / factor, 2), scales)
    rate = min(max(float(data.train.results.mean()), EPSILON), 1 - EPSILON)
    constant = np.log(rate / (1 - rate))
    measured = {
        "new": fitter.losses(lambda samples: fitter.logits(samples, table, scales)),
        "real": history[-1],
        "base": fitter.losses(lambda samples: fitter.logits(samples, base.table, np.array(base.scales))),
        "constant": LossPair(
            *(mean_loss(np.full(len(s), constant), s.results) for s in (data.train, held_out))
        ),
        "search": fitter.losses(fitter.search_logits),
    }
    positions = dict(zip(base.rows, np.rint(fitter.positions).astype(int).tolist(), strict=True))
    origin = {
        **settings.origin(ORIGIN, data),
        "games": {"learned": data.train.games, "held_out": data.held_out.games},
        "loss": told_losses(measured),
    }
    origins = tuple(
        {**origin, "row_positions": positions[row]} if learned_row else old
        for row, learned_row, old in zip(base.rows, learned.tolist(), base.origins, strict=True)
    )
    return Fit(
        settings,
        Weights(base.game, base.features, base.rows, table, tuple(final.tolist()), origins),
        tuple(row for row, learned_row in zip(base.rows, learned.tolist(), strict=True) if learned_row),
        positions,
        measured,
        history,
        calibration(win_rates(fitter.logits(held_out, table, final)), held_out.results),
        fitter.sizes(),
    )


def calibration(predicted: Array, results: Array) -> list[CalibrationBin]:
    """Return predicted and actual win rates in `BINS` equal parts of the range, without empty ones."""
    places = np.minimum((predicted * BINS).astype(np.int64), BINS - 1)
    return [
        CalibrationBin(float(predicted[chosen].mean()), float(results[chosen].mean()), int(chosen.sum()))
        for chosen in (places == place for place in range(BINS))
        if chosen.any()
    ]


def calibration_error(bins: Sequence[CalibrationBin]) -> float:
    """Return the mean distance between predicted and actual win rates over the bins."""
    total = sum(found.count for found in bins)
    return sum(abs(b.predicted - b.actual) * b.count for b in bins) / total


def told_losses(losses: Mapping[str, LossPair]) -> dict[str, dict[str, float]]:
    """Return losses as origins name them."""
    return {
        name: {part: round(value, 5) for part, value in vars(pair).items()} for name, pair in losses.items()
    }
