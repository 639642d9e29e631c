"""What the search of Go knows of openings: learned priors, which many simulations do not drown."""

import pytest

from tengen.engine.play.turns import finish_turn
from tengen.search.binding import bound
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tests.walks import position_after, scaled

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
OPENINGS = [
    pytest.param(13, "", id="13x13, empty"),
    pytest.param(13, "D4 K10", id="13x13, two corners taken"),
    pytest.param(19, "", id="19x19, empty"),
    pytest.param(19, "Q16 D4 Q4", id="19x19, three corners taken"),
]


def line(turn: str, size: int) -> int:
    """Return the line of a vertex, counted from the edge."""
    x, y = COLUMNS.index(turn[0]) + 1, int(turn[1:])
    return min(x, y, size + 1 - x, size + 1 - y)


@pytest.mark.parametrize("nodes", [500, 5000])
@pytest.mark.parametrize(("size", "turns"), OPENINGS)
def test_the_first_turns_are_on_the_third_or_fourth_line(size, turns, nodes):
    position = position_after(f"go,size={size},komi=7.5,rules=chinese", turns)
    result = Worker(method="mcts").search(position, Limit(nodes=scaled(nodes)))
    assert line(result.turn, size) in (3, 4)


@pytest.mark.parametrize(("size", "turns"), OPENINGS)
def test_a_first_turn_without_any_search_is_in_a_free_corner(size, turns):
    """Where the search is not loaded in time, the turn comes from priorities alone."""
    position = position_after(f"go,size={size},komi=7.5,rules=chinese", turns)
    turn = position.format(tuple(finish_turn(bound(position.spec.game), position.state.copy())))
    assert line(turn, size) == 4
    position.push(turn)
