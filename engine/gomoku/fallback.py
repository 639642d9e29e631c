"""Gomoku and Gobang before their rules are compiled: a first game must not be lost on time for that.

What a stone does is worked out here in plain Python, a second time and as simply as can be: fives, captures,
so that no turn is refused or missed. Renju's forbidden points are kept away from, not found out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen.engine.spec import GameSpec

if TYPE_CHECKING:
    from tengen.engine.board.goban import Place

BLACK = 0  # the side
FIVE = 5
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Fallback:
    """A game played without a search: a five is made, else stopped, else a stone put beside the last one."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.places: list[Place] = []  # the stones in the order of the turns
        self._size = int(spec.values["size"])
        self._stones: dict[Place, int] = {}  # sides by place
        self._pairs = [0, 0]  # taken, by side
        self._winner: int | None = None

    def turns(self) -> list[tuple[int, str]]:
        """Return the sides and the turns that have been played."""
        from tengen.engine.board.grids import vertex  # here, since it loads NumPy

        return [(number % 2, vertex(*place)) for number, place in enumerate(self.places)]

    def begin(self, places: Sequence[Place]) -> None:
        """Play `places` from the empty board."""
        self.places, self._stones, self._pairs, self._winner = [], {}, [0, 0], None
        for place in places:
            self.put(place)

    def result(self) -> str:
        """Return the name of the side that has won, ``draw``, or empty while the game goes on."""
        if self._winner is not None:
            return self.spec.game.sides[self._winner]
        return "draw" if len(self._stones) == self._size**2 else ""

    def is_free(self, place: Place) -> bool:
        """Return whether there is no stone on `place`."""
        return place not in self._stones

    @property
    def _side(self) -> int:
        """Whose turn it is."""
        return len(self.places) % 2

    def put(self, place: Place) -> None:
        """Put a stone of the side to move on the free point `place`."""
        side = self._side
        self.places = [*self.places, place]
        self._stones[place] = side
        if "capture-win" in self.spec.values:
            (x, y), stones = place, self._stones
            for dx, dy in (*DIRECTIONS, *((-dx, -dy) for dx, dy in DIRECTIONS)):
                near, far, end = ((x + k * dx, y + k * dy) for k in (1, 2, 3))
                if [stones.get(point) for point in (near, far, end)] == [1 - side, 1 - side, side]:  # [B-2]
                    self._pairs[side] += 1
                    del stones[near], stones[far]
            goal = int(self.spec.values["capture-win"])
            if goal and self._pairs[side] >= goal:
                self._winner = side
        if self._wins(place, side):
            self._winner = side

    def choose(self) -> Place | None:
        """Return the best free point that can be told at a glance; None when that takes rules.

        Renju's Black makes a five, and else keeps away from the own stones: no point there is forbidden.
        """
        side, middle = self._side, (self._size // 2, self._size // 2)
        last = self.places[-1] if self.places else middle
        free = {(x, y) for x in range(self._size) for y in range(self._size)} - self._stones.keys()
        for winner in (side, 1 - side):
            fives = sorted(place for place in free if self._wins(place, winner))
            if fives and (winner == side or not self._may_be_forbidden(fives[0])):
                return fives[0]
        allowed = [place for place in free if not self._may_be_forbidden(place)]
        return min(
            allowed, key=lambda place: (_distance(place, last), _distance(place, middle), place), default=None
        )

    def _wins(self, place: Place, side: int) -> bool:
        """Return whether a stone of `side` on `place` makes five [M-2][R-1]."""
        values = self.spec.values
        exactly = values.get("exactly-five") or (values.get("renju") and side == BLACK)
        lengths = [
            1 + self._run(place, side, (dx, dy)) + self._run(place, side, (-dx, -dy)) for dx, dy in DIRECTIONS
        ]
        return any(length == FIVE if exactly else length >= FIVE for length in lengths)

    def _run(self, place: Place, side: int, step: tuple[int, int]) -> int:
        """Return the number of stones of `side` that follow on `place` in one direction."""
        length = 0
        while (
            self._stones.get((place[0] + (length + 1) * step[0], place[1] + (length + 1) * step[1])) == side
        ):
            length += 1
        return length

    def _may_be_forbidden(self, place: Place) -> bool:
        """Return whether Black, to move in Renju, has so much on the lines through `place` that it may be."""
        if not self.spec.values.get("renju") or self._side != BLACK:
            return False
        (x, y), lines = place, 0
        for dx, dy in DIRECTIONS:
            around = [(x + k * dx, y + k * dy) for k in range(-FIVE, FIVE + 1) if k]
            own = sum(self._stones.get(point) == BLACK for point in around)
            if own > 2:  # a four, or an overline
                return True
            lines += own > 1  # a three
        return lines > 1


def _distance(one: Place, other: Place) -> int:
    """Return the square of the distance of two points."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
