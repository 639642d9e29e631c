"""Ratings of tournaments: one fit that agrees with what is known of two players, and covers the truth."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen.tuning.match import statistics
from tengen.tuning.match.ratings import rate, superiority

counts = st.lists(st.integers(0, 12), min_size=5, max_size=5)
SCORED = (1, 2, 4, 2, 1)  # connects whoever has played so


def round_robin(players: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(players) for j in range(i + 1, players)]


@pytest.mark.parametrize(
    "pairs",
    [(34, 54, 63, 64, 75), (332, 433, 498, 333, 334), (3, 1, 4, 1, 5), (0, 0, 20, 0, 0), (5, 0, 0, 0, 7)],
)
def test_two_players_are_rated_as_in_a_match(pairs):
    ratings, alone = rate(2, {(0, 1): pairs}), statistics.elo(pairs)
    first, second = ratings.elo
    assert 2 * first.value == pytest.approx(alone.value, abs=0.05)
    assert 2 * first.low == pytest.approx(alone.low, abs=1.0)
    assert 2 * first.high == pytest.approx(alone.high, abs=1.0)
    assert (second.low, second.high) == pytest.approx((-first.high, -first.low), abs=0.2)


@settings(max_examples=10)
@given(st.lists(counts, min_size=6, max_size=6), st.permutations(range(4)))
def test_names_do_not_matter(table, order):
    results = dict(
        zip(round_robin(4), [[n + m for n, m in zip(row, SCORED, strict=True)] for row in table], strict=True)
    )
    renamed = {(order[first], order[second]): pairs for (first, second), pairs in results.items()}
    before, after = rate(4, results), rate(4, renamed)
    for player in range(4):
        one, other = before.elo[player], after.elo[order[player]]
        assert (other.value, other.low, other.high) == pytest.approx((one.value, one.low, one.high), abs=0.3)
        assert one.low < one.value < one.high
    assert sum(estimate.value for estimate in before.elo) == pytest.approx(0, abs=1e-3)


@settings(max_examples=10)
@given(st.lists(counts, min_size=3, max_size=3))
def test_a_pairing_seen_from_the_other_side_is_the_same(table):
    results = dict(zip(round_robin(3), table, strict=True))
    mirrored = {(second, first): pairs[::-1] for (first, second), pairs in results.items()}
    for one, other in zip(rate(3, results).elo, rate(3, mirrored).elo, strict=True):
        assert vars(other) == pytest.approx(vars(one), abs=0.3, nan_ok=True)


def test_results_that_fit_together_are_met_exactly():
    """Expected scores of 0, 100 and 300 Elo, times enough games."""
    elo = (0.0, 100.0, 300.0)
    results = {}
    for first, second in round_robin(3):
        score = statistics.score_of(elo[first] - elo[second])
        results[first, second] = [1e6 * (1 - score), 0, 0, 0, 1e6 * score]
    for estimate, truth in zip(rate(3, results).elo, elo, strict=True):
        assert estimate.value == pytest.approx(truth - sum(elo) / 3, abs=0.01)
        assert estimate.high - estimate.low < 3


def test_strength_is_passed_on_by_common_opponents():
    even, better = (5, 5, 10, 5, 5), (2, 5, 10, 10, 8)
    ratings = rate(3, {(0, 1): better, (1, 2): better})
    apart = rate(2, {(0, 1): better}).elo[0].value * 2
    assert ratings.elo[0].value - ratings.elo[2].value == pytest.approx(2 * apart, abs=0.5)
    met = rate(3, {(0, 1): better, (1, 2): better, (0, 2): even})
    assert met.elo[0].value - met.elo[2].value < 1.5 * apart


def test_whoever_wins_all_has_a_lower_bound_only():
    """Forty games between two whose games are independent, as they seem to be: each is won with 95.3%."""
    ratings = rate(3, {(0, 1): (0, 0, 0, 0, 10), (0, 2): (0, 0, 0, 0, 10), (1, 2): (50, 0, 100, 0, 50)})
    best, *others = ratings.elo
    assert (best.value, best.high) == (math.inf, math.inf)
    assert best.low == pytest.approx(statistics.elo_of(math.exp(-statistics.CHI_SQUARE_95 / 80)), abs=10)
    assert ratings.reference == {1, 2}
    assert all(-200 < other.low < 0 < other.high < 200 for other in others)
    assert ratings.order[0] == 0


def test_a_row_of_unbeaten_players_is_ranked():
    unbroken = (0, 0, 0, 0, 6)
    ratings = rate(3, {(2, 0): unbroken, (0, 1): unbroken})
    assert ratings.order == (2, 0, 1)
    assert ratings.reference == {0}
    assert [estimate.value for estimate in ratings.elo] == [0.0, -math.inf, math.inf]
    assert ratings.elo[2].low == pytest.approx(statistics.elo(unbroken).low, abs=2)


def test_those_who_cannot_be_compared_are_not():
    """Two groups that have never met, and a player without a game."""
    ratings = rate(6, {(0, 1): SCORED, (1, 2): SCORED, (3, 4): SCORED})
    assert ratings.reference == {0, 1, 2}
    for player in (3, 4, 5):
        estimate = ratings.elo[player]
        assert math.isnan(estimate.value)
        assert (estimate.low, estimate.high) == (-math.inf, math.inf)


def test_nobody_has_played_yet():
    ratings = rate(3, {pairing: [0] * 5 for pairing in round_robin(3)})
    assert len(ratings.reference) == 1
    assert sorted(ratings.order) == [0, 1, 2]


def test_intervals_cover_the_truth_nineteen_times_in_twenty():
    """With a first side that wins more than half of its games, and draws."""
    generator = random.Random(2)
    truth, first_side, draw = (-120.0, -40.0, 40.0, 120.0), 150.0, 0.25

    def half_points(elo: float) -> int:
        win = statistics.score_of(elo) * (1 - draw)
        chance = generator.random()
        return 2 if chance < win else 1 if chance < win + draw else 0

    def expected(elo: float) -> float:
        """Return the difference at which the mean of both colours is that of `elo`."""
        low, high = -2000.0, 2000.0
        for _ in range(40):
            middle = (low + high) / 2
            colours = (statistics.score_of(middle + sign * first_side) for sign in (1, -1))
            score = sum(draw / 2 + (1 - draw) * share for share in colours) / 2
            low, high = (middle, high) if score < statistics.score_of(elo) else (low, middle)
        return low

    differences = {(i, j): expected(truth[i] - truth[j]) for i, j in round_robin(4)}
    covered = 0
    for _ in range(40):
        results = {pairing: [0] * 5 for pairing in differences}
        for pairing, difference in differences.items():
            for _ in range(12):
                points = half_points(difference + first_side) + half_points(difference - first_side)
                results[pairing][points] += 1
        elo = rate(4, results).elo
        covered += sum(one.low <= true <= one.high for one, true in zip(elo, truth, strict=True))
    assert 0.90 < covered / 160 < 0.99


def test_an_anchor_keeps_its_rating_and_moves_the_others_along():
    results = {(0, 1): (1, 2, 4, 2, 1), (0, 2): (0, 1, 4, 5, 3), (1, 2): (1, 3, 5, 3, 1)}
    free, fixed = rate(3, results), rate(3, results, {1: 1500.0})
    assert (fixed.elo[1].value, fixed.elo[1].low, fixed.elo[1].high) == (1500, 1500, 1500)
    for player in (0, 2):
        gap = free.elo[player].value - free.elo[1].value
        assert fixed.elo[player].value - 1500 == pytest.approx(gap, abs=0.01)
        assert fixed.elo[player].low < fixed.elo[player].value < fixed.elo[player].high
    mean = rate(3, results, {0: 1700.0, 2: 1300.0})
    assert (mean.elo[0].value + mean.elo[2].value) / 2 == pytest.approx(1500, abs=0.01)


def test_superiority_agrees_with_the_los_of_a_match_and_is_complementary():
    pairs = (10, 20, 40, 30, 15)
    table = superiority(2, {(0, 1): pairs})
    assert table[0][1] == pytest.approx(statistics.los(pairs), abs=0.01)
    assert table[0][1] + table[1][0] == pytest.approx(1)
    assert table[0][0] is None


def test_superiority_over_a_player_who_never_scored_is_left_open():
    table = superiority(3, {(0, 1): SCORED, (0, 2): (0, 0, 0, 0, 5), (1, 2): (0, 0, 0, 0, 5)})
    assert table[0][2] is None
    assert table[2][1] is None
    assert 0 < table[0][1] < 1
