"""Three men's morris as its rules are told: what the kernels are held against."""

import itertools

Place = tuple[int, int]
PLACES = [(x, y) for y in range(3) for x in range(3)]


def straight(*places: Place) -> bool:
    """Return whether `places`, in this order, are the three of a column, a row or a diagonal."""
    (x, y), (middle_x, middle_y), (far_x, far_y) = places
    return (far_x - middle_x, far_y - middle_y) == (middle_x - x, middle_y - y) != (0, 0)


LINES = [places for places in itertools.permutations(PLACES, 3) if straight(*places)]


class Reference:
    """A game, with all positions that have been; columns and rows count from 0, rows from the bottom.

    A turn is a place, or a pair of places: from where a man slides, and where to.
    """

    def __init__(self) -> None:
        self.men: tuple[frozenset[Place], frozenset[Place]] = (frozenset(), frozenset())
        self.side = 0
        self.earlier: list[object] = []

    def position(self) -> object:
        """Return what has to be the same in positions that count as the same [MM-4]."""
        return self.men, self.side

    def winner(self) -> int | None:
        """Return the side whose men stand on one line [MM-3]; None without one."""
        return next((side for side in (0, 1) if any(self.men[side] >= {*line} for line in LINES)), None)

    def is_drawn(self) -> bool:
        """Return whether this is the third time [MM-4]."""
        return self.earlier.count(self.position()) == 2

    def legal(self) -> list[Place | tuple[Place, Place]]:
        """Return all turns; none at the end."""
        if self.winner() is not None or self.is_drawn():
            return []
        empty = [place for place in PLACES if place not in self.men[0] | self.men[1]]
        if len(empty) > 3:
            return [*empty]
        steps = {step for line in LINES for step in itertools.pairwise(line)}
        return [(begin, end) for begin, end in steps if begin in self.men[self.side] and end in empty]

    def play(self, turn: Place | tuple[Place, Place]) -> None:
        """Place a man or slide one."""
        self.earlier.append(self.position())
        men = [*self.men]
        if turn in PLACES:
            men[self.side] |= {turn}
        else:
            begin, end = turn
            men[self.side] = men[self.side] - {begin} | {end}
        self.men, self.side = (men[0], men[1]), 1 - self.side
