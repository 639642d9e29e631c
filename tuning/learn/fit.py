"""Weights of an evaluation, learned from the results of games by logistic regression.

The features are those that the game's ``evaluate.py`` declares, counted by the kernel that the search values
positions with. Rows of weights that the data say nothing about, and features that do not occur, stay as they
are in the weights that a fit begins with, its base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError
from tengen.engine.game import GameSpec
from tengen.engine.weights import Evaluation, Weights
from tengen.tuning.learn.logistic import (
    Array,
    Problem,
    logits_of,
    mean_loss,
    newton,
    round_weights,
    temperature,
    win_rates,
)
from tengen.tuning.learn.samples import Data, Samples, load
from tengen.tuning.players.specs import engine_version

BINS = 10  # of a calibration
ORIGIN = "tengen fit"
EPSILON = 1e-9  # a win rate that is nearly 0


@dataclass(frozen=True)
class FitSettings:
    """What decides a fit, the data apart.

    Attributes
    ----------
    game : GameSpec
    base : Weights
        What the fit begins with, and is drawn to.
    seed : int
        Of the games held out.
    held_out : float
        Share of the games that only judge.
    score_share : float
        How much of what is learned is what the search said; the rest is how the game ended.
    prior : float
        How many games in which a feature always occurs the base's weight of it counts as much as.
    scale : float or None
        Centi-points of a logistic unit in which weights are written; None for that which suits the base's
        values of these positions, so that the new ones are as large.
    proven : bool
        Whether positions whose result the search had proven are learned from, too, by that result. Without
        them a fit learns that a side that could win at once has not done so, and mistakes what that takes.
    """

    game: GameSpec
    base: Weights
    seed: int = 1
    held_out: float = 0.1
    score_share: float = 0.1
    prior: float = 1.0
    scale: float | None = None
    proven: bool = True

    def __post_init__(self) -> None:
        self._require(0 < self.held_out < 1, "held-out", "a share between 0 and 1", self.held_out)
        self._require(0 <= self.score_share <= 1, "score-share", "a share from 0 to 1", self.score_share)
        self._require(self.prior > 0, "prior", "more than 0 games", self.prior)
        self._require(self.scale is None or self.scale > 0, "scale", "more than 0 centi-points", self.scale)

    @staticmethod
    def _require(sound: bool, name: str, expected: str, got: object) -> None:
        if not sound:
            raise OptionError(f"{name}: expected {expected}, got {got}")

    @property
    def evaluation(self) -> Evaluation:
        """What the game declares.

        Raises
        ------
        OptionError
            When its evaluation cannot be learned.
        """
        evaluation: Evaluation | None = self.game.game.evaluation
        if evaluation is None:
            raise OptionError(
                f"game: expected one whose evaluation can be learned, got {self.game.game.name}"
            )
        return evaluation


@dataclass(frozen=True)
class CalibrationBin:
    """Positions whose predicted win rate lies in one part of the range.

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
    """Mean log losses a position, nats, each with the scale that suits the games learned from best.

    Attributes
    ----------
    train, held_out : float
    """

    train: float
    held_out: float


@dataclass(frozen=True, eq=False)
class Fit:
    """What a fit found.

    Attributes
    ----------
    settings : Settings
    weights : Weights
        To be saved.
    rows : tuple of str
        Those that were learned.
    positions : dict of str to int
        Learned from, by row; a position between two rows counts a part for each.
    losses : dict of str to Losses
        Of the ``new`` weights, the ``real`` ones before rounding, those of the ``base``, a ``constant`` win
        rate, and the ``search`` that played the games.
    course : list of Losses
        Of the real weights, from the base on, after every step.
    calibration : list of Bin
        Of the new weights, on the games held out.
    sizes : ndarray
        float64, shape (rows, features): how much a feature usually counts (root mean square); 0 where it does
        not occur.
    """

    settings: FitSettings
    weights: Weights
    rows: tuple[str, ...]
    positions: dict[str, int]
    losses: dict[str, LossPair]
    course: list[LossPair]
    calibration: list[CalibrationBin]
    sizes: Array

    @property
    def calibration_error(self) -> float:
        """Mean distance of predicted and actual win rates, by bins."""
        total = sum(found.count for found in self.calibration)
        return sum(abs(b.predicted - b.actual) * b.count for b in self.calibration) / total


