"""Statistics of a match: score, Elo with its interval, likelihood of superiority, SPRT.

Everything is based on the likelihood of pentanomial pair results given the mean score. The independent trials
are pairs of games (one opening, colours swapped), which have five results: 0, 0.5, 1, 1.5 or 2 points. An
interval contains the means that a likelihood-ratio test at 5% does not reject. Unlike those of a normal
approximation, the intervals stay inside [0, 1], and a series of wins only still has a finite lower bound.

Sources: M. Van den Bergh, The generalized sequential probability ratio test for Fishtest (2018), for the
constrained maximum likelihood and the LLR; zeros are replaced by `FLOOR` as fastchess does.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # mean score of a game in a pair of 0, 0.5, 1, 1.5, 2 points
FLOOR = 1e-3  # count in place of 0 for a result that never occurred, so that no likelihood is zero
CHI_SQUARE_95 = 3.841458820694124  # 95% quantile, one degree of freedom
BISECTIONS = 60


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Sprt:
    """A sequential test of two hypotheses about the difference in logistic Elo."""

    elo0: float
    elo1: float  # more than elo0
    alpha: float = 0.05  # probability of accepting elo1 when elo0 is true
    beta: float = 0.05  # ... of accepting elo0 when elo1 is

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLRs at which elo0 and elo1 are accepted (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """Return the log-likelihood ratio of elo1 against elo0, given the five counts of `pairs`."""
        if not sum(pairs):
            return 0.0
        return log_likelihood(pairs, score_of(self.elo1)) - log_likelihood(pairs, score_of(self.elo0))

    def decision(self, pairs: Sequence[int]) -> str:
        """Return ``H1`` if elo1 is accepted, ``H0`` if elo0 is, empty while neither is."""
        low, high = self.bounds
        llr = self.llr(pairs)
        return "H1" if llr >= high else "H0" if llr <= low else ""


def score_of(elo: float) -> float:
    """Return the expected score in [0, 1] of a player that is `elo` stronger."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_of(score: float) -> float:
    """Return the Elo difference of an expected score in [0, 1]; infinite at its ends."""
    if score <= 0.0 or score >= 1.0:
        return math.copysign(math.inf, score - 0.5)
    return 400.0 * math.log10(score / (1.0 - score))


def mean(pairs: Sequence[int]) -> float:
    """Return the mean score of a game, given the five counts of `pairs`; 0.5 without any pair."""
    total = sum(pairs)
    return sum(n * x for n, x in zip(pairs, SCORES, strict=True)) / total if total else 0.5


def log_likelihood(pairs: Sequence[int], expected: float) -> float:
    """Return the log-likelihood of `pairs` if the true mean score were `expected`, in (0, 1).

    It is that of the likeliest distribution over the five results with this mean:
    p_i = n_i / (N (1 + t (x_i - mean))), where t solves sum p_i (x_i - mean) = 0.
    """
    counts = [n or FLOOR for n in pairs]
    total = sum(counts)
    shares = [n / total for n in counts]
    offsets = [x - expected for x in SCORES]

    def positive(t: float) -> bool:
        return sum(p * d / (1 + t * d) for p, d in zip(shares, offsets, strict=True)) > 0

    # between the poles the sum falls from +inf to -inf
    t = _last(positive, -1.0 / offsets[-1], -1.0 / offsets[0])
    weights = zip(counts, shares, offsets, strict=True)
    return sum(n * math.log(p / (1 + t * d)) for n, p, d in weights)


def _deviance(pairs: Sequence[int], expected: float) -> float:
    """Return twice the difference between the greatest log-likelihood and the one at `expected`."""
    counts = [n or FLOOR for n in pairs]
    total = sum(counts)
    return 2 * (sum(n * math.log(n / total) for n in counts) - log_likelihood(pairs, expected))


def _last(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return the last number on the way from `inside` to `outside` of which a condition holds."""
    for _ in range(BISECTIONS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return (inside + outside) / 2


def score(pairs: Sequence[int]) -> Estimate:
    """Return the mean score of a game in [0, 1] with its 95% interval; [0, 1] without any pair."""
    total = sum(pairs)
    if not total:
        return Estimate(0.5, 0.0, 1.0)
    value = mean(pairs)
    inside = mean([n or FLOOR for n in pairs])  # type: ignore[misc]

    def likely(expected: float) -> bool:
        return _deviance(pairs, expected) < CHI_SQUARE_95

    low, high = (end if value == end else _last(likely, inside, end) for end in (0.0, 1.0))
    return Estimate(value, low, high)


def elo(pairs: Sequence[int]) -> Estimate:
    """Return the Elo difference with its 95% interval, whose ends may be infinite."""
    estimate = score(pairs)
    return Estimate(elo_of(estimate.value), elo_of(estimate.low), elo_of(estimate.high))


def los(pairs: Sequence[int]) -> float:
    """Return the likelihood of superiority (LOS, in [0, 1]) of the first player.

    It is computed from the signed root of the likelihood ratio against equal strength.
    """
    if not sum(pairs):
        return 0.5
    lead = mean(pairs) - 0.5
    root = math.copysign(math.sqrt(max(_deviance(pairs, 0.5), 0.0)), lead) if lead else 0.0
    return 0.5 * (1.0 + math.erf(root / math.sqrt(2.0)))
