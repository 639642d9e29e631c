"""Gammas of features by minorisation and maximisation.

In every position of a game one of the candidates was played. It is said to have won against the others with a
probability in proportion to the product of the gammas of its features. The likelihood of all games has one
maximum. Each step improves the gammas of one class of features, and never makes the likelihood smaller.

Source: Coulom, Computing Elo ratings of move patterns in the game of Go (2007), section 3; Hunter, MM
algorithms for generalized Bradley-Terry models (2004).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.jit import kernel


@dataclass(frozen=True, eq=False)
class Contests:
    """Positions, each a contest of all candidates, which the first one won."""

    features: NDArray[np.uint16]  # shape (classes, candidates): the feature of each class that it has
    ends: NDArray[np.int64]  # by position: index behind its last candidate

    def wins(self, count: int) -> NDArray[np.int64]:
        """Return how often each of `count` features was played."""
        first = np.concatenate([[0], self.ends[:-1]])
        found: NDArray[np.int64] = np.bincount(self.features[:, first].ravel(), minlength=count)
        return found

    def strengths(self, gammas: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the strength of every candidate, the product of its `gammas`."""
        found = np.ones(self.features.shape[1])
        for column in self.features:
            found *= gammas[column]
        return found


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

    Every feature is taken to have won, and lost, `prior` games against a gamma of 1. Every class of features
    is improved in each of the rounds. `max_log` is the greatest size of the logarithm of a gamma. `on_round`
    is called with the number of the round and the gammas.
    """
    gammas = np.ones(count)
    wins = contests.wins(count)
    for number in range(1, rounds + 1):
        strengths = contests.strengths(gammas)
        for column in contests.features:
            exposures = np.zeros(count)
            add_exposures(column, strengths, contests.ends, gammas, exposures)
            seen = exposures > 0
            better = (wins + prior) / (exposures + 2 * prior / (gammas + 1))
            better = np.where(seen, np.clip(better, np.exp(-max_log), np.exp(max_log)), gammas)
            strengths *= (better / gammas)[column]
            gammas = better
        if on_round:
            on_round(number, gammas)
    return gammas


TOP = (1, 5, 10)


def measure(contests: Contests, gammas: NDArray[np.float64]) -> dict[str, Any]:
    """Return how well `gammas` predict the moves that were played, as reports have it.

    That is the number of positions; the share of those in which the move was among the first 1, 5, 10 as
    ``top``; the mean log ``loss`` per position in nats; as ``perplexity`` the number of equally likely moves
    that would be as hard to predict; and the loss of taking all candidates for equally likely.
    """
    ranks, losses = np.empty(len(contests.ends)), np.empty(len(contests.ends))
    write_ranks(contests.strengths(gammas), contests.ends, ranks, losses)
    sizes = np.diff(contests.ends, prepend=0)
    loss = float(losses.mean())
    return {
        "positions": len(ranks),
        "top": {str(top): float((ranks < top).mean()) for top in TOP},
        "loss": loss,
        "perplexity": float(np.exp(loss)),
        "uniform_loss": float(np.log(sizes).mean()),
    }
