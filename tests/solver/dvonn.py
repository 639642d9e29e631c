"""Endings of DVONN: the cases of the suite, and a brute force with rules of its own that judges them.

The margin of an ending is what the side to move has more than the opponent in its stacks at the end [D-8],
when both play for the largest margin of their own. The brute force leaves out only what alpha-beta proves to
be of no account, and keeps the positions it has seen under their whole content.

Nothing here is shared with the engine's game, nor with the slow reference, which it is compared with.

Endings of games have as their origin ``random`` or ``engine``: who played. The others are composed at random
and kept for what best play shows in them:

- ``passes``: one side passes three times or more;
- ``returns``: a side that had to pass moves again later [D-7];
- ``cut``: the side to move wins, but only by turns that take stacks off the board [D-6];
- ``draw``: nobody wins, and some turns lose;
- ``reds``: a stack with two or three DVONN pieces, and one with a DVONN piece that moves;
- ``bare``: one side has no stacks left;
- ``crowded``: many stacks, few moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests import rows
from tests.solver import Unfinished

SUITE = Path(__file__).parent / "suites" / "dvonn.txt"
SPEC = "dvonn"
GAMES = "random", "engine"
PURPOSES = "passes", "returns", "cut", "draw", "reds", "bare", "crowded"
PLIES = range(2, 11)  # to the end


class Case(NamedTuple):
    """A position and its margin."""

    text: str
    margin: int  # pieces in the stacks of the side to move less those of the opponent, at the end
    origin: str  # one of `GAMES` or `PURPOSES`
    plies: int  # turns, passes included, to the end of that game, or of a line of best play

    def line(self) -> str:
        """Return the case as a line of the suite."""
        return f"{SPEC} ; {self.text} ; {self.margin} ; {self.origin} {self.plies}"


def cases() -> list[Case]:
    """Return the cases of the suite."""
    found = []
    for _, text, margin, origin in rows(SUITE):
        name, plies = origin.split()
        found.append(Case(text, int(margin), name, int(plies)))
    return found


def margins() -> Iterator[tuple[str, int]]:
    """Yield text and margin of each position of the suite."""
    for case in cases():
        yield case.text, case.margin


# ------------------------------------------------------------------------------------------------ positions

ROWS = "abcdefghi", "abcdefghij", "abcdefghijk", "bcdefghijk", "cdefghijk"
STRIDE = 12  # cells of a row, the last of them on no board: a step over an edge ends on no space
STEPS = (0, 1), (1, 0), (1, 1)  # rows and columns; and back
PIECES = 49
NAMES = {
    STRIDE * row + ord(column) - ord("a"): f"{column}{row + 1}"
    for row, columns in enumerate(ROWS)
    for column in columns
}
CELLS = list(NAMES)  # in the order of a position's text
DVONN_PIECE, EMPTY, STAR = "D", "-", "*"


def _spaces_at(distance: int, cell: int) -> int:
    """Return the spaces exactly so far from a cell in a straight line [D-3], as bits."""
    row, column = divmod(cell, STRIDE)
    bits = 0
    for down, right in STEPS:
        for steps in (-distance, distance):
            other = STRIDE * (row + steps * down) + column + steps * right
            if 0 <= column + steps * right < STRIDE and other in NAMES:
                bits |= 1 << other
    return bits


REACH = [[_spaces_at(height, cell) for cell in range(STRIDE * len(ROWS))] for height in range(PIECES + 1)]


class Ending(NamedTuple):
    """A position of the second phase as the side to move sees it: sets of cells are bits of an int.

    How many DVONN pieces a stack holds, once it holds one, makes no difference to what follows.
    """

    mine: int  # cells of the stacks of the side to move, and of the opponent
    theirs: int
    reds: int  # cells of stacks with a DVONN piece, and of lone ones
    heights: bytes  # pieces on each cell

    @classmethod
    def parse(cls, text: str) -> Ending:
        """Return the position of a text."""
        board, side, phase = text.split()
        if phase != "m":
            raise ValueError(f"expected a position of the second phase, got {text!r}")
        stacks, reds, heights = {"W": 0, "B": 0}, 0, bytearray(STRIDE * len(ROWS))
        for cell, content in zip(CELLS, board.replace("/", ",").split(","), strict=True):
            if content == EMPTY:
                continue
            if content == DVONN_PIECE or STAR in content:
                reds |= 1 << cell
            if content == DVONN_PIECE:
                heights[cell] = 1
            else:
                stacks[content[0]] |= 1 << cell
                heights[cell] = int(content[1:].split(STAR)[0])
        white, black = stacks.values()
        mine, theirs = (white, black) if side == "w" else (black, white)
        return cls(mine, theirs, reds, bytes(heights))

    def pieces(self, stacks: int) -> int:
        """Return the number of pieces in the stacks on a set of cells."""
        heights, number = self.heights, 0
        while stacks:
            cell = stacks & -stacks
            stacks ^= cell
            number += heights[cell.bit_length() - 1]
        return number

    def margin(self) -> int:
        """Return how many pieces the side to move has more than the opponent as things stand [D-8]."""
        return self.pieces(self.mine) - self.pieces(self.theirs)

    def on_board(self) -> int:
        """Return the number of pieces on the board."""
        return sum(self.heights)

    def passed(self) -> Ending:
        """Return the position after a pass."""
        return Ending(self.theirs, self.mine, self.reds, self.heights)

    def moves(self) -> Iterator[tuple[int, int]]:
        """Yield origin and target of each move, both as bits."""
        mine, theirs, reds, heights = self
        full = mine | theirs | reds
        hemmed = full << 1 & full >> 1  # [D-4]
        hemmed &= full << STRIDE & full >> STRIDE & full << STRIDE + 1 & full >> STRIDE + 1
        left = mine & ~hemmed
        while left:
            origin = left & -left
            left ^= origin
            cell = origin.bit_length() - 1
            targets = REACH[heights[cell]][cell] & full
            while targets:
                target = targets & -targets
                targets ^= target
                yield origin, target

    def played(self, origin: int, target: int) -> Ending:
        """Return the position after a move."""
        mine, theirs, reds, heights = self
        changed = bytearray(heights)
        source = origin.bit_length() - 1
        changed[target.bit_length() - 1] += changed[source]
        changed[source] = 0
        mine = mine & ~origin | target
        theirs &= ~target
        if reds & origin:
            reds = reds & ~origin | target
        full = mine | theirs | reds
        grown, live = reds, 0
        while grown != live:  # [D-6], from the DVONN pieces on [D-9]
            live = grown
            grown |= live << 1 | live >> 1 | live << STRIDE | live >> STRIDE
            grown |= live << STRIDE + 1 | live >> STRIDE + 1
            grown &= full
        lost = full & ~live
        while lost:
            cell = lost & -lost
            lost ^= cell
            changed[cell.bit_length() - 1] = 0
        return Ending(theirs & live, mine & live, reds, bytes(changed))

    def children(self) -> list[Ending]:
        """Return the positions after each turn, none when the game is over [D-7]."""
        after = [self.played(*move) for move in self.moves()]
        if not after and any(self.passed().moves()):
            after.append(self.passed())
        return after

    def alike(self) -> set[Ending]:
        """Return the position from the four sides of the board, and thereby as either colour sees it."""
        return {self._moved(turned) for turned in SIDES}

    def _moved(self, places: list[int]) -> Ending:
        heights = bytearray(len(self.heights))
        for cell, place in zip(CELLS, places, strict=True):
            heights[place] = self.heights[cell]
        mine, theirs, reds = (
            sum(1 << place for cell, place in zip(CELLS, places, strict=True) if stacks >> cell & 1)
            for stacks in self[:3]
        )
        return Ending(mine, theirs, reds, bytes(heights))


def _sides() -> list[list[int]]:
    """Return where the cells go when the board is seen from each of its sides: half a turn, two mirrors."""

    def cells(place: Callable[[int, int], tuple[int, int]]) -> list[int]:
        return [STRIDE * row + column for row, column in (place(*divmod(cell, STRIDE)) for cell in CELLS)]

    return [
        CELLS,
        cells(lambda row, column: (4 - row, 10 - column)),
        cells(lambda row, column: (row, 8 + row - column)),
        cells(lambda row, column: (4 - row, 2 + column - row)),
    ]


SIDES = _sides()


# -------------------------------------------------------------------------------------------------- judgement


class Force:
    """Brute force, which remembers what it has found: up to `limit` positions, each some 300 bytes."""

    def __init__(self, limit: int = 10**8) -> None:
        self._limit = limit
        self._bounds: dict[Ending, tuple[int, int]] = {}  # least and greatest margin that may be

    @property
    def tried(self) -> int:
        """Positions looked at so far."""
        return len(self._bounds)

    def margin(self, ending: Ending) -> int:
        """Return the margin at the end of best play.

        `Unfinished` is raised when that takes more positions than the limit.
        """
        return self._search(ending, -PIECES, PIECES)

    def reaches(self, ending: Ending, margin: int) -> bool:
        """Return whether the side to move comes to such a margin, or a larger one, under best play."""
        return self._search(ending, margin - 1, margin) >= margin

    def line(self, ending: Ending) -> list[Ending]:
        """Return the positions of a line of best play, from this one to the end of the game."""
        margin, line = self.margin(ending), [ending]
        while children := line[-1].children():
            margin = -margin
            line.append(next(child for child in children if not self.reaches(child, margin + 1)))
        return line

    def _search(self, ending: Ending, alpha: int, beta: int) -> int:
        """Return the margin, or what it is at most if that is `alpha` or less, at least if `beta` or more."""
        least, greatest = self._bounds.get(ending, (-PIECES, PIECES))
        if least >= beta or least == greatest:
            return least
        if greatest <= alpha:
            return greatest
        if len(self._bounds) >= self._limit:
            raise Unfinished(f"{ending}: more than {self._limit} positions")
        children = ending.children()
        if children:
            best = -PIECES
            for child in sorted(children, key=_hope):
                best = max(best, -self._search(child, -beta, -max(alpha, best)))
                if best >= beta:
                    break
            self._bounds[ending] = (best if best > alpha else least, best if best < beta else greatest)
        else:
            best = ending.margin()
            self._bounds[ending] = best, best
        return best


def _hope(ending: Ending) -> int:
    """Return a number that is small where the side to move is likely to be badly off."""
    return ending.margin() + sum(1 for _ in ending.moves())
