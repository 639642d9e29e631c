"""Hex as its rules are told, one thing after the other: what the kernels are held against."""

import itertools

Place = tuple[int, int]
AROUND = (
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, -1),
    (-1, 1),
)  # neighbours


class Reference:
    """A game of Hex; columns and rows count from 0, rows from the top."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stones: dict[Place, int] = {}  # sides by place
        self.side = 0

    def legal(self) -> list[Place]:
        """Return all empty places, row by row; none once a side has won."""
        if self.winner() is not None:
            return []
        places = ((x, y) for y in range(self.size) for x in range(self.size))
        return [place for place in places if place not in self.stones]

    def play(self, place: Place) -> None:
        """Put a stone of the side to move."""
        assert place not in self.stones
        self.stones[place] = self.side
        self.side = 1 - self.side

    def undo(self, place: Place) -> None:
        """Take the stone of the last turn back."""
        self.side = self.stones.pop(place)

    def winner(self) -> int | None:
        """Return the side whose stones join its edges, top and bottom for the first; None without one."""
        return next((side for side in (0, 1) if self.missing(side) == 0), None)

    def missing(self, side: int) -> int:
        """Return how many more stones `side` needs at least to win; `size` + 1 if it cannot."""
        cost = {place: 0 for place, owner in self.stones.items() if owner == side}
        every = itertools.product(range(self.size), repeat=2)
        cost |= {place: 1 for place in every if place not in self.stones}
        axis = 1 - side  # rows for the first side, columns for the second
        needed = {place: cost[place] for place in cost if place[axis] == 0}
        changed = True
        while changed:
            changed = False
            for (x, y), before in list(needed.items()):
                for dx, dy in AROUND:
                    place = x + dx, y + dy
                    if place in cost and before + cost[place] < needed.get(place, self.size**2):
                        needed[place] = before + cost[place]
                        changed = True
        return min((needed[place] for place in needed if place[axis] == self.size - 1), default=self.size + 1)

    def count(self, depth: int) -> int:
        """Return the number of ways to play `depth` turns."""
        if depth == 0:
            return 1
        total = 0
        for place in self.legal():
            self.play(place)
            total += self.count(depth - 1)
            self.undo(place)
        return total
