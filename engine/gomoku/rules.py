"""The rules of Gomoku [M-1][M-2] as kernels over `STATE`; an action is the point of the stone, and a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.game import Outcome
from engine.gomoku.evaluate import evaluate as evaluate  # offered to the search with the rules
from engine.gomoku.evaluate import point_value
from engine.gomoku.state import (
    BLACK,
    DIRECTIONS,
    EMPTY,
    FIVE,
    MARGIN,
    MAX_SIZE,
    NEAR_OFFSETS,
    POINTS,
    STONE_KEYS,
    STRIDE,
    TURN_KEY,
    WALL,
    WHITE,
    coordinates,
    point,
    slide,
)
from engine.gomoku.state import STATE as STATE
from engine.jit import kernel

ACTIONS = POINTS
MAX_ACTIONS = MAX_SIZE * MAX_SIZE
COMPOUND = False
MERGED = False

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)


def start(options: Mapping[str, Any]) -> Any:
    """Return the empty board, Black to move [M-1], for the ``size`` and ``exactly-five`` of `options`."""
    s = np.zeros(1, STATE)[0]
    s.width = options["size"]
    s.exactly = int(options["exactly-five"])
    s.board[:] = WALL
    for y in range(s.width):
        s.board[point(0, y) : point(s.width, y)] = EMPTY
    return s


@kernel
def run(s, p, colour):
    """Return the length (int64) of the longest line of `colour` through `p`, as if it had a stone there.

    Under exactly-five a line of six or more counts as none [M-2].
    """
    longest = np.int64(0)
    for d in range(4):
        step = DIRECTIONS[d]
        length = np.int64(1)
        q = p + step
        while s.board[q] == colour:
            length += 1
            q += step
        q = p - step
        while s.board[q] == colour:
            length += 1
            q -= step
        if length > longest and not (s.exactly and length > FIVE):
            longest = length
    return longest


@kernel
def wins(s, p, colour):
    """Return whether a stone of `colour` on point `p` makes five [M-2]."""
    return run(s, p, colour) >= FIVE


@kernel
def generate(s, actions):
    """Write all empty points, from the bottom, into `actions` (int32, `MAX_ACTIONS`); return their number."""
    n = 0
    if s.result != ONGOING:
        return n
    size = np.int64(s.width)
    for y in range(size):
        first = MARGIN + STRIDE * (y + MARGIN)
        for p in range(first, first + size):
            if s.board[p] == EMPTY:
                actions[n] = p
                n += 1
    return n


@kernel
def count(s):
    """Return the number of legal actions (int64), what `generate` would return."""
    if s.result != ONGOING:
        return np.int64(0)
    return np.int64(s.width) * np.int64(s.width) - np.int64(s.stones)


@kernel
def _generate_fives(s, colour, actions):
    """Write the empty points that make five for `colour` into `actions`; return their number."""
    n = 0
    size = np.int64(s.width)
    for y in range(size):
        first = MARGIN + STRIDE * (y + MARGIN)
        for p in range(first, first + size):
            if s.board[p] == EMPTY and s.near[p] and wins(s, p, colour):
                actions[n] = p
                n += 1
    return n


@kernel
def _generate_urgent(s, actions):
    """Write the points that win at once, failing that those that stop a five; return their number."""
    me = np.int64(s.turn)
    n = 0
    if s.windows[me, FIVE - 1]:
        n = _generate_fives(s, me + 1, actions)
    if n == 0 and s.windows[1 - me, FIVE - 1]:
        n = _generate_fives(s, 2 - me, actions)
    return n


@kernel
def generate_candidates(s, actions):
    """Write the legal actions worth searching into `actions`; return their number, 0 only at the end.

    A five is made, else the opponent's is stopped; with no four on the board these are the points within two
    steps of a stone, or the centre of an empty board.
    """
    if s.result != ONGOING:
        return 0
    size = np.int64(s.width)
    if s.stones == 0:
        actions[0] = (size // 2 + MARGIN) + STRIDE * (size // 2 + MARGIN)
        return 1
    n = _generate_urgent(s, actions)
    if n:
        return n
    for y in range(size):
        first = MARGIN + STRIDE * (y + MARGIN)
        for p in range(first, first + size):
            if s.near[p] and s.board[p] == EMPTY:
                actions[n] = p
                n += 1
    return n if n else generate(s, actions)


@kernel
def _makes_four(s, p, colour):
    """Return whether `colour` on the empty point `p` makes a window of four own stones and a gap."""
    for d in range(4):
        step = DIRECTIONS[d]
        window = (0, 0, 0)
        for k in range(-FIVE + 1, FIVE):
            window = slide(s, p, step, k, colour, window)
            if k >= 0 and window == (FIVE - 2, 0, 0):
                return True
    return False


@kernel
def generate_noisy(s, actions):
    """Write the actions that quiescence looks at: fives, stops of fives, and fours; return their number."""
    if s.result != ONGOING:
        return 0
    n = _generate_urgent(s, actions)
    me = np.int64(s.turn)
    if n or s.windows[me, FIVE - 2] == 0:
        return n
    size = np.int64(s.width)
    for y in range(size):
        first = MARGIN + STRIDE * (y + MARGIN)
        for p in range(first, first + size):
            if s.near[p] and s.board[p] == EMPTY and _makes_four(s, p, me + 1):
                actions[n] = p
                n += 1
    return n


@kernel
def forced(s):
    """Return whether the opponent threatens to make five: it must be stopped, or an own five made."""
    if s.windows[1 - s.turn, FIVE - 1] == 0:
        return False
    if s.exactly == 0:
        return True
    colour = np.int64(2 - s.turn)  # a fifth point that makes six is no threat
    for p in range(POINTS):  # noqa: SIM110 - no generators in kernels
        if s.board[p] == EMPTY and s.near[p] and wins(s, p, colour):
            return True
    return False


@kernel
def priority(s, action):
    """Return an ordering hint (int64): what the point gives and takes in windows, positive from threes on."""
    return point_value(s, np.int64(action))


@kernel
def _update_windows(s, p, colour):
    """Account in the counts of windows for a stone of `colour` about to be put on the empty point `p`."""
    me, other = np.int64(colour - 1), np.int64(2 - colour)
    for d in range(4):
        step = DIRECTIONS[d]
        window = (0, 0, 0)
        for k in range(-FIVE + 1, FIVE):
            window = slide(s, p, step, k, colour, window)
            own, foe, wall = window
            if k < 0 or wall:
                continue
            if foe == 0:
                if own:
                    s.windows[me, own] -= 1
                s.windows[me, own + 1] += 1
            elif own == 0:
                s.windows[other, foe] -= 1


@kernel
def do_move(s, action):
    """Put a stone of the side to move on the empty point `action`, in place."""
    p = np.int64(action)
    colour = np.int64(s.turn) + 1
    if wins(s, p, colour):
        s.result = FIRST_WINS if colour == BLACK else SECOND_WINS
    _update_windows(s, p, colour)
    s.board[p] = colour
    for k in range(NEAR_OFFSETS.size):
        s.near[p + NEAR_OFFSETS[k]] += 1
    s.stones += 1
    if s.result == ONGOING and s.stones == np.int64(s.width) * np.int64(s.width):
        s.result = DRAW
    s.key ^= STONE_KEYS[colour, p] ^ TURN_KEY
    s.turn = 1 - s.turn


@kernel
def outcome(s):
    """Return how the game stands, an `engine.game.Outcome` as int64."""
    return np.int64(s.result)


@kernel
def recompute_key(s):
    """Return the Zobrist key (uint64) of `s` from its other fields."""
    key = TURN_KEY if s.turn == 1 else np.uint64(0)
    for p in range(POINTS):
        if s.board[p] != EMPTY and s.board[p] != WALL:
            key ^= STONE_KEYS[s.board[p], p]
    return key


def give_turn(s: Any, side: int) -> None:
    """Make `side` the side to move, in place: set-up play as GTP allows it."""
    if s.turn != side:
        s.turn = side
        s.key ^= TURN_KEY


def set_up(options: Mapping[str, Any], stones: Mapping[tuple[int, int], int], side: int) -> Any:
    """Return the state with `stones`, colours by (column, row), and `side` to move; a five has won."""
    s = start(options)
    for (x, y), colour in stones.items():
        s.turn = colour - 1
        do_move(s, point(x, y))
        s.result = ONGOING
    s.turn = side
    s.key = recompute_key(s)
    fives = five_colours(s)
    if fives:
        s.result = FIRST_WINS if BLACK in fives else SECOND_WINS
    elif s.stones == int(s.width) ** 2:
        s.result = DRAW
    return s


def five_colours(s: Any) -> set[int]:
    """Return the colours (BLACK, WHITE) that have made five."""
    return {colour for (x, y), colour in stones(s).items() if wins(s, point(x, y), colour)}


def check(s: Any) -> list[str]:
    """Return every broken invariant of `s` in words; empty when it is sound."""
    twin = set_up({"size": int(s.width), "exactly-five": int(s.exactly)}, stones(s), int(s.turn))
    return [
        f"{name} is not that of the stones" for name in STATE.names or () if (s[name] != twin[name]).any()
    ]


def stones(s: Any) -> dict[tuple[int, int], int]:
    """Return the colours (BLACK, WHITE) of all stones by (column, row)."""
    occupied = np.flatnonzero((s.board == BLACK) | (s.board == WHITE))
    return {coordinates(p): int(s.board[p]) for p in occupied.tolist()}


def symmetries(s: Any) -> list[Any]:
    """Return the states that the eight symmetries of the square make of `s`; the first is equal to `s`."""
    last = int(s.width) - 1
    options = {"size": int(s.width), "exactly-five": int(s.exactly)}
    states = []
    for swap in (False, True):
        for flip_x in (False, True):
            for flip_y in (False, True):
                image = {}
                for (x, y), colour in stones(s).items():
                    u, v = (last - x if flip_x else x), (last - y if flip_y else y)
                    image[(v, u) if swap else (u, v)] = colour
                states.append(set_up(options, image, int(s.turn)))
    return states
