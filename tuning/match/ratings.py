"""Ratings of any number of players: one maximum-likelihood fit to all their pairs, with intervals.

The model: the expected score of a pairing is the logistic of its difference in Elo (Zermelo 1929, Bradley
and Terry 1952); about that mean, the five results of a pair are distributed as q_i exp(t x_i), where x_i is
the score, t gives the mean, and the symmetric q, of players of equal strength, is the same in all pairings
and is fitted with the ratings. So the intervals become narrower if many games are drawn, or if colours matter
more than strength. For single games in place of pairs this is Davidson's model (1970) with a logistic mean.
For two players the estimate equals `tuning.match.statistics.elo`.

Intervals contain the values that a likelihood-ratio test at 5% does not reject (profile likelihood). There is
no prior: a series of wins only gives an infinite difference with a finite lower bound. Ratings are comparable
within a strongly connected set of players, in which each has scored against the next (Ford 1957). The largest
such set is the reference, with mean zero.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.tuning.match.statistics import CHI_SQUARE_95, SCORES, Estimate

Floats = NDArray[np.float64]
Results = Mapping[tuple[int, int], Sequence[int]]  # by pairing: number of pairs by points of its first player

X = np.array(SCORES)
SHAPES = np.array([[0, 1, 0, 1, 0], [0, 0, 1, 0, 0]], float)  # log q = shape @ SHAPES: by result
SLOPE = math.log(10) / 400  # of the logistic, per Elo
MAX_ELO_DIFFERENCE = 4000.0  # larger differences count as infinite
SHAPE_LIMIT = 30.0
REGULARIZATION = (1e-10, 1e-6)  # weights of the squared ratings and shape: keep unbounded ones finite
MULTIPLIER_LIMIT = 1000.0
MULTIPLIER_STEPS = 80
SCORING_STEPS = 100
MIN_GAIN = 1e-7  # of log-likelihood; a smaller one ends the scoring
HALVINGS = 20
PRECISION = 0.05  # Elo; of the ends of intervals
EDGE_STEPS = 60


@dataclass(frozen=True)
class Ratings:
    """Ratings of the players of a tournament.

    Elo is relative to the mean of the reference. It is infinite if unbounded on one side, and NaN with
    infinite bounds if the player cannot be compared with the reference.
    """

    elo: tuple[Estimate, ...]
    reference: frozenset[int]  # the players whose mean rating is zero
    order: tuple[int, ...]  # best first; players that cannot be compared by their fitted ratings


def rate(players: int, results: Results, anchors: Mapping[int, float] | None = None) -> Ratings:
    """Return the maximum-likelihood ratings, given all complete pairs.

    The `results` are by pairing the five counts of its pairs: 0, 0.5, 1, 1.5 and 2 points for its first
    player. The `anchors` are ratings by player: these players are the reference, and the mean of their
    ratings is that of these.
    """
    model = _Model(players, results)
    best, beats = model.best, model.beats
    # else the largest group in which everyone reaches everyone; among equals the one in the middle
    mutual, lead = beats & beats.T, beats.sum(axis=1) - beats.sum(axis=0)
    centre = min(range(players), key=lambda player: (-mutual[player].sum(), abs(lead[player]), player))
    reference = set(anchors) if anchors else set(np.flatnonzero(mutual[centre]).tolist())
    level = sum(anchors.values()) / len(anchors) if anchors else 0.0
    elo = []
    for player in range(players):
        contrast = -np.array([other in reference for other in range(players)], float) / len(reference)
        contrast[player] += 1.0
        above = all(beats[player, other] for other in reference)
        below = all(beats[other, player] for other in reference)
        relative = model.estimate(contrast, above, below)
        elo.append(Estimate(*(level + number for number in (relative.value, relative.low, relative.high))))
    order = sorted(range(players), key=lambda player: -round(float(best.ratings[player]), 3))
    return Ratings(tuple(elo), frozenset(reference), tuple(order))


def superiority(players: int, results: Results) -> list[list[float | None]]:
    """Return for each pair of players the likelihood that the first is better, by the same fit.

    It is that of a normal distribution with the width of the interval of their difference. None where nothing
    bounds the difference on both sides.
    """
    model = _Model(players, results)
    table: list[list[float | None]] = [[None] * players for _ in range(players)]
    for first, second in itertools.combinations(range(players), 2):
        if model.beats[first, second] and model.beats[second, first]:
            contrast = np.zeros(players)
            contrast[first], contrast[second] = 1.0, -1.0
            difference = model.estimate(contrast, True, True)
            deviation = (difference.high - difference.low) / (2 * math.sqrt(CHI_SQUARE_95))
            better = (1 + math.erf(difference.value / deviation / math.sqrt(2))) / 2
            table[first][second], table[second][first] = better, 1 - better
    return table


@dataclass
class _Optimum:
    """The maximum of the likelihood, possibly under a constraint."""

    ratings: Floats  # shape (players,), in Elo
    shape: Floats  # shape (2,): parameters of q
    multipliers: Floats  # shape (pairings,): the t of each pairing; the next search starts from them
    likelihood: float  # its logarithm less the penalty of `REGULARIZATION`


class _Model:
    """The likelihood of all pairs as a function of ratings and shape, and where it is greatest."""

    def __init__(self, players: int, results: Results) -> None:
        played = {pairing: pairs for pairing, pairs in results.items() if sum(pairs)}
        self._counts = np.array(list(played.values()), float).reshape(-1, len(X))
        self._totals = self._counts.sum(axis=1)
        self._differences = np.zeros((len(played), players))
        # By pair of players: whether a chain leads from one to the other, each scoring against the next
        self.beats: NDArray[np.bool_] = np.eye(players, dtype=bool)
        for row, (first, second) in zip(self._differences, played, strict=True):
            row[first], row[second] = 1.0, -1.0
            self.beats[first, second] |= any(played[first, second][1:])
            self.beats[second, first] |= any(played[first, second][:-1])
        for middle in range(players):
            self.beats |= np.outer(self.beats[:, middle], self.beats[middle])
        self.best = self.fit(np.eye(players), np.zeros(players))

    def estimate(self, contrast: Floats, above: bool, below: bool) -> Estimate:
        """Return ``contrast @ ratings`` with its interval.

        The data bound it from below if it is `above` others, since points were scored, and from above if it
        is `below`.
        """
        value = float(contrast @ self.best.ratings)
        if not contrast.any():
            return Estimate(0.0, 0.0, 0.0)  # the only player of the reference
        low = self._confidence_bound(contrast, -1) if above else -math.inf
        high = self._confidence_bound(contrast, 1) if below else math.inf
        if above and below:
            return Estimate(value, low, high)
        return Estimate(math.inf if above else -math.inf if below else math.nan, low, high)

    def _confidence_bound(self, contrast: Floats, sign: int) -> float:
        """Return the first value of ``contrast @ ratings`` in the direction `sign` that the test rejects."""
        condition = np.linalg.svd(contrast[None, :])[2][1:].T  # spans the ratings with contrast 0
        unit = contrast / (contrast @ contrast)
        inside, inner = float(contrast @ self.best.ratings), 0.0
        fit, step = self.best, 50.0
        outside, outer = math.nan, math.nan
        for _ in range(EDGE_STEPS):
            if math.isnan(outside):
                guess = inside + sign * step
                step *= 2.0
            elif abs(outside - inside) < PRECISION:
                break
            else:  # the signed root of the deviance is almost linear
                share = (math.sqrt(CHI_SQUARE_95) - inner) / (outer - inner)
                guess = inside + (outside - inside) * min(max(share, 0.02), 0.98)
            start = fit.ratings + unit * (guess - float(contrast @ fit.ratings))
            fit = self.fit(condition, start, fit)
            root = math.sqrt(max(2.0 * (self.best.likelihood - fit.likelihood), 0.0))
            if abs(root - math.sqrt(CHI_SQUARE_95)) < 1e-3:
                return guess
            if root < math.sqrt(CHI_SQUARE_95):
                inside, inner = guess, root
            else:
                outside, outer = guess, root
        return (inside + outside) / 2

    def fit(self, directions: Floats, ratings: Floats, start: _Optimum | None = None) -> _Optimum:
        """Return the maximum of the likelihood over `ratings` plus combinations of `directions`.

        Uses Fisher scoring; in this model ratings and shape carry no information about each other. The
        columns of `directions`, shape (players, free), are orthonormal. The search for the shape begins at
        `start`.
        """
        shape = start.shape if start else np.zeros(len(SHAPES))
        multipliers = start.multipliers if start else np.zeros(len(self._totals))
        here = self._at(ratings, shape, multipliers)
        for _ in range(SCORING_STEPS):
            ratings_step, shape_step = self._step(here, directions)
            for halving in range(HALVINGS):
                share = 0.5**halving
                shape = np.clip(here.shape + share * shape_step, -SHAPE_LIMIT, SHAPE_LIMIT)
                there = self._at(here.ratings + share * ratings_step, shape, here.multipliers)
                if there.likelihood >= here.likelihood:
                    break
            else:
                return here
            gain, here = there.likelihood - here.likelihood, there
            if gain < MIN_GAIN:
                break
        return here

    def _at(self, ratings: Floats, shape: Floats, multipliers: Floats) -> _Optimum:
        """Return the likelihood at a point; the search for its multipliers begins at `multipliers`."""
        differences = np.clip(self._differences @ ratings, -MAX_ELO_DIFFERENCE, MAX_ELO_DIFFERENCE)
        means = np.asarray(1.0 / (1.0 + np.exp(-SLOPE * differences)))
        multipliers = _multipliers(means, shape, multipliers)
        terms = self._counts * _log_shares(shape, multipliers)
        penalty = REGULARIZATION[0] * ratings @ ratings + REGULARIZATION[1] * shape @ shape
        return _Optimum(ratings, shape, multipliers, float(terms.sum() - penalty / 2))

    def _step(self, here: _Optimum, directions: Floats) -> tuple[Floats, Floats]:
        """Return the next scoring step: of the ratings, along `directions`, and of the shape."""
        shares = np.exp(_log_shares(here.shape, here.multipliers))
        means = shares @ X
        variances = np.maximum((shares * (X - means[:, None]) ** 2).sum(axis=1), 1e-300)
        surplus = self._counts @ X - self._totals * means
        slopes = SLOPE * means * (1.0 - means)
        gradient = self._differences.T @ (surplus * slopes / variances) - REGULARIZATION[0] * here.ratings
        weighted = self._differences * (self._totals * slopes**2 / variances)[:, None]
        information = directions.T @ (self._differences.T @ weighted) @ directions
        information += REGULARIZATION[0] * np.eye(len(information))
        ratings_step = directions @ np.linalg.solve(information, directions.T @ gradient)
        return ratings_step, self._shape_step(here, shares, surplus, variances)

    def _shape_step(self, here: _Optimum, shares: Floats, surplus: Floats, variances: Floats) -> Floats:
        """Return the next scoring step of the shape, corrected for what the means explain."""
        centred = X - (shares @ X)[:, None]
        covariances = (shares * centred) @ SHAPES.T  # (pairings, 2)
        regression = covariances / variances[:, None]
        gradient = (self._counts - self._totals[:, None] * shares).sum(axis=0) @ SHAPES.T
        gradient = gradient - surplus @ regression - REGULARIZATION[1] * here.shape
        weights = self._totals[:, None] * shares
        expected = shares @ SHAPES.T
        information = (SHAPES * weights.sum(axis=0)) @ SHAPES.T
        information = information - (self._totals[:, None] * expected).T @ expected
        information = information - (self._totals[:, None] * covariances).T @ regression
        information += max(REGULARIZATION[1], 1e-9) * np.eye(len(SHAPES))
        return np.asarray(np.linalg.solve(information, gradient))


def _log_shares(shape: Floats, multipliers: Floats) -> Floats:
    """Return the logarithms of the probabilities of the five results, (pairings, 5)."""
    logs = shape @ SHAPES + multipliers[:, None] * X
    logs = logs - logs.max(axis=1, keepdims=True)
    return np.asarray(logs - np.log(np.exp(logs).sum(axis=1, keepdims=True)))


def _multipliers(means: Floats, shape: Floats, start: Floats) -> Floats:
    """Return the multipliers that give each pairing its mean, by Newton's method within bounds."""
    low, high = np.full_like(means, -MULTIPLIER_LIMIT), np.full_like(means, MULTIPLIER_LIMIT)
    multipliers = start
    for _ in range(MULTIPLIER_STEPS):
        shares = np.exp(_log_shares(shape, multipliers))
        reached = shares @ X
        # near 0 and 1 the smaller of mean and 1 - mean is the precise one
        error = np.where(means < 0.5, reached - means, (1.0 - means) - shares @ (1.0 - X))
        if (np.abs(error) <= 1e-12 * np.minimum(means, 1.0 - means)).all():
            break
        low, high = np.where(error < 0, multipliers, low), np.where(error > 0, multipliers, high)
        variances = (shares * (X - reached[:, None]) ** 2).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            newton = multipliers - error / variances
        sound = (newton > low) & (newton < high)
        multipliers = np.where(sound, newton, (low + high) / 2)
    return multipliers