class _Fitter:
    """What stays as it is while weights are fitted.

    Attributes
    ----------
    positions : ndarray
        float64, by row: positions learned from.
    learned : ndarray
        bool, by row: whether there are any.
    scales : ndarray
        float64, by row: centi-points of a logistic unit.
    row_weights : ndarray
        float64, shape (kinds, rows): see `tuning.learn.logistic`.
    base : ndarray
        float64, shape (rows, features): the base's weights, in the new scales.
    """

    def __init__(self, settings: FitSettings, data: Data) -> None:
        self._data = data
        self._settings = settings
        self._unit = settings.evaluation.unit
        self._blend = settings.evaluation.blend
        given = np.array(settings.base.scales)
        fitted_scale = given / temperature(
            self.logits(data.train, settings.base.table, given), data.train.results
        )
        self.positions: Array = self._blend[data.train.phases].sum(axis=0)
        self.learned = self.positions > 0
        self.scales = np.where(self.learned, settings.scale or fitted_scale, given)
        self.row_weights = self._blend / (self._blend @ self.scales)[:, None] / self._unit
        larger = np.where(self.learned, self.scales / fitted_scale, 1.0)
        self.base: Array = settings.base.table.astype(np.float64) * larger[:, None]

    def logits(self, samples: Samples, table: NDArray[np.int64], scales: Array) -> Array:
        """Return the logits of positions by integer weights, mixed as for the kernels."""
        expanded = np.rint(self._blend @ table) / self._unit / (self._blend @ scales)[:, None]
        return logits_of(samples, np.eye(len(expanded)), expanded)

    def said(self, samples: Samples) -> Array:
        """Return the search's scores, in logistic units."""
        found: Array = samples.scores / (self._blend @ self.scales)[samples.phases]
        return found

    def problem(self) -> Problem:
        """Return what is to be solved."""
        train, share = self._data.train, self._settings.score_share
        targets = train.results
        if share:
            said = self.said(train)
            targets = (1 - share) * targets + share * win_rates(temperature(said, targets) * said)
        return Problem(train, targets, self.row_weights, self.base, self._ridge())

    def _ridge(self) -> Array:
        """Return how stiff the springs are: as so many positions with features as large as usual."""
        train = self._data.train
        squares, counts = np.zeros(self.base.shape), np.zeros(self.base.shape)
        for kind, features in self._chunks():
            mixed = self.row_weights[kind][:, None]
            squares += mixed**2 * (features**2).sum(axis=0)
            counts += (mixed > 0) * (features != 0).sum(axis=0)
        return self._settings.prior * len(train) / train.games * squares / np.maximum(counts, 1)

    def sizes(self) -> Array:
        """Return the root mean square of every feature, by row."""
        squares = np.zeros(self.base.shape)
        for kind, features in self._chunks():
            squares += self._blend[kind][:, None] * (features**2).sum(axis=0)
        found: Array = np.sqrt(squares / np.maximum(self.positions, 1)[:, None])
        return found

    def _chunks(self) -> Iterator[tuple[int, Array]]:
        """Yield kinds of positions, and the features of some of that kind."""
        train = self._data.train
        return ((kind, train.features[part].astype(np.float64)) for kind, part in train.groups())

    def losses(self, predict: Callable[[Samples], Array]) -> LossPair:
        """Return the losses of predicted logits, with the factor that suits the games learned from best."""
        train, held_out = self._data.train, self._data.held_out
        logits = predict(train)
        factor = temperature(logits, train.results)
        return LossPair(
            mean_loss(factor * logits, train.results),
            mean_loss(factor * predict(held_out), held_out.results),
        )


