"""The rules of tic-tac-toe: the names that the contract asks for, and no others."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tengen.engine.board.grids import random_keys
from tengen.engine.game import Outcome
from tengen.engine.jit import kernel, record

SIZE = 3
POINTS = SIZE * SIZE
ACTIONS = MAX_ACTIONS = POINTS  # an action is a point: x + SIZE * y, y from the bottom
MULTI_ACTION_TURNS = MERGES_TRANSPOSITIONS = False
ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)

STATE = record(
    [
        ("key", "u8"),
        ("points", "i1", (POINTS,)),  # 0 empty, 1 black, 2 white
        ("side_to_move", "i1"),  # 0 Black, 1 White
        ("partial", "i1"),  # always 0: every action is a turn
    ]
)
KEYS = random_keys(0x777, 2, POINTS)  # by side, point
SIDE_KEY = np.uint64(random_keys(0x778, 1)[0])
LINES = np.array(
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]], np.int64
)


def start(options: Mapping[str, Any]) -> Any:
    """Return the empty board, Black to move."""
    return np.zeros(1, STATE)[0]


@kernel
def outcome(s):
    """Return how the game stands (int64), as `Outcome` counts."""
    for i in range(LINES.shape[0]):
        first = s.points[LINES[i, 0]]
        if first and first == s.points[LINES[i, 1]] and first == s.points[LINES[i, 2]]:
            return np.int64(FIRST_WINS + first - 1)
    for p in range(POINTS):
        if s.points[p] == 0:
            return np.int64(ONGOING)
    return np.int64(DRAW)


@kernel
def generate(s, actions):
    """Fill `actions` with all empty points; return their number (int64): 0 at the end."""
    n = np.int64(0)
    if outcome(s) == ONGOING:
        for p in range(POINTS):
            if s.points[p] == 0:
                actions[n] = p
                n += 1
    return n


@kernel
def count(s):
    """Return the number (int64) of legal actions."""
    n = np.int64(0)
    if outcome(s) == ONGOING:
        for p in range(POINTS):
            n += np.int64(s.points[p] == 0)
    return n


@kernel
def do_move(s, action):
    """Put a stone of the side to move on the point `action`."""
    side = np.int64(s.side_to_move)
    s.points[action] = side + 1
    s.key ^= KEYS[side, action] ^ SIDE_KEY
    s.side_to_move = 1 - side


@kernel
def recompute_key(s):
    """Return the key (uint64) from scratch."""
    key = SIDE_KEY if s.side_to_move else np.uint64(0)
    for p in range(POINTS):
        if s.points[p]:
            key ^= KEYS[s.points[p] - 1, p]
    return key


def check(s: Any) -> list[str]:
    """Return the invariants that do not hold, in words."""
    return [] if s.key == recompute_key(s) else ["the key is not that of the stones"]


def symmetries(s: Any) -> list[Any]:
    """Return the position and its mirror image."""
    mirrored = s.copy()
    mirrored.points[:] = s.points.reshape(SIZE, SIZE)[:, ::-1].reshape(-1)
    mirrored.key = recompute_key(mirrored)
    return [s.copy(), mirrored]
