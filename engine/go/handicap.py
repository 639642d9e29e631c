"""Where handicap stones go: the fixed places of GTP, and those of the engine's own choice [O-6]."""

from __future__ import annotations

from tengen.engine.board.goban import Place
from tengen.engine.go.state import star_points

MAX_FIXED = 9
MIN_SQUARED_DISTANCE = 2  # square of the least distance between two stones: none touch


def fixed_handicap_points(size: int, number: int) -> list[Place]:
    """Return where GTP puts `number` handicap stones, by (column, row); empty when there is no such rule."""
    return star_points(size, number)


def free_handicap_points(size: int, number: int) -> list[Place]:
    """Return where to put `number` handicap stones, at least 2, by (column, row).

    The fixed places as far as there are any, then always the place that is farthest from all stones, off the
    edge; fewer when no place is left that touches none.
    """
    fixed = (star_points(size, count) for count in range(min(number, MAX_FIXED), 1, -1))
    stones = next(filter(None, fixed), [])
    margin = min(2, (size - 1) // 3)
    inner = range(margin, size - margin)
    places = [(x, y) for x in inner for y in inner]
    while len(stones) < number:
        distance, _, place = max((_distance(place, stones), _quiet(place, size), place) for place in places)
        if distance < MIN_SQUARED_DISTANCE:
            break
        stones.append(place)
    return stones


def _distance(place: Place, stones: list[Place]) -> int:
    """Return the squared distance from `place` to the nearest stone; `MIN_SQUARED_DISTANCE` without any."""
    x, y = place
    return min(((x - u) ** 2 + (y - v) ** 2 for u, v in stones), default=MIN_SQUARED_DISTANCE)


def _quiet(place: Place, size: int) -> int:
    """Return how far `place` is from the middle lines of the board: corners go before sides."""
    return sum(abs(2 * each - size + 1) for each in place)