def read(
    settings: FitSettings, paths: Sequence[Path], on_shard: Callable[[int, int], None] | None = None
) -> Data:
    """Return the positions of shards and folders of them, as `tuning.learn.samples.load` does."""
    return load(settings.game, paths, settings.held_out, settings.seed, settings.proven, on_shard)


def fit(settings: FitSettings, data: Data, on_step: Callable[[LossPair], None] | None = None) -> Fit:
    """Return the weights that predict the results of `data` best.

    Parameters
    ----------
    settings : Settings
    data : Data
        Of games of ``settings.game``, see `read`.
    on_step : callable, optional
        Called with the losses before the first step and after each.

    Raises
    ------
    OptionError
        When the game's evaluation cannot be learned.
    FitError
        When no best weights are found.
    """
    fitter, base, held_out = _Fitter(settings, data), settings.base, data.held_out
    learned, scales = fitter.learned, fitter.scales
    course: list[LossPair] = []

    def note(table: Array) -> None:
        course.append(fitter.losses(lambda samples: logits_of(samples, fitter.row_weights, table)))
        if on_step:
            on_step(course[-1])

    problem = fitter.problem()
    table = np.where(learned[:, None], round_weights(problem, newton(problem, note)), base.table).astype(
        np.int64
    )
    factor = temperature(fitter.logits(held_out, table, scales), held_out.results)
    final = np.where(learned, np.round(scales / factor, 2), scales)
    measured = {
        "new": fitter.losses(lambda samples: fitter.logits(samples, table, scales)),
        "real": course[-1],
        "base": fitter.losses(lambda samples: fitter.logits(samples, base.table, np.array(base.scales))),
        "constant": _constant(data),
        "search": fitter.losses(fitter.said),
    }
    positions = dict(zip(base.rows, np.rint(fitter.positions).astype(int).tolist(), strict=True))
    origin = _origin(settings, data, measured)
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
        course,
        calibration(win_rates(fitter.logits(held_out, table, final)), held_out.results),
        fitter.sizes(),
    )


def _constant(data: Data) -> LossPair:
    """Return the losses of one win rate for all positions, that of the games learned from."""
    rate = min(max(float(data.train.results.mean()), EPSILON), 1 - EPSILON)
    logit = np.log(rate / (1 - rate))
    train, held_out = (
        mean_loss(np.full(len(samples), logit), samples.results) for samples in (data.train, data.held_out)
    )
    return LossPair(train, held_out)


def calibration(predicted: Array, results: Array) -> list[CalibrationBin]:
    """Return predicted and actual win rates in `BINS` equal parts of the range, empty ones left out."""
    places = np.minimum((predicted * BINS).astype(np.int64), BINS - 1)
    return [
        CalibrationBin(float(predicted[chosen].mean()), float(results[chosen].mean()), int(chosen.sum()))
        for chosen in (places == place for place in range(BINS))
        if chosen.any()
    ]


def _origin(settings: FitSettings, data: Data, measured: Mapping[str, LossPair]) -> dict[str, Any]:
    """Return where the weights are from: the same for the same data and settings."""
    return {
        "source": ORIGIN,
        "engine": engine_version(settings.game),
        "base": settings.base.fingerprint,
        "data": data.sources,
        "games": {"learned": data.train.games, "held_out": data.held_out.games},
        "positions": {
            "learned": len(data.train),
            "held_out": len(data.held_out),
            "tense": data.forced,
            "proven": data.proven,
            "even": data.even,
        },
        "seed": settings.seed,
        "held_out": settings.held_out,
        "score_share": settings.score_share,
        "prior": settings.prior,
        "proven": settings.proven,
        "loss": {
            name: {part: round(value, 5) for part, value in asdict(found).items()}
            for name, found in measured.items()
        },
    }
