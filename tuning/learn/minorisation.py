"""Gammas of features by minorisation and maximisation.

In every position of a game one of the candidates was played. It is said to have won against the others with a
probability in proportion to the product of the gammas of its features. The likelihood of all games has one
maximum. Each step improves the gammas of one class of features, and never makes the likelihood smaller.

Source: Coulom, Computing Elo ratings of move patterns in the game of Go (2007), section 3; Hunter, MM
algorithms for generalized Bradley-Terry models (2004).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.engine.jit import kernel


@dataclass(frozen=True, eq=False)
class Contests:
    """Positions, each a contest of all candidates, which the first one won.

    Attributes
    ----------
    features : ndarray
        uint16, shape (classes, candidates): the feature of each class that a candidate has.
    ends : ndarray
        int64, by position: index behind its last candidate.
    """

    features: NDArray[np.uint16]
    ends: NDArray[np.int64]

    def wins(self, count: int) -> NDArray[np.int64]:
        """Return how often each of `count` features was played."""
        first = np.concatenate([[0], self.ends[:-1]])
        found: NDArray[np.int64] = np.bincount(self.features[:, first].ravel(), minlength=count)
        return found


@kernel
def set_strengths(features, gammas, strengths):
    """Write the strength of every candidate, the product of its `gammas` (float64), into `strengths`."""
    strengths[:] = 1.0
    for row in range(features.shape[0]):
        for i in range(features.shape[1]):
            strengths[i] *= gammas[features[row, i]]


@kernel
def add_exposures(column, strengths, ends, gammas, exposures):
    """Add to `exposures`, for the features in `column`, the strength of their partners over that of all.

    All arrays are by candidate, `ends` by position, `gammas` and `exposures` (float64) by feature.
    """
    start = np.int64(0)
    for end in ends:
        total = 0.0
        for i in range(start, end):
            total += strengths[i]
        for i in range(start, end):
            exposures[column[i]] += strengths[i] / (gammas[column[i]] * total)
        start = end


@kernel
def scale_strengths(column, factors, strengths):
    """Multiply `strengths` by the factors (float64) of their features in `column`."""
    for i in range(len(column)):
        strengths[i] *= factors[column[i]]


@kernel
def write_ranks(strengths, ends, ranks, losses):
    """Write, by position, how many candidates are stronger than the one played, and its loss in nats.

    Equally strong ones count half.
    """
    start = np.int64(0)
    for place in range(len(ends)):
        end = ends[place]
        total = stronger = equal = 0.0
        for i in range(start, end):
            total += strengths[i]
            stronger += strengths[i] > strengths[start]
            equal += strengths[i] == strengths[start]
        ranks[place] = stronger + 0.5 * (equal - 1.0)
        losses[place] = np.log(total / strengths[start])
        start = end


def maximise(
    contests: Contests,
    count: int,
    prior: float,
    rounds: int,
    max_log: float,
    on_round: Callable[[int, NDArray[np.float64]], None] | None = None,
) -> NDArray[np.float64]:
    """Return the gammas of `count` features that explain `contests` best.

    Parameters
    ----------
    contests : Contests
    count : int
    prior : float
        Games that every feature is taken to have won, and as many lost, against a gamma of 1.
    rounds : int
        How often every class of features is improved.
    max_log : float
        Greatest size of the logarithm of a gamma.
    on_round : callable, optional
        Called with the number of the round and the gammas.
    """
    gammas = np.ones(count)
    wins = contests.wins(count)
    strengths = np.empty(contests.features.shape[1])
    for number in range(1, rounds + 1):
        set_strengths(contests.features, gammas, strengths)
        for column in contests.features:
            exposures = np.zeros(count)
            add_exposures(column, strengths, contests.ends, gammas, exposures)
            seen = exposures > 0
            better = (wins + prior) / (exposures + 2 * prior / (gammas + 1))
            better = np.where(seen, np.clip(better, np.exp(-max_log), np.exp(max_log)), gammas)
            scale_strengths(column, better / gammas, strengths)
            gammas = better
        if on_round:
            on_round(number, gammas)
    return gammas


@dataclass(frozen=True)
class Accuracy:
    """How well moves are predicted.

    Attributes
    ----------
    positions : int
    top : dict of int to float
        Share of positions in which the move was among the first 1, 5, 10.
    loss : float
        Mean log loss per position, in nats.
    uniform_loss : float
        That of taking all candidates for equally likely.
    """

    positions: int
    top: dict[int, float]
    loss: float
    uniform_loss: float

    @property
    def perplexity(self) -> float:
        """The number of equally likely moves that would be as hard to predict."""
        return float(np.exp(self.loss))


TOP = (1, 5, 10)


def measure(contests: Contests, gammas: NDArray[np.float64]) -> Accuracy:
    """Return how well `gammas` predict the moves that were played."""
    strengths = np.empty(contests.features.shape[1])
    set_strengths(contests.features, gammas, strengths)
    ranks, losses = np.empty(len(contests.ends)), np.empty(len(contests.ends))
    write_ranks(strengths, contests.ends, ranks, losses)
    sizes = np.diff(contests.ends, prepend=0)
    return Accuracy(
        len(ranks),
        {top: float((ranks < top).mean()) for top in TOP},
        float(losses.mean()),
        float(np.log(sizes).mean()),
    )
