"""The numbers of the search: what kernels get is what a game declares."""

import numpy as np
import pytest

from tengen.engine import games
from tengen.search.alphabeta.params import LATE_DEPTHS, params_of
from tengen.search.binding import bound
from tengen.search.info import INFINITE


@pytest.mark.parametrize("name", games.names())
def test_kernels_get_the_numbers_that_a_game_declares(name):
    counts, made = bound(games.find(name)).LATE_MOVE_COUNTS, params_of(games.find(name))
    assert len(counts) <= LATE_DEPTHS
    assert made["late_moves"].tolist() == [*counts, *[INFINITE] * (LATE_DEPTHS + 1 - len(counts))]
    assert made["policy_depth"] == (8 if name in ("gomoku", "gobang") else 0)
    for depth, place in ((1, 1), (3, 3), (10, 20), (63, 63)):
        plies = int(0.6 + np.log(depth) * np.log(place) / 2.2)
        assert made["reductions"][depth, place] // 100 == plies
