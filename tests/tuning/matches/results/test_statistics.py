"""What a match proves. Known values are those of fastchess's own tests (elo_test.cpp, sprt_test.cpp)."""

import math
import random

import pytest

from tengen.tuning.match import statistics
from tengen.tuning.match.statistics import Sprt


@pytest.mark.parametrize(
    ("pairs", "elo", "error"),
    [((34, 54, 63, 64, 75), 55.58, 27.65), ((332, 433, 498, 333, 334), -8.64, 10.33)],
)
def test_elo_and_error_are_those_of_fastchess(pairs, elo, error):
    estimate = statistics.elo(pairs)
    assert estimate.value == pytest.approx(elo, abs=0.01)
    assert (estimate.high - estimate.low) / 2 == pytest.approx(error, rel=0.01)


@pytest.mark.parametrize(
    ("pairs", "sprt", "llr"),
    [
        ((223, 9863, 21279, 10037, 246), Sprt(0.5, 2.5), -3.07),
        ((871, 26175, 55983, 26678, 821), Sprt(0, 2), -4.98),
    ],
)
def test_llr_is_that_of_fastchess(pairs, sprt, llr):
    assert sprt.llr(pairs) == pytest.approx(llr, abs=0.01)


def test_superiority_is_that_of_fastchess():
    assert statistics.los((332, 433, 498, 333, 334)) == pytest.approx(0.0505, abs=0.0005)


@pytest.mark.parametrize("elo", [-800.0, -35.0, 0.0, 12.5, 400.0])
def test_elo_and_score_are_inverse(elo):
    assert statistics.elo_of(statistics.score_of(elo)) == pytest.approx(elo)


@pytest.mark.parametrize("pairs", [(3, 1, 4, 1, 5), (0, 0, 0, 2, 9), (1, 0, 0, 0, 0), (0, 2, 30, 11, 0)])
def test_swapping_the_players_mirrors_everything(pairs):
    mine, theirs = statistics.elo(pairs), statistics.elo(pairs[::-1])
    assert mine.value == pytest.approx(-theirs.value)
    assert mine.low == pytest.approx(-theirs.high)
    assert statistics.los(pairs) == pytest.approx(1 - statistics.los(pairs[::-1]))
    assert Sprt(-10, 10).llr(pairs) == pytest.approx(-Sprt(-10, 10).llr(pairs[::-1]))


@pytest.mark.parametrize("pairs", [(3, 1, 4, 1, 5), (0, 0, 7, 0, 0), (0, 0, 0, 0, 6), (0, 1, 0, 0, 0)])
def test_interval_holds_the_estimate_and_shrinks_with_more_pairs(pairs):
    few, many = statistics.score(pairs), statistics.score([9 * n for n in pairs])
    assert 0 <= few.low <= few.value <= few.high <= 1
    assert few.low <= many.low <= many.value <= many.high <= few.high
    assert many.high - many.low < few.high - few.low


def test_nothing_but_wins_leaves_a_finite_lower_bound():
    estimate = statistics.elo((0, 0, 0, 0, 10))
    assert estimate.value == estimate.high == math.inf
    assert 200 < estimate.low < 400
    assert 0.99 < statistics.los((0, 0, 0, 0, 10)) < 1


def test_nothing_but_draws_proves_nothing():
    assert statistics.elo((0, 0, 20, 0, 0)).value == 0
    assert statistics.los((0, 0, 20, 0, 0)) == 0.5


def test_no_pair_at_all_proves_nothing():
    none = (0, 0, 0, 0, 0)
    assert statistics.elo(none) == statistics.Estimate(0.0, -math.inf, math.inf)
    assert statistics.los(none) == 0.5
    assert Sprt(0, 5).decision(none) == ""


def test_interval_covers_the_truth_nineteen_times_in_twenty():
    generator = random.Random(1)
    shares = (0.05, 0.15, 0.4, 0.25, 0.15)
    truth = sum(p * x for p, x in zip(shares, statistics.SCORES, strict=True))
    covered = 0
    for _ in range(200):
        drawn = generator.choices(range(5), shares, k=40)
        estimate = statistics.score([drawn.count(i) for i in range(5)])
        covered += estimate.low <= truth <= estimate.high
    assert 0.91 < covered / 200 < 0.98


@pytest.mark.parametrize(
    ("pairs", "decision"),
    [((0, 10, 60, 40, 10), "H1"), ((10, 40, 60, 10, 0), "H0"), ((1, 2, 9, 3, 1), "")],
)
def test_sprt_decides_when_a_bound_is_reached(pairs, decision):
    assert Sprt(0, 20).decision(pairs) == decision


def test_sprt_bounds_are_walds():
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=0.001)
