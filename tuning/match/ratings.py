"""Ratings of any number of players: one joint maximum-likelihood fit to all their pairs, with intervals.

The model: the expected score of a pairing is the logistic of its difference in Elo (Zermelo 1929, Bradley
and Terry 1952); about that mean, the five results of a pair are distributed as q_i exp(t x_i), where x_i is
the score, t gives the mean, and the symmetric q, of players of equal strength, is the same in all pairings
and is fitted with the ratings. Thus draws, and colours that matter more than strength, narrow the intervals
as far as the games show them to; for single games in place of pairs it would be Davidson's model (1970) with
a logistic mean. Between two players the estimate is that of `tuning.match.statistics.elo`.

Intervals are the values that a likelihood-ratio test at 5% does not reject, all else refitted (profile
likelihood). No prior: an unbroken row of wins is worth an infinite difference with a finite lower bound.
Ratings can be compared where a chain of players leads from one to the other each of whom has made a point
against the next (Ford 1957), and back; the largest group in which that holds is the reference, whose mean is
zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.tuning.match.statistics import CHI_SQUARE_95, SCORES, Estimate

Floats = NDArray[np.float64]
Results = Mapping[tuple[int, int], Sequence[int]]  # by pairing: pairs by points of the first of both

X = np.array(SCORES)
SHAPES = np.array([[0, 1, 0, 1, 0], [0, 0, 1, 0, 0]], float)  # log q = shape @ SHAPES: one, and two halves
SLOPE = math.log(10) / 400  # of the logistic, per Elo
MAX_ELO_DIFFERENCE = 4000.0  # Elo; differences beyond are as good as infinite
SHAPE_LIMIT = 30.0
REGULARIZATION = (
    1e-10,
    1e-6,
)  # weight of the squares of ratings and of the shape: keeps finite what nothing bounds
TILT_LIMIT = 1000.0
TILT_STEPS = 80
SCORING_STEPS = 100
MIN_GAIN = 1e-7  # in log-likelihood; less ends the scoring
HALVINGS = 20
PRECISION = 0.05  # Elo, of the ends of intervals
EDGE_STEPS = 60


@dataclass(frozen=True)
class Ratings:
    """Ratings of the players of a tournament.

    Attributes
    ----------
    elo : tuple of Estimate
        By player, relative to the mean of the reference. Infinite where nothing bounds it; NaN between
        infinite bounds where the player cannot be compared with the reference.
    reference : frozenset of int
        The players whose mean is zero.
    order : tuple of int
        The players, best first; those that cannot be compared by where they come from in the table.
    """

    elo: tuple[Estimate, ...]
    reference: frozenset[int]
    order: tuple[int, ...]


def rate(players: int, results: Results) -> Ratings:
    """Return the ratings that are likeliest in view of all complete pairs.

    Parameters
    ----------
    players : int
    results : mapping of (int, int) to sequence of int
        By pairing the five counts of its pairs: the first player's 0, 0.5, 1, 1.5, 2 points.
    """
    model = _Model(players, results)
    beats = _comparable(players, results)
    reference = _reference(beats)
    best = model.fit(np.eye(players), np.zeros(players))
    elo = []
    for player in range(players):
        contrast = -np.array([other in reference for other in range(players)], float) / len(reference)
        contrast[player] += 1.0
        above = any(beats[player, other] for other in reference)
        below = any(beats[other, player] for other in reference)
        elo.append(model.estimate(best, contrast, above, below))
    order = sorted(range(players), key=lambda player: -round(float(best.ratings[player]), 3))
    return Ratings(tuple(elo), frozenset(reference), tuple(order))


def _comparable(players: int, results: Results) -> NDArray[np.bool_]:
    """Return by pair of players whether a chain leads from one to the other, each with a point off the next.

    Every player reaches himself.
    """
    reach = np.eye(players, dtype=bool)
    for (first, second), pairs in results.items():
        reach[first, second] |= any(pairs[1:])
        reach[second, first] |= any(pairs[:-1])
    for middle in range(players):
        reach |= np.outer(reach[:, middle], reach[middle])
    return reach


def _reference(reach: NDArray[np.bool_]) -> set[int]:
    """Return the largest group in which everyone reaches everyone; of equals the one in the middle."""
    mutual = reach & reach.T
    lead = reach.sum(axis=1) - reach.sum(axis=0)  # how many more it reaches than reach it
    centre = min(range(len(reach)), key=lambda player: (-mutual[player].sum(), abs(lead[player]), player))
    return {int(player) for player in np.flatnonzero(mutual[centre])}


@dataclass
class _Optimum:
    """Where the likelihood is greatest, perhaps under a condition.

    Attributes
    ----------
    ratings : array of float, (players,)
        Elo.
    shape : array of float, (2,)
        Of q.
    multipliers : array of float, (pairings,)
        The t of each pairing: where the next search for them starts.
    likelihood : float
        Its logarithm, less the slight penalty.
    """

    ratings: Floats
    shape: Floats
    multipliers: Floats
    likelihood: float


class _Model:
    """The likelihood of all pairs as a function of ratings and shape.

    Parameters
    ----------
    players : int
    results : mapping
        As `rate` has it.
    """

    def __init__(self, players: int, results: Results) -> None:
        played = {pairing: pairs for pairing, pairs in results.items() if sum(pairs)}
        self._counts = np.array(list(played.values()), float).reshape(-1, len(X))
        self._totals = self._counts.sum(axis=1)
        self._differences = np.zeros((len(played), players))
        for row, (first, second) in zip(self._differences, played, strict=True):
            row[first], row[second] = 1.0, -1.0

    def estimate(self, best: _Optimum, contrast: Floats, above: bool, below: bool) -> Estimate:
        """Return ``contrast @ ratings`` with its interval.

        Parameters
        ----------
        best : _Optimum
            The fit under no condition.
        contrast : array of float, (players,)
        above, below : bool
            Whether the data bound it from below, because points were made, and from above.
        """
        value = float(contrast @ best.ratings)
        if not contrast.any():
            return Estimate(0.0, 0.0, 0.0)  # the only player of the reference
        low = self._confidence_bound(best, contrast, -1) if above else -math.inf
        high = self._confidence_bound(best, contrast, 1) if below else math.inf
        if above and below:
            return Estimate(value, low, high)
        return Estimate(math.inf if above else -math.inf if below else math.nan, low, high)

    def _confidence_bound(self, best: _Optimum, contrast: Floats, sign: int) -> float:
        """Return where ``contrast @ ratings``, further and further on the side `sign`, is first rejected."""
        condition = np.linalg.svd(contrast[None, :])[2][1:].T  # spans the ratings of which the contrast is 0
        unit = contrast / (contrast @ contrast)
        inside, inner = float(contrast @ best.ratings), 0.0
        fit, step = best, 50.0
        outside, outer = math.nan, math.nan
        for _ in range(EDGE_STEPS):
            if math.isnan(outside):
                guess = inside + sign * step
                step *= 2.0
            elif abs(outside - inside) < PRECISION:
                break
            else:  # the signed root of the deviance is nearly a straight line
                share = (math.sqrt(CHI_SQUARE_95) - inner) / (outer - inner)
                guess = inside + (outside - inside) * min(max(share, 0.02), 0.98)
            start = fit.ratings + unit * (guess - float(contrast @ fit.ratings))
            fit = self.fit(condition, start, fit)
            root = math.sqrt(max(2.0 * (best.likelihood - fit.likelihood), 0.0))
            if abs(root - math.sqrt(CHI_SQUARE_95)) < 1e-3:
                return guess
            if root < math.sqrt(CHI_SQUARE_95):
                inside, inner = guess, root
            else:
                outside, outer = guess, root
        return (inside + outside) / 2

    def fit(self, directions: Floats, ratings: Floats, start: _Optimum | None = None) -> _Optimum:
        """Return the greatest likelihood of ratings that differ from `ratings` by `directions` only.

        By Fisher scoring: in this model ratings and shape carry no information about each other.

        Parameters
        ----------
        directions : array of float, (players, free)
            Orthonormal columns.
        ratings : array of float, (players,)
        start : _Optimum, optional
            Where to begin with the shape.
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
        """Return the likelihood at a point; `multipliers` is where to look for its tilts first."""
        multipliers = _tilts(self._means(ratings), shape, multipliers)
        terms = self._counts * _log_shares(shape, multipliers)
        penalty = REGULARIZATION[0] * ratings @ ratings + REGULARIZATION[1] * shape @ shape
        return _Optimum(ratings, shape, multipliers, float(terms.sum() - penalty / 2))

    def _means(self, ratings: Floats) -> Floats:
        """Return the expected score of each pairing."""
        differences = np.clip(self._differences @ ratings, -MAX_ELO_DIFFERENCE, MAX_ELO_DIFFERENCE)
        return np.asarray(1.0 / (1.0 + np.exp(-SLOPE * differences)))

    def _step(self, here: _Optimum, directions: Floats) -> tuple[Floats, Floats]:
        """Return the change of ratings, along `directions`, and that of the shape, by which to go on."""
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
        """Return by how much to change the shape: what its results say beyond what the mean accounts for."""
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


def _tilts(means: Floats, shape: Floats, start: Floats) -> Floats:
    """Return the tilts that give the results of each pairing its mean, by Newton's method within bounds."""
    low, high = np.full_like(means, -TILT_LIMIT), np.full_like(means, TILT_LIMIT)
    multipliers = start
    for _ in range(TILT_STEPS):
        shares = np.exp(_log_shares(shape, multipliers))
        reached = shares @ X
        # near the ends the smaller part of the mean is what tells
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
