"""Logistic regression by Newton's method, for weights of which those of a position are a mixture of rows.

A position of kind k with the features f is won with the probability 1 / (1 + exp(-z)), z = (m W) f, where the
rows of W are the weights and m, the mixture of the kind, says how much of each row there is. Gradient and
Hessian are summed up kind by kind, a chunk of positions at a time: their size is that of the weights alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.tuning.learn.samples import Samples

Array = NDArray[np.float64]

MAX_STEPS = 60
MAX_HALVINGS = 30
TOLERANCE = 1e-10  # gain of a Newton step, of the loss a position, that is none
TEMPERATURE_RANGE = (0.05, 20.0)  # what a slope may be


class FitError(TengenError):
    """A fit that comes to no end."""


def win_rates(logits: Array) -> Array:
    """Return 1 / (1 + exp(-logits))."""
    rates: Array = 0.5 * (1 + np.tanh(0.5 * logits))
    return rates


def losses(logits: Array, targets: Array) -> Array:
    """Return the log losses, in nats, of win rates whose logits these are, for targets from 0 to 1."""
    found: Array = np.logaddexp(0, logits) - targets * logits
    return found


def mean_loss(logits: Array, targets: Array) -> float:
    """Return the mean of `losses`."""
    return float(losses(logits, targets).mean())


def logits_of(samples: Samples, row_weights: Array, table: Array) -> Array:
    """Return z of all positions (see above).

    Parameters
    ----------
    samples : Samples
    row_weights : ndarray
        Shape (kinds, rows).
    table : ndarray
        Shape (rows, features).
    """
    logits = np.zeros(len(samples))
    for kind, part in samples.groups():
        logits[part] = samples.features[part].astype(np.float64) @ (row_weights[kind] @ table)
    return logits


def temperature(logits: Array, targets: Array) -> float:
    """Return the factor within `TEMPERATURE_RANGE` that makes the loss of `logits` times it least; 1 where all are 0.

    The logistic scale that suits scores best is the one that made the logits, divided by that.
    """
    factor = 1.0
    for _ in range(MAX_STEPS):
        rates = win_rates(factor * logits)
        curvature = float((logits * logits) @ (rates * (1 - rates)))
        if curvature <= 0:
            break
        step = float(logits @ (targets - rates)) / curvature
        before, factor = factor, float(np.clip(factor + step, *TEMPERATURE_RANGE))
        if abs(factor - before) < 1e-9 * factor:
            break
    return factor


@dataclass(frozen=True, eq=False)
class Problem:
    """What is to be made least: the loss of all positions, and a penalty for leaving the base.

    Attributes
    ----------
    samples : Samples
    targets : ndarray
        float64, by position.
    row_weights : ndarray
        float64, shape (kinds, rows).
    base : ndarray
        float64, shape (rows, features): where weights stay unless the data move them.
    ridge : ndarray
        float64, shape (rows, features): of the spring that pulls each weight there.
    """

    samples: Samples
    targets: Array
    row_weights: Array
    base: Array
    ridge: Array

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
        for kind, part in self.samples.groups():
            features, mixed = self.samples.features[part].astype(np.float64), self.row_weights[kind]
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
    """Return the weights, shape (rows, features), that make the loss of `problem` least.

    Parameters
    ----------
    problem : Problem
    on_step : callable
        Called with the weights at the beginning and after each step.

    Raises
    ------
    FitError
        When they are not found.
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
    """Return the weights after `step`, halved until the loss is less, and that loss."""
    for _ in range(MAX_HALVINGS):
        found = table - step
        after = problem.loss(found)
        if after <= loss:
            return found, after
        step = step / 2
    raise FitError(f"fit: expected a loss below {loss:.9f}, got {after:.9f} however short the step")


def solve(hessian: Array, gradient: Array) -> Array:
    """Return the step at whose end the gradient is 0; weights that nothing depends on stay where they are."""
    diagonal = np.diag(hessian)
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    scaled = hessian / scale[:, None] / scale
    scaled[np.diag_indices(len(scale))] = 1.0
    found: Array = np.linalg.solve(scaled, gradient / scale) / scale
    return found


def round_weights(problem: Problem, best: Array) -> Array:
    """Return whole numbers near the `best` weights that cost little: others make up for the rounding.

    They are rounded one after the other, those that matter most first; after each, those that are left move
    to where the loss, by its Hessian, is least. (So do Hassibi and Stork with weights set to zero: "Second
    order derivatives for network pruning: Optimal Brain Surgeon", 1993.)
    """
    hessian = problem.derivatives(best)[1]
    weights, diagonal = best.ravel().copy(), np.diag(hessian)
    left = [int(place) for place in np.argsort(-diagonal, kind="stable") if diagonal[place] > 0]
    while left:
        place, *left = left
        change = np.rint(weights[place]) - weights[place]
        weights[left] -= solve(hessian[np.ix_(left, left)], change * hessian[left, place])
    return np.rint(weights).reshape(best.shape)
