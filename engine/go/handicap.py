"""Fixed and free placement of handicap stones [O-6]."""

from tengen.engine.board.goban import Place
from tengen.engine.go.state import star_points

MAX_FIXED = 9
MIN_SQUARED_DISTANCE = 2  # squared minimal distance between two stones: none touch

fixed_handicap_points = star_points  # as GTP numbers them; empty when there is no such rule


def free_handicap_points(size: int, number: int) -> list[Place]:
    """Return points (column, row) for `number` handicap stones, at least 2.

    The fixed points come first, then always the point farthest from all stones and away from the edge. There
    are fewer stones if every remaining point touches one.
    """
    fixed = (star_points(size, count) for count in range(min(number, MAX_FIXED), 1, -1))
    stones = next(filter(None, fixed), [])
    margin = min(2, (size - 1) // 3)
    inner = range(margin, size - margin)
    places = [(x, y) for x in inner for y in inner]
    while len(stones) < number:
        distance, _, place = max(  # of points as far from all stones the one nearest to a corner
            (_distance((x, y), stones), abs(2 * x - size + 1) + abs(2 * y - size + 1), (x, y))
            for x, y in places
        )
        if distance < MIN_SQUARED_DISTANCE:
            break
        stones.append(place)
    return stones


def _distance(place: Place, stones: list[Place]) -> int:
    """Return the squared distance to the nearest of `stones`; `MIN_SQUARED_DISTANCE` without any."""
    x, y = place
    return min(((x - u) ** 2 + (y - v) ** 2 for u, v in stones), default=MIN_SQUARED_DISTANCE)
