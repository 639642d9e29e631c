"""Logistic regression by Newton's method. A position's weights are a mixture of rows (tapered evaluation).

The win rate of a position of phase k with features f is 1 / (1 + exp(-z)) with z = (m W) f. The rows of W are
the weights; m tells how much of each row belongs to phase k. Gradient and Hessian are summed over chunks of
positions, so memory does not grow with the number of positions.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.tuning.learn.samples import Samples

Array = NDArray[np.float64]

MAX_STEPS = 60
MAX_HALVINGS = 30
TOLERANCE = 1e-10  # a smaller gain of a Newton step, in loss per position, ends the search
INVERSE_TEMPERATURES = (0.05, 20.0)  # bounds


class FitError(TengenError):
    """A fit that does not converge."""


def win_rates(logits: Array) -> Array:
    """Return 1 / (1 + exp(-logits))."""
    rates: Array = 0.5 * (1 + np.tanh(0.5 * logits))
    return rates


def losses(logits: Array, targets: Array) -> Array:
    """Return the log losses in nats of predictions given as logits; targets are in [0, 1]."""
    found: Array = np.logaddexp(0, logits) - targets * logits
    return found


def mean_loss(logits: Array, targets: Array) -> float:
    """Return the mean of `losses`."""
    return float(losses(logits, targets).mean())


def logits_of(samples: Samples, row_weights: Array, table: Array) -> Array:
    """Return z of all positions (see the docstring of this module).

    The shape of `row_weights` is (phases, rows), that of `table` (rows, features).
    """
    logits = np.zeros(len(samples))
    for phase, part in samples.groups():
        logits[part] = samples.features[part].astype(np.float64) @ (row_weights[phase] @ table)
    return logits


def inverse_temperature(logits: Array, targets: Array) -> float:
    """Return the factor on `logits` that minimises the loss, within `INVERSE_TEMPERATURES`.

    The best logistic scale of scores is the scale that made the logits, divided by this factor. The factor is
    1 if all logits are 0.
    """
    factor = 1.0
    for _ in range(MAX_STEPS):
        rates = win_rates(factor * logits)
        curvature = float((logits * logits) @ (rates * (1 - rates)))
        if curvature <= 0:
            break
        step = float(logits @ (targets - rates)) / curvature
        before, factor = factor, float(np.clip(factor + step, *INVERSE_TEMPERATURES))
        if abs(factor - before) < 1e-9 * factor:
            break
    return factor


@dataclass(frozen=True, eq=False)
class Problem:
    """What a fit minimises: the loss of all positions and a quadratic penalty for leaving the base."""

    samples: Samples
    targets: Array  # by position
    row_weights: Array  # shape (phases, rows)
    base: Array  # shape (rows, features): the weights at which the penalty is 0
    ridge: Array  # shape (rows, features): strength of the penalty of each weight

    def loss(self, table: Array) -> float:
        """Return the penalised loss, a mean over positions."""
        logits = logits_of(self.samples, self.row_weights, table)
        away = table - self.base
        total = losses(logits, self.targets).sum() + 0.5 * (self.ridge * away * away).sum()
        return float(total / len(self.samples))

    def derivatives(self, table: Array) -> tuple[Array, Array]:
        """Return the gradient, shape (rows * features,), and the Hessian of the penalised loss, as sums."""
        rows, width = table.shape
        gradient, hessian = np.zeros((rows, width)), np.zeros((rows, width, rows, width))
        for phase, part in self.samples.groups():
            features, mixed = self.samples.features[part].astype(np.float64), self.row_weights[phase]
            rates = win_rates(features @ (mixed @ table))
            first = features.T @ (rates - self.targets[part])
            second = (features.T * (rates * (1 - rates))) @ features
            used = np.flatnonzero(mixed)
            for r in used:
                gradient[r] += mixed[r] * first
                for q in used:
                    hessian[r, :, q] += mixed[r] * mixed[q] * second
        gradient += self.ridge * (table - self.base)
        size = rows * width
        square = hessian.reshape(size, size)
        square[np.diag_indices(size)] += self.ridge.ravel()
        return gradient.ravel(), square


def newton(problem: Problem, on_step: Callable[[Array], None]) -> Array:
    """Return the weights, shape (rows, features), that minimise the loss of `problem`.

    `on_step` is called with the weights before the first step and after each step. Raises FitError if the
    search does not converge.
    """
    table = problem.base
    loss = problem.loss(table)
    on_step(table)
    for _ in range(MAX_STEPS):
        gradient, hessian = problem.derivatives(table)
        step = solve(hessian, gradient)
        if float(gradient @ step) / 2 < TOLERANCE * len(problem.samples):
            return table
        table, loss = _line_search(problem, table, step.reshape(table.shape), loss)
        on_step(table)
    raise FitError(f"fit: expected an end within {MAX_STEPS} steps, got a loss of {loss:.6f} by then")


def _line_search(problem: Problem, table: Array, step: Array, loss: float) -> tuple[Array, float]:
    """Return the weights after `step`, halved until the loss does not grow, and their loss."""
    for _ in range(MAX_HALVINGS):
        found = table - step
        after = problem.loss(found)
        if after <= loss:
            return found, after
        step = step / 2
    raise FitError(f"fit: expected a loss below {loss:.9f}, got {after:.9f} however short the step")


def solve(hessian: Array, gradient: Array) -> Array:
    """Return the Newton step; weights that do not affect the loss do not change."""
    diagonal = np.diag(hessian)
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    scaled = hessian / scale[:, None] / scale
    scaled[np.diag_indices(len(scale))] = 1.0
    found: Array = np.linalg.solve(scaled, gradient / scale) / scale
    return found


def round_weights(problem: Problem, best: Array) -> Array:
    """Return integers near the `best` weights with little loss.

    Weights are rounded one after the other, the most important first. After each, the remaining ones move to
    the minimum of the quadratic approximation of the loss. (Hassibi and Stork do so for weights set to zero:
    "Second order derivatives for network pruning: Optimal Brain Surgeon", 1993.)
    """
    hessian = problem.derivatives(best)[1]
    weights, diagonal = best.ravel().copy(), np.diag(hessian)
    left = [int(place) for place in np.argsort(-diagonal, kind="stable") if diagonal[place] > 0]
    while left:
        place, *left = left
        change = np.rint(weights[place]) - weights[place]
        weights[left] -= solve(hessian[np.ix_(left, left)], change * hessian[left, place])
    return np.rint(weights).reshape(best.shape)
