"""What a net of KataGo sees of a position, for learning from it (`tuning.learn.nets.katago`).

The planes, as the side to move sees the board; points lie by rows from the bottom:

- 0: all points; 1, 2: own stones, those of the other side; 3 to 5: stones with 1, 2 and 3 liberties;
- 6: the point that simple ko forbids;
- 9 to 13: the last five moves, the last one first;
- 14: stones that a ladder captures; 15, 16: the same of the positions one and two turns ago;
- 17: points where a stone begins such a ladder;
- 18, 19: own area, that of the other side, with all stones alive but for those in unconditional territory.

The numbers: 0 to 4: 1 where one of the last five moves was a pass; 5: komi for the side to move, in units of
20 points; 14: 1 if a pass ends the game; 18: a wave by the parity of komi and board. Rules are those of
``chinese`` with simple ko; other planes and numbers, which tell of other rules, are 0.

Source: KataGo's description of its inputs, version 7.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.go import board
from tengen.engine.go.knowledge.features import count_liberties
from tengen.engine.go.knowledge.net import index_of
from tengen.engine.go.life.benson import BENSON, NO_CHAIN, find_unconditional_life, forget
from tengen.engine.go.playouts import ladder
from tengen.engine.go.scoring import survey
from tengen.engine.go.state import BLACK, BOARD, EMPTY, HUNDREDTHS, NEIGHBOURS, PASS, POINTS, STRIDE, WHITE
from tengen.engine.jit import kernel

PLANES, NUMBERS = 22, 19
LAST_MOVES = 5
OWN, LIBERTIES, KO, LAST, LADDER, START, AREA = 1, 3, 6, 9, 14, 17, 18
KOMI_UNIT, KOMI, ENDING, WAVE = 20.0, 5, 14, 18
_1, _3 = np.uint64(1), np.uint64(3)


@kernel
def _mark_ladders(b, liberties, own, planes):
    """Write the stones that ladders capture, and where these begin, into `planes`."""
    boards, found = np.empty(2, BOARD), np.empty(3, np.uint64)
    size = np.int64(b.width)
    for i in range(size * size):
        p = np.uint64(i % size + 1 + STRIDE * (i // size + 1))
        if b.stones[p] == EMPTY or b.chain[p] != p or liberties[p] > 2:
            continue
        caught = False
        if liberties[p] == 1:
            boards[0] = b
            caught = ladder.run_out(boards, p, found) > 0
        else:
            board.liberties(b, p, found)
            one, other = found[0], found[1]
            for k in range(2):
                at = one if k == 0 else other
                boards[0] = b
                if ladder.captures_in_ladder(boards, at, p, found):
                    caught = True
                    if np.uint64(b.stones[p]) != own:
                        planes[START, index_of(size, at)] = 1
        if caught:
            q = p
            while True:
                planes[LADDER, index_of(size, q)] = 1
                q = np.uint64(b.next_in_chain[q])
                if q == p:
                    break


@kernel
def _find_territory(b, w, colour, points, inside, area):
    """Give the regions that unconditionally living chains of `colour` enclose to it, in `area` (uint8).

    The other side cannot live in them: at most one empty point of each is not beside a stone of `colour`.
    """
    count = np.int64(b.width) ** 2
    if find_unconditional_life(b, w, colour, points, count, inside):
        free = np.zeros(POINTS, np.int64)
        for i in range(count):
            p = np.uint64(points[i])
            beside = False
            for step in NEIGHBOURS:
                beside |= b.stones[p + step] == colour
            if b.stones[p] == EMPTY and not beside:
                free[np.int64(w.region[p])] += 1
        for i in range(count):
            p = np.uint64(points[i])
            region = np.int64(w.region[p])
            if region and w.closed[region - 1] and free[region] < 2:
                area[p] = colour
    forget(w)


@kernel
def _find_area(b, points, area):
    """Write whose each point is into `area` (uint8 (POINTS,)): a colour, `NEUTRAL`, or 0 beyond the board."""
    w = np.zeros(1, BENSON)[0]
    w.chain[:] = NO_CHAIN
    inside, region = np.zeros(POINTS, np.uint8), np.zeros(POINTS, np.uint16)
    beside = np.zeros(POINTS, np.uint8)
    survey(b, np.zeros(POINTS, np.bool_), area, region, beside)
    for i in range(np.int64(b.width) ** 2):
        p = np.uint64(points[i])
        inside[p] = 1
        if area[p] == EMPTY:
            area[p] = beside[region[p]]
    for colour in range(_1, _3):
        _find_territory(b, w, np.uint64(colour), points, inside, area)


@kernel
def write_teacher_planes(s, planes):
    """Write the planes 0 to 6, 14 and 17 to 19 of the position `s`, no record, into `planes`.

    `planes` is uint8, shape (`PLANES`, points), and 0 before.
    """
    b = s.board
    size, own = np.int64(b.width), np.uint64(s.side_to_move) + _1
    liberties, area = np.empty(POINTS, np.uint16), np.empty(POINTS, np.uint8)
    points = np.empty(size * size, np.uint16)
    count_liberties(b, liberties)
    for i in range(size * size):
        points[i] = i % size + 1 + STRIDE * (i // size + 1)
    _find_area(b, points, area)
    for i in range(size * size):
        p = np.uint64(points[i])
        planes[0, i] = 1
        if b.stones[p] != EMPTY:
            planes[OWN if b.stones[p] == own else OWN + 1, i] = 1
            free = np.int64(liberties[b.chain[p]])
            if free <= 3:
                planes[LIBERTIES + free - 1, i] = 1
        if area[p] in (BLACK, WHITE):
            planes[AREA if area[p] == own else AREA + 1, i] = 1
    if b.ko:
        planes[KO, index_of(size, b.ko)] = 1
    _mark_ladders(b, liberties, own, planes)


class TeacherView:
    """What a net of KataGo sees of a game as it goes on: the last moves and ladders are remembered.

    Begins at the start of a game on a board of `size` points a side.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._moves: list[int] = []  # the last ones, the last first
        self._ladders: list[NDArray[np.uint8]] = []  # of the last positions, the last first

    def see(self, state: Any, planes: NDArray[np.uint8], numbers: NDArray[np.float32]) -> None:
        """Write what the net sees of the position, a STATE record, and remember it.

        Parameters
        ----------
        state : STATE record
        planes : uint8 array, shape (`PLANES`, points)
            Written; 0 before.
        numbers : float32 array, shape (`NUMBERS`,)
            Written; 0 before.
        """
        write_teacher_planes(state, planes)
        for k, move in enumerate(self._moves):
            if move == PASS:
                numbers[k] = 1
            else:
                planes[LAST + k, index_of(self._size, move)] = 1
        self._ladders = [planes[LADDER].copy(), *self._ladders[:2]]
        for k in (1, 2):  # without earlier positions, the earliest one stands for them
            planes[LADDER + k] = self._ladders[min(k, len(self._ladders) - 1)]
        komi = (1 if state.side_to_move else -1) * float(state.komi) / HUNDREDTHS
        numbers[KOMI] = komi / KOMI_UNIT
        numbers[ENDING] = float(state.passes > 0)
        numbers[WAVE] = _wave(self._size, komi)

    def play(self, action: int) -> None:
        """Remember a move."""
        self._moves = [action, *self._moves][:LAST_MOVES]


def _wave(size: int, komi: float) -> float:
    """Return a triangular wave of period 2: where a draw is possible it rises from -0.5 to 0.5."""
    floor = math.floor((komi - size % 2) / 2) * 2 + size % 2
    delta = min(max(komi - floor, 0.0), 2.0)
    return delta if delta < 0.5 else 1 - delta if delta < 1.5 else delta - 2
